"""What exercises want beside tables: empty documents, smoothed priors, given probabilities, bytes, drawn classes."""

import json
from math import exp

import pytest

from nbtext import Hyperparameters, train_documents
from nbtext.inference.priors import log_priors

from .shell import ROOT


def test_an_empty_document_counts_for_the_priors_if_asked(corpus, run):
    corpus({"t.csv": "label,text\nfood,salt\nfood,\nboat,reef\n"})
    assert "skipped, empty: 1" in run("train", "corpus/t.csv").out
    run("train", "corpus/t.csv", "--keep-empty")
    shown = run("show").out.splitlines()
    assert [line.split()[:2] for line in shown[1:3]] == [["boat", "1"], ["food", "2"]]
    assert "vocabulary: 2 tokens" in shown
    assert run("verify").status == 0
    assert run("classify", stdin=" ").out.startswith("(empty)\t0.666667")


def test_absence_is_evidence_in_the_bernoulli_model_and_of_a_row_of_zeros_too(corpus, run):
    corpus({"t.csv": "label,text\nno,\nno,\nyes,student\nyes,student\n"})
    run("train", "corpus/t.csv", "--keep-empty", "--event-model", "bernoulli")
    [line] = run("classify", "--raw", "--json", stdin="text\n \n").out.splitlines()
    record = json.loads(line)
    assert record["posteriors"]["no"] == pytest.approx(3 / 4, rel=1e-12)


def test_priors_smoothed_by_documents_are_those_of_a_dirichlet_prior():
    assert list(map(exp, log_priors("smoothed=2", ["a", "b"], [5, 1]))) == pytest.approx([0.7, 0.3], rel=1e-12)
    model = train_documents({"a": ["x", "y"], "b": ["z"]}, hyperparameters=Hyperparameters(prior="smoothed=1"))
    assert model.hyperparameters.prior == "smoothed=1"


@pytest.mark.parametrize(
    ("name", "asked", "posteriors"),
    [
        ("cancer", "test\npositive\n", {"healthy": 0.02976 / 0.0376, "cancer": 0.00784 / 0.0376}),
        ("dice", "six\nyes\n", {"loaded": 2 / 3, "fair": 1 / 3}),
        (
            "diagnosis",
            "sneeze,cough,fever\nyes,yes,no\n",
            {name: p / 0.05682 for name, p in
             {"rhinitis": 0.0192, "allergy": 0.0189, "cold": 0.0108, "well": 0.00792}.items()},
        ),
    ],
)  # fmt: skip
def test_given_probabilities_make_a_model(run, name, asked, posteriors):
    assert run("import", ROOT / "corpora" / "tables" / f"{name}.json").status == 0
    assert run("verify").status == 0
    found = json.loads(run("classify", "--raw", "--json", stdin=asked).out)["posteriors"]
    assert found == pytest.approx(posteriors, rel=1e-6)


@pytest.mark.parametrize("text", ['{"priors": {"a": 0.5}, "given": {}}', '{"priors": {"a": 1}, "given": {"x": 3}}'])
def test_what_is_no_distribution_makes_no_model(run, text):
    refused = run("import", stdin=text)
    assert (refused.out, refused.status) == ("", 3)
    assert "given probabilities" in refused.err


def test_bytes_are_tokens_of_programs(corpus, run):
    corpus({"virus/a": b"\x7fELF\0\0\xeb\xfe\xcc" * 20, "tool/b": b"\x7fELF\0\0\x55\x89\xe5" * 20})
    run("train", "corpus", "--reader", "bytes", "--ngrams", "2")
    assert run("tokens", stdin=b"\0\xeb\xfe").out.splitlines()[-1] == "eb fe\tvirus=20"
    assert run("classify", stdin=b"\xeb\xfe\xcc").out.startswith("virus\t")


def test_a_class_is_drawn_from_the_priors(corpus, run):
    corpus({"a/1": "x", "b/1": "y", "b/2": "y z"})
    run("train", "corpus")
    drawn = [run("generate", "-n", "0", "--seed", str(seed)).out for seed in range(30)]
    assert drawn.count("a\n") + drawn.count("b\n") == 30
    assert drawn.count("b\n") > drawn.count("a\n") > 0


def test_fractions_show_the_counts(corpus, run):
    corpus({"a/1": "x x x y y y y", "b/1": "p q r s"})
    run("train", "corpus")
    assert "(3 + 1)/(7 + 6)" in run("show", "--word", "x", "--fractions").out
