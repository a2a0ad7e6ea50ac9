"""Choosing a setting by the results of all on the same held-out documents.

Among the settings that are not clearly more often wrong than the best, the one with the least log loss is chosen: where
the numbers of right answers do not differ clearly, probabilities still do. Table 6.2 is kept unless the chosen one has
a log loss that is lower by more than chance, and no fewer right answers.

Source: McNemar (1947) for the comparison, exact.
"""

from collections.abc import Mapping
from math import inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..metrics.comparison import mcnemar
from ..settings import Hyperparameters

ALPHAS = (1.0, 0.1, 0.01)
NGRAMS = (1, 2)
FINALISTS = 3  # settings of the first pass that the second tests, beside Table 6.2
SIGNIFICANT = 0.05  # the p-value below which a setting is clearly more often wrong than the leader
BEHIND = 2  # standard errors of log loss behind the best: settings this far behind skip the second pass
AHEAD = 2  # standard errors of log loss ahead of Table 6.2 that are needed to replace it
PIECES_AHEAD = 1  # the same for weights with character n-grams, which take more room and time, against those without


class Setting(NamedTuple):
    """A point of the grid.

    tokenizer  "" for the one that was asked for
    """

    event_model: str
    alpha: float
    ngrams: int
    weights: str = "none"
    tokenizer: str = ""

    def of(self, hyperparameters: Hyperparameters) -> Hyperparameters:
        """The hyperparameters with this event model, alpha and weights."""
        return hyperparameters._replace(event_model=self.event_model, alpha=self.alpha, weights=self.weights)


TABLE_6_2 = Setting("multinomial", 1.0, 1)
WEIGHTED_ALPHA = 1.0
TAGGED_ALPHA = 0.1  # of mail, where a host or an address seen once is stronger evidence than a word seen once
PIECES = Setting("complement-binary", 1.0, max(NGRAMS), "fitted", "words-chars")


class Held(NamedTuple):
    """The results of a setting on held-out documents.

    right   whether each was answered correctly
    losses  the negative log posterior of each one's class; nan where its class was not possible
    """

    right: NDArray[np.bool_]
    losses: NDArray[np.float64]


def choose(held: Mapping[Setting, Held]) -> Setting:
    """The setting to use among those without weights: see above."""
    default = held[TABLE_6_2]
    leader = max(held.values(), key=lambda own: own.right.sum())
    close = [setting for setting, own in held.items() if not is_more_often_wrong(own, leader)]
    best = min(close, key=lambda setting: (mean(held[setting].losses), setting != TABLE_6_2, setting))
    own = held[best]
    better = standard_errors(default, own) > AHEAD and own.right.sum() >= default.right.sum()
    return best if better else TABLE_6_2


def is_better(own: Held, other: Held) -> bool:
    """Whether weights are better: surer of the documents on average, and not clearly more often wrong."""
    return standard_errors(other, own) > 0 and not is_more_often_wrong(own, other)


def standard_errors(own: Held, other: Held) -> float:
    """By how many standard errors of the difference the first losses are larger than the second.

    >>> right = np.array([True, True])
    >>> standard_errors(Held(right, np.array([1.0, 3.0])), Held(right, np.array([1.0, 1.0])))
    1.0
    """
    differences = (own.losses - other.losses)[np.isfinite(own.losses) & np.isfinite(other.losses)]
    if len(differences) < 2 or not differences.mean():  # one document is too few
        return 0.0
    spread = differences.std(ddof=1) / sqrt(len(differences))
    return float(differences.mean() / spread) if spread else float(np.copysign(inf, differences.mean()))


def finalists(held: Mapping[Setting, Held]) -> list[Setting]:
    """Table 6.2 and the settings with the least log loss, unless they are clearly behind."""
    ranked = sorted(held, key=lambda setting: (mean(held[setting].losses), setting))
    return [TABLE_6_2, *(each for each in ranked[:FINALISTS] if each != TABLE_6_2 and not _is_behind(held, each))]


def _is_behind(held: Mapping[Setting, Held], setting: Setting) -> bool:
    least = min(held.values(), key=lambda own: mean(own.losses))
    return standard_errors(held[setting], least) > BEHIND


def is_more_often_wrong(own: Held, leader: Held) -> bool:
    """Whether the first is wrong where the other is right, clearly more often than the other way round."""
    won, lost = record(own, leader)
    return won < lost and mcnemar(won, lost) < SIGNIFICANT


def record(own: Held, other: Held) -> tuple[int, int]:
    """The numbers of documents answered correctly here and wrongly by the other, and the other way round."""
    return int((own.right & ~other.right).sum()), int((other.right & ~own.right).sum())


def mean(losses: NDArray[np.float64]) -> float:
    """The mean of the known losses; infinite if there are none."""
    known = losses[np.isfinite(losses)]
    return float(known.mean()) if len(known) else inf
