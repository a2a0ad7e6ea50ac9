"""Evaluation: documents answered by a model that has not learned them. Here are its results; nothing prints.

In reading order: `examples` (documents with their counts in memory), `parts` (which of them are held out together),
`trial` (a part answered by a model of the others), `suspects` (documents that the others contradict), `experiment` (all
of it put together), `evaluate` (the same from files), `summary` and `comparison` (the measures that every report
shares), `reasons` and `texts` (the words and texts behind errors). The formulas are in `metrics`.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..analysis import Analysis
from ..metrics import Prediction
from ..settings import Hyperparameters

FOLDS = 10  # of a cross-validation
SHARE = 0.8  # to train on, the oldest

TUNED = frozenset({"ngrams", "event_model", "alpha", "weights"})  # settings that tuning chooses


class Chosen(NamedTuple):
    """How the documents of a part are read, chosen on its training documents alone.

    setting  what was chosen, in words
    ngrams   the longest that are read
    pieces   whether character n-grams are read too
    """

    setting: str
    hyperparameters: Hyperparameters
    ngrams: int
    pieces: bool = False


class LogOddsThresholds(NamedTuple):
    """Log odds of the positive label: what lies between the two is unsure.

    positive  the least of a document that is called positive; infinite if none keeps to the ceiling
    others    the greatest of one that is called anything else; minus infinity if none does
    """

    positive: float
    others: float


class Held(NamedTuple):
    """A part of the documents answered by a model of the others.

    training     label -> documents the model was trained on
    predictions  one for each document held out, in their order
    thresholds   to act on, chosen on the training part; None if they were not chosen there
    chosen       how they were read; None if that was given
    """

    training: dict[str, int]
    predictions: list[Prediction]
    thresholds: LogOddsThresholds | None = None
    chosen: Chosen | None = None


class Unread(NamedTuple):
    """Labelled documents that were not tested: without a token, or not read. In use, `classify` meets them too.

    empty    without a token: they are answered by the prior
    refused  not read, so that the answer is wrong
    right    empty ones that belong to the class of the greatest prior
    """

    empty: int
    refused: int
    right: int


class Point(NamedTuple):
    """A step of the learning curve.

    share      of each training part that was learned, in (0, 1]
    documents  that were learned, on average over the parts
    """

    share: float
    documents: int
    held: list[Held]


class Compared(NamedTuple):
    """The same parts answered under other settings: predictions in the same order.

    setting  what was changed, as the user wrote it
    """

    setting: str
    hyperparameters: Hyperparameters
    held: list[Held]


class Suspect(NamedTuple):
    """A document whose label the rest of the corpus contradicts.

    label     the one it has
    instead   the one it would be given
    strength  how much likelier that one is, on a scale that does not grow with the document's length; > 0
    excerpt   how its text begins
    """

    name: str
    label: str
    instead: str
    strength: float
    excerpt: str = ""


class Evaluation(NamedTuple):
    """All that an evaluation found.

    method            how documents were held out, in words
    corpora           where the documents learned came from
    tested            where the documents tested came from, if not from the same place
    labels            of the classes learned or tested, sorted
    held              the parts, one or more
    notes             what the reader should know, a sentence each
    repeats           how often the whole was done anew
    positive          the label that ranking and mail measures are about
    unsure_below      the least posterior of an answer that counts as given
    max_false_alarms  the ceiling that a threshold was to keep to
    unread            what was to be tested besides, if all documents were
    comparison        the first is this evaluation itself
    suspects          the most contradicted first
    """

    method: str
    analysis: Analysis
    hyperparameters: Hyperparameters
    corpora: Sequence[str]
    tested: Sequence[str]
    labels: list[str]
    held: list[Held]
    notes: list[str]
    repeats: int = 1
    positive: str | None = None
    unsure_below: float = 0.0
    max_false_alarms: float | None = None
    unread: Unread | None = None
    curve: list[Point] | None = None
    comparison: list[Compared] | None = None
    suspects: list[Suspect] | None = None

    @property
    def settings(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """How documents become tokens, and how counts are read; None for what is chosen for each part."""
        chosen = TUNED if any(held.chosen for held in self.held) else frozenset()
        groups = self.analysis.plain(), self.hyperparameters.plain()
        analysis, hyperparameters = (each | dict.fromkeys(each.keys() & chosen) for each in groups)
        return analysis, hyperparameters

    @property
    def predictions(self) -> list[Prediction]:
        """Those of all parts."""
        return [each for held in self.held for each in held.predictions]
