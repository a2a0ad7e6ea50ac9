"""Everything that goes wrong on real machines, done to the command line on purpose; the summary is a table.

    python -m tests.faults

Kills at random instants, deliveries beside learners and a retraining, a full disk, too little memory, compressed bombs,
bits that flip. Each row says how often something was tried, and what came of it; a wrong outcome is printed, and the
status is then 1.
"""

import argparse
import gzip
import io
import os
import random
import resource
import subprocess
import sys
import tarfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from nbtext import Model
from nbtext.errors import ModelError
from nbtext.mail.verdict import without
from nbtext.model.exchange import fingerprint
from nbtext.model.verifying import verify

from .flips import wrong_answers
from .mailroom import HARD, MAIL, mail_model
from .shell import with_nbtext

MEGABYTE = 1_000_000
AT_ONCE = 8

Done = subprocess.CompletedProcess[bytes]


class Fault(NamedTuple):
    """A kind of fault. `wrong` says what should not have happened, a line for each."""

    what: str
    times: int
    outcome: str
    wrong: list[str]


class Room:
    """A folder with a model of mail, and `nbtext` as a command in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.model = folder / "model.nbtext"
        self.model.write_bytes(mail_model())
        tools = folder / "tools"
        tools.mkdir()
        self.environment = with_nbtext(tools)

    def start(self, *arguments: str) -> "subprocess.Popen[bytes]":
        """The command, started."""
        return subprocess.Popen(
            ["nbtext", *arguments],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def run(self, *arguments: str, stdin: bytes = b"", before: Callable[[], None] | None = None) -> Done:
        """The command, run to its end."""
        return subprocess.run(
            ["nbtext", *arguments],
            cwd=self.folder,
            env=self.environment,
            input=stdin,
            capture_output=True,
            timeout=120,
            preexec_fn=before,
        )

    def state(self) -> str:
        """What the model is, once it was seen to be sound."""
        with closing(Model.open(str(self.model))) as model:
            verify(model)
            return fingerprint(model)


def kills(room: Room, times: int, seed: int) -> Fault:
    """kill -9 at random instants of what writes a model: it is as before or as after, and no litter is left."""
    chance = random.Random(seed)
    message = MAIL / "spam" / "parcel-phish.eml"
    (room.folder / "text").write_bytes(room.run("export").stdout)
    (room.folder / "other.nbtext").write_bytes(mail_model())
    new = room.folder / "new.eml"
    commands = {
        "train": ("train", str(MAIL), "--reader", "mail", "--jobs", "2"),
        "learn": ("learn", "spam", str(new)),
        "unlearn": ("unlearn", "spam", str(message)),
        "merge": ("merge", "other.nbtext", "other.nbtext"),
        "import": ("import", "text"),
    }
    wrong: list[str] = []
    done: Counter[str] = Counter()
    seconds: dict[str, float] = {}
    for number in range(times):
        name = list(commands)[number % len(commands)]
        room.model.write_bytes(mail_model())
        new.write_bytes(b"Subject: win %d\n\ncash\n" % number)
        before = room.state()
        if name not in seconds:
            start = time.perf_counter()
            room.run(*commands[name])
            seconds[name] = time.perf_counter() - start
            room.model.write_bytes(mail_model())
        process = room.start(*commands[name])
        time.sleep(chance.uniform(0, 1.1 * seconds[name]))
        process.kill()
        process.wait()
        try:
            after = room.state()
        except ModelError as error:
            wrong.append(f"kill {number}, {name}: {error}")
            continue
        done["as before" if after == before else "as after"] += 1
    room.run("learn", "spam", str(new))  # which clears what no process holds
    room.run("import", "text")
    litter = [path.name for path in room.folder.iterdir() if path.name.startswith(".") or ".part" in path.name]
    wrong += [f"left behind: {name}" for name in litter]
    return Fault("kill -9 of train, learn, unlearn, merge, import", times, told(done), wrong)


def deliveries(room: Room, filters: int, learns: int) -> Fault:
    """Filters beside learners and a retraining: every message comes out whole, everything is learned."""
    room.model.write_bytes(mail_model())
    messages = (list(HARD.values()) * filters)[:filters]
    texts = [b"Subject: offer %d\n\nwin%d\n" % (number, number) for number in range(learns)]
    with ThreadPoolExecutor(AT_ONCE) as threads:
        filtered = [threads.submit(room.run, "filter", stdin=message) for message in messages]
        learned = [threads.submit(room.run, "learn", "spam", stdin=text) for text in texts]
        trained = threads.submit(room.run, "train", str(MAIL), "--reader", "mail", "-q")
    wrong = [f"train: {trained.result().stderr!r}"] if trained.result().returncode else []
    for message, delivered in zip(messages, filtered, strict=True):
        answer = delivered.result()
        if answer.returncode or without(answer.stdout) != message:
            wrong.append(f"filter: {answer.returncode}, {answer.stderr!r}")
    wrong += [f"learn: {each.result().stderr!r}" for each in learned if each.result().returncode]
    room.state()
    return Fault(
        "filters beside learners and a retraining", filters + learns + 1, "all answered, mail unchanged", wrong
    )


def full_disks(room: Room) -> Fault:
    """No room for the model: it stays as it was, and a message comes through."""
    room.model.write_bytes(mail_model())
    before = room.state()
    limit = room.model.stat().st_size // 2

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    wrong = []
    big = b"Subject: win\n\n" + b" ".join(b"word%d" % n for n in range(100_000))
    (room.folder / "words.txt").write_bytes(big)
    commands = (
        ("train", str(MAIL), "--reader", "mail"),
        ("import", "text"),
        ("merge", "other.nbtext", "other.nbtext"),
        ("tune",),
    )
    for command in commands:
        answer = room.run(*command, before=full)
        if answer.returncode != 3 or answer.stderr.count(b"\n") != 1:
            wrong.append(f"{command[0]}: {answer.returncode}, {answer.stderr!r}")
    if room.state() != before:
        wrong.append("the model has changed")
    return Fault("no room on the disk", len(commands), "refused in a sentence, the old model stays", wrong)


def bombs(room: Room) -> Iterator[tuple[str, Path]]:
    """Small files that claim or hold more than any document has."""
    folder = room.folder / "bombs"
    folder.mkdir()

    def made(name: str, content: bytes) -> tuple[str, Path]:
        (folder / name).write_bytes(content)
        return name, folder / name

    zeros = io.BytesIO()
    with gzip.GzipFile(fileobj=zeros, mode="wb") as file:
        for _ in range(1000):
            file.write(b"a " * 500_000)
    yield made("gigabyte.gz", zeros.getvalue())
    pax = io.BytesIO()
    with tarfile.open(fileobj=pax, mode="w", format=tarfile.PAX_FORMAT) as archive:
        member = tarfile.TarInfo("a")
        member.pax_headers = {"comment": "x" * (50 * MEGABYTE)}
        archive.addfile(member)
    yield made("header.tar.gz", gzip.compress(pax.getvalue()))
    huge = tarfile.TarInfo("a")
    huge.size = 9 * 10**18
    yield made("huge.tar", huge.tobuf(tarfile.GNU_FORMAT))
    yield made("parameters.eml", b"Content-Type: a/b; " + b'a="' + b"\\a" * (20 * MEGABYTE))
    yield made("parts.eml", b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\n\n" * (4 * MEGABYTE))


def too_much(room: Room, kilobytes: int = 1_500_000, seconds: float = 60) -> Fault:
    """Bombs under a limit of memory and time: answered or refused by name."""
    room.model.write_bytes(mail_model())

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (kilobytes * 1024, kilobytes * 1024))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))

    wrong = []
    slowest = 0.0
    times = 0
    for name, path in bombs(room):
        for command in (("classify", str(path)), ("check", str(path.parent.parent / "corpus"))):
            corpus = room.folder / "corpus" / "a"
            corpus.mkdir(parents=True, exist_ok=True)
            (corpus / name).unlink(missing_ok=True)
            (corpus / name).hardlink_to(path)
            start = time.perf_counter()
            answer = room.run(*command, before=limited)
            slowest = max(slowest, time.perf_counter() - start)
            (corpus / name).unlink()
            times += 1
            if answer.returncode not in (0, 3) or b"Traceback" in answer.stderr:
                wrong.append(f"{command[0]} of {name}: {answer.returncode}, {answer.stderr[:200]!r}")
    outcome = f"answered or refused by name within {kilobytes // 1000} MB; the slowest took {slowest:.1f} s"
    return Fault("bombs: compressed, archived, in mail", times, outcome, wrong)


def flips(times: int, seed: int) -> Fault:
    """Bits that flip in model files: every command answers as before, or says that the file is damaged."""
    counts: Counter[str] = Counter()
    wrong = [str(flip) for flip in wrong_answers(times, seed, counts)]
    kinds: Counter[str] = Counter()
    for key, n in counts.items():
        kinds[key.rpartition(": ")[2]] += n
    return Fault("single bits of three models flipped", times, told(kinds), wrong)


def told(counts: Counter[str]) -> str:
    """Counts in words."""
    return ", ".join(f"{n} {what}" for what, n in sorted(counts.items()))


def faults(kills_tried: int, filters: int, learns: int, flipped: int, seed: int) -> Iterator[Fault]:
    """All of them, one after the other."""
    with TemporaryDirectory() as folder:
        room = Room(Path(folder))
        yield kills(room, kills_tried, seed)
        yield deliveries(room, filters, learns)
        yield full_disks(room)
        yield too_much(room)
    yield flips(flipped, seed)


def main() -> int:
    """Do all, and print the table; the status is 1 if something went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--flips", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    failed = False
    print("| fault | times | outcome |\n|---|---|---|", flush=True)
    for fault in faults(chosen.kills, 50, 20, chosen.flips, chosen.seed):
        print(f"| {fault.what} | {fault.times} | {fault.outcome}; {len(fault.wrong)} wrong |", flush=True)
        for line in fault.wrong:
            print(line, file=sys.stderr)
        failed = failed or bool(fault.wrong)
    return int(failed)


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main())
