"""Counts in chunks, sorted by token; several streams of chunks, or parts of them, merged into one."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from ..kernel import Indexer
from .counts import Counts
from .digests import CHUNK
from .documents import int32
from .ordering import Lines, inverse, sorted_order
from .tokens import Tokens


class Chunk(NamedTuple):
    """A stretch of all tokens.

    text    the tokens, sorted, in UTF-8, a newline after each
    counts  theirs, by their places in this chunk
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

    @property
    def last(self) -> bytes:
        """The last token, in UTF-8."""
        return self.text[self.text.rfind(b"\n", 0, -1) + 1 : -1]

    def chunk(self) -> "Chunk":
        """Itself; a `runs.TokenRange` must be read first."""
        return self

    def among(self, tokens: Lines) -> bytes:
        """Those of some sorted tokens that may be in it."""
        first = self.text[: self.text.index(b"\n")]
        return tokens.cut(bisect_left(tokens, first), bisect_right(tokens, self.last))

    def some(self, lines: Lines, start: int, end: int) -> "Chunk":
        """The tokens from one place up to another.

        lines  of the text
        """
        return Chunk(lines.cut(start, end), self.counts.cut(self.counts.starts[start : end + 1]))

    def split(self, last: bytes) -> tuple["Chunk", "Chunk"]:
        """The tokens up to and including one, and those after it.

        >>> counts = Counts.of_cells(np.array([1]), 2, *np.array([[0, 1], [0, 0], [2, 1], [1, 1]]))
        >>> [part.tokens for part in Chunk.of(["at", "be"], counts).split(b"at")]
        [['at'], ['be']]
        """
        lines = Lines(self.text)
        place = bisect_right(lines, last)
        return self.some(lines, 0, place), self.some(lines, place, len(lines))

    def between(self, low: bytes, high: bytes) -> "Chunk":
        """The tokens after one, up to and including another.

        >>> counts = Counts.of_cells(np.array([1]), 3, np.arange(3), np.zeros(3), np.array([2, 1, 1]), np.ones(3))
        >>> Chunk.of(["at", "be", "to"], counts).between(b"at", b"c").tokens
        ['be']
        """
        lines = Lines(self.text)
        return self.some(lines, bisect_right(lines, low), bisect_right(lines, high))


def chunks(tokens: Tokens, counts: Counts) -> Iterator[Chunk]:
    """Those tokens that occur, with their counts."""
    used = np.flatnonzero(np.diff(counts.starts))
    for start in range(0, len(used), CHUNK):
        some = used[start : start + CHUNK]
        starts = np.append(counts.starts[some], counts.starts[some[-1] + 1])  # the tokens in between have no cells
        yield Chunk(tokens.encoded(some), counts.cut(starts))


def merged(streams: Iterable[Iterator[Chunk]], classes: int) -> Iterator[Chunk]:
    """Several streams as one, the counts of the same token added up.

    classes  their number

    >>> counts = Counts.of_cells(np.array([1]), 1, *np.array([[0], [0], [2], [1]]))
    >>> [chunk] = merged([iter([Chunk.of(["at"], counts)]), iter([Chunk.of(["at"], counts)])], classes=1)
    >>> chunk.tokens, chunk.counts.rows([0])
    (['at'], [[0, 4, 2]])
    """
    heads = [(chunk, stream) for stream in streams for chunk in islice(stream, 1)]
    while heads:
        last = min(chunk.last for chunk, _ in heads)
        split = [(*chunk.split(last), stream) for chunk, stream in heads]
        yield added([before for before, _, _ in split], classes)
        heads = [
            (chunk, stream) for _, after, stream in split for chunk in ([after] if after.text else islice(stream, 1))
        ]


def added(chunks: Sequence[Chunk], classes: int) -> Chunk:
    """The counts of all chunks, those of the same token added up.

    classes  their number
    """
    text = b"".join(chunk.text for chunk in chunks)
    sizes = np.concatenate([np.diff(chunk.counts.starts) for chunk in chunks])
    own, occurrences, frequency = (np.concatenate([chunk.counts[column] for chunk in chunks]) for column in (2, 3, 4))
    indexer = Indexer(str.split)
    terms = int32(indexer.merge(text[:-1], array("i"), array("i"), array("i", bytes(4 * len(sizes))))[0])
    lines = Lines(indexer.words() + b"\n")
    order, _ = sorted_order(lines.text, lines.starts, lines.ends)
    numbers = np.repeat(inverse(order)[terms], sizes)
    counts = Counts.of_cells(np.zeros(classes, np.int64), len(order), numbers, own, occurrences, frequency)
    return Chunk(lines.some(order), counts)
