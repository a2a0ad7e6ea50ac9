"""Evaluation: how documents are held out, that held out means not learned, and what is made of the answers."""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from math import exp, inf, isinf, log
from time import time
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import Document, Hyperparameters, train_documents
from nbtext.analysis import Analysis
from nbtext.classification.decision import Classifier
from nbtext.corpus import batches
from nbtext.corpus.reading import opened
from nbtext.corpus.sources import Aside, Skipped
from nbtext.corpus.walking import labelled
from nbtext.counting.shards import index_documents
from nbtext.errors import ChoiceError, CorpusError
from nbtext.evaluation import Chosen, Compared, Evaluation, Held, Point
from nbtext.evaluation.comparison import advice, verdicts
from nbtext.evaluation.evaluate import Method, evaluate
from nbtext.evaluation.examples import Example, Examples, _changed
from nbtext.evaluation.experiment import NONE, Setting, Wishes, evaluated, thresholds_within
from nbtext.evaluation.parts import Parts, as_given, by_folds, by_itself, by_split, by_time, others, portion
from nbtext.evaluation.summary import summary
from nbtext.evaluation.suspects import suspects
from nbtext.evaluation.trial import Trial
from nbtext.inference.answers import ScoreTable
from nbtext.inference.answers import answers as answers_to
from nbtext.metrics import Prediction
from nbtext.metrics.ranking import one_against_rest
from nbtext.settings import assigned

from ..shell import ROOT

EVENT_MODELS = ["multinomial", "binary", "bernoulli", "complement", "complement-binary"]
HYPERPARAMETERS = [
    *(Hyperparameters(event_model=name) for name in EVENT_MODELS),
    Hyperparameters(alpha=0.1, prior="uniform"),
    Hyperparameters(stopwords=frozenset({"the"}), min_count=2),
    Hyperparameters(event_model="bernoulli", min_docs=2),
    Hyperparameters(drop_top=2),
    Hyperparameters(event_model="complement", drop_top=1, min_count=2),
]


class Corpus(NamedTuple):
    """Documents with the texts that they were made of, by name, and how an evaluation keeps them."""

    examples: Examples
    documents: list[Example]
    texts: dict[str, Document]

    def trial(self, hyperparameters: Hyperparameters = Hyperparameters()) -> Trial:  # noqa: B008
        return Trial(self.examples, self.documents, hyperparameters)

    def model_of(self, documents: Iterable[Example], hyperparameters: Hyperparameters) -> Classifier:
        """A classifier trained on these documents anew."""
        again = [self.texts[each.name] for each in documents]
        return Classifier(train_documents(again, hyperparameters=hyperparameters, allow_single_class=True))


def unexpected(aside: object) -> None:
    """Where nothing should be left out."""
    pytest.fail(str(aside))


def corpus_of(documents: Iterable[Document]) -> Corpus:
    known = {document.name: document for document in documents}
    examples = Examples(Analysis())
    return Corpus(examples, examples.add(index_documents(known.values(), Analysis(), dated=True)), known)


def texts(*pairs: tuple[str, str], times: Sequence[float] = ()) -> Corpus:
    """A corpus of (label, text) pairs, named 0, 1, ..."""
    dates = times or [0.0] * len(pairs)
    return corpus_of(
        Document([("", text)], label, str(n), lambda date=date: date)  # type: ignore[misc]  # each its own
        for n, ((label, text), date) in enumerate(zip(pairs, dates, strict=True))
    )


def distinct(**sizes: int) -> list[Example]:
    """So many documents of each class, all different."""
    return distinct_texts(**sizes).documents


def distinct_texts(**sizes: int) -> Corpus:
    return texts(*((label, f"{label} number{n}") for label, size in sizes.items() for n in range(size)))


def read(folder: object, report: object = unexpected) -> list[Example]:
    return Examples(Analysis()).read(labelled(str(folder)), report)  # type: ignore[arg-type]


