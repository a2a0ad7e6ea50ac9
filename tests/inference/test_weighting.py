"""Weighted evidence: the same for one document and many, and fitted as a regression written independently would be."""

import random
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import Analysis, Document
from nbtext.counting.counts import Counts
from nbtext.counting.indexed import IndexedCorpus
from nbtext.counting.shards import index_documents
from nbtext.errors import ChoiceError
from nbtext.inference.estimator import Estimator
from nbtext.inference.features import Features, features
from nbtext.inference.fitting import fit, too_few
from nbtext.inference.folding import FOLDS, folds
from nbtext.inference.kinds import kinded
from nbtext.inference.minimum import minimum
from nbtext.inference.regression import DEVIATION, RIDGE, Regression
from nbtext.inference.scorer import Scorer
from nbtext.inference.vocabulary import Vocabulary
from nbtext.inference.weighting import FREQUENCIES, KNOTS, SPREADS, Kinds, WeightedLinear, Weighting, corners
from nbtext.settings import Hyperparameters

WEIGHTED = Hyperparameters(event_model="complement-binary", weights="fitted")
WORDS = {"a": "red rust rose sun", "b": "sea sky sun rain", "c": "grass leaf rain rose"}


def drawn(labels, size, seed=1, tags=("",)):
    """Documents of each class in turn, of words that are more or less its own."""
    dice = random.Random(seed)
    every = " ".join(WORDS.values()).split()
    for number in range(size):
        label = labels[number % len(labels)]
        pools = [WORDS[label].split() if dice.random() < 0.6 else every for _ in range(dice.randint(2, 9))]
        yield Document([(dice.choice(tags), " ".join(dice.choice(pool) for pool in pools))], label)


def corpus(documents, ngrams=2):
    found = IndexedCorpus(Analysis(ngrams=ngrams))
    found.add(index_documents(documents, Analysis(ngrams=ngrams)))
    return found


def estimator(found, documents=None, hyperparameters=WEIGHTED):
    some = found.matrix if documents is None else documents
    return Estimator(Counts.of(some, len(found.tokens), len(found.labels)), found.labels, hyperparameters)


def fitted(found, *, tagged=False):
    kinds = kinded(found.tokens.shapes(), found.matrix, tagged=tagged)
    return estimator(found).weighed(fit(estimator(found), found.matrix, kinds).weighting, kinds.numbers), kinds.kinds


def cold(weighted, kinds, found):
    """The scorer of single documents, which looks tokens up one by one."""
    texts = found.tokens.texts()
    rows = {text: row for text, row in zip(texts, weighted.counts.rows(range(len(texts))), strict=True) if row}
    linear = WeightedLinear(
        weighted.hyperparameters, found.labels, weighted.evidence.totals, weighted.weighted.weighting, kinds
    )
    look_up = lambda tokens: {token: rows[token] for token in tokens if token in rows}  # noqa: E731
    return Scorer(weighted.linear, Vocabulary(weighted.hyperparameters), look_up, linear)


@pytest.mark.parametrize("labels", ["ab", "abc"])
@pytest.mark.parametrize("tags", [("",), ("", "subject", "from")])
def test_one_document_scores_as_many_do_to_the_last_bit(labels, tags):
    found = corpus(drawn(labels, 120, tags=tags))
    weighted, kinds = fitted(found, tagged=len(tags) > 1)
    assert kinds.names == ["word", "pair", *sorted(filter(None, tags))]
    scorer, table = cold(weighted, kinds, found), weighted.scores(found.matrix)
    texts = found.tokens.texts()
    for document, (tokens, occurrences) in enumerate(found.matrix.bags()):
        bag = {texts[token]: n for token, n in zip(tokens, occurrences, strict=True)}
        assert scorer.scores(bag) == table.of(document)


def test_documents_are_scored_by_counts_as_large_as_a_model_can_have():
    """No table is as long as the largest document frequency: it would not fit into memory."""
    found = corpus(drawn("abc", 120))
    weighted, kinds = fitted(found)
    counts = weighted.counts
    large = {name: getattr(counts, name) * 10**12 for name in ("documents", "occurrences", "frequency")}
    many = weighted.over(counts._replace(**large))
    scorer, texts, [(tokens, occurrences)] = cold(many, kinds, found), found.tokens.texts(), found.matrix.bags()[:1]
    bag = {texts[token]: n for token, n in zip(tokens, occurrences, strict=True)}
    assert scorer.scores(bag) == many.scores(found.matrix).of(0)


