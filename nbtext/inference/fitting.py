"""Fitting weights on the evidence of documents by counts without them.

Each document is scored by the counts without its fold. Leave-one-out would not do: removing the document itself moves
its tokens to a lower frequency, and how many move reveals its label (measured on movie reviews: 78 to 83 % right
instead of 88).
"""

from typing import NamedTuple

import numpy as np

from ..counting.documents import Documents, Integers
from .answers import ScoreTable
from .calibration import FEWEST
from .estimator import Estimator
from .features import Features, features
from .folding import LARGE, fold_numbers, for_each_fold
from .kinds import Kinded
from .priors import IMPOSSIBLE
from .regression import Floats, Regression
from .weighting import Weighting

PARTS = 3  # of a large corpus, for each of which weights are fitted on the others: the weights hardly differ
SMALL = 500  # documents: of fewer, each one has a noticeable share in the evidence of all others


class Fit(NamedTuple):
    """Weights fitted on documents.

    weighting  the weights
    held_out   the scores of each document by counts and weights without its fold; None if not asked for
    """

    weighting: Weighting
    held_out: ScoreTable | None


def fit(estimator: Estimator, documents: Documents, kinded: Kinded, *, held_out: bool = False) -> Fit:
    """The weights fitted on documents, which must be those that the estimator has counted; see `too_few`.

    held_out  whether to also score each document by weights fitted without its fold
    """
    unseen = _unseen(estimator, documents, kinded) if held_out and documents.size < SMALL else None
    order = np.lexsort([documents.classes, documents.digests])  # for the same rounding in any order
    found = features(estimator, documents.some(order), kinded)
    regression = Regression(found)
    parameters = regression.minimised()
    numbers = regression.numbers(parameters)
    weighting = numbers.weighting(kinded.kinds, list(estimator.labels), documents.size, found.attributes)
    if held_out and not unseen:
        unseen = _held_out(found, parameters).some(np.argsort(order))
    return Fit(weighting, unseen)


def _unseen(estimator: Estimator, documents: Documents, kinded: Kinded) -> ScoreTable:
    """The scores of each document by a model trained without its fold.

    With `_held_out`, the weights for a fold are fitted on evidence that was counted with its documents. That tells a
    little of their classes: of 60 texts in four classes that do not differ, 16 to 39 were answered rightly.
    """
    numbers = fold_numbers(documents)
    scores, known = np.empty((documents.size, len(estimator.labels))), np.empty(documents.size, np.int64)

    def fill(chosen: Integers) -> None:
        part = documents.some(chosen)
        others = documents.some(np.flatnonzero(numbers != numbers[chosen[0]]))
        without = estimator.without(part)
        weighting = fit(without, others, kinded).weighting
        scores[chosen], known[chosen], _ = without.weighed(weighting, kinded.numbers).scores(part)

    for_each_fold(fill, numbers)
    return ScoreTable(scores, known, known > 0)


def _held_out(features: Features, start: Floats) -> ScoreTable:
    """The scores by weights fitted without each document's fold; these are close to `start`."""
    scores = np.empty(features.values.shape[:2])
    several = features.folds % PARTS if len(features.folds) >= LARGE else features.folds

    def fill(chosen: Integers) -> None:
        tested = np.zeros(len(scores), np.bool_)
        tested[chosen] = True
        regression = Regression(features.some(~tested))
        scores[tested] = regression.numbers(regression.minimised(start)).scores(features.some(tested))

    for_each_fold(fill, several)
    scores[:, features.offsets == IMPOSSIBLE] = IMPOSSIBLE
    return ScoreTable(scores, features.known, features.known > 0)


def too_few(estimator: Estimator) -> str:
    """Why weights cannot be fitted on the documents that the estimator has counted; "" if they can."""
    documents = [n for n in estimator.counts.documents.tolist() if n]
    if sum(documents) < FEWEST:
        return f"{sum(documents)} documents are too few to fit them on; it takes {FEWEST}"
    if len(documents) < 2:
        return "there is one class only"
    if min(documents) < 2:
        return "a class has a single document"
    return ""
