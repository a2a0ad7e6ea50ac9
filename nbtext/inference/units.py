"""From statistics of many tokens to integers of 2^-44 nats, and from sums of these to nats."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..counting.documents import Integers
from ..event_models import FRACTION_BITS, Part
from .linear import COARSE_BITS

LARGEST_TABLE = 1 << 22  # statistics up to here are looked up in a table


def in_nats(sums: Integers) -> NDArray[np.float64]:
    """Sums of any size as floats, correctly rounded."""
    return np.ldexp(sums.astype(np.float64), -FRACTION_BITS)


def unwrapped(sums: Integers, coarse: Integers) -> Integers:
    """Sums that did not fit into 64 bits, as Python integers, from their wrapped values and approximate values.

    >>> unwrapped(np.array([5]), np.array([1 << 44])).tolist() == [(1 << 64) + 5]
    True
    """
    about = coarse.astype(object) << COARSE_BITS
    wraps = (about - sums.astype(object) + (1 << 63)) // (1 << 64)
    return np.asarray(sums.astype(object) + (wraps << 64))


def looked_up(part: Part, statistics: Integers) -> Integers:
    """The part of an event model for each statistic, >= 0; it is called once for each different one."""
    if not len(statistics):
        return np.empty(0, np.int64)
    highest = int(statistics.max())
    if highest > LARGEST_TABLE:
        found, inverse = np.unique(statistics, return_inverse=True)
        return np.array(list(map(part, found.tolist())), np.int64)[inverse]
    met = np.zeros(highest + 1, np.bool_)
    met[statistics] = True
    found = np.flatnonzero(met)
    table = np.zeros(highest + 1, np.int64)
    table[found] = list(map(part, found.tolist()))
    return table[statistics]


def by_class(parts: Sequence[Part], classes: Integers, statistics: Integers) -> Integers:
    """The same if each class, or other group of statistics, has its own part of the event model."""
    if all(part is parts[0] for part in parts):
        return looked_up(parts[0], statistics)
    width = int(statistics.max(initial=0)) + 1
    if width * len(parts) <= LARGEST_TABLE:
        return looked_up(lambda key: parts[key // width](key % width), classes.astype(np.int64) * width + statistics)
    values = np.zeros(len(statistics), np.int64)
    for index, part in enumerate(parts):
        mine = np.flatnonzero(classes == index)
        values[mine] = looked_up(part, statistics[mine])
    return values
