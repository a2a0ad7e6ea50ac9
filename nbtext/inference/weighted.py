"""Weighted evidence for many documents at a time: the same integers as in `weighting`, and the features for fitting.

D, C, K  documents, classes, kinds of tokens
S        strata: `KNOTS` of each kind
"""

from collections.abc import Sequence
from copy import copy
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .. import kernel
from ..counting.counts import Counts
from ..counting.documents import Documents, Integers
from ..event_models import FRACTION_BITS
from ..kernel.strata import Speech
from ..settings import Hyperparameters
from .filtering import Filtered
from .linear import Linear
from .units import by_class, in_nats, looked_up
from .vocabulary import Totals
from .weighting import KNOTS, LARGEST, LOG_FREQUENCIES, SPREADS, Weighting, between, check_event_model, log_frequency

Floats = NDArray[np.float64]


def kind_totals(filtered: Filtered, kinds: Integers, count: int) -> list[Totals]:
    """The totals of the vocabulary, kind by kind.

    kinds  the number of each token's kind
    count  the number of kinds
    """
    counts = filtered.counts
    classes = len(counts.documents)
    kept = np.where(filtered.kept, kinds, count)  # the other tokens as one more kind
    places = counts.per_cell(kept * classes) + counts.classes
    vocabulary = np.bincount(kept, minlength=count)
    sizes = {
        statistic: np.bincount(places, counts.column(statistic), count * classes).astype(np.int64)
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
    """The evidence of tokens for the classes, kind by kind.

    kinds  the number of each token's kind
    count  the number of kinds
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

    def narrowed(self, documents: Documents) -> tuple["Evidence", Documents]:
        """As `Estimator.narrowed`; what few tokens need lies close together in memory, and is read faster."""
        tokens, renumbered = documents.renumbered(len(self.kinds))
        twin = copy(self)
        twin.filtered, twin.kinds = self.filtered.narrowed(tokens), self.kinds[tokens]
        return twin, renumbered

    @cached_property
    def speech(self) -> Speech:
        """The evidence of tokens, in the form for the kernel."""
        kinds = self.kinds.astype(np.int64)
        parts = [each.present[0] for each in self.linears]
        statistics = self.counts.column(self.linear.event_model.STATISTIC)
        absent: Integers = np.zeros(len(kinds), np.int64)
        if self.linear.event_model.OUTSIDE:
            absent = self.filtered.column(self.linear.event_model.STATISTIC)
            statistics = self.counts.per_cell(absent) - statistics
        numbers, below, up = _frequency_knots(self.filtered.frequency)
        speech = Speech(
            self.counts.starts,
            self.counts.classes,
            by_class(parts, self.counts.per_cell(kinds), statistics),
            by_class(parts, kinds, absent),
            self.shared,
            self.possible,
            np.where(self.filtered.kept & (self.filtered.frequency > 0), kinds, -1),
            KNOTS,
            numbers,
            below,
            up,
            np.array(SPREADS),
            1.0 if self.possible.sum() == 2 else LARGEST,
            FRACTION_BITS,
        )
        return kernel.packed(speech)

    def features(self, documents: Documents) -> tuple[Floats, Integers]:
        """D x C x S: the damped evidence of each stratum for each class; and D: the number of known tokens.

        Multiplied by w, the evidence adds up to the score.
        """
        found, known = [], []
        for some in documents.groups():
            sums = np.zeros((some.size, self.strata, len(self.possible)), np.int64)
            lengths = np.zeros((some.size, len(self.totals)), np.int64)
            kernel.add_strata(some.starts, some.tokens, self.speech, sums.reshape(-1), lengths.reshape(-1))
            damped = in_nats(sums) * np.repeat(dampings(lengths), KNOTS, axis=1)[:, :, None]
            found.append(damped.transpose(0, 2, 1).astype(np.float32))
            known.append(lengths.sum(axis=1))
        return np.concatenate(found), np.concatenate(known)

    def sums(self, documents: Documents, weighting: Weighting) -> tuple[Floats, Integers]:
        """D x C: the damped sums of w * v, in nats; and D: the number of known tokens."""
        table = np.array([weighting.of_class(label) for label in self.labels]).T.copy()  # S x C
        sums = np.zeros((documents.size, len(self.totals), len(self.possible)), np.int64)
        lengths = np.zeros((documents.size, len(self.totals)), np.int64)
        out = sums.reshape(-1), lengths.reshape(-1)
        kernel.add_weighted(documents.starts, documents.tokens, self.speech, table, *out)
        added = np.zeros((documents.size, len(self.possible)))
        for kind, shares in enumerate(dampings(lengths).T):  # in the order in which `weighting` adds them up
            added += in_nats(sums[:, kind]) * shares[:, None]
        return added, lengths.sum(axis=1)


def dampings(lengths: Integers) -> Floats:
    """`weighting.damping`, for many."""
    return np.asarray(1 / np.sqrt(lengths + 1))


def _frequency_knots(frequency: Integers) -> tuple[Integers, Integers, Floats]:
    """A number for the document frequency of each token; by number, `weighting.between` of its logarithm."""
    knots = [(0, 0.0)]  # of a token without documents

    def number(met: int) -> int:
        if met:
            knots.append(between(log_frequency(met), LOG_FREQUENCIES))
        return len(knots) - 1 if met else 0

    numbers = looked_up(number, frequency)  # the same few numbers for frequencies of any size
    below, up = zip(*knots, strict=True)
    return numbers, np.array(below, np.int64), np.array(up)
