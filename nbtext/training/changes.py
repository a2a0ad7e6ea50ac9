"""Changing a model by single documents: the resulting counts and totals are those of training on everything."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from .. import fields
from ..counting.bags import bags
from ..counting.rows import Row, shifted
from ..errors import ModelError
from ..escaping import OUTCOME_NAMES
from ..inference.scorer import Bag
from ..model.model import Model
from ..readers import Document, digest, repeat_digest
from .writing import Writing

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
            Writing(change).all()
    model.refresh()


class Change:
    """Changes of the counts, gathered in memory."""

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
