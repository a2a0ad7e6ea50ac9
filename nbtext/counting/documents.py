"""Documents as arrays: a sparse matrix of documents by tokens."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.integer]

GROUP = 1000  # documents in a group, if they have few entries
GROUP_ENTRIES = 1 << 18


def int32(buffer: Sequence[int]) -> Integers:
    """A buffer of 32-bit integers as an array, without copying."""
    return np.asarray(memoryview(buffer), np.int32)  # type: ignore[arg-type]  # the kernel returns buffers


def int64(buffer: Sequence[int]) -> Integers:
    """A buffer of 64-bit integers as an array, without copying."""
    return np.asarray(memoryview(buffer), np.int64)  # type: ignore[arg-type]


def narrow(column: Integers) -> Integers:
    """The same numbers, which must be >= 0, in the smallest integer type that becomes no float beside int64."""
    largest = column.max(initial=0)
    return column.astype(
        next(kind for kind in (np.uint8, np.uint16, np.int32, np.int64) if largest <= np.iinfo(kind).max)
    )


class Documents(NamedTuple):
    """Documents as counts of their tokens. Document d has the entries starts[d] to starts[d + 1] - 1.

    starts       int64, one more than documents
    tokens       int32 of each entry: the token's number; -1 for one that is unknown or not used
    occurrences  int32 of each entry: how often the token occurs in the document, >= 1
    classes      int32 of each document: the number of its class
    digests      int64 of each document: the digest of its text
    """

    starts: Integers
    tokens: Integers
    occurrences: Integers
    classes: Integers
    digests: Integers

    @property
    def size(self) -> int:
        """The number of documents."""
        return len(self.starts) - 1

    @property
    def rows(self) -> Integers:
        """The document of each entry."""
        return np.repeat(np.arange(self.size), np.diff(self.starts))

    def sums(self, values: Integers) -> Integers:
        """The exact sum of the values of each document's entries."""
        return sums(values, self.starts)

    def some(self, chosen: Integers) -> "Documents":
        """The documents with these numbers, in this order."""
        if len(chosen) == self.size and (chosen == np.arange(self.size)).all():
            return self
        starts, entries = stretches(self.starts, chosen)
        return Documents(
            starts, self.tokens[entries], self.occurrences[entries], self.classes[chosen], self.digests[chosen]
        )

    def groups(self) -> Iterator["Documents"]:
        """The documents in one or more groups: arrays as long as the entries of one are small, and soon used again."""
        last = 0
        while True:
            first = last
            most = int(np.searchsorted(self.starts, self.starts[first] + GROUP_ENTRIES, "right")) - 1
            last = min(max(most, first + 1), first + GROUP, self.size)
            starts = self.starts[first : last + 1]
            entries, documents = slice(starts[0], starts[-1]), slice(first, last)
            yield Documents(
                starts - starts[0], *(each[entries] for each in self[1:3]), *(each[documents] for each in self[3:])
            )
            if last == self.size:
                return

    def renumbered(self, tokens: int) -> tuple[Integers, "Documents"]:
        """The tokens that occur, and the documents with their positions among these as their numbers.

        tokens  the number of all tokens; those of the documents must be known
        """
        used = np.zeros(tokens, np.bool_)
        used[self.tokens] = True
        places = np.cumsum(used, dtype=np.int32) - 1
        return np.flatnonzero(used), self._replace(tokens=places[self.tokens])

    def where(self, kept: NDArray[np.bool_]) -> "Documents":
        """The same documents with only the entries that are kept."""
        starts = np.concatenate([[0], np.cumsum(kept)])[self.starts]
        return self._replace(starts=starts, tokens=self.tokens[kept], occurrences=self.occurrences[kept])

    @classmethod
    def joined(cls, parts: Sequence["Documents"]) -> "Documents":
        """The documents of all parts, in order."""
        if not parts:
            none = np.empty(0, np.int32)
            return cls(np.zeros(1, np.int64), none, none, none, np.empty(0, np.int64))
        ends = np.cumsum([part.starts[-1] for part in parts])
        starts = [parts[0].starts, *(part.starts[1:] + end for part, end in zip(parts[1:], ends[:-1], strict=True))]
        columns = (np.concatenate(column) for column in zip(*(part[1:] for part in parts), strict=True))
        tokens, occurrences, classes, digests = columns
        return cls(np.concatenate(starts), tokens, occurrences, classes, digests)

    def bags(self) -> list[tuple[list[int], list[int]]]:
        """The tokens of each document and how often they occur."""
        tokens, occurrences = self.tokens.tolist(), self.occurrences.tolist()
        return [(tokens[start:end], occurrences[start:end]) for start, end in pairwise(self.starts.tolist())]


def stretches(starts: Integers, chosen: Integers) -> tuple[Integers, Integers]:
    """Some stretches of values in a row: where each begins and the last ends; and the positions of all values.

    starts  where all stretches begin, and the last ends
    chosen  the numbers of the stretches wanted

    >>> [each.tolist() for each in stretches(np.array([0, 2, 2, 5]), np.array([2, 0]))]
    [[0, 3, 5], [2, 3, 4, 0, 1]]
    """
    lengths = np.diff(starts)[chosen]
    begins = np.concatenate([[0], np.cumsum(lengths)])
    return begins, np.arange(begins[-1]) + np.repeat(starts[:-1][chosen] - begins[:-1], lengths)


def sums(values: Integers, starts: Integers) -> Integers:
    """The sums of stretches of values, each from one start to the next; 0 for an empty one.

    >>> sums(np.array([1, 2, 3]), np.array([0, 2, 2, 3])).tolist()
    [3, 0, 3]
    """
    whole = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, dtype=np.int64, out=whole[1:])  # exact, even if it overflows
    return np.diff(whole[starts])
