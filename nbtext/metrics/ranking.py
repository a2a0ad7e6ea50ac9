"""Measures of the order alone: whether documents of a class score higher than the rest.

They take pairs (score, positive), not posteriors: many posteriors round to 1.0 and tie, while their scores still
differ. A score is any finite number that grows with the evidence for the positive class. All measures use the same
`cuts`.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, compress, count, repeat
from math import fsum, inf, isfinite, isqrt, log
from operator import ne, sub
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import Prediction
from .averages import mean, ratio

Pair = tuple[float, bool]  # score, whether the document is of the positive class
Point = tuple[float, float]
Areas = tuple[float | None, float | None]  # under the ROC curve; average precision

FEWEST = 100  # negatives from which a tail is estimated


def one_against_rest(predictions: Iterable[Prediction], label: str) -> list[Pair]:
    """The pairs with a label as the positive class and its log odds as the score; without them, its posterior.

    A document scores lowest, minus infinity or 0, if its model does not know the label.

    >>> one_against_rest([Prediction("1", "spam", "ham", {"ham": 0.75, "spam": 0.25})], "spam")
    [(0.25, True)]
    """
    return [(next(_scores(each, [label])), each.truth == label) for each in predictions]


def _scores(prediction: Prediction, labels: Iterable[str]) -> Iterator[float]:
    if prediction.log_odds is None:
        return map(prediction.posteriors.get, labels, repeat(0.0))
    return map(prediction.log_odds.get, labels, repeat(-inf))


class Cut(NamedTuple):
    """The results of labelling documents positive from a certain score on.

    threshold        the least score of a document labelled positive
    true_positives   documents labelled so that are positive
    false_positives  documents labelled so that are not
    """

    threshold: float
    true_positives: int
    false_positives: int

    @property
    def called(self) -> int:
        """The number of documents labelled positive, correctly or not."""
        return self.true_positives + self.false_positives


def cuts(pairs: Iterable[Pair]) -> list[Cut]:
    """The cut at every distinct score, from the highest down, after one at infinity that labels nothing positive.

    Documents of equal score are always labelled together, so their order does not matter.

    >>> [tuple(cut) for cut in cuts([(0.9, True), (0.5, True), (0.5, False)])]
    [(inf, 0, 0), (0.9, 1, 0), (0.5, 2, 1)]
    """
    ordered = sorted(pairs, reverse=True)
    scores = [score for score, _ in ordered]
    trues = list(accumulate(int(positive) for _, positive in ordered))
    falses = map(sub, count(1), trues)
    lowest = map(ne, scores, [*scores[1:], None])  # of its score
    called = compress(zip(scores, trues, falses, strict=False), lowest)
    return [Cut(inf, 0, 0), *map(Cut._make, called)]


def cut_within(pairs: Iterable[Pair], ceiling: float) -> Cut | None:
    """The cut of the lowest threshold whose false-positive rate keeps within a ceiling.

        false positives / negatives <= ceiling

    ceiling  in [0, 1]; without negatives every cut keeps within it

    None if even the highest score exceeds it, or there are no pairs. The rate is that of these pairs: that of new
    documents may be higher.

    >>> cut_within([(9.0, True), (7.0, True), (5.0, False), (3.0, True), (1.0, False)], ceiling=0.5)
    Cut(threshold=3.0, true_positives=3, false_positives=1)
    """
    ladder = cuts(pairs)
    negatives = ladder[-1].false_positives
    within = [cut for cut in ladder[1:] if cut.false_positives / max(negatives, 1) <= ceiling]
    return within[-1] if within else None


def tail_threshold(negatives: Sequence[float], ceiling: float) -> float | None:
    """The score that this share of negatives is expected to reach, by the tail of those seen.

        u + m ln(k / (n ceiling)),  k = sqrt(n), rounded down

    n  negatives
    u  the highest score but for the k highest
    m  how far these are above u, on average

    The tail of log odds is about exponential. So the k highest negatives give a better estimate than the one or two
    nearest to the threshold, which may also be above all of them.

    None if `cut_within` is to be used: there are fewer than 100 negatives, the ceiling is 0 or allows k of them, or the
    highest are equal or infinite.

    Source: Pickands, Statistical Inference Using Extreme Order Statistics (1975), with an exponential tail; Coles, An
    Introduction to Statistical Modeling of Extreme Values (2001), chapter 4.

    >>> even = [-log((rank + 0.5) / 400) for rank in range(400)]  # log odds whose tail is exactly exponential
    >>> round(tail_threshold(even, 0.001), 2), round(log(1000), 2)
    (6.91, 6.91)
    """
    n = len(negatives)
    k = isqrt(n)
    if n < FEWEST or not 0 < ceiling * n < k:
        return None
    *highest, base = sorted(negatives, reverse=True)[: k + 1]
    excess = mean([score - base for score in highest]) if isfinite(base) else inf
    return base + excess * log(k / (n * ceiling)) if 0 < excess < inf else None


# Receiver operating characteristic.


def roc_points(pairs: Iterable[Pair]) -> list[Point]:
    """The points (false-positive rate, true-positive rate) of the cuts, from (0, 0) to (1, 1).

    Empty if there are no positives or no negatives, since then one of the rates is undefined.

    Source: Fawcett, An introduction to ROC analysis (2006).

    >>> roc_points([(0.9, True), (0.5, True), (0.5, False)])
    [(0.0, 0.0), (0.0, 0.5), (1.0, 1.0)]
    """
    ladder = cuts(pairs)
    _, positives, negatives = ladder[-1]
    if not (positives and negatives):
        return []
    return [(falses / negatives, trues / positives) for _, trues, falses in ladder]


def roc_area(pairs: Iterable[Pair]) -> float | None:
    """The area under the ROC curve, in [0, 1]: 1 is a perfect order, 0.5 a random one.

    By the trapezoid rule, computed in whole numbers. It is the probability that a positive scores above a negative,
    where a tie counts half. None if there are no positives or no negatives.

    Source: Fawcett (2006); Hanley and McNeil (1982) for the probability.

    >>> roc_area([(0.9, True), (0.5, True), (0.5, False)])
    0.75
    """
    return _areas(*_columns(pairs))[0]


# Precision and recall.


def precision_recall_points(pairs: Iterable[Pair]) -> list[Point]:
    """The points (recall, precision) of the cuts, with recall growing to 1. Empty if there are no positives.

    There is no point at recall 0, where nothing is labelled positive and precision is undefined; scikit-learn
    adds (0, 1) there.

    >>> precision_recall_points([(0.9, True), (0.5, True), (0.5, False), (0.1, False)])
    [(0.5, 1.0), (1.0, 0.6666666666666666), (1.0, 0.5)]
    """
    ladder = cuts(pairs)
    positives = ladder[-1].true_positives
    if not positives:
        return []
    return [(cut.true_positives / positives, cut.true_positives / cut.called) for cut in ladder[1:]]


def average_precision(pairs: Iterable[Pair]) -> float | None:
    """The average precision, in (0, 1]; the share of positives if the order is random.

        sum over cuts of (recall - recall of the cut before) * precision

    A sum of steps, as in scikit-learn: the trapezoid rule is too optimistic. None if there are no positives.

    Source: Manning, Raghavan, Schütze (2008), section 8.4; Davis and Goadrich (2006) on interpolation.

    >>> average_precision([(0.9, True), (0.8, False), (0.7, False), (0.6, True)])
    0.75
    """
    return _areas(*_columns(pairs))[1]


def areas(predictions: Sequence[Prediction], labels: Sequence[str]) -> dict[str, Areas]:
    """The ROC area and the average precision of each label against all others.

    >>> odds = [(0.9, "a"), (0.8, "b"), (0.7, "b"), (0.6, "a")]
    >>> areas([Prediction("", truth, "a", {}, {"a": score}) for score, truth in odds], ["a"])
    {'a': (0.5, 0.75)}
    """
    scores = np.array([list(_scores(each, labels)) for each in predictions]).reshape(len(predictions), len(labels))
    numbers = {label: number for number, label in enumerate(labels)}
    truths = np.array([numbers.get(each.truth, -1) for each in predictions])
    return {label: _areas(scores[:, number], truths == number) for label, number in numbers.items()}


def _columns(pairs: Iterable[Pair]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    found = list(pairs)
    return np.array([score for score, _ in found]), np.array([positive for _, positive in found], np.bool_)


def _areas(scores: NDArray[np.float64], positive: NDArray[np.bool_]) -> Areas:
    if not len(scores):
        return None, None
    order = np.argsort(-scores)
    ordered = scores[order]
    lowest = np.append(ordered[1:] != ordered[:-1], True)  # of its score, where cuts are
    trues = np.cumsum(positive[order])[lowest]
    called = np.flatnonzero(lowest) + 1
    positives, negatives = trues[-1], called[-1] - trues[-1]
    steps = np.diff(called - trues, prepend=0)
    doubled = (steps * (2 * trues - np.diff(trues, prepend=0))).sum()
    roc = ratio(float(doubled), float(2 * positives * negatives))
    if not positives:
        return roc, None
    return roc, fsum((np.diff(trues / positives, prepend=0.0) * (trues / called)).tolist())


def macro_area(areas: Iterable[float | None]) -> float | None:
    """The mean of the areas of the classes, each counting once, without classes that have none; None if all have none.

    >>> macro_area([0.5, 1.0, None])
    0.75
    """
    defined = [area for area in areas if area is not None]
    return mean(defined) if defined else None
