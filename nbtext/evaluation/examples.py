"""Labelled documents for training and testing: read and tokenized once, however often they are split."""

import os
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import cache, partial
from time import time
from typing import Any, NamedTuple

import numpy as np

from ..analysis import Analysis
from ..corpus.batches import batches, weighed
from ..corpus.reading import documents, opened
from ..corpus.sources import Aside, Found, Source
from ..counting.documents import Documents, Integers
from ..counting.indexed import IndexedCorpus
from ..counting.sample import lowest_places
from ..counting.shards import Indexed, index_documents
from ..engines._sharing import results, team
from ..readers import Document
from ..training.pieces import with_pieces

Progress = Callable[[Iterable[Any]], Iterable[Any]]


class Example(NamedTuple):
    """A labelled document.

    number   its position in the corpus
    digest   of its text: equal texts have equal digests
    time     when it was written, in seconds since 1970, if it has a date; else when its file was last changed; 0.0 if
             nobody asked for it
    id       its identifier in its table, if there is one
    excerpt  the beginning of its text, without line breaks
    """

    number: int
    name: str
    label: str
    digest: int
    time: float = 0.0
    id: str | None = None
    excerpt: str = ""


class Examples:
    """Documents with their names.

    dated  whether to find out their times, which takes a tenth of the reading

    >>> examples, lunch = Examples(Analysis()), Document([("", "lunch")], "ham")
    >>> [each.label for each in examples.add(index_documents([lunch], Analysis(), dated=True))]
    ['ham']
    """

    def __init__(self, analysis: Analysis, *, dated: bool = True) -> None:
        self.analysis = analysis
        self.dated = dated
        self.corpus = IndexedCorpus(analysis)
        self._shorter: dict[int, Examples] = {}  # by the longest of their n-grams
        self._pieced: Examples | None = None

    def read(
        self, found: Iterable[Found], report: Callable[[Aside], object], progress: Progress = iter
    ) -> list[Example]:
        """Add the labelled documents of some sources; everything else is reported, including empty documents.

        progress  wraps what is read, to show progress
        """
        sources, worth = weighed(found)
        examples = []
        with team(None, None, worth=worth) as workers:
            read = results(workers, partial(_index_sources, analysis=self.analysis, dated=self.dated), batches(sources))
            for shard in progress(read):
                for item in shard.aside:
                    report(item)
                examples += self.add(shard)
        return examples

    def add(self, shard: Indexed) -> list[Example]:
        """Add the documents of a shard."""
        first = len(self.corpus.names)
        self.corpus.add(shard)
        labels = [shard.labels[index] for index in shard.documents.classes.tolist()]
        digests = shard.documents.digests.tolist()
        dates = (0.0 if date is None else date for date in shard.dates)
        columns = zip(shard.names, labels, digests, dates, shard.ids, shard.excerpts, strict=True)
        return [Example(first + place, *each) for place, each in enumerate(columns)]

    def up_to(self, ngrams: int) -> "Examples":
        """The same documents without longer n-grams."""
        if ngrams >= self.analysis.ngrams:
            return self
        if ngrams not in self._shorter:
            shorter = copy(self)
            shorter.corpus = self.corpus.up_to(ngrams)
            shorter.analysis = shorter.corpus.analysis
            self._shorter[ngrams] = shorter
        return self._shorter[ngrams]

    def with_pieces(self) -> "Examples":
        """The same documents with the character n-grams of their words."""
        if self._pieced is None:
            self._pieced = copy(self)
            self._pieced.corpus = with_pieces(self.corpus)
            self._pieced.analysis = self._pieced.corpus.analysis
            self._pieced._shorter = {}
        return self._pieced

    def of(self, some: Iterable[Example]) -> Documents:
        """These examples as arrays."""
        return self.corpus.matrix.some(_numbers(some))

    def sample(self, some: Iterable[Example]) -> Documents:
        """Those of these examples on which posteriors are calibrated."""
        numbers, matrix = _numbers(some), self.corpus.matrix
        return matrix.some(numbers[lowest_places(matrix.digests[numbers], matrix.classes[numbers])])


def _numbers(some: Iterable[Example]) -> Integers:
    return np.array([each.number for each in some], np.int64)


def _index_sources(sources: Iterable[Found], analysis: Analysis, *, dated: bool) -> Indexed:
    read = _dated if dated else _undated
    return index_documents(read(sources, analysis), analysis, dated=True)


def _undated(sources: Iterable[Found], analysis: Analysis) -> Iterator[Document | Aside]:
    """The documents of the sources, without what computes their dates."""
    for item in opened(sources, analysis):
        yield item._replace(dated=None) if isinstance(item, Document) and item.dated else item


def _dated(sources: Iterable[Found], analysis: Analysis) -> Iterator[Document | Aside]:
    """The documents of the sources; those without a date get that of their file."""
    _, decode, read = analysis.input()
    for source in sources:
        if not isinstance(source, Source):
            yield source
            continue
        changed = cache(partial(_changed, source.path))  # for all documents in it
        for item in documents(source, read, decode):
            yield item._replace(dated=partial(_written, item, changed)) if isinstance(item, Document) else item


def _written(document: Document, changed: Callable[[], float]) -> float:
    written = document.time
    return changed() if written is None else written


def _changed(path: str) -> float:
    """When a file that was just read was last changed: now, if it is gone."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return time()
