"""How well nbtext must sort mail. What it may take is in `scenarios`."""

from collections.abc import Callable
from statistics import mean
from typing import NamedTuple

from .corpora import SPLITS
from .records import Results, Value
from .splits import BOGOFILTER, TUNED, Sorted, sorted_mail

NBTEXT, PASS, BARE = "nbtext", "physical-pass", "import-click-sqlite3"  # to whom ratios are


class MailTarget(NamedTuple):
    """A bound on how nbtext, tuned, sorts the mail of the splits, on average.

    text     what is bounded, for people
    cutoff   by which spam is told, as in `Filtering`
    figure   what is made of how the mail was sorted
    limit    the most that may be: times the rival's, or a number of `unit`
    against  the cutoff of bogofilter; None if the limit is absolute
    """

    text: str
    cutoff: str
    figure: Callable[[Sorted], float]
    limit: float
    against: str | None = None
    unit: str = "times"
    corpus: str = SPLITS

    def value(self, results: Results) -> Value:
        """The figure in the unit of the limit; None if it, or the rival's, was not measured."""
        own = sorted_mail(results, TUNED, self.cutoff)
        if self.against is None:
            return own and self.figure(own)
        other = sorted_mail(results, BOGOFILTER, self.against)
        return own and other and self.figure(own) / self.figure(other)


MAIL_TARGETS = [
    MailTarget("messages on the wrong side", "own", lambda mail: 100 - 100 * mean(mail.right), 0.6, unit="%"),
    MailTarget("area above the ROC curve", "own", lambda mail: 1 - mean(mail.area), 0.0003, unit=""),
    MailTarget("ham lost, threshold chosen", "chosen", lambda mail: 100 * mean(mail.ham_lost), 0.2, unit="%"),
    MailTarget("spam missed, threshold chosen", "chosen", lambda mail: 100 - 100 * mean(mail.spam_caught), 3, unit="%"),
    MailTarget("errors, against bogofilter, default cutoffs", "own", lambda mail: mean(mail.errors), 1.0, "own"),
    MailTarget("errors, against bogofilter, 0.5", "own", lambda mail: mean(mail.errors), 1.0, "0.5"),
]
