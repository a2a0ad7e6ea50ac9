"""Settings chosen on documents held out in folds: what is tried, what is spared the second pass, what is taken."""

import random
from collections.abc import Callable, Mapping, Sequence
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest

from nbtext import Analysis, Classifier, Document, Hyperparameters, Model, event_models, train, train_documents
from nbtext.counting.indexed import IndexedCorpus
from nbtext.counting.shards import index_documents
from nbtext.evaluation import TUNED
from nbtext.evaluation.examples import Examples
from nbtext.evaluation.trial import Trial
from nbtext.metrics.comparison import mcnemar
from nbtext.plugins import names
from nbtext.training import tuning
from nbtext.training.choosing import ALPHAS, NGRAMS, TABLE_6_2, Held, Setting, choose, is_better, standard_errors
from nbtext.training.tuning import Standing, Tuning

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


def tuning_on(
    documents: Sequence[Document],
    hyperparameters: Hyperparameters = Hyperparameters(),  # noqa: B008
    weights: str | None = None,
    *,
    tagged: bool = False,
) -> Tuning:
    analysis = Analysis(ngrams=max(NGRAMS))
    corpus = IndexedCorpus(analysis)
    corpus.add(index_documents(documents, analysis))
    return Tuning(corpus.matrix, corpus.tokens, corpus.labels, hyperparameters, tagged=tagged, weights=weights)


def right_by(models: Mapping[int, Model], documents: Sequence[Document], folds: Sequence[int], setting: Setting) -> int:
    """How many documents are answered rightly, each by a model trained on those of all other folds."""
    right = 0
    for fold, model in models.items():
        classifier = Classifier(model, setting.of(Hyperparameters()))
        own = (each for each, number in zip(documents, folds, strict=True) if number == fold)
        right += sum(classifier(each).label == each.label for each in own)
    return right


def models_without(documents: Sequence[Document], folds: Sequence[int], ngrams: int) -> dict[int, Model]:
    """For each fold a model trained on the documents of all others."""
    return {
        fold: train_documents(
            [each for each, number in zip(documents, folds, strict=True) if number != fold],
            None,
            Analysis(ngrams=ngrams),
        )
        for fold in set(folds)
    }


# What is tried


def test_every_setting_is_right_as_often_as_models_trained_without_each_fold():
    documents = drawn("abc", 30, seed=1)
    tuned = tuning_on(documents, weights="none")
    standings, folds = tuned.standings(), tuned.folds.tolist()
    assert {standing.setting for standing in standings} == {
        Setting(name, alpha, ngrams) for name in names(event_models) for alpha in ALPHAS for ngrams in NGRAMS
    }
    models = {ngrams: models_without(documents, folds, ngrams) for ngrams in NGRAMS}
    expected = {
        setting: (30, right_by(models[setting.ngrams], documents, folds, setting))
        for setting in (standing.setting for standing in standings)
    }
    assert {standing.setting: (standing.tested, standing.right) for standing in standings} == expected
    assert len(set(expected.values())) > 1


def test_of_two_classes_no_complement_is_tried_for_it_answers_as_what_it_complements():
    documents = drawn("ab", 30, seed=2)
    tried = {standing.setting.event_model for standing in tuning_on(documents).standings()}
    assert tried == {"bernoulli", "binary", "multinomial"}
    for one, complement in (("binary", "complement-binary"), ("multinomial", "complement")):
        mine, theirs = (
            Classifier(train_documents(documents[:20], hyperparameters=Hyperparameters(name, 0.1)))
            for name in (one, complement)
        )
        for own in documents[20:]:
            assert dict(mine(own).posteriors) == pytest.approx(dict(theirs(own).posteriors))


def test_reports_know_which_settings_are_tuned():
    assert set(Setting._fields) - {"tokenizer"} == TUNED


