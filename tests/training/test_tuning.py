"""Settings chosen by exact leave-one-out: what is tried, what drops out, what is taken."""

import gc
import random
import weakref
from collections.abc import Sequence
from math import inf
from pathlib import Path

import pytest

from nbtext import Analysis, Classifier, Document, Hyperparameters, event_models, train, train_documents
from nbtext.counting.gathering import Gathered, gathered_documents
from nbtext.evaluation import TUNED
from nbtext.inference import leave_one_out
from nbtext.plugins import names
from nbtext.training import training, tuning
from nbtext.training.tuning import ALPHAS, NGRAMS, TABLE_6_2, Setting, Standing, tuned

WORDS = {"a": "red rust rose sun", "b": "sea sky sun rain", "c": "grass leaf rain rose"}


def drawn(labels: Sequence[str], documents: int, seed: int, own: float = 0.6) -> list[Document]:
    """Documents of each class in turn, of words that are more or less its own; no two are alike."""
    dice = random.Random(seed)
    every = " ".join(WORDS.values()).split()
    found: dict[str, Document] = {}
    while len(found) < documents:
        label = labels[len(found) % len(labels)]
        pool = [WORDS[label].split() if dice.random() < own else every for _ in range(dice.randint(2, 9))]
        text = " ".join(dice.choice(words) for words in pool)
        found.setdefault(text, Document([("", text)], label))
    return list(found.values())


def gathered(documents: Sequence[Document]) -> Gathered:
    return gathered_documents(documents, Analysis(ngrams=max(NGRAMS)), Gathered(sample_size=tuning.LARGEST_SAMPLE))


def shorten(
    monkeypatch: pytest.MonkeyPatch, *, heats: tuple[int, ...], decidable: int, stages: tuple[int, ...]
) -> None:
    """Let the race be one over fewer documents."""
    for name, value in {"HEATS": heats, "DECIDABLE": decidable, "STAGES": stages}.items():
        monkeypatch.setattr(tuning, name, value)


def right_without(documents: Sequence[Document], setting: Setting) -> int:
    """How many documents are answered rightly, each by a model trained on all the others."""
    analysis = Analysis(ngrams=setting.ngrams)
    answers = [
        Classifier(
            train_documents([*documents[:at], *documents[at + 1 :]], None, analysis, setting.of(Hyperparameters()))
        )(own)
        for at, own in enumerate(documents)
    ]
    return sum(answer.label == own.label for answer, own in zip(answers, documents, strict=True))


def test_every_setting_is_right_as_often_as_models_trained_without_each_document():
    documents = drawn("abc", 15, seed=1)
    standings = tuned(gathered(documents), Hyperparameters()).standings
    assert {standing.setting for standing in standings} == {
        Setting(name, alpha, ngrams) for name in names(event_models) for alpha in ALPHAS for ngrams in NGRAMS
    }
    expected = {standing.setting: (15, right_without(documents, standing.setting)) for standing in standings}
    assert {standing.setting: (standing.tested, standing.right) for standing in standings} == expected
    assert len(set(expected.values())) > 1


def test_of_two_classes_no_complement_is_raced_for_it_answers_as_what_it_complements():
    documents = drawn("ab", 30, seed=2)
    raced = {standing.setting.event_model for standing in tuned(gathered(documents), Hyperparameters()).standings}
    assert raced == {"bernoulli", "binary", "multinomial"}
    for one, complement in (("binary", "complement-binary"), ("multinomial", "complement")):
        answers = [
            Classifier(train_documents(documents[:20], hyperparameters=Hyperparameters(name, 0.1)))(own).posteriors
            for name in (one, complement)
            for own in documents[20:]
        ]
        half = len(answers) // 2
        for mine, theirs in zip(answers[:half], answers[half:], strict=True):
            assert dict(mine) == pytest.approx(dict(theirs))


def test_first_is_the_least_surprised_of_those_not_clearly_behind_and_table_6_2_stays_to_compare_with():
    standings = tuned(gathered(drawn("abc", 200, seed=3)), Hyperparameters()).standings
    best, *others = standings
    assert best.close
    assert best.surprise == min(each.surprise for each in standings if each.surprise is not None)
    assert all(each.surprise is None for each in others if not each.close)
    (default,) = (each for each in standings if each.setting == TABLE_6_2)
    assert default.tested == best.tested == 200
    assert (default.won, default.lost, default.p) == (0, 0, 1.0)
    assert best.right - default.right == best.won - best.lost
    assert min(each.tested for each in standings) < 200  # or nothing ever drops out


@pytest.mark.parametrize(
    ("rival", "tested"),
    [
        (Setting("complement", 1.0, 1), 140),  # of two classes it answers as Table 6.2 does
        (Setting("multinomial", 1e6, 1), 60),
    ],
    ids=["open", "decided"],
)
def test_the_race_goes_on_only_where_settings_have_not_been_told_apart(rival, tested: int, monkeypatch):
    shorten(monkeypatch, heats=(20, 60, 120, 140), decidable=60, stages=(120, 140))
    monkeypatch.setattr(tuning, "_grid", lambda _: [TABLE_6_2, rival])
    best, *_ = tuned(gathered(drawn("ab", 150, seed=4)), Hyperparameters()).standings
    assert (best.setting, best.tested) == (TABLE_6_2, tested)


