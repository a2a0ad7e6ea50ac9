"""Additive smoothing in logarithms, and the memory of logarithms: what several event models share."""

from collections.abc import Sequence
from functools import lru_cache
from math import log

from . import Linear


class Logs(dict[int, float]):
    """log(count + alpha), remembered: counts repeat, and logarithms are what scoring would spend its time on.

    >>> Logs(1.0)[0]
    0.0
    """

    def __init__(self, alpha: float) -> None:
        super().__init__()
        self.alpha = alpha

    def __missing__(self, count: int) -> float:
        self[count] = value = log(count + self.alpha)
        return value

    def own(self, count: int, index: int) -> float:  # noqa: ARG002
        """That of the count, whatever the class."""
        return self[count]

    def less(self, count: int, index: int) -> float:  # noqa: ARG002
        """The same, negative."""
        return -self[count]


@lru_cache(maxsize=32)
def logs_of(alpha: float) -> Logs:
    """The one memory of logarithms for an alpha: leaving one document out at a time builds an event model for each."""
    return Logs(alpha)


def smoothed(sizes: Sequence[int], vocabulary: int, alpha: float) -> Linear:
    """The weights log((count + alpha) / (size + alpha vocabulary)), for counts of any kind that add up to the sizes.

    >>> [round(weight, 6) for weight in smoothed([3], vocabulary=1, alpha=1.0).weights([3])]
    [0.0]
    """
    norms = [-norm for norm in _logs_of_sizes(sizes, vocabulary, alpha)]
    return Linear([0.0] * len(sizes), logs_of(alpha).own, norms)


def outside(sizes: Sequence[int], vocabulary: int, alpha: float) -> Linear:
    """The weights -log((count + alpha) / (size + alpha vocabulary)), count and size being those of all other classes.

    >>> [round(weight, 6) for weight in outside([3, 1], vocabulary=2, alpha=1.0).weights([3, 0])]
    [1.098612, 0.223144]
    """
    whole = sum(sizes)
    norms = _logs_of_sizes([whole - size for size in sizes], vocabulary, alpha)
    return Linear([0.0] * len(sizes), logs_of(alpha).less, norms, outside=True)


def _logs_of_sizes(sizes: Sequence[int], vocabulary: int, alpha: float) -> list[float]:
    """The logarithms of the denominators; without a vocabulary, as when its only document is left out, none is used."""
    return [log(size + alpha * vocabulary) for size in sizes] if vocabulary else [0.0] * len(sizes)
