"""Scores of many documents at once: those of each looked up alone, and without itself those of a model made anew."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import event_models
from nbtext.counting.counts import Counts
from nbtext.counting.documents import Documents
from nbtext.inference.estimator import LARGEST_SUM, Estimator
from nbtext.inference.scorer import Scorer
from nbtext.inference.vocabulary import Vocabulary
from nbtext.plugins import names
from nbtext.settings import Hyperparameters

TOKENS, LABELS = 6, ["a", "b", "c"]

EVENT_MODELS = st.sampled_from(names(event_models))
HYPERPARAMETERS = st.builds(
    Hyperparameters,
    event_model=EVENT_MODELS,
    alpha=st.sampled_from([1.0, 0.1, 0.01, 3.5]),
    prior=st.sampled_from(["learned", "uniform"]),
    drop_top=st.integers(0, 3),
    min_count=st.integers(1, 3),
    min_docs=st.integers(1, 3),
    weights=st.just("none"),
    m=st.sampled_from([None, 0.3, 6.0]),
)
HYPERPARAMETERS = HYPERPARAMETERS.map(lambda chosen: chosen._replace(alpha=1.0) if chosen.m else chosen)
BAGS = st.dictionaries(st.integers(0, TOKENS - 1), st.integers(1, 3), min_size=1)
CORPORA = st.lists(st.tuples(st.integers(0, 2), BAGS), min_size=2, max_size=12)


def documents(corpus):
    """Documents of (class, {token: occurrences}) pairs."""
    bags = [bag for _, bag in corpus]
    starts = np.cumsum([0, *map(len, bags)])
    tokens = np.array([token for bag in bags for token in bag], np.int32)
    occurrences = np.array([n for bag in bags for n in bag.values()], np.int32)
    classes = np.array([index for index, _ in corpus], np.int32)
    return Documents(starts, tokens, occurrences, classes, np.arange(len(corpus)))


def estimator(some, hyperparameters, stopwords=()):
    counts = Counts.of(some, TOKENS, len(LABELS))
    return Estimator(counts, LABELS, hyperparameters, np.array(stopwords, np.int64))


def scored(values):
    return [tuple(row) for row in values.tolist()]


def assert_equal(table, other):
    assert scored(table.values) == scored(other.values)
    assert table.known.tolist() == other.known.tolist()
    assert table.heard.tolist() == other.heard.tolist()


@given(CORPORA, HYPERPARAMETERS, st.sets(st.integers(0, TOKENS - 1), max_size=2))
def test_many_documents_score_as_each_does_alone(corpus, hyperparameters, stopwords):
    some = documents(corpus)
    many = estimator(some, hyperparameters, sorted(stopwords))
    rows = dict(zip(map(str, range(TOKENS)), many.counts.rows(range(TOKENS)), strict=True))
    plain = hyperparameters._replace(stopwords=frozenset(map(str, stopwords)))
    alone = Scorer(
        many.linear,
        Vocabulary(plain, map(str, many.filtered.dropped.tolist())),
        lambda tokens: {token: rows[token] for token in tokens},
    )
    table = many.scores(some)
    assert [table.of(d) for d in range(some.size)] == [
        alone.scores({str(token): n for token, n in bag.items()}) for _, bag in corpus
    ]


@given(CORPORA, HYPERPARAMETERS, st.sets(st.integers(0, TOKENS - 1), max_size=2))
def test_a_document_left_out_scores_as_by_a_model_that_never_counted_it(corpus, hyperparameters, stopwords):
    some = documents(corpus)
    whole = estimator(some, hyperparameters, sorted(stopwords))
    left_out = whole.leave_one_out(some)
    for d in range(some.size):
        others = corpus[:d] + corpus[d + 1 :]
        expected = estimator(documents(others), hyperparameters, sorted(stopwords)).scores(some.some(np.array([d])))
        assert left_out.of(d) == expected.of(0)


def test_leaving_out_one_of_many_classes_takes_memory_for_the_classes_not_for_their_pairs():
    classes = 2000
    some = documents([(c, {0: 1, 1 + c % 5: 1}) for c in range(classes)] * 2)
    labels = [f"{c:04}" for c in range(classes)]
    whole = Estimator(Counts.of(some, TOKENS, classes), labels, Hyperparameters(), np.array([], np.int64))
    one = some.some(np.array([7]))
    tracemalloc.start()
    try:
        table = whole.leave_one_out(one)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000  # 2000 x 2000 floats are 32 million bytes
    finally:
        tracemalloc.stop()
    others = some.some(np.delete(np.arange(some.size), 7))
    without = Estimator(Counts.of(others, TOKENS, classes), labels, Hyperparameters(), np.array([], np.int64))
    assert table.of(0) == without.scores(one).of(0)


@given(CORPORA, HYPERPARAMETERS, st.data())
def test_what_is_taken_out_was_never_counted(corpus, hyperparameters, data):
    some = documents(corpus)
    chosen = data.draw(st.sets(st.sampled_from(range(len(corpus)))))
    without = estimator(some, hyperparameters).without(some.some(np.array(sorted(chosen), np.int64)))
    others = documents([each for d, each in enumerate(corpus) if d not in chosen])
    assert_equal(without.scores(some), estimator(others, hyperparameters).scores(some))


@pytest.mark.parametrize("name", names(event_models))
def test_sums_beyond_64_bits_are_exact(name):
    corpus = [(0, {0: 1 << 30, 1: 1}), (0, {1: 5, 2: 1}), (1, {0: 7, 2: 1 << 30}), (2, {0: 1, 1: 1, 2: 1})]
    some = documents(corpus)
    hyperparameters = Hyperparameters(event_model=name)
    whole = estimator(some, hyperparameters)
    sums = [[whole.linear.bias[j] for j in range(3)] for _ in corpus]
    for bag, total in zip((bag for _, bag in corpus), sums, strict=True):
        for token, n in bag.items():
            for j, weight in enumerate(whole.linear.weights(whole.counts.rows([token])[0])):
                total[j] += weight * (n if whole.linear.event_model.REPEATS else 1)
    assert (max(map(abs, sums[0])) > LARGEST_SUM) == whole.linear.event_model.REPEATS
    assert scored(whole.scores(some).values) == [tuple(each * 2.0**-44 for each in total) for total in sums]
    for d in range(len(corpus)):
        others = estimator(documents(corpus[:d] + corpus[d + 1 :]), hyperparameters)
        assert whole.leave_one_out(some).of(d) == others.scores(some.some(np.array([d]))).of(0)


@given(CORPORA, HYPERPARAMETERS, st.data())
def test_some_documents_score_alike_by_counts_of_their_own_tokens_alone(corpus, hyperparameters, data: Any):
    some = documents(corpus)
    whole = estimator(some, hyperparameters)
    chosen: list[int] = data.draw(st.lists(st.integers(0, len(corpus) - 1), unique=True))
    part = some.some(np.array(chosen, np.int64))
    narrowed, own = whole.narrowed(part)
    assert_equal(narrowed.scores(own), whole.scores(part))
