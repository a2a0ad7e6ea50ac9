"""Attributes: categories and numbers as factors of their own, exact in every order, equal to scikit-learn."""

import csv
import json
import re
from fractions import Fraction
from itertools import product
from math import exp, log, pi
from random import Random
from typing import Any

import numpy as np
import pytest

from nbtext import Analysis, Classifier, Hyperparameters, Model, explain, merge, train_documents
from nbtext.classification.bulk import BulkScorer, Plan
from nbtext.counting.indexed import IndexedCorpus
from nbtext.counting.shards import index_documents
from nbtext.fields import Fields, decimal
from nbtext.model.exchange import exported, imported
from nbtext.model.verifying import verify
from nbtext.readers import Document, digest
from nbtext.training.learning import learn, unlearn

from .. import oracle
from ..shell import ROOT

TABLES = ROOT / "corpora" / "tables"
FIELDS = Analysis(reader="csv", fields=Fields(category=("sky",), number=("age",)).spec())


def document(label: str | None, text: str = "", sky: str = "", age: str = "") -> Document:
    known: list[tuple[str, str | float]] = [("sky", sky)] if sky else []
    number = decimal(age)
    return Document([("", text)], label, "x", attributes=known + ([("age", number)] if number else []))


def some(count: int, seed: int) -> list[Document]:
    random = Random(seed)
    skies, words = ["clear", "grey", "very dark: 50 %"], ["red", "blue", "green"]
    return [
        document(
            random.choice("abc"),
            " ".join([*random.choices(words, k=random.randint(0, 3)), *([f"n{seed}{n}"] if n % 3 else [])]),
            random.choice([*skies, ""]),
            random.choice(["", str(random.randint(-5, 5)), f"{random.gauss(3, 2):.3f}"]),
        )
        for n in range(count)
    ]


def different(documents: list[Document]) -> list[Document]:
    """Documents with evidence, each different from the others."""
    return list(
        {digest(each): each for each in documents if each.attributes or any(text for _, text in each.parts)}.values()
    )


DOCUMENTS = different(some(60, 1))
OTHERS = different([*DOCUMENTS, *some(40, 2)])[len(DOCUMENTS) :]


def totals_of(model: Model) -> dict[str, Any]:
    assert model.attributes
    return model.attributes.plain()


def text_of(model: Model) -> list[str]:
    return list(exported(model))


@pytest.mark.parametrize("value", ["250", "5000", "100000", "1e40"])
def test_a_number_far_from_all_classes_speaks_for_the_widest(run, tmp_path, value):
    rows = [f"w,x,{n}\n" for n in (1, 2, 3, 2)] + [f"w,y,{n}\n" for n in (100, 200, 300)]
    (tmp_path / "t.csv").write_text("text,label,age\n" + "".join(rows))
    run("train", "t.csv", "--number", "age")
    assert run("classify", "--raw", stdin=f"text,age\nw,{value}\n").out.startswith("y\t1\t")


def test_play_tennis_is_as_in_the_book(run):
    asked = "outlook,temperature,humidity,wind\nsunny,cool,high,strong\n"
    run("train", TABLES / "play-tennis.csv", "--label", "play", "--fields", "auto")
    scores = json.loads(run("classify", "--json", "--alpha", "1e-9", "--raw", stdin=asked).out)["scores"]
    assert {label: round(exp(score), 4) for label, score in scores.items()} == {"no": 0.0206, "yes": 0.0053}
    scores = json.loads(run("classify", "--json", "--raw", stdin=asked).out)["scores"]
    yes = Fraction(9, 14) * Fraction(3, 12) * Fraction(4, 12) * Fraction(4, 11) * Fraction(4, 11)
    no = Fraction(5, 14) * Fraction(4, 8) * Fraction(2, 8) * Fraction(5, 7) * Fraction(4, 7)
    assert exp(scores["yes"]) == pytest.approx(float(yes), rel=1e-12)
    assert exp(scores["no"]) == pytest.approx(float(no), rel=1e-12)


