"""From a document to its tokens: what is fixed when a model is trained, and travels in its file.

The tokenizers cut texts; here the parts of a document are put together, tagged parts prefixed (`subject:offer`), and
adjacent tokens joined to n-grams. How tokens are counted and weighed is left to `counts` and `event_models`.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, cast

from . import plugins, readers, tokenizers
from .decoding import Decoder, Limits, decoder
from .errors import ChoiceError
from .readers import Document, Reader
from .tokenizers import Tokenize

PARTS_REMEMBERED = 2000  # tagged ones, as header fields say the same again and again,
SHORT_PART = 200  # if they have fewer characters for each length of n-grams: some 100 tokens at most


class Input(NamedTuple):
    """How streams become documents, and their bytes text."""

    reader: Reader
    decode: Decoder


class Analysis(NamedTuple):
    """The settings that classifying must share with training, as users spell them.

    reader     a module of `readers`
    tokenizer  a module of `tokenizers` with its options, as in `chars:n=4`
    ngrams     the longest run of adjacent tokens that counts as a token itself, >= 1
    encoding   how bytes that are not UTF-8 are read
    """

    reader: str = "text"
    tokenizer: str = "words"
    ngrams: int = 1
    encoding: str = "windows-1252"

    def input(self, limits: Limits = Limits()) -> Input:
        """The reader and the decoder.

        limits  which documents are refused

        Raises: ChoiceError if there is no such reader or encoding.
        """
        return Input(cast(Reader, plugins.module(readers, self.reader)), decoder(self.encoding, limits))

    @property
    def is_tagged(self) -> bool:
        """Whether tokens begin with tags that say where in a document they are from: in mail.

        Raises: ChoiceError if there is no such reader.
        """
        return self.input().reader.KIND == "mail"

    def tokenize(self) -> Tokenize:
        """The function from a text to its tokens, without tags and n-grams.

        Raises: ChoiceError if there is no such tokenizer or option, or `ngrams` is below 1.
        """
        if type(self.ngrams) is not int or self.ngrams < 1:
            raise ChoiceError(f"n-grams of {self.ngrams} tokens do not exist; the shortest is 1")
        return cast(Tokenize, plugins.made(tokenizers, self.tokenizer))

    def tokens(self) -> Callable[[Document], list[str]]:
        """The function from a document to its tokens, in order, repeats included.

        >>> pairs = Analysis(ngrams=2).tokens()
        >>> pairs(Document([("subject", "Free offer"), ("", "Hello")]))
        ['subject:free', 'subject:offer', 'subject:free offer', 'hello']

        Raises: ChoiceError if there is no such tokenizer or option, or `ngrams` is below 1.
        """
        tokenize = self.tokenize()

        def cut(part: tuple[str, str]) -> list[str]:
            tag, text = part
            if not tag.isprintable():
                raise ValueError(f"the tag {tag!r} cannot begin a token: a character of it cannot be printed")
            found = tokenize(text)
            if self.ngrams > 1:
                single = tuple(found)
                for n in range(2, min(self.ngrams, len(found)) + 1):  # longer runs there are none
                    found += map(" ".join, zip(*(single[i:] for i in range(n)), strict=False))
            return [f"{tag}:{token}" for token in found] if tag else found

        remembered = lru_cache(PARTS_REMEMBERED)(cut)

        def tokens(document: Document) -> list[str]:
            found: list[str] = []
            for part in document.parts:
                tag, text = part
                found += remembered(part) if tag and len(text) * self.ngrams < SHORT_PART else cut(part)
            return found

        return tokens
