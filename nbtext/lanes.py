"""Numbers side by side in one integer, a lane for each: so all classes are added up at once, and exactly.

In such lanes stand the terms that tokens add to the scores of a document. Their order changes no bit of the sum.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import repeat
from math import ldexp
from typing import TypeVar

from .counts import Row, dense
from .event_models import Linear

LANE_BYTES = 21  # of a number: 56 bits before the point, the sign included, and
FRACTION_BITS = 112  # behind it, more than the logarithm of any float has, and so differences of logarithms

Key = TypeVar("Key")


def packed(values: Sequence[float]) -> int:
    """Numbers as one integer, each in a lane of its own, so that many lists of numbers are added by adding integers.

    The sums are exact, as those of `math.fsum`, at a sixth of its time for twenty classes.
    """
    lanes = 0
    for value in values:
        lanes = (lanes << 8 * LANE_BYTES) + fixed(value)
    return lanes


def fixed(value: float) -> int:
    """The number as the integer that stands for it in a lane.

    >>> fixed(-1.0) == -(1 << FRACTION_BITS)
    True
    """
    return int(ldexp(value, FRACTION_BITS))


def unpacked(lanes: int, count: int) -> list[float]:
    """The numbers in so many lanes, correctly rounded.

    >>> unpacked(packed([0.5, -3.0]) + packed([0.25, 1.0]), 2)
    [0.75, -2.0]
    """
    half = 1 << 8 * LANE_BYTES - 1
    data = (lanes + _halves(count)).to_bytes(count * LANE_BYTES)
    starts = range(0, len(data), LANE_BYTES)
    return [ldexp(int.from_bytes(data[at : at + LANE_BYTES]) - half, -FRACTION_BITS) for at in starts]


@cache
def _halves(count: int) -> int:
    """Half a lane's range in every lane, which leaves none of them negative."""
    return sum(1 << 8 * LANE_BYTES * (lane + 1) - 1 for lane in range(count))


class Memo(dict[Key, int]):
    """What a function makes of keys, made once.

    >>> squares = Memo(lambda n: n * n)
    >>> sum(map(squares.__getitem__, [1, 2, 2])), squares
    (9, {1: 1, 2: 4})
    """

    def __init__(self, make: Callable[[Key], int]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, key: Key) -> int:
        self[key] = made = self.make(key)
        return made


class Terms:
    """What tokens add to scores, packed: a lane for each class, the last for the length.

    Most tokens are in few classes. So the terms of a token are those of one that no class has, put right in the lanes
    of the classes that have it: the work grows with the cells of its row, not with the classes.

    linear   the event model; `Linear.each` is left to be added once for the whole document
    classes  how many
    column   of a row: its statistic
    """

    def __init__(self, linear: Linear, classes: int, column: int) -> None:
        self.own = linear.own
        self.outside = linear.outside
        self.classes = classes
        self.column = column
        self.cells = Memo(self._cell)
        self.lanes = Memo(self._lane)
        self.nowhere = Memo(self._nowhere)

    def of(self, row: Row, less: int = 0) -> int:
        """What a token with this row adds that counts once in a document.

        less  how much less its statistic is to be over all classes, though not in any of them
        """
        classes, counts = row[::3], row[self.column :: 3]
        if not self.outside:
            return sum(map(self.cells.__getitem__, zip(classes, counts, repeat(0), strict=False)), self.nowhere[0])
        whole = sum(counts) - less
        if 2 * len(counts) < self.classes:
            cells = zip(classes, counts, repeat(whole), strict=False)
            return sum(map(self.cells.__getitem__, cells), self.nowhere[whole])
        others = [max(whole - count, 0) for count in dense(row, self.column, self.classes)]
        return sum(map(self.lanes.__getitem__, enumerate(others)), fixed(1.0))

    def lane(self, terms: int, index: int) -> int:
        """The terms, of one class, in its lane."""
        return terms << 8 * LANE_BYTES * (self.classes - index)

    def forget(self) -> None:
        """Let go of all that was remembered."""
        self.cells.clear()
        self.lanes.clear()
        self.nowhere.clear()

    def _cell(self, key: tuple[int, int, int]) -> int:
        """What a class that has a token makes of the terms, from the class, its count and that of all to be read."""
        index, count, whole = key
        right = max(whole - count, 0) if self.outside else count
        return self.lanes[index, right] - self.lanes[index, whole]

    def _lane(self, key: tuple[int, int]) -> int:
        """What a token adds in the lane of one class, from the class and the token's statistic."""
        index, statistic = key
        return self.lane(fixed(self.own(statistic, index)), index)

    def _nowhere(self, statistic: int) -> int:
        """The terms of a token that has the same statistic for all classes."""
        return packed([*(self.own(statistic, index) for index in range(self.classes)), 1.0])
