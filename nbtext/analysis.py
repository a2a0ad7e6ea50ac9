"""From a document to its tokens: settings that are fixed when a model is trained, and stored in its file.

The tokenizers cut texts. Here the parts of a document are put together, tokens of tagged parts get the tag as a prefix
(`subject:offer`), and adjacent tokens are joined to n-grams. `counting` counts the tokens, `event_models` weight them.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import starmap
from typing import Any, BinaryIO, NamedTuple, cast

from . import plugins, readers, tokenizers
from .decoding import Decoder, Limits, decoder
from .errors import ChoiceError
from .fields import Fields, attribute_token, check_tag
from .readers import Document, Read, Reader, Skipped
from .tokenizers import Tokenize
from .tokenizers._lengths import is_piece

PARTS_REMEMBERED = 2000  # tagged parts whose tokens are cached, as header fields often repeat,
SHORT_PART = 200  # if they have fewer characters than this for each length of n-grams: about 100 tokens at most


class Input(NamedTuple):
    """How streams become documents, and bytes text.

    read  the `read` of the reader, bound to the fields to read
    """

    reader: Reader
    decode: Decoder
    read: Read


class Analysis(NamedTuple):
    """The settings that classifying must share with training, as users spell them.

    reader     a module of `readers`
    tokenizer  a module of `tokenizers` with its options, as in `chars:n=4`
    ngrams     the longest run of adjacent tokens that counts as a token itself, >= 1
    encoding   how bytes that are not UTF-8 are read
    fields     which columns are read, as `Fields.spec` writes it; empty for the usual ones
    """

    reader: str = "text"
    tokenizer: str = "words"
    ngrams: int = 1
    encoding: str = "windows-1252"
    fields: str = ""

    def input(self, limits: Limits = Limits()) -> Input:
        """The reader and the decoder.

        limits  which documents are refused

        Raises: ChoiceError if there is no such reader or encoding, or if columns are named and the reader has none.
        """
        reader = cast(Reader, plugins.module(readers, self.reader))
        read = reader.read
        columns = self.columns
        if columns.names_columns or (self.has_columns and not columns.labelled):
            if not self.has_columns:
                raise ChoiceError(f"the reader {self.reader} has no columns; use csv, tsv or jsonl")
            read = partial(read, fields=columns)  # type: ignore[call-arg]  # only some readers have this argument
        elif columns.plain:
            read = partial(_tagged, read, columns.plain)
        return Input(reader, decoder(self.encoding, limits), read)

    @property
    def has_columns(self) -> bool:
        """Whether the reader reads columns or fields.

        Raises: ChoiceError if there is no such reader.
        """
        return bool(getattr(plugins.module(readers, self.reader), "FIELDS", False))

    @property
    def columns(self) -> Fields:
        """Which columns are read.

        Raises: ChoiceError if `fields` is not a text that `Fields.spec` writes.
        """
        return Fields.of(self.fields)

    def plain(self) -> dict[str, Any]:
        """The settings by name, as files and reports hold them; fields only if some are chosen."""
        plain = self._asdict()
        if not self.fields:
            del plain["fields"]
        return plain

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> "Analysis":
        """The inverse of `plain`; other keys of the dictionary are ignored.

        Raises: KeyError for a name that is missing.
        """
        return cls(**{"fields": "", **{name: plain[name] for name in cls._fields if name != "fields" or name in plain}})

    @property
    def is_tagged(self) -> bool:
        """Whether tokens begin with tags that show which part of a document they come from: in mail, and in
        tables with several columns of text.

        Raises: ChoiceError if there is no such reader.
        """
        return self.input().reader.KIND == "mail" or len(self.columns.text) > 1

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
        joins = joined(tokenize)

        def cut(part: tuple[str, str]) -> list[str]:
            tag, text = part
            check_tag(tag)
            found = tokenize(text)
            if self.ngrams > 1:
                single = tuple(filter(joins, found))
                for n in range(2, min(self.ngrams, len(single)) + 1):  # there are no longer ones
                    found += map(" ".join, zip(*(single[i:] for i in range(n)), strict=False))
            return [f"{tag}:{token}" for token in found] if tag else found

        remembered = lru_cache(PARTS_REMEMBERED)(cut)

        def tokens(document: Document) -> list[str]:
            found: list[str] = []
            for part in document.parts:
                tag, text = part
                found += remembered(part) if tag and len(text) * self.ngrams < SHORT_PART else cut(part)
            return found + list(starmap(attribute_token, document.attributes))

        return tokens


def joined(tokenize: Tokenize) -> Callable[[str], bool]:
    """The function that says whether a token can be part of an n-gram: character n-grams beside words cannot."""
    rules = tokenizers.rules_of(tokenize)
    if rules is not None and rules.whole:
        return lambda token: not is_piece(token)
    return bool


def _tagged(read: Read, tag: str, stream: BinaryIO, name: str, decode: Decoder) -> Iterator[Document | Skipped]:
    """The documents of a reader of plain text, with that tag on their texts."""
    for item in read(stream, name, decode):
        if isinstance(item, Document):
            yield item._replace(parts=[(tag, text) for _, text in item.parts])
        else:
            yield item