def test_filters_and_priors_stay_as_they_are_asked_for():
    documents = drawn("abc", 60, seed=3)
    given = Hyperparameters(prior="uniform", min_docs=2, stopwords=frozenset({"sun"}))
    tuned = tuning_on(documents, given)
    for standing in tuned.standings():
        if (standing.setting.ngrams, standing.setting.weights) == (1, "none"):
            examples = Examples(Analysis())
            counted = examples.add(index_documents(documents, Analysis(), dated=True))
            trial = Trial(examples, counted, standing.setting.of(given))
            parts = [[counted[at] for at in np.flatnonzero(tuned.folds == fold)] for fold in set(tuned.folds.tolist())]
            held = [each for part in parts for each in trial.held_out(part).predictions]
            assert standing.right == sum(each.right for each in held)


# Two passes


def test_of_a_large_corpus_clearly_worse_settings_answer_the_first_documents_only(monkeypatch):
    monkeypatch.setattr(tuning, "FIRST", 60)
    documents = drawn("abc", 240, seed=3)
    standings = tuning_on(documents).standings()
    assert {standing.tested for standing in standings} == {72, 240}  # three folds of 24 hold 60
    assert standings[0].tested == 240
    assert [each.tested for each in standings] == sorted((each.tested for each in standings), reverse=True)
    (default,) = (each for each in standings if each.setting == TABLE_6_2)
    assert default.tested == 240  # to compare with


def test_both_passes_choose_as_one_over_all_documents_does(monkeypatch):
    for seed in range(3):
        documents = drawn("abc", 240, seed)
        whole = tuning_on(documents).standings()[0]
        with monkeypatch.context() as patch:
            patch.setattr(tuning, "FIRST", 60)
            assert tuning_on(documents).standings()[0] == whole


def test_of_a_small_corpus_every_setting_answers_all_documents(monkeypatch):
    monkeypatch.setattr(tuning, "FIRST", 31)
    assert {each.tested for each in tuning_on(drawn("abc", 61, seed=3)).standings()} == {61}


# What is taken


def held(rights: str, losses: Sequence[float]) -> Held:
    """Documents answered rightly (1) or wrongly (0), and their losses, each repeated ten times with small changes."""
    jitter = np.tile(np.linspace(-0.05, 0.05, 10), len(losses))
    return Held(np.repeat([each == "1" for each in rights], 10), np.repeat(losses, 10) + jitter)


BETTER, OTHER = Setting("binary", 0.1, 1), Setting("complement", 0.1, 2)


