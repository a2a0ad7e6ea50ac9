"""Settings chosen by exact leave-one-out: event model, alpha and n-grams, from one counting pass.

Every setting of the grid answers the same sample of training documents, each as if it had not been learned. Settings that are
clearly behind after the first part of the sample drop out of the race, so that time goes to those that may still win.

Source: Maron and Moore, Hoeffding Races: Accelerating Model Selection Search for Classification and Function Approximation
(1994), for the race; McNemar (1947) for the comparison, exact.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import log
from typing import NamedTuple, cast

from . import choices, event_models
from .calibration import case, fitted
from .counts import Bag, Counts, Row
from .decision import answer
from .event_models import EventModel
from .measures.comparison import mcnemar
from .reading import IMPOSSIBLE, Reading, Totals, Vocabulary, log_priors
from .scoring import LeaveOneOut, Scorer, Scores, posteriors

ALPHAS = (1.0, 0.1, 0.01)
NGRAMS = (1, 2)
SAMPLE = 1000  # documents that the settings still racing at the end have answered
HEAT = 250  # documents after which those clearly behind drop out
BEHIND = 0.05  # the p-value that makes it clear


class Setting(NamedTuple):
    """A point of the grid."""

    event_model: str
    alpha: float
    ngrams: int


TABLE_6_2 = Setting("multinomial", 1.0, 1)


class Standing(NamedTuple):
    """How a setting did.

    setting   the setting
    tested    documents it answered
    right     those it answered rightly
    surprise  mean negative log posterior of the true class, tempered, in nats
    won       documents it answered rightly and Table 6.2 wrongly
    lost      documents it answered wrongly and Table 6.2 rightly
    p         the chance of a record at least this uneven if the two were equally good
    """

    setting: Setting
    tested: int
    right: int
    surprise: float
    won: int
    lost: int
    p: float