@pytest.mark.parametrize("alpha", [1e-6, 0.5, 1.0])
def test_categories_are_as_scikit_learn_has_them(alpha):
    naive_bayes = pytest.importorskip("sklearn.naive_bayes")
    with open(TABLES / "play-tennis.csv") as file:
        _, *rows = csv.reader(file)
    values = [sorted({row[i] for row in rows}) for i in range(4)]
    coded = np.array([[values[i].index(row[i]) for i in range(4)] for row in rows])
    theirs = naive_bayes.CategoricalNB(alpha=alpha).fit(coded, [row[4] for row in rows])
    analysis = Analysis(reader="csv", fields=Fields(category=tuple("abcd")).spec())

    def made(row: list[str], label: str | None = None) -> Document:
        return Document([], label, attributes=list(zip("abcd", row, strict=False)))

    model = train_documents([made(row, row[4]) for row in rows], None, analysis, Hyperparameters(alpha=alpha))
    ours = Classifier(model, raw=True)
    for row in product(*values):
        [theirs_own] = theirs.predict_joint_log_proba([[values[i].index(v) for i, v in enumerate(row)]])
        scores = ours(made(list(row))).scores
        assert [scores[label] for label in ("no", "yes")] == pytest.approx(theirs_own.tolist(), abs=1e-9)


@pytest.mark.parametrize("alpha", [1e-6, 0.5, 1.0])
@pytest.mark.parametrize("asked_as", ["tokens", "categories"])
def test_zeros_and_ones_are_as_scikit_learns_bernoulli_has_them(alpha, asked_as):
    naive_bayes = pytest.importorskip("sklearn.naive_bayes")
    with open(TABLES / "buys-computer.csv") as file:
        _, *rows = csv.reader(file)
    bits = [list(map(int, row[:3])) for row in rows]
    theirs = naive_bayes.BernoulliNB(alpha=alpha).fit(bits, [row[3] for row in rows])

    def made(row: list[int], label: str | None = None) -> Document:
        if asked_as == "categories":
            return Document([], label, attributes=[(name, str(bit)) for name, bit in zip("abc", row, strict=True)])
        return Document([("", " ".join(name for name, bit in zip("abc", row, strict=True) if bit))], label)

    fields = Fields(category=tuple("abc")) if asked_as == "categories" else Fields(keep_empty=True)
    event_model = "multinomial" if asked_as == "categories" else "bernoulli"
    analysis = Analysis(reader="csv", fields=fields.spec())
    documents = [made(row, label) for row, (*_, label) in zip(bits, rows, strict=True)]
    ours = Classifier(train_documents(documents, None, analysis, Hyperparameters(event_model, alpha)), raw=True)
    for row in product((0, 1), repeat=3):  # of zeros alone too: absence is evidence
        [theirs_own] = theirs.predict_joint_log_proba([row])
        scores = ours(made(list(row))).scores
        assert [scores[label] for label in ("0", "1")] == pytest.approx(theirs_own.tolist(), abs=1e-9)


def test_a_number_is_normally_distributed_as_scikit_learn_has_it():
    naive_bayes = pytest.importorskip("sklearn.naive_bayes")
    ages = [("a", "1"), ("a", "2.5"), ("a", "4"), ("b", "3"), ("b", "8.25"), ("c", "-1"), ("c", "-1"), ("c", "0.5")]
    theirs = naive_bayes.GaussianNB().fit([[float(age)] for _, age in ages], [label for label, _ in ages])
    model = train_documents([document(label, age=age) for label, age in ages], None, FIELDS)
    ours = Classifier(model, raw=True)
    for age in ("-3", "0", "1", "3.125", "20"):
        [theirs_own] = theirs.predict_joint_log_proba([[float(age)]])
        scores = ours(document(None, age=age)).scores
        assert [scores[label] for label in "abc"] == pytest.approx(theirs_own.tolist(), abs=1e-9)


