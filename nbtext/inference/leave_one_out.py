"""Exact leave-one-out without retraining: the scores that documents would have if they had not been counted.

After leaving out document d of class c, the statistic of its tokens in c is smaller by m, and so are the totals of c;
tokens that drop out of the vocabulary are removed with their whole rows.
"""

from collections.abc import Sequence
from functools import cached_property
from heapq import nsmallest
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ..counting.documents import Documents, Integers, stretches
from ..event_models import Part
from .answers import ScoreTable
from .estimator import Estimator
from .filtering import Filtered, Mask
from .moves import Change, Moves
from .priors import IMPOSSIBLE, log_priors
from .units import by_class, in_nats, looked_up, unwrapped


class LeftOut:
    """Documents, each as if it had not been counted, and the vocabulary without each, for any event model."""

    def __init__(self, filtered: Filtered, documents: Documents) -> None:
        self.filtered = filtered
        self.documents = documents
        self.tokens = documents.tokens
        self.rows = documents.rows  # the document of each entry
        self.own = documents.classes[self.rows]  # its class
        self.cells = filtered.counts.cells(self.tokens, self.own)  # the cell of its token in this class
        self.was = filtered.kept[self.tokens]  # whether its token is in the vocabulary
        changes = self._changes()
        self.stays = self._stay(changes)  # whether it still is, without the document
        self.moves = self._moves(changes)

    def scores(self, estimator: Estimator) -> ScoreTable:
        """The scores of the documents.

        estimator  of the same filtered counts
        """
        sums, lengths = self._sums(estimator) if estimator.hyperparameters.m is None else self._sums_by_m(estimator)
        if estimator.attribute_tokens:
            estimator.attributes.add_left_out(sums, lengths, self.documents)
        values = in_nats(sums)
        classes, places = np.unique(self.documents.classes, return_inverse=True)
        values[(_priors(estimator, classes) == IMPOSSIBLE)[places]] = IMPOSSIBLE
        return ScoreTable(values, lengths, (lengths > 0) | estimator.linear.hears_absence)

    def _sums(self, estimator: Estimator) -> tuple[Integers, Integers]:
        """The scores without attributes, and the number of known positions of each document."""
        sums, lengths = _Sums(self, estimator).all()
        if len(long := estimator.too_long(lengths)):
            some = LeftOut(self.filtered, self.documents.some(long))
            sums = sums.astype(object)
            sums[long] = unwrapped(sums[long], _Sums(some, estimator.coarsely()).all()[0])
        return sums, lengths

    def _sums_by_m(self, estimator: Estimator) -> tuple[Integers, Integers]:
        """The same with an m-estimate: documents without which the vocabulary has the same size share an alpha."""
        chosen, values = estimator.hyperparameters, estimator.linear.event_model.VALUES
        alphas = [chosen.pseudo_count(values or size) for size in self.vocabularies.tolist()]
        sums, lengths = np.zeros((self.documents.size, len(estimator.labels)), object), np.zeros_like(self.vocabularies)
        for alpha in dict.fromkeys(alphas):
            some = np.flatnonzero(np.array(alphas) == alpha)
            part = LeftOut(self.filtered, self.documents.some(some))
            sums[some], lengths[some] = part._sums(estimator.under(chosen._replace(m=None, alpha=alpha)))
        return sums, lengths

    @cached_property
    def vocabularies(self) -> Integers:
        """The size of the vocabulary without each of the documents."""
        sizes = np.full(self.documents.size, self.filtered.totals.vocabulary)
        np.add.at(sizes, self.moves.documents, self.moves.signs)
        return sizes

    def _changes(self) -> list[Change]:
        """How the most frequent tokens differ without a document, where they do."""
        filtered, drop_top = self.filtered, self.filtered.drop_top
        if not drop_top:
            return []
        occurrences, before = filtered.occurrences, set(filtered.dropped.tolist())
        ranking = filtered.ranking.tolist()
        changes = []
        for d, (tokens, counts) in enumerate(self.documents.bags()):
            inside = set(tokens)
            others = ((-int(occurrences[t]), t) for t in islice((t for t in ranking if t not in inside), drop_top))
            fewer = ((n - int(occurrences[t]), t) for t, n in zip(tokens, counts, strict=True) if filtered.allowed[t])
            after = {t for _, t in nsmallest(drop_top, [*others, *fewer])}
            if after != before:
                changes.append(Change(d, after - before, before - after))
        return changes

    def _stay(self, changes: Sequence[Change]) -> Mask:
        """Whether the token of each entry is in the vocabulary without the document."""
        filtered, tokens = self.filtered, self.tokens
        frequency = filtered.frequency[tokens] - 1
        enough = filtered.suffice(filtered.occurrences[tokens] - self.documents.occurrences, frequency)
        stays = filtered.allowed[tokens] & enough & (frequency > 0)
        if filtered.drop_top:
            dropped = np.isin(tokens, filtered.dropped)
            for d, now, back in changes:
                entries = slice(self.documents.starts[d], self.documents.starts[d + 1])
                own = tokens[entries]
                dropped[entries] = (dropped[entries] & ~np.isin(own, list(back))) | np.isin(own, list(now))
            stays &= ~dropped
        return stays

    def _moves(self, changes: Sequence[Change]) -> Moves:
        """The tokens that enter the vocabulary or leave it."""
        filtered, starts = self.filtered, self.documents.starts
        entries = np.flatnonzero(self.stays != self.was)
        signs = np.where(self.stays[entries], 1, -1)
        found = [(self.rows[entries], self.tokens[entries], signs, np.ones(len(entries), np.bool_))]
        for d, dropped, back in changes:
            inside = set(self.tokens[starts[d] : starts[d + 1]].tolist())
            leave = [t for t in dropped - inside if filtered.kept[t]]
            enter = [t for t in back - inside if filtered.suffice(filtered.occurrences[t], filtered.frequency[t])]
            tokens = np.array([*leave, *enter], np.int64)
            signs = np.array([-1] * len(leave) + [1] * len(enter), np.int64)
            found.append((np.full(len(tokens), d), tokens, signs, np.zeros(len(tokens), np.bool_)))
        return Moves(filtered, self.documents.classes, *(np.concatenate(column) for column in zip(*found, strict=True)))


