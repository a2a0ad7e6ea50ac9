"""Posteriors one can believe: a temperature fitted on documents scored as if they had not been learned.

Naive Bayes multiplies evidence that repeats itself as if it were independent, so its posteriors are far too sure. They are
tempered: softmax(score / T(L)), T(L) = t sqrt(L + 1), with t the maximum-likelihood value on exact leave-one-out scores of a
bounded sample of the training documents: those with the lowest digests, which no order of learning can change.

    z     scores / sqrt(L + 1) of a sampled document, per class
    y     its class
    beta  1 / t; the log-likelihood, sum of beta z_y - log sum exp(beta z), is concave in it

Source: Guo, Pleiss, Sun, Weinberger, On Calibration of Modern Neural Networks (2017), section 4.2, temperature scaling.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum, sqrt
from typing import NamedTuple

from .counts import Bag
from .reading import IMPOSSIBLE
from .scoring import LeaveOneOut, Scores, posteriors

SAMPLE = 500
FEWEST = 50
LARGEST_BETA = (
    1e6  # a temperature below its inverse means that nothing bounds it: the sample is separated without error
)
PRECISION = 1e-12


class Calibration(NamedTuple):
    """How posteriors are tempered.

    t          the fitted part of T(L), > 0; None leaves posteriors as they are
    documents  how many documents it was fitted on
    """

    t: float | None
    documents: int

    def settings(self) -> list[tuple[str, float | int | None]]:
        """What the model file keeps of it."""
        return [("calibrated_on", self.documents), ("t", self.t)]


class Sampled(NamedTuple):
    """A document kept for calibration."""

    digest: int
    label: str
    bag: Bag


class Sample:
    """The documents with the lowest digests among those offered, each of a class once.

    >>> sample = Sample(size=1)
    >>> sample.offer(7, "ham", ["at", "noon"]); sample.offer(5, "spam", ["win", "win"]); sample.offer(9, "ham", ["at"])
    >>> sample.lowest()
    [Sampled(digest=5, label='spam', bag=Counter({'win': 2}))]
    """

    def __init__(self, size: int = SAMPLE) -> None:
        self.size = size
        self.kept: dict[tuple[int, str], Bag] = {}
        self.bound: int | None = None  # digests from here on need not be kept

    def offer(self, digest: int, label: str, tokens: Iterable[str]) -> None:
        """Keep the document if its digest is low enough."""
        if self.bound is None or digest < self.bound:
            self.keep(digest, label, Counter(tokens))

    def keep(self, digest: int, label: str, bag: Bag) -> None:
        """Keep the document until lower ones have come."""
        self.kept[digest, label] = bag
        if len(self.kept) > 2 * self.size:
            self._shrink()

    def merge(self, other: "Sample") -> None:
        """Offer all that the other has kept."""
        self.kept.update(other.kept)
        self._shrink()

    def lowest(self) -> list[Sampled]:
        """The sample, lowest digest first."""
        self._shrink()
        return [Sampled(digest, label, self.kept[digest, label]) for digest, label in sorted(self.kept)]

    def _shrink(self) -> None:
        if len(self.kept) > self.size:
            lowest = sorted(self.kept)[: self.size]
            self.kept = {key: self.kept[key] for key in lowest}
            self.bound = lowest[-1][0]


def calibrated(leave_one_out: LeaveOneOut, documents: Sequence[tuple[int, Bag]]) -> Calibration:
    """The calibration that makes the true classes of the documents most likely.

    documents  (class, bag) of documents that are counted in the model
    """
    in_class = leave_one_out.scorer.totals.documents
    scorable = [(index, bag) for index, bag in documents if in_class[index] > 1]  # without it, its class would be gone
    if len(scorable) < FEWEST:
        return Calibration(None, len(scorable))
    cases = [case(leave_one_out.scores(bag, index), index) for index, bag in scorable]
    return Calibration(fitted(cases), len(cases))


def case(scores: Scores, index: int) -> tuple[list[float], int]:
    """(z, y) of a document of class `index`; classes that are no possible answer left out.

    >>> case(Scores([float("-inf"), -6.0, -4.0], 3), 2)
    ([-3.0, -2.0], 1)
    """
    values, length = scores
    possible = [j for j, value in enumerate(values) if value > IMPOSSIBLE]
    return [values[j] / sqrt(length + 1) for j in possible], possible.index(index)


def fitted(cases: Sequence[tuple[Sequence[float], int]]) -> float | None:
    """The t that maximises the likelihood of the true classes; None if none does: all or nothing is told apart.

    cases  (z, y) pairs, see above

    >>> two_to_one = [([1.0, 0.0], 0), ([1.0, 0.0], 0), ([1.0, 0.0], 1)]
    >>> round(1 / fitted(two_to_one), 6)  # the log of the odds, 2 to 1
    0.693147
    >>> fitted([([1.0, 0.0], 0)]) is None
    True
    """
    told_apart = all(z[y] >= max(z) for z, y in cases)
    if told_apart or _derivatives(cases, 0.0)[0] <= 0:  # the likelihood only grows, towards beta infinite or zero
        return None
    low, high = 0.0, float("inf")
    beta = step = 1.0
    while high - low > PRECISION * beta:
        slope, curvature = _derivatives(cases, beta)
        low, high = (beta, high) if slope > 0 else (low, beta)
        newton = beta + slope / curvature if curvature > 0 else high
        step = newton if low < newton < high else min(2 * beta, (low + high) / 2)
        if abs(step - beta) <= PRECISION * beta:
            break
        beta = step
    return 1 / step


def _derivatives(cases: Sequence[tuple[Sequence[float], int]], beta: float) -> tuple[float, float]:
    """The slope of the log-likelihood in beta, and minus its curvature: surprise and variance of z, summed."""
    slopes, variances = [], []
    for z, y in cases:
        p = posteriors([beta * value for value in z])
        mean = fsum(q * value for q, value in zip(p, z, strict=True) if q)
        slopes.append(z[y] - mean)
        variances.append(fsum(q * (value - mean) ** 2 for q, value in zip(p, z, strict=True) if q))
    return fsum(slopes), fsum(variances)