def names(documents: Sequence[Example]) -> list[str]:
    return [each.name for each in documents]


def sizes(documents: Sequence[Example]) -> Counter[str]:
    return Counter(each.label for each in documents)


@st.composite
def corpora(draw: st.DrawFn) -> list[Example]:
    """Documents of up to four classes and few words, so that texts repeat, within a class and across classes."""
    words = st.lists(st.sampled_from(["the", "sea", "star", "soup", "seed"]), min_size=1, max_size=4).map(" ".join)
    pairs = draw(st.lists(st.tuples(st.sampled_from("abcd"), words), min_size=1, max_size=30))
    return texts(*pairs).documents


# Examples


def test_examples_are_arrays_whose_tokens_are_shared():
    corpus = texts(("a", "red blue red"), ("b", "blue"))
    matrix, tokens = corpus.examples.of(corpus.documents), corpus.examples.corpus.tokens.texts()
    assert [{tokens[t]: n for t, n in zip(*bag, strict=True)} for bag in matrix.bags()] == [
        {"red": 2, "blue": 1},
        {"blue": 1},
    ]
    assert matrix.classes.tolist() == [0, 1]


def test_examples_of_some_are_in_their_order():
    corpus = texts(("a", "red"), ("b", "blue"), ("a", "green"))
    some = corpus.examples.of([corpus.documents[2], corpus.documents[0]])
    assert some.digests.tolist() == [corpus.documents[2].digest, corpus.documents[0].digest]


def test_examples_without_pairs_of_words_keep_their_names_and_words():
    examples = Examples(Analysis(ngrams=2))
    documents = examples.add(
        index_documents([Document([("", "red sea red")], "a", "1")], examples.analysis, dated=True)
    )
    single = examples.up_to(1)
    ((tokens, occurrences),) = single.of(documents).bags()
    assert dict(zip(single.corpus.tokens.texts(np.array(tokens)), occurrences, strict=True)) == {"red": 2, "sea": 1}
    assert [len(tokens) for tokens, _ in examples.of(documents).bags()] == [4]
    assert examples.up_to(1) is single


@pytest.mark.parametrize(
    ("document", "reason"),
    [(Document([("", "red")], None, "x"), "no label"), (Document([("", " \n")], "a", "x"), "empty")],
)
def test_what_cannot_be_an_example_is_set_aside(document: Document, reason: str):
    shard = index_documents([document], Analysis(), dated=True)
    assert Examples(Analysis()).add(shard) == []
    (aside,) = shard.aside
    assert isinstance(aside, Skipped)
    assert aside.reason == reason


def test_a_document_s_own_time_comes_before_its_file_s(corpus):
    folder = corpus(
        {
            "a/dated": b"Date: Thu, 01 Jan 1970 00:00:07 +0000\n\nred\n",
            "a/undated": b"Subject: red\n\nred\n",
        }
    )
    analysis = Analysis(reader="mail")
    dated, undated = Examples(analysis).read(labelled(str(folder)), unexpected)
    assert (dated.name, dated.time) == (str(folder / "a/dated"), 7.0)
    assert undated.time == (folder / "a/undated").stat().st_mtime


def test_a_file_that_is_gone_after_it_was_read_changed_now(corpus):
    folder = corpus({"a/1.txt": "red"})
    (folder / "a/1.txt").unlink()
    before = time()
    assert before <= _changed(str(folder / "a/1.txt")) <= time()


def test_examples_are_the_same_whoever_reads_them(corpus, monkeypatch):
    folder = corpus({f"{label}/{n}.txt": f"word{n} {label}" for label in "ab" for n in range(20)} | {"a/none.txt": " "})
    found = []
    for worth in 4 * 256, 1:
        monkeypatch.setattr(batches, "WORTH_SHARING", worth)
        aside: list[Aside] = []
        examples = Examples(Analysis())
        documents = examples.read(labelled(str(folder)), aside.append)
        matrix = [column.tolist() for column in examples.of(documents)]
        found.append((documents, matrix, examples.corpus.tokens.texts(), aside))
    assert found[0] == found[1]
    assert len(found[0][-1]) == 1


