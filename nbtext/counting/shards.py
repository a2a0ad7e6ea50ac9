"""Reading and counting parts of a corpus, in any process; the process that shares out the work adds up the results."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..analysis import Analysis
from ..corpus.reading import opened
from ..corpus.sources import Aside, Found, without_label, without_token
from ..kernel import Indexer
from ..readers import Document, digest
from .attributes import add_documents
from .cells import Cells
from .documents import Documents, Integers, narrow
from .runs import Run
from .sample import Sampled
from .tokens import Terms

EXCERPT = 200  # characters
CHARACTERS_AHEAD = 4_000_000  # of text read before it is counted


class Shard(NamedTuple):
    """The counts of a part of a corpus.

    terms    all that occur, except those in runs
    labels   of the classes, by number
    cells    the counts, except those in runs
    digests  of the documents
    classes  of the documents
    sample   documents that may be kept for calibration; their tokens are terms
    sampled  more of them, spelled out
    runs     counts that went to disk
    aside    what was not counted, or is odd
    """

    terms: Terms
    labels: list[str]
    cells: Cells
    digests: Integers
    classes: Integers
    sample: Documents
    sampled: list[Sampled]
    runs: list[Run]
    aside: list[Aside]

    @property
    def counted(self) -> int:
        """The number of documents counted."""
        return len(self.digests)


class Indexed(NamedTuple):
    """Labelled documents, their tokens numbered as terms.

    terms      all that occur
    labels     of the classes, by number
    documents  those counted; their occurrences have the smallest type
    names      of the documents
    dates      when they were written, in seconds since 1970; None if their format has no date
    ids        their identifiers in their tables, if there are any
    excerpts   the beginnings of their texts, without line breaks
    aside      what was not counted, or is odd
    """

    terms: Terms
    labels: list[str]
    documents: Documents
    names: list[str]
    dates: list[float | None]
    ids: list[str | None]
    excerpts: list[str]
    aside: list[Aside]

    @property
    def counted(self) -> int:
        """The number of documents counted."""
        return len(self.names)


def index_documents(found: Iterable[Document | Aside], analysis: Analysis, *, dated: bool = False) -> Indexed:
    """Documents as arrays; those without a label or without tokens are set aside.

    dated  whether to keep their dates, ids and excerpts
    """
    indexer = Indexer(analysis.tokenize(), analysis.ngrams)
    keep_empty = analysis.columns.keep_empty
    labels: dict[str, int] = {}
    parts: list[Documents] = []
    names: list[str] = []
    dates: list[float | None] = []
    ids: list[str | None] = []
    excerpts: list[str] = []
    aside: list[Aside] = []
    for heap in heaps(found, aside, CHARACTERS_AHEAD):
        part, counted = numbered(indexer, heap, labels, aside, keep_empty=keep_empty)
        parts.append(part)
        names += [document.name for document in counted]
        if dated:
            dates += [document.time for document in counted]
            ids += [document.id for document in counted]
            excerpts += map(_excerpt, counted)
    terms = Terms.of(indexer)
    documents = Documents.joined(parts)
    documents = documents._replace(occurrences=narrow(documents.occurrences))  # fewer bytes to send
    return Indexed(terms, list(labels), documents, names, dates, ids, excerpts, aside)


def numbered(
    indexer: Indexer, heap: Sequence[Document], labels: dict[str, int], aside: list[Aside], *, keep_empty: bool
) -> tuple[Documents, list[Document]]:
    """Documents as arrays, and the documents themselves; those without a token are set aside.

    labels  label -> class number so far; new ones are added
    """
    batch = add_documents(indexer, heap, keep_empty=keep_empty)
    is_counted = batch.tokens > 0
    aside += [without_token(heap[d].name, heap[d].label) for d in np.flatnonzero(~is_counted).tolist()]
    counted = [heap[d] for d in np.flatnonzero(is_counted).tolist()]
    # An empty document has no entries, so only its start is removed
    starts = batch.starts[np.concatenate([[True], is_counted])]
    classes = [labels.setdefault(document.label or "", len(labels)) for document in counted]
    digests = np.array(list(map(digest, counted)), np.int64)
    return Documents(starts, batch.terms, batch.occurrences, np.array(classes, np.int32), digests), counted


def index_sources(sources: Iterable[Found], analysis: Analysis) -> Indexed:
    """The documents in some sources."""
    return index_documents(opened(sources, analysis, encodings=True), analysis)


def _excerpt(document: Document) -> str:
    """The beginning of a document's text, with the values of attributes."""
    texts = [*document.texts, *(str(value) for _, value in document.attributes)]
    start = " ".join(" ".join(text[: 2 * EXCERPT] for text in texts).split())
    return start[:EXCERPT]


def heaps(found: Iterable[Document | Aside], aside: list[Aside], characters: int) -> Iterator[list[Document]]:
    """Labelled documents in groups that are counted together; everything else is set aside.

    characters  of text in a group, about
    """
    heap: list[Document] = []
    room = characters
    for item in found:
        if not isinstance(item, Document):
            aside.append(item)
        elif item.label is None:
            aside.append(without_label(item.name))
        else:
            heap.append(item)
            room -= sum([len(text) for _, text in item.parts])
            if room < 0:
                yield heap
                heap, room = [], characters
    if heap:
        yield heap
