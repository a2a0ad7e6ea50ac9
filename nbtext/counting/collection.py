"""The counts of a corpus, added up from documents or shards: in memory, and past a limit in sorted runs on disk."""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from ..analysis import Analysis
from ..corpus.reading import opened
from ..corpus.sources import Aside, Found
from ..kernel import NATIVE, Indexer
from ..readers import Document
from . import SAMPLE
from .cells import Cells, renumbered
from .counts import Counts
from .digests import CHUNK, times_of
from .documents import Documents, Integers, int32
from .merging import Chunk, chunks
from .runs import Run, TokenRange, ranges, write_run
from .sample import Sampled, lowest, sampled
from .shards import CHARACTERS_AHEAD, Shard, heaps, numbered
from .tokens import Terms, Tokens

LOOSE_CELLS = 2_000_000  # cells, or entries of samples, that may wait; more only if as many are added up already,
LOOSE_SAMPLES = 4 * SAMPLE  # and documents that may wait to be sorted out: so memory does not grow with their number
CELL_BYTES = 60  # memory for a cell, with its share of the work of adding up
TERM_BYTES = 130 if NATIVE else 320  # memory for a word or an n-gram, with its share of the work of sorting
CHARACTER_BYTES = 16  # memory for a character of text until its documents are counted
FEWEST_CHARACTERS = 1 << 16  # of text that are counted at a time, however little memory there is
RUNS = 256  # that are merged at a time
MERGED_BYTES = 100  # what a cell takes while it is merged and handed over, a quarter of it: then all memory is free
FEWEST_CELLS = 20_000  # that are merged at a time, and
FEWEST_TOKENS = 1000  # in a chunk of a run, however little memory there is


class Share(NamedTuple):
    """The limits for a worker that counts.

    memory    about how many bytes its counts may take before they go to disk
    folder    for counts on disk
    to_disk   whether all counts go to disk
    highest   documents with a higher digest are not among the lowest; None if not known
    """

    memory: int
    folder: str
    to_disk: bool
    highest: int | None


def count_documents(found: Iterable[Document | Aside], analysis: Analysis, share: Share | None = None) -> Shard:
    """The counts of documents."""
    collection = Collection(analysis, *((share.memory, lambda: share.folder, share.highest) if share else ()))
    aside = collection.count(found)
    return collection.shard(aside, to_disk=bool(share and share.to_disk))


def count_sources(work: tuple[Iterable[Found], Share], analysis: Analysis) -> Shard:
    """The counts of the documents in some sources."""
    sources, share = work
    return count_documents(opened(sources, analysis, encodings=True), analysis, share)


