"""Multinomial: a document is drawn token by token, so repeats count.

    P(w | v) = (n_kj + alpha) / (n_j + alpha |Vocabulary|)

Source: Mitchell, Machine Learning (1997), Table 6.2.
See also: `binary`, the same formula over documents instead of positions.
"""

from ..inference.reading import Totals
from . import Linear
from ._smoothing import smoothed

STATISTIC = "occurrences"
REPEATS = True
JOINT = True
SPREAD = False


def linear(totals: Totals, alpha: float) -> Linear:
    """The weights log P(w | v), and no bias.

    >>> from math import exp
    >>> totals = Totals([1, 1])
    >>> totals.enter([1, 4, 1]); totals.enter([0, 1, 1])
    >>> [round(exp(weight), 6) for weight in linear(totals, alpha=1.0).weights([1, 0])]  # 2/3 and 1/6
    [0.666667, 0.166667]
    """
    return smoothed(totals.positions, totals.vocabulary, alpha)