# Parts


def test_split_is_stratified():
    (tested,) = by_split(distinct(a=100, b=10, c=2, d=1), 0.8, seed=1).tested
    assert sizes(tested) == {"a": 20, "b": 2, "c": 1}


def test_lone_text_stays_in_training_and_is_said_so():
    parts = by_split(distinct(a=10, d=1), 0.8, seed=1)
    assert parts.notes == ["the only text of a class stays in training; not tested, and left out of the means: d"]


def test_lone_text_stays_in_training_even_if_another_class_has_it_too():
    documents = texts(("a", "red"), ("a", "blue"), ("a", "green"), ("b", "red")).documents
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
        "the only text of a class stays in training; not tested, and left out of the means: c",
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
    documents = texts(
        ("a", "red"), ("b", "blue"), ("a", "green"), ("b", "grey"), ("a", "pink"), times=[5, 1, 2, 3, 4]
    ).documents
    assert names(by_time(documents, 0.6).tested[0]) == ["0", "4"]


def test_repeated_text_is_as_old_as_it_first_was():
    documents = texts(("a", "red"), ("b", "blue"), ("b", "grey"), ("a", "red"), times=[1, 2, 3, 4]).documents
    assert names(by_time(documents, 0.5).tested[0]) == ["1", "2"]


def test_documents_of_one_moment_are_not_parted():
    documents = texts(*(("a", f"n{n}") for n in range(4)), times=[1, 2, 2, 2]).documents
    assert names(by_time(documents, 0.5).tested[0]) == ["1", "2", "3"]
    with pytest.raises(CorpusError, match="the same time"):
        by_time(documents[1:], 0.5)


def test_classes_too_new_to_be_known_are_named():
    parts = by_time(texts(("a", "red"), ("b", "blue"), ("c", "grey"), times=[1, 2, 99]).documents, 0.7)
    assert parts.notes == ["classes that the model does not know are always missed: c"]


@pytest.mark.parametrize(("newest", "doubted"), [(59.9, True), (60.0, False)])
def test_an_order_of_files_that_were_copied_together_is_doubted(newest: float, *, doubted: bool):
    parts = by_time(texts(("a", "red"), ("a", "blue"), times=[0, newest]).documents, 0.5)
    assert ["from the same minute" in note for note in parts.notes] == [True] * doubted


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


def same(prediction: Prediction, classify: Classifier, document: Document) -> None:
    """The prediction is what the classifier says."""
    decision = classify(document)
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


@pytest.mark.parametrize("hyperparameters", HYPERPARAMETERS)
def test_held_out_is_answered_as_by_a_model_that_never_saw_it(hyperparameters: Hyperparameters):
    corpus = texts(*SMALL)
    part = [corpus.documents[0], corpus.documents[4], corpus.documents[7]]
    classify = corpus.model_of(others(corpus.documents, part), hyperparameters)
    for prediction in corpus.trial(hyperparameters).held_out(part).predictions:
        same(prediction, classify, corpus.texts[prediction.name])


@pytest.mark.parametrize("hyperparameters", HYPERPARAMETERS)
def test_left_out_is_answered_as_by_a_model_of_all_others(hyperparameters: Hyperparameters):
    corpus = texts(*SMALL)
    predictions = corpus.trial(hyperparameters).left_out(corpus.documents).predictions
    for prediction, each in zip(predictions, corpus.documents, strict=True):
        same(prediction, corpus.model_of(others(corpus.documents, [each]), hyperparameters), corpus.texts[each.name])


