"""Sums of many lists of numbers at once: exact, as `math.fsum` gives them one by one."""

from math import fsum, log

from hypothesis import given
from hypothesis import strategies as st
from nbtext.inference.lanes import joined, lane, unpacked

logarithms = st.one_of(
    st.floats(1e-300, 1e300).map(log),
    st.tuples(st.floats(1e-9, 1e9), st.floats(1e-9, 1e9)).map(lambda pair: log(pair[0]) - log(pair[1])),
    st.sampled_from([0.0, log(1 - 2**-53), -log(1 + 2**-52), 1e9 * log(1e-9)]),
)
rows = st.integers(1, 5).flatmap(
    lambda width: st.lists(st.lists(logarithms, min_size=width, max_size=width), min_size=1)
)


@given(rows)
def test_sums_are_exact_and_correctly_rounded(rows: list[list[float]]):
    columns = list(zip(*rows, strict=True))
    assert unpacked(sum(joined(list(map(lane, row))) for row in rows), len(columns)) == list(map(fsum, columns))
