"""Posteriors one can believe: a temperature fitted on documents scored as if they had not been learned.

Naive Bayes multiplies evidence that repeats itself as if it were independent, so its posteriors are far too sure.
They are tempered: softmax(score / T(L)), T(L) = t sqrt(L + 1), with t the maximum-likelihood value on exact
leave-one-out scores of a bounded sample of the training documents: those with the lowest digests, which no order of
learning can change.

    z     scores / sqrt(L + 1) of a sampled document, per class
    y     its class, among so many
    p     softmax(beta z), beta = 1 / t
    e     the share of outliers allowed for, whose class is anybody's guess: a tenth of the errors

The likelihood is the product of (1 - e) p_y + e / classes. Without outliers (e = 0) a few documents that are
labelled wrongly or like no others would decide t alone: with them the expected calibration error of multinomial
naive Bayes, alpha 0.1, on 20 Newsgroups by date falls from 0.087 to 0.019, and moves by less than 0.01 on R8,
SpamAssassin and movie reviews.

Source: Guo, Pleiss, Sun, Weinberger, On Calibration of Modern Neural Networks (2017), section 4.2, temperature
scaling; Huber, Robust Statistics (1981), chapter 1, for the contaminated likelihood.
"""

from collections.abc import Callable, Sequence
from math import exp, fsum, sqrt
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from ..counting.counts import Bag
from ..errors import ChoiceError
from .reading import IMPOSSIBLE
from .scoring import Scores

if TYPE_CHECKING:
    from .leave_one_out import LeaveOneOut

FEWEST = 50
OUTLIERS = 0.1  # as a share of the errors
LARGEST_BETA = 1e6
PRECISION = 1e-12
MOST_STEPS = 100  # many times what it takes, lest rounding keep the search going for ever

Case = tuple[Sequence[float], int]  # z and y of a document


class Calibration(NamedTuple):
    """How posteriors are tempered.

    t          the fitted part of T(L), > 0; None leaves posteriors as they are
    documents  how many documents it was fitted on
    """

    t: float | None
    documents: int

    @classmethod
    def of(cls, cases: Sequence[Case]) -> "Calibration":
        """The calibration that makes the true classes of the cases most likely.

        >>> Calibration.of([([1.0, 0.0], 0)])
        Calibration(t=None, documents=1)
        """
        return cls(fitted(cases) if len(cases) >= FEWEST else None, len(cases))

    def checked(self) -> "Calibration":
        """The calibration itself.

        Raises: ChoiceError if a number is outside its range.
        """
        t_is_sane = self.t is None or (isinstance(self.t, int | float) and 0 < self.t < float("inf"))
        if not t_is_sane or type(self.documents) is not int or self.documents < 0:
            raise ChoiceError(f"calibrated to {self.t} on {self.documents} documents")
        return self

    def settings(self) -> list[tuple[str, float | int | None]]:
        """What the model file keeps of it."""
        return [("calibrated_on", self.documents), ("t", self.t)]


def calibrated(leave_one_out: "LeaveOneOut", documents: Sequence[tuple[int, Bag]]) -> Calibration:
    """The calibration that makes the true classes of the documents most likely.

    documents  (class, bag) of documents that are counted in the model
    """
    in_class = leave_one_out.scorer.totals.documents
    scorable = [(index, bag) for index, bag in documents if in_class[index] > 1]  # without it, its class would be gone
    if len(scorable) < FEWEST:  # then no score is made, which costs more than all else
        return Calibration(None, len(scorable))
    return Calibration.of([case(leave_one_out.scores(bag, index), index) for index, bag in scorable])


def case(scores: Scores, index: int) -> Case:
    """(z, y) of a document of class `index`; classes that are no possible answer left out.

    >>> case(Scores([float("-inf"), -6.0, -4.0], 3), 2)
    ([-3.0, -2.0], 1)
    """
    values, length = scores
    possible = [j for j, value in enumerate(values) if value > IMPOSSIBLE]
    return [values[j] / sqrt(length + 1) for j in possible], possible.index(index)


def fitted(cases: Sequence[Case], precision: float = PRECISION) -> float | None:
    """The t that maximises the likelihood of the true classes; None if none does: all or nothing is told apart.

    precision  of t, as a share of it

    >>> two_to_one = [([1.0, 0.0], 0), ([1.0, 0.0], 0), ([1.0, 0.0], 1)]
    >>> from math import log
    >>> e = OUTLIERS / 3
    >>> round(1 / fitted(two_to_one), 6) == round(log((2 / 3 - e / 2) / (1 / 3 - e / 2)), 6)
    True
    >>> fitted([([1.0, 0.0], 0)]) is None
    True
    """
    errors = sum(z[y] < max(z) for z, y in cases)
    outliers = OUTLIERS * errors / max(len(cases), 1)
    if not errors or _slope(cases, 0.0, outliers) <= 0:  # it only grows, towards beta infinite or zero
        return None
    high = 1.0
    while _slope(cases, high, outliers) > 0 and high < LARGEST_BETA:
        high *= 2
    low = high / 2
    while _slope(cases, low, outliers) <= 0:
        low, high = low / 2, low
    if high > LARGEST_BETA:
        return None
    return 1 / _root(lambda beta: _slope(cases, beta, outliers), low, high, precision)


def _slope(cases: Sequence[Case], beta: float, outliers: float) -> float:
    """The slope of the log-likelihood in beta. A case counts by how likely it is to be no outlier."""
    slopes = []
    for z, y in cases:
        highest = max(z)
        odds = [exp(beta * (value - highest)) for value in z]  # `posteriors` divides each by their sum
        whole = fsum(odds)
        own = (1 - outliers) * odds[y] / whole
        weight = own / (own + outliers / len(z)) if own or outliers else 1.0
        slopes.append(weight * (z[y] - fsum(map(mul, odds, z)) / whole))
    return fsum(slopes)


def _root(function: Callable[[float], float], low: float, high: float, precision: float) -> float:
    """Where a function that is positive at `low` and is not at `high` crosses zero, to a share of the place.

    Source: Dowell and Jarratt, A Modified Regula Falsi Method (1971): the Illinois algorithm.

    >>> round(_root(lambda x: 2 - x * x, 0.0, 2.0, 1e-12), 9)
    1.414213562
    """
    above, below = function(low), function(high)
    root, last = high, low
    side = 0
    for _ in range(MOST_STEPS):
        if below == 0 or abs(root - last) <= precision * root:
            break
        root, last = (low * below - high * above) / (below - above), root
        value = function(root)
        if value > 0:
            low, above = root, value
            below /= 2 if side > 0 else 1  # the end that stays counts for less, lest it stay for ever
            side = 1
        else:
            high, below = root, value
            above /= 2 if side < 0 else 1
            side = -1
    return root
