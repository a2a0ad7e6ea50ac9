"""Models and classifiers in several threads and processes, in pickles, and as they show themselves."""

import multiprocessing
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

from nbtext import Classifier, Document, Model, classify, explain, learn, train_documents

TEXTS = {"ham": ["lunch at noon", "the meeting"], "spam": ["win cash now", "a cash prize"]}


@pytest.fixture(params=["in a file", "in memory"])
def model(request, tmp_path):
    path = str(tmp_path / "model.nbtext") if request.param == "in a file" else None
    train_documents(TEXTS, path)
    return Model.open(path, writable=True) if path else train_documents(TEXTS)


def test_any_thread_may_ask_while_another_learns(model):
    decide = Classifier(model)
    texts = [f"win cash number{n}" for n in range(300)]

    def teach() -> None:
        for n in range(30):
            learn(model, "spam", [Document([("", f"win number{n}")])])

    with ThreadPoolExecutor(8) as threads:
        taught = threads.submit(teach)
        assert {each.label for each in threads.map(decide, texts)} == {"spam"}
        taught.result()
    assert model.documents == [2, 32]
    assert decide("number7").posterior == Classifier(model)("number7").posterior


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # of fork in a process with threads
def test_a_forked_process_may_ask_too(model):
    decide = Classifier(model)
    expected = decide("win cash").posterior
    with multiprocessing.get_context("fork").Pool(2) as processes:
        assert processes.map(_PosteriorOf(decide), ["win cash"] * 20) == [expected] * 20
    learn(model, "spam", [Document([("", "win win win")])])
    assert decide("win cash").posterior > expected


class _PosteriorOf:
    def __init__(self, decide):
        self.decide = decide

    def __call__(self, text):
        return self.decide(text).posterior


def test_pickled_ones_answer_alike(model):
    decide = Classifier(model, unsure_below=0.6, raw=True)
    other = pickle.loads(pickle.dumps(decide))
    assert other("win cash") == decide("win cash")
    assert (other.raw, other.unsure_below) == (True, 0.6)
    assert pickle.loads(pickle.dumps(model)).documents == model.documents


def test_a_model_can_be_closed_by_with(tmp_path):
    path = str(tmp_path / "model.nbtext")
    with train_documents(TEXTS, path) as model:
        assert model.labels == ["ham", "spam"]


def test_they_show_themselves_in_a_line_or_a_table():
    model = train_documents({**TEXTS, "<b>": ["x"]})
    assert repr(model) == "<nbtext model of 5 documents of 3 classes, 11 tokens: the model in memory>"
    assert repr(Classifier(model)) == f"<nbtext classifier by multinomial with {model!r}>"
    assert "<td>&lt;b&gt;</td><td>1</td><td>1</td>" in model._repr_html_()
    shown = explain(model, "cash & lunch")._repr_html_()
    assert "<td>1</td><td>cash</td>" in shown


@pytest.mark.parametrize("document", [None, 5, b"bytes", ["a", "list"]])
def test_what_is_no_document_is_refused_in_words_of_the_library(model, document):
    with pytest.raises(TypeError, match=r"a document is a text \(str\) or an nbtext.Document, not"):
        Classifier(model)(document)
    with pytest.raises(TypeError, match="a document is a text"):
        list(classify(model, [document] * 30))
    with pytest.raises(TypeError, match="a document is a text"):
        train_documents({"a": ["x"], "b": [document]})
