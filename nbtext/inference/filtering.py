"""Counts under filters: the tokens of the vocabulary, and its totals."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..counting.counts import Counts
from ..counting.documents import Integers, sums
from ..settings import Hyperparameters
from .vocabulary import Totals

Mask = NDArray[np.bool_]

LARGEST_TABLE = 1 << 22  # numbers up to here are counted in a table


class Filtered:
    """Counts under the filters of hyperparameters: stop words, the most frequent, the rare.

    stopwords  the numbers of the tokens that are stop words
    """

    def __init__(self, counts: Counts, hyperparameters: Hyperparameters, stopwords: Integers) -> None:
        self.counts = counts
        self.stopwords = stopwords
        self.drop_top = hyperparameters.drop_top
        self.min_count = hyperparameters.min_count
        self.min_docs = hyperparameters.min_docs

    @cached_property
    def occurrences(self) -> Integers:
        """The occurrences of each token in the whole corpus."""
        return sums(self.counts.occurrences, self.counts.starts)

    @cached_property
    def frequency(self) -> Integers:
        """The document frequency of each token in the whole corpus."""
        return sums(self.counts.frequency, self.counts.starts)

    def column(self, statistic: str) -> Integers:
        """The statistic, "occurrences" or "frequency", of each token in the whole corpus."""
        return self.occurrences if statistic == "occurrences" else self.frequency

    @cached_property
    def allowed(self) -> Mask:
        """Whether each token is not a stop word."""
        allowed = np.ones(len(self.occurrences), np.bool_)
        allowed[self.stopwords] = False
        return allowed

    @cached_property
    def ranking(self) -> Integers:
        """All tokens but stop words, the most frequent first; equally frequent ones in sorted order."""
        ordered = np.lexsort([np.arange(len(self.occurrences)), -self.occurrences, ~self.allowed])
        return ordered[: self.allowed.sum()]

    @cached_property
    def dropped(self) -> Integers:
        """The most frequent tokens, which the filter `drop_top` leaves out."""
        return self.ranking[: self.drop_top] if self.drop_top else np.empty(0, np.int64)

    def suffice(self, occurrences: Integers, frequency: Integers) -> Mask:
        """Whether tokens with these counts in the whole corpus are frequent enough."""
        return (occurrences >= self.min_count) & (frequency >= self.min_docs)

    @cached_property
    def kept(self) -> Mask:
        """Whether each token is in the vocabulary."""
        kept = self.allowed & self.suffice(self.occurrences, self.frequency)
        kept[self.dropped] = False
        return kept

    @cached_property
    def stages(self) -> dict[str, int]:
        """The number of tokens, and how many are left after each filter but `drop_top`."""
        left = np.ones(len(self.occurrences), np.bool_)
        stages = {"": len(left)}
        for name, stage in (
            ("stopwords", self.allowed),
            ("min-count", self.occurrences >= self.min_count),
            ("min-docs", self.frequency >= self.min_docs),
        ):
            left &= stage
            stages[name] = int(left.sum())
        return stages

    @cached_property
    def totals(self) -> Totals:
        """The totals of the vocabulary."""
        totals = Totals(self.counts.documents.tolist())
        columns: Sequence[Integers] = self.counts[2:]
        if not self.kept[np.diff(self.counts.starts) > 0].all():
            cells = self.counts.per_cell(self.kept)
            columns = [column[cells] for column in columns]
        classes, occurrences, frequency = columns
        totals.vocabulary = int(self.kept.sum())
        for statistic, column in ("occurrences", occurrences), ("frequency", frequency):
            sizes = np.bincount(classes, column, len(totals.documents))
            totals.sizes[statistic] = sizes.astype(np.int64).tolist()
        highest = int(frequency.max(initial=0)) + 1
        found, tokens = tallied(classes.astype(np.int64) * highest + frequency)
        for place, number in zip(found.tolist(), tokens.tolist(), strict=True):
            totals.spread[place // highest][place % highest] = number
        return totals

    def narrowed(self, tokens: Integers) -> "Filtered":
        """The same for some of the tokens, numbered by their positions among these; totals remain those of all."""
        return Narrowed(self, tokens)


class Narrowed(Filtered):
    """Some of the tokens of filtered counts."""

    def __init__(self, whole: Filtered, tokens: Integers) -> None:
        self._whole = whole
        self.counts = whole.counts.some(tokens)
        self.stopwords = np.empty(0, np.int64)  # applied already
        self.occurrences, self.frequency = whole.occurrences[tokens], whole.frequency[tokens]
        self.kept = whole.kept[tokens]

    @cached_property
    def totals(self) -> Totals:
        """Those of all tokens."""
        return self._whole.totals


def tallied(numbers: Integers) -> tuple[Integers, Integers]:
    """The distinct numbers, sorted, and how often each occurs; all must be >= 0.

    >>> [each.tolist() for each in tallied(np.array([5, 0, 5]))]
    [[0, 5], [1, 2]]
    """
    if numbers.max(initial=0) > LARGEST_TABLE:
        return np.unique(numbers, return_counts=True)
    times = np.bincount(numbers)
    found = np.flatnonzero(times)
    return found, times[found]
