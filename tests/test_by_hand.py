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


NO_NUMBER = 'which is not a number; write it as 0.25 or "1/6"'
GIVEN = '{"priors": {"a": %s, "b": 0.5}, "given": {"x": {"yes": {"a": %s, "b": 0.25}%s}}}'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (GIVEN % ("-0.5", "0.5", ""), "P(a) is -0.5; a probability is from 0 to 1"),
        (GIVEN % ("1.5", "0.5", ""), "P(a) is 1.5; a probability is from 0 to 1"),
        (GIVEN % ("0.4", "0.5", ""), "the priors sum to 0.9; they should sum to 1"),
        (GIVEN % ('"1/3"', "0.5", ""), "the priors sum to 5/6; they should sum to 1"),
        (GIVEN % ("0", "0.5", ""), "P(a) is 0: a class that never occurs is no answer; leave it out"),
        (GIVEN % ("0.5", '"7/6"', ""), "P(x=yes | a) is 7/6; a probability is from 0 to 1"),
        (GIVEN % ("0.5", '"much"', ""), "P(x=yes | a) is 'much', " + NO_NUMBER),
        (GIVEN % ("0.5", "NaN", ""), 'P(x=yes | a) is nan, which is not a number; write it as 0.25 or "1/6"'),
        (GIVEN % ("0.5", "true", ""), 'P(x=yes | a) is True, which is not a number; write it as 0.25 or "1/6"'),
        (GIVEN % ("0.5", '"1/0"', ""), "P(x=yes | a) is '1/0', " + NO_NUMBER),
        (
            GIVEN % ("0.5", "1e-999999999", ""),
            "P(x=yes | a) is '1e-999999999', " + NO_NUMBER,
        ),
        (GIVEN % ("0.5", "1e-20", ""), "the given probabilities have too many digits; round them"),
        (GIVEN % ("0.5", "0.5", ', "so": {"a": 0.6, "b": 0}'), "the values of x sum to 1.1 in a; they should sum to 1"),
        (
            GIVEN % ("0.5", "0.5", ', "no": {"a": 0.4, "b": 0.75}'),
            "the values of x sum to 0.9 in a; they should sum to 1",
        ),
        (GIVEN % ("0.5", "0.5", ', "so": {"a": 0.4}'), "P(x=so | b) is missing; give one for each class"),
        (
            GIVEN % ("0.5", "0.5", ', "so": {"a": 0.4, "b": 0, "c": 0}'),
            "P(x=so | c) is given, but c has no prior; add one",
        ),
        (
            '{"priors": {"a": 1}, "given": {"x": 3}}',
            "not a description of given probabilities ('str' object has no attribute 'items'); see docs/by-hand.md",
        ),
        (
            '{"priors": {"a": 1}}',
            "not a description of given probabilities ('given'); see docs/by-hand.md",
        ),
    ],
)
def test_what_is_no_distribution_makes_no_model(run, text, why):
    refused = run("import", stdin=text)
    assert (refused.out, refused.err, refused.status) == ("", f"nbtext: {why}\n", 3)


def test_given_probabilities_may_take_several_lines_and_name_no_themselves(run):
    text = GIVEN % ('"1/2"', "5e-1", ', "no": {"a": "0.5", "b": 0.75}')
    run("import", "-m", "one", stdin=text)
    run("import", "-m", "many", stdin=json.dumps(json.loads(text), indent=2))
    assert run("export", "-m", "one").out == run("export", "-m", "many").out != ""


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


def test_an_m_estimate_of_the_size_of_the_vocabulary_is_table_6_2(corpus, run):
    corpus({"a/1": "x x x y y y y", "a/2": "q", "b/1": "p q r s"})
    run("train", "corpus")
    table = [run("classify", "--raw", "--json", stdin=text).out for text in ("x q", "r y y")]
    run("train", "corpus", "--m", "6")
    assert [run("classify", "--raw", "--json", stdin=text).out for text in ("x q", "r y y")] == table


