"""Training: what is counted, what is set aside and said, what is refused, and what of it a model keeps."""

import os
from pathlib import Path

import pytest

from nbtext import (
    Analysis,
    ChoiceError,
    Classifier,
    CorpusError,
    Document,
    Hyperparameters,
    Model,
    train,
    train_documents,
)
from nbtext.fields import Fields
from nbtext.training.choosing import TABLE_6_2
from nbtext.training.learning import REPEATED, learn
from nbtext.training.tuning import Standing


def test_one_folder_one_class_any_depth_below(corpus, tmp_path: Path):
    folder = corpus({"ham/1.txt": "lunch", "ham/2024/05/2.txt": "noon", "spam/1.txt": "win"})
    model = train(str(folder), str(tmp_path / "model"))
    assert (model.labels, model.documents, model.size) == (["ham", "spam"], [2, 1], 3)
    model.close()


def test_what_is_not_counted_is_told(corpus):
    folder = corpus({"ham/1.txt": "lunch", "ham/2.txt": " \n", "spam/1.txt": "win", "loose.txt": "word"})
    told: list[str] = []
    model = train(str(folder), report=lambda aside: told.append(str(aside)))
    assert (model.documents, model.store.rows(["word"])) == ([1, 1], {})
    assert len(told) == 2
    assert any("2.txt" in line and "no token" in line for line in told)
    assert any("loose.txt" in line for line in told)


def test_a_string_is_no_list_of_texts():
    with pytest.raises(TypeError, match="the texts of 'ham' are one string, not a list of strings"):
        train_documents({"ham": "lunch at noon", "spam": ["win"]})


def test_a_document_without_label_or_token_is_not_counted():
    documents = [Document([("", text)], label) for label, text in (("a", "red"), ("b", "sea"), ("b", ""), (None, "x"))]
    assert train_documents(documents).documents == [1, 1]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"only/1.txt": "word"}, r"a single class, 'only', .* was the parent folder meant, .*\?"),
        ({"a/1.txt": "", "b/1.txt": "word"}, "a single class, 'b'"),
        ({"a/1.txt": " ", "b/1.txt": "\n"}, "no document to learn from"),
    ],
)
def test_a_corpus_with_nothing_to_tell_apart_is_refused(files, message: str, corpus, tmp_path: Path):
    with pytest.raises(CorpusError, match=message):
        train(str(corpus(files)), str(tmp_path / "model"))
    assert not (tmp_path / "model").exists()


def test_a_refused_corpus_leaves_the_old_model(corpus, tmp_path: Path):
    path = tmp_path / "model"
    train_documents({"a": ["red"], "b": ["sea"]}, str(path)).close()
    before = path.read_bytes()
    for options in (
        {"hyperparameters": Hyperparameters(min_count=9)},
        {"hyperparameters": Hyperparameters("polynomial")},
        {"hyperparameters": Hyperparameters(prior="x=1")},
        {"analysis": Analysis(tokenizer="swords")},
        {"analysis": Analysis(ngrams=0)},
    ):
        with pytest.raises((CorpusError, ChoiceError)):
            train_documents({"a": ["red"], "c": ["sky"]}, str(path), **options)
        assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["model"]


def test_a_model_keeps_its_settings(tmp_path: Path):
    analysis = Analysis("lines", "chars:n=3", 2, "koi8-r")
    hyperparameters = Hyperparameters("bernoulli", 0.25, "a=0.75", frozenset(["the", "é"]), 1, 1, 1)
    train_documents({"a": ["reddish"], "b": ["the bluest"]}, str(tmp_path / "model"), analysis, hyperparameters).close()
    model = Model.open(str(tmp_path / "model"))
    assert (model.analysis, model.hyperparameters, model.tracks) == (analysis, hyperparameters, True)
    model.close()


def test_a_model_knows_where_its_corpora_are_after_both_have_moved(corpus, tmp_path: Path):
    (tmp_path / "here").mkdir()
    folder = corpus({"a/1.txt": "red", "b/1.txt": "sea"}, name="here/corpus")
    train(str(folder), str(tmp_path / "here" / "model")).close()
    (tmp_path / "here").rename(tmp_path / "there")
    model = Model.open(str(tmp_path / "there" / "model"))
    assert model.corpora() == [str(tmp_path / "there" / "corpus")]
    model.close()


def test_a_trained_document_is_recognised_by_its_text_whatever_its_name():
    model = train_documents([Document([("", "red")], "a", "1.txt"), Document([("", "sea")], "b", "2.txt")])
    (outcome,) = learn(model, "a", [Document([("", "red")], name="another.txt")])
    assert outcome == ("another.txt", REPEATED)


def test_parts_with_a_tag_have_tokens_of_their_own():
    documents = [Document([("subject", "win"), ("", "lunch")], "a"), Document([("", "win")], "b")]
    classify = Classifier(train_documents(documents, hyperparameters=Hyperparameters(prior="uniform")))
    assert classify("win").label == "b"
    assert classify(Document([("subject", "win")])).label == "a"


@pytest.mark.parametrize("tag", ["a\nb", "\0", "\x85", "\ud800", "a b", "a\u2028", "=a"])
def test_a_tag_that_could_not_begin_a_token_is_refused(tag: str):
    with pytest.raises(ValueError, match="cannot begin a token"):
        train_documents([Document([(tag, "win")], "a"), Document([("", "lunch")], "b")])


@pytest.mark.parametrize("name", ["ti\u200btle", "\u202etitle", "ti\xadtle", "\ue000", "my title"])
def test_a_column_with_any_name_is_read(name: str, tmp_path: Path):
    table = tmp_path / "table.csv"
    table.write_text(f"label,body,{name}\na,red,win\nb,blue,lunch\n", encoding="utf-8")
    model = train(str(table), analysis=Analysis(reader="csv", fields=Fields(text=("body", name)).spec()))
    assert {token.rpartition(":")[2] for token, _ in model.store.tokens()} == {"red", "win", "blue", "lunch"}


@pytest.mark.parametrize("label", ["\ud800", "a\udfff"])
def test_a_label_that_is_no_unicode_is_refused(label: str):
    with pytest.raises(ValueError, match="has a lone surrogate, so it can be neither a label nor a path"):
        train_documents({label: ["win"], "b": ["lunch"]})


def test_where_tuning_has_nothing_to_go_by_table_6_2_is_chosen(corpus):
    folder = corpus({"a/1.txt": "sea", "b/1.txt": "soup and bread"})
    standings: list[Standing] = []
    model = train(str(folder), tune=standings.extend)
    assert (model.hyperparameters, model.analysis.ngrams) == (Hyperparameters(), 1)
    assert standings[0] == Standing(TABLE_6_2, 2, 0, None, won=0, lost=0, p=1.0)


@pytest.mark.parametrize(
    ("files", "message"),
    [({"a/1.txt": "sea", "a/2.txt": "wind"}, "a single class, 'a'"), ({"a/1.txt": "!"}, "no document to learn from")],
)
def test_a_corpus_with_nothing_to_tell_apart_is_refused_before_it_is_tuned(files, message: str, corpus):
    told: list[object] = []
    with pytest.raises(CorpusError, match=message):
        train(str(corpus(files)), tune=told.append)
    assert not told
