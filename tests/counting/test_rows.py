"""A token's counts as a list of integers: added to and subtracted from, exactly."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext.counting.rows import Row, dense, shifted

ROWS = st.dictionaries(
    st.integers(0, 3), st.integers(1, 5).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, n)))
).map(lambda cells: [value for index in sorted(cells) for value in (index, *cells[index])])


@given(ROWS, st.integers(0, 4), st.integers(1, 5).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, n))))
def test_what_is_added_to_a_row_can_be_taken_out_again(row: Row, index: int, more: tuple[int, int]):
    n, d = more
    added = shifted(row, index, n, d)
    assert added[::3] == sorted({*row[::3], index})
    assert shifted(added, index, -n, -d) == row


@pytest.mark.parametrize(
    ("row", "index", "occurrences", "documents"),
    [
        ([], 0, -1, -1),
        ([0, 2, 1], 1, -1, -1),
        ([0, 2, 1], 0, -3, -1),
        ([0, 2, 1], 0, -1, -1),  # an occurrence would be in no document
        ([0, 2, 2], 0, -2, -1),  # a document would have no occurrence
        ([0, 3, 3], 0, -2, -1),  # more documents than occurrences
    ],
)
def test_counts_never_fall_below_zero(row: Row, index: int, occurrences: int, documents: int):
    with pytest.raises(ValueError, match="below zero"):
        shifted(row, index, occurrences, documents)


@pytest.mark.parametrize(
    ("row", "statistic", "expected"),
    [
        ([], "occurrences", [0, 0, 0]),
        ([1, 5, 2], "occurrences", [0, 5, 0]),
        ([0, 3, 1, 2, 5, 2], "frequency", [1, 0, 2]),
    ],
)
def test_dense(row: Row, statistic: str, expected: Sequence[int]):
    assert dense(row, statistic, 3) == expected
