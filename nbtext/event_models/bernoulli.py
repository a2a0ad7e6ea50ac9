"""Bernoulli: every word of the vocabulary is present or absent, and absence counts too.

    P(w | v) = (d_kj + alpha) / (docs_j + 2 alpha)
    P(document | v) = product over Vocabulary of P(w | v) if present, 1 - P(w | v) if absent

The product over absent words is computed as the product over all words, the bias, which the weights of present words
correct. The bias needs only the number of words that are in exactly d documents of a class.

Source: McCallum and Nigam, A Comparison of Event Models for Naive Bayes Text Classification (1998), section 2.
"""

from collections.abc import Sequence
from functools import cache, lru_cache

from . import Part, fixed_log

STATISTIC = "frequency"
REPEATS = False
VALUES = 2
OUTSIDE = False
JOINT = True


@lru_cache(maxsize=1 << 12)  # for each alpha two sizes per class: with a document and without it
def present(alpha: float, documents: int) -> Part:
    """The logarithm of (d + alpha) / (documents + 2 alpha)."""
    norm = fixed_log(documents + 2 * alpha)
    return cache(lambda d: fixed_log(d + alpha) - norm)


def shared(alpha: float, sizes: Sequence[int], vocabulary: int) -> list[int]:  # noqa: ARG001  # as in `EventModel`
    """Nothing: each word's probability has a denominator of its own."""
    return [0] * len(sizes)


@lru_cache(maxsize=1 << 12)
def absent(alpha: float, documents: int) -> Part:
    """The logarithm of (documents - d + alpha) / (documents + 2 alpha)."""
    norm = fixed_log(documents + 2 * alpha)
    return cache(lambda d: fixed_log(documents - d + alpha) - norm)
