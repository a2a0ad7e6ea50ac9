"""The summary of an evaluation: every measure in a report, computed once for all reports.

A figure is the value over all documents tested, with its spread: the standard deviation over the parts, if there are
several. A measure without a value is None.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import exp, inf
from typing import NamedTuple

from ..metrics import Prediction
from ..metrics.answers import (
    ClassCounts,
    accuracy,
    balanced_accuracy,
    class_counts,
    confusion,
    kappa,
    largest_class,
    macro,
    matthews,
    micro,
    prior_guessing,
    weighted,
)
from ..metrics.averages import deviation, mean, weighted_mean
from ..metrics.comparison import wilson
from ..metrics.mail import COSTS, MailCounts, mail_counts
from ..metrics.posteriors import (
    Bin,
    Coverage,
    brier,
    coverage_curve,
    expected_calibration_error,
    log_loss,
    reliability,
    risk_coverage_area,
    top_k_accuracy,
)
from ..metrics.ranking import Areas, areas, macro_area, one_against_rest
from . import Evaluation, Held, Unread
from .experiment import thresholds_within

BINS = 10
THRESHOLDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999)

Measure = Callable[[list[Prediction]], float | None]
OF_COUNTS: dict[str, Callable[[Iterable[ClassCounts]], float | None]] = {
    "balanced_accuracy": balanced_accuracy,
    "matthews": matthews,
    "kappa": kappa,
}
MEASURES: dict[str, Measure] = {
    "top_2_accuracy": lambda predictions: top_k_accuracy(predictions, 2),
    "top_3_accuracy": lambda predictions: top_k_accuracy(predictions, 3),
    "log_loss": log_loss,
    "brier": brier,
    "calibration_error": expected_calibration_error,
    "risk_coverage_area": risk_coverage_area,
}


class Figure(NamedTuple):
    """A measure: its value over all documents tested, and its standard deviation over the parts."""

    value: float | None
    spread: float | None = None


class ClassFigures(NamedTuple):
    """How well one class is distinguished from the others.

    support                      documents of the class that were tested
    roc_area, average_precision  by the log odds of the class against the rest
    """

    support: int
    precision: Figure
    recall: Figure
    f1: Figure
    roc_area: Figure
    average_precision: Figure


class Means(NamedTuple):
    """Precision, recall and F1 averaged over the classes that were tested."""

    precision: Figure
    recall: Figure
    f1: Figure


class Confused(NamedTuple):
    """The number of documents of one class answered as another."""

    truth: str
    answer: str
    documents: int


class Ceiling(NamedTuple):
    """The results of keeping false alarms below a ceiling.

    wanted       the highest share of ham that may be labelled spam
    spam_above   the least posterior of mail labelled spam; None if no threshold keeps to the ceiling
    ham_above    the same for ham, where at most the same share of spam may be labelled ham
    on_training  whether they were chosen on the training part; else on the documents tested, which is optimistic
    counts       of the documents tested; unsure ones are let through
    unsure       the number of unsure documents
    """

    wanted: float
    spam_above: float | None
    ham_above: float | None
    on_training: bool
    counts: MailCounts
    unsure: int


class MailFigures(NamedTuple):
    """The results of a filter for the positive label: all other documents are ham."""

    counts: MailCounts
    false_alarm_rate: Figure
    miss_rate: Figure
    cost_ratios: dict[int, float | None]
    ceiling: Ceiling | None


class WithUnread(NamedTuple):
    """The accuracy including documents that could not be tested: empty ones are answered by the prior, others wrong.

    documents        all of them
    empty, refused   those without a token; those not read
    right            empty ones whose class is that of the greatest prior
    """

    accuracy: float
    documents: int
    empty: int
    refused: int
    right: int


class Summary(NamedTuple):
    """All measures of an evaluation.

    tested               documents tested, counting repeats; right + wrong + unsure
    interval             the 95 % interval of the accuracy; repeats do not count as new documents
    figures              name -> figure: accuracy, its baselines, `OF_COUNTS`, `MEASURES`, roc_area, average_precision
    means                "macro", "micro", "weighted" -> means over the classes tested
    confusion            truth -> answer -> documents
    confused             the largest confusions first
    mail                 only if there is a positive label
    with_unread          only if some documents to be tested have no token, or could not be read
    """

    tested: int
    right: int
    wrong: int
    unsure: int
    interval: tuple[float, float]
    figures: dict[str, Figure]
    classes: dict[str, ClassFigures]
    means: dict[str, Means]
    confusion: dict[str, dict[str, int]]
    confused: list[Confused]
    reliability: list[Bin]
    coverage: list[Coverage]
    mail: MailFigures | None
    with_unread: WithUnread | None


def summary(evaluation: Evaluation) -> Summary:
    """All measures of the evaluation."""
    predictions = evaluation.predictions
    parts = [held.predictions for held in evaluation.held if held.predictions]
    sure = [each for each in predictions if each.confidence >= evaluation.unsure_below]
    right = sum(each.right for each in sure)
    table = confusion(predictions)
    each_part = parts if len(parts) > 1 else []  # with one part there is no spread to measure
    ranked = [areas(part, list(table)) for part in (predictions, *each_part)]
    counts = [class_counts(confusion(part)) for part in (predictions, *each_part)]
    return Summary(
        len(predictions),
        right,
        len(sure) - right,
        len(predictions) - len(sure),
        _interval(predictions, evaluation.repeats),
        {
            "accuracy": measured(accuracy, parts),
            "largest_class": _baseline(largest_class, evaluation.held),
            "prior_guessing": _baseline(prior_guessing, evaluation.held),
            **{name: _with_spread([measure(some.values()) for some in counts]) for name, measure in OF_COUNTS.items()},
            **{name: measured(measure, parts) for name, measure in MEASURES.items()},
            "roc_area": _mean_area(ranked, 0, evaluation.positive),
            "average_precision": _mean_area(ranked, 1, evaluation.positive),
        },
        {label: _of_class(label, counts, ranked) for label in table},
        {kind.__name__: _means(kind, counts) for kind in (macro, micro, weighted)},
        table,
        _confused(table),
        reliability(predictions, BINS),
        coverage_curve(predictions, THRESHOLDS),
        None if evaluation.positive is None else _mail(evaluation, parts, evaluation.positive),
        None if evaluation.unread is None else _with_unread(evaluation, evaluation.unread),
    )


def _with_unread(evaluation: Evaluation, unread: Unread) -> WithUnread:
    repeats, predictions = evaluation.repeats, evaluation.predictions
    documents = len(predictions) + repeats * (unread.empty + unread.refused)
    right = sum(each.right for each in predictions) + repeats * unread.right
    return WithUnread(right / documents, documents, *unread)


def _mean_area(ranked: Sequence[Mapping[str, Areas]], which: int, positive: str | None) -> Figure:
    """The area of the positive label, or the mean over classes; `ranked` has all documents first, then the parts."""
    means = [macro_area(area[which] for label, area in each.items() if positive in (None, label)) for each in ranked]
    return _of_ranks(means)


def _of_ranks(values: Sequence[float | None]) -> Figure:
    """The mean over the parts, if there are several: log odds of different models have no common scale."""
    parts = [value for value in values[1:] if value is not None]
    return Figure(mean(parts) if parts else values[0], _spread(parts))


def measured(measure: Measure, parts: Sequence[list[Prediction]]) -> Figure:
    """A measure over all predictions, and its spread over the parts."""
    whole = [each for part in parts for each in part]
    return _with_spread([measure(some) for some in (whole, *(parts if len(parts) > 1 else ()))])


def _with_spread(values: Sequence[float | None]) -> Figure:
    """A figure from the value over all documents, followed by those over the parts if there are several."""
    return Figure(values[0], _spread(values[1:]))


def _spread(values: Iterable[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return deviation(defined) if defined else None


def _baseline(measure: Callable[[Mapping[str, int], Iterable[str]], float], parts: Iterable[Held]) -> Figure:
    """The accuracy of answering only by the training counts, which differ between parts."""
    tested = [held for held in parts if held.predictions]
    values = [measure(held.training, [each.truth for each in held.predictions]) for held in tested]
    return Figure(weighted_mean(values, [len(held.predictions) for held in tested]), _spread(values))


def _interval(predictions: Sequence[Prediction], repeats: int) -> tuple[float, float]:
    documents = max(1, round(len(predictions) / repeats))
    right = round(sum(each.right for each in predictions) / repeats)
    return wilson(min(right, documents), documents)


def _of_class(
    label: str, counts: Sequence[Mapping[str, ClassCounts]], ranked: Sequence[Mapping[str, Areas]]
) -> ClassFigures:
    """The figures of a class, from the counts and areas of all documents, followed by those of the parts."""
    own = [some.get(label, ClassCounts(0, 0, 0)) for some in counts]
    return ClassFigures(
        own[0].support,
        *(_with_spread([getattr(each, name) for each in own]) for name in ("precision", "recall", "f1")),
        *(_of_ranks([part[label][which] for part in ranked]) for which in (0, 1)),
    )


def _means(kind: Callable[[Iterable[ClassCounts]], object], counts: Sequence[Mapping[str, ClassCounts]]) -> Means:
    """The means over the classes tested, from the counts of all documents, followed by those of the parts."""
    means = [kind(each for each in some.values() if each.support) for some in counts]
    return Means(*(_with_spread([getattr(mean, name) for mean in means]) for name in Means._fields))


def _confused(table: Mapping[str, Mapping[str, int]]) -> list[Confused]:
    cells = [Confused(truth, answer, n) for truth, row in table.items() for answer, n in row.items()]
    return sorted(
        (cell for cell in cells if cell.documents and cell.truth != cell.answer), key=lambda cell: -cell.documents
    )


def _mail(evaluation: Evaluation, parts: Sequence[list[Prediction]], positive: str) -> MailFigures:
    counts = mail_counts(evaluation.predictions, positive)
    return MailFigures(
        counts,
        measured(lambda predictions: mail_counts(predictions, positive).false_alarm_rate, parts),
        measured(lambda predictions: mail_counts(predictions, positive).miss_rate, parts),
        {cost: counts.total_cost_ratio(cost) for cost in COSTS},
        _ceiling(evaluation, positive, evaluation.max_false_alarms),
    )


def _ceiling(evaluation: Evaluation, positive: str, wanted: float | None) -> Ceiling | None:
    if wanted is None:
        return None
    chosen = [held.thresholds for held in evaluation.held if held.thresholds is not None]
    on_training = len(chosen) == len(evaluation.held)
    if not on_training:
        chosen = [thresholds_within(evaluation.predictions, positive, wanted)] * len(evaluation.held)
    scored = [
        (score, is_positive, thresholds)
        for held, thresholds in zip(evaluation.held, chosen, strict=True)
        for score, is_positive in one_against_rest(held.predictions, positive)
    ]
    return Ceiling(
        wanted,
        _posterior(max(each.positive for each in chosen)),
        _posterior(max(-each.others for each in chosen)),
        on_training,
        MailCounts.of((is_positive, score >= thresholds.positive) for score, is_positive, thresholds in scored),
        sum(thresholds.others < score < thresholds.positive for score, _, thresholds in scored),
    )


def _posterior(log_odds: float) -> float | None:
    return None if log_odds == inf else 1 / (1 + exp(-log_odds))
