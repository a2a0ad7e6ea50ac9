"""Documents gathered into counts: the part of training that grows with the corpus, and that is shared out to workers.

What is gathered from parts of a corpus merges by addition, in any order, to what is gathered from the whole. The counts
of a part are packed as a run, which past a limit goes to disk; runs are added up when their rows are wanted.
"""

import os
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from functools import partial
from heapq import merge
from itertools import chain, groupby
from typing import NamedTuple, TypeVar

from ..analysis import Analysis
from ..corpus.reading import opened, read_ahead
from ..corpus.sources import Aside, Found, without_label, without_token
from ..engines._sharing import Team, batches, inherited, results
from ..inference.reading import Totals
from ..readers import Document
from . import packing, runs
from .counts import Counts, Row
from .packing import Columns, Run
from .sampling import SAMPLE, Sample
from .surveying import Survey, surveyed

Progress = Callable[[Iterable["Gathered"]], Iterable["Gathered"]]

CELL_BYTES = 140  # what a class's count of a token takes in memory, the token included; measured: 110 to 150
DIGESTS = 8  # digests take as much, with what sorting them takes
ASIDE = 5  # cells that a document left out takes as much as
FEWEST_CELLS = 20_000  # below this, runs are so small that nothing gets done but merging them
MOST_RUNS = 100  # merged at a time: of each at least a block is unpacked
WORTH_SHARING = 4  # stretches; with fewer, starting workers takes longer than the work

Made = TypeVar("Made")


class Limit(NamedTuple):
    """How much may be gathered before it goes to disk.

    cells   of the counts, and all else at their price
    folder  for the runs
    """

    cells: int
    folder: str


