"""Attributes of many documents at a time: the same integers as in `factors`, which handles one document."""

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..counting.counts import Counts
from ..counting.documents import Documents, Integers
from ..counting.rows import Row
from ..event_models import FRACTION_BITS
from ..fields import NUMBER, attribute_of
from .factors import AttributeTotals, Factors, Smoothing

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]


class AttributeTokens(NamedTuple):
    """The tokens of attributes.

    numbers  their numbers, ascending
    texts    their texts
    """

    numbers: Integers
    texts: Sequence[str]

    def __bool__(self) -> bool:
        return bool(len(self.numbers))

    @property
    def names(self) -> list[str]:
        """The names of the attributes, sorted."""
        return sorted({name for name, _ in map(attribute_of, self.texts) if name})


NONE = AttributeTokens(np.empty(0, np.int64), ())


class Attributes:
    """Counts of attributes under a smoothing.

    tokens     the tokens of attributes
    smoothing  from the number of values of a category to the pseudo-count for each
    worth      the weight of each attribute, if weights were fitted
    """

    def __init__(
        self,
        counts: Counts,
        tokens: AttributeTokens,
        smoothing: Smoothing,
        worth: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        self.tokens = tokens
        self.smoothing = smoothing
        self.worth = worth
        self.classes = len(counts.documents)
        self.rows: list[Row] = counts.rows(tokens.numbers.tolist())

    @cached_property
    def totals(self) -> AttributeTotals:
        """Their totals."""
        totals = AttributeTotals(self.classes)
        for token, row in zip(self.tokens.texts, self.rows, strict=True):
            totals.add(token, row)
        return totals

    @cached_property
    def factors(self) -> Factors:
        """The factors, which give what attributes add to scores."""
        return Factors(self.totals, self.smoothing, self.worth)

    def add(
        self, sums: Integers, lengths: Integers, documents: Documents, texts: Sequence[Sequence[str]] | None = None
    ) -> None:
        """Add the weights of the documents' attributes to D x C scores, and the number of known ones to the lengths.

        texts  the tokens of each document's attributes, if the documents have no entries for them
        """
        if texts is not None:
            self._add_texts(sums, lengths, texts)
            return
        entries, places = self._entries(documents)
        if not len(entries):
            return
        weights, known = self._table
        rows = documents.rows[entries]
        np.add.at(sums, rows, weights[places])
        np.add.at(lengths, rows, known[places])

    def _add_texts(self, sums: Integers, lengths: Integers, texts: Sequence[Sequence[str]]) -> None:
        rows = dict(zip(self.tokens.texts, self.rows, strict=True))
        for d, tokens in enumerate(texts):
            for weights in self.factors.known(tokens, rows).values():
                sums[d] += np.array(weights, sums.dtype)
                lengths[d] += 1

    def ratios(self, documents: Documents, names: Sequence[str], possible: Mask) -> Floats:
        """D x C x A: the log probability of each named attribute in each class, in nats, minus the mean over classes.

        possible  C: whether each class is a possible answer; the mean is over these, and others have 0
        """
        ratios = np.zeros((documents.size, len(names), self.classes))
        entries, places = self._entries(documents)
        if len(entries):
            numbers = np.array([names.index(name) if name else -1 for name, _ in map(attribute_of, self.tokens.texts)])
            weights = np.ldexp(self._table[0].astype(np.float64), -FRACTION_BITS)
            weights = (weights - weights[:, possible].mean(axis=1, keepdims=True)) * possible
            np.add.at(ratios, (documents.rows[entries], numbers[places]), weights[places])
        return ratios.transpose(0, 2, 1)

    @cached_property
    def _table(self) -> tuple[Integers, Integers]:
        """The weights of each token in the classes, and whether it is known."""
        table = np.zeros((len(self.rows), self.classes), np.int64)
        known = np.zeros(len(self.rows), np.int64)
        for place, (token, row) in enumerate(zip(self.tokens.texts, self.rows, strict=True)):
            weights = self.factors.weights(token, row)
            if weights is not None:
                table[place], known[place] = weights, 1
        return table, known

    def _entries(self, documents: Documents) -> tuple[Integers, Integers]:
        """The entries that are attributes, and the position of each one's token in `tokens`."""
        numbers = self.tokens.numbers
        places = np.minimum(np.searchsorted(numbers, documents.tokens), len(numbers) - 1)
        entries = np.flatnonzero(numbers[places] == documents.tokens)
        return entries, places[entries]

    @cached_property
    def _without(self) -> "_Without":
        return _Without(self)

    def add_left_out(self, sums: Integers, lengths: Integers, documents: Documents) -> None:
        """As `add`, with each document scored as if it had not been counted."""
        entries, places = self._entries(documents)
        rows = documents.rows[entries]
        for row, place in zip(rows.tolist(), places.tolist(), strict=True):
            weights = self._without.weights(place, int(documents.classes[row]))
            if weights is not None:
                sums[row] += np.array(weights, sums.dtype)
                lengths[row] += 1


class _Without:
    """The weights of a value if one document that has it is not counted; cached by value and class."""

    def __init__(self, attributes: Attributes) -> None:
        self._attributes = attributes
        self._known: dict[tuple[int, int], Sequence[int] | None] = {}

    def weights(self, place: int, index: int) -> Sequence[int] | None:
        """The weights of the token at this position without one document of the class."""
        key = place, index
        if key not in self._known:
            self._known[key] = self._made(place, index)
        return self._known[key]

    def _made(self, place: int, index: int) -> Sequence[int] | None:
        attributes = self._attributes
        token, row = attributes.tokens.texts[place], attributes.rows[place]
        name = attribute_of(token)[0]
        if not name:
            return None
        fewer, whole = AttributeTotals(attributes.classes), attributes.totals
        if name[0] == NUMBER:
            fewer.numbers[name] = deepcopy(whole.numbers[name])
            fewer.add(token, [index, 1, 1], -1)
            factors = Factors(fewer, attributes.smoothing)
            factors.most = attributes.factors.most
            return factors.weights(token, row)
        left = _less_one(row, index)
        category = fewer.categories[name] = deepcopy(whole.categories[name])
        category.values -= not left
        category.documents[index] -= 1
        return Factors(fewer, attributes.smoothing).weights(token, left)


def _less_one(row: Row, index: int) -> Row:
    """The row with one document less in the class."""
    cells: Iterable[tuple[int, int, int]] = zip(row[::3], row[1::3], row[2::3], strict=True)
    left = [(i, n - (i == index), d - (i == index)) for i, n, d in cells]
    return [each for cell in left if cell[2] for each in cell]
