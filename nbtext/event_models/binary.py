"""Binary: multinomial over documents containing the token, so that a token counts once a document.

    P(w | v) = (d_kj + alpha) / (sum of d_kj over Vocabulary + alpha |Vocabulary|)

with d_kj the documents of class v_j that contain w_k. Damps words that come in bursts.

Source: Rennie, Shih, Teevan, Karger, Tackling the Poor Assumptions of Naive Bayes Text Classifiers (2003), section
4.1, on bursts; Jurafsky and Martin, Speech and Language Processing, chapter on naive Bayes, "binary multinomial".
See also: `bernoulli`, which hears absent tokens too.
"""

from ..inference.reading import Totals
from . import Linear
from ._smoothing import smoothed

STATISTIC = "presences"
REPEATS = False
JOINT = True
SPREAD = False


def linear(totals: Totals, alpha: float) -> Linear:
    """The weights log P(w | v), and no bias."""
    return smoothed(totals.presences, totals.vocabulary, alpha)