def test_text_category_and_number_are_factors_of_one_product():
    model = train_documents(
        [document("a", "red", "clear", "1"), document("a", "red", "grey", "3"), document("b", "blue", "grey", "2"),
         document("b", "blue", "", "5")], None, FIELDS
    )  # fmt: skip
    scores = Classifier(model, raw=True)(document(None, "red", "grey", "2")).scores
    floor = 1e-9 * (39 / 4 - (11 / 4) ** 2)  # of the variance of 1, 3, 2 and 5
    for label, word, sky, mean, variance in ("a", 3 / 4, 2 / 4, 2, 1), ("b", 1 / 4, 2 / 3, 3.5, 2.25):
        density = -0.5 * log(2 * pi * (variance + floor)) - (2 - mean) ** 2 / (2 * (variance + floor))
        assert scores[label] == pytest.approx(log(0.5 * word * sky) + density, abs=1e-12)


@pytest.mark.parametrize(
    ("hyperparameters", "settings"),
    [
        (Hyperparameters(), oracle.Settings()),
        (Hyperparameters(alpha=0.25), oracle.Settings(Fraction(1, 4))),
        (Hyperparameters(m=2.5), oracle.Settings(m=Fraction(5, 2))),
    ],
)
def test_categories_and_numbers_are_the_fractions_of_the_book(hyperparameters, settings):
    def known(name: str) -> list[tuple[str, str]]:
        return [(str(each.label), str(value)) for each in DOCUMENTS for own, value in each.attributes if own == name]

    skies, ages = known("sky"), [(label, Fraction(age)) for label, age in known("age")]
    normal = oracle.number(ages)
    priors = oracle.prior([(str(each.label), ["x"]) for each in DOCUMENTS], oracle.Settings())
    model = train_documents(DOCUMENTS, None, FIELDS, hyperparameters)
    assert model.attributes
    for label, moments in zip(model.labels, model.attributes.numbers["#age"].moments, strict=True):
        exact = oracle.moments([age for own, age in ages if own == label])
        assert (moments.mean, moments.variance) == exact
    classify = Classifier(model, raw=True)
    for sky, age in product(sorted({sky for _, sky in skies}), ["-7", "0.125", "3", "11.5"]):
        shares = oracle.category(skies, sky, settings)
        scores = classify(document(None, sky=sky, age=age)).scores
        expected = [
            log(priors[v] * shares[v]) + float(normal[v].exponent(Fraction(age))) - log(2 * pi * normal[v].variance) / 2
            for v in "abc"
        ]
        assert [scores[v] for v in "abc"] == pytest.approx(expected, abs=1e-9)


def test_plain_text_has_no_word_of_attributes_in_its_file():
    model = train_documents({"a": ["red"], "b": ["blue"]})
    assert "attributes" not in model.store.settings()
    assert "attributes" in train_documents(DOCUMENTS, None, FIELDS).store.settings()
    assert not any("attributes" in line for line in exported(model))


def test_what_is_missing_or_was_never_seen_is_skipped():
    model = train_documents([document("a", "red", "clear"), document("b", "blue", "grey")], None, FIELDS)
    assert Classifier(model)(document(None, sky="purple")).outcome == "unknown"
    assert Classifier(model)(document(None, sky="clear")).label == "a"
    decision = Classifier(model)(document(None, "red", "purple", "7"))
    assert (decision.tokens, decision.known) == (3, 1)


def test_learning_merging_and_unlearning_are_exact():
    whole = train_documents([*DOCUMENTS, *OTHERS], None, FIELDS)
    verify(whole)
    parts = [train_documents(each, None, FIELDS) for each in (DOCUMENTS, OTHERS)]
    assert text_of(merge(parts, None)) == text_of(whole)
    model = parts[0]
    before = totals_of(model)
    for each in OTHERS:
        learn(model, str(each.label), [each])
    assert totals_of(model) == totals_of(whole)
    verify(model)
    for each in reversed(OTHERS):
        unlearn(model, str(each.label), [each])
    assert totals_of(model) == before
    verify(model)


