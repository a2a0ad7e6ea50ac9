"""Counts: all that is learned from documents, in integers, without logarithms and rounding.

    documents    per class: the number of documents
    occurrences  per class and token: how often the token occurs in them
    frequency    per class and token: how many of them contain the token, its document frequency

Learning a document is addition and unlearning it is subtraction, both exact, so that counts of parts can be added up in
any order. Only pairs of a token and a class that occur are kept, as cells, sorted by token and then by class.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from .. import kernel
from .documents import Documents, Integers, stretches

LARGEST_TABLE = 1 << 25  # most pairs of a token and a class for which a table is used
DENSE = 4  # pairs per cell to be added up; with more, sorting the cells is faster than a table
SPARSE = 16  # pairs per entry of a document; with more, sorting the entries is faster than a table


class Counts(NamedTuple):
    """The counts of some documents. Token t has the cells starts[t] to starts[t + 1] - 1.

    documents    int64 of each class
    starts       int64, one more than tokens
    classes      int32 of each cell: the class
    occurrences  int64 of each cell, >= 1
    frequency    int64 of each cell, from 1 to the cell's occurrences

    >>> entries = np.array([0, 1, 1]), np.array([1, 2, 1])
    >>> two = Documents(np.array([0, 2, 3]), *entries, np.array([0, 1]), np.array([5, 6]))
    >>> counts = Counts.of(two, tokens=2, classes=2)
    >>> counts.documents.tolist(), counts.rows([0, 1])
    ([1, 1], [[0, 1, 1], [0, 2, 1, 1, 1, 1]])
    """

    documents: Integers
    starts: Integers
    classes: Integers
    occurrences: Integers
    frequency: Integers

    @classmethod
    def of(cls, documents: Documents, tokens: int, classes: int) -> "Counts":
        """The counts of documents; all entries must have known tokens.

        tokens, classes  their numbers
        """
        numbers, cell_classes, occurrences, frequency = counted(documents, tokens, classes)
        in_class = np.bincount(documents.classes, minlength=classes)
        keys = numbers.astype(np.int64) * classes + cell_classes
        return cls.of_cells(in_class, tokens, keys, occurrences, frequency)

    @classmethod
    def of_cells(
        cls, documents: Integers, tokens: int, keys: Integers, occurrences: Integers, frequency: Integers
    ) -> "Counts":
        """The counts of cells in any order; several may have the same token and class.

        keys  of each cell: token * classes + class
        """
        table = tokens * max(len(documents), 1)
        if table <= DENSE * len(keys):
            sums = np.zeros((2, table), np.int64)
            for column, values in zip(sums, (occurrences, frequency), strict=True):
                np.add.at(column, keys, values.astype(np.int64))
            found = np.flatnonzero(sums[1])
            return cls._of_keys(documents, tokens, found, *sums[:, found])
        order = np.argsort(keys, kind="stable")  # much faster where some of them are in order already
        ordered = keys[order]
        firsts = np.flatnonzero(np.diff(ordered, prepend=-1))
        if not len(firsts):
            return cls._of_keys(documents, tokens, ordered, occurrences, frequency)
        added = (np.add.reduceat(column[order], firsts, dtype=np.int64) for column in (occurrences, frequency))
        return cls._of_keys(documents, tokens, ordered[firsts], *added)

    @classmethod
    def _of_keys(
        cls, documents: Integers, tokens: int, keys: Integers, occurrences: Integers, frequency: Integers
    ) -> "Counts":
        numbers, classes = np.divmod(keys, max(len(documents), 1))
        starts = np.concatenate([[0], np.cumsum(np.bincount(numbers, minlength=tokens))])
        return cls(documents, starts, classes.astype(np.int32), occurrences, frequency)

    @property
    def cell_tokens(self) -> Integers:
        """The token of each cell."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def keys(self, classes: int) -> Integers:
        """The position of each cell in a table of tokens by so many classes."""
        return self.cell_tokens * classes + self.classes

    def column(self, statistic: str) -> Integers:
        """The statistic, "occurrences" or "frequency", of each cell."""
        return self.occurrences if statistic == "occurrences" else self.frequency

    def with_classes(self, places: Integers) -> "Counts":
        """The same counts with these new numbers for the classes, which must all differ."""
        documents = np.zeros(len(places), np.int64)
        documents[places[: len(self.documents)]] = self.documents
        keys = self.cell_tokens * len(places) + places[self.classes]
        return Counts.of_cells(documents, len(self.starts) - 1, keys, self.occurrences, self.frequency)

    def some(self, tokens: Integers) -> "Counts":
        """The counts of these tokens, numbered by their positions among them."""
        starts, cells = stretches(self.starts, tokens)
        return Counts(self.documents, starts, *(column[cells] for column in self[2:]))

    def cut(self, starts: Integers) -> "Counts":
        """The counts of tokens whose cells follow one another, without those before and after.

        starts  where the cells of each of these tokens begin, and where those of the last end
        """
        columns = (column[starts[0] : starts[-1]] for column in self[2:])
        return Counts(self.documents, starts - starts[0], *columns)

    @classmethod
    def joined(cls, documents: Integers, parts: Sequence["Counts"]) -> "Counts":
        """The counts of the tokens of all parts, in order."""
        ends = np.cumsum([0, *(part.starts[-1] for part in parts)])
        starts = [np.zeros(1, np.int64), *(part.starts[1:] + end for part, end in zip(parts, ends, strict=False))]
        columns = [
            np.concatenate([part[column] for part in parts]) if parts else np.empty(0, np.int64) for column in (2, 3, 4)
        ]
        return cls(documents, np.concatenate(starts), *columns)

    def cells(self, tokens: Integers, classes: Integers) -> Integers:
        """The cells of pairs of a token and a class, which must all occur."""
        found = np.empty(len(tokens), np.int64)
        kernel.find_cells(tokens, classes, self.starts, self.classes, found)
        return found

    def less(self, part: Documents) -> "Counts":
        """The counts without documents that are among those counted; tokens keep their numbers."""
        cells = self.cells(part.tokens, np.repeat(part.classes, np.diff(part.starts)))
        documents = self.documents - np.bincount(part.classes, minlength=len(self.documents))
        occurrences = self.occurrences - np.bincount(cells, part.occurrences, len(self.classes)).astype(np.int64)
        frequency = self.frequency - np.bincount(cells, minlength=len(self.classes))
        left = frequency > 0
        starts = np.concatenate([[0], np.cumsum(left)])[self.starts]
        return Counts(documents, starts, self.classes[left], occurrences[left], frequency[left])

    def rows(self, tokens: Sequence[int]) -> list[list[int]]:
        """The rows of tokens, as `counting.rows` has them."""
        cells = [slice(self.starts[token], self.starts[token + 1]) for token in tokens]
        stacked = np.stack([self.classes, self.occurrences, self.frequency], axis=1)
        return [stacked[some].ravel().tolist() for some in cells]


