"""Evaluation: how documents are held out, that held out means not learned, and what is made of the answers."""

import random
from collections import Counter
from collections.abc import Sequence
from functools import partial
from math import exp, isinf
from time import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import Document, Reading, train_documents
from nbtext.analysis import Analysis
from nbtext.classification.decision import Classifier
from nbtext.corpus.sources import Aside, Skipped
from nbtext.corpus.walking import labelled
from nbtext.engines import _sharing
from nbtext.errors import ChoiceError, CorpusError
from nbtext.evaluation import Chosen, Compared, Evaluation, Held, Point
from nbtext.evaluation.examples import Example, _changed, example, examples
from nbtext.evaluation.experiment import NONE, Wishes, evaluated, threshold_within
from nbtext.evaluation.experiment import settings as parsed
from nbtext.evaluation.parts import as_given, by_folds, by_itself, by_split, by_time, others, portion
from nbtext.evaluation.summary import advice, summary, verdicts
from nbtext.evaluation.suspects import suspects
from nbtext.evaluation.trial import Trial, log_odds
from nbtext.inference.scoring import posteriors
from nbtext.metrics import Prediction
from nbtext.metrics.ranking import one_against_rest

from .shell import ROOT

EVENT_MODELS = ["multinomial", "binary", "bernoulli", "complement", "complement-binary"]
READINGS = [
    *(Reading(event_model=name) for name in EVENT_MODELS),
    Reading(alpha=0.1, prior="uniform"),
    Reading(stopwords=frozenset({"the"}), min_count=2),
    Reading(event_model="bernoulli", min_docs=2),
    Reading(drop_top=2),
    Reading(event_model="complement", drop_top=1, min_count=2),
]


def unexpected(aside: object) -> None:
    """Where nothing should be left out."""
    pytest.fail(str(aside))


def texts(*pairs: tuple[str, str], times: Sequence[float] = ()) -> list[Example]:
    """The examples of (label, text) pairs, named 0, 1, ..."""
    tokens = Analysis().tokens()
    made = [
        example(Document([("", text)], label, str(n)), tokens, partial(float, times[n] if times else 0))
        for n, (label, text) in enumerate(pairs)
    ]
    return [each for each in made if isinstance(each, Example)]


def distinct(**sizes: int) -> list[Example]:
    """So many documents of each class, all different."""
    return texts(*((label, f"{label} number{n}") for label, size in sizes.items() for n in range(size)))


def names(documents: Sequence[Example]) -> list[str]:
    return [each.name for each in documents]


def sizes(documents: Sequence[Example]) -> Counter[str]:
    return Counter(each.label for each in documents)


@st.composite
def corpora(draw: st.DrawFn) -> list[Example]:
    """Documents of up to four classes and few words, so that texts repeat, within a class and across classes."""
    words = st.lists(st.sampled_from(["the", "sea", "star", "soup", "seed"]), min_size=1, max_size=4).map(" ".join)
    pairs = draw(st.lists(st.tuples(st.sampled_from("abcd"), words), min_size=1, max_size=30))
    return texts(*pairs)


# Examples


def test_examples_share_their_tokens():
    one, two = texts(("a", "red blue red"), ("b", "blue"))
    assert one.bag == {"red": 2, "blue": 1}
    assert one.tokens[1] is two.tokens[0]


@pytest.mark.parametrize(
    ("document", "reason"),
    [(Document([("", "red")], None, "x"), "no label"), (Document([("", " \n")], "a", "x"), "empty")],
)
def test_what_cannot_be_an_example_is_reported(document: Document, reason: str):
    aside = example(document, Analysis().tokens(), float)
    assert isinstance(aside, Skipped)
    assert aside.reason == reason


def test_a_document_s_own_time_comes_before_its_file_s(corpus):
    tokens = Analysis().tokens()
    dated = example(Document([("", "red")], "a", "x", lambda: 7.0), tokens, lambda: 5.0)
    undated = example(Document([("", "red")], "a", "x"), tokens, lambda: 5.0)
    assert isinstance(dated, Example)
    assert isinstance(undated, Example)
    assert (dated.time, undated.time) == (7.0, 5.0)
    folder = corpus({"a/1.txt": "red"})
    (read,) = examples(labelled(str(folder)), Analysis(), unexpected)
    assert read.time == (folder / "a/1.txt").stat().st_mtime


