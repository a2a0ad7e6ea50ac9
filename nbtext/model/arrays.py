"""All counts of a model file as arrays; and arrays written as the rows of a file."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

import numpy as np

from .. import kernel
from ..counting.counts import Counts
from ..counting.documents import Documents, Integers
from ..counting.merging import Chunk
from ..counting.ordering import Lines
from ..counting.tokens import orders, places
from ..fields import ATTRIBUTE, is_attribute
from ..inference.attributes import AttributeTokens
from ..inference.estimator import Estimator
from ..inference.weighting import Kinds, Weighting
from ..settings import Hyperparameters
from ..storage.schema import LARGEST
from ..storage.store import Store

BLOCKS = 1500  # read at a time


class Loaded:
    """The counts of a model.

    lines   the tokens, sorted
    counts  of the tokens
    """

    def __init__(self, lines: Lines, counts: Counts) -> None:
        self.lines = lines
        self.counts = counts

    @cached_property
    def tokens(self) -> list[str]:
        """The tokens, sorted."""
        return self.lines.texts()

    def numbers(self, tokens: Iterable[str]) -> Integers:
        """The number of each of the tokens, -1 for one that the model does not have."""
        wanted = list(tokens)
        numbers = self._numbers(frozenset(wanted))
        return np.array([numbers.get(token, -1) for token in wanted], np.int32)

    def documents(self, bags: Iterable[tuple[int, int, dict[str, int]]]) -> Documents:
        """(digest, class, bag) entries as arrays.

        Raises: KeyError for a token that the model does not have.
        """
        found = list(bags)
        numbers = self._numbers(frozenset[str]().union(*(bag for _, _, bag in found)))
        starts = np.cumsum([0, *(len(bag) for _, _, bag in found)])
        tokens = np.array([numbers[token] for _, _, bag in found for token in bag], np.int32)
        occurrences = np.array([n for _, _, bag in found for n in bag.values()], np.int32)
        classes = np.array([index for _, index, _ in found], np.int32)
        return Documents(starts, tokens, occurrences, classes, np.array([digest for digest, _, _ in found], np.int64))

    def _numbers(self, wanted: frozenset[str]) -> dict[str, int]:
        """The numbers of those of the tokens that the model has."""
        found = self.find(wanted)
        return dict(zip(self.texts(found), found.tolist(), strict=True))

    def estimator(
        self,
        labels: Sequence[str],
        hyperparameters: Hyperparameters,
        weights: tuple[Weighting, Kinds] | None = None,
    ) -> Estimator:
        """Scores many documents by these counts.

        labels   of the classes, by number
        weights  fitted weights and the kinds of tokens, if the hyperparameters ask for them
        """
        stopwords = self.find(hyperparameters.stopwords)
        estimator = Estimator(self.counts, labels, hyperparameters, stopwords, attribute_tokens=self.attributes)
        if not (weights and hyperparameters.is_weighted):
            return estimator
        weighting, kinds = weights
        return estimator.weighed(weighting, self.kinds(kinds))

    def texts(self, numbers: Integers) -> list[str]:
        """The tokens with these numbers."""
        return Lines(self.lines.some(numbers)).texts()

    def kinds(self, kinds: Kinds) -> Integers:
        """The number of the kind of each token."""
        found = orders(self.lines)
        by_order = np.array([kinds.number("", n) for n in range(int(found.max(initial=0)) + 1)], np.int64)
        numbers = by_order[found]
        for tag, number in kinds.numbers.items() if kinds.tagged else ():
            start, end = (bisect_left(self.lines, f"{tag}{after}".encode()) for after in ":;")  # neighbours, as sorted
            numbers[start:end] = number
        return numbers

    @property
    def attributes(self) -> AttributeTokens:
        """The tokens of attributes."""
        return attribute_tokens(self.lines)

    def find(self, tokens: Collection[str]) -> Integers:
        """The numbers of those tokens that the model has."""
        return places(self.lines.text, tokens)


def attribute_tokens(tokens: Lines) -> AttributeTokens:
    """Those of sorted tokens that are tokens of attributes."""
    start, end = (bisect_left(tokens, chr(ord(ATTRIBUTE) + after).encode()) for after in range(2))
    found = {number: text for number in range(start, end) if is_attribute(text := tokens[number].decode())}
    return AttributeTokens(np.array(list(found), np.int64), list(found.values()))


def read_chunks(store: Store, documents: Integers) -> Iterator[Chunk]:
    """All tokens of a model with their counts, sorted, in chunks.

    documents  their number in each class

    Raises: ModelError at the first count that is impossible, and if they are too large to be added up.
    """
    parts, total = store.parts(), 0.0
    while some := list(islice(parts, BLOCKS)):
        text, counts = ("".join(lines).encode() for lines in zip(*some, strict=True))
        if not kernel.are_tokens(text):
            raise store.damaged("tokens that are not sorted, or that are empty or have a control character")
        found = _parsed(counts, documents, text.count(b"\n"), store)
        total += float(found.occurrences.sum(dtype=np.float64))
        if total >= LARGEST:
            raise store.damaged("counts that are too large")
        yield Chunk(text, found)


def load(store: Store, documents: Sequence[int]) -> Loaded:
    """All tokens of a model with their counts.

    documents  their number in each class
    """
    in_class = np.array(documents, np.int64)
    chunks = list(read_chunks(store, in_class))
    counts = Counts.joined(in_class, [chunk.counts for chunk in chunks])
    return Loaded(Lines(b"".join([chunk.text for chunk in chunks])), counts)


def row_lines(counts: Counts) -> str:
    r"""The rows of all tokens, as in the file, a newline after each.

    >>> row_lines(Counts.of_cells(np.ones(2), 2, *np.array([[0, 0, 1], [0, 1, 1], [4, 5, 6], [1, 2, 3]])))
    '0,4,1,1,5,2\n1,6,3\n'
    """
    columns = zip(counts[1:], (np.int64, np.int32, np.int64, np.int64), strict=True)
    return kernel.row_lines(*(np.ascontiguousarray(column, dtype) for column, dtype in columns))


def _parsed(text: bytes, documents: Integers, tokens: int, store: Store) -> Counts:
    """The counts in the rows of some tokens."""
    try:
        columns = kernel.read_rows(text, documents)
    except ValueError:
        raise store.damaged("the counts of a token are impossible") from None
    if len(columns[0]) - 1 != tokens:
        raise store.damaged("more or fewer counts than tokens")
    return Counts(documents, *columns)