def test_the_least_log_loss_is_taken():
    default = held("1100", [0.5, 0.6, 1.5, 1.6])
    standings = {
        TABLE_6_2: default,
        OTHER: held("1110", [0.4, 0.4, 0.6, 1.4]),
        BETTER: held("1110", [0.3, 0.3, 0.5, 1.2]),
    }
    assert choose(standings) == BETTER


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (held("1100", [0.5, 0.6, 1.5, 1.6]), "equal"),
        (held("1100", [0.5, 0.6, 3.0, 0.1]), "lower by no more than chance"),
        (held("1000", [0.4, 0.7, 0.9, 0.9]), "fewer right answers"),
        (held("1110", [0.6, 0.7, 1.6, 1.7]), "more right answers, but a higher loss"),
        (held("1100", [nan] * 4), "no loss at all"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_table_6_2_stays(other: Held, why: str):
    assert choose({BETTER: other, TABLE_6_2: held("1100", [0.5, 0.6, 1.5, 1.6])}) == TABLE_6_2


def test_a_setting_that_is_clearly_more_often_wrong_than_another_is_not_taken_whatever_its_loss():
    standings = {
        TABLE_6_2: held("1100", [0.5, 0.6, 1.5, 1.6]),
        BETTER: held("1111", [0.4, 0.4, 0.6, 0.6]),
        OTHER: held("1110", [0.1, 0.1, 0.1, 0.9]),
    }
    assert choose(standings) == BETTER


@pytest.mark.parametrize(
    ("weighted", "is_taken"),
    [
        (held("1100", [0.5, 0.6, 1.5, 1.6]), False),  # equal
        (held("1100", [0.4, 0.7, 1.5, 1.5]), True),  # surer on average, though not of every document
        (held("1000", [0.4, 0.8, 1.4, 1.5]), False),  # surer on average, but ten answers fewer are right
        (held("1111", [0.5, 0.6, 1.6, 1.6]), False),  # right more often, but less sure
    ],
    ids=["equal", "surer", "wrong more often", "less sure"],
)
def test_weights_are_taken_if_they_are_surer_and_not_clearly_more_often_wrong(weighted: Held, is_taken: bool):
    assert is_better(weighted, held("1100", [0.5, 0.6, 1.5, 1.6])) == is_taken


@pytest.mark.parametrize(
    ("own", "least", "errors"),
    [
        ([2.0], [1.0], 0.0),  # one document tells nothing
        ([1.0, 1.0], [1.0, 1.0], 0.0),
        ([2.0, 2.0], [1.0, 1.0], inf),
        ([1.0, 1.0], [2.0, 2.0], -inf),
        ([1.0, 3.0], [1.0, 1.0], 1.0),
        ([1.0, 3.0, nan, 5.0], [1.0, 1.0, 1.0, nan], 1.0),  # a document without a loss is compared by nobody
    ],
)
def test_losses_differ_by_standard_errors(own: list[float], least: list[float], errors: float):
    mine, other = (Held(np.ones(len(losses), np.bool_), np.array(losses)) for losses in (own, least))
    assert standard_errors(mine, other) == pytest.approx(errors)


def test_standings_tell_how_the_chosen_setting_did_beside_table_6_2():
    standings = tuning_on(drawn("abc", 200, seed=3)).standings()
    best, *_ = standings
    assert best.log_loss is not None
    (default,) = (each for each in standings if each.setting == TABLE_6_2)
    assert (default.won, default.lost, default.p) == (0, 0, 1.0)
    assert best.right - default.right == best.won - best.lost
    assert best.p == mcnemar(best.won, best.lost)
    rest = [each.log_loss for each in standings[1:]]
    assert rest == sorted(rest)  # type: ignore[type-var]  # all have one here


def test_documents_whose_class_nothing_else_is_of_have_no_loss():
    best, *_ = tuning_on([Document([("", "sea")], "a"), Document([("", "soup")], "b")]).standings()
    assert best == Standing(TABLE_6_2, 2, 0, None, won=0, lost=0, p=1.0)


def test_words_and_pairs_are_weighed_and_mail_trusts_what_was_seen_once_more_than_text_does():
    documents = drawn("ab", 120, seed=3)
    weighted = {
        tagged: [
            own.setting for own in tuning_on(documents, tagged=tagged).standings() if own.setting.weights != "none"
        ]
        for tagged in (False, True)
    }
    assert [(each.alpha, each.ngrams) for each in weighted[False]] == [(1.0, 2)]
    assert [(each.alpha, each.ngrams) for each in weighted[True]] == [(0.1, 2)]


@pytest.mark.parametrize("seed", range(3))
def test_no_order_of_documents_changes_a_choice(seed: int):
    documents = drawn("abc", 60, seed=5)
    standings = tuning_on(documents).standings()
    shuffled = random.Random(seed).sample(documents, len(documents))
    for one, other in zip(standings, tuning_on(shuffled).standings(), strict=True):
        assert one[:3] == other[:3]
        assert one.log_loss == pytest.approx(other.log_loss)
        assert one[4:] == other[4:]


def test_a_tuned_model_is_that_of_training_with_the_chosen_settings(corpus, tmp_path: Path):
    documents = drawn("abc", 60, seed=9)
    folder = corpus({f"{each.label}/{at}.txt": each.parts[0][1] for at, each in enumerate(documents)})
    tables: list[list[Standing]] = []
    for jobs in (1, 2):
        train(str(folder), str(tmp_path / f"{jobs}.nbtext"), jobs=jobs, tune=tables.append).close()
    chosen = tables[0][0].setting
    analysis, hyperparameters = Analysis(ngrams=chosen.ngrams), chosen.of(Hyperparameters())
    train(str(folder), str(tmp_path / "plain.nbtext"), analysis, hyperparameters).close()
    assert tables[0] == tables[1]
    one, two, plain = ((tmp_path / f"{name}.nbtext").read_bytes() for name in ("1", "2", "plain"))
    assert one == two == plain


# On fresh documents

Draw = Callable[[random.Random], tuple[str, str]]  # a label and a text


def topical(
    shares: Mapping[str, float], length: Callable[[random.Random], int], own: float, noise: float = 0.0
) -> Draw:
    """Draws documents whose words are with probability `own` of their class, else of all; frequent words are few.

    shares  of the classes
    noise   the share of labels that are changed to any other
    """

    def draw(dice: random.Random) -> tuple[str, str]:
        labels = list(shares)
        (label,) = dice.choices(labels, list(shares.values()))
        words = [
            f"{label if dice.random() < own else 'all'}{int(dice.paretovariate(0.6)) % 2000}"
            for _ in range(length(dice))
        ]
        return dice.choice(labels) if dice.random() < noise else label, " ".join(words)

    return draw


EVEN = {"a": 1, "b": 1, "c": 1, "d": 1}
CORPORA = {
    "plain": topical(EVEN, lambda dice: dice.randint(20, 60), own=0.15),
    "two classes": topical({"a": 1, "b": 1}, lambda dice: dice.randint(20, 60), own=0.1),
    "noisy labels": topical(EVEN, lambda dice: dice.randint(20, 60), own=0.3, noise=0.3),
    "skewed classes": topical({"a": 20, "b": 3, "c": 1}, lambda dice: dice.randint(10, 40), own=0.2),
    "short texts": topical(EVEN, lambda dice: dice.randint(1, 4), own=0.5),
    "pure noise": topical(EVEN, lambda dice: dice.randint(5, 20), own=0.0),
    "long and short": topical(EVEN, lambda dice: int(dice.paretovariate(0.7)) % 400 + 1, own=0.15),
}


@pytest.mark.parametrize("seed", range(3))
def test_of_classes_that_do_not_differ_weights_are_right_by_chance_only(seed: int):
    dice = random.Random(seed)
    drawn = [CORPORA["pure noise"](dice) for _ in range(240)]
    standings = tuning_on([Document([("", text)], label) for label, text in drawn], weights="fitted").standings()
    assert standings[0].setting.weights == "fitted"
    assert standings[0].right < 240 * (1 / 4 + 1 / 20)


def record_on_fresh_documents(draw: Draw, learned: int, fresh: int, seed: int) -> tuple[Setting, int, int]:
    """What is chosen on some documents, and how often it alone, and Table 6.2 alone, is right on others."""
    dice = random.Random(seed)
    drawn = [draw(dice) for _ in range(learned + fresh)]
    analysis = Analysis(ngrams=max(NGRAMS))
    examples = Examples(analysis)
    documents = [Document([("", text)], label, str(n)) for n, (label, text) in enumerate(drawn)]
    counted = examples.add(index_documents(documents, analysis, dated=True))
    trained, tested = counted[:learned], counted[learned:]
    corpus = examples.corpus
    standings = Tuning(examples.of(trained), corpus.tokens, corpus.labels, Hyperparameters()).standings()
    chosen = standings[0].setting

    def rights(setting: Setting) -> list[bool]:
        some = examples.up_to(setting.ngrams)
        held = Trial(some, trained, setting.of(Hyperparameters())).held_out(tested)
        return [each.right for each in held.predictions]

    pairs = list(zip(rights(chosen), rights(TABLE_6_2), strict=True))
    return chosen, pairs.count((True, False)), pairs.count((False, True))


@pytest.mark.parametrize("learned", [60, pytest.param(400, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", CORPORA)
def test_the_choice_is_never_significantly_worse_than_table_6_2_on_fresh_documents(name: str, learned: int):
    for seed in range(3):
        _, won, lost = record_on_fresh_documents(CORPORA[name], learned, 1000, seed)
        assert won >= lost or mcnemar(won, lost) >= 0.05


def test_where_table_6_2_is_clearly_worse_it_does_not_stay():
    for seed in range(3):
        chosen, won, lost = record_on_fresh_documents(CORPORA["skewed classes"], 400, 1000, seed)
        assert chosen != TABLE_6_2
        assert won > lost
