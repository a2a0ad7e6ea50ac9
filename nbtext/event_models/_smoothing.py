"""Logarithms of smoothed counts, cached: most counts are small and repeat often."""

from collections.abc import Sequence
from functools import cache, lru_cache
from math import ldexp, log

from . import FRACTION_BITS, Part, fixed_log


@lru_cache(maxsize=32)
def log_of_count(alpha: float) -> Part:
    """The function from a count to log(count + alpha).

    >>> log_of_count(1.0)(0)
    0
    """
    return cache(lambda count: fixed_log(count + alpha))


@lru_cache(maxsize=32)
def negative_log_of_count(alpha: float) -> Part:
    """The function from a count to -log(count + alpha)."""
    return cache(lambda count: -fixed_log(count + alpha))


def logs_of_sizes(alpha: float, sizes: Sequence[int], vocabulary: int) -> list[int]:
    """log(size + alpha vocabulary), the logarithm of the denominator; 0 without a vocabulary, where no token uses it.

    >>> logs_of_sizes(1.0, [0, 7], vocabulary=1) == [0, fixed_log(8)]
    True
    """
    if not vocabulary:
        return [0] * len(sizes)
    smoothing = alpha * vocabulary
    return [
        round(ldexp(log(size + smoothing), FRACTION_BITS)) for size in sizes
    ]  # `fixed_log`, without a call for each
