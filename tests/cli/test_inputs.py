"""Inputs that are broken, binary or too large: one never costs the others."""

import gzip

import pytest

TABLE = "ham\tlunch at noon\nspam\twin cash\nbroken\nspam\tcash now\n"


@pytest.fixture
def table(tmp_path, run):
    """A model trained from a table, one record of which is broken."""
    (tmp_path / "t.tsv").write_text(TABLE)
    return run("train", "--reader", "tsv", "t.tsv", "-m", "t.nbtext")


def test_a_broken_record_is_reported_counted_and_skipped(table):
    assert table.status == 3
    assert table.err == (
        "nbtext: t.tsv:3: 1 of 2 columns (label, text), separated by tabs; fix or remove this record\n"
    )
    assert "skipped, damaged: 1 (t.tsv:3)\n" in table.out
    assert "total          3       7\n" in table.out


def test_records_behind_a_broken_one_are_answered(table, run):
    answered = run("classify", "-m", "t.nbtext", stdin="\tlunch\nbroken\n\tcash\n")
    assert [line.split("\t")[::2] for line in answered.out.splitlines()] == [["ham", "-:1"], ["spam", "-:3"]]
    assert (answered.err[:14], answered.status) == ("nbtext: -:2: 1", 3)


@pytest.mark.parametrize("command", [["train", "-m", "new.nbtext"], ["evaluate"], ["check"]])
def test_strict_ends_a_command_at_the_first_broken_record(table, run, command, tmp_path):
    ended = run(*command, "--strict", "--reader", "tsv", "t.tsv")
    assert (ended.out, ended.status) == ("", 3)
    assert ended.err.startswith("nbtext: t.tsv:3: 1 of 2 columns")
    assert not (tmp_path / "new.nbtext").exists()


@pytest.mark.parametrize("command", ["classify", "tokens", "explain"])
def test_strict_ends_a_stream_at_the_first_broken_record(table, run, command):
    ended = run(command, "--strict", "-m", "t.nbtext", stdin="\tlunch\nbroken\n\tcash\n")
    assert ended.out == run(command, "-m", "t.nbtext", stdin="\tlunch\n").out
    assert (ended.err[:14], ended.status) == ("nbtext: -:2: 1", 3)


def test_one_nul_makes_nothing_binary(run):
    assert run("tokens", "--no-model", "--lines", stdin=b"red\0apple\nblue\n") == ("red\napple\nblue\n", "", 0)
    assert run("tokens", "--no-model", stdin=b"win cash\0") == ("win\ncash\n", "", 0)


def test_binary_documents_are_read_if_that_is_asked_for(corpus, run):
    corpus({"a/1": b"red\0\1\2\3", "b/1": "blue"})
    assert run("train", "corpus").status == 3
    assert "skipped, binary: 1 (corpus/a/1)" in run("train", "corpus", "--allow-single-class").out
    assert run("train", "corpus", "--binary", "read").status == 0
    assert run("classify", "corpus/a/1").status == 3
    assert run("classify", "--binary", "read", "corpus/a/1").out.startswith("a\t")


def test_a_document_too_large_is_refused_by_name_and_the_rest_goes_on(corpus, run):
    corpus({"a/1": "red", "a/2": "red " * 1000, "b/1": "blue"})
    trained = run("train", "corpus", "--largest", "1k")
    assert "nbtext: corpus/a/2: a document of over 1,000 bytes; split it" in trained.err
    assert "skipped, too large: 1 (corpus/a/2)" in trained.out
    assert trained.status == 3
    assert run("tokens", "corpus/a/2", "--largest", "1k").status == 3
    assert run("tokens", "corpus/a/2").status == 0


def test_train_names_a_class_whose_files_are_all_empty(corpus, run):
    corpus({"a/1": "red", "b/1": "blue", "c/1": "", "c/deep/2": "..."})
    for options in ([], ["--weights", "fitted"], ["--tune"]):
        trained = run("train", "corpus", *options)
        assert "nbtext: c: no document of this class has a token or could be read, so it is left out\n" in trained.err
        assert trained.status == 0


def test_standard_input_is_a_table_if_it_begins_like_one_and_else_plain_text(corpus, run):
    corpus({"t.csv": "label,text\nham,lunch\nspam,win\n"})
    run("train", "--reader", "csv", "corpus/t.csv")
    assert run("classify", stdin="win now\n").out == "spam\t0.666667\t-\n"
    assert run("classify", stdin="text\nwin now\nlunch\n").out == "spam\t0.666667\t-:2\nham\t0.666667\t-:3\n"
    assert run("classify", "--reader", "text", stdin="text\nlunch\n").out == "ham\t0.666667\t-\n"


def test_messages_that_a_mail_server_compressed_are_read(run, tmp_path):
    (tmp_path / "1700000000.M1P1.host,S=55:2,S").write_bytes(gzip.compress(b"Subject: cheap pills\n\nwin now\n"))
    out = run("tokens", "--no-model", "--reader", "mail", "1700000000.M1P1.host,S=55:2,S").out.splitlines()
    assert {"subject:cheap", "subject:pills", "win", "now"} <= set(out)
