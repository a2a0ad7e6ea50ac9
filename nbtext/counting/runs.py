"""Counts as streams of chunks, sorted by token: from memory, from disk, and several streams merged into one.

A run is a stream in a file, a pickle for each chunk. Its folder has a name that nobody can guess, and only this user
can write to it, because loading a pickle can run code. It is removed when the work ends, however that ends.
"""

import os
import pickle
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from fcntl import LOCK_EX, flock
from shutil import rmtree
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelError, unopened
from .counts import Counts
from .documents import Integers
from .ordering import Lines, sorted_order


class Chunk(NamedTuple):
    """A range of all tokens.

    text    the tokens, sorted, in UTF-8, a newline after each
    counts  of the tokens, by their positions in this chunk
    """

    text: bytes
    counts: Counts

    @classmethod
    def of(cls, tokens: Iterable[str], counts: Counts) -> "Chunk":
        """The chunk of tokens, sorted, and their counts."""
        return cls("".join(f"{token}\n" for token in tokens).encode(), counts)

    @property
    def tokens(self) -> list[str]:
        """The tokens, sorted."""
        return self.text.decode().split("\n")[:-1]


class Run(NamedTuple):
    """Counts on disk.

    path    of the file
    labels  of the classes, by number
    """

    path: str
    labels: list[str]


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


def write_run(folder: str, chunks: Iterable[Chunk]) -> str:
    """Write a run, and return its path.

    Raises: ModelError if there is no room on the disk.
    """
    path = os.path.join(folder, os.urandom(8).hex())
    with _written(folder), open(path, "xb") as file:
        for text, counts in chunks:
            pickle.dump((text, *map(_narrow, counts)), file, pickle.HIGHEST_PROTOCOL)
    return path


def _narrow(column: Integers) -> Integers:
    """The same numbers, which must be >= 0, in the smallest integer type."""
    largest = column.max(initial=0)
    return column.astype(
        next(kind for kind in (np.uint8, np.uint16, np.int32, np.int64) if largest <= np.iinfo(kind).max)
    )


def read_run(path: str) -> Iterator[Chunk]:
    """The chunks of a run."""
    with open(path, "rb") as file, suppress(EOFError):
        while True:
            text, documents, starts, classes, *columns = pickle.load(file)
            yield Chunk(text, Counts(documents, starts.astype(np.int64), classes.astype(np.int32), *columns))


def merged(streams: Iterable[Iterator[Chunk]], classes: int) -> Iterator[Chunk]:
    """Several streams as one, with the counts of the same token added up.

    classes  their number

    >>> from .counts import Counts
    >>> counts = Counts.of_cells(np.array([1]), 1, np.array([0]), np.array([2]), np.array([1]))
    >>> [chunk] = merged([iter([Chunk.of(["at"], counts)]), iter([Chunk.of(["at"], counts)])], classes=1)
    >>> chunk.tokens, chunk.counts.rows([0])
    (['at'], [[0, 4, 2]])
    """
    heads = [head for stream in streams for head in _Head.next(stream)]
    while heads:
        last = min(head.last for head in heads)
        yield _added([head.up_to(last) for head in heads], classes)
        heads = [still for head in heads for still in head.refilled()]


class _Part(NamedTuple):
    """Tokens to be merged, and their counts: the number of cells of each, and the columns of these."""

    text: NDArray[np.uint8]
    sizes: Integers
    classes: Integers
    occurrences: Integers
    frequency: Integers


class _Head:
    """The chunk of a stream that is being merged, and how much of it has been taken."""

    def __init__(self, chunk: Chunk, stream: Iterator[Chunk]) -> None:
        self.stream = stream
        self.counts = chunk.counts
        self.sizes = np.diff(chunk.counts.starts)
        self.lines = Lines(chunk.text)
        self.keys = self.lines.keys
        self.last = int(self.keys[-1]), self.lines[len(self.lines) - 1]
        self.taken = 0

    @classmethod
    def next(cls, stream: Iterator[Chunk]) -> "list[_Head]":
        """The head of the next chunk, if there is one."""
        return [cls(chunk, stream) for chunk in [next(stream, None)] if chunk]

    def up_to(self, last: tuple[int, bytes]) -> _Part:
        """Take the rest up to a token, which is given with its key."""
        start, counts, lines = self.taken, self.counts, self.lines
        key, token = np.uint64(last[0]), last[1]
        behind = int(self.keys.searchsorted(key, "right"))
        self.taken = max(start, bisect_right(lines, token, int(self.keys.searchsorted(key)), behind))
        end = self.taken
        cells = slice(counts.starts[start], counts.starts[end])
        text = lines.text[lines.starts[start] : lines.ends[end - 1] + 1] if start < end else lines.text[:0]
        return _Part(text, self.sizes[start:end], *(column[cells] for column in counts[2:]))

    def refilled(self) -> "list[_Head]":
        """The same, or if all of it was taken, the head of the next chunk."""
        return [self] if self.taken < len(self.lines) else _Head.next(self.stream)


def _added(parts: Sequence[_Part], classes: int) -> Chunk:
    text, sizes, own, occurrences, frequency = (np.concatenate(column) for column in zip(*parts, strict=True))
    lines = Lines(text.tobytes())
    order, differs = sorted_order(lines.text, lines.starts, lines.ends)
    places = np.empty_like(order)
    places[order] = np.cumsum(differs) - 1
    keys = np.repeat(places, sizes) * classes + own
    distinct = order[differs]
    counts = Counts.of_cells(np.zeros(classes, np.int64), len(distinct), keys, occurrences, frequency)
    return Chunk(lines.some(distinct), counts)
