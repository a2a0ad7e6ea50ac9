"""Learning and unlearning single documents: the counts and totals that training on everything would have given.

Each call is one transaction: all of it is done, or none. Concurrent ones take turns.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ..counting.bags import bags
from ..errors import ModelError
from ..model.model import Model
from ..readers import Document
from .changes import EMPTY as EMPTY  # noqa: PLC0414  # what can become of a document
from .changes import LEARNED as LEARNED  # noqa: PLC0414
from .changes import MOST_REPEATS, changing
from .changes import REPEATED as REPEATED  # noqa: PLC0414
from .changes import UNLEARNED as UNLEARNED  # noqa: PLC0414

RIGHT = 0.95  # a margin above the 0.9 from which on the recipes in docs/mail.md believe a verdict


class Outcome(NamedTuple):
    """What became of a document: `what` is one of the words of `changes`."""

    name: str
    what: str


def learn(
    model: Model, label: str, documents: Iterable[Document], was: str | None = None, *, until_right: bool = False
) -> list[Outcome]:
    """Add documents to a class of a model opened to be written; with `was`, take them out of that class.

    until_right  learn each again, up to `MOST_REPEATS` times, until the model gives it the label with a posterior of
                 `RIGHT`; whatever takes it out of the class again takes out the repeats

    A document the class has already learned, or that was already moved there, changes nothing; of equal documents given
    together, with different names or none, each counts, as in training, unless the class has as many. One without a
    single token is not counted. A model that does not track its documents takes each for new.

    Raises: ModelError, and nothing is changed, if a document was learned as another label and `was` does not say so,
    or if repeats are wanted of a model that does not remember its documents.
    """
    if until_right and not model.tracks:
        raise ModelError(
            f"{model.store.path} does not remember its documents (--no-track), so it could not unlearn repeats; "
            "nothing is changed"
        )
    documents = list(documents)
    with changing(model) as change:
        outcomes = [Outcome(document.name, change.learn(document, label, was)) for document in documents]
    if until_right:
        for document in documents:
            _repeat_until_right(model, label, document)
    return outcomes


def _repeat_until_right(model: Model, label: str, document: Document) -> None:
    """Learn a document, which was learned, again until the model is right about it."""
    bag = bags(model.analysis)(document)
    for number in range(1, MOST_REPEATS + 1):
        if not bag or model.posteriors(bag)[model.index(label)] >= RIGHT:
            return
        with changing(model) as change:
            change.repeat(document, bag, label, number)


def unlearn(model: Model, label: str, documents: Iterable[Document]) -> list[Outcome]:
    """Take documents out of a class again: the exact inverse of `learn`.

    Raises: ModelError, and nothing is changed, if one was never learned as this label.
    """
    with changing(model) as change:
        return [Outcome(document.name, change.unlearn(document, label)) for document in documents]
