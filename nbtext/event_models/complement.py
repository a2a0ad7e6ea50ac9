"""Complement: a class is scored by how badly the document fits all the others.

    theta_kj = (alpha + occurrences of w_k outside v_j) / (alpha |Vocabulary| + positions outside v_j)
    score(v) = log P(v) - sum over positions of log theta_kj

The other classes together have more text than one class, so estimates are steadier where classes are small or
uneven. The scores are not log joint probabilities.

Source: Rennie, Shih, Teevan, Karger, Tackling the Poor Assumptions of Naive Bayes Text Classifiers (2003), section 3.1.
See also: `complement_binary`, the same over documents instead of positions.
"""

from ..inference.reading import Totals
from . import Linear
from ._smoothing import outside

STATISTIC = "occurrences"
REPEATS = True
JOINT = False
SPREAD = False


def linear(totals: Totals, alpha: float) -> Linear:
    """The weights -log theta, and no bias."""
    return outside(totals.positions, totals.vocabulary, alpha)
