"""Weighted evidence: naive Bayes whose tokens do not all count equally.

Naive Bayes trusts the counts of every token. How much trust a token deserves depends on its kind, on how many documents
contain it, and on how strongly it separates the classes. A few dozen numbers learn this:

    z_c = log prior(c) + b_c + sum over distinct known tokens t of  (L_k + 1)^-1/2 * w_c(k, df_t, s_t) * v_tc
                             + sum over attributes a of  u_a * log P(value of a | c)

    k     the kind of t: a single word, a pair of words, and so on; in mail each tag (subject, from, ...) is a kind of
          its own, for words and pairs of words together
    L_k   the number of distinct known tokens of this kind in the document
    v_tc  the event model's weight of t in c minus its mean over the classes, in nats; each kind has totals of its own
    df_t  the number of documents that contain t
    s_t   how strongly v_t separates the classes, in nats: see `spread`
    w_c   interpolated between knots of ln df and s: `KNOTS` numbers per kind, shared by the classes, and small
          deviations for each class
    u_a   one number per attribute
    b_c   one number per class

The softmax of z is the posterior; it needs no temperature. `fitting` finds the numbers; here they are applied to one
document, with the standard library alone. Every w * v is rounded to units of 2^-44 nats, so that their sum is exact in
any order, and `weighted` adds up the same integers for many documents.

Source: Zaidi, Cerquides, Carman, Webb, Alleviating Naive Bayes Attribute Independence Assumption by Attribute Weighting
(2013), for weights fitted by conditional likelihood; here a weight belongs to a stratum of tokens, not to each token.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import ldexp, log, sqrt
from operator import add
from types import MappingProxyType
from typing import Any, NamedTuple

from ..counting.rows import Row
from ..errors import ChoiceError
from ..event_models import FRACTION_BITS
from ..settings import Hyperparameters
from ..tokenizers._lengths import order
from .linear import Linear, hears_absence
from .posteriors import Scores
from .priors import IMPOSSIBLE
from .vocabulary import Totals

FREQUENCIES = (1, 8, 64)  # knots: documents that contain the token
SPREADS = (0.2, 0.7, 1.5, 3.0)  # knots, in nats
KNOTS = len(FREQUENCIES) * len(SPREADS)
LARGEST = 0.7  # for more than two classes: spread, as a share of the largest distance from the mean
DIGITS = 4  # decimals of a fitted number: more would differ between machines


class Corner(NamedTuple):
    """One of the four knots around a token: its number within the kind, and its share in the weight."""

    knot: int
    share: float


class Weighting(NamedTuple):
    """Fitted numbers.

    documents   the number of documents they were fitted on
    kinds       the kinds of tokens
    shared      kind -> `KNOTS` weights, those of the lowest frequency first, within them the lowest spread first
    deviations  label -> kind -> what the class adds to these; a class that is newer than the fit adds nothing
    biases      label -> what the class adds to its log prior
    attributes  name -> weight; one that is newer than the fit has 1
    """

    documents: int
    kinds: tuple[str, ...]
    shared: Mapping[str, Sequence[float]]
    deviations: Mapping[str, Mapping[str, Sequence[float]]]
    biases: Mapping[str, float]
    attributes: Mapping[str, float] = MappingProxyType({})

    def bias(self, label: str) -> float:
        """What the class adds to its log prior."""
        return self.biases.get(label, 0.0)

    def of_class(self, label: str) -> list[float]:
        """The weights in the class, kind by kind: those of kind k begin at k * KNOTS."""
        own = self.deviations.get(label, {})
        none = [0.0] * KNOTS
        return [
            weight + deviation
            for kind in self.kinds
            for weight, deviation in zip(self.shared[kind], own.get(kind, none), strict=True)
        ]

    def plain(self) -> dict[str, Any]:
        """The numbers for a file."""
        numbers = {**self._asdict(), "kinds": list(self.kinds)}
        if not self.attributes:
            del numbers["attributes"]
        return numbers

    @classmethod
    def of(cls, plain: Any) -> "Weighting":
        """The inverse of `plain`.

        Raises: ChoiceError for any other value.
        """
        try:
            found = cls(**{**plain, "kinds": tuple(plain["kinds"])})
            tables = [found.shared, *found.deviations.values()]
            numbers = [number for table in tables for row in table.values() for number in row]
            fits = all(
                set(table) == set(found.kinds) and all(len(row) == KNOTS for row in table.values()) for table in tables
            )
            sane = all(
                type(number) in (int, float) and abs(number) < 1e6
                for number in [*numbers, *found.biases.values(), *found.attributes.values()]
            )
            if not (fits and sane and type(found.documents) is int and found.documents > 0):
                raise ValueError("numbers are missing or impossible")
            if not all(type(kind) is str for kind in found.kinds) or len(set(found.kinds)) < len(found.kinds):
                raise ValueError("kinds should be names")
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ChoiceError(f"these are no fitted weights ({error})") from None
        return found


def order_kind(words: int) -> str:
    """The kind of a token of so many words, without a tag.

    >>> order_kind(0), order_kind(1), order_kind(2), order_kind(3)
    ('chars', 'word', 'pair', '3-gram')
    """
    return {0: "chars", 1: "word", 2: "pair"}.get(words, f"{words}-gram")


class Kinds:
    """Finds the kind of a token.

    names   of the kinds
    tagged  whether tokens begin with tags, as in mail

    >>> kinds = Kinds(["word", "pair", "subject"], tagged=True)
    >>> [kinds.names[kinds(token)] for token in ("free", "free offer", "subject:free", "subject:free offer", "x:y")]
    ['word', 'pair', 'subject', 'subject', 'word']
    """

    def __init__(self, names: Iterable[str], *, tagged: bool) -> None:
        self.names = list(names)
        self.tagged = tagged
        self.numbers = {name: number for number, name in enumerate(self.names)}

    def __call__(self, token: str) -> int:
        """The number of the token's kind."""
        tag, colon, _ = token.partition(" ")[0].partition(":")
        return self.number(tag if colon else "", order(token))

    def number(self, tag: str, words: int) -> int:
        """The number of the kind of tokens of so many words with this tag; a tag without a kind counts as no tag."""
        found = self.numbers.get(tag) if tag and self.tagged else None
        return self.numbers.get(order_kind(words), 0) if found is None else found