def test_a_file_that_is_gone_after_it_was_read_changed_now(corpus):
    folder = corpus({"a/1.txt": "red"})
    (folder / "a/1.txt").unlink()
    before = time()
    assert before <= _changed(str(folder / "a/1.txt")) <= time()


def test_examples_are_the_same_whoever_reads_them(corpus, monkeypatch):
    folder = corpus({f"{label}/{n}.txt": f"word{n} {label}" for label in "ab" for n in range(20)} | {"a/none.txt": " "})
    found = []
    for worth in 4 * 256, 1:
        monkeypatch.setattr(_sharing, "WORTH_SHARING", worth)
        aside: list[Aside] = []
        read = list(examples(labelled(str(folder)), Analysis(), aside.append))
        found.append((read, aside))
        assert read[0].tokens[-1] is read[1].tokens[-1]
    assert found[0] == found[1]
    assert len(found[0][1]) == 1


# Parts


def test_split_is_stratified():
    (tested,) = by_split(distinct(a=100, b=10, c=2, d=1), 0.8, seed=1).tested
    assert sizes(tested) == {"a": 20, "b": 2, "c": 1}


def test_lone_text_stays_in_training_and_is_said_so():
    parts = by_split(distinct(a=10, d=1), 0.8, seed=1)
    assert parts.notes == ["a class's only text stays in training, so it is not tested and in no mean: d"]


def test_lone_text_stays_in_training_even_if_another_class_has_it_too():
    documents = texts(("a", "red"), ("a", "blue"), ("a", "green"), ("b", "red"))
    for seed in range(10):
        (tested,) = by_split(documents, 0.5, seed).tested
        assert {"0", "3"}.isdisjoint(names(tested))


def test_seed_and_nothing_else_decides_the_split():
    documents = distinct(a=50, b=50)
    shuffled = random.Random(1).sample(documents, len(documents))
    first, again = (by_split(order, 0.8, seed=1).tested[0] for order in (documents, shuffled))
    assert sorted(names(first)) == sorted(names(again))
    assert sorted(names(first)) != sorted(names(by_split(documents, 0.8, seed=2).tested[0]))


def test_repeats_of_a_split_are_different_parts():
    parts = by_split(distinct(a=20, b=20), 0.8, seed=1, repeats=3)
    assert len({tuple(names(part)) for part in parts.tested}) == parts.repeats == 3


def test_folds_of_rare_classes():
    parts = by_folds(distinct(a=100, b=2, c=1), 10, seed=1)
    assert sorted(map(len, parts.tested)) == [10] * 8 + [11] * 2
    assert parts.notes == [
        "a class's only text stays in training, so it is not tested and in no mean: c",
        "classes with fewer texts than folds are tested in some folds only: b (2)",
    ]


def test_fewer_folds_than_asked_for_are_said_so():
    parts = by_folds(distinct(a=4, b=3), 10, seed=1)
    assert len(parts.tested) == 4
    assert parts.notes[0] == "10 folds were asked for, but no class has more than 4 texts: there are 4 folds"


@pytest.mark.parametrize("share", [1.0, 0.0, -0.5, 2.0, float("nan")])
def test_share_that_leaves_nothing_is_refused(share: float):
    for parts in (lambda: by_split(distinct(a=9), share, 1), lambda: by_time(distinct(a=9), share)):
        with pytest.raises(ChoiceError, match=r"a split of .* is refused"):
            parts()


@pytest.mark.parametrize("k", [1, 0, -3])
def test_fewer_than_two_folds_are_refused(k: int):
    with pytest.raises(ChoiceError, match="folds are refused"):
        by_folds(distinct(a=9), k, seed=1)


def test_nothing_to_test_on_is_refused():
    for parts in (lambda lone: by_split(lone, 0.8, 1), lambda lone: by_folds(lone, 2, 1), by_itself):
        with pytest.raises(CorpusError, match="nothing to test on"):
            parts(distinct(a=1, b=1))


def test_newest_documents_are_tested():
    documents = texts(("a", "red"), ("b", "blue"), ("a", "green"), ("b", "grey"), ("a", "pink"), times=[5, 1, 2, 3, 4])
    assert names(by_time(documents, 0.6).tested[0]) == ["0", "4"]


def test_repeated_text_is_as_old_as_it_first_was():
    documents = texts(("a", "red"), ("b", "blue"), ("b", "grey"), ("a", "red"), times=[1, 2, 3, 4])
    assert names(by_time(documents, 0.5).tested[0]) == ["1", "2"]


