"""What nbtext must reach, each beside what was measured."""

from collections.abc import Callable
from statistics import mean
from typing import NamedTuple

from .corpora import SPLITS
from .records import Results, Value
from .splits import BOGOFILTER, TUNED, Sorted, sorted_mail

NBTEXT, ALONE, PASS, BARE = "nbtext", "nbtext-one-process", "physical-pass", "import-click-sqlite3"
NEWS, MAIL, LARGE = "20news-bydate", "spamassassin", "synthetic"


class Target(NamedTuple):
    """A bound on what nbtext takes.

    text       what is bounded, for people
    corpus     on which
    measure    "train", "bulk", "cold", "learn", or "memory" for that of training
    limit      the most it may be: times the rival's figure, or a number of `unit`
    against    the rival and its measure, on the same corpus; None if the limit is absolute
    unit       of the limit: "times", or what `scale` makes of seconds or bytes
    scale      how many of the unit are a second or a byte
    contender  whose figure it is
    """

    text: str
    corpus: str
    measure: str
    limit: float
    against: tuple[str, str] | None = None
    unit: str = "times"
    scale: float = 1.0
    contender: str = NBTEXT

    def value(self, results: Results) -> Value:
        """The figure in the unit of the limit; None if it, or the rival's, was not measured."""
        own = _figure(results, self.corpus, self.contender, self.measure)
        other = _figure(results, self.corpus, *self.against) if self.against else 1.0
        return None if own is None or other is None else own / other * self.scale


def _figure(results: Results, corpus: str, contender: str, measure: str) -> Value:
    if measure == "memory":
        return results.memory(corpus, contender)
    return results.seconds(corpus, contender, measure)


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


TARGETS = [
    Target("train, against the physical pass", NEWS, "train", 2.5, (PASS, "train")),
    Target("train, against CountVectorizer and MultinomialNB", NEWS, "train", 0.3, ("sklearn-multinomial", "train")),
    Target("train, against Vowpal Wabbit with its conversion", NEWS, "train", 1.0, ("vw", "train")),
    Target("bulk classify, against scikit-learn", NEWS, "bulk", 0.4, ("sklearn-multinomial", "bulk")),
    Target("cold classify one file, against fastText", NEWS, "cold", 1.0, ("fasttext", "cold")),
    Target("cold classify one file, against Vowpal Wabbit", NEWS, "cold", 1.0, ("vw", "cold")),
    Target("cold classify one file, against scikit-learn", NEWS, "cold", 1.0, ("sklearn-multinomial", "cold")),
    Target('cold classify one file, against python -c "import click, sqlite3"', NEWS, "cold", 1.5, (BARE, "cold")),
    Target("peak memory of training", NEWS, "memory", 150, unit="MB", scale=1e-6),
    Target("learn one into a model of a million words, against cold", LARGE, "learn", 1.3, (NBTEXT, "cold")),
    Target("train in one process, against bogofilter", MAIL, "train", 3.0, (BOGOFILTER, "train"), contender=ALONE),
    Target("bulk in one process, against bogofilter", MAIL, "bulk", 3.0, (BOGOFILTER, "bulk"), contender=ALONE),
    Target("cold classify one message", MAIL, "cold", 50, unit="ms", scale=1e3),
]

MAIL_TARGETS = [
    MailTarget("messages on the wrong side", "own", lambda mail: 100 - 100 * mean(mail.right), 0.6, unit="%"),
    MailTarget("area above the ROC curve", "own", lambda mail: 1 - mean(mail.area), 0.0003, unit=""),
    MailTarget("ham lost, threshold chosen", "chosen", lambda mail: 100 * mean(mail.ham_lost), 0.2, unit="%"),
    MailTarget("spam missed, threshold chosen", "chosen", lambda mail: 100 - 100 * mean(mail.spam_caught), 3, unit="%"),
    MailTarget("errors, against bogofilter, default cutoffs", "own", lambda mail: mean(mail.errors), 1.0, "own"),
    MailTarget("errors, against bogofilter, 0.5", "own", lambda mail: mean(mail.errors), 1.0, "0.5"),
]
