"""Event models: one a file, each a way of reading the same counts as a bias and weights.

Every one is linear in the document: one loop scores for all of them, and an explanation is the terms of that sum.

    score(class) = log prior(class) + bias(class) + sum over known tokens of value(n) * weight(token, class)

with `value(n)` the token's occurrences n in the document, or 1 where only presence counts. Scores are in nats. A new
event model is one new file here; its name is the value of `--event-model`.
"""

from collections.abc import Callable, Sequence
from operator import add
from typing import NamedTuple, Protocol

from ..inference.reading import Totals

Own = Callable[[int], float]  # a token's statistic in a class -> a part of its weight there


class Linear(NamedTuple):
    """An event model with the totals put in.

    bias     of each class
    own      of each class, a token's part of its weight by its statistic there
    each     the part of the weights that every token has alike, per class, apart from the logarithms that can be
             remembered from document to document; nothing if there is none
    outside  whether `own` takes the token's statistic in all other classes instead
    """

    bias: list[float]
    own: Sequence[Own]
    each: Sequence[float] = ()
    outside: bool = False

    def weights(self, counts: Sequence[int]) -> list[float]:
        """The weights of a token with this statistic per class."""
        own = [part(statistic) for part, statistic in zip(self.own, self.statistics(counts), strict=True)]
        return list(map(add, own, self.each)) if self.each else own

    def statistics(self, counts: Sequence[int]) -> Sequence[int]:
        """What `own` takes for each class of a token with this statistic per class."""
        return list(map(sum(counts).__sub__, counts)) if self.outside else counts


class EventModel(Protocol):
    """What a module of this package is.

    STATISTIC  which count of a token it reads: "occurrences" or "presences"
    REPEATS    whether a token counts as often as it stands in the document, or once
    JOINT      whether scores are log joint probabilities, log P(class, document)
    SPREAD     whether the bias reads `Totals.spread`
    """

    STATISTIC: str
    REPEATS: bool
    JOINT: bool
    SPREAD: bool

    @staticmethod
    def linear(totals: Totals, alpha: float) -> Linear:
        """The bias and the weights under these totals, alpha > 0."""
