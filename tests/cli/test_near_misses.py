"""What was nearly right: the message says what was probably meant."""

import pytest

CORPUS = {"ham/1.txt": "lunch at noon", "spam/1.txt": "win cash now", "spam/2.txt": "win a prize"}


@pytest.mark.parametrize(
    ("typed", "meant"), [("trian", "train"), ("predict", "classify"), ("evalute", "evaluate"), ("fit", "train")]
)
def test_command_that_was_probably_meant_is_named(run, typed, meant):
    found = run(typed)
    assert (found.err, found.status) == (f"nbtext: No such command {typed!r}; did you mean: nbtext {meant}?\n", 2)


def test_help_of_a_command_is_its_option_too(run):
    assert run("help", "train") == run("train", "--help")
    assert run("help") == run("--help")
    assert run("help", "trian").err.endswith("did you mean: nbtext train?\n")


@pytest.mark.parametrize("text", ["some text", "hello"])
def test_text_in_the_place_of_a_file_is_told_how_to_pass_text(run, corpus, text):
    corpus(CORPUS)
    run("train", "corpus")
    found = run("classify", text)
    assert found.err == (
        f"nbtext: {text}: No such file or directory; to classify a text, pipe it in: echo 'some text' | nbtext ...\n"
    )
    assert run("classify", "./missing.txt").err == "nbtext: ./missing.txt: No such file or directory\n"


def test_folder_of_one_class_names_the_parent(run, corpus):
    corpus(CORPUS)
    found = run("train", "corpus/ham")
    assert found.status == 3
    assert found.err.endswith("it contains no class folders: was the parent folder meant, corpus?\n")


def test_replacing_a_model_is_said(run, corpus):
    corpus(CORPUS)
    assert run("train", "corpus").out.endswith("model: model.nbtext\n")
    assert run("train", "corpus").out.endswith("model: model.nbtext, replaced\n")
    assert '"replaced":true' in run("train", "corpus", "--json").out


@pytest.mark.parametrize("command", [("train", "corpus"), ("merge", "model.nbtext"), ("import", "model.txt")])
def test_no_clobber_keeps_an_existing_model(run, corpus, tmp_path, command):
    corpus(CORPUS)
    run("train", "corpus")
    (tmp_path / "model.txt").write_text(run("export").out)
    before = (tmp_path / "model.nbtext").read_bytes()
    found = run(*command, "--no-clobber")
    assert found.status == 2
    assert found.err.startswith("nbtext: model.nbtext exists already, and --no-clobber keeps it")
    assert (tmp_path / "model.nbtext").read_bytes() == before
    assert run(*command, "--no-clobber", "-m", "new.nbtext").status == 0
