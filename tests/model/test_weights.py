"""Weighted evidence from the command line: trained, used, shown, learned past, merged, exported, fitted anew."""

import json
import random
import re

import pytest

from nbtext import Classifier, Document, Hyperparameters, Model, train
from nbtext.classification.bulk import BulkScorer, Plan
from nbtext.errors import ChoiceError, ModelError
from nbtext.model.exchange import exported, imported
from nbtext.model.merging import merge
from nbtext.model.verifying import verify
from nbtext.training.learning import learn, unlearn

WORDS = {"sea": "reef sail squall harbour", "kitchen": "simmer butter oven harbour", "garden": "mulch prune oven reef"}


def texts(labels, size, seed=1):
    """Texts of each class in turn, of words that are more or less its own; no two are alike."""
    dice = random.Random(seed)
    every = " ".join(WORDS.values()).split()
    found: dict[str, str] = {}
    while len(found) < size:
        label = labels[len(found) % len(labels)]
        pools = [WORDS[label].split() if dice.random() < 0.7 else every for _ in range(dice.randint(3, 12))]
        found.setdefault(" ".join(dice.choice(pool) for pool in pools), label)
    return list(found.items())


@pytest.fixture
def made(corpus):
    """made(size) makes a corpus of so many documents, three classes unless others are named."""

    def make(size, labels=tuple(WORDS), name="corpus", seed=1):
        return corpus({f"{label}/{n}": text for n, (text, label) in enumerate(texts(labels, size, seed))}, name=name)

    return make


@pytest.fixture
def weighted(made, run, tmp_path):
    made(150)
    assert run("train", "corpus", "--weights", "fitted", "--ngrams", "2").status == 0
    return tmp_path / "model.nbtext"


def test_a_document_is_answered_alike_alone_and_among_many(weighted):
    model = Model.open(str(weighted))
    classify = Classifier(model)
    documents = [Document([("", text)]) for text, _ in texts(list(WORDS), 60, seed=2)]
    many = BulkScorer(model, Plan.of(classify)).answered(documents).decisions()
    assert [classify(document) for document in documents] == list(many)


def test_terms_and_bias_add_up_to_the_score(weighted, run):
    record = json.loads(run("explain", "--json", stdin="reef reef sail the oven").out)
    assert {term["token"]: term["value"] for term in record["terms"]}["reef"] == 1
    assert not record["joint"]
    for label, score in record["scores"].items():
        total = record["bias"][label] + sum(term["terms"][label] for term in record["terms"])
        assert total == pytest.approx(score)


def test_show_tells_what_tokens_are_worth(weighted, run):
    out = run("show").out
    assert "weights: fitted\n" in out
    assert "calibration: by the weights\n" in out
    assert re.search(r"^weight of a +in documents +0\.2 nats", out, re.MULTILINE)
    assert re.search(r"^pair +64 or more( +-?\d+\.\d\d){4}$", out, re.MULTILINE)
    assert "fitted on 150 documents" in out
    assert set(json.loads(run("show", "--json").out)["weighting"]["kinds"]) == {"word", "pair"}


def test_learning_keeps_the_weights_and_every_total_exact(weighted):
    model = Model.open(str(weighted), writable=True)
    before, weighting = list(exported(model)), model.weighting
    documents = [
        Document([("", "reef squall anchor")], "sea", "new"),
        Document([("", "yeast dough")], "kitchen", "other"),
    ]
    learn(model, "sea", documents[:1])
    learn(model, "bakery", documents[1:])
    verify(model)
    assert model.weighting == weighting
    assert Classifier(model)("yeast dough").scores.keys() == {*WORDS, "bakery"}
    unlearn(model, "bakery", documents[1:])
    unlearn(model, "sea", documents[:1])
    verify(model)
    assert list(exported(model)) == before


def test_with_the_most_frequent_left_out_learning_keeps_totals_exact_too(made, run, tmp_path):
    made(150)
    run("train", "corpus", "--weights", "fitted", "--drop-top", "2")
    model = Model.open(str(tmp_path / "model.nbtext"), writable=True)
    learn(model, "sea", [Document([("", "squall squall squall anchor")], "sea", "new")])
    verify(model)
    assert model.weighting
    assert model.hyperparameters.is_weighted


