"""Lines of plain text: each is a document. A blank one too, an empty document, so that answers never shift."""

from collections.abc import Iterator
from typing import BinaryIO

from ..decoding import Decode
from . import Document
from ._streams import numbered

LABELLED = False
KIND = "text"
LINES = True


def read(stream: BinaryIO, name: str, decode: Decode) -> Iterator[Document]:
    """The documents in a stream, one a line.

    Raises: DocumentError if the stream is binary or a line too large.
    """
    for place, line in numbered(stream, name, decode):
        yield Document((("", line),), None, place)
