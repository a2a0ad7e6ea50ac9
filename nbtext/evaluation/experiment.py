"""An experiment: documents are held out and answered, and everything else that was asked for is measured."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import NamedTuple

from ..analysis import Analysis
from ..classification.decision import Classifier
from ..errors import ChoiceError, CorpusError
from ..metrics import Prediction
from ..metrics.averages import mean
from ..metrics.ranking import Pair, cut_within, one_against_rest, tail_threshold
from ..settings import Hyperparameters
from . import Chosen, Compared, Evaluation, Held, LogOddsThresholds, Point
from .examples import Example, Examples, Progress
from .parts import Parts, by_itself, others, portion, repeated_texts, unknown_labels
from .suspects import suspects
from .trial import Choose, Trial, predictions

SHARES = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1)  # of the training part, along the learning curve

Tune = Callable[[Examples, Sequence[Example], Hyperparameters], Chosen]  # from training documents to settings


class Setting(NamedTuple):
    """Settings to compare with those that are evaluated.

    words   as the user wrote them
    ngrams  the longest n-grams, >= 1
    """

    words: str
    hyperparameters: Hyperparameters
    ngrams: int


class Wishes(NamedTuple):
    """What to measure beside the answers; see `Evaluation` for the other fields.

    compared  settings to try on the same parts
    curve     whether to measure how accuracy grows with the training part
    suspects  how many documents to name that the others contradict
    """

    positive: str | None = None
    unsure_below: float = 0.0
    max_false_alarms: float | None = None
    compared: Sequence[Setting] = ()
    curve: bool = False
    suspects: int = 0


NONE = Wishes()


def evaluated(
    examples: Examples,
    documents: Sequence[Example],
    parts: Parts,
    analysis: Analysis,
    hyperparameters: Hyperparameters,
    corpora: Sequence[str] = (),
    tested: Sequence[str] = (),
    wishes: Wishes = NONE,
    *,
    tune: Tune | None = None,
    seed: int = 1,
    progress: Progress = iter,
) -> Evaluation:
    """The evaluation of a model of the documents; each part is answered by a model of all documents not in it.

    corpora, tested  the paths of the documents learned and tested
    examples         keeps the documents, with the longest n-grams needed
    tune             chooses settings for each part; the documents have the longest n-grams of its choices
    seed             for the portions along the learning curve
    progress         wraps long loops, to show progress

    Raises: ChoiceError for a wish that is impossible here; CorpusError if too little is left to learn from.
    """
    if tune and (parts.alone or wishes.compared or wishes.curve or wishes.suspects):
        raise ChoiceError(
            "tuning in each part cannot be combined with leave-one-out, comparison, learning curve or suspects"
        )
    labels = sorted({each.label for each in documents})
    _check(wishes, labels)
    if wishes.curve and parts.alone:
        raise ChoiceError("a learning curve needs a split or folds")
    choose = None if parts.alone else _chooser(wishes)
    evaluation = Evaluation(
        parts.method,
        analysis,
        hyperparameters,
        corpora,
        tested,
        labels,
        [],
        parts.notes,
        parts.repeats,
        wishes.positive,
        wishes.unsure_below,
        wishes.max_false_alarms,
    )
    if tune:
        # One after the other: tuning uses all workers itself, and needs the counts of all other documents in memory
        held = [
            _tuned(examples, others(documents, part), part, hyperparameters, tune, choose)
            for part in progress(parts.tested)
        ]
        return evaluation._replace(
            method=f"{parts.method}; tuned for each part", held=held, notes=[*parts.notes, *_choices(held)]
        )
    trial = Trial(examples.up_to(analysis.ngrams), documents, hyperparameters)
    held = _held(trial, parts, choose, progress)
    comparison = [
        Compared(setting.words, setting.hyperparameters, _held(_under(trial, examples, setting), parts, None, progress))
        for setting in wishes.compared
    ]
    return evaluation._replace(
        held=held,
        curve=[*_curve(trial, parts, seed, progress), _whole(held)] if wishes.curve else None,
        comparison=[Compared("these settings", hyperparameters, held), *comparison] if comparison else None,
        suspects=suspects(trial, by_itself(documents).tested[0], wishes.suspects) if wishes.suspects else None,
    )


def evaluated_model(
    classify: Classifier, examples: Examples, documents: Sequence[Example], tested: Sequence[str], wishes: Wishes = NONE
) -> Evaluation:
    """The evaluation of a model in a file, unchanged, on documents.

    Raises: ChoiceError for a wish that is impossible here; CorpusError if there is no document.
    """
    model = classify.model
    _check(wishes, model.labels)
    if wishes.compared or wishes.curve or wishes.suspects:
        raise ChoiceError("comparison, learning curve and suspects need the training documents: name the corpus")
    if not documents:
        raise CorpusError("nothing to test on: there are no documents")
    with model.store.snapshot():
        numbers = model.loaded().numbers(examples.corpus.tokens.texts())
        matrix = examples.corpus.matrix
        known = matrix._replace(tokens=numbers[matrix.tokens])
        scores = model.estimator(classify.hyperparameters).scores(known, _attributes(examples) or None)
        found = predictions(documents, scores, model.labels, classify.calibration.t)
        learned = sum(any(model.store.learned(each.digest)) for each in documents)
    training = dict(zip(model.labels, model.documents, strict=True))
    truths = {each.truth for each in found}
    return Evaluation(
        "the model itself, on a given test corpus",
        model.analysis,
        classify.hyperparameters,
        model.corpora(),
        tested,
        sorted(truths.union(model.labels)),
        [Held(training, found)],
        [*unknown_labels(model.labels, truths), *repeated_texts(learned, len(found))],
        1,
        wishes.positive,
        wishes.unsure_below,
        wishes.max_false_alarms,
    )


def _attributes(examples: Examples) -> list[list[str]]:
    """The tokens of each document's attributes."""
    numbers, texts = examples.corpus.tokens.attributes
    tokens = dict(zip(numbers.tolist(), texts, strict=True))
    return [[tokens[n] for n in bag if n in tokens] for bag, _ in examples.corpus.matrix.bags()] if tokens else []


