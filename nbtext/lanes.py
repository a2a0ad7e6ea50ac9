"""Numbers side by side in one integer, a lane for each: so all classes are added up at once, and exactly.

In such lanes stand the terms that tokens add to the scores of a document. Their order changes no bit of the sum.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from math import ldexp
from operator import getitem
from typing import TypeVar

from .counts import Row, dense
from .event_models import Linear

LANE_BYTES = 21  # of a number: 56 bits before the point, the sign included, and
HALF = 1 << 8 * LANE_BYTES - 1  # of its range
REMEMBERED_BYTES = 100_000_000  # of terms kept for what was met before; then they are forgotten and made again
FRACTION_BITS = 112  # behind it, more than the logarithm of any float has, and so differences of logarithms

Key = TypeVar("Key")
Made = TypeVar("Made")


def fixed(value: float) -> int:
    """The number as the integer that stands for it in a lane.

    >>> fixed(-1.0) == -(1 << FRACTION_BITS)
    True
    """
    return int(ldexp(value, FRACTION_BITS))


def lane(value: float) -> bytes:
    """The number in a lane by itself, in bytes: half a lane's range higher, which leaves none negative."""
    return (fixed(value) + HALF).to_bytes(LANE_BYTES)


def joined(lanes: Sequence[bytes]) -> int:
    """Lanes side by side. Adding such integers adds the numbers in each lane, exactly as `math.fsum` does.

    >>> unpacked(joined([lane(0.5), lane(-3.0)]) + joined([lane(0.25), lane(1.0)]), 2)
    [0.75, -2.0]
    """
    return int.from_bytes(b"".join(lanes)) - _halves(len(lanes))


def unpacked(lanes: int, count: int) -> list[float]:
    """The numbers in so many lanes, correctly rounded."""
    data = (lanes + _halves(count)).to_bytes(count * LANE_BYTES)
    starts = range(0, len(data), LANE_BYTES)
    return [ldexp(int.from_bytes(data[at : at + LANE_BYTES]) - HALF, -FRACTION_BITS) for at in starts]


@cache
def _halves(count: int) -> int:
    """Half a lane's range in each of so many."""
    return sum(HALF << 8 * LANE_BYTES * place for place in range(count))


class Memo(dict[Key, Made]):
    """What a function makes of keys, made once.

    >>> squares = Memo(lambda n: n * n)
    >>> sum(map(squares.__getitem__, [1, 2, 2])), squares
    (9, {1: 1, 2: 4})
    """

    def __init__(self, make: Callable[[Key], Made]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, key: Key) -> Made:
        self[key] = made = self.make(key)
        return made


class Terms:
    """What tokens add to scores: a lane for each class, the last for the length.

    linear   the event model; `Linear.each` is left to be added once for the whole document
    classes  how many
    column   of a row: its statistic
    """

    def __init__(self, linear: Linear, classes: int, column: int) -> None:
        self.own = linear.own
        self.outside = linear.outside
        self.classes = classes
        self.column = column
        self.lanes = [Memo(partial(self._lane, index)) for index in range(classes)]  # statistic -> lane, in bytes

    def of(self, row: Row, less: int = 0) -> int:
        """What a token with this row adds that counts once in a document.

        less  how much less its statistic is to be over all classes, though not in any of them
        """
        statistics = dense(row, self.column, self.classes)
        if self.outside:
            whole = sum(statistics) - less
            statistics = [max(whole - count, 0) for count in statistics]
        return joined([*map(getitem, self.lanes, statistics), ONE])

    def shifted(self, terms: int, index: int) -> int:
        """The terms of one class in its lane."""
        return terms << 8 * LANE_BYTES * (self.classes - index)

    def most(self, share: int = 1) -> int:
        """How many may be remembered in a share of the memory for them."""
        return REMEMBERED_BYTES // share // (LANE_BYTES * (self.classes + 1))

    def _lane(self, index: int, statistic: int) -> bytes:
        return lane(self.own(statistic, index))


ONE = lane(1.0)
