"""Bernoulli: every word of the vocabulary is present or absent, and absence counts too.

    P(w | v) = (d_kj + alpha) / (docs_j + 2 alpha)
    P(document | v) = product over Vocabulary of P(w | v) if present, 1 - P(w | v) if absent

The product over absent words is rewritten as that over all words, the bias, with present ones put right in their
weights. The bias needs only how many words are in exactly d documents of a class, `Totals.spread`.

Source: McCallum and Nigam, A Comparison of Event Models for Naive Bayes Text Classification (1998), section 2.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import fsum, log

from ..inference.memo import Memo
from ..inference.reading import Totals
from . import Linear
from ._smoothing import logs

STATISTIC = "presences"
REPEATS = False
JOINT = True
SPREAD = True


def linear(totals: Totals, alpha: float) -> Linear:
    """The bias: log probability of a document without any word; the weights: log odds of presence.

    >>> totals = Totals([1])
    >>> totals.enter([0, 1, 1])
    >>> [round(number, 6) for number in linear(totals, alpha=1.0).bias + linear(totals, alpha=1.0).weights([1])]
    [-1.098612, 0.693147]
    """
    if totals.spread is None:
        raise ValueError("Bernoulli needs the spread of the presences")
    absent = [
        _absent(documents, spread, totals.vocabulary, alpha)
        for documents, spread in zip(totals.documents, totals.spread, strict=True)
    ]
    return Linear(absent, [_odds(documents, alpha).__getitem__ for documents in totals.documents])


@lru_cache(maxsize=1 << 14)  # for each alpha two sizes a class: with a document and without it
def _odds(documents: int, alpha: float) -> Memo[int, float]:
    """The log odds of presence by d: log((d + alpha) / (documents - d + alpha))."""
    of = logs(alpha)
    return Memo(lambda d: of[d] - of[documents - d])


def _absent(documents: int, spread: Mapping[int, int], vocabulary: int, alpha: float) -> float:
    """The sum over the vocabulary of log(1 - P(w | v)), 1 - P being (docs_j - d + alpha) / (docs_j + 2 alpha)."""
    of = logs(alpha)
    norm = log(documents + 2 * alpha)
    unseen = vocabulary - sum(spread.values())
    terms = [tokens * (of[documents - d] - norm) for d, tokens in spread.items() if tokens]
    return fsum([unseen * (of[documents] - norm), *terms])
