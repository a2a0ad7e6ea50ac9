"""Scores of documents whose tokens are looked up one by one: what a command needs that classifies a single one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import add, mul
from typing import NamedTuple

from ..counting.rows import Row
from ..event_models import nats
from .linear import Linear
from .posteriors import Scores
from .priors import IMPOSSIBLE
from .vocabulary import Vocabulary

Bag = Mapping[str, int]  # token -> occurrences in one document
LookUp = Callable[[Iterable[str]], Mapping[str, Row]]  # the rows of those of the tokens that the counts know

REMEMBERED = 1_000_000  # weights kept for tokens that were met before; then they are forgotten and made again
UNKNOWN: list[int] = []  # the weights of a token that is not vocabulary


class Weighted(NamedTuple):
    """A vocabulary token of a document.

    value    how often it counts: its occurrences, or 1
    row      its counts in the model
    weights  per class, in nats; value * weight is what it adds to the score
    """

    token: str
    value: int
    row: Row
    weights: list[float]


class Scorer:
    """Scores documents given as bags of tokens."""

    def __init__(self, linear: Linear, vocabulary: Vocabulary, look_up: LookUp) -> None:
        self.linear = linear
        self.vocabulary = vocabulary
        self.look_up = look_up
        self.weights: dict[str, list[int]] = {}  # of tokens that were met before
        self.most = REMEMBERED // max(len(linear.shared), 1)

    def scores(self, bag: Bag) -> Scores:
        """The scores of a document; unknown tokens are skipped."""
        linear = self.linear
        self._meet(bag)
        found = [(weights, n) for token, n in bag.items() if (weights := self.weights[token])]
        values = [n for _, n in found] if linear.event_model.REPEATS else [1] * len(found)
        columns = zip(*(weights for weights, _ in found), strict=True)
        sums = list(map(add, linear.bias, (sum(map(mul, column, values)) for column in columns))) or linear.bias
        return scores(sums, sum(values), linear)

    def weighted(self, bag: Bag) -> list[Weighted]:
        """The vocabulary tokens of a document; bias and value * weight of each add up to its score."""
        rows = self.look_up(bag)
        repeats = self.linear.event_model.REPEATS
        return [
            Weighted(token, bag[token] if repeats else 1, row, list(map(nats, self.linear.weights(row))))
            for token, row in rows.items()
            if self.vocabulary.admits(token, row)
        ]

    def _meet(self, tokens: Iterable[str]) -> None:
        """Look up those of the tokens that were not met before."""
        if len(self.weights) > self.most:
            self.weights.clear()
        new = [token for token in tokens if token not in self.weights]
        rows = self.look_up(new) if new else {}
        for token in new:
            row = rows.get(token, [])
            self.weights[token] = self.linear.weights(row) if self.vocabulary.admits(token, row) else UNKNOWN


def scores(sums: Sequence[int], known: int, linear: Linear) -> Scores:
    """The scores that exact sums are."""
    values = [nats(units) if possible else IMPOSSIBLE for units, possible in zip(sums, linear.possible, strict=True)]
    return Scores(values, known, known > 0 or linear.hears_absence)
