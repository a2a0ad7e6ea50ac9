"""Measures of the posteriors: whether they are calibrated, and what abstaining gains.

A document whose class the model does not know has posterior 0 for its truth.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from math import fsum, log
from operator import mul
from sys import float_info
from typing import NamedTuple

from . import Prediction
from .answers import accuracy
from .averages import mean, ratio, weighted_mean
from .ranking import cuts


def log_loss(predictions: Iterable[Prediction]) -> float:
    """The log loss in nats, >= 0; with equal posteriors, the logarithm of the number of classes.

        mean of -ln P(truth), P clipped to [eps, 1 - eps], eps = 2^-52

    The clipping is scikit-learn's: a truth of posterior 0 costs 36 nats, not infinity.

    Source: Good, Rational decisions (1952).
    Raises: ValueError if there are no predictions.

    >>> log_loss([Prediction("1", "ham", "ham", {"ham": 0.5, "spam": 0.5})]) == log(2)
    True
    """
    lowest = float_info.epsilon
    return mean(-log(min(max(each.posteriors.get(each.truth, 0.0), lowest), 1 - lowest)) for each in predictions)


def brier(predictions: Iterable[Prediction]) -> float:
    """The mean squared distance of the posteriors from the truth, in [0, 2].

        mean over documents of the sum over classes of (P(class) - [class is the truth])^2

    Brier's own form, for any number of classes. scikit-learn's `brier_score_loss` is the same for three classes and
    more, but half of it for two, unless `scale_by_half=False`. A truth unknown to the model adds 1.

    Source: Brier, Verification of forecasts expressed in terms of probability (1950).
    Raises: ValueError if there are no predictions.

    >>> brier([Prediction("1", "ham", "ham", {"ham": 0.75, "spam": 0.25})])
    0.125
    """
    return mean(_squared_distance(each) for each in predictions)


def _squared_distance(prediction: Prediction) -> float:
    posteriors = prediction.posteriors.values()
    truth = prediction.posteriors.get(prediction.truth, 0.0)
    return fsum([*map(mul, posteriors, posteriors), -truth * truth, (1 - truth) ** 2])


def top_k_accuracy(predictions: Iterable[Prediction], k: int) -> float:
    """The share of documents whose truth is among the k most probable labels, in [0, 1].

    k  >= 1; with 1 it is the accuracy

    The answer counts as the most probable, even if its posterior equals another by rounding; other ties go by the
    order of the labels.

    Raises: ValueError if k < 1 or there are no predictions.

    >>> top_k_accuracy([Prediction("1", "c", "a", {"a": 0.5, "b": 0.25, "c": 0.25})], k=2)
    0.0
    """
    if k < 1:
        raise ValueError(f"k should be at least 1, not {k}")
    return mean(each.right or _is_among_most_probable(each, k) for each in predictions)


def _is_among_most_probable(prediction: Prediction, k: int) -> bool:
    """Whether the truth, which is not the answer, is among the k most probable labels."""
    _, truth, answer, posteriors, *_ = prediction
    own = posteriors.get(truth)
    if own is None:
        return False
    ahead = [label for label, p in posteriors.items() if p > own or label == answer or (p == own and label < truth)]
    return len(ahead) < k


# Calibration: are 80 % of the answers right that have a posterior of 80 %?


class Bin(NamedTuple):
    """A row of the reliability table: the predictions whose confidence is in (low, high].

    documents   their number, >= 1
    confidence  their mean confidence
    accuracy    the share that is right; if it is below the confidence, the model is overconfident
    """

    low: float
    high: float
    documents: int
    confidence: float
    accuracy: float


def reliability(predictions: Iterable[Prediction], bins: int = 15) -> list[Bin]:
    """The reliability table: predictions by their confidence, in bins of equal width that cover (0, 1].

    bins  >= 1; those without predictions have no row

    Source: Guo and others, On Calibration of Modern Neural Networks (2017).
    Raises: ValueError if bins < 1.

    >>> reliability([Prediction("1", "ham", "ham", {"ham": 0.75, "spam": 0.25})], bins=2)
    [Bin(low=0.5, high=1.0, documents=1, confidence=0.75, accuracy=1.0)]
    """
    if bins < 1:
        raise ValueError(f"bins should be at least 1, not {bins}")
    # Only inner edges are searched, so that a posterior that rounds to just above 1 stays in the last bin.
    inner_edges = [number / bins for number in range(1, bins)]
    members = defaultdict(list)  # bin number -> predictions
    for prediction in predictions:
        members[bisect_left(inner_edges, prediction.confidence)].append(prediction)
    return [
        Bin(
            low=number / bins,
            high=(number + 1) / bins,
            documents=len(inside),
            confidence=mean(each.confidence for each in inside),
            accuracy=accuracy(inside),
        )
        for number, inside in sorted(members.items())
    ]


def expected_calibration_error(predictions: Iterable[Prediction], bins: int = 15) -> float:
    """The expected calibration error, in [0, 1]: the mean gap of the bins, weighted by their documents.

    bins  >= 1; figures with different numbers of bins cannot be compared

    Source: Naeini and others (2015); 15 bins as in Guo and others (2017).
    Raises: ValueError if bins < 1 or there are no predictions.

    >>> expected_calibration_error([Prediction("1", "ham", "ham", {"ham": 0.75, "spam": 0.25})])
    0.25
    """
    table = reliability(predictions, bins)
    return weighted_mean((abs(row.accuracy - row.confidence) for row in table), [row.documents for row in table])


# Abstaining: how many answers are left, and how good they are, if only confident ones are given.


class Coverage(NamedTuple):
    """The results of answering only with at least a certain confidence.

    threshold  the least confidence of an answer
    share      of the documents that are answered, in [0, 1]
    accuracy   among the answered; None if there are none
    """

    threshold: float
    share: float
    accuracy: float | None


def coverage_curve(predictions: Iterable[Prediction], thresholds: Iterable[float]) -> list[Coverage]:
    """The coverage at each of the thresholds, in their order.

    Raises: ValueError if there are no predictions.

    >>> coverage_curve([Prediction("1", "ham", "ham", {"ham": 0.75, "spam": 0.25})], thresholds=[0.5, 0.9])
    [Coverage(threshold=0.5, share=1.0, accuracy=1.0), Coverage(threshold=0.9, share=0.0, accuracy=None)]
    """
    answers = sorted((each.confidence, each.right) for each in predictions)
    if not answers:
        raise ValueError("no predictions")
    confidences = [confidence for confidence, _ in answers]
    rights = [0, *accumulate(right for _, right in answers)]  # among the least confident answers
    return [_coverage(threshold, bisect_left(confidences, threshold), rights) for threshold in thresholds]


def _coverage(threshold: float, unanswered: int, rights: Sequence[int]) -> Coverage:
    answered = len(rights) - 1 - unanswered
    return Coverage(threshold, answered / (len(rights) - 1), ratio(rights[-1] - rights[unanswered], answered))


def risk_coverage_area(predictions: Iterable[Prediction]) -> float:
    """The area under the risk-coverage curve, in [0, 1]: low if the errors are the least confident answers.

        mean over documents of the share of errors among the answers of at least that document's confidence

    Source: Geifman, Uziel, El-Yaniv, Bias-Reduced Uncertainty Estimation for Deep Neural Classifiers (2019).
    Raises: ValueError if there are no predictions.

    >>> sure, unsure = {"ham": 0.9, "spam": 0.1}, {"ham": 0.6, "spam": 0.4}
    >>> risk_coverage_area([Prediction("1", "ham", "ham", sure), Prediction("2", "spam", "ham", unsure)])
    0.25
    """
    ladder = cuts((each.confidence, each.right) for each in predictions)
    risks = [cut.false_positives / cut.called for cut in ladder[1:]]
    return weighted_mean(risks, [after.called - before.called for before, after in pairwise(ladder)])
