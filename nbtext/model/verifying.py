"""Whether a model is sound: whether everything that is stored twice says the same, and nothing says what cannot be.

That every page and every row is as it was written, `store` checks by checksums. Here is the rest: that the sums are the
sums, and that what counts refer to is there. Nothing is mended.
"""

from ..counting.counts import OCCURRENCES, dense
from ..inference.reading import Vocabulary, most_frequent, totals_of
from .model import Model


def verify(model: Model) -> None:
    """Look at all of a model, at one moment, in a few passes over it.

    Raises: ModelError, in a sentence, at the first thing that is damaged or does not add up.

    >>> from nbtext import train_documents
    >>> model = train_documents({"ham": ["lunch at noon"], "spam": ["win cash now"]})
    >>> verify(model)
    >>> model.store.change_tokens([("lunch", [0, 2, 1])], known={"lunch"})
    >>> verify(model)
    Traceback (most recent call last):
    nbtext.errors.ModelError: ... (ham has 3 tokens, but its rows add up to 4); train it again or restore a copy
    """
    with model.store.snapshot():
        model.store.integrity()
        model.store.corpora()
        model.refresh()
        _check_counts(model)
        _check_totals(model)
        _check_memory(model)
        _check_calibration(model)


def _check_counts(model: Model) -> None:
    """That the rows add up to what the classes say."""
    positions = [0] * len(model.classes)
    for token, row in model.store.tokens():
        indices = row[::3]
        if indices != sorted(indices):
            raise model.store.damaged(f"the classes of {token!r} are impossible")
        for index, n in zip(indices, row[1::3], strict=True):
            positions[index] += n
    for entry, found in zip(model.classes, positions, strict=True):
        if entry.positions != found:
            raise model.store.damaged(f"{entry.label} has {entry.positions} tokens, but its rows add up to {found}")


def _check_totals(model: Model) -> None:
    """That what the default reading makes of the counts is what is stored."""
    reading = model.reading
    dropped = most_frequent(model.store.tokens(), reading) if reading.drop_top else []
    if sorted(dropped) != sorted(model.dropped):
        raise model.store.damaged("the most frequent tokens are others than those left out")
    found = totals_of(model.store.tokens(), Vocabulary(reading, dropped), model.documents)
    if model.size != found.vocabulary:
        raise model.store.damaged(f"its vocabulary is said to be {model.size} tokens, and is {found.vocabulary}")
    for entry, positions, presences in zip(model.classes, found.positions, found.presences, strict=True):
        if (entry.vocabulary_positions, entry.vocabulary_presences) != (positions, presences):
            raise model.store.damaged(f"the vocabulary's totals of {entry.label} are wrong")
    spread = {
        (index, d, tokens) for index, kept in enumerate(found.spread or []) for d, tokens in kept.items() if tokens
    }
    if set(model.store.spread()) != spread:
        raise model.store.damaged("the spread of tokens over documents is wrong")


def _check_memory(model: Model) -> None:
    """That the documents remembered are those counted."""
    learned = [0] * len(model.classes)
    for _, index, times in model.store.learned():
        learned[index] += times
    if model.tracks and learned != model.documents:
        raise model.store.damaged(f"{sum(learned)} documents are remembered, but {sum(model.documents)} counted")


def _check_calibration(model: Model) -> None:
    """That the sample the temperature comes from was counted."""
    for _, index, bag in model.store.sample():
        rows = model.store.rows(bag)
        if any(own > dense(rows.get(token, []), OCCURRENCES, len(model.classes))[index] for token, own in bag.items()):
            raise model.store.damaged(f"a document of {model.labels[index]} in the sample was never counted")
