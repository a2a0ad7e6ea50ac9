"""nbtext explain: what it prints and its status, in process."""

import math

import pytest

from .common import records


def test_explain(trained):
    text = "win win lunch zebra"
    assert trained("explain", stdin=text).out == trained("classify", stdin=text).out + (
        "   term  token             times  spam  ham\n"
        "+2.4424  win                   2     2    0\n"
        "-0.5705  lunch                 1     0    1\n"
        "+0.0000  before any token\n"
        "+1.8719  total: log probability of spam minus that of ham\n"
    )


EXPLAINED = [
    [],
    ["--event-model", "bernoulli"],
    ["--event-model", "binary"],
    ["--event-model", "complement"],
    ["--event-model", "complement-binary", "--alpha", "0.1"],
    ["--prior", "ham=0.9"],
    ["--min-count", "2"],
    ["--top", "1"],
    ["--top", "0"],
    ["--against", "ham"],
    ["--against", "spam"],
]


@pytest.mark.parametrize("options", EXPLAINED, ids=" ".join)
@pytest.mark.parametrize("text", ["win win lunch zebra", "at noon", "", "zebra"])
def test_explained_terms_add_up(options, text, trained):
    _, _, *terms, whole = trained("explain", *options, stdin=text).out.splitlines()
    assert sum(float(line.split()[0]) for line in terms) == pytest.approx(float(whole.split()[0]), abs=1e-3)


@pytest.mark.parametrize("options", [o for o in EXPLAINED if "--top" not in o], ids=" ".join)
def test_explained_object_adds_up_but_for_rounding(options, trained):
    (record,) = records(trained("explain", "--json", *options, stdin="win win lunch zebra"))
    assert record.keys() == {
        "name", "outcome", "label", "posterior", "posteriors", "scores", "tokens", "known", "against", "joint", "bias",
        "terms",
    }  # fmt: skip
    assert record["terms"][0].keys() == {"token", "value", "occurrences", "frequency", "terms"}
    for label, score in record["scores"].items():
        parts = [record["bias"][label], *(term["terms"][label] for term in record["terms"])]
        assert math.fsum(parts) == pytest.approx(score, rel=0, abs=1e-14)


def test_explain_says_score_where_it_is_no_probability(trained):
    out = trained("explain", "--event-model", "complement", stdin="win").out
    assert "total: score of spam minus that of ham" in out
    assert "probability" not in out


def test_explain_sums_up_the_terms_left_out(trained):
    *_, rest, _, _ = trained("explain", "--top", "1", stdin="win win lunch now cash").out.splitlines()
    assert rest.split(maxsplit=1)[1] == "3 more"


def test_explain_against_a_class_of_choice(corpus, run):
    corpus({"a/1": "red red", "b/1": "red blue", "c/1": "green"})
    run("train", "corpus")
    assert run("explain", stdin="red").out.endswith("of a minus that of b\n")
    assert run("explain", "--against", "c", stdin="red").out.endswith("of a minus that of c\n")
    assert run("explain", "--against", "a", stdin="red").out.endswith("of a minus that of b\n")
    assert run("explain", "--against", "d", stdin="red").status == 2


def test_explain_in_a_model_of_one_class(corpus, run):
    corpus({"only/1.txt": "one"})
    run("train", "corpus", "--allow-single-class")
    assert run("explain", stdin="one").out.splitlines()[-1].startswith("+0.0000")


def test_explain_is_coloured_on_a_terminal_only(trained, monkeypatch):
    assert "\x1b" not in trained("explain", stdin="win lunch").out
    monkeypatch.setattr("nbtext.cli._output.in_colour", lambda: True)
    lines = trained("explain", stdin="win lunch").out.splitlines()
    assert [line[:5] for line in lines] == ["spam\t", "   te", "\x1b[32m", "\x1b[31m", "+0.00", "\x1b[32m"]
