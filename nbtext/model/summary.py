"""The totals of a new model, added up chunk by chunk, so that not all counts need be in memory."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..counting.counts import Counts
from ..counting.documents import Integers
from ..counting.merging import Chunk
from ..counting.ordering import Lines
from ..counting.runs import TokenRange
from ..counting.tokens import places
from ..inference.estimator import Estimator
from ..inference.filtering import Filtered, Mask
from ..inference.vocabulary import Totals
from ..kernel import find_lines
from ..settings import Hyperparameters
from .arrays import Loaded, attribute_tokens, row_lines


class Section(NamedTuple):
    """Neighbouring tokens, written as a model file has them, with what a `Summary` adds up.

    text        the tokens, sorted, in UTF-8, a newline after each
    counts      theirs, a line for each
    positions   of each class, tokens with repeats
    totals      as if no token were dropped
    stages      how many tokens each filter leaves
    kept        the tokens whose rows are kept, a newline after each
    rows        these
    wanted      whether each of them is wanted
    common      the places, among those kept, of tokens that are kept only because they are frequent
    frequent    their occurrences
    """

    text: bytes
    counts: str
    positions: Integers
    totals: Totals
    stages: dict[str, int]
    kept: bytes
    rows: Counts
    wanted: Mask
    common: Integers
    frequent: Integers


def section(
    work: tuple[Chunk | TokenRange, bytes],
    documents: Integers,
    hyperparameters: Hyperparameters,
    *,
    all_rows: bool = False,
) -> Section:
    """A part of all tokens. Any process can make it.

    work       the part, and the wanted tokens in it, as text
    documents  of each class
    all_rows   whether all rows are kept
    """
    part, wanted = work
    chunk = part.chunk()
    lines, counts = Lines(chunk.text), chunk.counts._replace(documents=documents)
    attributes = attribute_tokens(lines).numbers
    outside = np.concatenate([attributes, places(chunk.text, hyperparameters.stopwords)])
    undropped = hyperparameters._replace(drop_top=0)
    filtered = Filtered(counts, undropped, outside)
    is_wanted = np.zeros(len(lines), np.bool_)
    is_wanted[find_lines(chunk.text, wanted)] = True
    is_kept = is_wanted | all_rows
    is_kept[attributes] = True
    common: Integers = np.empty(0, np.int64)
    if hyperparameters.drop_top:
        common = filtered.ranking[~is_kept[filtered.ranking]][: hyperparameters.drop_top]
    is_kept[common] = True
    chosen = np.flatnonzero(is_kept)
    return Section(
        chunk.text,
        row_lines(counts),
        counts.positions,
        filtered.totals,
        filtered.stages,
        lines.where(is_kept),
        counts.some(chosen),
        is_wanted[chosen],
        np.searchsorted(chosen, common),
        filtered.occurrences[common],
    )


class Summary:
    """The totals of all tokens, and the rows of the few tokens that are needed again.

    These are the wanted ones, the tokens of attributes, and the `drop_top` most frequent of the others: without a
    document of wanted tokens, the others may be the most frequent.

    documents  their number in each class
    """

    def __init__(self, documents: Integers, hyperparameters: Hyperparameters) -> None:
        self.documents = documents
        self.hyperparameters = hyperparameters
        self.positions = np.zeros(len(documents), np.int64)  # of each class, tokens with repeats
        self._totals = Totals(documents.tolist())  # as if no token were dropped
        self._stages: dict[str, int] = {}
        self._kept: list[bytes] = []
        self._are_wanted: list[Mask] = []  # of these
        self._rows: list[Counts] = []
        self._highest = np.empty(0, np.int64)  # occurrences of the most frequent tokens so far

    def adding(self, sections: Iterable[Section]) -> Iterator[Section]:
        """All tokens, section by section; each is added as it passes."""
        for each in sections:
            self.add(each)
            yield each

    def add(self, section: Section) -> None:
        """Add the next of all tokens."""
        self.positions += section.positions
        self._totals.join(section.totals)
        self._stages = {name: left + self._stages.get(name, 0) for name, left in section.stages.items()}
        lines = Lines(section.kept)
        is_kept = np.ones(len(lines), np.bool_)
        is_kept[section.common] = self._are_highest(section.frequent)
        self._kept.append(lines.where(is_kept))
        self._are_wanted.append(section.wanted[is_kept])
        self._rows.append(section.rows.some(np.flatnonzero(is_kept)))

    def _are_highest(self, occurrences: Integers) -> Mask:
        """Whether tokens may be among the `drop_top` most frequent without the others, with ties."""
        full = len(self._highest) == self.hyperparameters.drop_top
        are_highest = occurrences > self._highest[:1] if full else np.ones(len(occurrences), np.bool_)
        highest = np.sort([*self._highest, *occurrences[are_highest]])
        self._highest = highest[len(highest) - min(len(highest), self.hyperparameters.drop_top) :]
        return are_highest

    @cached_property
    def loaded(self) -> Loaded:
        """The kept rows; all are added by now."""
        return Loaded(Lines(b"".join(self._kept)), Counts.joined(self.documents, self._rows))

    def wanted(self) -> Integers:
        """The number of each wanted token among those whose rows are kept."""
        return np.flatnonzero(np.concatenate([*self._are_wanted, np.empty(0, np.bool_)]))

    def estimator(self, labels: Sequence[str]) -> Estimator:
        """The kept rows, with the totals of all tokens."""
        estimator = self.loaded.estimator(labels, self.hyperparameters)
        filtered = estimator.filtered
        dropped = filtered.dropped
        sufficient = dropped[filtered.suffice(filtered.occurrences[dropped], filtered.frequency[dropped])]
        for row in estimator.counts.rows(sufficient.tolist()):
            self._totals.add(row, -1)
        filtered.totals = self._totals
        filtered.stages = self._stages
        return estimator
