"""The distinct tokens of some documents, numbered in sorted order, as arrays: a corpus can have millions.

An n-gram is kept as the numbers of its words until its text is needed. The order of the texts is that of these numbers,
word by word, because a space comes before every character that a token can contain.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..fields import ATTRIBUTE, is_attribute
from ..kernel import Indexer, find_lines, sorted_rows, spelled
from ..tokenizers._lengths import MARK, is_piece, order
from .documents import Integers
from .ordering import SPACE, Lines, inverse, sorted_order

Numbers = NDArray[np.int64]
PIECE_END = MARK.encode()[-1]


class Terms(NamedTuple):
    """The terms of an Indexer, with its numbers; they can be pickled.

    words        in order of their numbers, in UTF-8, separated by newlines
    prefixes     for each n-gram, the term of all its tokens but the last
    lasts        for each n-gram, the word of its last token
    tag_lengths  for each word, the number of bytes of its tag and the colon
    """

    words: bytes
    prefixes: Sequence[int]
    lasts: Sequence[int]
    tag_lengths: Sequence[int]

    @classmethod
    def of(cls, indexer: Indexer) -> "Terms":
        """The terms that an Indexer has numbered so far."""
        return cls(indexer.words(), *indexer.grams(), indexer.tag_lengths())


class Shapes(NamedTuple):
    """The tags and lengths of tokens.

    found   the pairs (tag, number of words) that occur; a tag is the text before the first colon of the first word, and
            a character n-gram has 0 words
    places  the position of each token's pair among these
    """

    found: list[tuple[str, int]]
    places: Numbers

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Shapes":
        """The shapes of tokens by their texts.

        >>> Shapes.of(["be", "s:to be"])
        Shapes(found=[('', 1), ('s', 2)], places=array([0, 1]))
        """
        shapes = [(tag if colon else "", order(text)) for text in texts for tag, colon, _ in [_cut(text)]]
        found = sorted(set(shapes))
        numbers = {shape: place for place, shape in enumerate(found)}
        return cls(found, np.fromiter(map(numbers.__getitem__, shapes), np.int64, len(shapes)))


def orders(tokens: Lines) -> Numbers:
    """The number of words in each token; 0 for a character n-gram beside words.

    >>> orders(Lines("to be\\n<ca⋯\\n⋯128\\n".encode())).tolist()
    [2, 0, 1]
    """
    text, starts, ends = tokens.text, tokens.starts, tokens.ends
    if not len(tokens):
        return np.empty(0, np.int64)
    spaces = np.flatnonzero(text == SPACE)
    words = np.bincount(np.searchsorted(ends, spaces), minlength=len(tokens)) + 1
    marked = np.flatnonzero((words == 1) & (text[ends - 1] == PIECE_END) & (ends - starts > 1))
    pieces = [number for number in marked.tolist() if is_piece(tokens[number].decode())]
    words[pieces] = 0
    return words


def places(tokens: "bytes | NDArray[np.uint8]", wanted: Iterable[str]) -> Integers:
    r"""The positions of those tokens that are wanted.

    tokens  sorted, in UTF-8, a newline after each

    >>> places(b"at\nbe\nto\n", {"to", "at", "noon"}).tolist()
    [0, 2]
    """
    lines = sorted([f"{text}\n" for text in wanted if "\n" not in text])
    return np.asarray(find_lines(tokens, "".join(lines).encode("utf-8", "surrogatepass")))


def _cut(text: str) -> tuple[str, str, str]:
    """The tag of a token, a colon, and the rest; tags end in the first word."""
    return text.partition(" ")[0].partition(":")


class Tokens:
    """Distinct tokens in sorted order.

    terms  their numbers in the Indexer: word w has w, n-gram g has ~g

    >>> terms = Terms(b"to\\nbe", [0, -1], [1, 0], [0, 0])  # the n-grams are: to be, to be to
    >>> tokens = Tokens(terms)
    >>> tokens.texts(), tokens.numbers(np.array([0, 1, ~0, ~1])).tolist()
    (['be', 'to', 'to be', 'to be to'], [1, 0, 2, 3])
    """

    def __init__(self, terms: Terms) -> None:
        self._words = Lines(terms.words + b"\n" if len(terms.tag_lengths) else b"")
        self._tag_lengths = np.asarray(terms.tag_lengths, np.int32)
        self.word_count = len(self._words)
        self._spelling = _spelled(
            np.asarray(terms.prefixes, np.int32), np.asarray(terms.lasts, np.int32), self.word_count
        )
        ranks = self._ranks(0)
        if self._spelling.shape[1] == 1:  # single words, which all differ
            places = ranks
            self._order = inverse(places)
        else:
            later = self._ranks(1) if self._tag_lengths.any() else ranks
            later = np.append(later + 1, 0)  # at -1, no word
            keys = [ranks[self._spelling[:, 0]], *(later[column] for column in self._spelling[:, 1:].T)]
            self._order = sorted_rows(np.array(keys, np.int32), self.word_count + 1)
            places = inverse(self._order)
        # N-gram g has the term ~g: numpy counts it from the end
        self._places = np.concatenate([places[: self.word_count], places[self.word_count :][::-1]]).astype(np.int32)

    def __len__(self) -> int:
        return len(self._order)

    def numbers(self, terms: "NDArray[np.integer]") -> Integers:
        """The numbers here of terms with the numbers of the Indexer."""
        return np.asarray(self._places[terms])

    def _ranks(self, skipped: int) -> Numbers:
        """The position of each word among the distinct texts, sorted; without tags if these are skipped."""
        words = self._words
        order, differs = sorted_order(words.text, words.starts + skipped * self._tag_lengths, words.ends)
        ranks = np.empty(len(order), np.int64)
        ranks[order] = np.cumsum(differs) - 1
        return ranks

    @cached_property
    def lengths(self) -> Numbers:
        """The number of words of each token."""
        return np.asarray((self._spelling[self._order] >= 0).sum(axis=1))

    def texts(self, numbers: "NDArray[np.integer] | None" = None) -> list[str]:
        """The tokens with these numbers, or all of them, sorted."""
        return self.encoded(numbers).decode().split("\n")[:-1]

    def encoded(self, numbers: "NDArray[np.integer] | None" = None) -> bytes:
        """The same in UTF-8, a newline after each."""
        spelling = self._spelling[self._order if numbers is None else self._order[numbers]]
        return spelled(self._words.text, self._words.edges, self._tag_lengths, spelling)

    def shapes(self) -> Shapes:
        """The tags and lengths of all tokens.

        >>> shapes, places = Tokens(Terms(b"s:to\\nbe", [0], [1], [2, 0])).shapes()
        >>> shapes, places.tolist()
        ([('', 1), ('s', 1), ('s', 2)], [0, 1, 2])
        """
        words = self._words.text.tobytes().decode().split("\n")[:-1]
        tags = [word.partition(":")[0] if ":" in word else "" for word in words]
        names = sorted(set(tags))
        ranks = {tag: rank for rank, tag in enumerate(names)}
        of_word = np.fromiter(map(ranks.__getitem__, tags), np.int64, len(tags))
        longest = self._spelling.shape[1]
        orders = (self._spelling >= 0).sum(axis=1)
        orders[[number for number, word in enumerate(words) if is_piece(word)]] = 0
        keys = of_word[self._spelling[:, 0]] * (longest + 1) + orders
        found, places = np.unique(keys[self._order], return_inverse=True)
        shapes = [(names[tag], words) for tag, words in (divmod(key, longest + 1) for key in found.tolist())]
        return Shapes(shapes, places)

    @property
    def attributes(self) -> tuple[Numbers, list[str]]:
        """The tokens of attributes: their numbers, ascending, and their texts."""
        words = self._words
        marked = np.flatnonzero(words.text[words.starts] == ord(ATTRIBUTE))
        numbers = np.sort(self._places[marked])
        found = [(n, text) for n, text in zip(numbers.tolist(), self.texts(numbers), strict=True) if is_attribute(text)]
        return np.array([n for n, _ in found], np.int64), [text for _, text in found]

    def find(self, texts: Collection[str]) -> Integers:
        """The numbers of those texts that are tokens here."""
        return places(self.encoded(), texts) if texts else np.empty(0, np.int64)


def _spelled(prefixes: Integers, lasts: Integers, words: int) -> Integers:
    """The words of each term, one row each, first the single words, then the n-grams; shorter rows end in -1."""
    single = np.arange(words, dtype=np.int32)
    if not len(prefixes):
        return single[:, None]
    columns = [np.where(prefixes >= 0, column, -1) for column in (prefixes, lasts)]
    unfinished = np.flatnonzero(prefixes < 0)
    while len(unfinished):  # one round for each length of n-grams
        known = columns[-1][~prefixes[unfinished]] >= 0
        done = unfinished[known]
        for column in columns:
            column[done] = column[~prefixes[done]]
        columns.append(np.full_like(prefixes, -1))
        columns[-1][done] = lasts[done]
        unfinished = unfinished[~known]
    table = np.full((words + len(prefixes), len(columns)), -1, np.int32)
    table[:words, 0] = single
    table[words:] = np.stack(columns, axis=1)
    return table
