"""Ratios, means and spread, for all other measures. Sums are exact before they are rounded (`fsum`)."""

from collections.abc import Iterable
from math import fsum, sqrt
from operator import mul


def ratio(numerator: float, denominator: float) -> float | None:
    """The quotient, or None if the denominator is 0.

    >>> ratio(1, 4), ratio(0, 0)
    (0.25, None)
    """
    return numerator / denominator if denominator else None


def mean(values: Iterable[float]) -> float:
    """The arithmetic mean.

    Raises: ValueError if there are no values.

    >>> mean([0.5, 1.0])
    0.75
    """
    values = list(values)
    return weighted_mean(values, [1] * len(values))


def weighted_mean(values: Iterable[float], weights: Iterable[float]) -> float:
    """The sum of values times weights over the sum of the weights.

    values   as many as there are weights
    weights  >= 0, not all zero

    Raises: ValueError if the weights sum to 0, as they do when there are none.

    >>> weighted_mean([1.0, 0.5], weights=[1, 3])
    0.625
    """
    weights = list(weights)
    total = fsum(weights)
    if not total:
        raise ValueError("nothing to average: no values, or all weights are 0")
    return fsum(map(mul, values, weights)) / total


def deviation(values: Iterable[float]) -> float | None:
    """The sample standard deviation, >= 0, or None for a single value, which has no spread.

        sqrt(sum (x - mean)^2 / (n - 1))

    Over the folds of one corpus it understates the spread to expect on new corpora: the training sets overlap.

    Raises: ValueError if there are no values.

    >>> deviation([2.0, 4.0, 6.0]), deviation([2.0])
    (2.0, None)
    """
    values = list(values)
    centre = mean(values)
    variance = ratio(fsum((value - centre) ** 2 for value in values), len(values) - 1)
    return None if variance is None else sqrt(variance)
