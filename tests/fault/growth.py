"""Time and memory for each format as its input doubles: both grow in proportion to it."""

import json
import tracemalloc
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO

from nbtext import readers
from nbtext.decoding import Decoder
from nbtext.plugins import module

from ..timing import seconds
from . import Outcome

SIZES = (1 << 17, 1 << 18, 1 << 19, 1 << 20)  # bytes
SLOWER = 2.5  # times for twice the input; four would be quadratic
LEAST_SECONDS = 0.02  # below, it is noise
MOST_MEMORY = {"csv": 14, "tsv": 8, "mail": 16, "mbox": 16, "jsonl": 10}  # bytes for each byte of a single document

WORDS = b"win cash now "
MANY = {  # many small documents
    "text": lambda size: WORDS * (size // 13),
    "lines": lambda size: b"win cash now\n" * (size // 13),
    "fasttext": lambda size: b"__label__spam win cash now\n" * (size // 27),
    "csv": lambda size: b"label,text\n" + b'spam,"win cash, now"\n' * (size // 21),
    "tsv": lambda size: b"label\ttext\n" + b"spam\twin cash now\n" * (size // 18),
    "jsonl": lambda size: b'{"label": "spam", "text": "win cash now"}\n' * (size // 41),
    "mail": lambda size: b"Subject: offer\n\n" + b"win cash now\n" * (size // 13),
    "mbox": lambda size: (
        b"From ann@example.org Thu Jan  1 09:00:00 2026\nSubject: offer\n\nwin cash now\n\n" * (size // 80)
    ),
}
ONE = {  # a single line of text
    "text": lambda size: WORDS * (size // 13),
    "lines": lambda size: WORDS * (size // 13),
    "fasttext": lambda size: b"__label__spam " + WORDS * (size // 13),
    "csv": lambda size: b'label,text\nspam,"' + WORDS * (size // 13) + b'"\n',
    "tsv": lambda size: b"label\ttext\nspam\t" + WORDS * (size // 13) + b"\n",
    "jsonl": lambda size: json.dumps({"label": "spam", "text": (WORDS * (size // 13)).decode()}).encode(),
    "mail": lambda size: b"Subject: offer\n\n" + WORDS * (size // 13),
    "mbox": lambda size: b"From ann@example.org Thu Jan  1 09:00:00 2026\nSubject: offer\n\n" + WORDS * (size // 13),
}

Made = Callable[[int], bytes]


def grow(names: Iterable[str] = MANY) -> Iterator[Outcome]:
    """Each format, as many small documents and as a single one of one line."""
    for shape, formats in {"many documents": MANY, "one line": ONE}.items():
        for name in names:
            made = formats[name]
            taken = [seconds(_read, name, made(size), times=3) for size in SIZES]
            times = max(taken[-1], LEAST_SECONDS) / max(taken[0], LEAST_SECONDS)
            limit = SLOWER * SIZES[-1] / SIZES[0]
            failures = [f"{name}, {shape}: {taken}"] if times > limit else []
            told = ", ".join(f"{found * 1000:.0f}" for found in taken)
            more = ""
            if shape == "one line":
                memory = _memory(name, made(SIZES[-1])) / SIZES[-1]
                more = f"; {memory:.1f} bytes of memory per byte"
                if memory > MOST_MEMORY.get(name, 6):
                    failures.append(f"{name}: {memory:.1f} bytes of memory for each byte")
            yield Outcome(
                f"`--reader {name}`, {shape}: 128, 256, 512, 1,024 kB", len(SIZES), failures, f"{told} ms{more}"
            )


def _memory(name: str, content: bytes) -> int:
    """The most bytes in use while it is read."""
    tracemalloc.start()
    _read(name, content)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def _read(name: str, content: bytes) -> None:
    deque(module(readers, name).read(BytesIO(content), name, Decoder()), 1)
