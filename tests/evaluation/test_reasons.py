"""Reasons of errors: what a model that has not learned the document makes of it."""

from array import array
from collections import Counter
from math import fsum, log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbtext.inference.reading import Hyperparameters

from nbtext.evaluation.examples import Example
from nbtext.evaluation.reasons import SLIGHT, insight, worst
from nbtext.evaluation.trial import Memory
from nbtext.inference.keywords import Lexicon
from nbtext.metrics import Prediction
from nbtext.training.training import train_documents


def example(name: str, label: str, text: str) -> Example:
    bag = Counter(text.split())
    return Example(name, label, hash(text), tuple(bag), array("I", bag.values()))


CORPUS = [
    example("1", "ham", "lunch at noon"),
    example("2", "ham", "lunch at one"),
    example("3", "spam", "win cash at noon"),
    example("4", "spam", "win win now"),
    example("5", "spam", "lunch lunch now"),
]


def test_telling_tokens_are_those_of_the_model():
    texts = {label: [" ".join(each.bag) for each in CORPUS if each.label == label] for label in ("ham", "spam")}
    documents = [example(str(n), label, text) for label in texts for n, text in enumerate(texts[label])]
    assert insight(documents, Hyperparameters(), [], words=3).telling == Lexicon(train_documents(texts)).telling(3)


def wrong(name: str, confidence: float, answer: str = "ham", truth: str = "spam") -> Prediction:
    return Prediction(name, truth, answer, {answer: confidence, truth: 1 - confidence})


def test_worst_are_the_wrong_answers_of_most_confidence_each_document_once():
    right = wrong("right", 0.99, truth="ham")
    found = worst([wrong("b", 0.8), right, wrong("c", 0.6), wrong("a", 0.8), wrong("c", 0.9)], top=3)
    assert [(each.name, each.confidence) for each in found] == [("c", 0.9), ("a", 0.8), ("b", 0.8)]


def test_reasons_are_those_of_a_model_that_has_not_learned_the_document():
    (reasons,) = insight(CORPUS, Hyperparameters(), [wrong("5", 0.9)]).reasons.values()
    # Without document 5: ham has 6 positions, spam 7, of 7 types; lunch twice in ham, now once in spam
    lunch, now = 2 * log((3 / 13) / (1 / 14)), log((2 / 14) / (1 / 13))
    assert [each.token for each in reasons.astray] == ["lunch"]
    assert [each.token for each in reasons.right] == ["now"]
    assert [each.nats for each in reasons.astray + reasons.right] == pytest.approx([lunch, now], rel=1e-12)


def test_tokens_that_decide_nothing_are_no_reasons():
    documents = [example(f"{label}{n}", label, f"the {label}") for label in ("ham", "spam") for n in range(50)]
    documents.append(example("x", "spam", "the ham"))
    (reasons,) = insight(documents, Hyperparameters(), [wrong("x", 0.9)]).reasons.values()
    assert [each.token for each in reasons.astray + reasons.right] == ["ham"]
    assert all(each.nats >= SLIGHT for each in reasons.astray)


texts = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), min_size=1, max_size=8).map(" ".join)


@given(st.lists(st.tuples(st.sampled_from(["ham", "spam"]), texts), min_size=1, max_size=8), texts)
def test_reasons_sum_to_the_difference_of_scores_of_a_model_trained_without(others: list[tuple[str, str]], text: str):
    always = [("ham", "a"), ("spam", "b")]
    documents = [example(str(n), label, each) for n, (label, each) in enumerate([*always, *others])]
    odd = example("odd", "spam", text)
    (reasons,) = insight([*documents, odd], Hyperparameters(), [wrong("odd", 0.9)], tokens=99).reasons.values()
    memory = Memory.of(documents, ["ham", "spam"], Hyperparameters())
    ham, spam = memory.scorer.scores(odd.bag).values
    bias = memory.scorer.bias
    pulls = fsum(each.nats for each in reasons.astray) - fsum(each.nats for each in reasons.right)
    assert pulls == pytest.approx((ham - spam) - (bias[0] - bias[1]), abs=5 * SLIGHT)