def test_documents_of_one_moment_are_not_parted():
    documents = texts(*(("a", f"n{n}") for n in range(4)), times=[1, 2, 2, 2])
    assert names(by_time(documents, 0.5).tested[0]) == ["1", "2", "3"]
    with pytest.raises(CorpusError, match="the same time"):
        by_time(documents[1:], 0.5)


def test_classes_too_new_to_be_known_are_named():
    parts = by_time(texts(("a", "red"), ("b", "blue"), ("c", "grey"), times=[1, 2, 99]), 0.7)
    assert parts.notes == ["classes that the model does not know are always missed: c"]


@pytest.mark.parametrize(("newest", "doubted"), [(59.9, True), (60.0, False)])
def test_an_order_of_files_that_were_copied_together_is_doubted(newest: float, *, doubted: bool):
    parts = by_time(texts(("a", "red"), ("a", "blue"), times=[0, newest]), 0.5)
    assert ["of one minute" in note for note in parts.notes] == [True] * doubted


def test_repeats_of_training_texts_in_a_test_corpus_are_counted():
    assert as_given(distinct(a=3), distinct(a=2)).notes == [
        "2 of the 2 documents tested repeat the text of a training document"
    ]


@given(corpora(), st.integers(2, 6), st.integers(0, 3))
def test_folds_test_every_document_once_and_part_no_repeats(documents: list[Example], k: int, seed: int):
    texts_of = {label: {each.digest for each in documents if each.label == label} for label in sizes(documents)}
    lone = {digest for digests in texts_of.values() if len(digests) == 1 for digest in digests}
    testable = [each.name for each in documents if each.digest not in lone]
    if not testable:
        with pytest.raises(CorpusError):
            by_folds(documents, k, seed)
        return
    parts = by_folds(documents, k, seed)
    assert sorted(name for part in parts.tested for name in names(part)) == sorted(testable)
    homes = [{each.digest for each in part} for part in parts.tested]
    assert sum(map(len, homes)) == len(set().union(*homes))
    assert all(homes)


@given(corpora(), st.floats(0.01, 0.99), st.integers(0, 3))
def test_split_leaves_every_class_in_training_and_parts_no_repeats(documents: list[Example], share: float, seed: int):
    try:
        (tested,) = by_split(documents, share, seed).tested
    except CorpusError:
        return
    digests = {each.digest for each in tested}
    trained = [each for each in documents if each.digest not in digests]
    assert len(trained) + len(tested) == len(documents)
    lone = {label for label in sizes(documents) if len({e.digest for e in documents if e.label == label}) == 1}
    assert lone <= sizes(trained).keys()


@given(corpora(), st.floats(0.01, 1), st.floats(0.01, 1))
def test_portions_are_nested_and_have_every_class(documents: list[Example], one: float, two: float):
    smaller, larger = (set(names(portion(documents, share, seed=1))) for share in sorted((one, two)))
    assert smaller <= larger
    assert {each.label for each in documents if each.name in smaller} == sizes(documents).keys()


# Trials


def fitted_on(documents: Sequence[Example], reading: Reading) -> Classifier:
    """A classifier trained on the documents anew."""
    again = (Document([("", text_of(each))], each.label) for each in documents)
    return Classifier(train_documents(again, reading=reading, allow_single_class=True))


def text_of(each: Example) -> str:
    """A text of its tokens: the one it was made of, if equal words stood together there."""
    return " ".join(" ".join([token] * n) for token, n in each.bag.items())


def same(prediction: Prediction, classify: Classifier, each: Example) -> None:
    """The prediction is what the classifier says."""
    decision = classify(text_of(each))
    assert prediction.answer == decision.label
    expected = {label: decision.posteriors.get(label, 0.0) for label in prediction.posteriors}
    assert prediction.posteriors == pytest.approx(expected, abs=1e-9)


SMALL = [
    ("a", "the sea the sea"),
    ("a", "the star sea"),
    ("a", "sea wind"),
    ("b", "soup the soup"),
    ("b", "the seed soup"),
    ("b", "seed star the"),
    ("c", "wind wind star"),
    ("c", "the wind cold"),
]


@pytest.mark.parametrize("reading", READINGS)
def test_held_out_is_answered_as_by_a_model_that_never_saw_it(reading: Reading):
    documents = texts(*SMALL)
    part = [documents[0], documents[4], documents[7]]
    classify = fitted_on([each for each in documents if each not in part], reading)
    for prediction, each in zip(Trial(documents, reading).held_out(part).predictions, part, strict=True):
        same(prediction, classify, each)


