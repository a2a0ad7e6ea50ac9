"""Counts of terms, before their tokens are sorted."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .counts import Counts
from .documents import Documents, Integers, narrow


class Cells(NamedTuple):
    """Counts of terms with the numbers of an Indexer: word w has w, n-gram g has ~g.

    terms        of each cell
    classes      of each cell
    occurrences  of the term in the class
    frequency    the number of documents of the class that contain the term
    """

    terms: Integers
    classes: Integers
    occurrences: Integers
    frequency: Integers

    @classmethod
    def of(cls, documents: Documents, words: int, grams: int, classes: int) -> "Cells":
        """The counts of documents; their tokens must be such terms."""
        counts = Counts.of(documents, words, classes, grams)
        terms = np.concatenate([np.arange(words, dtype=np.int32), ~np.arange(grams, dtype=np.int32)])
        return cls(counts.per_cell(terms), *counts[2:])

    @classmethod
    def joined(cls, parts: Sequence["Cells"]) -> "Cells":
        """The cells of all parts."""
        if len(parts) < 2:
            return parts[0] if parts else cls(*(np.empty(0, np.int64) for _ in cls._fields))
        return cls(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    @classmethod
    def added(cls, parts: Sequence["Cells"]) -> "Cells":
        """The cells of several parts, with those of the same term and class added up."""
        joined = cls.joined(parts)
        if len(parts) < 2:
            return joined
        terms, classes, occurrences, frequency = joined
        order = np.argsort((terms.astype(np.int64) << 32) + classes, kind="stable")  # faster where parts are sorted
        terms, classes = terms[order], classes[order]
        firsts = np.flatnonzero((np.diff(terms, prepend=terms[:1] + 1) != 0) | (np.diff(classes, prepend=-1) != 0))
        sums = (np.add.reduceat(column[order], firsts, dtype=np.int64) for column in (occurrences, frequency))
        return cls(terms[firsts], classes[firsts], *sums)

    def narrow(self) -> "Cells":
        """The same in as few bytes as the largest numbers need: there are millions to send and to keep.

        >>> [column.dtype.itemsize for column in Cells(*np.array([[0, 1], [0, 1], [300, 1], [2, 1]])).narrow()]
        [8, 1, 2, 1]
        """
        return Cells(self.terms, *map(narrow, self[1:]))


def renumbered(terms: Integers, words: Integers, grams: Integers) -> Integers:
    """Terms with the numbers that another Indexer has for these words and n-grams."""
    if not len(grams):
        return words[terms]
    single = terms >= 0
    renumbered = np.empty_like(terms)
    renumbered[single] = words[terms[single]]
    renumbered[~single] = ~grams[~terms[~single]]
    return renumbered