def test_a_model_survives_export_and_import():
    model = train_documents(DOCUMENTS, None, FIELDS)
    again = imported((f"{line}\n".encode() for line in exported(model)), None)
    assert text_of(again) == text_of(model)
    assert totals_of(again) == totals_of(model)


@pytest.mark.parametrize("event_model", ["multinomial", "bernoulli", "complement"])
def test_many_are_answered_as_one_by_one(event_model):
    classify = Classifier(train_documents(DOCUMENTS, None, FIELDS, Hyperparameters(event_model=event_model)))
    asked = [*OTHERS, document(None, "red", "unseen", "123456789"), document(None)]
    many = BulkScorer(classify.model, Plan.of(classify)).answered(asked).decisions()
    assert list(many) == list(map(classify, asked))


@pytest.mark.parametrize("m", [None, 2.5])
def test_leave_one_out_is_training_without_the_document(m):
    corpus = IndexedCorpus(FIELDS)
    corpus.add(index_documents(DOCUMENTS, FIELDS))
    model = train_documents(DOCUMENTS, None, FIELDS, Hyperparameters(m=m))
    tokens = model.loaded().numbers(corpus.tokens.texts())
    matrix = corpus.matrix._replace(tokens=tokens[corpus.matrix.tokens])
    left_out = model.estimator().leave_one_out(matrix)
    for place, each in enumerate(DOCUMENTS):
        rest = train_documents([*DOCUMENTS[:place], *DOCUMENTS[place + 1 :]], None, FIELDS, Hyperparameters(m=m))
        scores = Classifier(rest, raw=True)(each).scores
        expected = [scores[label] for label in sorted(scores)]
        assert left_out.values[place].tolist() == pytest.approx(expected, abs=1e-9)


def test_a_value_cannot_be_forged_by_text():
    analysis = Analysis(tokenizer="split")
    with pytest.raises(ValueError, match="the tag '=sky' cannot begin a token"):
        train_documents([Document([("=sky", "clear")], "a"), Document([("", "y")], "b")])
    model = train_documents({"a": ["=sky:clear x"], "b": ["y"]}, None, analysis)
    assert model.attributes is None
    assert [token for token, _ in model.store.tokens()] == [":=sky:clear", "x", "y"]


def test_attributes_from_python_are_those_of_a_table(corpus, run, tmp_path):
    corpus({"t.csv": 'text,label,sky,body height\nred,a,"very clear",1.50\nblue,b,grey,1e3\nred,b,,\n'})
    run("train", "corpus/t.csv", "--category", "sky", "--number", "body height")
    documents = [
        Document([("", "red")], "a", attributes=[("sky", "very clear"), ("body height", 1.5)]),
        Document([("", "blue")], "b", attributes=[("sky", "grey"), ("body height", 1000)]),
        Document([("", "red")], "b"),
    ]
    by_command = Model.open(str(tmp_path / "model.nbtext"))
    by_library = train_documents(documents, None, by_command.analysis)
    assert text_of(by_library)[:-1] == text_of(by_command)[:-1]  # the last line tells where the table is
    assert explain(by_library, documents[0]).decision.label == "a"


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_number_from_python_that_is_none_is_refused(value):
    with pytest.raises(ValueError, match="age is not a number"):
        train_documents([document("a"), Document([], "b", attributes=[("age", value)])])


def test_the_page_of_an_explanation_shows_attributes_whole(corpus, run, tmp_path):
    corpus({"t.csv": "text,label,sky\nred,a,very clear\nblue,b,grey\n"})
    run("train", "corpus/t.csv", "--category", "sky")
    run("explain", "--html", "page.html", stdin="text,sky\nred,very clear\n")
    assert re.search(r"<mark [^>]*>very clear</mark>", (tmp_path / "page.html").read_text())