def test_what_tokens_add_and_the_bias_are_the_score():
    found = corpus(drawn("abc", 120))
    weighted, kinds = fitted(found)
    scorer = cold(weighted, kinds, found)
    bag = {"red": 3, "sun": 1, "sea sky": 1, "unheard": 1}
    terms = scorer.weighted(bag)
    assert {term.token: term.value for term in terms} == {"red": 1, "sun": 1, "sea sky": 1}
    added = [bias + sum(term.weights[j] for term in terms) for j, bias in enumerate(scorer.bias)]
    assert added == pytest.approx(scorer.scores(bag).values)


def test_a_document_of_unknown_tokens_scores_prior_and_bias():
    found = corpus(drawn("abc", 120))
    weighted, kinds = fitted(found)
    scores = cold(weighted, kinds, found).scores({"unheard": 1})
    expected = [log(1 / 3) + weighted.weighted.weighting.bias(label) for label in "abc"]
    assert (scores.values, scores.known, scores.heard) == (pytest.approx(expected), 0, False)


@given(st.integers(1, 10_000), st.floats(0, 20))
def test_the_shares_of_the_knots_around_a_token_are_those_of_bilinear_interpolation(documents, spread):
    around = corners(documents, spread)
    assert sum(corner.share for corner in around) == pytest.approx(1)
    assert all(0 <= corner.share <= 1 and 0 <= corner.knot < KNOTS for corner in around)
    frequency = sum(corner.share * log(FREQUENCIES[corner.knot // len(SPREADS)]) for corner in around)
    assert frequency == pytest.approx(min(log(documents), log(FREQUENCIES[-1])))
    apart = sum(corner.share * SPREADS[corner.knot % len(SPREADS)] for corner in around)
    assert apart == pytest.approx(min(max(spread, SPREADS[0]), SPREADS[-1]))


# --- the oracle: everything again, from its definition ---


def log_estimate(token, label, trained, kind_of):
    """-log P(token | not label): complement over documents, alpha 1, totals of the token's own kind."""
    outside = [set(tokens) for other, tokens in trained if other != label]
    vocabulary = {t for _, tokens in trained for t in tokens if kind_of(t) == kind_of(token)}
    size = sum(sum(kind_of(t) == kind_of(token) for t in tokens) for tokens in outside)
    return -log((sum(token in tokens for tokens in outside) + 1) / (size + len(vocabulary)))


def features_by_definition(tokens, trained, labels):
    """C x S features of one document, by training on the others from scratch."""
    kind_of = lambda token: token.count(" ")  # noqa: E731
    frequency = {t: sum(t in set(own) for _, own in trained) for t in set(tokens)}
    known = [t for t, n in frequency.items() if n]
    lengths = [sum(kind_of(t) == kind for t in known) for kind in range(2)]
    found = np.zeros((len(labels), 2 * KNOTS))
    for token in known:
        values = np.array([log_estimate(token, label, trained, kind_of) for label in labels])
        values -= values.mean()
        spread = np.abs(values).max() if len(labels) == 2 else 0.7 * np.abs(values).max()
        at = min(log(frequency[token]), log(64)), min(max(spread, 0.2), 3.0)
        for i in range(len(FREQUENCIES)):
            for j in range(len(SPREADS)):
                hats = []
                for x, knots, place in (at[0], list(map(log, FREQUENCIES)), i), (at[1], SPREADS, j):
                    hats.append(np.interp(x, knots, np.eye(len(knots))[place]))
                found[:, kind_of(token) * KNOTS + i * len(SPREADS) + j] += hats[0] * hats[1] * values
    return found / np.sqrt(np.repeat(lengths, KNOTS) + 1)


@pytest.mark.parametrize("labels", ["ab", "abc"])
def test_features_are_those_of_models_trained_anew_without_each_fold(labels):
    documents = list(drawn(labels, 60, seed=3))
    found = corpus(documents)
    kinds = kinded(found.tokens.shapes(), found.matrix, tagged=False)
    got = features(estimator(found), found.matrix, kinds)
    tokens = [Analysis(ngrams=2).tokens()(document) for document in documents]
    for number in range(0, 60, 7):
        others = [
            (document.label, tokens[other])
            for other, document in enumerate(documents)
            if got.folds[other] != got.folds[number]
        ]
        expected = features_by_definition(tokens[number], others, labels)
        assert got.values[number] == pytest.approx(expected, abs=1e-6)


def regression(labels="abc", size=150):
    found = corpus(drawn(labels, size))
    kinds = kinded(found.tokens.shapes(), found.matrix, tagged=False)
    made = features(estimator(found), found.matrix, kinds)
    return made._replace(values=made.values.astype(np.float64))


@pytest.mark.parametrize("labels", ["ab", "abc"])
def test_the_gradient_is_that_of_finite_differences(labels):
    function = Regression(regression(labels))
    dice = np.random.default_rng(1)
    at = dice.normal(size=function.size) * 0.1
    shared, deviations, biases = function.split(at)
    if len(labels) == 2:
        deviations[:] = 0  # which two classes have none of
    _, gradient = function(at)
    step = 1e-5
    free = [k for k in range(function.size) if len(labels) > 2 or not len(shared) <= k < function.size - len(biases)]
    for k in free:
        moved = np.zeros(function.size)
        moved[k] = step
        slope = (function(at + moved)[0] - function(at - moved)[0]) / (2 * step)
        assert gradient[k] == pytest.approx(slope, abs=1e-5)


def test_the_fit_is_that_of_scikit_learn_on_the_same_features():
    """Two classes, without smoothness and common weight: then it is an ordinary ridge-penalised logistic regression."""
    linear_model = pytest.importorskip("sklearn.linear_model")
    made = regression("ab", 200)
    function = Regression(made)
    function.penalty = np.diag(np.full(function.strata, RIDGE))
    function.offsets = np.zeros((2, len(made.values)))
    departures, _, biases = function.split(minimum(function, np.zeros(function.size), 1e-13))
    difference = (made.values[:, 1] - made.values[:, 0]) * function.common
    # the bias of the two classes is one number and its opposite, so that its penalty is half as large as that of one
    design = np.hstack([difference, np.full((len(difference), 1), np.sqrt(2 * RIDGE))])
    theirs = linear_model.LogisticRegression(C=1 / RIDGE, fit_intercept=False, tol=1e-10, max_iter=10_000)
    theirs.fit(design, made.classes)
    posteriors = 1 / (1 + np.exp(-(difference @ departures + biases[1] - biases[0])))
    assert posteriors == pytest.approx(theirs.predict_proba(design)[:, 1], abs=1e-4)


def test_weights_that_may_not_depart_are_the_one_that_does_best():
    made = regression("ab", 200)
    function = Regression(made)
    function.penalty = np.diag(np.full(function.strata, 1e9))
    numbers = function.numbers(minimum(function, np.zeros(function.size), 1e-13))
    assert numbers.shared == pytest.approx(np.full(function.strata, function.common))

    def loss(weight):
        scores = numbers._replace(shared=np.full(function.strata, weight)).scores(made)
        own = scores[np.arange(len(scores)), made.classes]
        return (np.logaddexp(*scores.T) - own).sum()

    assert loss(function.common) < min(loss(0.95 * function.common), loss(1.05 * function.common))


def test_evidence_that_says_nothing_weighs_next_to_nothing():
    dice = random.Random(5)
    documents = [Document([("", " ".join(dice.sample("abcdefgh", 3)))], dice.choice("xy")) for _ in range(200)]
    found = corpus(documents)
    scores = fitted(found)[0].scores(found.matrix).values
    assert np.abs(scores[:, 1] - scores[:, 0]).max() < 0.5


def test_a_document_of_a_small_corpus_is_held_out_from_the_evidence_for_the_weights_too():
    found = corpus(drawn("abc", 60))
    kinds = kinded(found.tokens.shapes(), found.matrix, tagged=False)
    held = fit(estimator(found), found.matrix, kinds, held_out=True).held_out
    fold = folds(found.matrix, FOLDS) == 3
    others = found.matrix.some(np.flatnonzero(~fold))
    trained = estimator(found, others)
    trained = trained.weighed(fit(trained, others, kinds).weighting, kinds.numbers)
    assert held
    assert np.array_equal(held.values[fold], trained.scores(found.matrix.some(np.flatnonzero(fold))).values)


def test_a_long_part_of_one_kind_does_not_drown_the_others():
    found = corpus(drawn("ab", 120, tags=("", "subject")))
    weighted, kinds = fitted(found, tagged=True)
    scorer = cold(weighted, kinds, found)
    of_subject = lambda bag: {t.token: t.weights for t in scorer.weighted(bag) if t.token == "subject:red"}  # noqa: E731
    assert of_subject({"subject:red": 1}) == of_subject({"subject:red": 1, "sea": 1, "sky": 1, "sea sky": 1})
    [alone], [beside] = (
        of_subject(bag).values() for bag in ({"subject:red": 1}, {"subject:red": 1, "subject:sun": 1, "subject:sea": 1})
    )
    assert beside == pytest.approx([weight * np.sqrt(2 / 4) for weight in alone])


def test_the_fit_of_three_classes_is_that_of_scikit_learn_on_the_same_features():
    """Strata of which each class has some to itself: then departures and deviations are its own coefficients.

    They add up as v = u + unit e, with the penalties RIDGE u^2 and C DEVIATION e^2: the least for v is q v^2, as below.
    """
    linear_model = pytest.importorskip("sklearn.linear_model")
    dice = np.random.default_rng(1)
    size, classes = 300, 3
    told = dice.normal(size=(size, KNOTS)) * np.linspace(0.5, 2, KNOTS)
    truth = (told[:, :classes] + dice.normal(size=(size, classes))).argmax(axis=1)
    values = np.zeros((size, classes, classes * KNOTS))
    for index in range(classes):
        values[:, index, index * KNOTS : (index + 1) * KNOTS] = told
    function = Regression(Features(values, np.ones(size, int), truth, np.zeros(size, int), np.zeros(classes)))
    function.penalty = np.diag(np.full(function.strata, RIDGE))
    function.offsets = np.zeros((classes, size))
    q = 1 / (1 / RIDGE + np.square(function.unit[:KNOTS]) / function.deviation_penalty)
    design = np.hstack([told * function.common[:KNOTS] / np.sqrt(q), np.ones((size, 1))])
    theirs = linear_model.LogisticRegression(C=1, fit_intercept=False, tol=1e-10, max_iter=10_000)
    theirs.fit(design, truth)
    for found, exact in (minimum(function, np.zeros(function.size), 1e-13), 1e-4), (function.minimised(), 0.01):
        _, deviations, biases = function.split(found)
        departures = function.split(found)[0] + function.unit * deviations
        odds = np.exp(np.einsum("dcs,cs->dc", values * function.common, departures) + biases)
        assert odds / odds.sum(axis=1, keepdims=True) == pytest.approx(theirs.predict_proba(design), abs=exact)


def test_of_two_classes_none_deviates_and_of_three_they_do_a_little():
    two, three = (fit_of(labels) for labels in ("ab", "abc"))
    assert not any(number for own in two.deviations.values() for row in own.values() for number in row)
    assert any(number for own in three.deviations.values() for row in own.values() for number in row)
    assert DEVIATION > RIDGE


def fit_of(labels):
    return fitted(corpus(drawn(labels, 120)))[0].weighted.weighting


# --- folds, kinds, numbers ---


def test_equal_texts_share_a_fold_and_order_changes_none():
    documents = [*drawn("abc", 90), *drawn("abc", 30)]
    straight, reversed_ = corpus(documents), corpus(documents[::-1])
    numbers = folds(straight.matrix, FOLDS)
    assert numbers.tolist() == folds(reversed_.matrix, FOLDS).tolist()[::-1]
    by_digest: dict[int, int] = {}
    for digest, number in zip(straight.matrix.digests.tolist(), numbers.tolist(), strict=True):
        assert by_digest.setdefault(digest, number) == number
    for index in range(3):
        shares = np.bincount(numbers[:90][straight.matrix.classes[:90] == index], minlength=FOLDS)
        assert shares.max() - shares.min() <= 1


def test_the_order_of_documents_changes_no_fitted_number():
    documents = list(drawn("abc", 120))
    first, second = (fitted(corpus(some))[0].weighted.weighting for some in (documents, documents[::-1]))
    assert first == second


def test_a_tag_of_few_documents_is_no_kind():
    documents = [*drawn("ab", 95, tags=("", "subject")), *drawn("ab", 3, tags=("rare",))]
    found = corpus(documents)
    kinds = kinded(found.tokens.shapes(), found.matrix, tagged=True)
    assert kinds.kinds.names == ["word", "pair", "subject"]
    texts = found.tokens.texts()
    assert kinds.numbers.tolist() == list(map(kinds.kinds, texts))
    assert {kinds.kinds.names[kinds.kinds(text)] for text in texts if text.startswith("rare:")} <= {"word", "pair"}


def test_a_class_that_came_after_the_fit_has_the_shared_weights():
    weighting = fit_of("abc")
    assert weighting.of_class("new") == [number for kind in weighting.kinds for number in weighting.shared[kind]]
    assert weighting.bias("new") == 0


def test_numbers_survive_being_written():
    weighting = fit_of("abc")
    assert Weighting.of(weighting.plain()) == weighting


@pytest.mark.parametrize(
    "change",
    [
        {"documents": 0},
        {"kinds": ["word"]},
        {"kinds": ["word", "word"]},
        {"shared": {"word": [1.0], "pair": [1.0]}},
        {"biases": {"a": "much"}},
        {"biases": {"a": float("inf")}},
        {"deviations": {"a": {}}},
        {"more": 1},
    ],
)
def test_impossible_numbers_are_refused(change):
    with pytest.raises(ChoiceError, match="no fitted weights"):
        Weighting.of({**fit_of("abc").plain(), **change})


@pytest.mark.parametrize(
    ("labels", "size", "why"),
    [("ab", 20, "20 documents are too few"), ("a", 60, "there is one class only"), ("ab", 60, "")],
)
def test_too_few_documents_are_told(labels, size, why):
    assert too_few(estimator(corpus(drawn(labels, size)))).startswith(why)


def test_an_event_model_that_hears_absence_is_refused():
    found = corpus(drawn("ab", 60))
    kinds = kinded(found.tokens.shapes(), found.matrix, tagged=False)
    bernoulli = estimator(found, hyperparameters=WEIGHTED._replace(event_model="bernoulli"))
    with pytest.raises(ChoiceError, match="absent tokens"):
        fit(bernoulli, found.matrix, kinds)


def test_leave_one_out_is_refused():
    found = corpus(drawn("ab", 60))
    weighted, _ = fitted(found)
    with pytest.raises(ChoiceError, match="use folds"):
        weighted.leave_one_out(found.matrix)


def test_scores_held_out_know_neither_counts_nor_weights_of_their_fold():
    """A document whose words nobody else has is scored by prior and bias alone, whatever its class says."""
    documents = [*drawn("ab", 80), Document([("", "unheard")], "a"), Document([("", "unseen")], "b")]
    found = corpus(documents)
    kinds = kinded(found.tokens.shapes(), found.matrix, tagged=False)
    table = fit(estimator(found), found.matrix, kinds, held_out=True).held_out
    assert table
    assert table.known[-2:].tolist() == [0, 0]
    assert table.values[-2:].sum(axis=1) == pytest.approx(2 * log(0.5))  # the biases of two classes are opposite


def test_kinds_tell_tagged_tokens_only_where_there_are_tags():
    assert Kinds(["word", "subject"], tagged=False)("subject:win") == 0
    assert Kinds(["word", "subject"], tagged=True)("subject:win") == 1


def test_features_of_nothing_known_are_zero():
    made = regression("ab", 60)
    assert isinstance(made, Features)
    assert made.values.shape == (60, 2, 2 * KNOTS)