def test_the_last_stage_is_run_only_where_it_is_cheap_beside_counting(monkeypatch):
    shorten(monkeypatch, heats=(20, 60, 120), decidable=60, stages=(60, 120))
    monkeypatch.setattr(tuning, "_grid", lambda _: [TABLE_6_2, Setting("complement", 1.0, 1)])
    documents = gathered(drawn("ab", 150, seed=4))
    for cheap, tested in ((2, 120), (1, 60)):  # 2 settings, 2 classes, 60 documents, of 150: 1.6 weights a document
        monkeypatch.setattr(tuning, "CHEAP", cheap)
        assert tuned(documents, Hyperparameters()).standings[0].tested == tested


def test_of_few_documents_a_stage_more_is_looked_up_apart_and_nothing_else_changes(monkeypatch):
    shorten(monkeypatch, heats=(20, 40, 60, 120, 140), decidable=60, stages=(60, 120, 140))
    documents = drawn("ab", 150, seed=4)
    looked_up: list[int] = []
    courses = tuning._courses

    def noted(found, reading, wanted: int):
        looked_up.append(wanted)
        return courses(found, reading, wanted)

    monkeypatch.setattr(tuning, "_courses", noted)
    monkeypatch.setattr(tuning, "CHEAP", inf)
    results = []
    for small, stages in ((151, [60, 120, 140]), (150, [120, 140])):
        monkeypatch.setattr(tuning, "SMALL", small)
        results.append(tuned(gathered(documents), Hyperparameters()))
        assert looked_up == stages
        looked_up.clear()
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("own", "least", "errors"),
    [
        ([2.0], [1.0], 0.0),  # one document tells nothing
        ([1.0, 1.0], [1.0, 1.0], 0.0),
        ([2.0, 2.0], [1.0, 1.0], inf),
        ([1.0, 3.0], [1.0, 1.0], 1.0),
    ],
)
def test_surprises_differ_by_standard_errors(own: list[float], least: list[float], errors: float):
    assert tuning._standard_errors(own, least) == errors


def test_reports_know_which_settings_are_tuned():
    assert set(Setting._fields) == TUNED


def test_a_sample_that_is_used_up_is_not_run_again(monkeypatch):
    shorten(monkeypatch, heats=(20, 60, 120, 140), decidable=60, stages=(120, 140))
    monkeypatch.setattr(tuning, "_grid", lambda _: [TABLE_6_2, Setting("complement", 1.0, 1)])
    heats: list[int] = []
    close = tuning._close

    def noted(answers):
        heats.append(len(answers[TABLE_6_2].right))
        return close(answers)

    monkeypatch.setattr(tuning, "_close", noted)
    tuned(gathered(drawn("ab", 30, seed=4)), Hyperparameters())
    assert heats == [20, 30]


def test_a_tuned_model_is_that_of_training_with_the_chosen_settings(corpus, tmp_path: Path, monkeypatch):
    for module in training, tuning:
        monkeypatch.setattr(module, "SAMPLE", 55)  # fewer than tuning keeps
    documents = drawn("abc", 60, seed=9)
    folder = corpus({f"{each.label}/{at}.txt": each.parts[0][1] for at, each in enumerate(documents)})
    tables: list[list[Standing]] = []
    for jobs in (1, 2):
        train(str(folder), str(tmp_path / f"{jobs}.nbtext"), jobs=jobs, tune=tables.append).close()
    chosen = tables[0][0].setting
    train(
        str(folder), str(tmp_path / "plain.nbtext"), Analysis(ngrams=chosen.ngrams), chosen.of(Hyperparameters())
    ).close()
    assert tables[0] == tables[1]
    one, two, plain = ((tmp_path / f"{name}.nbtext").read_bytes() for name in ("1", "2", "plain"))
    assert one == two == plain


@pytest.mark.parametrize("seed", range(3))
def test_no_order_of_documents_changes_a_choice(seed: int):
    documents = drawn("abc", 60, seed=5)
    standings = tuned(gathered(documents), Hyperparameters()).standings
    shuffled = random.Random(seed).sample(documents, len(documents))
    assert tuned(gathered(shuffled), Hyperparameters()).standings == standings


def test_what_is_forgotten_for_want_of_memory_is_made_again(monkeypatch):
    documents = drawn("abc", 40, seed=6)
    standings = tuned(gathered(documents), Hyperparameters()).standings
    monkeypatch.setattr(leave_one_out, "REMEMBERED_BYTES", 0)
    assert tuned(gathered(documents), Hyperparameters()).standings == standings


def test_leave_one_out_is_gone_with_its_last_user_though_nobody_sweeps():
    model = train_documents(drawn("abc", 9, seed=7))
    gc.disable()
    try:
        scores = model.leave_one_out(model.scorer())
        scores.scores({"sun": 1, "red": 2}, 0)
        last = weakref.ref(scores)
        del scores
        assert last() is None
    finally:
        gc.enable()
