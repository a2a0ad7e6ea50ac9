"""Reasons of errors: what a model that has not learned the document makes of it."""

from collections import Counter
from collections.abc import Sequence
from math import fsum, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import Analysis, Classifier, Document, Hyperparameters, train_documents
from nbtext.counting.shards import index_documents
from nbtext.evaluation.examples import Examples
from nbtext.evaluation.reasons import SLIGHT, Insight, insight, worst
from nbtext.metrics import Prediction
from nbtext.model.lexicon import Lexicon

CORPUS = [
    ("1", "ham", "lunch at noon"),
    ("2", "ham", "lunch at one"),
    ("3", "spam", "win cash at noon"),
    ("4", "spam", "win win now"),
    ("5", "spam", "lunch lunch now"),
]


def documents_of(texts: Sequence[tuple[str, str, str]]) -> list[Document]:
    """The documents of (name, label, text)."""
    return [Document([("", text)], label, name) for name, label, text in texts]


def insight_of(texts: Sequence[tuple[str, str, str]], errors: Sequence[Prediction], **more: int) -> Insight:
    examples = Examples(Analysis())
    documents = examples.add(index_documents(documents_of(texts), Analysis(), dated=True))
    return insight(examples, documents, Hyperparameters(), errors, **more)


def test_keywords_are_those_of_the_model():
    expected = Lexicon(train_documents(documents_of(CORPUS))).keywords(3)
    assert insight_of(CORPUS, [], words=3).keywords == expected


def wrong(name: str, confidence: float, answer: str = "ham", truth: str = "spam") -> Prediction:
    return Prediction(name, truth, answer, {answer: confidence, truth: 1 - confidence})


def test_worst_are_the_wrong_answers_of_most_confidence_each_document_once():
    right = wrong("right", 0.99, truth="ham")
    found = worst([wrong("b", 0.8), right, wrong("c", 0.6), wrong("a", 0.8), wrong("c", 0.9)], top=3)
    assert [(each.name, each.confidence) for each in found] == [("c", 0.9), ("a", 0.8), ("b", 0.8)]


def test_reasons_are_those_of_a_model_that_has_not_learned_the_document():
    (reasons,) = insight_of(CORPUS, [wrong("5", 0.9)]).reasons.values()
    # Without document 5: ham has 6 positions, spam 7, of 7 types; lunch twice in ham, now once in spam
    lunch, now = 2 * log((3 / 13) / (1 / 14)), log((2 / 14) / (1 / 13))
    assert [each.token for each in reasons.astray] == ["lunch"]
    assert [each.token for each in reasons.right] == ["now"]
    assert [each.nats for each in reasons.astray + reasons.right] == pytest.approx([lunch, now], rel=1e-12)


def test_tokens_that_decide_nothing_are_no_reasons():
    documents = [(f"{label}{n}", label, f"the {label}") for label in ("ham", "spam") for n in range(50)]
    (reasons,) = insight_of([*documents, ("x", "spam", "the ham")], [wrong("x", 0.9)]).reasons.values()
    assert [each.token for each in reasons.astray + reasons.right] == ["ham"]
    assert all(each.nats >= SLIGHT for each in reasons.astray)


def scores(classify: Classifier, text: str) -> list[float]:
    """The log joint probabilities of a text and each class."""
    return classify.model.scorer().scores(dict(Counter(text.split()))).values


texts = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), min_size=1, max_size=8).map(" ".join)


@given(st.lists(st.tuples(st.sampled_from(["ham", "spam"]), texts), min_size=1, max_size=8), texts)
def test_reasons_sum_to_the_difference_of_scores_of_a_model_trained_without(others: list[tuple[str, str]], text: str):
    always = [("ham", "a"), ("spam", "b")]
    documents = [(str(n), label, each) for n, (label, each) in enumerate([*always, *others])]
    (reasons,) = insight_of([*documents, ("odd", "spam", text)], [wrong("odd", 0.9)], tokens=99).reasons.values()
    scorer = Classifier(train_documents(documents_of(documents)))
    (ham, spam), (ham_prior, spam_prior) = scores(scorer, text), scores(scorer, "")
    pulls = fsum(each.nats for each in reasons.astray) - fsum(each.nats for each in reasons.right)
    assert pulls == pytest.approx((ham - spam) - (ham_prior - spam_prior), abs=5 * SLIGHT)
