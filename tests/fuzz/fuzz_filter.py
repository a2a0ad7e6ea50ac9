"""Messages sent through `nbtext filter`: `python -m tests.fuzz.fuzz_filter --seconds 60 --seed 1 | cat`.

They are those of corpora/mail, damaged, and those of `fuzz_mail`. Each must come out byte for byte but for the field,
through pipes that do not block, to a reader and from a writer of which one is late. The first that does not is printed.
Standard output has to be a pipe: each filter is a fork, whose own is one.
"""

import contextlib
import os
import random
import re
import select
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from nbtext import cli
from nbtext.mail.verdict import without

from ..mailroom import MAIL, mail_model
from . import fuzz
from .fuzz_mail import message

LONG = 300_000  # bytes, more than a pipe holds
OURS = re.compile(rb"X-Nbtext: (?:spam|ham|unsure), [^\r\n]*")
FORGED = re.compile(rb"(?i)x-nbtext")
WAIT_SECONDS = 60


def mutated(chance: random.Random, corpus: list[bytes]) -> bytes:
    """A message that was real, or never was one; now and then one that no pipe holds."""
    if chance.random() < 0.5:
        return message(chance)
    written = bytearray(chance.choice(corpus))
    for _ in range(chance.randint(0, 20)):
        at = chance.randint(0, len(written))
        written[at : at + chance.randint(0, 8)] = chance.choice(
            [b"", b"\n", b"\r", b"\0", b"\n\n", b"X-Nbtext: ham\n", chance.randbytes(4)]
        )
    if chance.random() < 0.02:
        written += chance.randbytes(1000) * (LONG // 1000)
    return bytes(written)


def filtered(written: bytes, chance: random.Random, model: str) -> tuple[bytes, int]:
    """What comes out of the filter, and its status."""
    (read_in, write_in), (read_out, write_out) = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        os.dup2(read_in, 0)
        os.dup2(write_out, 1)
        for end in read_in, write_in, read_out, write_out:
            os.close(end)
        os.set_blocking(0, False)
        os.set_blocking(1, False)
        os._exit(cli.run(["filter", "-m", model]))
    os.close(read_in)
    os.close(write_out)
    out = b"".join(_exchanged(written, chance, write_in, read_out))
    return out, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _exchanged(written: bytes, chance: random.Random, into: int, out: int) -> Iterator[bytes]:
    """What comes out while the message goes in, in pieces, either of the two sometimes late."""
    os.set_blocking(into, False)
    late = chance.random() < 0.05
    try:
        while written:
            if late:
                time.sleep(0.02)
            select.select([], [into], [], WAIT_SECONDS)
            with contextlib.suppress(BlockingIOError):
                written = written[os.write(into, written[: chance.randint(1, 70_000)]) :]
    finally:
        os.close(into)
    if chance.random() < 0.05:
        time.sleep(0.05)  # by now it waits for room
    with open(out, "rb", buffering=0) as stream:
        while select.select([stream], [], [], WAIT_SECONDS)[0] and (piece := stream.read(chance.randint(1, 70_000))):
            yield piece


def flaw(written: bytes, out: bytes, status: int) -> str:
    """What is wrong with what came out of the filter; nothing, if nothing is."""
    if status:
        return f"status {status}"
    field = OURS.search(out)
    if not field:
        return "no field"
    end = re.compile(rb"\r?\n|\Z").match(out, field.end())
    assert end
    before, after = out[: field.start()], out[end.end() :]
    if FORGED.search(written):  # a field of ours that was there is gone
        return "" if without(out) == without(written) else "other bytes but for fields of ours"
    if before + after == written or (end[0] == b"" and before.removesuffix(b"\n").removesuffix(b"\r") == written):
        return ""
    return "other bytes"


def main() -> int:
    """How it ended: 0 without a flaw, 1 with one."""
    corpus = [path.read_bytes() for path in sorted(MAIL.rglob("*.eml"))]
    with TemporaryDirectory() as folder:
        model = Path(folder, "mail.nbtext")
        model.write_bytes(mail_model())

        def flaws(written: bytes, chance: random.Random) -> list[str]:
            out, status = filtered(written, chance, str(model))
            found = flaw(written, out, status)
            return [f"{found}; out came {out!r}"] if found else []

        return fuzz(__doc__, lambda chance: mutated(chance, corpus), flaws)


if __name__ == "__main__":
    sys.exit(main())