@pytest.mark.parametrize("reading", READINGS)
def test_left_out_is_answered_as_by_a_model_of_all_others(reading: Reading):
    documents = texts(*SMALL)
    for prediction, each in zip(Trial(documents, reading).left_out(documents).predictions, documents, strict=True):
        same(prediction, fitted_on([other for other in documents if other is not each], reading), each)


@pytest.mark.parametrize("event_model", EVENT_MODELS)
def test_calibration_is_made_anew_for_each_part(event_model: str):
    reading = Reading(event_model=event_model)
    rng = random.Random(7)
    words = {"a": "uvwxy", "b": "wxyz"}
    documents = texts(
        *((label, " ".join(sorted(rng.choices(words[label], k=8)))) for _ in range(40) for label in words)
    )
    part = documents[::9]
    classify = fitted_on([each for each in documents if each not in part], reading)
    assert classify.calibration.t is not None
    for prediction, each in zip(Trial(documents, reading).held_out(part).predictions, part, strict=True):
        same(prediction, classify, each)


def test_holding_out_leaves_no_trace():
    documents = texts(*SMALL)
    trial = Trial(documents, Reading())
    before = trial.left_out(documents)
    trial.held_out(documents[:4])
    assert trial.left_out(documents) == before


def test_too_little_left_to_train_on_is_refused():
    documents = texts(("a", "red"), ("a", "blue"), ("b", "grey"))
    with pytest.raises(CorpusError, match="1 class is left"):
        Trial(documents, Reading()).held_out(documents[2:])
    with pytest.raises(CorpusError, match="1 class is left"):
        Trial(documents[:2], Reading()).left_out(documents[:2])
    with pytest.raises(CorpusError, match="the filters leave no vocabulary"):
        Trial(documents, Reading(min_count=9))


@given(st.lists(st.floats(-30, 0), min_size=2, max_size=5))
def test_log_odds_are_those_of_the_posteriors(scores: list[float]):
    probabilities = posteriors(scores)
    assert [1 / (1 + exp(-odds)) for odds in log_odds(scores, probabilities)] == pytest.approx(probabilities)


def test_log_odds_tell_apart_what_rounds_to_one():
    one, two = (log_odds(scores, posteriors(scores))[0] for scores in ([0.0, -1000.0], [0.0, -2000.0]))
    assert (one, two) == (1000.0, 2000.0)
    impossible = log_odds([0.0, float("-inf")], [1.0, 0.0])
    assert isinf(impossible[0])
    assert impossible[0] > impossible[1]


# Experiments


def experiment(documents: list[Example], wishes: Wishes = NONE, k: int = 4) -> Evaluation:
    return evaluated(documents, by_folds(documents, k, seed=1), Analysis(), Reading(), wishes=wishes)


@pytest.fixture(scope="module")
def topics() -> list[Example]:
    return list(examples(labelled(str(ROOT / "corpora/topics")), Analysis(), lambda _: None))


@pytest.fixture(scope="module")
def mail() -> list[Example]:
    return list(examples(labelled(str(ROOT / "corpora/mail")), Analysis(), lambda _: None))


def test_confusion_adds_up_to_what_was_tested():
    documents = distinct(a=100, b=2, c=1)
    evaluation = experiment(documents, k=10)
    found = summary(evaluation)
    assert sum(map(sum, (row.values() for row in found.confusion.values()))) == found.tested == 102
    assert evaluation.labels == ["a", "b", "c"]
    assert found.classes.get("c") is None or found.classes["c"].support == 0


def test_classes_not_tested_are_in_no_mean():
    predictions = [Prediction("1", "a", "a", {"a": 0.9, "c": 0.1}), Prediction("2", "a", "c", {"a": 0.4, "c": 0.6})]
    held = Held({"a": 5, "c": 1}, predictions)
    found = summary(Evaluation("", Analysis(), Reading(), [], [], ["a", "c"], [held], []))
    assert found.means["macro"].recall.value == 0.5


def test_comparison_is_of_the_same_documents(topics):
    other = Reading(event_model="complement", alpha=0.1)
    evaluation = experiment(topics, Wishes(compared=[("complement", other)]))
    assert evaluation.comparison is not None
    first, second = evaluation.comparison
    assert first.held == evaluation.held
    assert [each.name for held in second.held for each in held.predictions] == [
        each.name for each in evaluation.predictions
    ]
    base, verdict = verdicts(evaluation.comparison, 1)
    assert base.p is None
    assert verdict.won + verdict.tied + verdict.lost == len(topics)


