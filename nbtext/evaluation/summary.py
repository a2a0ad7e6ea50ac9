"""The summary of an evaluation: every measure in a report, computed once for all reports.

A figure is the value over all documents tested, with its spread: the standard deviation over the parts, if there are
several. A measure without a value is None.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ..metrics import Prediction, answers, posteriors
from ..metrics.averages import mean, weighted_mean
from ..metrics.comparison import wilson
from ..metrics.ranking import Areas, areas, macro_area
from . import Evaluation, Held, Unread
from .figures import Figure, Measure, measured, spread_of, with_spread
from .mail import MailFigures, mail_figures

BINS = 10
THRESHOLDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999)

ByClass = Mapping[str, answers.ClassCounts]
OF_COUNTS: dict[str, Callable[[Iterable[answers.ClassCounts]], float | None]] = {
    "balanced_accuracy": answers.balanced_accuracy,
    "matthews": answers.matthews,
    "kappa": answers.kappa,
}
MEASURES: dict[str, Measure] = {
    "top_2_accuracy": lambda predictions: posteriors.top_k_accuracy(predictions, 2),
    "top_3_accuracy": lambda predictions: posteriors.top_k_accuracy(predictions, 3),
    "log_loss": posteriors.log_loss,
    "brier": posteriors.brier,
    "calibration_error": posteriors.expected_calibration_error,
    "risk_coverage_area": posteriors.risk_coverage_area,
}


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
    reliability: list[posteriors.Bin]
    coverage: list[posteriors.Coverage]
    mail: MailFigures | None
    with_unread: WithUnread | None


def summary(evaluation: Evaluation) -> Summary:
    """All measures of the evaluation."""
    predictions = evaluation.predictions
    parts = [held.predictions for held in evaluation.held if held.predictions]
    sure = [each for each in predictions if each.confidence >= evaluation.unsure_below]
    right = sum(each.right for each in sure)
    table = answers.confusion(predictions)
    each_part = parts if len(parts) > 1 else []  # with one part there is no spread to measure
    ranked = [areas(part, list(table)) for part in (predictions, *each_part)]
    counts = [answers.class_counts(answers.confusion(part)) for part in (predictions, *each_part)]
    return Summary(
        len(predictions),
        right,
        len(sure) - right,
        len(predictions) - len(sure),
        _interval(predictions, evaluation.repeats),
        {
            "accuracy": measured(answers.accuracy, parts),
            "largest_class": _baseline(answers.largest_class, evaluation.held),
            "prior_guessing": _baseline(answers.prior_guessing, evaluation.held),
            **{name: with_spread([measure(some.values()) for some in counts]) for name, measure in OF_COUNTS.items()},
            **{name: measured(measure, parts) for name, measure in MEASURES.items()},
            "roc_area": _mean_area(ranked, 0, evaluation.positive),
            "average_precision": _mean_area(ranked, 1, evaluation.positive),
        },
        {label: _of_class(label, counts, ranked) for label in table},
        {kind.__name__: _means(kind, counts) for kind in (answers.macro, answers.micro, answers.weighted)},
        table,
        _confused(table),
        posteriors.reliability(predictions, BINS),
        posteriors.coverage_curve(predictions, THRESHOLDS),
        None if evaluation.positive is None else mail_figures(evaluation, parts, evaluation.positive),
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
    return Figure(mean(parts) if parts else values[0], spread_of(parts))


def _baseline(measure: Callable[[Mapping[str, int], Iterable[str]], float], parts: Iterable[Held]) -> Figure:
    """The accuracy of answering only by the training counts, which differ between parts."""
    tested = [held for held in parts if held.predictions]
    values = [measure(held.training, [each.truth for each in held.predictions]) for held in tested]
    return Figure(weighted_mean(values, [len(held.predictions) for held in tested]), spread_of(values))


def _interval(predictions: Sequence[Prediction], repeats: int) -> tuple[float, float]:
    documents = max(1, round(len(predictions) / repeats))
    right = round(sum(each.right for each in predictions) / repeats)
    return wilson(min(right, documents), documents)


def _of_class(label: str, counts: Sequence[ByClass], ranked: Sequence[Mapping[str, Areas]]) -> ClassFigures:
    """The figures of a class, from the counts and areas of all documents, followed by those of the parts."""
    own = [some.get(label, answers.ClassCounts(0, 0, 0)) for some in counts]
    return ClassFigures(
        own[0].support,
        *(with_spread([getattr(each, name) for each in own]) for name in ("precision", "recall", "f1")),
        *(_of_ranks([part[label][which] for part in ranked]) for which in (0, 1)),
    )


def _means(kind: Callable[[Iterable[answers.ClassCounts]], object], counts: Sequence[ByClass]) -> Means:
    """The means over the classes tested, from the counts of all documents, followed by those of the parts."""
    means = [kind(each for each in some.values() if each.support) for some in counts]
    return Means(*(with_spread([getattr(mean, name) for mean in means]) for name in Means._fields))


def _confused(table: Mapping[str, Mapping[str, int]]) -> list[Confused]:
    cells = [Confused(truth, answer, n) for truth, row in table.items() for answer, n in row.items()]
    return sorted(
        (cell for cell in cells if cell.documents and cell.truth != cell.answer), key=lambda cell: -cell.documents
    )
