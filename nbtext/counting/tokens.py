"""The distinct tokens of some documents, numbered in sorted order, as arrays: a corpus can have millions.

An n-gram is the numbers of its words until its text is wanted. The order of the texts is that of these numbers, word by
word, because a space comes before every character that a token can hold.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..fields import ATTRIBUTE, is_attribute
from ..kernel import Indexer
from ..tokenizers._lengths import is_piece, order

Numbers = NDArray[np.int64]

NEWLINE = ord("\n")
ROWS = 1 << 16  # lines that are looked at together
NO_HEADS = np.empty((0, 2), np.uint64)


class Terms(NamedTuple):
    """The terms of an Indexer, as it numbers them; they can be pickled.

    words        in order of their numbers, in UTF-8, a newline between two
    prefixes     of each n-gram, the term of all its tokens but the last
    lasts        of each n-gram, the word of its last token
    tag_lengths  of each word, how many bytes are its tag and the colon
    """

    words: bytes
    prefixes: Sequence[int]
    lasts: Sequence[int]
    tag_lengths: Sequence[int]

    @classmethod
    def of(cls, indexer: Indexer) -> "Terms":
        """Those that it has numbered so far."""
        return cls(indexer.words(), *indexer.grams(), indexer.tag_lengths())


class Shapes(NamedTuple):
    """What tokens look like.

    found   the (tag, number of words) that occur; a tag is what comes before the first colon of the first word, and a
            character n-gram has 0 words
    places  of each token, the place of its own among these
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


def _cut(text: str) -> tuple[str, str, str]:
    """The tag of a token, a colon, and the rest; tags end in the first word."""
    return text.partition(" ")[0].partition(":")


class Tokens:
    """Distinct tokens in sorted order.

    terms  what they are numbered by elsewhere: word w by w, n-gram g by ~g

    >>> terms = Terms(b"to\\nbe", [0, -1], [1, 0], [0, 0])  # the n-grams are: to be, to be to
    >>> tokens = Tokens(terms)
    >>> tokens.texts(), tokens.numbers(np.array([0, 1, ~0, ~1])).tolist()
    (['be', 'to', 'to be', 'to be to'], [1, 0, 2, 3])
    """

    def __init__(self, terms: Terms) -> None:
        words = terms.words.decode().split("\n") if len(terms.tag_lengths) else []
        lengths = np.asarray(terms.tag_lengths)
        self._words = words
        self._endings = words
        if lengths.any() and len(terms.lasts):
            encoded = terms.words.split(b"\n")
            self._endings = [word[n:].decode() for word, n in zip(encoded, lengths.tolist(), strict=True)]
        self.word_count = len(words)
        self._spelling = _spelled(np.asarray(terms.prefixes, np.int64), np.asarray(terms.lasts, np.int64), len(words))
        ranks = _ranks(words, np.frombuffer(terms.words, np.uint8))
        ending_ranks = ranks if self._endings is words else _repeated_ranks(self._endings)
        keys = [ranks[self._spelling[:, 0]]]
        keys += [np.where(column < 0, -1, ending_ranks[column]) for column in self._spelling[:, 1:].T]
        self._order = np.lexsort(keys[::-1]) if len(keys) > 2 else np.argsort(keys[0] * (len(words) + 1) + keys[1])
        self._places = np.empty_like(self._order)
        self._places[self._order] = np.arange(len(self._order))

    def __len__(self) -> int:
        return len(self._order)

    def numbers(self, terms: "NDArray[np.integer]") -> Numbers:
        """The numbers here of terms as they are numbered elsewhere."""
        return self._places[np.where(terms < 0, self.word_count + ~terms, terms)]

    @property
    def lengths(self) -> Numbers:
        """Of each token, how many words it is."""
        return np.asarray((self._spelling[self._order] >= 0).sum(axis=1))

    def texts(self, numbers: "NDArray[np.integer] | None" = None) -> list[str]:
        """The tokens of these numbers, or all of them, sorted."""
        terms = self._order if numbers is None else self._order[numbers]
        words, endings = self._words, self._endings
        first, second, *rest = self._spelling[terms].T.tolist()
        texts = [words[a] if b < 0 else f"{words[a]} {endings[b]}" for a, b in zip(first, second, strict=True)]
        for column in rest:
            texts = [text if w < 0 else f"{text} {endings[w]}" for text, w in zip(texts, column, strict=True)]
        return texts

    def shapes(self) -> Shapes:
        """What all tokens look like.

        >>> shapes, places = Tokens(Terms(b"s:to\\nbe", [0], [1], [2, 0])).shapes()
        >>> shapes, places.tolist()
        ([('', 1), ('s', 1), ('s', 2)], [0, 1, 2])
        """
        tags = [word.partition(":")[0] if ":" in word else "" for word in self._words]
        names = sorted(set(tags))
        ranks = {tag: rank for rank, tag in enumerate(names)}
        of_word = np.fromiter(map(ranks.__getitem__, tags), np.int64, len(tags))
        longest = self._spelling.shape[1]
        orders = (self._spelling >= 0).sum(axis=1)
        orders[[number for number, word in enumerate(self._words) if is_piece(word)]] = 0
        keys = of_word[self._spelling[:, 0]] * (longest + 1) + orders
        found, places = np.unique(keys[self._order], return_inverse=True)
        shapes = [(names[tag], words) for tag, words in (divmod(key, longest + 1) for key in found.tolist())]
        return Shapes(shapes, places)

    @property
    def attributes(self) -> tuple[Numbers, list[str]]:
        """The tokens that are values of attributes: their numbers, ascending, and they themselves."""
        words = [number for number, word in enumerate(self._words) if word[:1] == ATTRIBUTE and is_attribute(word)]
        numbers = np.sort(self._places[np.array(words, np.int64)])
        return numbers, self.texts(numbers)

    def find(self, texts: Collection[str]) -> Numbers:
        """The numbers of those of the texts that are tokens here."""
        found = [number for number, text in enumerate(self.texts()) if text in texts] if texts else []
        return np.array(found, np.int64)


