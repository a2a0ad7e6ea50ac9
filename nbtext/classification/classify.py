"""Labelling and explaining documents with a model, from Python."""

from collections.abc import Iterable, Iterator
from itertools import islice

from ..model.model import Model
from ..readers import Document, as_document
from ..settings import Hyperparameters
from .decision import Classifier, Decision
from .explanation import Explanation

FEW = 20  # documents; more are answered together


def classify(
    model: Model | str,
    documents: Iterable[Document | str],
    hyperparameters: Hyperparameters | None = None,
    *,
    raw: bool = False,
    unsure_below: float = 0.0,
) -> Iterator[Decision]:
    """The decision on each document, in order; many are answered together.

    model            the model, or the path of its file
    documents        texts, or documents with parts
    hyperparameters  by default the model's own
    raw              whether to give posteriors by Bayes' rule, without calibration
    unsure_below     the least posterior an answer needs, in [0, 1]

    >>> from nbtext import train_documents
    >>> model = train_documents({"a": ["red"], "b": ["blue blue blue blue"]})
    >>> [decision.label for decision in classify(model, ["red", "blue sky"])]
    ['a', 'b']

    Raises: ModelError, ChoiceError as `Classifier` does; TypeError for a string instead of a list of texts.
    """
    if isinstance(documents, str):
        raise TypeError("documents are one string, not a list of strings")
    opened = Model.open(model) if isinstance(model, str) else model
    decide = Classifier(opened, hyperparameters, raw=raw, unsure_below=unsure_below)
    rest = iter(documents)
    first = list(islice(rest, FEW))
    yield from map(decide, first)
    if len(first) == FEW and (more := next(rest, None)) is not None:
        from .bulk import GROUP, BulkScorer, Plan  # imported here, as it takes long to load

        scorer = BulkScorer(opened, Plan.of(decide))
        while more is not None:
            yield from scorer.answered([as_document(each) for each in (more, *islice(rest, GROUP - 1))]).decisions()
            more = next(rest, None)


def explain(
    model: Model | str,
    document: Document | str,
    hyperparameters: Hyperparameters | None = None,
    against: str | None = None,
) -> Explanation:
    """The decision on a document with its reasons, the most decisive tokens first.

    against  the label to compare the answer with; by default, or if it is the answer itself, the runner-up

    >>> from nbtext import train_documents
    >>> explain(train_documents({"a": ["red"], "b": ["blue"]}), "red sky").terms[0].token
    'red'

    Raises: ModelError, ChoiceError as `Classifier` does.
    """
    opened = Model.open(model) if isinstance(model, str) else model
    return Classifier(opened, hyperparameters).explain(document, against)
