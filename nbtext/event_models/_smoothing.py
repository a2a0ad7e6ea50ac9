"""Additive smoothing in logarithms, and the memory of logarithms: what several event models share."""

from collections.abc import Sequence
from functools import lru_cache
from math import log

from ..inference.memo import Memo
from . import Linear


@lru_cache(maxsize=32)
def logs(alpha: float) -> Memo[int, float]:
    """The logarithms of count + alpha, remembered for all documents: each one left out has a `Linear` of its own.

    >>> logs(1.0)[0]
    0.0
    """
    return Memo(lambda count: log(count + alpha))


@lru_cache(maxsize=32)
def _negative_logs(alpha: float) -> Memo[int, float]:
    return Memo(lambda count: -log(count + alpha))


def smoothed(sizes: Sequence[int], vocabulary: int, alpha: float) -> Linear:
    """The weights log((count + alpha) / (size + alpha vocabulary)), for counts of any kind that add up to the sizes.

    >>> [round(weight, 6) for weight in smoothed([3], vocabulary=1, alpha=1.0).weights([3])]
    [0.0]
    """
    norms = [-norm for norm in _logs_of_sizes(sizes, vocabulary, alpha)]
    return Linear([0.0] * len(sizes), [logs(alpha).__getitem__] * len(sizes), norms)


def outside(sizes: Sequence[int], vocabulary: int, alpha: float) -> Linear:
    """The weights -log((count + alpha) / (size + alpha vocabulary)), count and size being those of all other classes.

    >>> [round(weight, 6) for weight in outside([3, 1], vocabulary=2, alpha=1.0).weights([3, 0])]
    [1.098612, 0.223144]
    """
    whole = sum(sizes)
    norms = _logs_of_sizes([whole - size for size in sizes], vocabulary, alpha)
    return Linear([0.0] * len(sizes), [_negative_logs(alpha).__getitem__] * len(sizes), norms, outside=True)


def _logs_of_sizes(sizes: Sequence[int], vocabulary: int, alpha: float) -> list[float]:
    """The logarithms of the denominators; without a vocabulary, as when its only document is left out, none is used."""
    return [log(size + alpha * vocabulary) for size in sizes] if vocabulary else [0.0] * len(sizes)
