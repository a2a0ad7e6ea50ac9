"""An event model applied to the totals of a vocabulary: the biases and weights of a linear classifier."""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import cast

from .. import event_models, plugins
from ..counting.rows import Row, dense
from ..event_models import EventModel, Part, fixed
from ..settings import Hyperparameters
from .priors import IMPOSSIBLE, log_priors
from .vocabulary import Totals

COARSE_BITS = 20


def event_model(hyperparameters: Hyperparameters) -> EventModel:
    """The event model of that name.

    Raises: ChoiceError, which lists the existing names.
    """
    return cast(EventModel, plugins.module(event_models, hyperparameters.event_model))


def hears_absence(hyperparameters: Hyperparameters) -> bool:
    """Whether tokens that a document lacks also count, so that the bias needs the spread of the totals."""
    return event_model(hyperparameters).absent(1.0, 1) is not None


class Linear:
    """Biases and weights, in units of 2^-44 nats.

    labels  of the classes, by number
    coarse  whether they are rounded to units of 2^-24 nats, for sums that would need more than 64 bits

    >>> totals = Totals([1, 1])
    >>> totals.add([1, 4, 1]); totals.add([0, 1, 1])
    >>> linear = Linear(Hyperparameters(), ["a", "b"], totals)
    >>> from math import exp
    >>> from ..event_models import nats
    >>> [round(exp(nats(weight)), 6) for weight in linear.weights([0, 1, 1])]  # 2/3 and 1/6
    [0.666667, 0.166667]

    Raises: ChoiceError for an event model or a prior that does not exist.
    """

    def __init__(
        self, hyperparameters: Hyperparameters, labels: Sequence[str], totals: Totals, *, coarse: bool = False
    ) -> None:
        documents = totals.documents
        self.hyperparameters = hyperparameters
        self.totals = totals
        self.event_model = event_model(hyperparameters)
        self.alpha = hyperparameters.pseudo_count(self.event_model.VALUES or totals.vocabulary)
        self.log_priors = log_priors(hyperparameters.prior, labels, documents)
        self.coarse = coarse
        self.present = [self.part(self.event_model.present, n) for n in documents]
        self.absent = [self.part(self.event_model.absent, n) for n in documents] if self.hears_absence else []
        sizes = totals.sizes[self.event_model.STATISTIC]
        whole = sum(sizes)
        counted = [whole - size for size in sizes] if self.event_model.OUTSIDE else sizes
        self.shared = self.shared_by(counted, totals.vocabulary)

    def part(self, make: Callable[[float, int], Part | None], documents: int) -> Part:
        """A part of the weights in a class with this many documents: `present` or `absent` of the event model."""
        part = make(self.alpha, documents)
        assert part
        return _coarse(part) if self.coarse else part

    def shared_by(self, sizes: Sequence[int], vocabulary: int) -> list[int]:
        """What each token adds, the same for all, by the totals of the classes."""
        shared = self.event_model.shared(self.alpha, sizes, vocabulary)
        return [units >> COARSE_BITS for units in shared] if self.coarse else shared

    @property
    def shift(self) -> int:
        """How many bits of the full numbers are left out."""
        return COARSE_BITS if self.coarse else 0

    def prior(self, log_prior: float) -> int:
        """A log prior, 0 for a class that is not a possible answer."""
        return 0 if log_prior == IMPOSSIBLE else fixed(log_prior) >> self.shift

    @cached_property
    def bias(self) -> list[int]:
        """The score of each class before any token; 0 for one that is not a possible answer."""
        priors = list(map(self.prior, self.log_priors))
        if not self.absent:
            return priors
        unseen = [self.totals.vocabulary - sum(spread.values()) for spread in self.totals.spread]
        return [
            prior + absent(0) * never + sum(absent(d) * tokens for d, tokens in spread.items() if tokens)
            for prior, absent, never, spread in zip(priors, self.absent, unseen, self.totals.spread, strict=True)
        ]

    @property
    def hears_absence(self) -> bool:
        """Whether tokens that a document lacks also count."""
        return hears_absence(self.hyperparameters)

    @property
    def possible(self) -> list[bool]:
        """Whether each class is a possible answer."""
        return [prior > IMPOSSIBLE for prior in self.log_priors]

    def weights(self, row: Row) -> list[int]:
        """The weights of a vocabulary token with this row, per class."""
        own = dense(row, self.event_model.STATISTIC, len(self.shared))
        whole = sum(own)
        counts = [whole - count for count in own] if self.event_model.OUTSIDE else own
        weights = [
            present(count) + shared for present, count, shared in zip(self.present, counts, self.shared, strict=True)
        ]
        if self.absent:
            weights = [
                weight - absent(count) for weight, absent, count in zip(weights, self.absent, counts, strict=True)
            ]
        return weights


@lru_cache(maxsize=1 << 12)
def _coarse(part: Part) -> Part:
    """The same part of the weights in coarser units."""
    return lambda statistic: part(statistic) >> COARSE_BITS
