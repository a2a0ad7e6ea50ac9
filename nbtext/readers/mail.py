"""Mail: a file is a message (RFC 5322). What is evidence in it is `mail.evidence`'s business."""

from collections.abc import Iterator
from typing import BinaryIO

from ..decoding import Decode, is_binary
from ..errors import DocumentError
from ..mail.dates import Dated
from ..mail.evidence import parts
from ..mail.mime import has_header
from . import LARGEST_BYTES, Document
from ._streams import STEP_BYTES

LABELLED = False
KIND = "mail"
LINES = False


def read(stream: BinaryIO, name: str, decode: Decode) -> Iterator[Document]:
    r"""The one message of a stream.

    >>> from io import BytesIO
    >>> [document] = read(BytesIO(b"Subject: lunch!\n\nat noon\n"), "-", bytes.decode)
    >>> document.parts[:3]
    [('subject', 'lunch!'), ('shape', 'a!'), ('mark', 'subject_bang subject_capitals_0')]
    >>> document.parts[3:]
    [('', 'at noon\n'), ('begin', 'at noon'), ('mark', 'capitals_0')]

    Raises: DocumentError ("too large"; "binary", for bytes without a header that are no text either).
    """
    message = stream.read(STEP_BYTES)
    if len(message) == STEP_BYTES:  # to ask for the most at once would take room for it, which takes time
        message += stream.read(LARGEST_BYTES + 1 - STEP_BYTES)
    if 0 in message and is_binary(message) and not has_header(message):
        raise DocumentError(f"{name}: no mail but binary: it has no header, and NUL bytes", "binary")
    yield document(message, name, decode)


def document(message: bytes, name: str, decode: Decode) -> Document:
    """What is read from a message, whatever its bytes are.

    Raises: DocumentError ("too large").
    """
    if len(message) > LARGEST_BYTES:
        raise DocumentError(f"{name}: a message over {LARGEST_BYTES:,} bytes; leave it out", "too large")
    return Document(parts(message, decode), None, name, Dated(message))
