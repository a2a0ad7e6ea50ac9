"""Counts on disk, in runs: chunks sorted by token, each a pickle, in a file that knows where each begins.

The folder of runs has a name that nobody can guess, and only this user can write to it, because loading a pickle can
run code. It is removed when the work ends, however that ends.
"""

import os
import pickle
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from fcntl import LOCK_EX, flock
from operator import attrgetter
from shutil import rmtree
from typing import NamedTuple

import numpy as np

from ..errors import ModelError, unopened
from .counts import Counts
from .documents import narrow
from .merging import Chunk, added
from .ordering import Lines


class Place(NamedTuple):
    """A chunk in a run.

    last   its last token, in UTF-8
    cells  how many it has
    start  where it begins in the file, in bytes
    """

    last: bytes
    cells: int
    start: int


class Run(NamedTuple):
    """Counts on disk.

    path    of the file
    labels  of the classes, by number
    chunks  in order
    """

    path: str
    labels: list[str]
    chunks: list[Place]


class RunFolder:
    """Context manager: a folder for runs beside a file, made when it is first needed, deleted at the end.

    It is locked meanwhile: so the next process that makes a model there can recognise folders that killed processes
    have left, and delete them.
    """

    def __init__(self, beside: str) -> None:
        self.beside = beside
        folder, name = os.path.split(os.path.realpath(beside))
        self.path = os.path.join(folder, f".{name}.{os.urandom(8).hex()}.runs")
        self._held = ExitStack()

    def __enter__(self) -> "RunFolder":
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def made(self) -> str:
        """The path of the folder; it is made if needed.

        Raises: ModelError if it cannot be made.
        """
        if not os.path.exists(self.path):
            self._held.callback(rmtree, self.path, ignore_errors=True)  # before it is made: a signal may come then
            try:
                os.mkdir(self.path, mode=0o700)
            except OSError as error:
                raise unopened(self.beside, error.strerror) from error
            with _written(self.path):
                descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
                self._held.callback(os.close, descriptor)
                flock(descriptor, LOCK_EX)
        return self.path


@contextmanager
def _written(folder: str) -> Iterator[None]:
    """Context manager: errors of writing are raised as a ModelError."""
    try:
        yield
    except OSError as error:
        raise ModelError(
            f"{folder}: counts that do not fit into memory cannot be written there ({error.strerror}); raise --memory"
        ) from error


def write_run(folder: str, labels: list[str], chunks: Iterable[Chunk], tokens: int) -> Run:
    """Write a run.

    labels  of the classes, by number
    tokens  how many there may be in a chunk of the run

    Raises: ModelError if there is no room on the disk.
    """
    path = os.path.join(folder, os.urandom(8).hex())
    places: list[Place] = []
    with _written(folder), open(path, "xb") as file:
        for chunk in chunks:
            lines = Lines(chunk.text)
            for start in range(0, len(lines), tokens):
                some = chunk.some(lines, start, min(start + tokens, len(lines)))
                places.append(Place(some.last, len(some.counts.classes), file.tell()))
                pickle.dump((some.text, *map(narrow, some.counts)), file, pickle.HIGHEST_PROTOCOL)
    return Run(path, labels, places)


class Stretch(NamedTuple):
    """Neighbouring chunks of a run.

    path     of the file
    start    where the first of them begins in it, in bytes
    size     how many there are
    classes  the number of each class of the run among all
    """

    path: str
    start: int
    size: int
    classes: list[int]

    def chunks(self) -> Iterator[Chunk]:
        """The chunks, with the numbers that their classes have among all."""
        numbers = np.array(self.classes, np.int32)
        with open(self.path, "rb") as file:
            file.seek(self.start)
            for _ in range(self.size):
                text, documents, starts, classes, *columns = pickle.load(file)
                yield Chunk(text, Counts(documents, starts.astype(np.int64), numbers[classes], *columns))


class TokenRange(NamedTuple):
    """The tokens between two in several runs. Any process that sees the files can merge them.

    low        the last token before
    high       the last one
    classes    how many classes there are
    stretches  what to read
    """

    low: bytes
    high: bytes
    classes: int
    stretches: list[Stretch]

    def chunk(self) -> Chunk:
        """The counts of all runs, added up."""
        chunks: list[Chunk] = []
        for stretch in self.stretches:
            for number, chunk in enumerate(stretch.chunks(), 1):
                is_inside = 1 < number < stretch.size
                chunks.append(chunk if is_inside else chunk.between(self.low, self.high))
        return added(chunks, self.classes)

    def among(self, tokens: Lines) -> bytes:
        """Those of some sorted tokens that may be in it."""
        return tokens.cut(bisect_right(tokens, self.low), bisect_right(tokens, self.high))


def ranges(runs: Sequence[Run], labels: Sequence[str], most: int) -> Iterator[TokenRange]:
    """All tokens of some runs in ranges, in order.

    labels  of all classes, by number
    most    about how many cells of all runs may be in a range
    """
    numbers = {label: number for number, label in enumerate(labels)}
    classes = [[numbers[label] for label in run.labels] for run in runs]
    low = b""
    for high in _edges(runs, most):
        stretches = []
        for run, own in zip(runs, classes, strict=True):
            first = bisect_right(run.chunks, low, key=_LAST)
            chunks = run.chunks[first : bisect_left(run.chunks, high, key=_LAST) + 1]
            if chunks:
                stretches.append(Stretch(run.path, chunks[0].start, len(chunks), own))
        yield TokenRange(low, high, len(labels), stretches)
        low = high


_LAST = attrgetter("last")


def _edges(runs: Iterable[Run], most: int) -> Iterator[bytes]:
    """The tokens that ranges of about this many cells end with."""
    edge, held = b"", 0
    last = b""
    for last, cells, _ in sorted(chunk for run in runs for chunk in run.chunks):
        held += cells
        if held >= most and last > edge:
            yield last
            edge, held = last, 0
    if last > edge:
        yield last
