"""Measures: arithmetic on predictions. Nothing here reads, prints, trains or rounds.

In reading order: `averages` (what the others add up with), `answers` (right or wrong), `ranking` (does a higher score
mean it more), `posteriors` (do the probabilities mean what they say), `mail` (when one error is worse than the other),
`comparison` (is the difference more than chance).

A measure that has no value, such as the precision of a class that was never answered, is None, never a stand-in
number. A mean over nothing is a ValueError.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Prediction(NamedTuple):
    """What a model said of one document, beside the truth.

    name        the document's, for people
    truth       its class; it may be one that the model does not know
    answer      the label of the highest score, whether or not the model was sure of it
    posteriors  label to probability, for every class of the model; they sum to 1
    log_odds    label to log(p / (1 - p)) of its posterior p, which still tells apart what rounds to 1.0, or None
    id          what the document is called in its table, or None
    excerpt     how its text begins
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