def _check(wishes: Wishes, labels: Sequence[str]) -> None:
    if wishes.positive is not None and wishes.positive not in labels:
        raise ChoiceError(f"no class {wishes.positive!r}, named as positive; there are: {', '.join(labels)}")
    if wishes.max_false_alarms is not None and wishes.positive is None:
        raise ChoiceError("a limit on false alarms needs the positive label, as in --positive spam")


def _held(trial: Trial, parts: Parts, choose: Choose | None, progress: Progress) -> list[Held]:
    if parts.alone:
        return [trial.left_out(part) for part in progress(parts.tested)]
    return [trial.held_out(part, choose) for part in progress(parts.tested)]


def _under(trial: Trial, examples: Examples, setting: Setting) -> Trial:
    """The documents of a trial under another setting."""
    if setting.ngrams == trial.examples.analysis.ngrams:
        return trial.under(setting.hyperparameters)
    return Trial(examples.up_to(setting.ngrams), trial.documents, setting.hyperparameters)


def _tuned(
    examples: Examples,
    trained: Sequence[Example],
    tested: Sequence[Example],
    hyperparameters: Hyperparameters,
    tune: Tune,
    choose: Choose | None,
) -> Held:
    """A part answered by a model of the others, with settings chosen on these alone."""
    chosen = tune(examples, trained, hyperparameters)
    some = (examples.with_pieces() if chosen.pieces else examples).up_to(chosen.ngrams)
    trial = Trial(some, trained, chosen.hyperparameters)
    return trial.answered(trial.estimator, trained, tested, choose)._replace(chosen=chosen)


def _choices(parts: Sequence[Held]) -> list[str]:
    """How often each setting was chosen."""
    counts = Counter(held.chosen.setting for held in parts if held.chosen)
    return [f"chosen in {count} of {len(parts)}: {setting}" for setting, count in counts.most_common()]


def _chooser(wishes: Wishes) -> Choose | None:
    """The function that chooses thresholds below the ceiling for false alarms; None without a ceiling."""
    label, ceiling = wishes.positive, wishes.max_false_alarms
    if label is None or ceiling is None:
        return None
    return lambda predictions: thresholds_within(predictions, label, ceiling)


def thresholds_within(predictions: Iterable[Prediction], label: str, ceiling: float) -> LogOddsThresholds:
    """The thresholds nearest to even odds that label at most this share of each side as the other.

    Of many documents these are shares of those to come, estimated from the tail of their odds; of few, shares of these
    documents themselves. Each is on its own side of even odds, since beyond them another label is the answer.

    >>> odds = [({"spam": 3.0}, "spam"), ({"spam": 2.0}, "ham"), ({"spam": -1.0}, "ham"), ({"spam": -0.5}, "spam")]
    >>> thresholds_within([Prediction("", truth, "spam", {}, logits) for logits, truth in odds], "spam", ceiling=0.1)
    LogOddsThresholds(positive=3.0, others=-1.0)
    """
    pairs = one_against_rest(predictions, label)
    return LogOddsThresholds(
        _least(pairs, ceiling), -_least([(-score, not positive) for score, positive in pairs], ceiling)
    )


def _least(pairs: Sequence[Pair], ceiling: float) -> float:
    tail = tail_threshold([score for score, positive in pairs if not positive], ceiling)
    if tail is not None:
        return max(tail, 0.0)
    cut = cut_within(pairs, ceiling)
    return inf if cut is None else max(cut.threshold, 0.0)


def _curve(trial: Trial, parts: Parts, seed: int, progress: Progress) -> list[Point]:
    """The steps with less than all documents; a step is left out if the filters leave it no vocabulary."""
    points = []
    for share in progress(SHARES[:-1]):
        held = []
        try:
            for part in parts.tested:
                trained = portion(others(trial.documents, part), share, seed)
                smaller = Trial(trial.examples, trained, trial.estimator.hyperparameters)
                held.append(smaller.answered(smaller.estimator, trained, part))
        except CorpusError:
            continue
        points.append(Point(share, _documents(held), held))
    return points


def _whole(held: list[Held]) -> Point:
    return Point(1, _documents(held), held)


def _documents(held: Iterable[Held]) -> int:
    return round(mean(sum(each.training.values()) for each in held))