def answers(rights: str) -> list[Held]:
    return [Held({"a": 1, "b": 1}, [Prediction("", "a", "ab"[right == "0"], {"a": 0.5, "b": 0.5}) for right in rights])]


@pytest.mark.parametrize(
    ("first", "second", "real"),
    [
        ("0" * 10 + "1" * 10, "1" * 20, True),
        ("0" * 3 + "1" * 10, "1" * 13, False),
        ("01" * 50, "10" * 50, False),
    ],
)
def test_only_real_differences_are_called_real(first: str, second: str, real: bool):
    compared = [Compared(name, Reading(), answers(rights)) for name, rights in (("x", first), ("y", second))]
    _, verdict = verdicts(compared, 1)
    assert verdict.real is real


def test_repeats_do_not_make_a_difference_real():
    first, second = "0" * 4 + "1" * 10, "1" * 14
    repeated = [Compared(name, Reading(), answers(rights * 3)) for name, rights in (("x", first), ("y", second))]
    assert [verdicts(repeated, repeats)[1].real for repeats in (1, 3)] == [True, False]


@pytest.mark.parametrize(
    ("half", "whole", "beginning"),
    [
        ("0" * 10 + "1" * 10, "1" * 20, "More labels would help"),
        ("0" * 2 + "1" * 10, "1" * 12, "No clear gain from more labels"),
        ("1" * 20, "0" * 10 + "1" * 10, "More documents made it worse"),
    ],
)
def test_advice(half: str, whole: str, beginning: str):
    assert advice([Point(0.5, 10, answers(half)), Point(1, 20, answers(whole))], 1).startswith(beginning)


def test_curve_grows_to_the_whole(topics):
    evaluation = experiment(topics, Wishes(curve=True), k=2)
    assert evaluation.curve is not None
    assert [point.share for point in evaluation.curve] == [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1]
    assert evaluation.curve[-1].held == evaluation.held
    documents = [point.documents for point in evaluation.curve]
    assert documents == sorted(documents)


def test_curve_needs_parts():
    documents = distinct(a=3, b=3)
    with pytest.raises(ChoiceError, match="learning curve"):
        evaluated(documents, by_itself(documents), Analysis(), Reading(), wishes=Wishes(curve=True))


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        (Wishes(positive="spam"), "no class 'spam' to be positive; there are: a, b"),
        (Wishes(max_false_alarms=0.1), "a ceiling for false alarms needs to know"),
    ],
)
def test_wishes_that_make_no_sense_are_refused(wishes: Wishes, message: str):
    with pytest.raises(ChoiceError, match=message):
        experiment(distinct(a=3, b=3), wishes)


def test_threshold_keeps_to_its_ceiling_where_it_was_chosen(mail):
    evaluation = experiment(mail, Wishes(positive="spam", max_false_alarms=0.02))
    found = summary(evaluation).mail
    assert found is not None
    assert found.ceiling is not None
    assert not found.ceiling.on_training
    rate = found.ceiling.counts.false_alarm_rate
    assert rate is not None
    assert rate <= 0.02


def test_threshold_is_chosen_on_the_training_part_if_there_is_one(mail):
    parts = by_split(mail, 0.7, seed=1)
    wishes = Wishes(positive="spam", max_false_alarms=0.05)
    evaluation = evaluated(mail, parts, Analysis(), Reading(), wishes=wishes)
    trained = Trial(others(mail, parts.tested[0]), Reading())
    predictions = trained.left_out(trained.documents).predictions
    (held,) = evaluation.held
    assert held.threshold == pytest.approx(threshold_within(predictions, "spam", 0.05))


def odds_of_spam(held: Held) -> list[float]:
    return [score for score, _ in one_against_rest(held.predictions, "spam")]


def test_each_part_is_read_as_chosen_on_the_others_alone(mail):
    parts = by_folds(mail, 3, seed=1)
    seen: list[Sequence[Example]] = []

    def tune(documents: Sequence[Example], reading: Reading) -> Chosen:
        seen.append(documents)
        alpha = float(len(seen))
        return Chosen(f"alpha {min(alpha, 2):g}", reading._replace(alpha=alpha), 1)

    evaluation = evaluated(mail, parts, Analysis(), Reading(), tune=tune)
    assert seen == [others(mail, part) for part in parts.tested]
    assert evaluation.notes == [*parts.notes, "chosen in 2 of 3: alpha 2", "chosen in 1 of 3: alpha 1"]
    for part, held, alpha in zip(parts.tested, evaluation.held, (1.0, 2.0, 3.0), strict=True):
        expected = Trial(mail, Reading(alpha=alpha)).held_out(part)
        assert odds_of_spam(held) == pytest.approx(odds_of_spam(expected))


