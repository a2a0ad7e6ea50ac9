"""nbtext train: what it prints and its status, in process."""

import errno
import os

import pytest

from .common import CORPUS, ODD_LABELS, PNG, fields, records


def test_train_prints_classes_vocabulary_and_model(corpus, run):
    corpus(
        {
            **CORPUS,
            "loose.txt": "",
            "ham/.hidden": "",
            "ham/empty.txt": "",
            "spam/image.png": PNG,
        }
    )
    trained = run("train", "corpus")
    assert trained == (
        "class  documents  tokens\n"
        "ham            2      11\n"
        "spam           2       8\n"
        "total          4      19\n"
        "vocabulary: 15 tokens\n"
        "skipped, binary: 1 (corpus/spam/image.png)\n"
        "skipped, empty: 1 (corpus/ham/empty.txt)\n"
        "skipped, litter: 1 (corpus/ham/.hidden)\n"
        "skipped, loose file: 1 (corpus/loose.txt)\n"
        "model: model.nbtext\n",
        "",
        0,
    )


def test_train_says_the_same_as_an_object(corpus, run):
    corpus({**CORPUS, "ham/empty.txt": ""})
    assert records(run("train", "corpus", "--json", "-m", "m")) == [
        {
            "model": "m",
            "classes": [
                {"label": "ham", "documents": 2, "tokens": 11},
                {"label": "spam", "documents": 2, "tokens": 8},
            ],
            "documents": 4,
            "tokens": 19,
            "vocabulary": 15,
            "replaced": False,
            "skipped": {"empty": ["corpus/ham/empty.txt"]},
            "not_utf_8": [],
        }
    ]


def test_train_says_what_was_left_out_where_nothing_is_left(corpus, run):
    corpus({"1.txt": "red", "2.txt": "sea"})
    answer = run("train", "corpus")
    assert (answer.out, answer.status) == ("", 3)
    assert answer.err == (
        "nbtext: skipped, loose file: 2 (corpus/1.txt, corpus/2.txt)\n"
        "nbtext: corpus: no document to learn from; a corpus is a folder with one folder of texts per class, or "
        "records that have a label, as in --reader csv\n"
    )


@pytest.mark.parametrize(
    ("text", "hint"),
    [("", "the file is empty"), ("text,label\nsea,\n", "each of its records needs a text and a label")],
)
def test_a_table_without_a_document_is_not_told_to_be_a_folder(text, hint, tmp_path, run):
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    answer = run("train", "t.csv")
    assert (answer.status, answer.err.splitlines()[-1]) == (3, f"nbtext: t.csv: no document to learn from; {hint}")


def test_train_learns_what_it_can_read_and_names_what_it_cannot(corpus, run):
    folder = corpus(CORPUS)
    (folder / "ham/dangling").symlink_to("nowhere")
    (folder / "ham/loop").symlink_to("..")
    trained = run("train", "corpus")
    assert trained.status == 3
    assert trained.err == "nbtext: corpus/ham/dangling: a broken link; fix or remove it\n"
    assert run("verify").out == "model.nbtext: sound, 2 classes, 4 documents, 19 tokens\n"


@pytest.mark.parametrize("label", ODD_LABELS)
def test_odd_labels_go_through_all_commands(label, corpus, run):
    corpus({f"{label}/1.txt": "odd", "even/1.txt": "even"})
    assert run("train", "corpus").status == 0
    ((answer, *_),) = fields(run("classify", stdin="odd"))
    assert answer.isprintable()
    assert run("classify", f"--is={label}", stdin="odd") == ("", "", 0)
    (record,) = records(run("classify", "--json", stdin="odd"))
    assert record["label"] == label
    for command in ("show",), ("show", "--top", "1"), ("show", "--word", "odd"), ("tokens",), ("explain",):
        done = run(*command, stdin="odd")
        assert (done.err, done.status) == ("", 0)
        assert done.out.replace("\n", "").replace("\t", "").replace("\udcff", "").isprintable()
    assert run("learn", "--", label, stdin="very odd").out == "learned\t-\n"
    assert run("unlearn", "--", label, stdin="very odd").out == "unlearned\t-\n"
    assert run("generate", "-n", "3", "--", label).status == 0


def test_labels_meet_in_either_unicode_form(corpus, run):
    corpus({"café/1.txt": "latte", "bar/1.txt": "beer"})
    run("train", "corpus")
    assert run("classify", "--is", "cafe\u0301", stdin="latte").status == 0


def test_a_folder_that_cannot_be_read_leaves_the_old_model(corpus, run, monkeypatch):
    """Else the new model would lack a class, and nobody would notice before the next spam."""
    corpus({"ham/1.txt": "lunch", "spam/1.txt": "win", "spam/more/2.txt": "cash"})
    run("train", "corpus")
    before = run("show").out
    scandir = os.scandir

    def closed(path):
        if str(path).endswith("more"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", closed)
    refused = run("train", "corpus")
    assert (refused.out, refused.status) == ("", 3)
    assert refused.err == (
        "nbtext: corpus/spam/more: Permission denied; make it readable, or train without its files with --partial\n"
    )
    assert run("show").out == before
    partial = run("train", "corpus", "--partial")
    assert (partial.status, partial.err) == (3, "nbtext: corpus/spam/more: Permission denied\n")
    assert "spam           1       1\n" in partial.out
