"""Bernoulli: every word of the vocabulary is present or absent, and absence counts too.

    P(w | v) = (d_kj + alpha) / (docs_j + 2 alpha)
    P(document | v) = product over Vocabulary of P(w | v) if present, 1 - P(w | v) if absent

The product over absent words is rewritten as that over all words, the bias, with present ones put right in their
weights. The bias needs only how many words are in exactly d documents of a class, `Totals.spread`.

Source: McCallum and Nigam, A Comparison of Event Models for Naive Bayes Text Classification (1998), section 2.
"""

from collections.abc import Mapping
from math import fsum, log

from ..reading import Totals
from . import Linear
from ._smoothing import Logs, logs_of

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
    logs = logs_of(alpha)
    if totals.spread is None:
        raise ValueError("Bernoulli needs the spread of the presences")
    absent = [
        _absent(documents, spread, totals.vocabulary, logs)
        for documents, spread in zip(totals.documents, totals.spread, strict=True)
    ]

    documents = totals.documents

    def own(count: int, index: int) -> float:
        return logs[count] - logs[documents[index] - count]

    return Linear(absent, own)


def _absent(documents: int, spread: Mapping[int, int], vocabulary: int, logs: Logs) -> float:
    """The sum over the vocabulary of log(1 - P(w | v)), 1 - P being (docs_j - d + alpha) / (docs_j + 2 alpha)."""
    norm = log(documents + 2 * logs.alpha)
    unseen = vocabulary - sum(spread.values())
    terms = [tokens * (logs[documents - d] - norm) for d, tokens in spread.items() if tokens]
    return fsum([unseen * (logs[documents] - norm), *terms])
