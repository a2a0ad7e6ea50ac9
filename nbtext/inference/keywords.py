"""The keywords of a class: tokens that distinguish it from all the others.

The strength of a token w for a class v, in nats, is its share in the divergence of the class from the rest:

    P(w | v) log(P(w | v) / P(w | not v))

This is what w adds, on average, to the evidence for v in one position of v's text. So a token must be both frequent in
the class and rarer outside it. Both probabilities are smoothed by alpha, so that tokens that only one class has can be
compared:

    P(w | v)     = (n_kv + alpha) / (n_v + alpha |Vocabulary|)
    P(w | not v) = the same for the counts of all other classes together

n counts occurrences, or documents containing the token if the event model counts those.

Source: Kullback and Leibler, On Information and Sufficiency (1951); as a ranking of words, "pointwise divergence":
Tomokiyo and Hurst, A Language Model Approach to Keyphrase Extraction (2003), section 5.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .estimator import Estimator


class Keyword(NamedTuple):
    """A token that distinguishes its class from the others.

    token      its text
    nats       its strength, see above, > 0
    inside     its count in the class
    elsewhere  its count in all other classes
    """

    token: str
    nats: float
    inside: int
    elsewhere: int


def keywords(estimator: Estimator, tokens: Sequence[str], top: int) -> list[list[Keyword]]:
    """The `top` strongest keywords of each class, the strongest first; equally strong ones in sorted order.

    tokens  by their numbers
    """
    counts, totals = estimator.counts, estimator.totals
    statistic = estimator.linear.event_model.STATISTIC
    kept = counts.per_cell(estimator.filtered.kept)
    numbers, classes, inside = (each[kept] for each in (counts.cell_tokens, counts.classes, counts.column(statistic)))
    elsewhere = estimator.statistics[numbers] - inside
    sizes, alpha = np.array(totals.sizes[statistic]), estimator.hyperparameters.pseudo_count(totals.vocabulary)
    smoothing = alpha * totals.vocabulary
    within = (inside + alpha) / (sizes + smoothing)[classes]
    without = (elsewhere + alpha) / (sizes.sum() - sizes + smoothing)[classes]
    telling = within * np.log(within / without)
    found = []
    for index in range(len(estimator.labels)):
        mine = np.flatnonzero((classes == index) & (telling > 0))
        best = mine[np.lexsort([numbers[mine], -telling[mine]])][:top].tolist()
        found.append([Keyword(tokens[numbers[i]], float(telling[i]), int(inside[i]), int(elsewhere[i])) for i in best])
    return found
