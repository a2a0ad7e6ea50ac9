"""Mail: a file is a message (RFC 5322). What is evidence in it is `_message`'s business."""

from collections.abc import Iterator
from typing import BinaryIO

from ..decoding import Decode
from ..errors import DocumentError
from ..mail.dates import Dated
from ..mail.evidence import parts
from . import LARGEST_BYTES, Document
from ._streams import STEP_BYTES

LABELLED = False
KIND = "mail"


def read(stream: BinaryIO, name: str, decode: Decode) -> Iterator[Document]:
    r"""The one message of a stream.

    >>> from io import BytesIO
    >>> [document] = read(BytesIO(b"Subject: lunch!\n\nat noon\n"), "-", bytes.decode)
    >>> document.parts[:3]
    [('subject', 'lunch!'), ('shape', 'a!'), ('mark', 'subject_bang subject_capitals_0')]
    >>> document.parts[3:]
    [('', 'at noon\n'), ('begin', 'at noon'), ('mark', 'capitals_0')]

    Raises: DocumentError ("too large").
    """
    message = stream.read(STEP_BYTES)
    if len(message) == STEP_BYTES:  # to ask for the most at once would take room for it, which takes time
        message += stream.read(LARGEST_BYTES + 1 - STEP_BYTES)
    if len(message) > LARGEST_BYTES:
        raise DocumentError(f"{name}: a message over {LARGEST_BYTES:,} bytes; leave it out", "too large")
    yield Document(parts(message, decode), None, name, Dated(message))
