"""Texts to document-term counts, in plain Python: the same numbers as `_indexer`."""

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import compress, count, islice

from ..fields import check_tag as check
from ..tokenizers import Tokenize, rules_of
from ..tokenizers._lengths import is_piece
from .batch import Batch

Parts = Sequence[tuple[str, str]]  # of a document: (tag, text) pairs


class _Words(dict[str, int]):
    """The numbers of words; a new word gets the next number."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


class _Grams(dict[tuple[int, str], int]):
    """The numbers of n-grams as ~number; a key is the term of all tokens but the last, and the text of the last."""

    def __missing__(self, gram: tuple[int, str]) -> int:
        self[gram] = term = ~len(self)
        return term


class Indexer:
    """Counts the terms of documents, and numbers terms in order of first occurrence: words and n-grams separately.

    Only one thread at a time may use it. Tokens are UTF-8 without newlines.

    >>> from nbtext.tokenizers import words
    >>> indexer = Indexer(words.make(), ngrams=2)
    >>> batch = indexer.add([[("", "To be or not to be")], [("subject", "To be")]])
    >>> list(batch.starts), list(batch.terms), list(batch.occurrences)
    ([0, 8, 11], [0, 1, 2, 3, -1, -2, -3, -4, 4, 5, -5], [2, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1])
    >>> indexer.words().split()
    [b'to', b'be', b'or', b'not', b'subject:to', b'subject:be']
    """

    def __init__(self, tokenize: Tokenize, ngrams: int = 1) -> None:
        """An Indexer without documents.

        tokenize  the result of a tokenizer's `make`, or any function from a text to its tokens
        ngrams    the longest run of adjacent tokens that is a term, >= 1
        """
        if ngrams < 1:
            raise ValueError(f"ngrams should be at least 1, not {ngrams}")
        self._tokenize = tokenize
        rules = rules_of(tokenize)
        self._has_pieces = rules is not None and rules.whole
        self._ngrams = ngrams
        self._words = _Words()
        self._tag_lengths = array("i")
        self._grams = _Grams()
        self._endings: dict[str, int] = {}  # the text of a last token -> a word with this text, with or without a tag

    @property
    def word_count(self) -> int:
        """The number of words."""
        return len(self._words)

    @property
    def gram_count(self) -> int:
        """The number of n-grams."""
        return len(self._grams)

    def words(self) -> bytes:
        """All words in order of their numbers, in UTF-8, separated by newlines."""
        return "\n".join(self._words).encode()

    def tag_lengths(self) -> Sequence[int]:
        """For each word, the number of bytes of its tag and the colon after it: int32."""
        return self._tag_lengths[:]

    def grams(self) -> tuple[Sequence[int], Sequence[int]]:
        """For each n-gram, the term of all tokens but the last, and the word of the last: two buffers of int32.

        The word of the last token has that token's text after its tag, if it has one. It need not occur in any
        document: some words have a number only for this.
        """
        prefixes = array("i", (prefix for prefix, _ in self._grams))
        return prefixes, array("i", (self._endings[ending] for _, ending in self._grams))

    def add(self, documents: Sequence[Parts], known: bool = False) -> Batch:
        """The counts of documents, each a sequence of (tag, text) pairs.

        known  leave out terms that have no number yet, instead of numbering them

        Raises: ValueError for a tag that cannot be printed.
        """
        starts, tokens = array("q", [0]), array("q")
        terms, occurrences = array("i"), array("i")
        for document in documents:
            found: Counter[int | None] = Counter()
            total = 0
            for tag, text in document:
                for level in self._levels(check(tag), self._tokenize(text), known):
                    found.update(level)
                    total += len(level)
            found.pop(None, None)
            terms.extend(found)  # type: ignore[arg-type]  # None was removed
            occurrences.extend(found.values())
            starts.append(len(terms))
            tokens.append(total)
        return Batch(starts, terms, occurrences, tokens)

    def _levels(self, tag: str, tokens: list[str], known: bool) -> Iterable[list[int | None]]:
        """The terms of a text: its words, then its pairs of words, and so on; None for unknown ones."""
        prefix = tag and f"{tag}:"
        length = len(prefix.encode())
        names = [prefix + token for token in tokens] if tag else tokens
        level: list[int | None] = list(map(self._words.get if known else self._words.__getitem__, names))
        self._tag_lengths.extend([length] * (len(self._words) - len(self._tag_lengths)))
        if self._has_pieces:
            whole = [not is_piece(token) for token in tokens]
            pieces = [term for term, is_whole in zip(level, whole, strict=True) if not is_whole]
            level, tokens, names = (list(compress(each, whole)) for each in (level, tokens, names))  # type: ignore[assignment]
            yield level
            yield pieces
        else:
            yield level
        if self._ngrams > 1 and len(tokens) > 1 and not known:
            for name in names[1:]:
                self._ending(name, length)
        for n in range(2, min(self._ngrams, len(tokens)) + 1):
            grams = zip(level, islice(tokens, n - 1, None), strict=False)
            level = list(map(self._grams.get if known else self._grams.__getitem__, grams))  # type: ignore[arg-type]
            yield level

    def _ending(self, word: str, length: int) -> str:
        """The text of a word after a tag of so many bytes; from now on there is a word with this text."""
        ending = word.encode()[length:].decode() if length else word
        if ending not in self._endings:
            number = self._words[word]
            if self._tag_lengths[number] != length:
                number = self._stand_in(ending)
            self._endings[ending] = number
        return ending

    def _stand_in(self, ending: str) -> int:
        """The number of a word that is this text with an empty tag or without a tag, if the real word's tag differs."""
        for length in count():
            number = self._words[":" * length + ending]
            if number == len(self._tag_lengths):
                self._tag_lengths.append(length)
            if self._tag_lengths[number] == length:
                return number
        raise AssertionError

    def merge(
        self, words: bytes, prefixes: Sequence[int], lasts: Sequence[int], tag_lengths: Sequence[int]
    ) -> tuple[Sequence[int], Sequence[int]]:
        """Numbers all terms of another Indexer, which returned these; returns the new numbers of its words and n-grams.

        An n-gram must come after the n-grams that it begins with. The result is two buffers of int32; the numbers of
        n-grams are g, not ~g.

        Raises: ValueError if the buffers contradict each other.
        """
        names = words.split(b"\n") if words or len(tag_lengths) else []
        if len(names) != len(tag_lengths) or len(prefixes) != len(lasts):
            raise ValueError("words and tag lengths, or prefixes and last words, differ in number")
        numbers = array("i")
        for name, length in zip(names, tag_lengths, strict=True):
            if not 0 <= length <= len(name):
                raise ValueError("a tag is longer than its word")
            number = self._words[name.decode()]
            if number == len(self._tag_lengths):
                self._tag_lengths.append(length)
            numbers.append(number)
        grams = array("i")
        for prefix, last in zip(prefixes, lasts, strict=True):
            if not (-len(grams) <= prefix < len(names) and 0 <= last < len(names)):
                raise ValueError("an n-gram is made of terms that are not given before it")
            term = numbers[prefix] if prefix >= 0 else ~grams[~prefix]
            grams.append(~self._grams[term, self._ending(names[last].decode(), tag_lengths[last])])
        return numbers, grams

    def add_tokens(self, tokens: bytes) -> Sequence[int]:
        """The terms of tokens given as text, numbered if they are new: a buffer of int32.

        tokens  in UTF-8, separated by newlines; the tokens of an n-gram are separated by spaces

        >>> from nbtext.tokenizers import words
        >>> list(Indexer(words.make(), ngrams=2).add_tokens(b"be\\nto\\nto be"))
        [0, 1, -1]
        """
        found = [self._without_last(token) for token in (tokens.decode().split("\n") if tokens else ())]
        return array("i", [term if ending is None else self._grams[term, ending] for term, ending in found])

    def _without_last(self, token: str) -> tuple[int, str | None]:
        """The term of a word; or of all but the last token of an n-gram, and the text of that one."""
        first, *rest = token.split(" ")
        term, ending = self._untagged(first), None
        for last in rest:
            if ending is not None:
                term = self._grams[term, ending]
            ending = self._ending(last, self._tag_lengths[self._untagged(last)])
        return term, ending

    def _untagged(self, word: str) -> int:
        number = self._words[word]
        if number == len(self._tag_lengths):
            self._tag_lengths.append(0)
        return number
