"""Weighted evidence for many documents at a time: the same integers as `weighting`, and what they are fitted on.

D, C, K  documents, classes, kinds of tokens
S        strata: `KNOTS` of each kind
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import kernel
from ..counting.counts import Counts
from ..counting.documents import Documents, Integers
from ..event_models import FRACTION_BITS
from ..settings import Hyperparameters
from .estimator import by_class, in_nats
from .filtering import Filtered, Mask
from .linear import Linear
from .vocabulary import Totals
from .weighting import KNOTS, LARGEST, LOG_FREQUENCIES, SPREADS, Weighting, check_event_model, log_frequency

Floats = NDArray[np.float64]
GROUP = 1000  # documents at a time: bounds the memory taken


class Corners(NamedTuple):
    """The four strata around each of T tokens.

    strata  T x 4
    shares  T x 4; they add up to 1 for each token
    """

    strata: Integers
    shares: Floats


def kind_totals(filtered: Filtered, kinds: Integers, count: int) -> list[Totals]:
    """What the vocabulary adds up to, kind by kind.

    kinds  of each token
    count  how many kinds there are
    """
    counts = filtered.counts
    classes = len(counts.documents)
    cells = filtered.kept[filtered.cell_tokens]
    places = kinds[filtered.cell_tokens[cells]] * classes + counts.classes[cells]
    vocabulary = np.bincount(kinds[filtered.kept], minlength=count)
    sizes = {
        statistic: np.bincount(places, counts.column(statistic)[cells], count * classes).astype(np.int64)
        for statistic in ("occurrences", "frequency")
    }
    found = []
    for kind in range(count):
        totals = Totals(counts.documents.tolist())
        totals.vocabulary = int(vocabulary[kind])
        for statistic, each in sizes.items():
            totals.sizes[statistic] = each[kind * classes : (kind + 1) * classes].tolist()
        found.append(totals)
    return found


class Evidence:
    """What tokens say of the classes, kind by kind.

    kinds  of each token
    count  how many kinds there are
    """

    def __init__(
        self, filtered: Filtered, hyperparameters: Hyperparameters, labels: Sequence[str], kinds: Integers, count: int
    ) -> None:
        check_event_model(hyperparameters)
        self.filtered = filtered
        self.kinds = kinds
        self.labels = labels
        self.totals = kind_totals(filtered, kinds, count)
        self.linears = [Linear(hyperparameters, labels, each) for each in self.totals]
        self.linear = self.linears[0]
        self.shared = np.array([each.shared for each in self.linears])  # K x C
        self.possible = np.array(self.linear.possible)
        self.strata = count * KNOTS

    @property
    def counts(self) -> Counts:
        """All counts."""
        return self.filtered.counts

    def known(self, documents: Documents) -> Mask:
        """Of each entry, whether its token is vocabulary."""
        tokens = documents.tokens
        known: Mask = (tokens >= 0) & self.filtered.kept[tokens] & (self.filtered.frequency[tokens] > 0)
        return known

    def values(self, tokens: Integers) -> Floats:
        """T x C: what each token says for each class, in nats; 0 for one that is no possible answer."""
        statistic = self.linear.event_model.STATISTIC
        some = self.counts.some(tokens)
        own = np.zeros((len(tokens), len(self.possible)), np.int64)
        own[some.cell_tokens, some.classes] = some.column(statistic)
        counts = own.sum(axis=1, keepdims=True) - own if self.linear.event_model.OUTSIDE else own
        kinds = self.kinds[tokens]
        of_kind = np.repeat(kinds, counts.shape[1])
        weights = by_class([each.present[0] for each in self.linears], of_kind, counts.ravel()).reshape(counts.shape)
        weights += self.shared[kinds]
        mean = weights[:, self.possible].sum(axis=1).astype(np.float64) / self.possible.sum()
        values = np.ldexp(weights.astype(np.float64) - mean[:, None], -FRACTION_BITS)
        values[:, ~self.possible] = 0
        return np.asarray(values)

    def corners(self, tokens: Integers, values: Floats) -> Corners:
        """The strata of tokens that say this."""
        largest = np.abs(values).max(axis=1, initial=0)
        spread = largest if self.possible.sum() == 2 else LARGEST * largest
        frequency = self.filtered.frequency[tokens]
        met, places = np.unique(frequency, return_inverse=True)
        i, up = _between(np.array(list(map(log_frequency, met.tolist())))[places], LOG_FREQUENCIES)
        j, right = _between(spread, SPREADS)
        first = self.kinds[tokens] * KNOTS + i * len(SPREADS) + j
        below = first + len(SPREADS)
        return Corners(
            np.stack([first, first + 1, below, below + 1], axis=1),
            np.stack([(1 - up) * (1 - right), (1 - up) * right, up * (1 - right), up * right], axis=1),
        )

    def features(self, documents: Documents) -> Floats:
        """D x C x S: what the tokens of each stratum say for each class, damped; w times these add up to the score."""
        classes = len(self.possible)
        found = [np.empty((0, classes, self.strata), np.float32)]
        for some in _groups(documents):
            known = self.known(some)
            tokens, places = _distinct(some.tokens, known)
            values = self.values(tokens)
            strata, shares = self.corners(tokens, values)
            token, corner = np.nonzero(shares)  # frequent tokens are at the edge, where two shares are 0
            weights = shares[token, corner][:, None] * values[token]
            cells = np.arange(classes, dtype=np.int32) * self.strata + strata[token, corner][:, None].astype(np.int32)
            ends = np.cumsum(np.bincount(token, minlength=len(tokens)) * classes)
            sums = _added(some, places, ends, _units(weights), cells, classes * self.strata)
            damped = in_nats(sums) / np.sqrt(some.sums(known.astype(np.int64)) + 1)[:, None]
            found.append(damped.reshape(-1, classes, self.strata).astype(np.float32))
        return np.concatenate(found)

    def sums(self, documents: Documents, weighting: Weighting) -> tuple[Integers, Integers]:
        """D x C: the sum of w * v, in units of 2^-44 nats, not yet damped; and D: how many tokens are known."""
        classes = len(self.possible)
        table = np.array([weighting.of_class(label) for label in self.labels]).T  # S x C
        every = np.arange(classes, dtype=np.int32)
        found: list[Integers] = [np.empty((0, classes), np.int64)]
        lengths: list[Integers] = [np.empty(0, np.int64)]
        for some in _groups(documents):
            known = self.known(some)
            tokens, places = _distinct(some.tokens, known)
            values = self.values(tokens)
            weights = _weights(self.corners(tokens, values), table) * values
            ends = (np.arange(len(tokens)) + 1) * classes
            found.append(_added(some, places, ends, _units(weights), np.broadcast_to(every, weights.shape), classes))
            lengths.append(some.sums(known.astype(np.int64)))
        return np.concatenate(found), np.concatenate(lengths)


def _weights(corners: Corners, table: Floats) -> Floats:
    """T x C: the interpolated weights."""
    weights = corners.shares[:, :1] * table[corners.strata[:, 0]]
    for corner in range(1, 4):
        weights = weights + corners.shares[:, corner : corner + 1] * table[corners.strata[:, corner]]
    return np.asarray(weights)


def _between(values: Floats, knots: Sequence[float]) -> tuple[Integers, Floats]:
    """`weighting.between`, of many."""
    edges = np.array(knots)
    below = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(knots) - 2)
    return below, np.clip((values - edges[below]) / (edges[below + 1] - edges[below]), 0.0, 1.0)


def _groups(documents: Documents) -> list[Documents]:
    return [
        documents.some(np.arange(start, min(start + GROUP, documents.size)))
        for start in range(0, documents.size, GROUP)
    ]


def _distinct(tokens: Integers, known: Mask) -> tuple[Integers, Integers]:
    """The distinct known tokens, sorted, and the place of each entry's token among them; -1 for one not known."""
    used = tokens[known]
    met = np.zeros(int(used.max(initial=-1)) + 1, np.bool_)
    met[used] = True
    distinct = np.flatnonzero(met)
    places = np.cumsum(met, dtype=np.int32) - 1
    found = np.full(len(tokens), -1, np.int32)
    found[known] = places[used]
    return distinct, found


def _units(nats: Floats) -> Integers:
    """Numbers in units of 2^-44 nats, rounded."""
    return np.asarray(np.rint(np.ldexp(nats, FRACTION_BITS)).astype(np.int64))


def _added(
    documents: Documents, places: Integers, ends: Integers, weights: Integers, cells: Integers, columns: int
) -> Integers:
    """D x columns: the sums of what the tokens of documents add.

    places  of each entry: its token, -1 for none
    ends    of each token: where the weights that it adds end
    cells   of each weight: the column it is added to
    """
    sums = np.zeros((documents.size, columns), np.int64)
    starts = np.concatenate([[0], ends]).astype(np.int64)
    ones = np.ones(len(places), np.int32)
    flat = np.ascontiguousarray(cells, np.int32).reshape(-1)
    kernel.score(documents.starts, places, ones, starts, flat, weights.reshape(-1), columns, sums.reshape(-1))
    return sums
