"""A classifier over counts in memory: scores of many documents, as they are or as if they had not been counted.

    D, C  documents, classes
    m     what a document adds to the statistic of one of its tokens: its occurrences there, or 1

Everything is added up in integers of 2^-44 nats, so that neither order nor company changes a bit of a score.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import kernel
from ..counting.counts import Counts
from ..counting.documents import Documents, Integers
from ..errors import ChoiceError
from ..event_models import nats
from ..settings import Hyperparameters
from .attributes import NONE, Attributes, AttributeTokens
from .filtering import Filtered, Mask
from .linear import Linear, event_model
from .posteriors import Scores
from .priors import IMPOSSIBLE, log_priors
from .units import by_class, in_nats, looked_up, unwrapped
from .vocabulary import Totals
from .weighting import Weighting, biases_of

if TYPE_CHECKING:
    from .weighted import Evidence

LARGEST_SUM = 1 << 62  # that 64 bits hold with room to spare


class ScoreTable(NamedTuple):
    """What documents score: `Scores`, for many.

    values  float64, D x C
    known   int64, D
    heard   bool, D
    """

    values: NDArray[np.float64]
    known: Integers
    heard: Mask

    def some(self, documents: slice | Integers) -> "ScoreTable":
        """The scores of some of the documents."""
        return ScoreTable(self.values[documents], self.known[documents], self.heard[documents])

    def of(self, document: int) -> Scores:
        """The scores of one of the documents."""
        return Scores(self.values[document].tolist(), int(self.known[document]), bool(self.heard[document]))


class Weighted(NamedTuple):
    """Weights, and which tokens have which.

    kinds  of each token, the number of its kind in the weighting
    """

    weighting: Weighting
    kinds: Integers


class Estimator:
    """Counts under hyperparameters.

    labels     of the classes, by number
    stopwords  the numbers of those tokens that are stop words
    weighted   what weighs the tokens, where hyperparameters say that they are weighted
    attribute_tokens  which tokens are no words but values of attributes

    >>> entries = np.array([0, 1, 1]), np.array([3, 1, 1])
    >>> two = Documents(np.array([0, 2, 3]), *entries, np.array([0, 1]), np.array([5, 6]))
    >>> estimator = Estimator(Counts.of(two, tokens=2, classes=2), ["a", "b"], Hyperparameters())
    >>> estimator.scores(two).values.argmax(axis=1).tolist()
    [0, 1]

    Raises: ChoiceError for hyperparameters that do not exist or make no sense.
    """

    def __init__(
        self,
        counts: Counts,
        labels: Sequence[str],
        hyperparameters: Hyperparameters,
        stopwords: Integers | None = None,
        weighted: "Weighted | None" = None,
        attribute_tokens: AttributeTokens = NONE,
    ) -> None:
        self.labels = labels
        self.hyperparameters = hyperparameters.checked()
        event_model(hyperparameters)
        log_priors(hyperparameters.prior, labels, counts.documents.tolist())
        self.weighted = weighted
        self.attribute_tokens = attribute_tokens
        outside = attribute_tokens.numbers if stopwords is None else stopwords
        if stopwords is not None and attribute_tokens:
            outside = np.union1d(stopwords, attribute_tokens.numbers)
        self.filtered = Filtered(counts, hyperparameters, outside)
        self.coarse = False

    @property
    def counts(self) -> Counts:
        """All counts, of tokens that are not vocabulary too."""
        return self.filtered.counts

    @property
    def totals(self) -> Totals:
        """What the vocabulary adds up to."""
        return self.filtered.totals

    @cached_property
    def linear(self) -> Linear:
        """The biases and weights."""
        return Linear(self.hyperparameters, self.labels, self.totals, coarse=self.coarse)

    def without(self, part: Documents) -> "Estimator":
        """The same without the counts of some of the documents, exactly as if they had never been counted."""
        return self.over(self.counts.less(part))

    def over(self, counts: Counts) -> "Estimator":
        """The same over other counts of the same tokens and classes."""
        return Estimator(
            counts,
            self.labels,
            self.hyperparameters,
            self.filtered.stopwords,
            self.weighted,
            self.attribute_tokens,
        )

    def narrowed(self, documents: Documents) -> tuple["Estimator", Documents]:
        """The same for the tokens of some documents alone, which are numbered anew, and these documents.

        It scores them alike; but what takes time for every token of the vocabulary takes it for theirs only.

        documents  are of tokens that are numbered, and not to be weighted
        """
        if self.attribute_tokens:  # whose numbers are kept elsewhere too
            return self, documents
        used = np.zeros(len(self.filtered.kept), np.bool_)
        used[documents.tokens] = True
        places = np.cumsum(used, dtype=np.int32) - 1
        twin = self.under(self.hyperparameters)
        twin.filtered = self.filtered.narrowed(np.flatnonzero(used))
        return twin, documents._replace(tokens=places[documents.tokens])

    def under(self, hyperparameters: Hyperparameters, stopwords: Integers | None = None) -> "Estimator":
        """The same counts under other hyperparameters."""
        kept = self.filtered.stopwords if stopwords is None else stopwords
        twin = Estimator(self.counts, self.labels, hyperparameters, kept, self.weighted, self.attribute_tokens)
        if hyperparameters.filters == self.hyperparameters.filters:
            twin.filtered = self.filtered
        return twin

    def coarsely(self) -> "Estimator":
        """The same in coarser units."""
        twin = self.under(self.hyperparameters)
        twin.coarse = True
        return twin

    @cached_property
    def attributes(self) -> Attributes:
        """The counts of attributes."""
        fitted = self.weighted if self.hyperparameters.is_weighted else None
        worth = fitted.weighting.attributes if fitted else {}
        return Attributes(self.counts, self.attribute_tokens, self.hyperparameters.pseudo_count, worth)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing by which documents could be told apart."""
        return not (self.totals.vocabulary or self.attribute_tokens)

    # --- scores ---

    def scores(self, documents: Documents, attributes: Sequence[Sequence[str]] | None = None) -> ScoreTable:
        """The scores of documents; tokens that are not vocabulary are skipped.

        attributes  the tokens of each document's attributes, if the documents have no entries for them
        """
        if self.hyperparameters.is_weighted:
            return self._weighted_scores(documents, attributes)
        sums, lengths = self._sums(documents)
        if len(long := self.too_long(lengths)):
            some = documents.some(long)
            sums = sums.astype(object)
            sums[long] = unwrapped(sums[long], self.coarsely()._sums(some)[0])
        if self.attribute_tokens:
            self.attributes.add(sums, lengths, documents, attributes)
        values = in_nats(sums)
        values[:, ~np.array(self.linear.possible)] = IMPOSSIBLE
        return ScoreTable(values, lengths, (lengths > 0) | self.linear.hears_absence)

    def weighed(self, weighting: Weighting, kinds: Integers) -> "Estimator":
        """The same counts with weights for their tokens.

        kinds  of each token
        """
        twin = self.under(self.hyperparameters._replace(weights="fitted"))
        twin.weighted = Weighted(weighting, kinds)
        return twin

    @cached_property
    def evidence(self) -> "Evidence":
        """What tokens say, kind by kind.

        Raises: ChoiceError if there are no fitted weights.
        """
        from .weighted import Evidence

        if self.weighted is None:
            raise ChoiceError("no weights were fitted; train with --weights fitted, or with --tune")
        kinds = len(self.weighted.weighting.kinds)
        return Evidence(self.filtered, self.hyperparameters, self.labels, self.weighted.kinds, kinds)

    def _weighted_scores(self, documents: Documents, attributes: Sequence[Sequence[str]] | None) -> ScoreTable:
        evidence = self.evidence
        assert self.weighted
        weighting = self.weighted.weighting
        sums, known = evidence.sums(documents, weighting)
        biases = biases_of(self.linear.log_priors, self.labels, weighting)
        values = sums + biases
        if self.attribute_tokens:
            more = np.zeros(sums.shape, np.int64)
            self.attributes.add(more, known, documents, attributes)
            values += in_nats(more)
        return ScoreTable(values, known, known > 0)

    def _sums(self, documents: Documents) -> tuple[Integers, Integers]:
        """The scores, D x C, and how many known positions each document has."""
        known = (documents.tokens >= 0) & self.filtered.kept[documents.tokens]
        values = self.values(documents)
        lengths = documents.sums(np.where(known, values, 0))
        sums = lengths[:, None] * (self.at_zero + np.array(self.linear.shared)) + np.array(self.linear.bias)
        if self.linear.event_model.OUTSIDE:
            sums += documents.sums(np.where(known, values * self._outside_all[documents.tokens], 0))[:, None]
        self.add_cells(sums, documents, known, values, self.cell_weights)
        return sums, lengths

    def terms(self, document: Documents) -> dict[int, list[float]]:
        """What each vocabulary token of one document adds to the score of each class, in nats."""
        known = document.where((document.tokens >= 0) & self.filtered.kept[document.tokens])
        tokens, values = known.tokens.tolist(), self.values(known).tolist()
        return {
            token: [nats(n * weight) for weight in self.linear.weights(row)]
            for token, n, row in zip(tokens, values, self.counts.rows(tokens), strict=True)
        }

    def leave_one_out(self, documents: Documents) -> ScoreTable:
        """The scores that documents would have if they had not been counted, exactly.

        Their own counts are subtracted: tokens that only the document contains leave the vocabulary, as do those that
        fall below a filter's threshold, and the most frequent tokens are found anew.

        documents  are among those counted

        Raises: ChoiceError for weighted tokens: to leave out a document is to fit the weights anew.
        """
        if self.hyperparameters.is_weighted:
            raise ChoiceError("fitted weights cannot be combined with leave-one-out; use folds")
        from .leave_one_out import LeftOut

        return LeftOut(self.filtered, documents).scores(self)

    def too_long(self, lengths: Integers) -> Integers:
        """The documents of so many known positions whose scores might take more than 64 bits."""
        largest = max(map(abs, [*self.at_zero, *self.linear.shared, 1])) + self._largest_weight
        return np.flatnonzero(lengths > LARGEST_SUM // largest)

    def values(self, documents: Documents) -> Integers:
        """How often the token of each entry counts."""
        repeats = self.linear.event_model.REPEATS
        return documents.occurrences.astype(np.int64) if repeats else np.ones(len(documents.tokens), np.int64)

    @property
    def column(self) -> Integers:
        """The statistic that the event model reads, of each cell."""
        return self.counts.column(self.linear.event_model.STATISTIC)

    @property
    def statistics(self) -> Integers:
        """Of each token, its statistic in all classes together."""
        return self.filtered.column(self.linear.event_model.STATISTIC)

    @cached_property
    def at_zero(self) -> Integers:
        """Of each class, the weight of a token that it lacks, but for what all tokens share."""
        if self.linear.event_model.OUTSIDE:
            return np.zeros(len(self.labels), np.int64)
        absent = [part(0) for part in self.linear.absent] or [0] * len(self.labels)
        return np.array([present(0) - other for present, other in zip(self.linear.present, absent, strict=True)])

    @cached_property
    def _outside_all(self) -> Integers:
        """Of each token, the weight in a class that lacks it, if it is read outside of classes."""
        return looked_up(self.linear.present[0], self.statistics)

    @cached_property
    def cell_weights(self) -> Integers:
        """Of each cell, how much more its token weighs in its class than in one that lacks the token."""
        if self.linear.event_model.OUTSIDE:
            tokens = self.filtered.cell_tokens
            outside = self.statistics[tokens] - self.column
            return looked_up(self.linear.present[0], outside) - self._outside_all[tokens]
        weights = by_class(self.linear.present, self.counts.classes, self.column)
        if self.linear.absent:
            weights -= by_class(self.linear.absent, self.counts.classes, self.column)
        return weights - self.at_zero[self.counts.classes]

    @cached_property
    def _largest_weight(self) -> int:
        outside = np.abs(self._outside_all).max(initial=0) if self.linear.event_model.OUTSIDE else 0
        return int(outside) + int(np.abs(self.cell_weights).max(initial=0))

    def add_cells(self, sums: Integers, documents: Documents, known: Mask, values: Integers, weights: Integers) -> None:
        """Add to D x C scores what the known tokens of the documents weigh in the classes that have them."""
        tokens = np.where(known, documents.tokens, -1).astype(np.int32)
        starts, classes = self.counts.starts, self.counts.classes
        flat = sums.reshape(-1)
        kernel.score(
            documents.starts, tokens, values.astype(np.int32), starts, classes, weights, len(self.labels), flat
        )
