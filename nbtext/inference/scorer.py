"""Scores of documents whose tokens are looked up one by one, for commands that classify a single document."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import add, mul
from typing import TYPE_CHECKING, NamedTuple

from ..counting.rows import Row
from ..event_models import nats
from ..fields import is_attribute
from .linear import Linear
from .posteriors import Scores
from .priors import IMPOSSIBLE
from .vocabulary import Vocabulary

if TYPE_CHECKING:
    from .factors import Factors
    from .weighting import WeightedLinear

Bag = Mapping[str, int]  # token -> occurrences in one document
LookUp = Callable[[Iterable[str]], Mapping[str, Row]]  # the rows of those tokens that have counts

REMEMBERED = 1_000_000  # weights cached for tokens; then the cache is emptied
UNKNOWN: list[int] = []  # the weights of a token outside the vocabulary


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
    """Scores documents given as bags of tokens.

    weighted  fitted weights of tokens, if there are any
    factors   those of attributes, if documents have any
    """

    def __init__(
        self,
        linear: Linear,
        vocabulary: Vocabulary,
        look_up: LookUp,
        weighted: "WeightedLinear | None" = None,
        factors: "Factors | None" = None,
    ) -> None:
        self.linear = linear
        self.weighted_linear = weighted
        self.vocabulary = vocabulary
        self.factors = factors
        self.look_up = look_up
        self.weights: dict[str, list[int]] = {}  # cached weights of tokens
        self.kinds: dict[str, int] = {}  # the kinds of these tokens, with fitted weights
        self.most = REMEMBERED // max(len(linear.shared), 1)

    def scores(self, bag: Bag) -> Scores:
        """The scores of a document; unknown tokens are skipped."""
        linear = self.linear
        self._meet(bag)
        attributes = self._attributes(bag) if self.factors else None
        if self.weighted_linear:
            weighed = self.weighted_linear.scores(
                (self.kinds[token], weights) for token in bag if (weights := self.weights[token])
            )
            return _with_attributes(weighed, attributes) if attributes else weighed
        found = [(weights, n) for token, n in bag.items() if (weights := self.weights[token])]
        values = [n for _, n in found] if self.repeats else [1] * len(found)
        columns = zip(*(weights for weights, _ in found), strict=True)
        sums = list(map(add, linear.bias, (sum(map(mul, column, values)) for column in columns))) or linear.bias
        if attributes:
            sums = list(map(add, sums, map(sum, zip(*attributes.values(), strict=True))))
        return scores(sums, sum(values) + len(attributes or ()), linear)

    def _attributes(self, bag: Bag) -> dict[str, list[int]]:
        """The weights of the known attributes of a document."""
        assert self.factors
        tokens = [token for token in bag if is_attribute(token)]
        return self.factors.known(tokens, self.look_up(tokens)) if tokens else {}

    def weighted(self, bag: Bag) -> list[Weighted]:
        """The vocabulary tokens of a document; bias and value * weight of each add up to its score."""
        rows = self.look_up(bag)
        self._meet(bag, rows)
        known = {token: row for token, row in rows.items() if self.vocabulary.admits(token, row)}
        shares = self.weighted_linear.shares(known) if self.weighted_linear else dict.fromkeys(known, 1.0)
        attributes = self._attributes(bag) if self.factors else {}
        return [
            Weighted(token, 1, rows.get(token, []), list(map(nats, weights))) for token, weights in attributes.items()
        ] + [
            Weighted(token, bag[token] if self.repeats else 1, row, [share * nats(w) for w in self.weights[token]])
            for (token, row), share in zip(known.items(), shares.values(), strict=True)
        ]

    @property
    def repeats(self) -> bool:
        """Whether a token counts as often as it occurs."""
        return self.linear.event_model.REPEATS and not self.weighted_linear

    @property
    def bias(self) -> list[float]:
        """The score of each class before any token, in nats; 0 for one that is not a possible answer."""
        return self.weighted_linear.bias if self.weighted_linear else list(map(nats, self.linear.bias))

    @property
    def joint(self) -> bool:
        """Whether scores are log joint probabilities."""
        return self.linear.event_model.JOINT and not self.weighted_linear

    def _weights(self, token: str, row: Row) -> list[int]:
        return self.weighted_linear.weights(token, row) if self.weighted_linear else self.linear.weights(row)

    def _meet(self, tokens: Iterable[str], rows: Mapping[str, Row] | None = None) -> None:
        """Cache the weights of those tokens that are not cached, by their rows, which are looked up if not given."""
        if len(self.weights) > self.most:
            self.weights.clear()
            self.kinds.clear()
        new = [token for token in tokens if token not in self.weights]
        if rows is None:
            rows = self.look_up(new) if new else {}
        for token in new:
            row = rows.get(token, [])
            self.weights[token] = self._weights(token, row) if self.vocabulary.admits(token, row) else UNKNOWN
            if self.weighted_linear:
                self.kinds[token] = self.weighted_linear.kinds(token)


def _with_attributes(found: Scores, attributes: Mapping[str, Sequence[int]]) -> Scores:
    """Scores by weighted tokens plus the weights of attributes."""
    more = [nats(sum(column)) for column in zip(*attributes.values(), strict=True)]
    return Scores(list(map(add, found.values, more)), found.known + len(attributes), True)


def scores(sums: Sequence[int], known: int, linear: Linear) -> Scores:
    """The scores in nats from exact sums."""
    values = [nats(units) if possible else IMPOSSIBLE for units, possible in zip(sums, linear.possible, strict=True)]
    return Scores(values, known, known > 0 or linear.hears_absence)
