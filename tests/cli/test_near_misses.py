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


MESSAGE = "From: ann@example.org\nSubject: lunch\n\nat noon\n"
BOX = f"From ann@example.org Thu Jan  1 09:00:00 2026\n{MESSAGE}"


@pytest.mark.parametrize(("name", "content", "reader"), [("1.eml", MESSAGE, "mail"), ("box", BOX, "mbox")])
def test_mail_that_is_trained_as_text_is_noted(run, corpus, name, content, reader):
    corpus({f"ham/{name}": content, f"spam/{name}": content.replace("lunch", "win")})
    note = f"nbtext: these look like messages, which were read as plain text; --reader {reader} reads them as mail\n"
    assert run("train", "corpus")[1:] == (note, 0)
    for given in (reader, "text"):
        assert run("train", "corpus", "--reader", given).err == ""


def test_text_is_not_taken_for_mail(run, corpus):
    corpus({"ham/1": "From here on: lunch\nat noon", "spam/1": "Subject: win\n\ncash"})
    assert run("train", "corpus").err == ""


def test_a_spreadsheet_is_to_be_saved_as_csv(run, corpus):
    corpus({**CORPUS, "ham/t.xlsx": b"PK\x03\x04\0\0\0\1\2\3\4\5"})
    run("train", "corpus")
    sentence = "nbtext: corpus/ham/t.xlsx: a spreadsheet, not text; save it as CSV in UTF-8, and name that file\n"
    for command in (("train",), ("train", "--reader", "csv"), ("classify",)):
        refused = run(*command, "corpus/ham/t.xlsx")
        assert (refused.err, refused.status) == (sentence, 3)


def test_a_row_of_too_many_columns_lacks_quotation_marks(run, corpus):
    corpus({"t.csv": "label,text\nham,lunch\nspam,win, now\nspam\nspam,cash\n"})
    first, second = run("train", "corpus/t.csv").err.splitlines()
    assert first.endswith(
        "t.csv:3: 3 columns, not the 2 of the first row; a value with ',' in it needs quotation marks; "
        "fix or remove this record"
    )
    assert second.endswith("t.csv:4: 1 columns, not the 2 of the first row; fix or remove this record")


def test_a_model_is_no_folder(run, corpus, tmp_path):
    corpus(CORPUS)
    refused = run("train", "corpus", "-m", "new/")
    assert "new/ would be a folder, and a model is a file; name one, as in new/model.nbtext" in refused.err
    assert (refused.status, (tmp_path / "new").exists()) == (2, False)


def test_bytes_have_no_stop_words(run, corpus):
    corpus({**CORPUS, "words": "at"})
    refused = run("train", "corpus", "--reader", "bytes", "--stopwords", "corpus/words")
    assert refused.err.startswith("nbtext: --stopwords has no effect with --reader bytes, which reads no words;")
    assert refused.status == 2
    assert run("train", "corpus", "--reader", "bytes", "--stopwords", "none").status == 0


@pytest.mark.parametrize("label", ["(unsure)", "(unknown)", "(empty)"])
def test_a_class_cannot_be_named_like_what_is_no_answer(run, corpus, label):
    corpus({f"{label}/1": "lunch", "spam/1": "win"})
    said = f"the label {label} is reserved for documents without an answer; "
    assert run("train", "corpus") == ("", f"nbtext: corpus: {said}rename the class\n", 3)
    corpus(CORPUS, "other")
    run("train", "other")
    assert run("learn", label, "--new", "corpus/spam/1") == ("", f"nbtext: {said}choose another\n", 3)
