"""Mail: a file is a message (RFC 5322). `mail.evidence` decides what is evidence in it."""

from collections.abc import Iterator
from typing import BinaryIO

from ..decoding import Decoder
from ..errors import DocumentError
from ..mail.dates import Dated
from ..mail.evidence import parts
from ..mail.mime import has_header
from . import Document
from ._streams import STEP_BYTES

LABELLED = False
KIND = "mail"
LINES = False


def read(stream: BinaryIO, name: str, decode: Decoder) -> Iterator[Document]:
    r"""The one message of a stream.

    >>> from io import BytesIO
    >>> [document] = read(BytesIO(b"Subject: lunch!\n\nat noon\n"), "-", Decoder())
    >>> document.parts[:3]
    [('subject', 'lunch!'), ('shape', 'a!'), ('mark', 'subject_bang subject_capitals_0')]
    >>> document.parts[3:]
    [('', 'at noon\n'), ('begin', 'at noon'), ('mark', 'capitals_0')]

    Raises: DocumentError ("too large"; "binary", for bytes that have no header and are not text).
    """
    message = stream.read(STEP_BYTES)
    if len(message) == STEP_BYTES:  # asking for the most at once would allocate it, which takes time
        message += stream.read(max(0, decode.limits.document_bytes + 1 - STEP_BYTES))
    if decode.refuses(message) and not has_header(message):
        raise DocumentError(f"{name}: binary, not mail: it has NUL bytes and no header", "binary")
    yield document(message, name, decode)


def document(message: bytes, name: str, decode: Decoder) -> Document:
    """The document of a message, whatever its bytes are.

    Raises: DocumentError ("too large").
    """
    most = decode.limits.document_bytes
    if len(message) > most:
        raise DocumentError(f"{name}: a message over {most:,} bytes; leave it out, or raise --largest", "too large")
    return Document(parts(message, decode), None, name, Dated(message))
