"""Too little room: a disk that is full at any byte, and memory that ends at any megabyte. Real processes."""

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from nbtext import Model
from nbtext.mail.verdict import without

from ..mailroom import SPAM, mail_model
from ..shell import ROOT, SECONDS, pinned
from . import Outcome

MEGABYTE = 1 << 20
DONE, TROUBLE = 0, 3
WRITERS = {
    "train": ["train", str(ROOT / "corpora" / "mail"), "--reader", "mail", "--jobs", "1", "-q", "-m", "model.nbtext"],
    "merge": ["merge", "model.nbtext", "model.nbtext", "-m", "model.nbtext"],
    "learn": ["learn", "spam", "message"],
}

Done = subprocess.CompletedProcess[bytes]


def fill_disks(tries: int) -> Iterator[Outcome]:
    """Each command that writes a model, with files that may not grow beyond some size."""
    for name, arguments in WRITERS.items():
        failures = []
        for number in range(tries):
            size = len(mail_model()) * number // tries  # never enough for what is new
            failures += _too_little(f"{name}, {size} bytes", arguments, resource.RLIMIT_FSIZE, size)
        found = "status 3 and one sentence; the model is as before, and no other file is left"
        yield Outcome(f"`{name}` on a full disk", tries, failures, found)


def _too_little(tried: str, arguments: list[str], limit: int, size: int) -> list[str]:
    """What is wrong after a command that cannot have succeeded."""
    with TemporaryDirectory() as folder:
        done = _limited(Path(folder), arguments, limit, size)
        with closing(Model.open(os.path.join(folder, "model.nbtext"))):
            pass  # undoes a change that could not even be undone
        left = sorted(path.name for path in Path(folder).iterdir())
        same = (Path(folder) / "model.nbtext").read_bytes() == mail_model()
    if done.returncode == TROUBLE and done.stderr.count(b"\n") == 1 and same and left == ["message", "model.nbtext"]:
        return []
    return [f"{tried}: status {done.returncode}, {done.stderr!r}, model {'same' if same else 'changed'}, {left}"]


def starve(tries: int) -> Iterator[Outcome]:
    """`filter` and `train` with so many limits of memory, from too little to start Python up to enough."""
    failures = []
    for number in range(tries):
        size = (20 + 200 * number // tries) * MEGABYTE
        with TemporaryDirectory() as folder:
            done = _limited(Path(folder), ["filter"], resource.RLIMIT_AS, size, stdin=SPAM)
        whole = without(done.stdout) == SPAM
        if done.returncode == DONE and not whole:
            failures.append(f"filter, {size} bytes: status 0, {len(done.stdout)} bytes of {len(SPAM)}")
        if done.returncode != DONE and done.stdout not in (b"", SPAM):
            failures.append(f"filter, {size} bytes: status {done.returncode}, part of a message")
    yield Outcome(
        "`filter` with little memory", tries, failures, "the message comes out unchanged, or the status is not 0"
    )
    failures = []
    for number in range(tries):
        size = (100 + 400 * number // tries) * MEGABYTE
        with TemporaryDirectory() as folder:
            done = _limited(Path(folder), WRITERS["train"], resource.RLIMIT_AS, size)
            same = (Path(folder) / "model.nbtext").read_bytes() == mail_model()
            if done.returncode < 0:  # numpy crashes where some of its allocations fail; the next command clears
                _ran(Path(folder), WRITERS["learn"])
            left = sorted(path.name for path in Path(folder).iterdir())
        if not same or left != ["message", "model.nbtext"]:
            failures.append(f"train, {size} bytes: status {done.returncode}, {done.stderr[-200:]!r}, {left}")
    yield Outcome("`train` with little memory", tries, failures, "the old model stays, or the new one is complete")


def _limited(folder: Path, arguments: list[str], limit: int, size: int, stdin: bytes = b"") -> Done:
    """A command beside a model and a message, with no more of something than that."""
    (folder / "model.nbtext").write_bytes(mail_model())
    (folder / "message").write_bytes(b"Subject: new\n\n" + b" ".join(b"word%d" % number for number in range(20_000)))
    return _ran(folder, arguments, lambda: resource.setrlimit(limit, (size, size)), stdin)


def _ran(folder: Path, arguments: list[str], first: Callable[[], None] | None = None, stdin: bytes = b"") -> Done:
    return subprocess.run(
        [sys.executable, "-P", "-m", "nbtext", *arguments],
        cwd=folder,
        env=pinned() | {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1", "TMPDIR": os.fspath(folder)},
        input=stdin,
        capture_output=True,
        timeout=SECONDS,
        preexec_fn=first,
    )