@pytest.mark.parametrize("hyperparameters", HYPERPARAMETERS)
def test_documents_that_were_not_learned_are_not_taken_out(hyperparameters: Hyperparameters):
    corpus = texts(*SMALL, ("a", "the sea"), ("b", "sea wind"), ("d", "the star"))
    learned, given = corpus.documents[: len(SMALL)], corpus.documents[len(SMALL) :]
    classify = corpus.model_of(learned, hyperparameters)
    held = Trial(corpus.examples, learned, hyperparameters).held_out(given)
    assert held.training == {"a": 3, "b": 3, "c": 2}
    for prediction in held.predictions:
        same(prediction, classify, corpus.texts[prediction.name])


@pytest.mark.parametrize("hyperparameters", HYPERPARAMETERS)
def test_a_trial_under_other_hyperparameters_is_one_with_these_from_the_first(hyperparameters: Hyperparameters):
    corpus = texts(*SMALL)
    changed = corpus.trial(Hyperparameters(alpha=0.5, min_docs=2)).under(hyperparameters)
    assert changed.left_out(corpus.documents) == corpus.trial(hyperparameters).left_out(corpus.documents)


@pytest.mark.parametrize("event_model", EVENT_MODELS)
def test_calibration_is_made_anew_for_each_part(event_model: str):
    hyperparameters = Hyperparameters(event_model=event_model)
    rng = random.Random(7)
    words = {"a": "uvwxy", "b": "wxyz"}
    corpus = texts(*((label, " ".join(sorted(rng.choices(words[label], k=8)))) for _ in range(40) for label in words))
    part = corpus.documents[::9]
    classify = corpus.model_of(others(corpus.documents, part), hyperparameters)
    assert classify.calibration.t is not None
    for prediction in corpus.trial(hyperparameters).held_out(part).predictions:
        same(prediction, classify, corpus.texts[prediction.name])


def test_holding_out_leaves_no_trace():
    corpus = texts(*SMALL)
    trial = corpus.trial()
    before = trial.left_out(corpus.documents)
    trial.held_out(corpus.documents[:4])
    assert trial.left_out(corpus.documents) == before


def test_too_little_left_to_train_on_is_refused():
    corpus = texts(("a", "red"), ("a", "blue"), ("b", "grey"))
    with pytest.raises(CorpusError, match="too few classes to train on: 1"):
        corpus.trial().held_out(corpus.documents[2:])
    with pytest.raises(CorpusError, match="too few classes to train on: 1"):
        Trial(corpus.examples, corpus.documents[:2], Hyperparameters()).left_out(corpus.documents[:2])
    with pytest.raises(CorpusError, match="the filters leave no vocabulary"):
        corpus.trial(Hyperparameters(min_count=9))


def odds(scores: list[float]) -> tuple[list[float], list[float]]:
    """The untempered posteriors of one document's scores, and their log odds."""
    table = ScoreTable(np.array([scores]), np.array([1]), np.array([True]))
    found = answers_to(table, [str(n) for n in range(len(scores))], None)
    return found.posteriors[0].tolist(), found.log_odds()[0].tolist()


@given(st.lists(st.floats(-30, 0), min_size=2, max_size=5))
def test_log_odds_are_those_of_the_posteriors(scores: list[float]):
    posteriors, found = odds(scores)
    assert [1 / (1 + exp(-each)) for each in found] == pytest.approx(posteriors)


def test_log_odds_tell_apart_what_rounds_to_one():
    one, two = (odds(scores)[1][0] for scores in ([0.0, -1000.0], [0.0, -2000.0]))
    assert (one, two) == (1000.0, 2000.0)
    _, impossible = odds([0.0, float("-inf")])
    assert isinf(impossible[0])
    assert impossible[0] > impossible[1]


# Experiments


def experiment(corpus: Corpus, wishes: Wishes = NONE, k: int = 4) -> Evaluation:
    return evaluated_in(corpus, by_folds(corpus.documents, k, seed=1), wishes=wishes)


