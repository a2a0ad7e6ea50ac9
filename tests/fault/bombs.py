"""Small files that unpack to much, or claim to, given to every command that reads files. Real processes."""

import bz2
import gzip
import io
import lzma
import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from nbtext import train_documents

from ..shell import ROOT, pinned
from . import Outcome

MOST_SECONDS = 10.0  # of a processor
MOST_BYTES = 1 << 30  # of memory
LARGEST = ("--largest", "32M")  # of a document: without it some of these take eight times as long
READERS = ("classify", "explain", "tokens", "learn")
WORDS, PIECES = b"win cash now " * 80_000, 1000  # a gigabyte


def bombs() -> Iterator[tuple[str, bytes]]:
    """The files by name."""
    yield "zeros.gz", gzip.compress(bytes(1 << 20)) * PIECES
    yield "words.gz", gzip.compress(WORDS) * PIECES
    yield "words.bz2", bz2.compress(WORDS) * PIECES
    yield "words.xz", lzma.compress(WORDS) * PIECES
    yield (
        "words.tar.gz",
        gzip.compress(_member(b"x", b"0", len(WORDS) * PIECES)) + gzip.compress(WORDS) * PIECES,
    )
    yield "words.zip", _zip()
    yield "headers.tar.gz", gzip.compress(_member(b"pax", b"x", 100 << 20) + b"9 a=bbbb\n" * (100 << 20 >> 4))
    yield "claims.tar", _member(b"x", b"0", (1 << 33) - 1) + b"win"


def _zip() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x", WORDS * 100)
    return packed.getvalue()


def _member(name: bytes, kind: bytes, size: int) -> bytes:
    entry = tarfile.TarInfo(name.decode())
    entry.type, entry.size = kind, size
    return entry.tobuf(tarfile.GNU_FORMAT)


def throw_bombs() -> Iterator[Outcome]:
    """Every command that reads files, with every bomb."""
    failures, tries, worst_seconds, worst_bytes = [], 0, 0.0, 0
    with TemporaryDirectory() as folder:
        train_documents({"spam": ["win cash now"], "ham": ["lunch at noon"]}, os.path.join(folder, "model.nbtext"))
        for name, content in bombs():
            (Path(folder) / name).write_bytes(content)
            for command in READERS:
                arguments = [command, *(["spam"] if command == "learn" else []), name, *LARGEST]
                status, error, seconds, memory = _measured(folder, arguments)
                tries += 1
                worst_seconds, worst_bytes = max(worst_seconds, seconds), max(worst_bytes, memory)
                if status != 3 or name not in error or seconds > MOST_SECONDS or memory > MOST_BYTES:
                    failures.append(f"{command} {name}: {status}, {seconds:.1f} s, {memory >> 20} MB, {error[-200:]}")
    worst = f"refused with its name in the message, in at most {worst_seconds:.1f} s and {worst_bytes >> 20} MB"
    yield Outcome("a small file that unpacks to 100 MB or more, or claims to", tries, failures, worst)


def _measured(folder: str, arguments: list[str]) -> tuple[int, str, float, int]:
    """Status, messages, seconds of a processor and bytes of memory of a command."""
    with open(os.path.join(folder, "messages"), "w+b") as messages:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "nbtext", *arguments],
            cwd=folder,
            env=pinned() | {"PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=messages,
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        messages.seek(0)
        error = messages.read().decode()
    return process.returncode, error, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