def test_a_cell_that_is_no_number_is_a_broken_record(corpus, run):
    corpus({"t.csv": "age,label\n1,a\nold,a\n,a\n7,b\n"})
    trained = run("train", "corpus/t.csv", "--number", "age")
    assert "corpus/t.csv:3: age is not a number: 'old'; fix or remove this record" in trained.err
    assert trained.status == 3


@pytest.mark.parametrize("power", [-320, -300, -130, 0, 154, 300])
def test_numbers_of_any_size_are_compared_as_exactly(power):
    """In other units posteriors are the same."""
    ages = [("a", "1"), ("a", "2.5"), ("a", "4"), ("b", "3"), ("b", "8.25"), ("c", "-1"), ("c", "-1"), ("c", "0.5")]
    asked = ["-3", "0", "1", "3.125", "20"]

    def posteriors(power: int) -> list[list[float]]:
        made = [document(label, age=f"{age}e{power}") for label, age in ages]
        model = train_documents(made, None, FIELDS)
        verify(model)
        classify = Classifier(model, raw=True)
        found = [classify(document(None, age=f"{age}e{power}")).posteriors for age in asked]
        return [[each[label] for label in "abc"] for each in found]

    assert posteriors(power) == [pytest.approx(own, abs=1e-9) for own in posteriors(0)]


@pytest.mark.parametrize("near", ["5e-324", "1.7976931348623157e308", "-1e308", "0.1e-120"])
@pytest.mark.parametrize("far", ["1.7e308", "5e-324", "-1e154", "0"])
def test_no_number_is_too_large_or_small_to_be_counted(corpus, run, near, far):
    rows = [("1", "a"), (near, "a"), ("2", "b"), (far, "b")]
    corpus({"t.csv": "age,label\n" + "".join(f"{age},{label}\n" for age, label in rows)})
    assert run("train", "corpus/t.csv", "--number", "age").status == 0
    assert run("verify").status == run("show").status == 0
    for age in near, far, "3":
        assert run("classify", "--raw", stdin=f"age\n{age}\n").out[:1] in "ab"


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("1e309", "is outside the range of numbers, 4.9e-324 to 1.8e308"),
        ("-1e99999999999999999999", "is outside the range of numbers, 4.9e-324 to 1.8e308"),
        ("1e-400", "is outside the range of numbers, 4.9e-324 to 1.8e308"),
        ("0." + "1" * 60, "is a number of more than 60 characters"),
        ("inf", "is not a number"),
    ],
)
def test_a_number_that_cannot_be_counted_is_a_broken_record_with_the_reason(corpus, run, written, why):
    corpus({"t.csv": f"age,label\n1,a\n{written},a\n0e999999999999,b\n"})
    trained = run("train", "corpus/t.csv", "--number", "age")
    assert trained.status == 3
    assert f"corpus/t.csv:3: age {why}: " in trained.err


def test_attributes_are_shown_by_name(corpus, run):
    corpus({"t.csv": "sky,age,label\nvery clear,1,a\ngrey,3,a\ngrey,7,b\n"})
    run("train", "corpus/t.csv", "--category", "sky", "--number", "age")
    assert run("show").out.splitlines()[-2:] == [
        "category sky: 2 values in 3 documents",
        "number age: a 2 ± 1, b 7 ± 0",
    ]
    assert run("show", "--word", "sky=very clear").out.splitlines()[1].split()[:4] == ["sky=very", "clear", "a", "1"]
    assert run("show", "--word", "age=1.0").out.splitlines()[1].split() == ["age=1", "a", "1", "1", "-"]
    explained = run("explain", stdin="sky,age\nvery clear,2\n").out
    assert "  sky=very clear  " in explained
    assert "  age=2  " in explained
