"""Multinomial: a document is drawn token by token, so repeats count.

    P(w | v) = (n_kj + alpha) / (n_j + alpha |Vocabulary|)

Source: Mitchell, Machine Learning (1997), Table 6.2.
See also: `binary`, the same formula over documents instead of positions.
"""

from collections.abc import Sequence

from . import Part
from ._smoothing import log_of_count, logs_of_sizes

STATISTIC = "occurrences"
REPEATS = True
VALUES = None
OUTSIDE = False
JOINT = True


def present(alpha: float, documents: int) -> Part:  # noqa: ARG001  # as in `EventModel`
    """The logarithm of count + alpha."""
    return log_of_count(alpha)


def shared(alpha: float, sizes: Sequence[int], vocabulary: int) -> list[int]:
    """The negative logarithms of size + alpha vocabulary."""
    return [-log for log in logs_of_sizes(alpha, sizes, vocabulary)]


def absent(alpha: float, documents: int) -> None:
    """Nothing: tokens that the document lacks are ignored."""
