"""Readers: one file per input format, from a stream of bytes to documents. A document has a list of (tag, text).

A reader does not open files, choose encodings, lower-case or tokenize: it gets the stream and a function from bytes to
text. Readers of formats with labels fill `Document.label`; for others `corpus` fills it from the folder. A new format
is one new file here that defines what `Reader` lists; its name is the value of `--reader`.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, starmap
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol

from ..decoding import Decoder
from ..fields import attribute_part

if TYPE_CHECKING:
    from ._row import Row


class Document(NamedTuple):
    """A text, with its label, name and other data.

    parts  (tag, text) pairs; the tag is "" for plain body text, else it prefixes the part's tokens; printable
    label  its known class, or None
    name   its origin, for people: a path, a path and a record number (`box:3`), or "-"
    dated  computes `time`, which few tasks need
    id     its identifier in its table, if there is one
    record the row or object that it was read from, to be written back
    attributes  (name, value) pairs, further evidence: a string is a category, a number is numeric
    """

    parts: Sequence[tuple[str, str]]
    label: str | None = None
    name: str = ""
    dated: Callable[[], float | None] | None = None
    id: str | None = None
    record: "Row | str | None" = None
    attributes: Sequence[tuple[str, str | float]] = ()

    @property
    def texts(self) -> list[str]:
        """Its texts for people: the subject and what has no tag; all parts if each has a tag, as columns have.

        The other parts of mail are made from its header and its links, for programs.

        >>> Document([("received", "example_org org"), ("subject", "lunch"), ("", "at noon"), ("url", "_menu")]).texts
        ['lunch', 'at noon']
        >>> Document([("subject", "lunch"), ("body", "at noon")]).texts
        ['lunch', 'at noon']
        """
        untagged = any(not tag for tag, _ in self.parts)
        return [text for tag, text in self.parts if tag in ("", "subject") or not untagged]

    @property
    def time(self) -> float | None:
        """When it was written, in seconds since 1970, if its format has a date."""
        return self.dated() if self.dated else None


def as_document(document: Document | str) -> Document:
    """The document itself, or a string as a document without a label.

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
    attributes = starmap(attribute_part, document.attributes)
    parts = "\0".join([*chain.from_iterable(chain(document.parts, attributes)), ""])
    return _hashed(parts.encode("utf-8", "surrogatepass"))


def repeat_digest(key: int, number: int) -> int:
    """The digest under which the repeat of that number of a learned document is recorded; each number gives another.

    >>> repeat_digest(5, 1) == repeat_digest(5, 1), repeat_digest(5, 1) == repeat_digest(5, 2)
    (True, False)
    """
    return _hashed(key.to_bytes(8, "big", signed=True), salt=number.to_bytes(8, "big"))


def _hashed(content: bytes, salt: bytes = b"") -> int:
    """64 bits of the BLAKE2b hash, signed."""
    # As hashlib gives it. That loads OpenSSL as well, which takes longer than the digest of a book; most commands need
    # neither
    from _blake2 import blake2b

    return int.from_bytes(blake2b(content, digest_size=8, salt=salt).digest(), "big", signed=True)


class Skipped(NamedTuple):
    """An input that is not read, or not completely.

    name     where it is: a path, or a path and a record number
    reason   its kind, for counting: litter, loose file, special file, dangling link, loop, archive, or a reason of
             `DocumentError`
    message  a line for people, which begins with the place
    label    the class of its document, if it is known
    """

    name: str
    reason: str
    message: str
    label: str | None = None

    @property
    def failed(self) -> bool:
        """Whether something is broken; otherwise it may be intended."""
        return self.reason in FAILURES


FAILURES = {"unreadable", "damaged", "too large", "dangling link"}

Read = Callable[[BinaryIO, str, Decoder], Iterator[Document | Skipped]]  # the `read` of a reader


class Reader(Protocol):
    """The names that a module of this package defines.

    LABELLED  whether its documents have labels
    KIND      "text" or "mail": readers of one kind make the same parts, so a model trained with one can classify
              documents read by another
    LINES     whether each line is a document on its own, whatever comes before it; may be left out
    WHOLE     the beginning of files whose lines belong together nevertheless; may be left out
    FIELDS    whether its `read` has an argument `fields`, the columns or fields to read; may be left out
    """

    LABELLED: bool
    KIND: str
    LINES: bool
    WHOLE: bytes
    FIELDS: bool

    @staticmethod
    def read(stream: BinaryIO, name: str, decode: Decoder) -> Iterator[Document | Skipped]:
        """The documents in a stream, in order; for each record that is left out, a `Skipped` in its place.

        Raises: DocumentError (see its reasons) for an input that is not of this format, or when nothing more can be
        read; the documents before that are given first.
        """
