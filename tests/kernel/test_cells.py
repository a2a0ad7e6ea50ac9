"""Cells of pairs of a term and a class, whichever kernel finds them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext.kernel import cells as by_numpy

from .kernels import both, compiled, native

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


CELLS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(1, 2**40), st.integers(1, 2**40)))


def columns(cells):
    tokens, classes, occurrences, frequency = np.array(cells or np.empty((0, 4)), np.int64).T
    return tokens.astype(np.int32), classes.astype(np.int32), occurrences.copy(), frequency.copy()


@both("sum_cells")
@given(CELLS)
def test_cells_of_the_same_token_and_class_are_added_up(sum_cells, cells):
    starts, *found = sum_cells(5, 3, *columns(cells))
    expected = {
        place: [sum(cell[column] for cell in cells if cell[:2] == place) for column in (2, 3)]
        for place in sorted({cell[:2] for cell in cells})
    }
    assert np.repeat(np.arange(5), np.diff(starts)).tolist() == [token for token, _ in expected]
    assert [column.tolist() for column in found] == [
        [label for _, label in expected],
        [occurrences for occurrences, _ in expected.values()],
        [frequency for _, frequency in expected.values()],
    ]
    assert starts[-1] == len(found[0])


@both("sum_cells")
@pytest.mark.parametrize("cell", [(5, 0, 1, 1), (-1, 0, 1, 1), (0, 3, 1, 1), (0, -1, 1, 1)])
def test_a_cell_outside_the_table_is_refused(sum_cells, cell):
    with pytest.raises(IndexError, match="token or class"):
        sum_cells(5, 3, *columns([(1, 1, 1, 1), cell]))


@compiled
def test_columns_of_cells_that_differ_in_length_are_refused():
    whole = columns([(1, 1, 1, 1), (2, 1, 1, 1)])
    for short in range(1, 4):
        with pytest.raises(IndexError, match="too short"):
            native.sum_cells(5, 3, *(column[: 1 + (at != short)] for at, column in enumerate(whole)))


ENTRIES = st.lists(st.tuples(st.integers(0, 2), st.dictionaries(st.integers(-2, 2), st.integers(1, 2**31 - 1))))


@both("count_entries")
@given(ENTRIES)
def test_entries_of_documents_are_counted_as_cells_are_added_up(count_entries, documents):
    cells = [
        (term if term >= 0 else 3 + ~term, label, occurrences, 1)
        for label, bag in documents
        for term, occurrences in bag.items()
    ]
    entries = np.array([entry for _, bag in documents for entry in bag.items()] or np.empty((0, 2)), np.int32)
    starts = np.cumsum([0, *(len(bag) for _, bag in documents)])
    classes = np.array([label for label, _ in documents], np.int32)
    found = count_entries(3, 2, 3, starts, *map(np.ascontiguousarray, entries.T), classes)
    assert [column.tolist() for column in found] == [
        column.tolist() for column in by_numpy.sum_cells(5, 3, *columns(cells))
    ]


@both("count_entries")
@pytest.mark.parametrize(("term", "label"), [(3, 0), (-3, 0), (0, 3), (0, -1)])
def test_an_entry_of_no_term_or_class_is_refused(count_entries, term, label):
    document = np.array([0, 1]), *np.array([[term], [1], [label]], np.int32)
    with pytest.raises(IndexError, match="too large"):
        count_entries(3, 2, 3, *document)


@both("count_entries")
@pytest.mark.parametrize("label", [3, -1])
def test_a_document_of_no_class_is_refused_though_it_has_no_entries(count_entries, label):
    none = np.empty(0, np.int32)
    with pytest.raises(IndexError, match="too large"):
        count_entries(3, 2, 3, np.array([0, 0]), none, none, np.array([label], np.int32))


@both("count_entries")
def test_no_entries_are_columns_of_the_same_types(count_entries):
    found = count_entries(1, 0, 1, np.array([0]), *[np.empty(0, np.int32)] * 3)
    assert [column.dtype for column in found] == [np.int64, np.int32, np.int64, np.int64]


@compiled
def test_entries_that_are_fewer_than_documents_say_are_refused():
    with pytest.raises(IndexError, match="too short"):
        native.count_entries(3, 2, 3, np.array([0, 2]), *np.array([[0], [1], [0]], np.int32))


@both("sorted_rows")
@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3)))
def test_rows_are_sorted_by_the_first_column_then_by_the_next(sorted_rows, rows):
    columns = np.array(rows or np.empty((0, 3)), np.int32).T.copy()
    assert sorted_rows(columns, 5).tolist() == sorted(range(len(rows)), key=rows.__getitem__)


@both("sorted_rows")
@pytest.mark.parametrize("number", [-1, 5])
def test_a_number_outside_the_range_is_refused(sorted_rows, number):
    with pytest.raises(IndexError, match="too large"):
        sorted_rows(np.array([[number]], np.int32), 5)


@both("subtract_entries")
def test_entries_are_taken_out_and_empty_cells_left_out(subtract_entries):
    whole = STARTS, CLASSES, np.array([5, 2, 9]), np.array([3, 1, 2])
    cells, times = np.array([1, 0, 0]), np.array([2, 1, 3], np.int32)
    found = subtract_entries(*whole, cells, times)
    assert [column.tolist() for column in found] == [[0, 1, 1, 2], [0, 1], [1, 9], [1, 2]]


@both("subtract_entries")
@given(CELLS)
def test_no_entries_leave_all_cells(subtract_entries, cells):
    whole = by_numpy.sum_cells(5, 3, *columns(cells))
    found = subtract_entries(*whole, np.empty(0, np.int64), np.empty(0, np.int32))
    assert [column.tolist() for column in found] == [column.tolist() for column in whole]


@compiled
def test_an_entry_of_no_cell_is_refused():
    for cell in -1, 3:
        with pytest.raises(IndexError, match="no such cell"):
            native.subtract_entries(
                STARTS, CLASSES, np.ones(3, np.int64), np.ones(3, np.int64), np.array([cell]), np.ones(1, np.int32)
            )
