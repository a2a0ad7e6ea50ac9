"""Complement over documents containing the token: a token counts once a document, as in `binary`.

    theta_kj = (alpha + documents outside v_j with w_k) / (alpha |Vocabulary| + sum of these over Vocabulary)

Source: Rennie, Shih, Teevan, Karger, Tackling the Poor Assumptions of Naive Bayes Text Classifiers (2003), section 3.1.
See also: `complement`.
"""

from ..inference.reading import Totals
from . import Linear
from ._smoothing import outside

STATISTIC = "presences"
REPEATS = False
JOINT = False
SPREAD = False


def linear(totals: Totals, alpha: float) -> Linear:
    """The weights -log theta, and no bias."""
    return outside(totals.presences, totals.vocabulary, alpha)
