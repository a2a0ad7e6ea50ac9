"""Binary: multinomial over documents containing the token, so that a token counts once per document.

    P(w | v) = (d_kj + alpha) / (sum of d_kj over Vocabulary + alpha |Vocabulary|)

where d_kj is the number of documents of class v_j that contain w_k. Words that repeat within a document count less.

Source: Rennie, Shih, Teevan, Karger, Tackling the Poor Assumptions of Naive Bayes Text Classifiers (2003), section
4.1, on bursts; Jurafsky and Martin, Speech and Language Processing, chapter on naive Bayes, "binary multinomial".
See also: `bernoulli`, which also counts absent tokens.
"""

from collections.abc import Sequence

from . import Part
from ._smoothing import log_of_count, logs_of_sizes

STATISTIC = "frequency"
REPEATS = False
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
