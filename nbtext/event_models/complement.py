"""Complement: a class is scored by how badly the document fits all the others.

    theta_kj = (alpha + occurrences of w_k outside v_j) / (alpha |Vocabulary| + positions outside v_j)
    score(v) = log P(v) - sum over positions of log theta_kj

The other classes together have more text than one class, so estimates are steadier where classes are small or
uneven. The scores are not log joint probabilities.

Source: Rennie, Shih, Teevan, Karger, Tackling the Poor Assumptions of Naive Bayes Text Classifiers (2003), section 3.1.
See also: `complement_binary`, the same over documents instead of positions.
"""

from collections.abc import Sequence

from . import Part
from ._smoothing import logs_of_sizes, negative_log_of_count

STATISTIC = "occurrences"
REPEATS = True
VALUES = None
OUTSIDE = True
JOINT = False


def present(alpha: float, documents: int) -> Part:  # noqa: ARG001  # as in `EventModel`
    """The negative logarithm of count + alpha."""
    return negative_log_of_count(alpha)


def shared(alpha: float, sizes: Sequence[int], vocabulary: int) -> list[int]:
    """The logarithms of size + alpha vocabulary."""
    return logs_of_sizes(alpha, sizes, vocabulary)


def absent(alpha: float, documents: int) -> None:
    """Nothing: tokens that the document lacks are ignored."""
