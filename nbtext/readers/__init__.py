"""Readers: one input format a file, from a stream of bytes to documents. A document is a list of (tag, text).

A reader does not open files, choose encodings, lower-case or tokenize: it is handed the stream and the way to turn
bytes into text. A format that carries labels fills `Document.label`; `corpus` fills it from the folder elsewhere.
A new format is one new file here that defines what `Reader` lists; its name is the value of `--reader`.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, starmap
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol

from ..decoding import Decoder
from ..fields import attribute_part

if TYPE_CHECKING:
    from ._row import Row


class Document(NamedTuple):
    """A text with what is known of it.

    parts  (tag, text) pairs; the tag is "" for plain body text, else it prefixes the part's tokens; printable
    label  the class it is known to belong to, or None
    name   where it came from, for people: a path, a path and a record number (`box:3`), or "-"
    dated  tells `time`, which few tasks want to know
    id     what it is called in its table, if it says so
    record the row or object that it was read from, to be written back
    attributes  (name, value) pairs: what else is known of it as evidence; a text is a category, a number is one
    """

    parts: Sequence[tuple[str, str]]
    label: str | None = None
    name: str = ""
    dated: Callable[[], float | None] | None = None
    id: str | None = None
    record: "Row | str | None" = None
    attributes: Sequence[tuple[str, str | float]] = ()

    @property
    def time(self) -> float | None:
        """When it was written, in seconds since 1970, if its format says so."""
        return self.dated() if self.dated else None


def as_document(document: Document | str) -> Document:
    """A document; a text is one without a label.

    Raises: TypeError for anything else.
    """
    if isinstance(document, str):
        return Document([("", document)])
    if not isinstance(document, Document):
        raise TypeError(f"a document is a text (str) or an nbtext.Document, not {type(document).__name__}")
    return document


def digest(document: Document) -> int:
    """64 bits of the text of a document's parts and attributes, signed as SQLite stores them.

    Its name and label do not count, so that the same text is recognised anywhere.

    >>> digest(Document([("", "lunch at noon")], name="a")) == digest(Document([("", "lunch at noon")], label="ham"))
    True
    """
    from hashlib import blake2b  # it loads OpenSSL, and most commands have no use for it

    attributes = starmap(attribute_part, document.attributes)
    parts = "\0".join([*chain.from_iterable(chain(document.parts, attributes)), ""])
    hashed = blake2b(parts.encode("utf-8", "surrogatepass"), digest_size=8)
    return int.from_bytes(hashed.digest(), "big", signed=True)


def repeat_digest(key: int, number: int) -> int:
    """What stands for the digest of a document where it is learned once more: another for each number.

    >>> repeat_digest(5, 1) == repeat_digest(5, 1), repeat_digest(5, 1) == repeat_digest(5, 2)
    (True, False)
    """
    from hashlib import blake2b

    hashed = blake2b(key.to_bytes(8, "big", signed=True), digest_size=8, salt=number.to_bytes(8, "big"))
    return int.from_bytes(hashed.digest(), "big", signed=True)


class Skipped(NamedTuple):
    """Something that is not read, or not to its end.

    name     where it is: a path, or a path and a record number
    reason   a word or two to count it under: litter, loose file, special file, dangling link, loop, archive, or a
             reason of `DocumentError`
    message  a line for people, which begins with the place
    label    the class that its document belongs to, if it is known
    """

    name: str
    reason: str
    message: str
    label: str | None = None

    @property
    def failed(self) -> bool:
        """Whether something is broken; else it may be meant so."""
        return self.reason in FAILURES


FAILURES = {"unreadable", "damaged", "too large", "dangling link"}

Read = Callable[[BinaryIO, str, Decoder], Iterator[Document | Skipped]]  # the `read` of a reader


class Reader(Protocol):
    """What a module of this package is.

    LABELLED  whether its documents bring their labels with them
    KIND      "text" or "mail": readers of one kind make the same parts, so what was learned through one of them can be
              classified through another
    LINES     whether each line is a document whatever comes before it; may be left out
    WHOLE     how a file begins whose lines belong together all the same; may be left out
    FIELDS    whether its `read` takes `fields`, which columns or fields are read; may be left out
    """

    LABELLED: bool
    KIND: str
    LINES: bool
    WHOLE: bytes
    FIELDS: bool

    @staticmethod
    def read(stream: BinaryIO, name: str, decode: Decoder) -> Iterator[Document | Skipped]:
        """The documents in a stream, in order, and in the place of each record that is left out the reason.

        Raises: DocumentError (see its reasons) for an input that is not of this format, or of which no more can be
        read; the documents before have been given.
        """