def test_a_wrong_total_of_a_kind_is_found(weighted):
    model = Model.open(str(weighted), writable=True)
    kinds = json.loads(model.store.settings()["kinds"])
    kinds[1][0] += 1
    model.store.put("setting", [("kinds", json.dumps(kinds))])
    with pytest.raises(ModelError, match="totals of tokens of the kind pair are wrong"):
        verify(Model.open(str(weighted)))


@pytest.mark.parametrize("name", ["kinds", "weighting"])
@pytest.mark.parametrize("text", ["[]", "{}", "not JSON", "[[1, [1], [1]]]"])
def test_weights_that_are_none_are_damage(weighted, name, text):
    model = Model.open(str(weighted), writable=True)
    model.store.put("setting", [(name, text)])
    with pytest.raises(ModelError, match="damaged"):
        Model.open(str(weighted))


def test_export_and_import_keep_the_weights(weighted):
    model = Model.open(str(weighted))
    lines = list(exported(model))
    copy = imported((line.encode() for line in lines), None)
    assert list(exported(copy)) == lines
    assert copy.weighting == model.weighting
    assert Classifier(copy)("reef sail") == Classifier(model)("reef sail")
    assert copy.state == model.state


def test_merging_keeps_the_weights_of_the_first(weighted, made, run, tmp_path):
    made(90, name="more", seed=7)
    run("train", "more", "--ngrams", "2", "-m", "more.nbtext")
    first, second = Model.open(str(weighted)), Model.open(str(tmp_path / "more.nbtext"))
    merged = merge([first, second], None)
    verify(merged)
    assert merged.weighting == first.weighting
    assert sum(merged.documents) == 240
    assert merge([second, first], None).weighting is None


def test_the_same_corpus_gives_the_same_bytes(weighted, run, tmp_path):
    assert run("train", "corpus", "--weights", "fitted", "--ngrams", "2", "-m", "again", "-j", "2").status == 0
    assert (tmp_path / "again").read_bytes() == weighted.read_bytes()


def test_another_event_model_is_read_without_weights(weighted, run):
    plain = run("classify", "--event-model", "multinomial", "--json", stdin="reef sail").out
    assert (
        plain == run("classify", "--event-model", "multinomial", "--weights", "none", "--json", stdin="reef sail").out
    )
    own = run("classify", "--event-model", "complement-binary", "--alpha", "1", "--json", stdin="reef sail").out
    assert own == run("classify", "--json", stdin="reef sail").out != plain
    by_m = run("classify", "--m", "9", "--json", stdin="reef sail").out
    assert by_m == run("classify", "--m", "9", "--weights", "none", "--json", stdin="reef sail").out
    refused = run("classify", "--event-model", "bernoulli", "--weights", "fitted", stdin="reef")
    assert refused.status == 2
    assert "absent tokens" in refused.err


def test_weights_that_were_never_fitted_are_refused(made, run):
    made(60)
    run("train", "corpus")
    refused = run("classify", "--weights", "fitted", stdin="reef")
    assert refused.status == 2
    assert "no fitted weights; train it with --weights fitted, or with --tune" in refused.err
    assert run("train", "corpus", "--weights", "some").status == 2


def test_few_documents_are_trained_without_weights_and_that_is_said(made, run):
    made(30)
    trained = run("train", "corpus", "--weights", "fitted")
    assert trained.status == 0
    assert "no weights were fitted: 30 documents are too few to fit them on; it takes 50" in trained.err
    assert "weights: none\n" in run("show").out


def test_tune_considers_weights_and_says_what_they_gain(made, run):
    made(240)
    out = run("train", "corpus", "--tune").out
    assert re.search(r"^complement-binary +1 +2 +fitted +240", out, re.MULTILINE)
    assert re.search(r"^(chosen: .*|gained: .* right instead of .* by Table 6\.2.*)$", out, re.MULTILINE)


def test_tune_with_weights_forbidden_or_asked_for(made, run):
    made(150)
    assert "fitted" not in run("train", "corpus", "--tune", "--weights", "none").out
    run("train", "corpus", "--tune", "--weights", "fitted")
    assert "weights: fitted\n" in run("show").out


