"""A corpus as arrays, document by document: for work that uses its documents repeatedly."""

from collections.abc import Iterator
from copy import copy
from functools import cached_property

import numpy as np

from ..analysis import Analysis
from ..kernel import Indexer
from .cells import renumbered
from .counts import Counts
from .digests import times_of
from .documents import Documents, Integers, int32
from .merging import Chunk, chunks
from .sample import Sampled, lowest, sampled
from .shards import Indexed
from .tokens import Terms, Tokens


class IndexedCorpus:
    """The documents of the shards added so far. It has all that `Collection` has of them.

    names  of the documents
    dates  when they were written, in seconds since 1970; None if their format has no date
    """

    is_on_disk = False

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.names: list[str] = []
        self.dates: list[float | None] = []
        self._indexer = Indexer(analysis.tokenize(), analysis.ngrams)
        self._numbers: dict[str, int] = {}  # label -> class number, in order of appearance
        self._parts: list[Documents] = []

    def add(self, shard: Indexed) -> None:
        """Add the documents of a shard."""
        numbers = [self._numbers.setdefault(label, len(self._numbers)) for label in shard.labels]
        words, grams = (int32(each) for each in self._indexer.merge(*shard.terms))
        tokens = renumbered(shard.documents.tokens, words, grams)
        classes = np.array(numbers, np.int32)[shard.documents.classes]
        occurrences = shard.documents.occurrences.astype(np.int32)
        self._parts.append(shard.documents._replace(tokens=tokens, occurrences=occurrences, classes=classes))
        self.names += shard.names
        self.dates += shard.dates

    @property
    def labels(self) -> list[str]:
        """The labels of all classes, sorted: the number of a class is its position."""
        return sorted(self._numbers)

    @cached_property
    def tokens(self) -> Tokens:
        """All distinct tokens."""
        return Tokens(Terms.of(self._indexer))

    @cached_property
    def matrix(self) -> Documents:
        """All documents, with numbers of tokens and classes."""
        documents = Documents.joined(self._parts)
        labels = {label: place for place, label in enumerate(self.labels)}
        places = np.array([labels[label] for label in self._numbers], np.int32)
        return documents._replace(tokens=self.tokens.numbers(documents.tokens), classes=places[documents.classes])

    @cached_property
    def counts(self) -> Counts:
        """The counts of all documents."""
        return Counts.of(self.matrix, len(self.tokens), len(self._numbers))

    def up_to(self, ngrams: int) -> "IndexedCorpus":
        """The corpus with n-grams of at most this many words; tokens keep their numbers."""
        if ngrams >= self.analysis.ngrams:
            return self
        twin = copy(self)
        twin.matrix = self.matrix.where((self.tokens.lengths <= ngrams)[self.matrix.tokens])
        vars(twin).pop("counts", None)
        twin.analysis = self.analysis._replace(ngrams=ngrams)
        return twin

    def documents(self) -> Integers:
        """The number of documents of each class."""
        return np.bincount(self.matrix.classes, minlength=len(self._numbers))

    def times(self) -> Iterator[tuple[int, int, int]]:
        """The digest and the class of each different document, and how often it was counted."""
        return times_of(self.matrix.digests, self.matrix.classes)

    def sample(self) -> list[Sampled]:
        """The documents with the lowest digests, lowest first."""
        return sampled(lowest(self.matrix), self.tokens, self.labels)

    def parts(self, workers: int = 1) -> Iterator[Chunk]:  # noqa: ARG002  # memory has room for all
        """All tokens with their counts, sorted."""
        return chunks(self.tokens, self.counts)