@cache
def log_frequency(documents: int) -> float:
    """Ln df, limited to the range of the knots."""
    return min(max(log(documents), log(FREQUENCIES[0])), log(FREQUENCIES[-1]))


def between(value: float, knots: Sequence[float]) -> tuple[int, float]:
    """The knot below a value, and the share of the way to the next knot, in [0, 1]; values outside count as the ends.

    >>> between(2.5, [1.0, 2.0, 4.0]), between(9.0, [1.0, 2.0, 4.0])
    ((1, 0.25), (1, 1.0))
    """
    below = max((i for i in range(len(knots) - 1) if value >= knots[i]), default=0)
    return below, min(max((value - knots[below]) / (knots[below + 1] - knots[below]), 0.0), 1.0)


LOG_FREQUENCIES = tuple(map(log, FREQUENCIES))


def spread(centred: Sequence[float]) -> float:
    """How strongly classes are separated, in nats: the standard deviation of two; for more, a share of the largest."""
    largest = max(map(abs, centred))
    return largest if len(centred) == 2 else LARGEST * largest


def corners(documents: int, spread: float) -> list[Corner]:
    """The knots around a token, with their shares, which add up to 1.

    >>> [round(corner.share, 6) for corner in corners(8, 0.7)]
    [1.0, 0.0, 0.0, 0.0]
    """
    i, up = between(log_frequency(documents), LOG_FREQUENCIES)
    j, right = between(spread, SPREADS)
    knot = i * len(SPREADS) + j
    below = knot + len(SPREADS)
    return [
        Corner(knot, (1 - up) * (1 - right)),
        Corner(knot + 1, (1 - up) * right),
        Corner(below, up * (1 - right)),
        Corner(below + 1, up * right),
    ]


