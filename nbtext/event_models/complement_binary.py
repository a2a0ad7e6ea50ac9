"""Complement over documents containing the token: a token counts once per document, as in `binary`.

    theta_kj = (alpha + documents outside v_j with w_k) / (alpha |Vocabulary| + sum of these over Vocabulary)

Source: Rennie, Shih, Teevan, Karger, Tackling the Poor Assumptions of Naive Bayes Text Classifiers (2003), section 3.1.
See also: `complement`.
"""

from collections.abc import Sequence

from . import Part
from ._smoothing import logs_of_sizes, negative_log_of_count

STATISTIC = "frequency"
REPEATS = False
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
