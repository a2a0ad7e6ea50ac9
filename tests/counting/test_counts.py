"""Counts of documents: those of each class, whatever the order; parts added up and subtracted exactly."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nbtext.counting.counts import Counts
from nbtext.counting.rows import dense

from .. import oracle
from ..small import CORPORA, counted, matrix

LABELS = ["p", "q", "r", "s"]
TOKENS = "abcdefg"


def counts_of(corpus: oracle.Corpus, labels: list[str] = LABELS) -> Counts:
    return Counts.of(matrix(corpus, TOKENS, labels), len(TOKENS), len(labels))


def content(counts: Counts) -> tuple[list[int], list[list[int]]]:
    return counts.documents.tolist(), counts.rows(range(len(counts.starts) - 1))


@given(CORPORA)
def test_counts_are_the_occurrences_and_documents_of_each_class(corpus: oracle.Corpus):
    loaded = counted(corpus, LABELS)
    tokens, counts = loaded.tokens, loaded.counts
    assert tokens == sorted({token for _, text in corpus for token in text})
    rows = dict(zip(tokens, counts.rows(range(len(tokens))), strict=True))
    for index, label in enumerate(LABELS):
        inside = oracle.inside(corpus, label)
        assert counts.documents[index] == len(inside)
        for token, row in rows.items():
            assert dense(row, "occurrences", 4)[index] == oracle.occurrences(inside)[token]
            assert dense(row, "frequency", 4)[index] == oracle.containing(inside)[token]


@given(CORPORA, st.integers(0, 10))
def test_what_is_taken_out_leaves_the_counts_of_the_rest(corpus: oracle.Corpus, at: int):
    rest = counts_of(corpus).less(matrix(corpus[at:], TOKENS, LABELS))
    assert content(rest) == content(counts_of(corpus[:at]))


@given(CORPORA)
def test_classes_with_other_numbers_are_renumbered(corpus: oracle.Corpus):
    backward = counts_of(corpus, LABELS[::-1])
    assert content(backward.with_classes(np.array([3, 2, 1, 0]))) == content(counts_of(corpus))


@given(CORPORA, st.permutations(range(len(TOKENS))))
def test_counts_of_some_tokens_are_their_rows(corpus: oracle.Corpus, tokens: list[int]):
    counts = counts_of(corpus)
    some = tokens[:4]
    assert counts.some(np.array(some)).rows(range(4)) == counts.rows(some)


@given(CORPORA, st.integers(0, len(TOKENS)))
def test_counts_of_tokens_joined_are_those_of_all(corpus: oracle.Corpus, at: int):
    counts = counts_of(corpus)
    parts = [counts.some(np.arange(at)), counts.some(np.arange(at, len(TOKENS)))]
    assert content(Counts.joined(counts.documents, parts)) == content(counts)


def test_counts_of_no_parts_have_the_types_of_others():
    none = Counts.joined(np.zeros(2, np.int64), [])
    assert [column.dtype for column in none] == [np.int64, np.int64, np.int32, np.int64, np.int64]
