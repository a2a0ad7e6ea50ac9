"""Models made in Python of documents at hand."""

import json
import sys

import pytest

import nbtext
from nbtext import Analysis, CorpusError, Document, Hyperparameters, NaiveBayes, train_documents

from ..model.test_weights import WORDS, texts
from ..shell import bash, pinned


def test_weights_fitted_from_python_make_the_very_file_that_the_command_makes(tmp_path):
    found = texts(list(WORDS), 90)
    lines = "".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in found)
    command = f"{sys.executable} -m nbtext train - --reader jsonl --weights fitted -m command"
    assert bash(command, tmp_path, pinned(), lines.encode())[2] == 0
    documents = [Document([("", text)], label) for text, label in found]
    train_documents(documents, str(tmp_path / "library"), Analysis(reader="jsonl"), weights="fitted").close()
    assert (tmp_path / "library").read_bytes() == (tmp_path / "command").read_bytes()


def test_weights_are_fitted_for_another_event_model_if_that_is_asked_for():
    documents = [Document([("", text)], label) for text, label in texts(list(WORDS), 90)]
    model = train_documents(documents, hyperparameters=Hyperparameters("binary"), weights="fitted")
    assert model.hyperparameters == Hyperparameters("binary", weights="fitted")
    assert model.weighting


def test_why_no_weights_were_fitted_is_told():
    notes: list[str] = []
    model = train_documents({"a": ["red"], "b": ["blue"]}, weights="fitted", note=notes.append)
    assert not model.hyperparameters.is_weighted
    assert notes == ["no weights were fitted: 2 documents are too few to fit them on; it takes 50"]


def test_scikit_learns_way_fits_weights_too():
    found = texts(list(WORDS), 90)
    classify = NaiveBayes(event_model="complement-binary", weights="fitted")
    classify.fit([text for text, _ in found], [label for _, label in found])
    assert classify.model_.weighting


@pytest.mark.parametrize(
    ("documents", "why"),
    [
        (
            ["a"],
            "no document has a label: give texts by label, as in {'spam': ['win cash'], 'ham': ['lunch']}, or",
        ),
        ([Document([("", "a")])], "no document has a label"),
        ({"a": [" "]}, "no document has a token: there is nothing to learn from"),
        ([], "no documents: there is nothing to learn from"),
        ({"a": ["x"]}, "a single class, 'a', leaves nothing to distinguish; add others (allow_single_class=True"),
    ],
)
@pytest.mark.parametrize("weights", [None, "fitted"])
def test_what_cannot_be_learned_from_is_refused_in_terms_of_python(documents, why, weights):
    with pytest.raises(CorpusError) as refused:
        train_documents(documents, weights=weights)
    assert why in str(refused.value)


def test_documents_left_out_are_reported():
    aside: list[object] = []
    train_documents(
        [Document([("", text)], label) for text, label in [("x", "a"), ("y", "b"), ("z", None)]], report=aside.append
    )
    assert [item.reason for item in aside if isinstance(item, nbtext.training.documents.Skipped)] == ["no label"]


def test_help_names_what_is_used_most_first():
    doc = nbtext.__doc__ or ""
    named = [name for line in doc.splitlines() if line.startswith("    ") for name in line.split("  ")[2].split(", ")]
    assert named == list(dict.fromkeys(named))
    assert set(named) <= set(nbtext.__all__)
    assert named[:4] == nbtext.__all__[1:5] == ["train", "train_documents", "Model", "Document"]
