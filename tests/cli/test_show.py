"""nbtext show: what it prints and its status, in process."""

import math
import re

import pytest

from .common import records


def test_show(trained, tmp_path):
    lines = trained("show").out.splitlines()
    assert lines[:4] == [
        "class  documents  tokens  prior",
        "ham            2      11    0.5",
        "spam           2       8    0.5",
        "total          4      19      1",
    ]
    facts = dict(line.split(": ", 1) for line in lines[4:])
    assert len(facts.pop("fingerprint")) == 64
    assert facts.pop("state").startswith("4-")
    assert facts == {
        "model": f"model.nbtext, {(tmp_path / 'model.nbtext').stat().st_size} bytes",
        "vocabulary": "15 tokens",
        "reader": "text",
        "tokenizer": "words",
        "ngrams": "1",
        "encoding": "windows-1252",
        "event-model": "multinomial",
        "alpha": "1",
        "prior": "learned",
        "stopwords": "0 tokens",
        "drop-top": "0",
        "min-count": "1",
        "min-docs": "1",
        "weights": "none",
        "calibration": "T = 1, because it takes at least 50 documents to fit it",
        "remembered": "4 documents",
        "corpus": "corpus",
    }


@pytest.mark.parametrize("mistaken", [0, 6])
def test_show_says_how_posteriors_are_calibrated(mistaken, corpus, run):
    sure = {f"{label}/{i}.txt": f"{label} {label}{i}" for label in "xy" for i in range(30)}
    corpus({**sure, **{f"x/{i}.txt": f"y odd{i}" for i in range(mistaken)}})
    run("train", "corpus")
    says = r"^calibration: T = [\d.]+ \* sqrt\(L \+ 1\), fitted on 60 documents$"
    assert re.search(says, run("show").out, re.MULTILINE)


def test_show_says_the_same_as_an_object(trained):
    (record,) = records(trained("show", "--json"))
    assert record.keys() == {
        "model", "bytes", "classes", "documents", "tokens", "vocabulary", "analysis", "hyperparameters", "calibration",
        "remembered", "fingerprint", "state", "corpora",
    }  # fmt: skip
    assert record["classes"][0] == {"label": "ham", "documents": 2, "tokens": 11, "prior": pytest.approx(0.5)}
    assert record["calibration"] == {"t": None, "documents": 4}


def test_show_word(trained):
    assert trained("show", "--word", "Noon", "--word", "zebra").out == (
        "token  class  occurrences  documents     P(w|v)\n"
        "noon   ham              2          2   0.115385\n"
        "noon   spam             0          0  0.0434783\n"
        "zebra  ham              0          0          -\n"
        "zebra  spam             0          0          -\n"
    )


def test_show_word_as_an_object(trained):
    assert records(trained("show", "--word", "noon", "--json")) == [
        {
            "token": "noon",
            "vocabulary": True,
            "occurrences": {"ham": 2, "spam": 0},
            "documents": {"ham": 2, "spam": 0},
            "probabilities": {"ham": pytest.approx(3 / 26), "spam": pytest.approx(1 / 23)},
        }
    ]


def test_show_top(trained):
    nats = 3 / 23 * math.log(3 / 23 / (1 / 26))
    lines = [line.split() for line in trained("show", "--top", "2").out.splitlines()]
    assert [line[:2] for line in lines] == [
        ["class", "token"],
        ["ham", "at"],
        ["ham", "noon"],
        ["spam", "now"],
        ["spam", "win"],
    ]
    assert lines[3][2:] == [f"{nats:.6g}", "2", "0"]
    assert [record["class"] for record in records(trained("show", "--top", "1", "--json"))] == ["ham", "spam"]


def test_show_a_class(trained):
    lines = [line.split() for line in trained("show", "spam", "--top", "1").out.splitlines()]
    assert [line[:2] for line in lines] == [["class", "token"], ["spam", "now"]]
    assert len(records(trained("show", "spam", "--json"))[0]["tokens"]) > 1
    assert [record["class"] for record in records(trained("show", "spam", "ham", "--json"))] == ["spam", "ham"]
    unknown = trained("show", "eggs")
    assert (unknown.status, unknown.err) == (2, "nbtext: no class 'eggs' in model.nbtext; there are: ham, spam\n")
