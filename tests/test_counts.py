"""Counts: addition and subtraction of documents, exact, whatever the order; rows as files hold them."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext.counting.counts import Row, dense, merged, shifted

from . import oracle
from .small import CORPORA, counted

LABELS = ["p", "q", "r", "s"]

ROWS = st.dictionaries(
    st.integers(0, 3), st.integers(1, 5).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, n)))
).map(lambda cells: [value for index in sorted(cells) for value in (index, *cells[index])])


@given(CORPORA)
def test_rows_hold_the_occurrences_and_documents_of_each_class(corpus: oracle.Corpus):
    rows = counted(corpus).rows(LABELS)
    assert rows.keys() == {token for _, tokens in corpus for token in tokens}
    for index, label in enumerate(LABELS):
        inside = oracle.inside(corpus, label)
        for token, row in rows.items():
            assert dense(row, 1, 4)[index] == oracle.occurrences(inside)[token]
            assert dense(row, 2, 4)[index] == oracle.containing(inside)[token]


@given(CORPORA, st.integers(0, 10))
def test_merged_parts_are_the_whole(corpus: oracle.Corpus, at: int):
    whole, first, second = (sorted(counted(part).rows(LABELS).items()) for part in (corpus, corpus[:at], corpus[at:]))
    numbers = range(4)
    assert list(merged([(numbers, second), (numbers, first)])) == whole


@given(CORPORA)
def test_runs_with_other_class_numbers_are_renumbered(corpus: oracle.Corpus):
    backward, forward = (sorted(counted(corpus).rows(labels).items()) for labels in (LABELS[::-1], LABELS))
    assert list(merged([([3, 2, 1, 0], backward)])) == forward


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
    ("row", "column", "expected"), [([], 1, [0, 0, 0]), ([1, 5, 2], 1, [0, 5, 0]), ([0, 3, 1, 2, 5, 2], 2, [1, 0, 2])]
)
def test_dense(row: Row, column: int, expected: Sequence[int]):
    assert dense(row, column, 3) == expected
