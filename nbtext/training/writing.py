"""Writing a change into a model file: the rows of the changed tokens, and all totals that depend on them."""

from collections.abc import Iterator
from copy import deepcopy
from typing import TYPE_CHECKING

from .. import fields
from ..counting import SAMPLE
from ..counting.rows import Row
from ..errors import ChoiceError, CorpusError, ModelError
from ..inference.priors import log_priors
from ..inference.vocabulary import Totals, Vocabulary
from ..storage.sample import bag_text
from ..storage.schema import stored_name

if TYPE_CHECKING:
    from .changes import Change


class Writing:
    """The parts of a model file that a change changes."""

    def __init__(self, change: "Change") -> None:
        self.change = change
        self.model = change.model
        self.store = change.store
        rows = ((token, change.old.get(token, []), new) for token, new in change.new.items())
        self.rows = [(token, old, new) for token, old, new in rows if old != new]
        self.classes = self._remaining()

    def all(self) -> None:
        """Write all of them.

        Raises: ModelError if the model would be impossible.
        """
        hyperparameters = self.model.hyperparameters
        self.store.change_tokens((token, new) for token, _, new in self.rows)
        for number in range(len(self.classes), len(self.model.classes)):
            self.store.delete("class", id=number)
        if hyperparameters.drop_top:  # which tokens are the most frequent depends on all of them
            self._finish()
        else:
            self._write_totals()
            if self.model.weighting:
                self._write_kinds()
            if any(fields.is_attribute(token) for token, _, _ in self.rows):
                self._write_attributes()
        self._check_sums()
        if self.model.tracks:
            self.store.change_learned(self.change.times)
        self._write_sample()
        self.store.count_rows()

    def _remaining(self) -> list[tuple[str, int, int]]:
        """Label, documents and positions of the classes that remain.

        If the last class has no documents left, it is removed, so that undoing a new label leaves no trace; unless the
        prior needs it.
        """
        change, prior = self.change, self.model.hyperparameters.prior
        classes = list(zip(change.labels, change.documents, change.positions, strict=True))
        last = max((number for number, count in enumerate(change.documents) if count), default=len(classes) - 1)
        for some in classes[: last + 1], classes:
            try:
                log_priors(prior, [label for label, _, _ in some], [count for _, count, _ in some])
            except ChoiceError as error:
                refusal = ModelError(f"{self.store.path}: {error}; train it with another prior")
            else:
                return some
        raise refusal

    def _finish(self) -> None:
        """Compute all that depends on the hyperparameters again, from all counts."""
        from ..model.building import finish_loaded

        model = self.model
        try:
            finish_loaded(
                self.store,
                model.analysis,
                model.hyperparameters,
                self.classes,
                track=model.tracks,
                calibration=model.calibration,
                weights=model.weights if model.weighting else None,
            )
        except CorpusError as error:
            raise ModelError(f"{self.store.path}: {error}; nothing is changed") from None

    def _moves(self) -> Iterator[tuple[str, Row, int]]:
        """(token, row, -1) for each token of the vocabulary before the change, (token, row, 1) for each after it."""
        vocabulary = Vocabulary(self.model.hyperparameters)
        for token, old, new in self.rows:
            for row, times in (old, -1), (new, 1):
                if vocabulary.admits(token, row):
                    yield token, row, times

    def _write_totals(self) -> None:
        """Write the new totals of the classes and of the vocabulary."""
        difference = Totals([0] * len(self.change.labels))  # its numbers can be negative
        for _, row, times in self._moves():
            difference.add(row, times)
        known = [(each.vocabulary_positions, each.vocabulary_presences) for each in self.model.classes]
        known += [(0, 0)] * (len(self.classes) - len(known))
        more = zip(difference.sizes["occurrences"], difference.sizes["frequency"], strict=True)
        self.store.put(
            "class",
            (
                (index, stored_name(label), documents, positions, n + more_n, d + more_d)
                for index, ((label, documents, positions), (n, d), (more_n, more_d)) in enumerate(
                    zip(self.classes, known, more, strict=False)
                )
            ),
        )
        size = self.model.size + difference.vocabulary
        if not (size or self.model.attributes):
            raise ModelError(f"{self.store.path}: no token would be left of its vocabulary; nothing is changed")
        self.store.put("setting", [("classes", len(self.classes)), ("vocabulary", size)])
        for index, spread in enumerate(difference.spread):
            for documents, tokens in spread.items():
                if tokens:
                    self._write_spread(index, documents, tokens)

    def _write_spread(self, index: int, documents: int, more: int) -> None:
        tokens = self.store.spread_of(index, documents) + more
        if tokens:
            self.store.put("spread", [(index, documents, tokens)])
        else:
            self.store.delete("spread", **{"class": index, "documents": documents})

    def _write_kinds(self) -> None:
        """Write the new totals of each kind of token."""
        from ..model.building import write_weights

        weighting, kinds = self.model.weights
        totals = deepcopy(self.model.kind_totals)
        for each in totals:
            each.resize(len(self.change.labels))
        for token, row, times in self._moves():
            totals[kinds(token)].add(row, times)
        for each in totals:
            each.resize(len(self.classes))
        write_weights(self.store, weighting, totals)

    def _write_attributes(self) -> None:
        """Write the new totals of attributes."""
        from ..inference.factors import AttributeTotals
        from ..model.building import write_attributes

        labels = len(self.change.labels)
        totals = deepcopy(self.model.attributes or AttributeTotals(labels))
        totals.resize(labels)
        for token, old, new in self.rows:
            if fields.is_attribute(token):
                totals.add(token, old, -1)
                totals.add(token, new)
        totals.resize(len(self.classes))
        write_attributes(self.store, totals)

    def _check_sums(self) -> None:
        """Check that removed documents had been learned; if documents are not remembered, only the sums show it."""
        change = self.change
        classes = zip(change.labels, change.documents, change.positions, strict=True)
        for index, (label, documents, positions) in enumerate(classes):
            if positions < documents or (positions and not documents) or self.store.spread_above(index, documents):
                raise ModelError(
                    f"{self.store.path}: {label} would keep tokens of more documents than it has, so what is to be "
                    "unlearned was never learned in this form; nothing is changed"
                )

    def _write_sample(self) -> None:
        """Keep the documents with the lowest digests as the sample. Unlearning does not bring dropped ones back."""
        change = self.change
        for key, times in change.times.items():
            for index, count in times.items():
                if not count:
                    self.store.delete("sample", **{"digest": key, "class": index})
        if not self.model.tracks:  # then perhaps another text with the same tokens was learned
            for index, bag in change.gone:
                self.store.delete("sample", **{"class": index, "bag": bag_text(bag)})
        for (key, index), bag in change.bags.items():
            if change.times[key].get(index):
                self.store.put("sample", [(key, index, bag_text(bag))])
        self.store.shrink_sample(SAMPLE)
