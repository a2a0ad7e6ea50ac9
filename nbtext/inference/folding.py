"""Documents in folds: each is answered by the counts less those of its fold, which is a subtraction."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

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


def scores_by_folds(
    estimator: Estimator, documents: Documents, numbers: Integers, readings: Sequence[Hyperparameters]
) -> list[ScoreTable]:
    """What documents score under each of several hyperparameters, by the counts less those of their fold.

    documents  are among those that the estimator has counted
    numbers    of each, its fold; all counted documents of a fold are there
    readings   have no weights, and the same filters
    """
    size, classes = documents.size, len(estimator.labels)
    tables = [
        ScoreTable(np.zeros((size, classes)), np.zeros(size, np.int64), np.zeros(size, np.bool_)) for _ in readings
    ]

    def fill(chosen: Integers) -> None:
        part = documents.some(chosen)
        without, own = estimator.without(part).narrowed(part)
        for table, hyperparameters in zip(tables, readings, strict=True):
            scores = without.under(hyperparameters).scores(own)
            for column, values in zip(table, scores, strict=True):
                column[chosen] = values

    for_each_fold(fill, numbers)
    return tables
