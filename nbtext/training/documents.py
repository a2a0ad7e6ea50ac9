"""Training a model on documents given from Python."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ..analysis import Analysis
from ..corpus.sources import NO_LABEL, Aside, Skipped
from ..counting.collection import Collection, count_documents
from ..counting.indexed import IndexedCorpus
from ..counting.shards import index_documents
from ..errors import CorpusError
from ..model.model import Model
from ..readers import Document, as_document
from ..settings import Hyperparameters
from .building import Fitted, build
from .classes import check_classes


def train_documents(
    documents: Iterable[Document] | Mapping[str, Iterable[str]],
    path: str | None = None,
    analysis: Analysis = Analysis(),
    hyperparameters: Hyperparameters = Hyperparameters(),
    *,
    track: bool = True,
    allow_single_class: bool = False,
    weights: str | None = None,
    note: Callable[[str], object] = lambda _: None,
    report: Callable[[Aside], object] = lambda _: None,
) -> Model:
    """The model of the documents given: texts by label, or documents with labels; other arguments are as for `train`.

    >>> train_documents({"a": ["red"], "b": ["blue blue blue blue"]}).documents
    [1, 1]

    Raises: TypeError for a string instead of a list of texts, and for anything but texts or documents; CorpusError if
    there are fewer than two classes; ChoiceError for a setting that does not exist.
    """
    hyperparameters = hyperparameters.with_weights(weights).checked()
    found = _labelled(documents)

    def check(labels: Sequence[str], aside: Sequence[Aside]) -> None:
        _check_labels(labels, aside)
        for item in aside:
            report(item)
        check_classes(labels, [], allow_single_class)

    if hyperparameters.is_weighted:
        from .fitted import with_weights

        corpus, indexed = IndexedCorpus(analysis), index_documents(found, analysis)
        corpus.add(indexed)
        check(corpus.labels, indexed.aside)
        fitted = with_weights(corpus, hyperparameters, note)
    else:
        collection, counted = Collection(analysis), count_documents(found, analysis)
        collection.add(counted)
        check(collection.labels, counted.aside)
        fitted = Fitted(collection, hyperparameters)
    return build(fitted, path, [], track=track)


def _labelled(documents: Iterable[Document] | Mapping[str, Iterable[str]]) -> Iterator[Document]:
    """The documents, with the labels of the mapping."""
    if not isinstance(documents, Mapping):
        yield from map(as_document, documents)
        return
    for label, texts in documents.items():
        if isinstance(texts, str):
            raise TypeError(f"the texts of {label!r} are one string, not a list of strings")
        for text in texts:
            yield as_document(text)._replace(label=label)


def _check_labels(labels: Sequence[str], aside: Sequence[Aside]) -> None:
    """Check that there is something to learn from.

    Raises: CorpusError if there is not; the message says what to do.
    """
    if labels:
        return
    if any(isinstance(item, Skipped) and item.reason == NO_LABEL for item in aside):
        raise CorpusError(
            "no document has a label: give texts by label, as in {'spam': ['win cash'], 'ham': ['lunch']}, or each as "
            "nbtext.Document([('', text)], label)"
        )
    raise CorpusError(f"{'no document has a token' if aside else 'no documents'}: there is nothing to learn from")
