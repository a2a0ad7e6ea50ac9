"""Learning and unlearning single documents: the resulting counts and totals are those of training on everything.

Each call is one transaction: all of it is done, or nothing. Concurrent calls take turns.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ..counting.bags import bags
from ..errors import ModelError
from ..model.model import Model
from ..readers import Document
from .changes import EMPTY as EMPTY  # noqa: PLC0414  # the possible outcomes
from .changes import LEARNED as LEARNED  # noqa: PLC0414
from .changes import MOST_REPEATS, changing
from .changes import REPEATED as REPEATED  # noqa: PLC0414
from .changes import UNLEARNED as UNLEARNED  # noqa: PLC0414

RIGHT = 0.95  # above the 0.9 from which the recipes in docs/mail.md trust a verdict


class Outcome(NamedTuple):
    """The outcome for a document: `what` is one of the words in `changes`."""

    name: str
    what: str


def learn(
    model: Model, label: str, documents: Iterable[Document], was: str | None = None, *, until_right: bool = False
) -> list[Outcome]:
    """Add documents to a class of a model opened for writing; with `was`, move them from that class.

    until_right  learn each again, up to `MOST_REPEATS` times, until the model gives it the label with a posterior of
                 `RIGHT`; unlearning or moving the document also removes the repeats

    A document that the class has already learned, or that was already moved there, changes nothing. If equal documents
    are given together, with different names or none, each counts, as in training, unless the class has as many. A
    document without a token is not counted. A model that does not track its documents treats each as new.

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
    """Learn a document that was just learned again, until the model is right about it."""
    bag = bags(model.analysis)(document)
    for number in range(1, MOST_REPEATS + 1):
        if not bag or model.posteriors(bag)[model.index(label)] >= RIGHT:
            return
        with changing(model) as change:
            change.repeat(document, bag, label, number)


def unlearn(model: Model, label: str, documents: Iterable[Document]) -> list[Outcome]:
    """Remove documents from a class: the exact inverse of `learn`.

    Raises: ModelError, and nothing is changed, if one was never learned as this label.
    """
    with changing(model) as change:
        return [Outcome(document.name, change.unlearn(document, label)) for document in documents]
