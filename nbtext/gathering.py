"""Documents gathered into counts: the part of training that grows with the corpus, and that is shared out to workers.

What is gathered from parts of a corpus merges by addition, in any order, to what is gathered from the whole. Past a
limit it goes to disk as sorted runs, and the merging is done there.
"""

import os
from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from heapq import merge
from itertools import chain, groupby
from typing import NamedTuple

from . import runs
from .analysis import Analysis
from .calibration import SAMPLE, Sample
from .corpus import Aside, Found, opened, without_label, without_token
from .counts import Counts, Row, merged
from .readers import Document
from .reading import Totals
from .sharing import AHEAD, Team, batches, results

Progress = Callable[[Iterable["Gathered"]], Iterable["Gathered"]]

CELL_BYTES = 140  # what a class's count of a token takes in memory, the token included; measured: 110 to 150
DIGESTS = 8  # digests take as much, with what sorting them takes
ASIDE = 5  # cells that a document left out takes as much as
FEWEST_CELLS = 20_000  # below this, runs are so small that nothing gets done but merging them
MOST_RUNS = 64  # merged at a time: each is an open file, and a piece of it in memory


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
    parts = (AHEAD + 1) * team.workers if team else 1  # some in the making, the others waiting to be merged
    return Limit(max(whole // parts, FEWEST_CELLS), folder), Limit(max(whole, FEWEST_CELLS), folder)


class Run(NamedTuple):
    """What once was gathered, on disk.

    labels   of the classes, in the order of the numbers that the rows use
    rows     the run of tokens with their rows
    learned  the run of (digest, label), sorted, one for each document
    """

    labels: Sequence[str]
    rows: str
    learned: str


class Gathered:
    """What was learned from some documents, and what was left out.

    counts   tokens and documents per class, the tokens only as far as they are not in `runs`
    learned  label -> the digests of its documents, as far as they are not in `runs`
    sample   documents kept for calibration
    aside    whatever was not counted, and why, and what was odd: the last ones, after those in `asides`
    runs     what memory had no room for
    """

    def __init__(self, limit: Limit | None = None, size: int = SAMPLE, bound: int | None = None) -> None:
        self.limit = limit
        self.counts = Counts()
        self.learned: defaultdict[str, array[int]] = defaultdict(_digests)
        self.sample = Sample(size, bound)
        self.aside: list[Aside] = []
        self.runs: list[Run] = []
        self.asides: list[str] = []
        self.single = False  # whether n-grams in the runs are passed over
        self.room = limit.cells if limit else 0  # cells that certainly can come before the limit is reached

    def add(self, document: Document, tokens: Sequence[str]) -> None:
        """Count a labelled document; one without a single token is left out as empty."""
        if document.label is None:
            self.leave_out(without_label(document.name))
        elif not tokens:
            self.leave_out(without_token(document.name))
        else:
            key = digest(document)
            self.counts.add(document.label, tokens)
            self.learned[document.label].append(key)
            self.sample.offer(key, document.label, tokens)
            self._take_room(len(tokens) + 1)

    def leave_out(self, item: Aside) -> None:
        """Remember what was not counted, or is odd."""
        self.aside.append(item)
        self._take_room(ASIDE)

    def merge(self, other: "Gathered") -> None:
        """Add all that the other has counted; what it left out is not taken over."""
        self.counts.merge(other.counts)
        for label, digests in other.learned.items():
            self.learned[label].extend(digests)
        self.sample.merge(other.sample)
        self.runs += other.runs
        self._take_room(other.counts.cells)

    def left_out(self) -> Iterator[Aside]:
        """Whatever was not counted, or is odd, in order."""
        return chain(*map(runs.read, self.asides), self.aside)

    def spill(self) -> None:
        """Put all that grows on disk."""
        if self.learned:
            labels = sorted(self.counts.documents)
            self.runs.append(self._run(labels, self.counts.drained(labels), _sorted(self.learned)))
            self.learned.clear()
        if self.aside and self.limit:
            self.asides.append(runs.written(self.aside, self.limit.folder))
            self.aside.clear()

    def without_ngrams(self) -> "Gathered":
        """The same as if only single tokens had been counted: none of them holds a space, which joins n-grams."""
        single = copy(self)
        single.single = True
        single.counts = self.counts.without_ngrams()
        single.sample = self.sample.without_ngrams()
        return single

    def rows(self, labels: Sequence[str]) -> Iterator[tuple[str, Row]]:
        """Each token with its row, tokens sorted, classes numbered by their place in `labels`."""
        if not self.runs:
            return self.counts.rows(labels)
        rows = _rows(self.runs, labels)
        return ((token, row) for token, row in rows if " " not in token) if self.single else rows

    def look_up(self, tokens: Collection[str], labels: Sequence[str]) -> tuple[dict[str, Row], Totals]:
        """The rows of those of the tokens that were counted, and what all tokens add up to."""
        if not self.runs:
            return self.counts.look_up(tokens, labels), Totals.of_all(self.counts, labels)
        totals = Totals([self.counts.documents[label] for label in labels])
        return {token: row for token, row in totals.entered(self.rows(labels)) if token in tokens}, totals

    def times(self) -> Iterator[tuple[int, str, int]]:
        """(digest, label, how many times that document was counted), sorted."""
        pairs = merge(_sorted(self.learned), _learned(self.runs))
        return ((key, label, len(list(group))) for (key, label), group in groupby(pairs))

    def settle(self) -> None:
        """If there are runs, put the rest with them, and make so few of them that they can be merged at a time."""
        if self.runs:
            self.spill()
        while len(self.runs) > MOST_RUNS:
            some, self.runs = self.runs[:MOST_RUNS], self.runs[MOST_RUNS:]
            labels = sorted({label for run in some for label in run.labels})
            self.runs.append(self._run(labels, _rows(some, labels), _learned(some)))
            for run in some:
                os.unlink(run.rows)
                os.unlink(run.learned)

    def _run(self, labels: Sequence[str], rows: Iterable[tuple[str, Row]], learned: Iterable[tuple[int, str]]) -> Run:
        assert self.limit
        return Run(labels, runs.written(rows, self.limit.folder), runs.written(learned, self.limit.folder))

    def _take_room(self, cells: int) -> None:
        """Spill before there can be more cells than the limit allows; they are only counted when that is possible."""
        if self.limit:
            self.room -= cells
            if self.room < 0:
                documents = sum(map(len, self.learned.values()))
                held = self.counts.cells + documents // DIGESTS + len(self.aside) * ASIDE
                if held > self.limit.cells * 7 // 8:
                    self.spill()
                    held = 0
                self.room = self.limit.cells - held


def _rows(some: Iterable[Run], labels: Sequence[str]) -> Iterator[tuple[str, Row]]:
    numbers = {label: number for number, label in enumerate(labels)}
    return merged([([numbers[label] for label in run.labels], runs.read(run.rows)) for run in some])


def _learned(some: Iterable[Run]) -> Iterator[tuple[int, str]]:
    return merge(*(runs.read(run.learned) for run in some))


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

    hashed = blake2b(digest_size=8)
    for tag, text in document.parts:
        hashed.update(f"{tag}\0{text}\0".encode("utf-8", "surrogatepass"))
    return int.from_bytes(hashed.digest(), "big", signed=True)


def gathered(
    sources: Iterable[Found],
    analysis: Analysis,
    team: Team | None,
    memory: int,
    folder: str,
    size: int,
    report: Callable[[Aside], object],
    progress: Progress,
) -> Gathered:
    """All that the sources hold, read and counted by the team, or here if there is none.

    memory  in bytes, for all processes together
    folder  for runs
    size    how many documents the sample holds
    report  is told of everything that was not counted, or is odd
    """
    part_limit, limit = limits(memory, team, folder)
    count = partial(_counted, analysis=analysis, limit=part_limit, size=size)
    result = Gathered(limit, size)
    # What is known of the sample by now spares workers to carry documents that cannot be in it
    work = ((batch, result.sample.bound) for batch in batches(sources))
    for part in progress(results(team, count, work)):
        for item in part.left_out():
            report(item)
        for run in part.asides:
            os.unlink(run)
        result.merge(part)
    result.settle()
    return result


def _counted(work: tuple[Sequence[Found], int | None], analysis: Analysis, limit: Limit, size: int) -> Gathered:
    """The documents of a batch of sources, counted; those of digests above the bound are not wanted for the sample."""
    sources, bound = work
    return gathered_documents(opened(sources, analysis, encodings=True), analysis, Gathered(limit, size, bound))


def gathered_documents(
    found: Iterable[Document | Aside], analysis: Analysis, result: Gathered | None = None
) -> Gathered:
    """The documents counted, all else set aside."""
    tokens = analysis.tokens()
    result = result or Gathered()
    for item in found:
        if isinstance(item, Document):
            result.add(item, tokens(item))
        else:
            result.leave_out(item)
    return result
