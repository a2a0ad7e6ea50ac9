"""Documents in folds: each is scored by the counts minus those of its fold."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from ..counting.counts import Counts
from ..counting.documents import Documents, Integers
from ..engines._sharing import cores
from ..settings import Hyperparameters
from .answers import ScoreTable
from .estimator import Estimator

FOLDS = 10
FEWER_FOLDS = 5  # of a large corpus
LARGE = 10_000  # documents


def fold_numbers(documents: Documents) -> Integers:
    """The fold of each document; large corpora have fewer folds."""
    return folds(documents, FOLDS if documents.size < LARGE else FEWER_FOLDS)


def folds(documents: Documents, count: int) -> Integers:
    """The fold of each document: equal texts share one, and classes are spread evenly, whatever the order.

    >>> none, digests = np.empty(0, np.int32), np.array([7, 5, 7, 6])
    >>> folds(Documents(np.zeros(5, np.int64), none, none, np.array([1, 0, 1, 0]), digests), 2).tolist()
    [0, 0, 0, 1]
    """
    digests, places = np.unique(documents.digests, return_inverse=True)
    classes = np.full(len(digests), np.iinfo(np.int32).max)
    np.minimum.at(classes, places, documents.classes)
    order = np.lexsort([digests, classes])
    numbers = np.empty(len(digests), np.int64)
    numbers[order] = np.arange(len(digests)) % count
    return np.asarray(numbers[places])


def for_each_fold(work: Callable[[Integers], None], numbers: Integers) -> None:
    """Call the function with the documents of each fold, in threads: most of the work is in numpy or the kernel.

    numbers  the fold of each document
    """
    with ThreadPoolExecutor(cores()) as threads:
        for _ in threads.map(work, (np.flatnonzero(numbers == fold) for fold in np.unique(numbers))):
            pass


class View(NamedTuple):
    """Documents with some of their tokens, and the settings by which to score them.

    estimator  has counted the tokens of all documents; only these tokens are its vocabulary
    documents  have only these tokens
    readings   hyperparameters without weights, with the filters of the estimator
    """

    estimator: Estimator
    documents: Documents
    readings: Sequence[Hyperparameters]


def scores_by_folds(
    counts: Counts, documents: Documents, numbers: Integers, views: Sequence[View], tested: Integers
) -> list[list[ScoreTable]]:
    """The scores of documents for each view and each of its readings, by the counts without their fold.

    counts   of the documents, used by all estimators
    numbers  the fold of each document
    tested   the documents to score, ascending
    """
    found = [[_no_scores(len(tested), len(view.estimator.labels)) for _ in view.readings] for view in views]

    def fill(chosen: Integers) -> None:
        left = counts.less(documents.some(np.flatnonzero(numbers == numbers[tested[chosen[0]]])))
        for view, tables in zip(views, found, strict=True):
            without, own = view.estimator.over(left).narrowed(view.documents.some(tested[chosen]))
            own = without.known(own)  # once for all readings
            for table, hyperparameters in zip(tables, view.readings, strict=True):
                scores = without.under(hyperparameters).scores(own)
                for column, values in zip(table, scores, strict=True):
                    column[chosen] = values

    for_each_fold(fill, numbers[tested])
    return found


def _no_scores(documents: int, classes: int) -> ScoreTable:
    return ScoreTable(np.zeros((documents, classes)), np.zeros(documents, np.int64), np.zeros(documents, np.bool_))
