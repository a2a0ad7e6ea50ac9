"""Counts as streams of chunks, sorted by token: from memory, from disk, and several streams merged into one.

A run is a stream in a file, a pickle for each chunk. Its folder has a name that nobody can guess and is for this user
alone, for pickles run code; it is removed when the work ends, however that ends.
"""

import os
import pickle
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from fcntl import LOCK_EX, flock
from shutil import rmtree
from typing import NamedTuple

import numpy as np

from ..errors import ModelError
from .counts import Counts


class Chunk(NamedTuple):
    """A stretch of all tokens.

    tokens  sorted
    counts  theirs, by their places in this chunk
    """

    tokens: list[str]
    counts: Counts


class RunFolder:
    """Context manager: a folder for runs beside a file, made when the first run is written, deleted at the end.

    It is locked meanwhile: so what a killed process has left can be told from what is still in use, and deleted by the
    next that makes a model there.
    """

    def __init__(self, beside: str) -> None:
        folder, name = os.path.split(os.path.realpath(beside))
        self.path = os.path.join(folder, f".{name}.{os.urandom(8).hex()}.runs")
        self._held = ExitStack()

    def __enter__(self) -> "RunFolder":
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def write(self, chunks: Iterable[Chunk]) -> str:
        """Write a run, and return its path.

        Raises: ModelError if there is no room on the disk.
        """
        try:
            if not os.path.exists(self.path):
                self._make()
            path = os.path.join(self.path, os.urandom(8).hex())
            with open(path, "xb") as file:
                for tokens, counts in chunks:
                    pickle.dump(("\n".join(tokens), *counts), file, pickle.HIGHEST_PROTOCOL)
        except OSError as error:
            raise ModelError(
                f"{self.path}: counts that do not fit into memory cannot be written there ({error.strerror}); "
                "raise --memory"
            ) from error
        return path

    def _make(self) -> None:
        os.mkdir(self.path, mode=0o700)
        self._held.callback(rmtree, self.path, ignore_errors=True)
        descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        self._held.callback(os.close, descriptor)
        flock(descriptor, LOCK_EX)


def read_run(path: str) -> Iterator[Chunk]:
    """The chunks of a run."""
    with open(path, "rb") as file, suppress(EOFError):
        while True:
            tokens, *counts = pickle.load(file)
            yield Chunk(tokens.split("\n"), Counts(*counts))


def merged(streams: Sequence[Iterator[Chunk]], classes: int) -> Iterator[Chunk]:
    """Several streams as one, the counts of the same token added up.

    classes  how many there are

    >>> from .counts import Counts
    >>> counts = Counts.of_cells(np.array([1]), 1, np.array([0]), np.array([2]), np.array([1]))
    >>> [chunk] = merged([iter([Chunk(["at"], counts)]), iter([Chunk(["at"], counts)])], classes=1)
    >>> chunk.tokens, chunk.counts.rows([0])
    (['at'], [[0, 4, 2]])
    """
    heads = [next(stream, None) for stream in streams]
    while any(heads):
        last = min(head.tokens[-1] for head in heads if head)
        taken = []
        for place, head in enumerate(heads):
            if head is None:
                continue
            end = bisect_right(head.tokens, last)
            taken.append(_part(head, 0, end))
            heads[place] = _part(head, end, len(head.tokens)) if end < len(head.tokens) else next(streams[place], None)
        yield _added(taken, classes)


def _part(chunk: Chunk, start: int, end: int) -> Chunk:
    counts = chunk.counts
    cells = slice(counts.starts[start], counts.starts[end])
    starts = counts.starts[start : end + 1] - counts.starts[start]
    return Chunk(chunk.tokens[start:end], Counts(counts.documents, starts, *(column[cells] for column in counts[2:])))


def _added(chunks: Sequence[Chunk], classes: int) -> Chunk:
    tokens = sorted(set().union(*(chunk.tokens for chunk in chunks)))
    places = {token: place for place, token in enumerate(tokens)}
    keys = [
        np.array([places[token] for token in chunk.tokens], np.int64)[chunk.counts.cell_tokens] * classes
        + chunk.counts.classes
        for chunk in chunks
    ]
    cells = (np.concatenate([chunk.counts[column] for chunk in chunks]) for column in (3, 4))
    return Chunk(tokens, Counts.of_cells(np.zeros(classes, np.int64), len(tokens), np.concatenate(keys), *cells))
