"""Measures: arithmetic on predictions. Nothing here reads, prints, trains or rounds.

In reading order: `averages` (sums and means for the others), `answers` (are they right or wrong), `ranking` (do
documents of a class score higher), `posteriors` (are the probabilities true), `mail` (when one error is worse than the
other), `comparison` (is the difference more than chance).

A measure that has no value, such as the precision of a class that was never answered, is None, never some default
number. A mean over nothing is a ValueError.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Prediction(NamedTuple):
    """The answer of a model for one document, with the truth.

    name        of the document, for people
    truth       its class; it may be one that the model does not know
    answer      the label of the highest score, whether or not the model was sure of it
    posteriors  label to probability, for every class of the model; they sum to 1
    log_odds    label to log(p / (1 - p)) of its posterior p, which differs even where p rounds to 1.0, or None
    id          identifier of the document in its table, or None
    excerpt     the beginning of its text
    """

    name: str
    truth: str
    answer: str
    posteriors: Mapping[str, float]
    log_odds: Mapping[str, float] | None = None
    id: str | None = None
    excerpt: str = ""

    @property
    def right(self) -> bool:
        """Whether the answer is the truth."""
        return self.answer == self.truth

    @property
    def confidence(self) -> float:
        """The posterior of the answer, in (0, 1]."""
        return self.posteriors[self.answer]