def _ranks(texts: Sequence[str], encoded: NDArray[np.uint8]) -> Numbers:
    """The place of each of some distinct texts in sorted order.

    encoded  the same in UTF-8, whose bytes sort as characters do, a newline between two
    """
    starts = np.concatenate([[0], np.flatnonzero(encoded == NEWLINE) + 1])[: len(texts)]
    heads = np.concatenate([_heads(encoded, starts[at : at + ROWS]) for at in range(0, len(texts), ROWS)] or [NO_HEADS])
    order = np.lexsort(heads.T[::-1])
    alike = np.concatenate([[False], (heads[order[1:]] == heads[order[:-1]]).all(axis=1), [False]])
    bounds = np.flatnonzero(alike[1:] != alike[:-1])
    for start, last in zip(bounds[::2].tolist(), bounds[1::2].tolist(), strict=True):
        some = slice(start, last + 1)
        order[some] = sorted(order[some].tolist(), key=texts.__getitem__)
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order))
    return ranks


def _heads(encoded: NDArray[np.uint8], starts: Numbers) -> NDArray[np.uint64]:
    """The first 16 bytes of some lines as two numbers that sort as they do; zeros behind a shorter one."""
    places = starts[:, None] + np.arange(16)
    heads = encoded[np.minimum(places, len(encoded) - 1)]
    heads[np.logical_or.accumulate((heads == NEWLINE) | (places >= len(encoded)), axis=1)] = 0
    return np.asarray(heads.view(">u8"), np.uint64)


def _repeated_ranks(texts: Sequence[str]) -> Numbers:
    """The place of each text among the distinct ones, sorted."""
    places = {text: place for place, text in enumerate(sorted(set(texts)))}
    return np.fromiter(map(places.__getitem__, texts), np.int64, len(texts))


def _spelled(prefixes: Numbers, lasts: Numbers, words: int) -> Numbers:
    """The words of each term, first the single words, then the n-grams: a row each, -1 behind the shorter ones."""
    grams = np.where(prefixes >= 0, prefixes, -1), np.where(prefixes >= 0, lasts, -1)
    columns: list[Numbers] = list(grams)
    unfinished = np.flatnonzero(prefixes < 0)
    while len(unfinished):  # one round for each length of n-grams
        known = columns[-1][~prefixes[unfinished]] >= 0
        done = unfinished[known]
        for column in columns:
            column[done] = column[~prefixes[done]]
        columns.append(np.full(len(prefixes), -1))
        columns[-1][done] = lasts[done]
        unfinished = unfinished[~known]
    single = [np.arange(words), *[np.full(words, -1)] * (len(columns) - 1)]
    return np.stack([np.concatenate(pair) for pair in zip(single, columns, strict=True)], axis=1)
