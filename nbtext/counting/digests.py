"""Digests, by which remembered documents are recognised."""

from collections.abc import Iterator

import numpy as np

from .documents import Integers

CHUNK = 50_000  # tokens or documents written, or merged, at a time


def times_of(digests: Integers, classes: Integers) -> Iterator[tuple[int, int, int]]:
    """Each pair of digest and class, sorted, and how often it occurs.

    >>> list(times_of(np.array([7, 5, 7]), np.array([0, 1, 0])))
    [(5, 1, 1), (7, 0, 2)]
    """
    order = np.lexsort([classes, digests])
    digests, classes = digests[order], classes[order]
    new = np.ones(len(digests), np.bool_)
    new[1:] = (np.diff(digests) != 0) | (np.diff(classes) != 0)
    firsts = np.flatnonzero(new)
    times = np.diff(firsts, append=len(digests))
    for start in range(0, len(firsts), CHUNK):
        some = firsts[start : start + CHUNK]
        yield from zip(
            digests[some].tolist(), classes[some].tolist(), times[start : start + CHUNK].tolist(), strict=True
        )