@pytest.mark.parametrize("how", [["--weights", "fitted"], ["--tune"]])
def test_evaluation_fits_weights_for_each_part(made, run, how):
    made(150)
    evaluated = run("evaluate", "corpus", "--folds", "2", *how)
    assert evaluated.status == 0
    assert "150" in evaluated.out


def test_leave_one_out_and_weights_do_not_go_together(made, run):
    made(60)
    refused = run("evaluate", "corpus", "--leave-one-out", "--weights", "fitted")
    assert refused.status == 2
    assert "use folds" in refused.err


def test_tuning_anew_takes_in_what_was_learned(weighted, made, run, tmp_path):
    (tmp_path / "anew").write_text("reef squall anchor")
    run("learn", "sea", "anew")
    learned = Model.open(str(weighted)).weighting
    assert run("tune").out == "model.nbtext: weights fitted on 151 documents\n"
    model = Model.open(str(weighted))
    verify(model)
    assert learned != model.weighting
    (tmp_path / "corpus/sea/anew").write_text("reef squall anchor")
    run("train", "corpus", "--weights", "fitted", "--ngrams", "2", "-m", "again")
    assert model.weighting == Model.open(str(tmp_path / "again")).weighting


def test_a_model_that_lacks_documents_says_how_to_tune_it(made, run):
    made(600)
    run("train", "corpus", "--weights", "fitted")
    refused = run("tune")
    assert refused.status == 3
    assert "keeps 500 of its 600 documents" in refused.err
    assert "nbtext train corpus --weights fitted -m model.nbtext" in refused.err


def test_a_model_without_weights_says_how_to_get_some(made, run):
    made(60)
    run("train", "corpus")
    refused = run("tune")
    assert refused.status == 3
    assert "has no weights; train it again" in refused.err


def test_mail_has_a_kind_for_each_tag(corpus, run):
    mails = {
        f"{label}/{n}": f"From: a@{label}.example.org\nSubject: {text[:20]}\n\n{text}\n"
        for n, (text, label) in enumerate(texts(["sea", "kitchen"], 80))
    }
    corpus(mails)
    run("train", "corpus", "--reader", "mail", "--weights", "fitted")
    kinds = json.loads(run("show", "--json").out)["weighting"]["kinds"]
    assert kinds[0] == "word"
    assert {"from", "subject"} <= set(kinds)
    filtered = run("filter", "--explain", "2", stdin=next(iter(mails.values())))
    assert filtered.status == 0
    assert "X-Nbtext: sea" in filtered.out


def test_from_python_weights_are_asked_for_by_hyperparameters(made):
    hyperparameters = Hyperparameters(event_model="complement-binary", weights="fitted")
    model = train(str(made(90)), hyperparameters=hyperparameters)
    assert model.weighting
    assert model.weighting == train(str(made(90)), weights="fitted").weighting
    assert Classifier(model)("reef sail squall").label == "sea"
    with pytest.raises(ChoiceError, match="no weights 'some'"):
        Hyperparameters(weights="some").checked()


def test_tuning_fits_the_same_weights_as_training_with_what_it_chose(made, run, tmp_path):
    made(240)
    run("train", "corpus", "--tune", "--weights", "fitted", "-m", "tuned")
    tuned = Model.open(str(tmp_path / "tuned"))
    run("train", "corpus", "--ngrams", str(tuned.analysis.ngrams), "--weights", "fitted", "-m", "trained")
    assert (tmp_path / "tuned").read_bytes() == (tmp_path / "trained").read_bytes()
    _, kinds = tuned.weights
    assert len(kinds.names) == tuned.analysis.ngrams


def test_show_tells_what_attributes_are_worth(corpus, run):
    rows = [f"{text},{'clear' if label == 'sea' else 'grey'},{label}" for text, label in texts(["sea", "kitchen"], 90)]
    corpus({"t.csv": "text,sky,label\n" + "\n".join(rows) + "\n"})
    run("train", "corpus/t.csv", "--category", "sky", "--weights", "fitted")
    lines = run("show").out.splitlines()
    place = lines.index(next(line for line in lines if line.startswith("weight of an attribute")))
    assert re.fullmatch(r"sky +\d+\.\d\d", lines[place + 1])
    assert json.loads(run("show", "--json").out)["weighting"]["attributes"].keys() == {"sky"}
