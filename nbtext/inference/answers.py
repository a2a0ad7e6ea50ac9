"""Scores, answers and probabilities of many documents at once: `posteriors` has those of one."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..counting.documents import Integers
from .posteriors import ROUNDING, Scores
from .priors import IMPOSSIBLE

Floats = NDArray[np.float64]


class ScoreTable(NamedTuple):
    """The scores of documents: `Scores`, for many.

    values  float64, D x C
    known   int64, D
    heard   bool, D
    """

    values: Floats
    known: Integers
    heard: NDArray[np.bool_]

    def some(self, documents: slice | Integers) -> "ScoreTable":
        """The scores of some of the documents."""
        return ScoreTable(self.values[documents], self.known[documents], self.heard[documents])

    @classmethod
    def joined(cls, parts: Sequence["ScoreTable"]) -> "ScoreTable":
        """The scores of the documents of one or more parts, in order."""
        return cls(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def of(self, document: int) -> Scores:
        """The scores of one of the documents."""
        return Scores(self.values[document].tolist(), int(self.known[document]), bool(self.heard[document]))


class Answers(NamedTuple):
    """The answers to D documents, with C classes.

    best        D: the class of the answer
    posteriors  D x C
    tempered    D x C: the scores, tempered
    """

    best: Integers
    posteriors: Floats
    tempered: Floats

    def log_odds(self) -> Floats:
        """D x C: log(p / (1 - p)) of each posterior p, exact where p rounds to 1."""
        rows = np.arange(len(self.best))
        highest = self.tempered.max(axis=1)
        first = self.tempered.argmax(axis=1)
        rest = self.tempered.copy()
        rest[rows, first] = IMPOSSIBLE
        second = rest.max(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            others = second + np.log(np.exp(rest - second[:, None]).sum(axis=1)) - highest  # log odds against the best
            whole = np.log1p(np.exp(others))
            odds = self.tempered - highest[:, None] - whole[:, None] - np.log1p(-self.posteriors)
        odds[rows, first] = -others
        alone = second == IMPOSSIBLE
        odds[alone] = IMPOSSIBLE
        odds[alone, first[alone]] = -IMPOSSIBLE
        return np.asarray(odds)


def answers(table: ScoreTable, labels: Sequence[str], t: float | None) -> Answers:
    """The answers for a table of scores.

    t  the fitted part of the temperature, or None for untempered posteriors

    >>> table = ScoreTable(np.array([[-1.0, -1.0, -2.0]]), np.array([3]), np.array([True]))
    >>> answers(table, ["b", "a", "c"], None).best.tolist()
    [1]
    """
    highest = table.values.max(axis=1, keepdims=True)
    equal = table.values >= highest - ROUNDING * (1 + table.known[:, None] + np.abs(highest))
    order = np.array(sorted(range(len(labels)), key=labels.__getitem__))
    best = order[equal[:, order].argmax(axis=1)]
    temperature = np.ones(len(best)) if t is None else np.where(table.heard, t * np.sqrt(table.known + 1), 1.0)
    tempered = table.values / temperature[:, None]
    odds = np.exp(tempered - tempered.max(axis=1, keepdims=True))
    return Answers(best, odds / odds.sum(axis=1, keepdims=True), tempered)