def counted(documents: Documents, tokens: int, classes: int) -> tuple[Integers, Integers, Integers, Integers]:
    """The token, class, occurrences and frequency of each pair that occurs, in any order.

    documents        all entries must have known tokens
    tokens, classes  their numbers
    """
    entries = len(documents.tokens)
    if not entries:
        none = np.empty(0, np.int64)
        return none, none, none, none
    if tokens * classes > SPARSE * (entries + LARGEST_TABLE // 100):
        keys = documents.tokens.astype(np.int64) * classes + np.repeat(documents.classes, np.diff(documents.starts))
        cells = Counts.of_cells(
            np.zeros(classes, np.int64), tokens, keys, documents.occurrences, np.ones(entries, np.int64)
        )
        return cells.cell_tokens, cells.classes, cells.occurrences, cells.frequency
    if np.any(np.diff(documents.classes) < 0):
        documents = documents.some(np.argsort(documents.classes, kind="stable"))
    ends = documents.starts[np.searchsorted(documents.classes, np.arange(classes + 1))]
    found = []
    for index, (start, end) in enumerate(pairwise(ends.tolist())):
        own = documents.tokens[start:end]
        frequency = np.bincount(own, minlength=tokens)
        occurrences = np.bincount(own, documents.occurrences[start:end], tokens)  # as floats, exact up to 2^53
        numbers = np.flatnonzero(frequency)
        found.append(
            (numbers, np.full(len(numbers), index, np.int32), occurrences[numbers].astype(np.int64), frequency[numbers])
        )
    numbers, cell_classes, occurrences, frequency = (np.concatenate(column) for column in zip(*found, strict=True))
    return numbers, cell_classes, occurrences, frequency
