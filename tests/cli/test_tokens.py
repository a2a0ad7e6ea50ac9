"""nbtext tokens: what it prints and its status, in process."""

import pytest

from .common import records


def test_tokens_shows_what_the_model_knows(trained):
    assert trained("tokens", stdin="At noon, win zebra!").out == "at\tham=2\nnoon\tham=2\nwin\tspam=2\nzebra\t-\n"


def test_tokens_outside_the_vocabulary_are_not_known(trained):
    trained("train", "corpus", "--stopwords", "none", "--min-count", "2")
    assert trained("tokens", stdin="win lunch").out == "win\tspam=2\nlunch\t-\n"


@pytest.mark.parametrize(
    ("options", "tokens"),
    [
        (["--no-model"], ["big", "cat"]),
        (["--ngrams", "2"], ["big", "cat", "big cat"]),
        (["--tokenizer", "chars:n=2"], ["bi", "ig", "ca", "at"]),
        (["--tokenizer", "split"], ["Big", "cat!"]),
        (["--reader", "lines"], ["big", "cat"]),
        (["--encoding", "latin-1"], ["big", "cat"]),
    ],
)
def test_tokens_needs_no_model_where_options_say_how_to_cut(options, tokens, run):
    assert run("tokens", *options, stdin="Big cat!") == ("\n".join(tokens) + "\n", "", 0)


def test_tokens_without_options_needs_a_model(run):
    assert run("tokens", stdin="Big cat!").status == 3


def test_tokens_can_leave_the_model_out(trained):
    assert trained("tokens", "--no-model", "--ngrams", "2", stdin="at noon").out == "at\nnoon\nat noon\n"


def test_tokens_as_objects(trained):
    assert records(trained("tokens", "--no-model", "--json", stdin="a")) == [{"name": "-", "token": "a"}]
    (record,) = records(trained("tokens", "--json", stdin="zebra"))
    assert record == {
        "name": "-",
        "token": "zebra",
        "vocabulary": False,
        "occurrences": {"ham": 0, "spam": 0},
        "documents": {"ham": 0, "spam": 0},
        "probabilities": {},
    }
