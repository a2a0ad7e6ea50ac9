"""A reading: which tokens are vocabulary, in the order of the filters, and what they add up to."""

from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbtext.inference.reading import Totals, Vocabulary, most_frequent, totals_of

from nbtext import ChoiceError, Hyperparameters

from . import oracle
from .small import Case, cases, counted
from .test_counts import LABELS


def rows_of(corpus: oracle.Corpus) -> list[tuple[str, list[int]]]:
    return sorted(counted(corpus).rows(LABELS).items())


@given(cases("multinomial"))
def test_vocabulary_and_its_totals_are_those_of_the_filters_in_order(case: Case):
    rows = rows_of(case.corpus)
    vocabulary = Vocabulary(case.reading, most_frequent(rows, case.reading))
    kept = {token for token, row in rows if vocabulary.admits(token, row)}
    assert kept == oracle.vocabulary(case.corpus, case.settings)
    totals = totals_of(rows, vocabulary, [1] * len(LABELS))
    assert totals.vocabulary == len(kept)
    for index, label in enumerate(LABELS):
        inside = oracle.inside(case.corpus, label)
        presences = {token: d for token, d in oracle.containing(inside).items() if token in kept}
        assert totals.positions[index] == sum(n for token, n in oracle.occurrences(inside).items() if token in kept)
        assert totals.presences[index] == sum(presences.values())
        assert totals.spread is not None
        assert totals.spread[index] == Counter(presences.values())


@pytest.mark.parametrize(
    ("reading", "kept"),
    [
        (Hyperparameters(), "a b c d"),
        (Hyperparameters(stopwords=frozenset("az")), "b c d"),
        (Hyperparameters(drop_top=1), "b c d"),
        (Hyperparameters(drop_top=2), "c d"),  # b and c are as frequent: the first in sorted order goes
        (Hyperparameters(stopwords=frozenset("a"), drop_top=1), "c d"),  # a stopword takes no place among them
        (Hyperparameters(drop_top=9), ""),
        (Hyperparameters(min_count=2), "a b c"),
        (Hyperparameters(min_docs=2), "a c"),
        (Hyperparameters(drop_top=1, min_docs=2), "c"),  # what is dropped first does not count towards the rest
    ],
)
def test_vocabulary_by_hand(reading: Hyperparameters, kept: str):
    rows = rows_of([("p", list("aabbc")), ("q", list("acd"))])
    vocabulary = Vocabulary(reading, most_frequent(rows, reading))
    assert [token for token, row in rows if vocabulary.admits(token, row)] == kept.split()


def test_a_token_without_a_row_is_no_vocabulary():
    assert not Vocabulary(Hyperparameters()).admits("x", [])


@given(cases("bernoulli"), st.data())
def test_totals_are_the_same_after_tokens_have_come_and_gone(case: Case, data: st.DataObject):
    rows = rows_of(case.corpus)
    whole = totals_of(rows, Vocabulary(Hyperparameters()), [1] * 4)
    changed = whole.copy(spread=True)
    some = data.draw(st.lists(st.sampled_from(rows), unique_by=lambda row: row[0]))
    for _, row in some:
        changed.leave(row)
    for _, row in some:
        changed.enter(row)
    assert state(changed) == state(whole)


@dataclass
class State:
    """Totals that can be compared, zeros left out."""

    positions: list[int]
    presences: list[int]
    spread: list[dict[int, int]]
    vocabulary: int


def state(totals: Totals) -> State:
    spread = [{d: tokens for d, tokens in of_class.items() if tokens} for of_class in totals.spread or []]
    return State(totals.positions, totals.presences, spread, totals.vocabulary)


def test_a_copy_changes_apart():
    totals = Totals([1])
    totals.enter([0, 2, 1])
    totals.copy(spread=True).leave([0, 2, 1])
    assert state(totals) == State([2], [1], [{1: 1}], 1)


@pytest.mark.parametrize(
    ("reading", "message"),
    [
        (Hyperparameters(drop_top=-1), "drop-top -1 is refused: the least is 0"),
        (Hyperparameters(min_count=0), "min-count 0 is refused: the least is 1"),
        (Hyperparameters(min_docs=0), "min-docs 0 is refused: the least is 1"),
        (Hyperparameters(alpha=0), "alpha 0 is refused: without a pseudo-count above 0"),
    ],
)
def test_numbers_out_of_range_are_refused(reading: Hyperparameters, message: str):
    with pytest.raises(ChoiceError, match=message):
        reading.checked()