@pytest.mark.parametrize("wishes", [Wishes(curve=True), Wishes(suspects=1), Wishes(compared=[("x", Reading())])])
def test_tuning_goes_with_folds_and_nothing_more(mail, wishes: Wishes):
    def tune(_: Sequence[Example], reading: Reading) -> Chosen:
        return Chosen("as it is", reading, 1)

    for parts, asked in (by_folds(mail, 3, seed=1), wishes), (by_itself(mail), NONE):
        with pytest.raises(ChoiceError, match="tuning for each part goes with no"):
            evaluated(mail, parts, Analysis(), Reading(), wishes=asked, tune=tune)


def test_no_threshold_is_infinite():
    odds = [({"spam": 3.0}, "ham"), ({"spam": 2.0}, "spam")]
    assert isinf(threshold_within([Prediction("", truth, "spam", {}, each) for each, truth in odds], "spam", 0.0))


@given(st.floats(0, 1))
def test_right_wrong_and_unsure_add_up(unsure_below: float):
    evaluation = experiment(distinct(a=6, b=5))._replace(unsure_below=unsure_below)
    found = summary(evaluation)
    assert found.right + found.wrong + found.unsure == found.tested == 11


def test_interval_does_not_narrow_by_repeating():
    documents = texts(*SMALL)
    once, thrice = (
        summary(evaluated(documents, by_folds(documents, 2, 1, repeats), Analysis(), Reading())) for repeats in (1, 3)
    )
    assert thrice.tested == 3 * once.tested
    assert thrice.interval[1] - thrice.interval[0] > 0.3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("alpha=0.1", {"alpha": 0.1}),
        ("event-model=binary,min-count=2", {"event_model": "binary", "min_count": 2}),
        ("prior=a=0.5,b=0.5,alpha=2", {"prior": "a=0.5,b=0.5", "alpha": 2.0}),
        ("stopwords=en", {"stopwords": "en"}),
        ("beta=1", ChoiceError),
        ("alpha", ChoiceError),
        ("alpha=much", ChoiceError),
        ("", ChoiceError),
    ],
)
def test_settings_are_parsed(text: str, expected: dict[str, object] | type[Exception]):
    if isinstance(expected, dict):
        assert parsed(text) == expected
    else:
        with pytest.raises(expected):
            parsed(text)


# Suspects


def flipped(documents: Sequence[Example], n: int, seed: int) -> tuple[list[Example], set[str]]:
    """The documents with n labels changed, and the names of these."""
    rng = random.Random(seed)
    labels = sorted(sizes(documents))
    wrong = {each.name for each in rng.sample(list(documents), n)}
    changed = [
        each._replace(label=rng.choice([label for label in labels if label != each.label]))
        if each.name in wrong
        else each
        for each in documents
    ]
    return changed, wrong


def found_share(documents: Sequence[Example], wrong: set[str]) -> float:
    found = suspects(Trial(documents, Reading()), documents, len(wrong))
    return sum(each.name in wrong for each in found) / len(wrong)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_flipped_labels_come_out_first(topics, seed: int):
    assert found_share(*flipped(topics, 6, seed)) >= 0.8


def test_suspects_say_which_label_they_would_have(topics):
    documents, wrong = flipped(topics, 1, seed=5)
    truth = {each.name: each.label for each in topics}
    first = suspects(Trial(documents, Reading()), documents, 1)[0]
    assert (first.name, first.instead) == (*wrong, truth[first.name])
    assert first.strength > 0


def test_no_suspects_where_nothing_contradicts():
    documents = texts(*((label, f"{label} {label}{n}") for label in ("sea", "sky") for n in range(4)))
    assert suspects(Trial(documents, Reading()), documents, 5) == []


@pytest.mark.parametrize("seed", [1])
def test_flipped_labels_come_out_first_in_real_mail(real, seed: int):
    documents = list(examples(labelled(str(real("spamassassin"))), Analysis(), lambda _: None))
    assert found_share(*flipped(documents, round(0.03 * len(documents)), seed)) >= 0.8