def test_an_m_estimate_is_shown_and_kept_as_it_is(corpus, run):
    corpus({"a/1": "x x x y y y y", "b/1": "p q r s"})
    run("train", "corpus", "--m", "2.5")
    assert "(3 + 2.5/6)/(7 + 2.5)" in run("show", "--word", "x", "--fractions").out
    assert "m: 2.5" in run("show").out.splitlines()
    assert "alpha" not in run("show").out
    run("learn", "b", stdin="t")
    assert "(3 + 2.5/7)/(7 + 2.5)" in run("show", "--word", "x", "--fractions").out
    exported = run("export").out
    run("import", "-m", "again", stdin=exported)
    assert run("export", "-m", "again").out == exported
    run("merge", "model.nbtext", "again", "-m", "both")
    assert "m: 2.5" in run("show", "-m", "both").out.splitlines()
    run("unlearn", "b", stdin="t")
    assert "(3 + 2.5/6)/(7 + 2.5)" in run("show", "--word", "x", "--fractions").out


def test_alpha_and_m_take_turns(corpus, run):
    corpus({"a/1": "x x y", "b/1": "p q"})
    run("train", "corpus", "--m", "2")
    asked = "x p y"
    by_alpha = run("classify", "--raw", "--json", "--alpha", "0.1", stdin=asked).out
    by_m = run("classify", "--raw", "--json", stdin=asked).out
    run("train", "corpus", "--alpha", "0.1")
    assert run("classify", "--raw", "--json", stdin=asked).out == by_alpha
    assert run("classify", "--raw", "--json", "--m", "2", stdin=asked).out == by_m
    refused = run("classify", "--m", "2", "--alpha", "1", stdin=asked)
    assert (refused.status, refused.err) == (2, "nbtext: alpha and m are two ways to smooth: choose one\n")


@pytest.mark.parametrize("m", ["0", "-1", "nan", "1e10", "1e-301"])
def test_an_m_that_is_no_number_of_observations_is_refused(corpus, run, m):
    corpus({"a/1": "x", "b/1": "y"})
    refused = run("train", "corpus", "--m", m)
    assert refused.status == 2
    assert "it is how many observations the priors count for, from 1e-300 to 1e+09" in refused.err


def test_the_value_of_a_category_has_an_m_estimate_over_its_own_values(corpus, run):
    corpus({"t.csv": "sky,text,label\nclear,x,a\ngrey,x y,a\ndark,z,b\n"})
    run("train", "corpus/t.csv", "--category", "sky", "--m", "6")
    shown = run("show", "--word", "sky=grey", "--word", "x", "--fractions").out
    assert shown.count("(1 + 6/3)/(2 + 6)") == 1
    assert shown.count("(2 + 6/3)/(3 + 6)") == 1


def test_a_document_of_the_bernoulli_model_has_or_lacks_a_word(corpus, run):
    corpus({"a/1": "x y", "a/2": "x", "a/3": "y", "b/1": "z"})
    run("train", "corpus", "--event-model", "bernoulli", "--m", "1")
    assert "(2 + 1/2)/(3 + 1)" in run("show", "--word", "x", "--fractions").out
    run("train", "corpus", "--event-model", "bernoulli")
    assert "(2 + 1)/(3 + 2)" in run("show", "--word", "x", "--fractions").out


def test_evaluation_and_tuning_keep_m(corpus, run):
    corpus({f"{label}/{n}": f"{label}{label} w{n % 7} w{n % 3}" for label in "ab" for n in range(30)})
    for method in ("--folds", "3"), ("--leave-one-out",):
        evaluated = run("evaluate", "corpus", "--m", "3", "--compare", "alpha=0.1", "--compare", "m=9", *method)
        assert evaluated.status == 0
    tuned = run("train", "corpus", "--tune", "--m", "3")
    assert tuned.out.splitlines()[0].split()[:3] == ["event", "model", "m"]
    assert "m: 3" in run("show").out.splitlines()
    assert {
        each.get("m") for each in json.loads(run("train", "corpus", "--tune", "--m", "3", "--json").out)["tuned"]
    } == {3}
