"""Scores of a batch: exact integers, whichever kernel adds them up."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .kernels import both

# Token 0 weighs 1 in class 0 and 10 in class 2, token 1 nothing, token 2 a hundred in class 1
TOKEN_STARTS = np.array([0, 2, 2, 3])
CLASSES = np.array([0, 2, 1], np.int32)
WEIGHTS = np.array([1, 10, 100])


def batch(*documents: dict[int, int]) -> tuple[Any, Any, Any]:
    """The sparse matrix of documents, each a dictionary from a term to its occurrences."""
    starts = np.cumsum([0, *map(len, documents)])
    terms = [term for document in documents for term in document]
    occurrences = [number for document in documents for number in document.values()]
    return starts, np.array(terms, np.int32), np.array(occurrences, np.int32)


@both("score")
def test_weight_is_added_for_each_occurrence(score):
    out = np.array([5, 6, 7, 0, 0, 0])
    score(*batch({0: 3}, {2: 1, 0: 1}), TOKEN_STARTS, CLASSES, WEIGHTS, 3, out)
    assert out.tolist() == [5 + 3, 6, 7 + 30, 1, 100, 10]


@both("score")
def test_terms_without_weights_and_unknown_ones_add_nothing(score):
    out = np.zeros(9, np.int64)
    score(*batch({1: 4}, {-1: 2}, {}), TOKEN_STARTS, CLASSES, WEIGHTS, 3, out)
    assert not out.any()


@both("score")
def test_large_integers_stay_exact(score):
    out = np.zeros(1, np.int64)
    large = (1 << 60) + 1
    score(*batch({0: 7}), np.array([0, 1]), np.array([0]), np.array([large]), 1, out)
    assert out.tolist() == [7 * large]


@both("score")
@pytest.mark.parametrize("integer", [np.int32, np.int64])
def test_terms_and_classes_have_32_or_64_bits(score, integer):
    out = np.zeros(3, np.int64)
    starts, terms, occurrences = batch({0: 1})
    score(starts, terms.astype(integer), occurrences, TOKEN_STARTS, CLASSES.astype(integer), WEIGHTS, 3, out)
    assert out.tolist() == [1, 0, 10]


@both("score")
def test_nothing_to_score(score):
    out = np.zeros(0, np.int64)
    score(*batch(), TOKEN_STARTS, CLASSES, WEIGHTS, 3, out)


@both("score")
@pytest.mark.parametrize(
    ("document", "classes", "message"),
    [({3: 1}, 3, "a term has no cells"), ({0: 1}, 2, "a cell's class is not below class_count")],
)
def test_what_leads_outside_is_refused(score, document, classes, message):
    with pytest.raises(IndexError, match=message):
        score(*batch(document), TOKEN_STARTS, CLASSES, WEIGHTS, classes, np.zeros(classes, np.int64))


documents = st.lists(st.dictionaries(st.integers(-2, 2), st.integers(1, 5)), max_size=5)


@both("score")
@given(found=documents)
def test_scores_are_the_sums_of_the_dense_matrix(score: Any, found: list[dict[int, int]]) -> None:
    dense = np.array([[1, 0, 10], [0, 0, 0], [0, 100, 0]])
    expected = [
        sum((dense[term] * number for term, number in document.items() if term >= 0), np.zeros(3, int))
        for document in found
    ]
    out = np.zeros(3 * len(found), np.int64)
    score(*batch(*found), TOKEN_STARTS, CLASSES, WEIGHTS, 3, out)
    assert out.tolist() == np.ravel(expected).tolist()
