"""Numbers side by side in one integer, a lane for each: so all classes are added up at once, and exactly.

In such lanes stand the terms that tokens add to the scores of a document. Their order changes no bit of the sum.
"""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from math import ldexp
from operator import getitem

from ..counting.counts import Row, dense
from ..event_models import Linear, Own
from .memo import Memo

LANE_BYTES = 21  # of a number: 56 bits before the point, the sign included, and
HALF = 1 << 8 * LANE_BYTES - 1  # of its range
REMEMBERED_BYTES = 100_000_000  # of terms kept for what was met before; then they are forgotten and made again
ROWS_BYTES = 25_000_000  # of terms kept by the row that makes them
CELL_BYTES = 72  # what a class takes in a row, at most
FRACTION_BITS = 112  # behind it, more than the logarithm of any float has, and so differences of logarithms


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


class Terms:
    """What tokens add to scores: a lane for each class, the last for the length.

    linear  the event model; `Linear.each` is left to be added once for the whole document
    column  of a row: its statistic
    """

    def __init__(self, linear: Linear, column: int) -> None:
        lanes = [Memo(partial(_lane_of, own)) for own in linear.own]  # of each class, statistic -> lane, in bytes
        numbers = len(lanes) + 1
        self.most = REMEMBERED_BYTES // (LANE_BYTES * numbers)  # terms of tokens that may be remembered
        made = ROWS_BYTES // ((LANE_BYTES + CELL_BYTES) * numbers)
        self.made = Memo(partial(_terms, linear, column, lanes), made)

    def of(self, row: Row) -> int:
        """What a token with this row adds that counts once in a document."""
        return self.made[tuple(row)]  # most tokens are rare, and many have the same row


def _terms(linear: Linear, column: int, lanes: Sequence[Mapping[int, bytes]], row: tuple[int, ...]) -> int:
    statistics = linear.statistics(dense(row, column, len(lanes)))
    return joined([*map(getitem, lanes, statistics), ONE])


def _lane_of(own: Own, statistic: int) -> bytes:
    return lane(own(statistic))


ONE = lane(1.0)
