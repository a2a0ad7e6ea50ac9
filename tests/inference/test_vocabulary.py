"""Which tokens are vocabulary, in the order of the filters, and what they add up to."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import ChoiceError, Hyperparameters
from nbtext.inference.filtering import Filtered
from nbtext.inference.vocabulary import Totals, Vocabulary
from nbtext.model.arrays import Loaded

from .. import oracle
from ..small import Case, cases, counted

LABELS = ["p", "q", "r", "s"]


def filtered(counts: Loaded, hyperparameters: Hyperparameters) -> Filtered:
    return Filtered(counts.counts, hyperparameters, counts.find(hyperparameters.stopwords))


def vocabulary(counts: Loaded, hyperparameters: Hyperparameters) -> list[str]:
    return [token for token, kept in zip(counts.tokens, filtered(counts, hyperparameters).kept, strict=True) if kept]


@given(cases("multinomial"))
def test_vocabulary_and_its_totals_are_those_of_the_filters_in_order(case: Case):
    counts = counted(case.corpus, LABELS)
    kept = set(vocabulary(counts, case.hyperparameters))
    assert kept == oracle.vocabulary(case.corpus, case.settings)
    totals = filtered(counts, case.hyperparameters).totals
    assert totals.vocabulary == len(kept)
    for index, label in enumerate(LABELS):
        inside = oracle.inside(case.corpus, label)
        frequency = {token: d for token, d in oracle.containing(inside).items() if token in kept}
        occurrences = (n for token, n in oracle.occurrences(inside).items() if token in kept)
        assert totals.documents[index] == len(inside)
        assert totals.sizes["occurrences"][index] == sum(occurrences)
        assert totals.sizes["frequency"][index] == sum(frequency.values())
        assert totals.spread[index] == Counter(frequency.values())


@given(cases("multinomial"))
def test_a_token_looked_up_alone_is_judged_as_among_all(case: Case):
    counts = counted(case.corpus, LABELS)
    among = filtered(counts, case.hyperparameters)
    alone = Vocabulary(case.hyperparameters, (counts.tokens[number] for number in among.dropped.tolist()))
    rows = counts.counts.rows(range(len(counts.tokens)))
    found = [alone.admits(token, row) for token, row in zip(counts.tokens, rows, strict=True)]
    assert found == among.kept.tolist()


@pytest.mark.parametrize(
    ("hyperparameters", "kept"),
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
def test_vocabulary_by_hand(hyperparameters: Hyperparameters, kept: str):
    counts = counted([("p", list("aabbc")), ("q", list("acd"))], LABELS)
    assert vocabulary(counts, hyperparameters) == kept.split()


def test_a_token_without_a_row_is_no_vocabulary():
    assert not Vocabulary(Hyperparameters()).admits("x", [])


@given(cases("bernoulli"), st.data())
def test_totals_are_those_of_all_tokens_added_one_by_one_whatever_came_and_went(case: Case, data: st.DataObject):
    counts = counted(case.corpus, LABELS)
    whole = Filtered(counts.counts, Hyperparameters(), np.empty(0, np.int64)).totals
    rows = counts.counts.rows(range(len(counts.tokens)))
    some = data.draw(st.lists(st.sampled_from(rows)))
    found = Totals(whole.documents)
    for times, changed in (1, some), (1, rows), (-1, some):
        for row in changed:
            found.add(row, times)
    assert vars(found) == vars(whole)  # a Counter takes 0 for nothing


@pytest.mark.parametrize(
    ("hyperparameters", "message"),
    [
        (Hyperparameters(drop_top=-1), "drop-top -1 is refused: the least is 0"),
        (Hyperparameters(min_count=0), "min-count 0 is refused: the least is 1"),
        (Hyperparameters(min_docs=0), "min-docs 0 is refused: the least is 1"),
        (Hyperparameters(alpha=0), "alpha 0 is refused: without a pseudo-count above 0"),
    ],
)
def test_numbers_out_of_range_are_refused(hyperparameters: Hyperparameters, message: str):
    with pytest.raises(ChoiceError, match=message):
        hyperparameters.checked()