class Collection:
    """The counts of the documents and shards added so far.

    memory   about how many bytes they may take before they go to disk; None for no limit
    folder   gives the path of the folder for runs, if memory is limited
    highest  documents with a higher digest are not sampled, if given
    """

    def __init__(
        self,
        analysis: Analysis,
        memory: int | None = None,
        folder: Callable[[], str] | None = None,
        highest: int | None = None,
    ) -> None:
        self.analysis = analysis
        self.memory = memory
        self.folder = folder
        self.highest = highest
        self.digests: list[Integers] = []
        self.classes: list[Integers] = []
        self._numbers: dict[str, int] = {}  # label -> class number, in order of appearance
        self._runs: list[Run] = []
        self._sampled: dict[tuple[int, str], Sampled] = {}  # (digest, label) -> documents spelled out already
        self._empty()

    def _empty(self) -> None:
        self._indexer = Indexer(self.analysis.tokenize(), self.analysis.ngrams)
        self._cells: list[Cells] = []
        self._samples: list[Documents] = []
        self._sorted: Tokens | None = None

    # --- adding ---

    def count(self, found: Iterable[Document | Aside]) -> list[Aside]:
        """Add the counts of documents; return what is set aside."""
        aside: list[Aside] = []
        waiting: list[Documents] = []
        characters = min(CHARACTERS_AHEAD, max(FEWEST_CHARACTERS, self._most(4 * CHARACTER_BYTES)))
        keep_empty = self.analysis.columns.keep_empty
        for heap in heaps(found, aside, characters):
            waiting.append(numbered(self._indexer, heap, self._numbers, aside, keep_empty=keep_empty)[0])
            if sum(len(documents.tokens) for documents in waiting) > min(LOOSE_CELLS, self._most(4 * CELL_BYTES)):
                self._count(Documents.joined(waiting))
                waiting = []
        if waiting:
            self._count(Documents.joined(waiting))
        return aside

    def _most(self, size: int) -> int:
        """The number of things of so many bytes for which there is memory."""
        return self.memory // size if self.memory else 1 << 62

    def _count(self, documents: Documents) -> None:
        """Add the counts of documents whose tokens and classes are numbered here."""
        indexer = self._indexer
        cells = Cells.of(documents, indexer.word_count, indexer.gram_count, len(self._numbers))
        self._add(documents.digests, documents.classes, cells, self._possible(documents))

    def _possible(self, documents: Documents) -> Documents:
        """The documents that may be among those with the lowest digests."""
        if self.highest is not None:
            documents = documents.some(np.flatnonzero(documents.digests <= self.highest))
        return lowest(documents)

    def add(self, shard: Shard) -> None:
        """Add the counts of a shard."""
        numbers = [self._numbers.setdefault(label, len(self._numbers)) for label in shard.labels]
        classes = np.array(numbers, np.int32)
        words, grams = (int32(each) for each in self._indexer.merge(*shard.terms))
        cells, sample = shard.cells, shard.sample
        self._runs += shard.runs
        self._add(
            shard.digests,
            classes[shard.classes],
            cells._replace(terms=renumbered(cells.terms, words, grams), classes=classes[cells.classes]),
            sample._replace(tokens=renumbered(sample.tokens, words, grams), classes=classes[sample.classes]),
        )
        self._keep(shard.sampled)

    def _add(self, digests: Integers, classes: Integers, cells: Cells, sample: Documents) -> None:
        self.digests.append(digests)
        self.classes.append(classes)
        self._cells.append(cells)
        self._samples.append(sample)
        self._tidy()
        if self.memory and self._held() > self.memory:
            self._cells = [Cells.added(self._cells)]
            if self._held() > self.memory // 2:
                self.spill()

    def _tidy(self) -> None:
        """Add up cells and sort out samples, if enough are waiting."""
        added, *loose = (len(cells.terms) for cells in self._cells)
        if sum(loose) > max(added, LOOSE_CELLS):
            self._cells = [Cells.added(self._cells)]
        kept, *more = (len(sample.tokens) for sample in self._samples)
        if sum(more) > max(kept, LOOSE_CELLS) or sum(sample.size for sample in self._samples) > LOOSE_SAMPLES:
            self._samples = [lowest(Documents.joined(self._samples))]

    def _held(self) -> int:
        """About how many bytes the counts take in memory."""
        terms = self._indexer.word_count + self._indexer.gram_count
        return sum(len(cells.terms) for cells in self._cells) * CELL_BYTES + terms * TERM_BYTES

    def spill(self) -> None:
        """Write the counts to disk as a sorted run."""
        if self._cells:
            self._write(list(self._numbers), self._in_memory())

    def shard(self, aside: list[Aside], *, to_disk: bool = False) -> Shard:
        """All counts as a shard.

        to_disk  as runs, and the sample as texts
        """
        if to_disk or self._runs:
            self.spill()
        return Shard(
            Terms.of(self._indexer),
            list(self._numbers),
            Cells.added(self._cells).narrow(),
            np.concatenate([*self.digests, np.empty(0, np.int64)]),
            np.concatenate([*self.classes, np.empty(0, np.int32)]),
            lowest(Documents.joined(self._samples)),
            list(self._sampled.values()),
            self._runs,
            aside,
        )

    def share(self, memory: int) -> Share:
        """The limits for a worker."""
        assert self.folder
        return Share(memory, self.folder(), self.is_on_disk, self.highest)

    @property
    def is_on_disk(self) -> bool:
        """Whether there are runs."""
        return bool(self._runs)

    # --- what was counted ---

    @property
    def labels(self) -> list[str]:
        """The labels of all classes, sorted: the number of a class is its position."""
        return sorted(self._numbers)

    def _places(self, labels: Iterable[str]) -> Integers:
        """The position of each of some labels among all sorted labels."""
        places = {label: place for place, label in enumerate(self.labels)}
        return np.array([places[label] for label in labels], np.int32)

    def documents(self) -> Integers:
        """The number of documents of each class."""
        return np.bincount(self._classes(), minlength=len(self._numbers))

    def _classes(self) -> Integers:
        """The class of each document."""
        return np.asarray(self._places(self._numbers)[np.concatenate([*self.classes, np.empty(0, np.int32)])])

    def times(self) -> Iterator[tuple[int, int, int]]:
        """The digest and the class of each different document, and how often it was counted."""
        return times_of(np.concatenate([*self.digests, np.empty(0, np.int64)]), self._classes())

    def sample(self) -> list[Sampled]:
        """The documents with the lowest digests, lowest first."""
        self._keep_sample()
        return [self._sampled[key] for key in sorted(self._sampled)[:SAMPLE]]

    def parts(self, workers: int = 1) -> Iterator[Chunk | TokenRange]:
        """All tokens with their counts, sorted, as chunks, or as what gives them.

        Can be asked for once, as counts in memory are given back.

        workers  how many will load parts at a time
        """
        if self._runs:
            yield from self._ranges(workers)
            return
        places = self._places(self._numbers)
        ordered = bool((places == np.arange(len(places))).all())
        for chunk in self._in_memory():
            yield chunk if ordered else Chunk(chunk.text, chunk.counts.with_classes(places))

    def _ranges(self, workers: int) -> Iterator[TokenRange]:
        """The same from runs."""
        self.spill()
        most = max(self._most(MERGED_BYTES * workers), FEWEST_CELLS)
        while len(self._runs) > RUNS:
            some, self._runs = self._runs[:RUNS], self._runs[RUNS:]
            self._write(self.labels, (part.chunk() for part in ranges(some, self.labels, most)))
            for run in some:
                os.unlink(run.path)
        return ranges(self._runs, self.labels, most)

    def _write(self, labels: list[str], chunks: Iterable[Chunk]) -> None:
        """Put chunks on disk as a run."""
        assert self.folder
        tokens = min(CHUNK, max(self._most(RUNS * 3 * MERGED_BYTES), FEWEST_TOKENS))
        self._runs.append(write_run(self.folder(), labels, chunks, tokens))

    def _in_memory(self) -> Iterator[Chunk]:
        """The chunks in memory, classes in order of appearance. All memory but the sample is freed at the first one."""
        tokens, count = self._tokens, len(self._numbers)
        self._keep_sample()
        parts = self._cells
        self._empty()
        cells = Cells.joined(parts)
        del parts
        columns = tokens.numbers(cells.terms), *cells[1:]
        counts = Counts.of_cells(np.zeros(count, np.int64), len(tokens), *columns)
        del cells, columns
        yield from chunks(tokens, counts)

    @property
    def _tokens(self) -> Tokens:
        """The tokens of the terms in memory, sorted only once."""
        indexer = self._indexer
        terms = indexer.word_count + indexer.gram_count
        if self._sorted is None or len(self._sorted) < terms:
            self._sorted = Tokens(Terms.of(indexer))
        return self._sorted

    def _keep_sample(self) -> None:
        """Spell out the documents in the samples, and free these."""
        if self._samples:
            documents = self._possible(Documents.joined(self._samples))
            tokens = self._tokens
            self._samples = []
            numbers = documents._replace(tokens=tokens.numbers(documents.tokens))
            self._keep(sampled(numbers, tokens, list(self._numbers)))

    def _keep(self, documents: Iterable[Sampled]) -> None:
        """Keep the documents that are among those with the lowest digests."""
        self._sampled |= {(each.digest, each.label): each for each in documents}
        self._sampled = {key: self._sampled[key] for key in sorted(self._sampled)[:SAMPLE]}
        if len(self._sampled) == SAMPLE:
            self.highest = max(self._sampled)[0]
