"""An evaluation as that of a mail filter, where one error is worse than the other: rates, costs and thresholds."""

from collections.abc import Sequence
from math import exp, inf
from typing import NamedTuple

from ..metrics import Prediction
from ..metrics.mail import COSTS, MailCounts, mail_counts
from ..metrics.ranking import one_against_rest
from . import Evaluation
from .experiment import thresholds_within
from .figures import Figure, measured


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


def mail_figures(evaluation: Evaluation, parts: Sequence[list[Prediction]], positive: str) -> MailFigures:
    """The results of a filter that stops mail with the positive label.

    parts  the predictions of each part
    """
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