class _Sums:
    """The scores under one event model and alpha, as exact sums."""

    def __init__(self, left_out: LeftOut, estimator: Estimator) -> None:
        self.left_out = left_out
        self.estimator = estimator
        self.linear = estimator.linear
        self.documents = documents = left_out.documents
        self.values = estimator.values(documents)
        reads_occurrences = self.linear.event_model.STATISTIC == "occurrences"
        self.m = documents.occurrences.astype(np.int64) if reads_occurrences else np.ones_like(self.values)
        self.statistics = estimator.column[left_out.cells]  # of each entry's token in the document's class
        self.diagonal = np.arange(documents.size), documents.classes

    def all(self) -> tuple[Integers, Integers]:
        """D x C scores, and the number of known positions of each document."""
        estimator, stays = self.estimator, self.left_out.stays
        lengths = self.documents.sums(np.where(stays, self.values, 0))
        sums = self._biases() + lengths[:, None] * (estimator.at_zero + self._shared())
        if self.linear.event_model.OUTSIDE:
            self._add_outside(sums)
        else:
            estimator.add_cells(sums, self.documents.where(stays), self.values[stays], estimator.cell_weights)
            correction = self._without_own() - self._with_own()
            sums[self.diagonal] += self.documents.sums(np.where(stays, self.values * correction, 0))
        return sums, lengths

    def _shared(self) -> Integers:
        """D x C: what each known token adds, the same for all."""
        linear, moves = self.linear, self.left_out.moves
        sizes = np.tile(np.array(linear.totals.sizes[linear.event_model.STATISTIC]), (self.documents.size, 1))
        sizes[self.diagonal] -= self.documents.sums(np.where(self.left_out.stays, self.m, 0))
        np.add.at(sizes, (moves.rows, moves.classes), moves.signs[moves.move] * self.estimator.column[moves.cells])
        vocabulary = self.left_out.vocabularies
        if linear.event_model.OUTSIDE:
            sizes = sizes.sum(axis=1, keepdims=True) - sizes
        shared = np.empty_like(sizes)
        for size in set(vocabulary.tolist()):  # there are few different sizes, and for each few sizes of classes
            rows = vocabulary == size
            found, inverse = np.unique(sizes[rows], return_inverse=True)
            shared[rows] = np.array(linear.shared_by(found.tolist(), size))[inverse].reshape(-1, sizes.shape[1])
        return shared

    def _biases(self) -> Integers:
        """D x C: the score of each class before any token."""
        classes, places = np.unique(self.documents.classes, return_inverse=True)
        priors = _priors(self.estimator, classes)
        found, inverse = np.unique(priors, return_inverse=True)  # classes with equally many documents share them
        biases = np.array(list(map(self.linear.prior, found.tolist())), np.int64)[inverse].reshape(priors.shape)[places]
        return biases + self._absences() if self.linear.absent else biases

    def _absences(self) -> Integers:
        """D x C: the sum over the vocabulary of what a token adds if the document lacks it."""
        linear, moves = self.linear, self.left_out.moves
        documents = linear.totals.documents
        whole = [self._absence(part, index, documents[index]) for index, part in enumerate(linear.absent)]
        sums = np.tile(np.array(whole), (self.documents.size, 1))
        zero = np.array([part(0) for part in linear.absent])
        np.add.at(sums, moves.documents, moves.signs[:, None] * zero)
        frequency = self.estimator.counts.frequency[moves.cells]
        more = by_class(linear.absent, moves.classes, frequency) - zero[moves.classes]
        np.add.at(sums, (moves.rows, moves.classes), moves.signs[moves.move] * more)
        sums[self.diagonal] = self._own_absences()
        return sums

    def _own_absences(self) -> Integers:
        """D: the same for the document's own class, which has one document fewer."""
        linear, moves, own = self.linear, self.left_out.moves, self.documents.classes
        fewer = self._with_fewer("absent")
        whole = [self._absence(part, index, linear.totals.documents[index] - 1) for index, part in enumerate(fewer)]
        sums = np.array(whole)[own]
        # Tokens in the document; a token that is in all documents of the class is not in the sums yet
        everywhere = self.statistics >= np.array(linear.totals.documents)[self.left_out.own]
        before = by_class(fewer, self.left_out.own, np.where(everywhere, 0, self.statistics))
        after = by_class(fewer, self.left_out.own, self.statistics - 1)
        lost = np.where(self.left_out.was & ~everywhere, before, 0)
        sums += self.documents.sums(np.where(self.left_out.stays, after, 0) - lost)
        # Tokens outside of it that enter or leave; if they have no cell in the class, their frequency there is 0
        outside = np.flatnonzero(~moves.inside)
        zero = np.array([part(0) for part in fewer])
        np.add.at(sums, moves.documents[outside], moves.signs[outside] * zero[own[moves.documents[outside]]])
        cells = np.flatnonzero(moves.is_own & ~moves.inside[moves.move])
        frequency = self.estimator.counts.frequency[moves.cells[cells]]
        more = by_class(fewer, moves.classes[cells], frequency) - zero[moves.classes[cells]]
        np.add.at(sums, moves.rows[cells], moves.signs[moves.move[cells]] * more)
        return sums

    def _with_fewer(self, name: str) -> list[Part]:
        """A part of the event model for each class with one document fewer."""
        make = getattr(self.linear.event_model, name)
        return [self.linear.part(make, max(n - 1, 0)) for n in self.linear.totals.documents]

    def _absence(self, part: Part, index: int, documents: int) -> int:
        """The sum of a part over the vocabulary, without tokens in more than so many documents of the class."""
        spread, totals = self.linear.totals.spread[index], self.linear.totals
        unseen = totals.vocabulary - sum(spread.values())
        return part(0) * unseen + sum(part(d) * tokens for d, tokens in spread.items() if tokens and d <= documents)

    def _with_own(self) -> Integers:
        """The weight of each entry in its class, as counted."""
        weights = by_class(self.linear.present, self.left_out.own, self.statistics)
        if self.linear.absent:
            weights -= by_class(self.linear.absent, self.left_out.own, self.statistics)
        return weights

    def _without_own(self) -> Integers:
        """The weight of each entry in its class, without the document."""
        left = self.statistics - self.m
        weights = by_class(self._with_fewer("present"), self.left_out.own, left)
        if self.linear.absent:
            weights -= by_class(self._with_fewer("absent"), self.left_out.own, left)
        return weights

    def _add_outside(self, sums: Integers) -> None:
        """Add the weights of tokens for event models that count outside of classes: all but c have m less there."""
        estimator, present = self.estimator, self.linear.present[0]
        stays, tokens, own = self.left_out.stays, self.left_out.tokens, self.left_out.own
        whole = estimator.statistics[tokens]
        left = looked_up(present, np.maximum(whole - self.m, 0))
        sums += self.documents.sums(np.where(stays, self.values * left, 0))[:, None]
        # Most tokens occur once in a document: for these, cells have the same weights in all documents
        once = stays & (self.m == 1)
        weights = self._cell_weights_less_one()
        estimator.add_cells(sums, self.documents.where(once), self.values[once], weights)
        several = np.flatnonzero(stays & (self.m > 1))
        classes = estimator.counts.classes
        begins, cells = stretches(estimator.counts.starts, tokens[several])
        entry = np.repeat(several, np.diff(begins))
        others = classes[cells] != own[entry]
        entry, cells = entry[others], cells[others]
        more = looked_up(present, whole[entry] - self.m[entry] - estimator.column[cells]) - left[entry]
        np.add.at(sums, (self.left_out.rows[entry], classes[cells]), self.values[entry] * more)
        # In c nothing is smaller: undo what was added there for tokens that occur once
        added = np.where(once, weights[self.left_out.cells], 0)
        correction = looked_up(present, whole - self.statistics) - left - added
        sums[self.diagonal] += self.documents.sums(np.where(stays, self.values * correction, 0))

    def _cell_weights_less_one(self) -> Integers:
        """The `cell_weights` of each cell if the token occurs once less in another class."""
        estimator, present = self.estimator, self.linear.present[0]
        per_cell, fewer = estimator.counts.per_cell, estimator.statistics - 1
        outside = looked_up(present, np.maximum(per_cell(fewer) - estimator.column, 0))
        return outside - per_cell(looked_up(present, np.maximum(fewer, 0)))


def _priors(estimator: Estimator, fewer: Integers) -> NDArray[np.float64]:
    """The log priors of all C classes if one has one document fewer.

    fewer  K classes, each of them in turn that one

    Returns K x C. Only the classes of documents are asked for: all would take C x C numbers.
    """
    documents = estimator.totals.documents
    prior, labels = estimator.hyperparameters.prior, estimator.labels
    rows = np.empty((len(fewer), len(documents)))
    for row, c in zip(rows, fewer.tolist(), strict=True):
        others = [n - (j == c) for j, n in enumerate(documents)]
        row[:] = log_priors(prior, labels, others) if documents[c] else estimator.linear.log_priors
    return rows
