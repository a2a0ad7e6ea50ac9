"""Changing a model by single documents: the resulting counts and totals are those of training on everything."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy

from .. import fields
from ..counting import SAMPLE
from ..counting.bags import bags
from ..counting.rows import Row, shifted
from ..errors import ChoiceError, CorpusError, ModelError
from ..escaping import OUTCOME_NAMES
from ..inference.priors import log_priors
from ..inference.scorer import Bag
from ..inference.vocabulary import Totals, Vocabulary
from ..inference.weighting import Weighting
from ..model.model import Model
from ..readers import Document, digest, repeat_digest
from ..storage.sample import bag_text
from ..storage.schema import stored_name

MOST_REPEATS = 10  # of a document

LEARNED, REPEATED, EMPTY, UNLEARNED = "learned", "already learned", "empty", "unlearned"


@contextmanager
def changing(model: Model) -> Iterator["Change"]:
    """Context manager: a change of a model opened for writing; it is written at the end, in one transaction."""
    analysis = model.analysis
    with model.store.transaction():
        model.refresh()
        if model.analysis != analysis:
            raise ModelError(
                f"{model.store.path}: it was replaced meanwhile by a model that reads documents differently; try again"
            )
        change = Change(model)
        yield change
        if change.new:
            change.write()
    model.refresh()


class Change:
    """Changes of the counts, gathered in memory and written at the end of the transaction."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.store = model.store
        self.count = bags(model.analysis)
        self.keep_empty = model.analysis.columns.keep_empty
        self.labels = list(model.labels)
        self.documents = model.documents
        self.positions = model.positions
        self.old: dict[str, Row] = {}  # the rows of the changed tokens, as they are in the file
        self.new: dict[str, Row] = {}  # the same rows, after the change
        self.given: dict[tuple[int, str], list[str]] = {}  # (digest, label) -> names of equal documents to be learned
        self.times: dict[int, dict[int, int]] = {}  # digest -> class number -> how many times it is counted
        self.bags: dict[tuple[int, int], Bag] = {}  # (digest, class number) -> bag, of documents added
        self.gone: list[tuple[int, Bag]] = []  # class number and bag of documents removed

    def learn(self, document: Document, label: str, was: str | None) -> str:
        """Add a document, as `learning.learn` does; return the outcome."""
        bag = self._bag(document)
        if not bag:
            return EMPTY
        key = digest(document)
        index = self._number(label)
        equal = self.given.setdefault((key, label), [])
        if not document.name or document.name not in equal:  # otherwise the same document was given twice
            equal.append(document.name)
        holders = self._holders(key)
        has_all = label in holders and self._times(key)[index] >= len(equal)
        moves = was is not None and was != label
        if (was not in holders and label in holders) if moves else has_all:
            return REPEATED
        if was is not None and moves:
            self._remove(document, key, bag, was)
        elif holders and label not in holders:
            raise ModelError(f"{document.name}: already learned as {holders[0]}; to move it, add --was {holders[0]}")
        if not has_all:
            self._count(key, bag, index, 1)
        return LEARNED

    def repeat(self, document: Document, bag: Bag, label: str, number: int) -> None:
        """Count a learned document once more, if it is still learned and has fewer repeats."""
        key, index = digest(document), self.labels.index(label)
        again = repeat_digest(key, number)
        if label in self._holders(key) and label not in self._holders(again):
            self._count(again, bag, index, 1)
            del self.bags[again, index]  # one is enough in the sample

    def unlearn(self, document: Document, label: str) -> str:
        """Remove a document; return the outcome."""
        bag = self._bag(document)
        if not bag:
            return EMPTY
        self._remove(document, digest(document), bag, label)
        return UNLEARNED

    def _bag(self, document: Document) -> Bag:
        """The tokens of a document; for an empty one, if such documents count, the token that marks it."""
        return self.count(document) or (Counter([fields.EMPTY]) if self.keep_empty else Counter())

    def write(self) -> None:
        """Write the changes."""
        hyperparameters = self.model.hyperparameters
        entries = self._entries(hyperparameters.prior)
        changed = [token for token in self.new if self.new[token] != self.old.get(token, [])]
        self.store.change_tokens((token, self.new[token]) for token in changed)
        for number in range(len(entries), len(self.model.classes)):
            self.store.delete("class", id=number)
        if hyperparameters.drop_top:  # which tokens are the most frequent depends on all of them
            try:
                self._finish(entries)
            except CorpusError as error:
                raise ModelError(f"{self.store.path}: {error}; nothing is changed") from None
        else:
            self._write_totals(self._difference(changed), entries)
            if self.model.weighting:
                self._write_kinds(self.model.weighting, changed, len(entries))
            if any(map(fields.is_attribute, changed)):
                self._write_attributes(changed, len(entries))
        self._check_sums()
        if self.model.tracks:
            self.store.change_learned(self.times)
        self._write_sample()
        self.store.count_rows()

    def _entries(self, prior: str) -> list[tuple[str, int, int]]:
        """Label, documents and positions of the classes that remain.

        If the last class has no documents left, it is removed, so that undoing a new label leaves no trace; unless the
        prior needs it.
        """
        entries = list(zip(self.labels, self.documents, self.positions, strict=True))
        last = max((number for number, count in enumerate(self.documents) if count), default=len(entries) - 1)
        for some in entries[: last + 1], entries:
            try:
                log_priors(prior, [label for label, _, _ in some], [count for _, count, _ in some])
            except ChoiceError as error:
                refusal = ModelError(f"{self.store.path}: {error}; train it with another prior")
            else:
                return some
        raise refusal

    def _finish(self, entries: Sequence[tuple[str, int, int]]) -> None:
        """Compute all that depends on the hyperparameters again, from all counts."""
        from ..model.building import finish_loaded

        model = self.model
        finish_loaded(
            self.store,
            model.analysis,
            model.hyperparameters,
            entries,
            track=model.tracks,
            calibration=model.calibration,
            weights=(model.weighting, model.kinds) if model.weighting else None,
        )

    def _number(self, label: str) -> int:
        """The class's number; a new label gets the next one."""
        if label not in self.labels:
            if label in OUTCOME_NAMES.values():
                raise ModelError(f"the label {label} is reserved for documents without an answer; choose another")
            self.labels.append(label)
            self.documents.append(0)
            self.positions.append(0)
        return self.labels.index(label)

    def _times(self, key: int) -> dict[int, int]:
        if key not in self.times:
            self.times[key] = {index: count for _, index, count in self.store.learned(key)}
        return self.times[key]

    def _holders(self, key: int) -> list[str]:
        """The classes that have learned the document, as far as the model remembers."""
        return [self.labels[index] for index, count in self._times(key).items() if count] if self.model.tracks else []

    def _remove(self, document: Document, key: int, bag: Bag, label: str) -> None:
        index = self.labels.index(label) if label in self.labels else None
        if index is None:
            there_are = ", ".join(sorted(self.labels))
            raise ModelError(
                f"{document.name}: never learned as {label}, which is not a class; there are: {there_are}; "
                "nothing is changed"
            )
        if self.model.tracks and not self._times(key).get(index):
            raise ModelError(f"{document.name}: never learned as {label}; nothing is changed")
        try:
            self._count(key, bag, index, -1)
            for again in self._repeats(key, index):
                self._count(again, bag, index, -1)
        except ValueError:
            raise ModelError(
                f"{document.name}: not learned as {label}: its counts would fall below zero; nothing is changed"
            ) from None

    def _repeats(self, key: int, index: int) -> Iterator[int]:
        """The digests of the repeats of a document that a class remembers."""
        for number in range(1, MOST_REPEATS + 1):
            again = repeat_digest(key, number)
            if not self.model.tracks or not self._times(again).get(index):
                return
            yield again

    def _count(self, key: int, bag: Bag, index: int, sign: int) -> None:
        missing = [token for token in bag if token not in self.new]
        rows = self.store.rows(missing)
        self.old.update(rows)
        self.new.update({token: rows.get(token, []) for token in missing})
        for token, occurrences in bag.items():
            self.new[token] = shifted(self.new[token], index, sign * occurrences, sign)
        self.documents[index] += sign
        self.positions[index] += sign * sum(bag.values())
        if self.documents[index] < 0:
            raise ValueError("a count would fall below zero")
        times = self._times(key)
        times[index] = max(0, times.get(index, 0) + sign)
        if sign > 0:
            self.bags[key, index] = bag
        else:
            self.gone.append((index, bag))

    def _difference(self, changed: Sequence[str]) -> Totals:
        """What the change adds to the stored totals; the numbers can be negative."""
        vocabulary = Vocabulary(self.model.hyperparameters)
        difference = Totals([0] * len(self.labels))
        for token in changed:
            old, new = self.old.get(token, []), self.new[token]
            if vocabulary.admits(token, old):
                difference.add(old, -1)
            if vocabulary.admits(token, new):
                difference.add(new)
        return difference

    def _write_totals(self, difference: Totals, entries: Sequence[tuple[str, int, int]]) -> None:
        known = [
            (entry.vocabulary_positions, entry.vocabulary_presences) for entry in self.model.classes[: len(entries)]
        ]
        known += [(0, 0)] * (len(entries) - len(known))
        self.store.put(
            "class",
            (
                (
                    index,
                    stored_name(label),
                    documents,
                    positions,
                    n + difference.sizes["occurrences"][index],
                    d + difference.sizes["frequency"][index],
                )
                for index, ((label, documents, positions), (n, d)) in enumerate(zip(entries, known, strict=True))
            ),
        )
        size = self.model.size + difference.vocabulary
        if not (size or self.model.attributes):
            raise ModelError(f"{self.store.path}: no token would be left of its vocabulary; nothing is changed")
        self.store.put("setting", [("classes", len(entries)), ("vocabulary", size)])
        for index, spread in enumerate(difference.spread):
            for documents, tokens in spread.items():
                if tokens:
                    self._write_spread(index, documents, tokens)

    def _write_kinds(self, weighting: Weighting, changed: Sequence[str], classes: int) -> None:
        """Write the new totals of each kind of token."""
        from ..model.building import write_weights

        kinds, vocabulary = self.model.kinds, Vocabulary(self.model.hyperparameters)
        totals = deepcopy(self.model.kind_totals)
        for each in totals:
            each.resize(len(self.labels))
        for token in changed:
            mine = totals[kinds(token)]
            for row, times in (self.old.get(token, []), -1), (self.new[token], 1):
                if vocabulary.admits(token, row):
                    mine.add(row, times)
        for each in totals:
            each.resize(classes)
        write_weights(self.store, weighting, totals)

    def _write_attributes(self, changed: Sequence[str], classes: int) -> None:
        """Write the new totals of attributes."""
        from ..inference.factors import AttributeTotals
        from ..model.building import write_attributes

        totals = deepcopy(self.model.attributes or AttributeTotals(len(self.labels)))
        totals.resize(len(self.labels))
        for token in changed:
            if fields.is_attribute(token):
                totals.add(token, self.old.get(token, []), -1)
                totals.add(token, self.new[token])
        totals.resize(classes)
        write_attributes(self.store, totals)

    def _check_sums(self) -> None:
        """Check that removed documents had been learned; if documents are not remembered, only the sums show it."""
        for index, (label, documents, positions) in enumerate(
            zip(self.labels, self.documents, self.positions, strict=True)
        ):
            if positions < documents or (positions and not documents) or self.store.spread_above(index, documents):
                raise ModelError(
                    f"{self.store.path}: {label} would keep tokens of more documents than it has, so what is to be "
                    "unlearned was never learned in this form; nothing is changed"
                )

    def _write_spread(self, index: int, documents: int, more: int) -> None:
        tokens = self.store.spread_of(index, documents) + more
        if tokens:
            self.store.put("spread", [(index, documents, tokens)])
        else:
            self.store.delete("spread", **{"class": index, "documents": documents})

    def _write_sample(self) -> None:
        """Keep the documents with the lowest digests as the sample. Unlearning does not bring dropped ones back."""
        for key, times in self.times.items():
            for index, count in times.items():
                if not count:
                    self.store.delete("sample", **{"digest": key, "class": index})
        if not self.model.tracks:  # then perhaps another text with the same tokens was learned
            for index, bag in self.gone:
                self.store.delete("sample", **{"class": index, "bag": bag_text(bag)})
        for (key, index), bag in self.bags.items():
            if self.times[key].get(index):
                self.store.put("sample", [(key, index, bag_text(bag))])
        self.store.shrink_sample(SAMPLE)
