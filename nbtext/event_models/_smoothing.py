"""Additive smoothing in logarithms, remembered: most counts are small and come again and again."""

from functools import cache, lru_cache

from . import Part, fixed_log


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


def log_of_size(alpha: float, size: int, vocabulary: int) -> int:
    """log(size + alpha vocabulary), the denominator of all tokens; 0 without a vocabulary, where no token uses it."""
    return fixed_log(size + alpha * vocabulary) if vocabulary else 0