def evaluated_in(corpus: Corpus, parts: Parts, **more: object) -> Evaluation:
    return evaluated(corpus.examples, corpus.documents, parts, Analysis(), Hyperparameters(), **more)  # type: ignore[arg-type]


def corpus_in(folder: object, step: int = 1) -> Corpus:
    """The documents in every so manieth file of a folder."""
    found = opened(islice(labelled(str(folder)), None, None, step), Analysis(), encodings=True)
    return corpus_of(each for each in found if isinstance(each, Document))


@pytest.fixture(scope="module")
def topics() -> Corpus:
    return corpus_in(ROOT / "corpora/topics")


@pytest.fixture(scope="module")
def mail() -> Corpus:
    return corpus_in(ROOT / "corpora/mail")


def test_confusion_adds_up_to_what_was_tested():
    evaluation = experiment(distinct_texts(a=100, b=2, c=1), k=10)
    found = summary(evaluation)
    assert sum(map(sum, (row.values() for row in found.confusion.values()))) == found.tested == 102
    assert evaluation.labels == ["a", "b", "c"]
    assert found.classes.get("c") is None or found.classes["c"].support == 0


def test_classes_not_tested_are_in_no_mean():
    predictions = [Prediction("1", "a", "a", {"a": 0.9, "c": 0.1}), Prediction("2", "a", "c", {"a": 0.4, "c": 0.6})]
    held = Held({"a": 5, "c": 1}, predictions)
    found = summary(Evaluation("", Analysis(), Hyperparameters(), [], [], ["a", "c"], [held], []))
    assert found.means["macro"].recall.value == 0.5


def test_comparison_is_of_the_same_documents(topics):
    other = Hyperparameters(event_model="complement", alpha=0.1)
    evaluation = experiment(topics, Wishes(compared=[Setting("complement", other, 1)]))
    assert evaluation.comparison is not None
    first, second = evaluation.comparison
    assert first.held == evaluation.held
    assert [each.name for held in second.held for each in held.predictions] == [
        each.name for each in evaluation.predictions
    ]
    base, verdict = verdicts(evaluation.comparison, 1)
    assert base.p is None
    assert verdict.won + verdict.tied + verdict.lost == len(topics.documents)


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
    compared = [Compared(name, Hyperparameters(), answers(rights)) for name, rights in (("x", first), ("y", second))]
    _, verdict = verdicts(compared, 1)
    assert verdict.real is real


def test_repeats_do_not_make_a_difference_real():
    first, second = "0" * 4 + "1" * 10, "1" * 14
    repeated = [
        Compared(name, Hyperparameters(), answers(rights * 3)) for name, rights in (("x", first), ("y", second))
    ]
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
    corpus = distinct_texts(a=3, b=3)
    with pytest.raises(ChoiceError, match="learning curve"):
        evaluated_in(corpus, by_itself(corpus.documents), wishes=Wishes(curve=True))


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        (Wishes(positive="spam"), "no class 'spam', named as positive; there are: a, b"),
        (Wishes(max_false_alarms=0.1), "a limit on false alarms needs the positive label"),
    ],
)
def test_wishes_that_make_no_sense_are_refused(wishes: Wishes, message: str):
    with pytest.raises(ChoiceError, match=message):
        experiment(distinct_texts(a=3, b=3), wishes)


def test_threshold_keeps_to_its_ceiling_where_it_was_chosen(mail):
    evaluation = evaluated_in(mail, by_itself(mail.documents), wishes=Wishes(positive="spam", max_false_alarms=0.02))
    found = summary(evaluation).mail
    assert found is not None
    assert found.ceiling is not None
    assert not found.ceiling.on_training
    rate = found.ceiling.counts.false_alarm_rate
    assert rate is not None
    assert rate <= 0.02
    assert found.ceiling.counts.misses <= 0.02 * found.ceiling.counts.spam + found.ceiling.unsure


