"""Counts: all that is learned from documents, in integers, without logarithms and rounding.

    documents    per class: the number of documents
    occurrences  per class and token: how often the token occurs in them
    frequency    per class and token: how many of them contain the token, its document frequency

Learning a document is addition and unlearning it is subtraction, both exact, so that counts of parts can be added up in
any order. Only pairs of a token and a class that occur are kept, as cells, sorted by token and then by class.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import kernel
from .documents import Documents, Integers, stretches

Number = TypeVar("Number", bound=np.generic)


class Counts(NamedTuple):
    """The counts of some documents. Token t has the cells starts[t] to starts[t + 1] - 1.

    documents    int64 of each class
    starts       int64, one more than tokens
    classes      int32 of each cell: the class
    occurrences  int64 of each cell, >= 1
    frequency    int64 of each cell, from 1 to the cell's occurrences

    >>> entries, classes = np.array([[0, 1, 1], [1, 2, 1]], np.int32), np.array([0, 1], np.int32)
    >>> two = Documents(np.array([0, 2, 3]), *entries, classes, np.array([5, 6]))
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
    def of(cls, documents: Documents, tokens: int, classes: int, grams: int = 0) -> "Counts":
        """The counts of documents; all entries must have known tokens.

        tokens, classes  how many there are
        grams            how many n-grams there are, if tokens are terms: n-gram g is then the token tokens + g

        Raises: IndexError for a token or a class that is not among these.
        """
        in_class = np.bincount(documents.classes, minlength=classes)
        return cls(in_class, *kernel.count_entries(tokens, grams, classes, *documents[:4]))

    @classmethod
    def of_cells(
        cls,
        documents: Integers,
        tokens: int,
        numbers: Integers,
        classes: Integers,
        occurrences: Integers,
        frequency: Integers,
    ) -> "Counts":
        """The counts of cells in any order; several may have the same token and class.

        tokens   their number
        numbers  the token of each cell

        >>> cells = np.array([1, 0, 1]), np.array([0, 1, 0]), np.array([5, 4, 2]), np.array([2, 3, 1])
        >>> Counts.of_cells(np.array([3, 3]), 2, *cells).rows([0, 1])
        [[1, 4, 3], [0, 7, 3]]
        """
        places = (np.ascontiguousarray(column, np.int32) for column in (numbers, classes))
        columns = (np.ascontiguousarray(column, np.int64) for column in (occurrences, frequency))
        return cls(documents, *kernel.sum_cells(tokens, len(documents), *places, *columns))

    def per_cell(self, values: NDArray[Number]) -> NDArray[Number]:
        """For each cell the value of its token.

        values  one of each token
        """
        return np.repeat(values, np.diff(self.starts))

    @property
    def cell_tokens(self) -> Integers:
        """The token of each cell."""
        return self.per_cell(np.arange(len(self.starts) - 1))

    @property
    def positions(self) -> Integers:
        """int64 of each class: the number of tokens in its documents, repeats included."""
        positions = np.zeros(len(self.documents), np.int64)
        np.add.at(positions, self.classes.astype(np.int64), self.occurrences)
        return positions

    def column(self, statistic: str) -> Integers:
        """The statistic, "occurrences" or "frequency", of each cell."""
        return self.occurrences if statistic == "occurrences" else self.frequency

    def with_classes(self, places: Integers) -> "Counts":
        """The same counts with these new numbers for the classes, which must all differ."""
        documents = np.zeros(len(places), np.int64)
        documents[places[: len(self.documents)]] = self.documents
        classes = places[self.classes]
        return Counts.of_cells(
            documents, len(self.starts) - 1, self.cell_tokens, classes, self.occurrences, self.frequency
        )

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
        kinds = ((2, np.int32), (3, np.int64), (4, np.int64))
        columns = [np.concatenate([np.empty(0, kind), *(part[column] for part in parts)]) for column, kind in kinds]
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
        return Counts(documents, *kernel.subtract_entries(*self[1:], cells, part.occurrences))

    def rows(self, tokens: Sequence[int]) -> list[list[int]]:
        """The rows of tokens, as `counting.rows` has them."""
        cells = [slice(self.starts[token], self.starts[token + 1]) for token in tokens]
        stacked = np.stack([self.classes, self.occurrences, self.frequency], axis=1)
        return [stacked[some].ravel().tolist() for some in cells]
