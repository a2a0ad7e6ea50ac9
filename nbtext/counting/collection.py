"""The counts of a corpus, added up from shards: in memory, and past a limit in sorted runs on disk."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..analysis import Analysis
from ..kernel import NATIVE, Indexer
from . import SAMPLE
from .counts import Counts
from .documents import Documents, Integers, int32
from .runs import Chunk, RunFolder, merged, read_run
from .sample import lowest
from .shards import Cells, Shard
from .tokens import Terms, Tokens

CHUNK = 50_000  # tokens or documents that are written, or merged, at a time
LOOSE_CELLS = 2_000_000  # that may wait to be added up; more only if as many are added up already,
LOOSE_SAMPLES = 4 * SAMPLE  # and documents that may wait to be sorted out: so memory does not grow with their number
CELL_BYTES = 50  # what a cell takes, with its share of the work of adding up
TERM_BYTES = 60 if NATIVE else 250  # what a word or an n-gram takes in an Indexer, about


class Sampled(NamedTuple):
    """A document kept for calibration."""

    digest: int
    label: str
    bag: dict[str, int]


class Collection:
    """The counts of the shards added so far.

    memory  about how many bytes they may take before they go to disk; None for any
    folder  for runs, where memory is limited
    """

    def __init__(self, analysis: Analysis, memory: int | None = None, folder: RunFolder | None = None) -> None:
        self.analysis = analysis
        self.memory = memory
        self.folder = folder
        self.digests: list[Integers] = []
        self.classes: list[Integers] = []
        self._numbers: dict[str, int] = {}  # label -> class number, as they come
        self._runs: list[str] = []
        self._sampled: dict[tuple[int, str], Sampled] = {}  # (digest, label) -> of documents given back already
        self._empty()

    def _empty(self) -> None:
        self._indexer = Indexer(self.analysis.tokenize(), self.analysis.ngrams)
        self._cells: list[Cells] = []
        self._samples: list[Documents] = []
        self._sorted: Tokens | None = None

    def add(self, shard: Shard) -> None:
        """Add the counts of a shard."""
        numbers = [self._numbers.setdefault(label, len(self._numbers)) for label in shard.labels]
        classes = np.array(numbers, np.int32)
        words, grams = (int32(each) for each in self._indexer.merge(*shard.terms))
        self.digests.append(shard.digests)
        self.classes.append(classes[shard.classes])
        cells, sample = shard.cells, shard.sample
        self._cells.append(cells._replace(terms=renumbered(cells.terms, words, grams), classes=classes[cells.classes]))
        self._samples.append(
            sample._replace(tokens=renumbered(sample.tokens, words, grams), classes=classes[sample.classes])
        )
        self._tidy()
        if self.memory and self._held() > self.memory:
            self._cells = [_added(self._cells)]
            if self._held() > self.memory // 2:
                self._spill()

    def _tidy(self) -> None:
        """Add up cells and sort out samples, so seldom that it takes little time."""
        added, *loose = (len(cells.terms) for cells in self._cells)
        if sum(loose) > max(added, LOOSE_CELLS):
            self._cells = [_added(self._cells)]
        if sum(sample.size for sample in self._samples) > LOOSE_SAMPLES:
            self._samples = [lowest(Documents.joined(self._samples))]

    def _held(self) -> int:
        """The bytes that counts take in memory, about."""
        terms = self._indexer.word_count + self._indexer.gram_count
        return sum(len(cells.terms) for cells in self._cells) * CELL_BYTES + terms * TERM_BYTES

    def _spill(self) -> None:
        """Put the counts on disk as a sorted run."""
        assert self.folder
        self._runs.append(self.folder.write(self._in_memory()))

    @property
    def labels(self) -> list[str]:
        """The labels of all classes, sorted: a class is numbered by its place."""
        return sorted(self._numbers)

    @property
    def _places(self) -> Integers:
        """The place among the sorted labels of each class as it came."""
        labels = {label: place for place, label in enumerate(self.labels)}
        return np.array([labels[label] for label in self._numbers], np.int32)

    def documents(self) -> Integers:
        """How many documents each class has."""
        return np.bincount(self._classes(), minlength=len(self._numbers))

    def _classes(self) -> Integers:
        """The class of each document."""
        return np.asarray(self._places[np.concatenate([*self.classes, np.empty(0, np.int32)])])

    def times(self) -> Iterator[tuple[int, int, int]]:
        """The digest and the class of each document, once, and how often it was counted."""
        return times_of(np.concatenate([*self.digests, np.empty(0, np.int64)]), self._classes())

    def sample(self) -> list[Sampled]:
        """The documents with the lowest digests, lowest first."""
        self._keep_sample()
        return [self._sampled[key] for key in sorted(self._sampled)[:SAMPLE]]

    def chunks(self) -> Iterator[Chunk]:
        """All tokens with their counts, sorted; can be asked for once, as counts in memory are given back."""
        streams = [*map(read_run, self._runs), self._in_memory()]
        places = self._places
        ordered = bool((places == np.arange(len(places))).all())
        for tokens, counts in merged(streams, len(places)) if self._runs else streams[0]:
            yield Chunk(tokens, counts if ordered else counts.with_classes(places))

    def _in_memory(self) -> Iterator[Chunk]:
        """The chunks in memory, classes numbered as they came. All memory but the sample is freed at the first one."""
        tokens, count = self._tokens, len(self._numbers)
        self._keep_sample()
        cells = _added(self._cells)
        self._empty()
        keys = tokens.numbers(cells.terms) * count + cells.classes
        counts = Counts.of_cells(np.zeros(count, np.int64), len(tokens), keys, cells.occurrences, cells.frequency)
        del cells, keys
        used = np.flatnonzero(np.diff(counts.starts))
        for start in range(0, len(used), CHUNK):
            some = used[start : start + CHUNK]
            yield Chunk(tokens.texts(some), counts.some(some))

    @property
    def _tokens(self) -> Tokens:
        """The tokens of the terms in memory; sorted once for all who ask."""
        indexer = self._indexer
        terms = indexer.word_count + indexer.gram_count
        if self._sorted is None or len(self._sorted) < terms:
            self._sorted = Tokens(Terms.of(indexer))
        return self._sorted

    def _keep_sample(self) -> None:
        """Spell out the documents in the samples, which are given back."""
        if not self._samples:
            return
        documents = lowest(Documents.joined(self._samples))
        tokens = self._tokens
        numbered = documents._replace(tokens=tokens.numbers(documents.tokens))
        self._sampled |= {(each.digest, each.label): each for each in sampled(numbered, tokens, list(self._numbers))}
        self._samples = []


def sampled(documents: Documents, tokens: Tokens, labels: Sequence[str]) -> list[Sampled]:
    """Documents as texts.

    tokens  those of the documents, by number
    labels  of the classes, by number
    """
    numbers, places = np.unique(documents.tokens, return_inverse=True)
    order = np.lexsort([places, documents.rows])  # sorted, as they will be written
    bags = documents._replace(tokens=places[order], occurrences=documents.occurrences[order]).bags()
    texts = tokens.texts(numbers)
    return [
        Sampled(digest, labels[index], {texts[token]: n for token, n in zip(*bag, strict=True)})
        for digest, index, bag in zip(documents.digests.tolist(), documents.classes.tolist(), bags, strict=True)
    ]


def times_of(digests: Integers, classes: Integers) -> Iterator[tuple[int, int, int]]:
    """Each digest and class, sorted, and how often the two come together.

    >>> list(times_of(np.array([7, 5, 7]), np.array([0, 1, 0])))
    [(5, 1, 1), (7, 0, 2)]
    """
    order = np.lexsort([classes, digests])
    digests, classes = digests[order], classes[order]
    new = np.ones(len(digests), np.bool_)
    new[1:] = (np.diff(digests) != 0) | (np.diff(classes) != 0)
    firsts = np.flatnonzero(new)
    times = np.diff(firsts, append=len(digests))
    for start in range(0, len(firsts), CHUNK):
        some = firsts[start : start + CHUNK]
        yield from zip(
            digests[some].tolist(), classes[some].tolist(), times[start : start + CHUNK].tolist(), strict=True
        )


def renumbered(terms: Integers, words: Integers, grams: Integers) -> Integers:
    """Terms by the numbers that another Indexer has for its words and n-grams."""
    if not len(grams):
        return words[terms]
    single = terms >= 0
    renumbered = np.empty_like(terms)
    renumbered[single] = words[terms[single]]
    renumbered[~single] = ~grams[~terms[~single]]
    return renumbered


def _added(parts: list[Cells]) -> Cells:
    """The cells of several parts, those of the same term and class added up."""
    if len(parts) < 2:
        return parts[0] if parts else Cells(*(np.empty(0, np.int64) for _ in Cells._fields))
    terms, classes, occurrences, frequency = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort((terms.astype(np.int64) << 32) + classes)
    terms, classes = terms[order], classes[order]
    firsts = np.flatnonzero((np.diff(terms, prepend=terms[:1] + 1) != 0) | (np.diff(classes, prepend=-1) != 0))
    added = (np.add.reduceat(column[order], firsts) for column in (occurrences, frequency))
    return Cells(terms[firsts], classes[firsts], *added)