class WeightedLinear:
    """An event model with separate totals for each kind of token, and a weighting.

    totals  of each kind

    Raises: ChoiceError for an event model that also counts absent tokens.
    """

    def __init__(
        self,
        hyperparameters: Hyperparameters,
        labels: Sequence[str],
        totals: Sequence[Totals],
        weighting: Weighting,
        kinds: Kinds,
    ) -> None:
        check_event_model(hyperparameters)
        self.linears = [Linear(hyperparameters, labels, each) for each in totals]
        self.kinds = kinds
        linear = self.linears[0]
        self.biases = biases_of(linear.log_priors, labels, weighting)
        self.classes = [index for index, possible in enumerate(linear.possible) if possible]
        self.table = [weighting.of_class(label) for label in labels]

    @property
    def bias(self) -> list[float]:
        """The score of each class before any token, in nats; 0 for one that is not a possible answer."""
        return [0.0 if bias == IMPOSSIBLE else bias for bias in self.biases]

    def weights(self, token: str, row: Row) -> list[int]:
        """W * v of a vocabulary token with this row, per class, in units of 2^-44 nats, not yet damped."""
        kind = self.kinds(token)
        weights = self.linears[kind].weights(row)
        mean = float(sum(weights[index] for index in self.classes)) / len(self.classes)
        values = {index: ldexp(float(weights[index]) - mean, -FRACTION_BITS) for index in self.classes}
        around = corners(sum(row[2::3]), spread(list(values.values())))
        found = [0] * len(weights)
        for index, value in values.items():
            found[index] = round(ldexp(_weight(around, self.table[index], kind * KNOTS) * value, FRACTION_BITS))
        return found

    def scores(self, found: Iterable[tuple[int, Sequence[int]]]) -> Scores:
        """The scores of a document; only the biases if it has no known token.

        found  the kind and the `weights` of each distinct known token
        """
        by_kind: list[list[Sequence[int]]] = [[] for _ in self.linears]
        for kind, weights in found:
            by_kind[kind].append(weights)
        values = [0.0] * len(self.biases)
        for own in filter(None, by_kind):
            share = damping(len(own))
            sums = map(sum, zip(*own, strict=True))
            values = [
                value + ldexp(float(each), -FRACTION_BITS) * share for value, each in zip(values, sums, strict=True)
            ]
        known = sum(map(len, by_kind))
        return Scores(list(map(add, values, self.biases)), known, known > 0)

    def shares(self, known: Iterable[str]) -> dict[str, float]:
        """The damping of each distinct known token of a document."""
        kinds = {token: self.kinds(token) for token in known}
        lengths = Counter(kinds.values())
        return {token: damping(lengths[kind]) for token, kind in kinds.items()}


def _weight(around: Sequence[Corner], table: Sequence[float], first: int) -> float:
    """The weight of a token between these knots, in the order in which `weighted` adds them up too."""
    (a, one), (b, two), (c, three), (d, four) = around
    return one * table[first + a] + two * table[first + b] + three * table[first + c] + four * table[first + d]


def check_event_model(hyperparameters: Hyperparameters) -> None:
    """Check that the tokens of the event model can be weighted.

    Raises: ChoiceError for one that also counts absent tokens.
    """
    if hears_absence(hyperparameters):
        raise ChoiceError(
            f"event model {hyperparameters.event_model} also counts absent tokens, which have no weights; use another, "
            "or --weights none"
        )


def biases_of(log_priors: Sequence[float], labels: Sequence[str], weighting: Weighting) -> list[float]:
    """The score of each class before any token; `IMPOSSIBLE` stays."""
    return [prior + weighting.bias(label) for prior, label in zip(log_priors, labels, strict=True)]


def damping(known: int) -> float:
    """The factor for the sum over so many tokens of a kind: the more there are, the more they repeat each other.

    >>> damping(3)
    0.5
    """
    return 1 / sqrt(known + 1)
