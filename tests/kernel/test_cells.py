"""Cells of pairs of a term and a class, whichever kernel finds them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .kernels import both

# Token 0 is in the classes 0 and 2, token 1 in none, token 2 in class 1
STARTS = np.array([0, 2, 2, 3])
CLASSES = np.array([0, 2, 1], np.int32)


@both("find_cells")
@pytest.mark.parametrize("integer", [np.int32, np.int64])
def test_every_pair_has_its_cell(find_cells, integer):
    out = np.full(4, -1)
    find_cells(np.array([2, 0, 0, 2], integer), np.array([1, 2, 0, 1], integer), STARTS, CLASSES, out)
    assert out.tolist() == [2, 1, 0, 2]


@both("find_cells")
def test_no_pair_has_no_cell(find_cells):
    none = np.empty(0, np.int32)
    find_cells(none, none, STARTS, CLASSES, np.empty(0, np.int64))
    find_cells(none, none, np.array([0]), none, np.empty(0, np.int64))


@both("find_cells")
@pytest.mark.parametrize(
    ("term", "label", "message"),
    [(3, 0, "a term has no cells"), (-1, 0, "a term has no cells"), (1, 0, "no cell of the class"), (2, 2, "no cell")],
)
def test_what_was_not_counted_is_refused(find_cells, term, label, message):
    with pytest.raises(IndexError, match=message):
        find_cells(np.array([term], np.int32), np.array([label], np.int32), STARTS, CLASSES, np.zeros(1, np.int64))


@both("find_cells")
@given(rows=st.lists(st.sets(st.integers(0, 5)), max_size=6))
def test_all_cells_are_found_in_order(find_cells, rows):
    starts = np.cumsum([0, *map(len, rows)])
    classes = np.array([label for row in rows for label in sorted(row)], np.int32)
    terms = np.repeat(np.arange(len(rows)), np.diff(starts)).astype(np.int32)
    out = np.full(len(classes), -1)
    find_cells(terms, classes, starts, classes, out)
    assert out.tolist() == list(range(len(classes)))
