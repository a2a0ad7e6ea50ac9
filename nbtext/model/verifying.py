"""Checking a model: all totals must be the sums of their rows, and no value may be impossible.

`storage` checks by checksums that every page and row is as it was written. Here the rest is checked: that totals are
right, and that all the rows needed exist. Nothing is repaired.
"""

from collections.abc import Sequence

from ..counting.rows import dense
from ..inference.vocabulary import Totals
from .model import Model


def verify(model: Model) -> None:
    """Check the whole of a model, in one state of the file, in a few passes over it.

    Raises: ModelError at the first row that is damaged or total that is wrong.

    >>> from nbtext import train_documents
    >>> model = train_documents({"ham": ["lunch at noon"], "spam": ["win cash now"]})
    >>> verify(model)
    >>> model.store.change_tokens([("lunch", [0, 2, 1])])
    >>> verify(model)
    Traceback (most recent call last):
    nbtext.errors.ModelError: ... (ham has 3 tokens, but its rows add up to 4); train it again or restore a copy
    """
    with model.store.copied() as store:
        store.integrity()
        store.corpora()
        copy = Model(store)
        _check_totals(copy)
        _check_memory(copy)
        _check_calibration(copy)


def check_positions(model: Model, positions: Sequence[int]) -> None:
    """Check that each class has as many tokens as its rows add up to.

    positions  these sums, by class number

    Raises: ModelError for the first class that has not.
    """
    for entry, found in zip(model.classes, positions, strict=True):
        if entry.positions != found:
            raise model.store.damaged(f"{entry.label} has {entry.positions} tokens, but its rows add up to {found}")


def _check_totals(model: Model) -> None:
    """Check that the rows add up to the totals of the classes and of the vocabulary."""
    estimator = model.estimator()
    check_positions(model, estimator.counts.positions.tolist())
    if sorted(model.loaded().texts(estimator.filtered.dropped)) != sorted(model.dropped):
        raise model.store.damaged("the tokens left out are not the most frequent ones")
    totals = estimator.totals
    if model.size != totals.vocabulary:
        raise model.store.damaged(f"it claims a vocabulary of {model.size} tokens, and has {totals.vocabulary}")
    attributes = estimator.attributes.totals.plain() if estimator.attribute_tokens else None
    if attributes != (model.attributes.plain() if model.attributes is not None else None):
        raise model.store.damaged("the totals of its attributes are wrong")
    if estimator.weighted:
        _check_kinds(model, estimator.evidence.totals)
    for entry, *sizes in zip(model.classes, totals.sizes["occurrences"], totals.sizes["frequency"], strict=True):
        if [entry.vocabulary_positions, entry.vocabulary_presences] != sizes:
            raise model.store.damaged(f"the vocabulary's totals of {entry.label} are wrong")
    spread = {(index, d, n) for index, kept in enumerate(totals.spread) for d, n in kept.items()}
    if set(model.store.spread()) != spread:
        raise model.store.damaged("the spread of tokens over documents is wrong")


def _check_kinds(model: Model, totals: Sequence[Totals]) -> None:
    """Check that the totals of each kind of token are the sums over its tokens."""
    weighting, _ = model.weights
    for name, stored, found in zip(weighting.kinds, model.kind_totals, totals, strict=True):
        if (stored.vocabulary, stored.sizes) != (found.vocabulary, found.sizes):
            raise model.store.damaged(f"the totals of tokens of the kind {name} are wrong")


def _check_memory(model: Model) -> None:
    """Check that as many documents are remembered as counted."""
    learned = [0] * len(model.classes)
    for _, index, times in model.store.learned():
        learned[index] += times
    if model.tracks and learned != model.documents:
        raise model.store.damaged(f"{sum(learned)} documents are remembered, but {sum(model.documents)} counted")


def _check_calibration(model: Model) -> None:
    """Check that the documents of the calibration sample were counted."""
    for _, index, bag in model.store.sample():
        rows = model.store.rows(bag)
        if any(
            own > dense(rows.get(token, []), "occurrences", len(model.classes))[index] for token, own in bag.items()
        ):
            raise model.store.damaged(f"a document of {model.labels[index]} in the sample was never counted")