def limits(memory: int, team: Team | None, folder: str) -> tuple[Limit, Limit]:
    """The limits for a part of the work and for the whole, so that all processes together keep within the memory.

    memory  in bytes
    """
    whole = memory // CELL_BYTES // 2
    parts = team.workers + 1 if team else 1  # one in the making each; those that wait are packed, and take as one
    return Limit(max(whole // parts, FEWEST_CELLS), folder), Limit(max(whole, FEWEST_CELLS), folder)


class Gathered:
    """What was learned from some documents, and what was left out.

    counts   tokens and documents per class, the tokens only as far as they are not in `runs`
    learned  label -> the digests of its documents, as far as they are not in `digests`
    sample   documents kept for calibration and tuning
    aside    whatever was not counted, and why, and what was odd: the last ones, after those in `asides`
    runs     counts packed, in memory or on disk

    sample_size  documents that the sample holds at most
    bound        documents with a higher digest are not wanted for it
    """

    def __init__(self, limit: Limit | None = None, sample_size: int = SAMPLE, bound: int | None = None) -> None:
        self.limit = limit
        self.counts = Counts()
        self.learned: defaultdict[str, array[int]] = defaultdict(_digests)
        self.sample = Sample(sample_size, bound)
        self.aside: list[Aside] = []
        self.runs: list[Run] = []
        self.digests: list[str] = []  # runs of (digest, label), sorted, one for each document
        self.asides: list[str] = []
        # labels -> how many documents of the sample it covers, the survey, what single tokens add up to; until more is
        # added
        self.surveys: dict[tuple[str, ...], tuple[int, Survey, Totals]] = {}
        self.single = False  # whether n-grams in the runs are passed over
        self.worth_sharing = False  # whether other processes may merge the runs
        self.room = limit.cells if limit else 0  # cells that certainly can come before the limit is reached

    def add(self, document: Document, tokens: Sequence[str]) -> None:
        """Count a labelled document; one without a single token is left out as empty."""
        if document.label is None:
            self.leave_out(without_label(document.name))
        elif not tokens:
            self.leave_out(without_token(document.name))
        else:
            key, bag = digest(document), Counter(tokens)
            self.counts.add(document.label, bag.keys(), bag.values())
            self.learned[document.label].append(key)
            self.sample.offer(key, document.label, bag)
            self._take_room(len(tokens) + 1)

    def leave_out(self, item: Aside) -> None:
        """Remember what was not counted, or is odd."""
        self.aside.append(item)
        self._take_room(ASIDE)

    def merge(self, other: "Gathered") -> None:
        """Add all that the other has counted; what it left out is not taken over."""
        other.pack()
        self.counts.documents.update(other.counts.documents)
        for label, digests in other.learned.items():
            self.learned[label].extend(digests)
        self.sample.merge(other.sample)
        self.runs += other.runs
        self.surveys.clear()
        self.digests += other.digests
        self._take_room(other.held)

    def left_out(self) -> Iterator[Aside]:
        """Whatever was not counted, or is odd, in order."""
        return chain(*map(runs.read, self.asides), self.aside)

    def pack(self) -> None:
        """Make a run of the counts."""
        if self.counts.presences:
            self.surveys.clear()
            self.runs.append(packing.packed(dict(self.counts.entries())))

    def spill(self) -> None:
        """Put all that grows on disk."""
        assert self.limit
        folder = self.limit.folder
        self.pack()
        self.runs = [packing.on_disk(run, folder) if packing.bytes_in_memory(run) else run for run in self.runs]
        if self.learned:
            self.digests.append(runs.written(_sorted(self.learned), folder))
            self.learned.clear()
        if self.aside:
            self.asides.append(runs.written(self.aside, folder))
            self.aside.clear()

    def settle(self) -> None:
        """Make so few runs that they can be merged at a time."""
        self.pack()
        while len(self.runs) > MOST_RUNS:
            some, self.runs = self.runs[:MOST_RUNS], self.runs[MOST_RUNS:]
            spilled = packing.files(some)
            with self._making(packing.packed_again, some) as made:
                blocks = chain.from_iterable(made)
                self.runs.append(packing.on_disk(blocks, self.limit.folder) if spilled and self.limit else list(blocks))
            _delete(spilled)
        while len(self.digests) > MOST_RUNS:
            assert self.limit
            files, self.digests = self.digests[:MOST_RUNS], self.digests[MOST_RUNS:]
            self.digests.append(runs.written(merge(*map(runs.read, files)), self.limit.folder))
            _delete(files)

    def without_ngrams(self) -> "Gathered":
        """The same as if only single tokens had been counted."""
        self.pack()
        single = copy(self)  # with the same surveys, which are made for both
        single.single = True
        single.sample = self.sample.without_ngrams()
        return single

    @contextmanager
    def making(self, make: Callable[[Columns], Made]) -> Iterator[Iterator[Made]]:
        """A time in which there is what is made of the cells of each class, stretch by stretch, in order of the tokens.

        Processes that share the work start with it.
        """
        self.pack()
        with self._making(make, self.runs) as made:
            yield made

    def rows(self, labels: Sequence[str]) -> Iterator[tuple[str, Row]]:
        """Each token with its row, tokens sorted, classes numbered by their place in `labels`."""
        self.pack()
        for columns in self._stretches(self.runs):
            for token, text in zip(*packing.texts(columns(), labels), strict=True):
                yield token, list(map(int, text[1:-1].split(",")))

    def sampled(self, labels: Sequence[str], documents: int) -> tuple[dict[str, Row], Totals]:
        """The rows of the sample's tokens that stand in several documents, and what all tokens add up to.

        It is remembered, also for the same without n-grams: who asks again is spared another pass over the counts.

        labels     the place of a class among them is its number
        documents  the first of the sample, so many, whose tokens are wanted at least
        """
        self.pack()
        known = self.surveys.get(tuple(labels))
        if known is None or known[0] < documents:
            known = documents, *self._surveyed(labels, documents)
            if not self.single:  # else it knows nothing of n-grams, and would not serve both
                self.surveys[tuple(labels)] = known
        _, survey, single = known
        return survey.rows, single if self.single else survey.totals

    def _surveyed(self, labels: Sequence[str], documents: int) -> tuple[Survey, Totals]:
        """The survey of all tokens, and what single ones add up to."""
        wanted = set().union(*(bag for _, _, bag in self.sample.lowest(documents)))
        in_class = {label: self.counts.documents[label] for label in labels}

        def made(columns: Columns) -> tuple[Survey, Survey]:
            single = packing.without_ngrams(columns)
            return surveyed(columns, wanted, in_class), surveyed(single, frozenset(), in_class)

        whole, single = made({})
        with self.making(made) as surveys:
            for more, more_single in surveys:
                whole.extend(more)
                single.extend(more_single)
        return whole, single.totals

    def times(self) -> Iterator[tuple[int, str, int]]:
        """(digest, label, how many times that document was counted), sorted."""
        pairs = merge(_sorted(self.learned), *map(runs.read, self.digests))
        return ((key, label, len(list(group))) for (key, label), group in groupby(pairs))

    @contextmanager
    def _making(self, make: Callable[[Columns], Made], some: Sequence[Run]) -> Iterator[Iterator[Made]]:
        pieces = self._stretches(some)
        worth = self.worth_sharing and len(pieces) >= WORTH_SHARING
        with inherited(lambda number: make(pieces[number]()), worth=worth) as made:
            yield made(range(len(pieces)))

    def _stretches(self, some: Sequence[Run]) -> list[Callable[[], Columns]]:
        cut = partial(packing.stretch, some, single=self.single)
        return [partial(cut, *ends) for ends in packing.stretches(some)]

    @property
    def held(self) -> int:
        """The cells in memory, with all else that grows at its price."""
        documents = sum(map(len, self.learned.values()))
        packed = sum(map(packing.bytes_in_memory, self.runs)) // CELL_BYTES
        return self.counts.cells + packed + documents // DIGESTS + len(self.aside) * ASIDE

    def _take_room(self, more: int) -> None:
        """Pack or spill before there can be more than the limit allows; it is only summed up when that is possible."""
        if self.limit:
            self.room -= more
            if self.room < 0:
                if self.held > self.limit.cells * 7 // 8:
                    self.pack()
                    if self.held > self.limit.cells // 2:
                        self.spill()
                self.room = self.limit.cells - self.held


def _delete(files: Iterable[str]) -> None:
    for file in files:
        os.unlink(file)


def _digests() -> "array[int]":
    return array("q")


def _sorted(learned: Mapping[str, Iterable[int]]) -> Iterator[tuple[int, str]]:
    return merge(*(_pairs(label, digests) for label, digests in learned.items()))


def _pairs(label: str, digests: Iterable[int]) -> Iterator[tuple[int, str]]:
    return ((digest, label) for digest in array("q", sorted(digests)))


def digest(document: Document) -> int:
    """What a document is remembered by: 64 bits of its parts' text, signed as SQLite stores them.

    Its name and label do not count, so the same text is recognised anywhere.

    >>> digest(Document([("", "lunch at noon")], name="a")) == digest(Document([("", "lunch at noon")], label="ham"))
    True
    """
    from hashlib import blake2b  # it loads OpenSSL, and most commands have no use for it

    parts = "\0".join([*chain.from_iterable(document.parts), ""])
    hashed = blake2b(parts.encode("utf-8", "surrogatepass"), digest_size=8)
    return int.from_bytes(hashed.digest(), "big", signed=True)


def gathered(
    sources: Iterable[Found],
    analysis: Analysis,
    team: Team | None,
    memory: int,
    folder: str,
    report: Callable[[Aside], object],
    progress: Progress,
    sample_size: int,
) -> Gathered:
    """All that the sources hold, read and counted by the team, or here if there is none.

    memory       in bytes, for all processes together
    folder       for runs
    report       is told of everything that was not counted, or is odd
    sample_size  documents that the sample is to hold
    """
    part_limit, limit = limits(memory, team, folder)
    count = partial(_counted, analysis=analysis, limit=part_limit, sample_size=sample_size)
    result = Gathered(limit, sample_size)
    result.worth_sharing = team is not None
    # What is known of the sample by now spares workers to carry documents that cannot be in it
    work = ((batch, result.sample.bound) for batch in batches(sources))
    for part in progress(results(team, count, work)):
        for item in part.left_out():
            report(item)
        _delete(part.asides)
        result.merge(part)
    result.settle()
    return result


def _counted(work: tuple[Sequence[Found], int | None], analysis: Analysis, limit: Limit, sample_size: int) -> Gathered:
    """The documents of a batch of sources, counted; those of digests above the bound are not wanted for the sample."""
    sources, bound = work
    part = gathered_documents(opened(sources, analysis, encodings=True), analysis, Gathered(limit, sample_size, bound))
    part.pack()
    part.sample.pack()
    return part


def gathered_documents(
    found: Iterable[Document | Aside], analysis: Analysis, result: Gathered | None = None
) -> Gathered:
    """The documents counted, all else set aside."""
    tokens = analysis.tokens()
    result = result or Gathered()
    for item in read_ahead(found):
        if isinstance(item, Document):
            result.add(item, tokens(item))
        else:
            result.leave_out(item)
    return result
