"""nbtext learn and unlearn: what it prints and its status, in process."""

import pytest

from .common import CORPUS, PNG, records


def test_a_file_in_the_place_of_the_label_is_told_so(trained, tmp_path):
    (tmp_path / "note.txt").write_text("win")
    refused = trained("learn", "note.txt", stdin="")
    assert refused.status == 2
    assert "the label comes first: nbtext learn LABEL note.txt" in refused.err
    assert trained("learn", "note.txt", "--new", stdin="win").out == "learned\t-\n"


def test_learn_says_what_became_of_each_document(trained, corpus):
    corpus({"1": "bring wine", "2": "bring wine", "3": "", "4": "bread"}, name="new")
    learned = trained("learn", "ham", "new", "new/4")
    assert learned == (
        "learned\tnew/1\nlearned\tnew/2\nempty\tnew/3\nlearned\tnew/4\nalready learned\tnew/4\n", "", 0
    )  # fmt: skip
    assert trained("learn", "ham", "new/4", "--quiet") == ("", "", 0)
    assert records(trained("learn", "ham", "new/4", "--json")) == [{"name": "new/4", "outcome": "already learned"}]


def test_learn_then_unlearn_leaves_the_same_model(trained):
    before = trained("export").out
    trained("learn", "new", "--lines", stdin="bread\nwine and bread\n")
    assert trained("export").out != before
    assert (
        trained("unlearn", "new", "--lines", stdin="wine and bread\nbread\n").out == "unlearned\t-:1\nunlearned\t-:2\n"
    )
    assert trained("export").out == before


def test_learn_is_training_on_everything(trained, corpus):
    trained("learn", "new", "--lines", stdin="bread\nwine and bread\n")
    corpus({**CORPUS, "new/1": "bread", "new/2": "wine and bread"}, name="all")
    trained("train", "all", "-m", "all.nbtext")
    assert trained("export", "--counts").out == trained("export", "--counts", "-m", "all.nbtext").out


def test_a_label_nearly_that_of_a_class_is_new_only_if_that_is_said(trained):
    mistyped = trained("learn", "spma", stdin="very odd")
    assert (mistyped.out, mistyped.status) == ("", 2)
    assert "no class spma; was spam meant? Add --new to begin a new class" in mistyped.err
    assert "was ham meant?" in trained("learn", "Ham", stdin="very odd").err
    assert trained("learn", "spma", "--new", stdin="very odd").out == "learned\t-\n"
    assert trained("learn", "spma", stdin="very odd indeed").out == "learned\t-\n"
    assert trained("learn", "private", stdin="most odd").out == "learned\t-\n"


def test_learn_until_right(trained):
    taken = "win cash prize lunch"
    assert trained("classify", stdin=taken).out.startswith("spam")
    assert trained("learn", "ham", "--until-right", stdin=taken).out == "learned\t-\n"
    [label, posterior, _] = trained("classify", stdin=taken).out.split("\t")
    assert label == "ham"
    assert float(posterior) >= 0.95


def test_learn_was_moves_a_document(trained):
    assert trained("learn", "spam", "--was", "ham", "corpus/ham/1.txt").out == "learned\tcorpus/ham/1.txt\n"
    assert trained("verify").out == "model.nbtext: sound, 2 classes, 4 documents, 19 tokens\n"
    assert [line.split()[1] for line in trained("show").out.splitlines()[1:3]] == ["1", "3"]


REFUSED = {
    "learned as something else": (
        ["learn", "spam", "corpus/ham/1.txt"],
        "already learned as ham; to move it, add --was ham",
    ),
    "never learned as what it was": (["learn", "spam", "--was", "ham", "new.txt"], "never learned as ham"),
    "never learned": (["unlearn", "ham", "new.txt"], "new.txt: never learned as ham; nothing is changed"),
    "learned as another": (["unlearn", "ham", "corpus/spam/1.txt"], "never learned as ham; nothing is changed"),
    "unlearned twice": (["unlearn", "ham", "corpus/ham/1.txt", "corpus/ham/1.txt"], "never learned as ham"),
    "no such class": (
        ["unlearn", "eggs", "corpus/ham/1.txt"],
        "never learned as eggs, which is not a class; there are: ham, spam; nothing is changed",
    ),
    "one of several": (["learn", "ham", "new.txt", "corpus/spam/1.txt"], "already learned as spam"),
}


@pytest.mark.parametrize(("args", "reason"), REFUSED.values(), ids=REFUSED)
def test_refusal_to_learn_changes_nothing(args, reason, trained, tmp_path):
    (tmp_path / "new.txt").write_text("something new")
    before = (tmp_path / "model.nbtext").read_bytes()
    refused = trained(*args)
    assert (refused.out, refused.status, refused.err.count("\n")) == ("", 3, 1)
    assert reason in refused.err
    assert (tmp_path / "model.nbtext").read_bytes() == before


def test_learn_learns_what_it_can_read(trained, tmp_path):
    (tmp_path / "new.txt").write_text("something new")
    (tmp_path / "image.png").write_bytes(PNG)
    learned = trained("learn", "ham", "gone", "new.txt", "image.png")
    assert (learned.out, learned.status) == ("learned\tnew.txt\n", 3)
    assert [line.split(":")[1] for line in learned.err.splitlines()] == [" gone", " image.png"]


def test_a_table_with_equal_rows_is_learned_as_it_is_trained_and_unlearned_whole(run, tmp_path):
    (tmp_path / "t.csv").write_text("label,text\nham,lunch\nspam,win\n")
    (tmp_path / "more.csv").write_text("text\nat noon\nat noon\nsee you\n")
    run("train", "t.csv")
    before = run("export").out
    assert [line.split("\t")[0] for line in run("learn", "ham", "more.csv").out.splitlines()] == ["learned"] * 3
    assert [line.split("\t")[0] for line in run("learn", "ham", "more.csv").out.splitlines()] == ["already learned"] * 3
    (tmp_path / "all.csv").write_text("label,text\nham,lunch\nspam,win\nham,at noon\nham,at noon\nham,see you\n")
    run("train", "all.csv", "-m", "all.nbtext")
    learned, trained = (run("export", *model).out.splitlines() for model in ((), ("-m", "all.nbtext")))
    assert [line for line in learned if "calibrat" not in line and "corpora" not in line] == [
        line for line in trained if "calibrat" not in line and "corpora" not in line
    ]
    assert run("unlearn", "ham", "more.csv").status == 0
    assert run("export").out == before
