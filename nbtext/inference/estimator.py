"""A classifier over counts in memory: scores of many documents, as they are or as if they had not been counted.

    D, C  numbers of documents, classes
    m     the part of a token's statistic that comes from a document: its occurrences there, or 1

Everything is added up in integers of 2^-44 nats, so that a score never depends on order or on other documents.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .. import kernel
from ..counting.counts import Counts
from ..counting.documents import Documents, Integers
from ..errors import ChoiceError
from ..event_models import nats
from ..settings import Hyperparameters
from .answers import ScoreTable
from .attributes import NONE, Attributes, AttributeTokens
from .filtering import Filtered
from .linear import Linear, event_model
from .priors import IMPOSSIBLE, log_priors
from .units import by_class, in_nats, looked_up, unwrapped
from .vocabulary import Totals
from .weighting import Weighting, biases_of

if TYPE_CHECKING:
    from .weighted import Evidence

LARGEST_SUM = 1 << 62  # well within 64 bits


class Weighted(NamedTuple):
    """Fitted weights, and the kinds of tokens that they belong to.

    kinds  the number of each token's kind in the weighting
    """

    weighting: Weighting
    kinds: Integers


class Estimator:
    """Counts under hyperparameters.

    labels     of the classes, by number
    stopwords  the numbers of the tokens that are stop words
    weighted   the weights of the tokens, if the hyperparameters ask for weights
    attribute_tokens  the tokens that are not words but values of attributes

    >>> entries, classes = np.array([[0, 1, 1], [3, 1, 1]], np.int32), np.array([0, 1], np.int32)
    >>> two = Documents(np.array([0, 2, 3]), *entries, classes, np.array([5, 6]))
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
        """All counts, including those of tokens outside the vocabulary."""
        return self.filtered.counts

    @property
    def totals(self) -> Totals:
        """The totals of the vocabulary."""
        return self.filtered.totals

    @cached_property
    def linear(self) -> Linear:
        """The biases and weights."""
        return Linear(self.hyperparameters, self.labels, self.totals, coarse=self.coarse)

    def without(self, part: Documents) -> "Estimator":
        """The estimator without the counts of some of the documents, exactly as if they had never been counted."""
        return self.over(self.counts.less(part))

    def over(self, counts: Counts) -> "Estimator":
        """The estimator with other counts of the same tokens and classes."""
        return Estimator(
            counts,
            self.labels,
            self.hyperparameters,
            self.filtered.stopwords,
            self.weighted,
            self.attribute_tokens,
        )

    def narrowed(self, documents: Documents) -> tuple["Estimator", Documents]:
        """An estimator for only the tokens of some documents, with new numbers, and these documents with the same.

        It gives them the same scores, but work that is done for each token of the vocabulary is done for theirs only.

        documents  their tokens have numbers, and are not to be weighted
        """
        if self.attribute_tokens:  # their numbers are also kept elsewhere
            return self, documents
        tokens, renumbered = documents.renumbered(len(self.filtered.kept))
        twin = self.under(self.hyperparameters)
        twin.filtered = self.filtered.narrowed(tokens)
        return twin, renumbered

    def under(self, hyperparameters: Hyperparameters, stopwords: Integers | None = None) -> "Estimator":
        """The estimator with the same counts under other hyperparameters."""
        kept = self.filtered.stopwords if stopwords is None else stopwords
        twin = Estimator(self.counts, self.labels, hyperparameters, kept, self.weighted, self.attribute_tokens)
        if hyperparameters.filters == self.hyperparameters.filters:
            twin.filtered = self.filtered
        return twin

    def coarsely(self) -> "Estimator":
        """The estimator in coarser units."""
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
        """Whether there is no evidence at all: no vocabulary and no attributes."""
        return not (self.totals.vocabulary or self.attribute_tokens)

    # --- scores ---

    def scores(self, documents: Documents, attributes: Sequence[Sequence[str]] | None = None) -> ScoreTable:
        """The scores of documents; tokens outside the vocabulary are skipped.

        attributes  the tokens of each document's attributes, if the documents have no entries for them
        """
        if self.hyperparameters.is_weighted:
            return self._weighted_scores(documents, attributes)
        parts = [self._sums(some) for some in documents.groups()]
        sums, lengths = (np.concatenate(column) for column in zip(*parts, strict=True))
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
        """The estimator with weights for the tokens.

        kinds  the number of each token's kind
        """
        twin = self.under(self.hyperparameters._replace(weights="fitted"))
        twin.weighted = Weighted(weighting, kinds)
        return twin

    @cached_property
    def evidence(self) -> "Evidence":
        """The evidence of tokens, kind by kind.

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
        """The scores, D x C, and the number of known positions of each document."""
        documents = self.known(documents)
        values = self.values(documents)
        lengths = documents.sums(values)
        sums = lengths[:, None] * (self.at_zero + np.array(self.linear.shared)) + np.array(self.linear.bias)
        if self.linear.event_model.OUTSIDE:
            sums += documents.sums(values * self._outside_all[documents.tokens])[:, None]
        self.add_cells(sums, documents, values, self.cell_weights)
        return sums, lengths

    def known(self, documents: Documents) -> Documents:
        """The documents with only their tokens in the vocabulary."""
        known = (documents.tokens >= 0) & self.filtered.kept[documents.tokens]
        return documents if known.all() else documents.where(known)

    def terms(self, document: Documents) -> dict[int, list[float]]:
        """What each vocabulary token of one document adds to the score of each class, in nats."""
        known = self.known(document)
        tokens, values = known.tokens.tolist(), self.values(known).tolist()
        return {
            token: [nats(n * weight) for weight in self.linear.weights(row)]
            for token, n, row in zip(tokens, values, self.counts.rows(tokens), strict=True)
        }

    def leave_one_out(self, documents: Documents) -> ScoreTable:
        """The scores that documents would have if they had not been counted, exactly.

        Their own counts are subtracted: tokens that only the document contains leave the vocabulary, as do those that
        fall below a filter's threshold, and the most frequent tokens are determined again.

        documents  must be among those counted

        Raises: ChoiceError for fitted weights, which would have to be fitted again without each document.
        """
        if self.hyperparameters.is_weighted:
            raise ChoiceError("fitted weights cannot be combined with leave-one-out; use folds")
        from .leave_one_out import LeftOut

        return ScoreTable.joined([LeftOut(self.filtered, some).scores(self) for some in documents.groups()])

    def too_long(self, lengths: Integers) -> Integers:
        """The documents whose scores might need more than 64 bits, by their numbers of known positions."""
        largest = max(map(abs, [*self.at_zero, *self.linear.shared, 1])) + self._largest_weight
        return np.flatnonzero(lengths > LARGEST_SUM // largest)

    def values(self, documents: Documents) -> Integers:
        """How often the token of each entry counts: its occurrences, or 1, int32."""
        return documents.occurrences if self.linear.event_model.REPEATS else np.ones_like(documents.occurrences)

    @property
    def column(self) -> Integers:
        """The statistic of each cell that the event model uses."""
        return self.counts.column(self.linear.event_model.STATISTIC)

    @property
    def statistics(self) -> Integers:
        """The statistic of each token in all classes together."""
        return self.filtered.column(self.linear.event_model.STATISTIC)

    @cached_property
    def at_zero(self) -> Integers:
        """The weight in each class of a token that the class lacks, without the part that all tokens share."""
        if self.linear.event_model.OUTSIDE:
            return np.zeros(len(self.labels), np.int64)
        absent = [part(0) for part in self.linear.absent] or [0] * len(self.labels)
        return np.array([present(0) - other for present, other in zip(self.linear.present, absent, strict=True)])

    @cached_property
    def _outside_all(self) -> Integers:
        """The weight of each token in a class that lacks it, if the event model uses the counts outside of classes."""
        return looked_up(self.linear.present[0], self.statistics)

    @cached_property
    def cell_weights(self) -> Integers:
        """For each cell, the weight of its token in its class minus that in a class that lacks the token."""
        if self.linear.event_model.OUTSIDE:
            outside = self.counts.per_cell(self.statistics) - self.column
            return looked_up(self.linear.present[0], outside) - self.counts.per_cell(self._outside_all)
        weights = by_class(self.linear.present, self.counts.classes, self.column)
        if self.linear.absent:
            weights -= by_class(self.linear.absent, self.counts.classes, self.column)
        return weights - self.at_zero[self.counts.classes]

    @cached_property
    def _largest_weight(self) -> int:
        outside = np.abs(self._outside_all).max(initial=0) if self.linear.event_model.OUTSIDE else 0
        return int(outside) + int(np.abs(self.cell_weights).max(initial=0))

    def add_cells(self, sums: Integers, documents: Documents, values: Integers, weights: Integers) -> None:
        """Add the weights of the documents' tokens, in the classes that have them, to D x C scores."""
        rows = documents.starts, documents.tokens, values
        kernel.score(*rows, self.counts.starts, self.counts.classes, weights, len(self.labels), sums.reshape(-1))
