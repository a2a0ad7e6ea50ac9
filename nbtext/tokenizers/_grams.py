"""The character n-grams of a word, for all tokenizers that cut words further."""

from collections.abc import Callable
from functools import lru_cache

from ._lengths import LONGEST, MARK


def grams_of(n: int, shortest: int, *, edges: bool) -> Callable[[str], tuple[str, ...]]:
    """The function from a word to its character n-grams.

    Raises: ValueError for sizes out of their range.
    """
    if not 1 <= n <= LONGEST:
        raise ValueError(f"n should be 1 to {LONGEST}, not {n}")
    if not 0 <= shortest <= n:
        raise ValueError(f"min should be 0 to n, which is {n}, not {shortest}")
    sizes = range(shortest or n, n + 1)

    @lru_cache(maxsize=1 << 16)  # most words repeat
    def grams(word: str) -> tuple[str, ...]:
        if word.startswith(MARK):
            return (word,)
        whole = f"<{word}>" if edges else word
        return tuple(whole[at : at + size] for size in sizes for at in range(len(whole) - size + 1)) or (whole,)

    return grams
