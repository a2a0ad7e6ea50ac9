"""Evaluation: documents answered by a model that has not learned them. This module has the results; nothing is printed.

In reading order: `examples` (documents with their counts in memory), `parts` (which of them are held out together),
`trial` (a part answered by a model of the others), `suspects` (documents that the others contradict), `experiment` (all
of these together), `evaluate` (the same from files), `figures`, `mail`, `summary` and `comparison` (the measures that
every report shares), `reasons` and `texts` (the words and texts behind errors). The formulas are in `metrics`.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..analysis import Analysis
from ..metrics import Prediction
from ..settings import Hyperparameters

FOLDS = 10  # of a cross-validation
SHARE = 0.8  # of the documents, the oldest, for training

TUNED = frozenset({"ngrams", "event_model", "alpha", "weights"})  # settings that tuning chooses


class Chosen(NamedTuple):
    """The settings for a part, chosen on its training documents alone.

    setting  the choice, in words
    ngrams   the longest n-grams
    pieces   whether character n-grams are used too
    """

    setting: str
    hyperparameters: Hyperparameters
    ngrams: int
    pieces: bool = False


class LogOddsThresholds(NamedTuple):
    """Thresholds for the log odds of the positive label: a document between the two is unsure.

    positive  the least of a document labelled positive; infinite if no threshold keeps to the ceiling
    others    the greatest of a document labelled anything else; minus infinity if no threshold does
    """

    positive: float
    others: float


class Held(NamedTuple):
    """A part of the documents answered by a model of the others.

    training     label -> number of documents the model was trained on
    predictions  one for each document held out, in their order
    thresholds   chosen on the training part; None if they were not chosen there
    chosen       the settings chosen for this part; None if they were given
    """

    training: dict[str, int]
    predictions: list[Prediction]
    thresholds: LogOddsThresholds | None = None
    chosen: Chosen | None = None


class Unread(NamedTuple):
    """Numbers of labelled documents that were not tested: without a token, or not read. `classify` meets them too.

    empty    without a token: these are answered by the prior
    refused  not read: these count as wrong
    right    empty ones of the class with the greatest prior
    """

    empty: int
    refused: int
    right: int


class Point(NamedTuple):
    """A step of the learning curve.

    share      the share of each training part that was learned, in (0, 1]
    documents  the number of documents learned, on average over the parts
    """

    share: float
    documents: int
    held: list[Held]


class Compared(NamedTuple):
    """The same parts answered under other settings: predictions in the same order.

    setting  the changes, as the user wrote them
    """

    setting: str
    hyperparameters: Hyperparameters
    held: list[Held]


class Suspect(NamedTuple):
    """A document whose label the rest of the corpus contradicts.

    label     its label
    instead   the suggested label
    strength  how much likelier this one is, on a scale that does not grow with the document's length; > 0
    excerpt   the beginning of its text
    """

    name: str
    label: str
    instead: str
    strength: float
    excerpt: str = ""


class Evaluation(NamedTuple):
    """All results of an evaluation.

    method            how documents were held out, in words
    corpora           paths of the documents learned
    tested            paths of the documents tested, if not the same
    labels            of the classes learned or tested, sorted
    held              the parts, one or more
    notes             things the reader should know, one sentence each
    repeats           how often the whole was repeated
    positive          the label for ranking and mail measures
    unsure_below      answers with a lower posterior count as unsure
    max_false_alarms  the ceiling for false alarms, from which thresholds were chosen
    unread            documents that could not be tested, if all documents were to be
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
        """The settings of the analysis, and of the scores; None for a setting that is chosen for each part."""
        chosen = TUNED if any(held.chosen for held in self.held) else frozenset()
        groups = self.analysis.plain(), self.hyperparameters.plain()
        analysis, hyperparameters = (each | dict.fromkeys(each.keys() & chosen) for each in groups)
        return analysis, hyperparameters

    @property
    def predictions(self) -> list[Prediction]:
        """The predictions of all parts."""
        return [each for held in self.held for each in held.predictions]
