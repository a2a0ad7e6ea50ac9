"""Plain text: the whole stream is one document."""

from collections.abc import Iterator
from typing import BinaryIO

from ..decoding import Decoder
from . import Document
from ._streams import whole

LABELLED = False
KIND = "text"
LINES = False


def read(stream: BinaryIO, name: str, decode: Decoder) -> Iterator[Document]:
    """The stream as one document.

    Raises: DocumentError if it is binary or too large.
    """
    yield Document((("", whole(stream, name, decode)),), None, name)