def test_threshold_is_chosen_on_the_training_part_if_there_is_one(mail):
    parts = by_split(mail.documents, 0.7, seed=1)
    evaluation = evaluated_in(mail, parts, wishes=Wishes(positive="spam", max_false_alarms=0.05))
    trained = Trial(mail.examples, others(mail.documents, parts.tested[0]), Hyperparameters())
    predictions = trained.left_out(trained.documents).predictions
    (held,) = evaluation.held
    assert held.thresholds == pytest.approx(thresholds_within(predictions, "spam", 0.05))


def odds_of_spam(held: Held) -> list[float]:
    return [score for score, _ in one_against_rest(held.predictions, "spam")]


def test_each_part_has_the_settings_chosen_on_the_others_alone(mail):
    parts = by_folds(mail.documents, 3, seed=1)
    seen: list[Sequence[Example]] = []

    def tune(_: Examples, documents: Sequence[Example], hyperparameters: Hyperparameters) -> Chosen:
        seen.append(documents)
        alpha = float(len(seen))
        return Chosen(f"alpha {min(alpha, 2):g}", hyperparameters._replace(alpha=alpha), 1)

    evaluation = evaluated_in(mail, parts, tune=tune)
    assert seen == [others(mail.documents, part) for part in parts.tested]
    assert evaluation.notes == [*parts.notes, "chosen in 2 of 3: alpha 2", "chosen in 1 of 3: alpha 1"]
    for part, held, alpha in zip(parts.tested, evaluation.held, (1.0, 2.0, 3.0), strict=True):
        expected = mail.trial(Hyperparameters(alpha=alpha)).held_out(part)
        assert odds_of_spam(held) == pytest.approx(odds_of_spam(expected))


@pytest.mark.parametrize(
    "wishes", [Wishes(curve=True), Wishes(suspects=1), Wishes(compared=[Setting("x", Hyperparameters(), 1)])]
)
def test_tuning_goes_with_folds_and_nothing_more(mail, wishes: Wishes):
    def tune(_: Examples, __: Sequence[Example], hyperparameters: Hyperparameters) -> Chosen:
        return Chosen("these settings", hyperparameters, 1)

    for parts, asked in (by_folds(mail.documents, 3, seed=1), wishes), (by_itself(mail.documents), NONE):
        with pytest.raises(ChoiceError, match="tuning in each part cannot be combined with"):
            evaluated_in(mail, parts, wishes=asked, tune=tune)


def test_no_threshold_is_infinite():
    cases = [({"spam": 3.0}, "ham"), ({"spam": 2.0}, "spam")]
    found = thresholds_within([Prediction("", truth, "spam", {}, each) for each, truth in cases], "spam", 0.0)
    assert found == (inf, -inf)


def test_thresholds_of_many_documents_are_by_the_tails_of_their_odds():
    odds = [(float(n), "ham") for n in range(-90, 10)] + [(float(n), "spam") for n in range(-9, 91)]
    found = thresholds_within([Prediction("", truth, "spam", {}, {"spam": n}) for n, truth in odds], "spam", 0.01)
    assert found == pytest.approx((-1 + 5.5 * log(10), 1 - 5.5 * log(10)))


@given(st.floats(0, 1))
def test_right_wrong_and_unsure_add_up(unsure_below: float):
    evaluation = experiment(distinct_texts(a=6, b=5))._replace(unsure_below=unsure_below)
    found = summary(evaluation)
    assert found.right + found.wrong + found.unsure == found.tested == 11


def test_interval_does_not_narrow_by_repeating():
    corpus = texts(*SMALL)
    once, thrice = (summary(evaluated_in(corpus, by_folds(corpus.documents, 2, 1, repeats))) for repeats in (1, 3))
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
        assert assigned(text) == expected
    else:
        with pytest.raises(expected):
            assigned(text)


# The whole of it, for Python programs


