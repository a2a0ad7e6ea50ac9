"""Counts as the rows of a model file, whichever kernel writes them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .kernels import both, compiled, native

CELLS = st.tuples(st.integers(0, 2**31 - 1), st.integers(0, 2**63 - 1), st.integers(0, 2**63 - 1))


def columns(rows):
    cells = np.array([cell for row in rows for cell in row] or np.empty((0, 3)), np.int64)
    classes, occurrences, frequency = map(np.ascontiguousarray, cells.T)
    return np.cumsum([0, *map(len, rows)]), classes.astype(np.int32), occurrences, frequency


@both("row_lines")
def test_each_token_has_a_line(row_lines):
    assert row_lines(*columns([[(0, 2, 1)], [(0, 10, 3), (12, 1, 1)]])) == "0,2,1\n0,10,3,12,1,1\n"
    assert row_lines(*columns([])) == ""


@both("row_lines")
@given(rows=st.lists(st.lists(CELLS, max_size=3), max_size=6))
def test_numbers_of_any_size_are_written_in_full(row_lines, rows):
    expected = [",".join(str(number) for cell in row for number in cell) for row in rows]
    assert row_lines(*columns(rows)) == "".join(f"{line}\n" for line in expected)


@compiled
def test_what_cannot_be_counts_is_refused():
    with pytest.raises(ValueError, match="negative"):
        native.row_lines(*columns([[(0, -1, 1)]]))
    starts, *rest = columns([[(0, 1, 1)]])
    with pytest.raises(IndexError, match="too short"):
        native.row_lines(starts + 1, *rest)
