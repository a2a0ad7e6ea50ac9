"""Measures for mail, where one error is worse than the other: a good message lost against a bad one let through.

Anything that is not spam counts as ham, whatever the number of classes.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from . import Prediction
from .averages import ratio

# The cost of a false alarm, in misses, if a message is flagged, sent back, or deleted.
COSTS = (1, 9, 999)


class MailCounts(NamedTuple):
    """The results of a filter on a mailbox, and their cost.

    spam          messages that are spam
    ham           messages that are not
    misses        spam let through
    false_alarms  ham labelled spam

    Source: Androutsopoulos and others, An Evaluation of Naive Bayesian Anti-Spam Filtering (2000).

    >>> inbox = MailCounts(spam=100, ham=200, misses=10, false_alarms=1)
    >>> inbox.false_alarm_rate, inbox.miss_rate
    (0.005, 0.1)
    """

    spam: int
    ham: int
    misses: int
    false_alarms: int

    @classmethod
    def of(cls, outcomes: Iterable[tuple[bool, bool]]) -> "MailCounts":
        """The counts of messages given as (is spam, is labelled spam)."""
        counts = Counter(outcomes)
        misses, false_alarms = counts[True, False], counts[False, True]
        return cls(counts[True, True] + misses, counts[False, False] + false_alarms, misses, false_alarms)

    @property
    def false_alarm_rate(self) -> float | None:
        """The share of the ham that was labelled spam, in [0, 1]; None without ham."""
        return ratio(self.false_alarms, self.ham)

    @property
    def miss_rate(self) -> float | None:
        """The share of the spam that was let through, in [0, 1]; None without spam."""
        return ratio(self.misses, self.spam)

    def total_cost_ratio(self, cost: float) -> float | None:
        """How many times more it would cost to have no filter, >= 0; below 1 the filter does harm.

            spam / (cost * false alarms + misses)

        cost  of a false alarm in misses, > 0; the source's lambda

        None if there is no error: the ratio would be infinite.

        >>> MailCounts(spam=100, ham=200, misses=11, false_alarms=1).total_cost_ratio(cost=9)
        5.0
        """
        return ratio(self.spam, cost * self.false_alarms + self.misses)

    def weighted_accuracy(self, cost: float) -> float | None:
        """The accuracy if each ham counted as that many messages, in [0, 1]; None without messages.

            (cost * ham let through + spam caught) / (cost * ham + spam)

        cost  of a false alarm in misses, > 0

        >>> MailCounts(spam=10, ham=10, misses=5, false_alarms=1).weighted_accuracy(cost=9)
        0.86
        """
        right = cost * (self.ham - self.false_alarms) + self.spam - self.misses
        return ratio(right, cost * self.ham + self.spam)


def mail_counts(predictions: Iterable[Prediction], spam: str = "spam", threshold: float = 0.0) -> MailCounts:
    """The counts of a filter that labels a message spam if that is the answer with at least a certain posterior.

    spam       the label of the messages to stop
    threshold  the least posterior, in [0, 1]; below it a message is let through. The source uses cost / (1 + cost)

    >>> unsure = Prediction("1", "ham", "spam", {"ham": 0.25, "spam": 0.75})
    >>> mail_counts([unsure]).false_alarms, mail_counts([unsure], threshold=0.9).false_alarms
    (1, 0)
    """
    return MailCounts.of(
        (each.truth == spam, each.answer == spam and each.confidence >= threshold) for each in predictions
    )
