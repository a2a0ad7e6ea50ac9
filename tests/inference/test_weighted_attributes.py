"""One fitted weight for each attribute: found out of fold, kept by what changes a model, the same everywhere."""

import random
from collections.abc import Iterator
from fractions import Fraction
from math import log, pi

import numpy as np
import pytest

from nbtext import Analysis, Classifier, Document, Hyperparameters, Model, explain, merge, train_documents
from nbtext.classification.bulk import BulkScorer, Plan
from nbtext.counting.counts import Counts
from nbtext.counting.indexed import IndexedCorpus
from nbtext.counting.shards import index_documents
from nbtext.fields import Fields
from nbtext.inference.attributes import AttributeTokens
from nbtext.inference.estimator import Estimator
from nbtext.inference.features import Features, features
from nbtext.inference.kinds import kinded
from nbtext.inference.minimum import minimum
from nbtext.inference.regression import RIDGE, Regression
from nbtext.inference.weighting import KNOTS, Weighting
from nbtext.model.exchange import exported, imported
from nbtext.model.verifying import verify
from nbtext.training.learning import learn, unlearn
from nbtext.training.refitting import refit

from .. import oracle

FIELDS = Analysis(reader="csv", fields=Fields(category=("sky", "copy", "coin"), number=("age",)).spec())
WEIGHTED = Hyperparameters("complement-binary", weights="fitted")
WORDS = {"a": "red rust rose sun", "b": "sea sky sun rain", "c": "grass leaf rain rose"}
SKIES = {"a": "clear", "b": "grey", "c": "dark"}


def drawn(labels: str, size: int, seed: int = 1) -> Iterator[Document]:
    """Documents of each class in turn: a few words, a sky, the same sky again, a coin, and mostly an age."""
    dice = random.Random(seed)
    every = " ".join(WORDS.values()).split()
    for number in range(size):
        label = labels[number % len(labels)]
        text = " ".join(dice.choice(WORDS[label].split() if dice.random() < 0.4 else every) for _ in range(4))
        sky = SKIES[label] if dice.random() < 0.6 else dice.choice(list(SKIES.values()))
        known: list[tuple[str, str | float]] = [("sky", sky), ("copy", sky), ("coin", dice.choice(["head", "tail"]))]
        age = round(dice.gauss(2 * labels.index(label), 1.5), 2)
        attributes = known + [("age", age)] * (number % 5 > 0)
        yield Document([("", f"{text} n{number}")], label, f"n{number}", attributes=attributes)


def asked(documents: list[Document]) -> list[Document]:
    return [document._replace(label=None) for document in documents]


def trained(documents: list[Document], hyperparameters: Hyperparameters = WEIGHTED) -> Model:
    return train_documents(documents, None, FIELDS, hyperparameters)


def made(labels: str, documents: list[Document]) -> Features:
    corpus = IndexedCorpus(FIELDS)
    corpus.add(index_documents(documents, FIELDS))
    tokens = AttributeTokens(*corpus.tokens.attributes)
    counts = Counts.of(corpus.matrix, len(corpus.tokens), len(labels))
    kinds = kinded(corpus.tokens.shapes(), corpus.matrix, tagged=False)
    return features(Estimator(counts, list(labels), WEIGHTED, None, attribute_tokens=tokens), corpus.matrix, kinds)


@pytest.mark.parametrize("labels", ["ab", "abc"])
def test_what_attributes_say_is_estimated_without_each_fold(labels):
    documents = list(drawn(labels, 60))
    found = made(labels, documents)
    assert found.attributes == ("#age", "coin", "copy", "sky")
    for number in range(0, 60, 7):
        others = [
            (str(each.label), dict(each.attributes))
            for each, fold in zip(documents, found.folds.tolist(), strict=True)
            if fold != found.folds[number]
        ]
        own = dict(documents[number].attributes)
        expected = np.zeros((len(labels), 4))
        for place, name in enumerate(("coin", "copy", "sky"), 1):
            values = [(label, str(known[name])) for label, known in others]
            shares = oracle.category(values, str(own[name]), oracle.Settings())
            expected[:, place] = [log(shares[label]) for label in labels]
        if "age" in own:
            normal = oracle.number([(label, Fraction(str(p["age"]))) for label, p in others if "age" in p])
            expected[:, 0] = [
                float(normal[label].exponent(Fraction(str(own["age"])))) - log(2 * pi * normal[label].variance) / 2
                for label in labels
            ]
        expected -= expected.mean(axis=0)
        assert found.values[number, :, KNOTS:] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("labels", ["ab", "abc"])
def test_the_gradient_is_that_of_finite_differences(labels):
    found = made(labels, list(drawn(labels, 90)))
    function = Regression(found._replace(values=found.values.astype(np.float64)))
    at = np.random.default_rng(1).normal(size=function.size) * 0.1
    _, deviations, _ = function.split(at)
    deviations[:] *= function.deviates  # no class deviates from the weight of an attribute
    _, gradient = function(at)
    own = function.split(gradient)[1]
    assert not own[:, KNOTS:].any()
    for k in [*range(KNOTS, function.strata), *range(function.size - len(labels), function.size)]:
        moved = np.zeros(function.size)
        moved[k] = 1e-5
        slope = (function(at + moved)[0] - function(at - moved)[0]) / 2e-5
        assert gradient[k] == pytest.approx(slope, abs=1e-5)