def test_evaluate_reads_holds_out_and_answers(corpus):
    folder = corpus({f"{label}/{n}.txt": f"{label} {label}{n}" for label in ("sea", "sky") for n in range(6)})
    found = evaluate(str(folder), method=Method(folds=3))
    assert [len(held.predictions) for held in found.evaluation.held] == [4, 4, 4]
    assert all(each.right for each in found.evaluation.predictions)
    assert (len(found.learned), found.aside) == (12, [])


@pytest.mark.parametrize(
    ("method", "first"),
    [
        (Method(), "10-fold cross-validation, stratified, seed 1 (the default)"),
        (Method(folds=2), "2-fold cross-validation"),
        (Method(split=0.5), "0.5 of each class"),
        (Method(leave_one_out=True), "leave-one-out"),
        (Method(chronological=True), "the oldest"),
    ],
)
def test_methods_are_by_their_names(method: Method, first: str):
    documents = texts(*((label, f"{label}{n}") for label in "ab" for n in range(12)), times=range(24)).documents
    assert first in method.parts(documents).method


def test_only_one_method_at_a_time():
    with pytest.raises(ChoiceError, match="--folds and --leave-one-out: choose one way"):
        Method(folds=2, leave_one_out=True).check()
    with pytest.raises(ChoiceError, match="--split and --test: choose one way"):
        Method(split=0.5).check(tested=True)
    with pytest.raises(ChoiceError, match="--repeat has no effect with --leave-one-out"):
        Method(leave_one_out=True, repeat=2).check()


def test_a_model_is_tested_as_it_is(corpus):
    model = train_documents({"sea": ["reef the main", "tide"], "sky": ["star"]})
    folder = corpus({"sea/1.txt": "main tide", "sky/1.txt": "star main main", "sun/1.txt": "star"}, "test")
    found = evaluate(model=model, test=str(folder))
    assert found.learned == []
    classify = Classifier(model)
    for prediction, text in zip(found.evaluation.predictions, ("main tide", "star main main", "star"), strict=True):
        decision = classify(text)
        assert prediction.answer == decision.label
        assert prediction.posteriors == pytest.approx(dict(decision.posteriors))
    assert found.evaluation.notes == [
        "classes that the model does not know are always missed: sun",
        "1 of the 3 documents tested repeat the text of a training document",
    ]


# Suspects


def flipped(corpus: Corpus, n: int, seed: int) -> tuple[Corpus, set[str]]:
    """The corpus with n labels changed, and the names of these documents."""
    rng = random.Random(seed)
    labels = sorted(sizes(corpus.documents))
    wrong = {each.name for each in rng.sample(corpus.documents, n)}
    changed = [
        each._replace(label=rng.choice([label for label in labels if label != each.label])) if name in wrong else each
        for name, each in corpus.texts.items()
    ]
    return corpus_of(changed), wrong


def found_share(corpus: Corpus, wrong: set[str]) -> float:
    found = suspects(corpus.trial(), corpus.documents, len(wrong))
    return sum(each.name in wrong for each in found) / len(wrong)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_flipped_labels_come_out_first(topics, seed: int):
    assert found_share(*flipped(topics, 6, seed)) >= 0.8


def test_suspects_say_which_label_they_would_have(topics):
    corpus, wrong = flipped(topics, 1, seed=5)
    truth = {each.name: each.label for each in topics.documents}
    first = suspects(corpus.trial(), corpus.documents, 1)[0]
    assert (first.name, first.instead) == (*wrong, truth[first.name])
    assert first.strength > 0


def test_no_suspects_where_nothing_contradicts():
    corpus = texts(*((label, f"{label} {label}{n}") for label in ("sea", "sky") for n in range(4)))
    assert suspects(corpus.trial(), corpus.documents, 5) == []


@pytest.mark.parametrize("seed", [1])
def test_flipped_labels_come_out_first_in_real_mail(real, seed: int):
    corpus = corpus_in(real("spamassassin"), step=3)
    assert found_share(*flipped(corpus, round(0.03 * len(corpus.documents)), seed)) >= 0.8
