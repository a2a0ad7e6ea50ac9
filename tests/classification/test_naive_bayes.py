"""NaiveBayes, the classifier as scikit-learn wants one."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from nbtext import Classifier, NaiveBayes, train_documents

from ..shell import ROOT

FILES = sorted((ROOT / "corpora/topics").glob("*/*.txt"))
TEXTS = [file.read_text() for file in FILES]
LABELS = [file.parent.name for file in FILES]


@pytest.fixture(scope="module")
def fitted():
    return NaiveBayes().fit(TEXTS, LABELS)


def test_posteriors_are_those_of_the_model(fitted):
    by_label = {label: [t for t, own in zip(TEXTS, LABELS, strict=True) if own == label] for label in set(LABELS)}
    classify = Classifier(train_documents(by_label))
    decisions = [classify(text) for text in TEXTS]
    assert fitted.predict(TEXTS).tolist() == [each.label for each in decisions]
    expected = [[each.posteriors[label] for label in fitted.classes_] for each in decisions]
    assert fitted.predict_proba(TEXTS) == pytest.approx(np.array(expected), rel=1e-9)
    assert np.exp(fitted.predict_log_proba(TEXTS)) == pytest.approx(fitted.predict_proba(TEXTS))


def test_posteriors_are_those_of_scikit_learn():
    words = CountVectorizer(analyzer=str.split)
    theirs = make_pipeline(words, MultinomialNB(alpha=0.5)).fit(TEXTS, LABELS)
    ours = NaiveBayes(tokenizer="split", alpha=0.5, calibrated=False).fit(TEXTS, LABELS)
    assert ours.predict_log_proba(TEXTS) == pytest.approx(theirs.predict_log_proba(TEXTS), rel=1e-6, abs=1e-9)


def test_learning_in_parts_gives_what_learning_at_once_gives():
    at_once, in_parts = NaiveBayes(calibrated=False).fit(TEXTS, LABELS), NaiveBayes(calibrated=False)
    for start in range(0, len(TEXTS), 60):  # the first parts have the first class alone
        in_parts.partial_fit(TEXTS[start : start + 60], LABELS[start : start + 60], classes=sorted(set(LABELS)))
        assert in_parts.predict_proba(TEXTS[:1]).shape == (1, 4)
    assert (in_parts.predict_proba(TEXTS) == at_once.predict_proba(TEXTS)).all()


def test_equal_texts_each_count():
    twice = NaiveBayes(calibrated=False).fit(["a", "a", "b"], [1, 1, 0])
    assert twice.model_.documents == [1, 2]
    twice.partial_fit(["a"], [1])
    assert twice.model_.documents == [1, 3]
    assert twice.predict(["a", "b"]).tolist() == [1, 0]


def test_empty_texts_count_for_the_priors():
    some = NaiveBayes(calibrated=False).fit(["a", "b", *[""] * 8], [0, *[1] * 9])
    assert some.predict_proba(["unknown"])[0].tolist() == pytest.approx([0.1, 0.9])


@pytest.mark.parametrize(
    "texts", [np.array(TEXTS), np.array(TEXTS, object), tuple(TEXTS)], ids=["str", "object", "tuple"]
)
def test_an_array_is_taken_as_a_list_is(fitted, texts):
    other = NaiveBayes().fit(texts, np.array(LABELS))
    assert other.predict(texts).tolist() == fitted.predict(TEXTS).tolist()
    assert (other.predict_proba(texts) == fitted.predict_proba(TEXTS)).all()


def test_a_series_is_taken_as_a_list_is_whatever_its_index(fitted):
    table = pd.DataFrame({"text": TEXTS, "label": LABELS}, index=range(1000, 1000 + len(TEXTS)))
    other = NaiveBayes().fit(table["text"], table["label"])
    assert other.predict(table["text"]).tolist() == fitted.predict(TEXTS).tolist()
    in_parts = NaiveBayes().partial_fit(table["text"], table["label"], classes=table["label"].unique())
    assert in_parts.classes_.tolist() == fitted.classes_.tolist()
    assert other.score(table["text"], table["label"]) == fitted.score(TEXTS, LABELS)
    shuffled = table.sample(frac=1, random_state=1)
    assert cross_val_score(NaiveBayes(), shuffled["text"], shuffled["label"], cv=3).mean() > 0.85


def test_a_missing_text_in_a_series_is_refused():
    with pytest.raises(TypeError, match=r"X\[1\] should be a text \(str\), not"):
        NaiveBayes().fit(pd.Series(["a", None], dtype="string"), ["x", "y"])


def test_pipelines_searches_and_validations_take_it():
    assert cross_val_score(NaiveBayes(), TEXTS, LABELS, cv=3).mean() > 0.85
    found = GridSearchCV(NaiveBayes(), {"event_model": ["multinomial", "complement"]}, cv=3).fit(TEXTS, LABELS)
    assert found.predict(TEXTS[:1]).tolist() == LABELS[:1]
    assert make_pipeline(NaiveBayes()).fit(TEXTS, LABELS).score(TEXTS, LABELS) > 0.95


@pytest.mark.filterwarnings("ignore:Can't test estimator")
def test_scikit_learn_checks_it():
    check_estimator(NaiveBayes())


def test_settings_are_kept_and_shown():
    some = NaiveBayes(alpha=0.5, ngrams=2)
    assert repr(clone(some)) == "NaiveBayes(alpha=0.5, ngrams=2)"
    assert some.set_params(alpha=2.0).get_params()["alpha"] == 2.0
    with pytest.raises(ValueError, match="no setting 'beta'; there are: event_model, alpha"):
        some.set_params(beta=1)


def test_what_is_fitted_can_be_pickled_and_copied(fitted):
    for other in (pickle.loads(pickle.dumps(fitted)), copy.deepcopy(fitted)):
        assert (other.predict_proba(TEXTS) == fitted.predict_proba(TEXTS)).all()
        other.partial_fit(["sail"], ["sailing"])
    assert fitted.model_.documents == [53, 53, 52, 51]


@pytest.mark.parametrize(
    ("texts", "labels", "error", "says"),
    [
        ("one text", ["a"], TypeError, "X is one text, not a list of texts"),
        ([["a"], ["b"]], ["a", "b"], TypeError, r"X\[0\] should be a text \(str\), not list"),
        (np.array([["a"], ["b"]]), ["a", "b"], TypeError, "X is a table"),
        (["a", None], ["a", "b"], TypeError, r"X\[1\] should be a text \(str\), not NoneType"),
        ([b"a", b"b"], ["a", "b"], TypeError, r"X\[0\] should be a text \(str\), not bytes"),
        (["a", "b"], "ab", TypeError, "y is one text, not a list of labels"),
        (["a", "b"], ["a", "a"], ValueError, "y has 1 class; at least two are needed"),
        (["a", "b"], [1.0, float("nan")], ValueError, "nan, at position 1, cannot be a label"),
        (["a", "b"], [None, 1], ValueError, "None, at position 0, cannot be a label"),
        (["a", "b"], ["\ud800", "x"], ValueError, "at position 0, cannot be a label"),
        (["a", "b"], np.array([1, "1"], object), ValueError, "labels of several types"),
        (["a", "b"], ["a"], ValueError, "X has 2 texts, and y the shape"),
        (["a", "b"], ["a", 1.5], None, ""),
    ],
)
def test_what_is_no_list_of_texts_is_refused(texts, labels, error, says):
    if error is None:
        assert NaiveBayes().fit(texts, labels).classes_.tolist() == ["1.5", "a"]
        return
    with pytest.raises(error, match=says):
        NaiveBayes().fit(texts, labels)


def test_what_is_asked_too_early_is_refused():
    with pytest.raises(NotFittedError, match="call fit first"):
        NaiveBayes().predict(["a"])
    with pytest.raises(ValueError, match="needs all classes"):
        NaiveBayes().partial_fit(["a"], ["x"])
    with pytest.raises(ValueError, match="not among the classes: z"):
        NaiveBayes().partial_fit(["a"], ["z"], classes=["x", "y"])


def test_no_texts_have_no_answers(fitted):
    assert fitted.predict([]).tolist() == []
    assert fitted.predict_proba([]).shape == (0, 4)


def test_scikit_learn_is_not_imported():
    program = "import sys, nbtext; nbtext.NaiveBayes().fit(['a', 'b'], [0, 1]); print('sklearn' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
