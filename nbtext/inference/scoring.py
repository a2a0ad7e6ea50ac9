"""Scores of a document under one reading of the counts.

    L      known positions of the document: the sum of value(n) over its vocabulary tokens
    t      the fitted part of the temperature
    T(L)   temperature: t * sqrt(L + 1)

Labels, the answer and printing are left to `decision`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import exp, fsum, sqrt
from operator import add
from typing import NamedTuple, cast

from .. import event_models, plugins
from ..counting.counts import COLUMNS, Bag, Row, dense
from ..event_models import EventModel, Linear
from .lanes import Terms, unpacked
from .reading import Reading, Totals, Vocabulary


class Scores(NamedTuple):
    """What a document scores.

    values  per class, in nats
    length  known positions, L
    """

    values: list[float]
    length: int


class Weighted(NamedTuple):
    """A vocabulary token of a document.

    value    how often it counts: its occurrences, or 1
    row      its counts in the model
    weights  per class; value * weight is what it adds to the score
    """

    token: str
    value: int
    row: Row
    weights: list[float]


def event_model(reading: Reading) -> EventModel:
    """The event model of the reading.

    Raises: ChoiceError if there is none of its name.
    """
    return cast(EventModel, plugins.module(event_models, reading.event_model))


class Scorer:
    """Scores documents under one reading of the counts.

    look_up     the rows of those of the tokens that the counts know
    log_priors  per class, as `reading.log_priors` gives them
    """

    def __init__(
        self,
        reading: Reading,
        vocabulary: Vocabulary,
        totals: Totals,
        log_priors: Sequence[float],
        look_up: Callable[[Iterable[str]], Mapping[str, Row]],
    ) -> None:
        self.event_model = event_model(reading)
        self.reading = reading
        self.vocabulary = vocabulary
        self.totals = totals
        self.look_up = look_up
        self.log_priors = log_priors
        self.linear = self.event_model.linear(totals, reading.alpha)
        self.column = COLUMNS[self.event_model.STATISTIC]
        self.bias = list(map(add, log_priors, self.linear.bias))  # what each class scores before any token
        self.terms = Terms(self.linear, self.column)
        self.remembered: dict[tuple[str, int], int] = {}  # token, occurrences -> its terms; 0 if not vocabulary

    def scores(self, bag: Bag) -> Scores:
        """The scores of a document; unknown tokens are skipped."""
        remembered = list(map(self.remembered.get, bag.items()))
        new = [entry for entry, terms in zip(bag.items(), remembered, strict=True) if terms is None]
        *own, length = unpacked(sum(filter(None, remembered), self._remember(new)), len(self.bias) + 1)
        return summed(own, int(length), self.linear, self.bias)

    def weighted(self, bag: Bag) -> list[Weighted]:
        """The vocabulary tokens of a document; bias and value * weight of each add up to its score but for rounding."""
        rows = self.look_up(bag)
        classes = len(self.bias)
        return [
            Weighted(token, self._value(bag[token]), row, self.linear.weights(dense(row, self.column, classes)))
            for token, row in rows.items()
            if self.vocabulary.admits(token, row)
        ]

    def _value(self, occurrences: int) -> int:
        """How often a token counts that stands so often in the document."""
        return occurrences if self.event_model.REPEATS else 1

    def _remember(self, new: Sequence[tuple[str, int]]) -> int:
        """The sum of what tokens add that are met for the first time as often as this."""
        if len(self.remembered) > self.terms.most:
            self.remembered.clear()
        rows = self.look_up(token for token, _ in new)
        sums = 0
        for token, occurrences in new:
            row = rows.get(token, [])
            terms = self.terms.of(row) if self.vocabulary.admits(token, row) else 0
            if occurrences > 1:  # else it stays the very integer that all tokens of this row share
                terms *= self._value(occurrences)
            self.remembered[token, occurrences] = terms
            sums += terms
        return sums


def summed(own: Sequence[float], length: int, linear: Linear, bias: Sequence[float]) -> Scores:
    """The scores of a document of this length.

    own   per class: what its tokens add, but for `Linear.each`
    bias  per class: log prior and the event model's own; `IMPOSSIBLE` stays that
    """
    parts = [bias, own, [length * weight for weight in linear.each]] if linear.each else [bias, own]
    return Scores(list(map(fsum, zip(*parts, strict=True))), length)


def posteriors(values: Sequence[float], temperature: float = 1.0) -> list[float]:
    """The probability of each class: the softmax of score / temperature, by log-sum-exp.

    temperature  > 0; 1 gives Bayes' rule on log joint scores

    >>> [round(p, 6) for p in posteriors([-1000.0, -1000.0, float("-inf")])]
    [0.5, 0.5, 0.0]
    """
    highest = max(values)
    odds = [exp((value - highest) / temperature) for value in values]
    whole = fsum(odds)
    return [odd / whole for odd in odds]


def temperature(t: float, length: int) -> float:
    """T(L) = t sqrt(L + 1): the longer a document, the more its tokens repeat one another's evidence.

    >>> temperature(0.5, length=8)
    1.5
    """
    return t * sqrt(length + 1)