def test_the_fit_is_that_of_scikit_learn_on_the_same_features():
    """Two classes, no smoothness, no common weights: then it is an ordinary ridge-penalised logistic regression."""
    linear_model = pytest.importorskip("sklearn.linear_model")
    found = made("ab", list(drawn("ab", 200)))
    found = found._replace(values=found.values.astype(np.float64), offsets=np.zeros(2))
    function = Regression(found)
    function.penalty = np.diag(np.full(function.strata, RIDGE))
    function.offsets = np.zeros((2, len(found.values)))
    departures, _, _ = function.split(minimum(function, np.zeros(function.size), 1e-13))
    difference = (found.values[:, 1] - found.values[:, 0]) * function.common
    design = np.hstack([difference, np.full((len(difference), 1), np.sqrt(2 * RIDGE))])
    theirs = linear_model.LogisticRegression(C=1 / RIDGE, fit_intercept=False, tol=1e-10, max_iter=10_000)
    theirs.fit(design, found.classes)
    assert departures[KNOTS:] == pytest.approx(theirs.coef_[0, KNOTS:-1], abs=1e-3)


def test_a_copy_shares_the_weight_of_its_original_and_a_coin_has_none():
    """Without weights a copied attribute would count twice."""
    weighting = trained(list(drawn("abc", 600))).weighting
    assert weighting
    worth = weighting.attributes
    assert list(worth) == ["#age", "coin", "copy", "sky"]
    assert worth["sky"] + worth["copy"] == pytest.approx(1, abs=0.25)
    assert worth["#age"] == pytest.approx(1, abs=0.25)
    alone = [[pair for pair in each.attributes if pair[0] != "copy"] for each in drawn("abc", 600)]
    single = trained([each._replace(attributes=own) for each, own in zip(drawn("abc", 600), alone, strict=True)])
    assert single.weighting
    assert single.weighting.attributes["sky"] == pytest.approx(1, abs=0.25)


@pytest.mark.parametrize("m", [None, 3.0])
def test_one_document_is_answered_as_among_many_and_its_terms_add_up(m):
    model = trained(list(drawn("abc", 120)), WEIGHTED._replace(m=m))
    classify = Classifier(model)
    questions = [*asked(list(drawn("abc", 40, seed=2))), Document([], attributes=[("sky", "purple"), ("age", 1e9)])]
    many = BulkScorer(model, Plan.of(classify)).answered(questions).decisions()
    assert list(many) == list(map(classify, questions))
    for document in questions:
        found = explain(model, document)
        for label, score in found.decision.scores.items():
            terms = found.bias[label] + sum(term.terms[label] for term in found.terms)
            assert terms == pytest.approx(score, rel=1e-12)


def test_changes_keep_the_weights_and_every_total():
    documents, others = list(drawn("abc", 120)), list(drawn("abc", 30, seed=2))
    model = trained(documents)
    before, weighting = list(exported(model)), model.weighting
    for each in others:
        learn(model, str(each.label), [each])
    verify(model)
    assert model.weighting == weighting
    for each in reversed(others):
        unlearn(model, str(each.label), [each])
    verify(model)
    assert list(exported(model)) == before
    again = imported((f"{line}\n".encode() for line in before), None)
    assert (again.weighting, list(exported(again))) == (weighting, before)
    merged = merge([model, trained(others, Hyperparameters())], None)
    verify(merged)
    assert merged.weighting == weighting


def test_fitting_anew_gives_the_weights_of_the_first_fit():
    """The weights that a model has are no part of what it is fitted on."""
    model = trained(list(drawn("abc", 120)))
    weighting = model.weighting
    assert refit(model) == weighting


def test_without_weights_attributes_count_as_they_did():
    documents = list(drawn("abc", 120))
    unweighted = WEIGHTED._replace(weights="none")
    by_choice = Classifier(trained(documents), unweighted, raw=True)
    plain = Classifier(trained(documents, unweighted), raw=True)
    for each in asked(documents[:20]):
        assert by_choice(each) == plain(each)


def test_plain_text_has_no_word_of_attributes_in_its_weights():
    texts = [each._replace(attributes=()) for each in drawn("abc", 120)]
    model = train_documents(texts, None, Analysis(), WEIGHTED)
    assert model.weighting
    assert "attributes" not in model.weighting.plain()
    assert Weighting.of(model.weighting.plain()) == model.weighting


def test_documents_of_attributes_alone_are_weighted_too():
    documents = [
        each._replace(parts=[], attributes=[("sky", SKIES[str(each.label)]), *each.attributes[2:]])
        for each in drawn("abc", 90)
    ]
    model = trained(documents)
    assert Classifier(model)(Document([], attributes=[("sky", "grey")])).label == "b"
