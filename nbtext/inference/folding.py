"""Documents in folds: each is answered by the counts less those of its fold, which is a subtraction."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from ..counting.counts import Counts
from ..counting.documents import Documents, Integers
from ..engines._sharing import cores
from ..settings import Hyperparameters
from .estimator import Estimator, ScoreTable

FOLDS = 10
FEWER_FOLDS = 5  # of a large corpus
LARGE = 10_000  # documents


def fold_numbers(documents: Documents) -> Integers:
    """The fold of each document, of as many as its number deserves."""
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
    """Do the work of each fold, given the documents in it, in threads: most of it is numpy's or the kernel's.

    numbers  of each document, its fold
    """
    with ThreadPoolExecutor(cores()) as threads:
        for _ in threads.map(work, (np.flatnonzero(numbers == fold) for fold in np.unique(numbers))):
            pass


class View(NamedTuple):
    """Documents by some of their tokens, and how they are to be scored by them.

    estimator  has counted the tokens of all documents, and keeps these as vocabulary
    documents  have these tokens only
    readings   hyperparameters without weights, with the filters of the estimator
    """

    estimator: Estimator
    documents: Documents
    readings: Sequence[Hyperparameters]


def scores_by_folds(
    counts: Counts, documents: Documents, numbers: Integers, views: Sequence[View], tested: Integers
) -> list[list[ScoreTable]]:
    """What documents score by each view under each of its readings, by the counts less those of their fold.

    counts   of the documents, by which all estimators go
    numbers  of each document, its fold
    tested   the documents to score, ascending
    """
    found = [[_no_scores(len(tested), len(view.estimator.labels)) for _ in view.readings] for view in views]

    def fill(chosen: Integers) -> None:
        left = counts.less(documents.some(np.flatnonzero(numbers == numbers[tested[chosen[0]]])))
        for view, tables in zip(views, found, strict=True):
            without, own = view.estimator.over(left).narrowed(view.documents.some(tested[chosen]))
            for table, hyperparameters in zip(tables, view.readings, strict=True):
                scores = without.under(hyperparameters).scores(own)
                for column, values in zip(table, scores, strict=True):
                    column[chosen] = values

    for_each_fold(fill, numbers[tested])
    return found


def _no_scores(documents: int, classes: int) -> ScoreTable:
    return ScoreTable(np.zeros((documents, classes)), np.zeros(documents, np.int64), np.zeros(documents, np.bool_))
