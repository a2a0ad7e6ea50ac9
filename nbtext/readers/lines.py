"""Lines of plain text: each is a document. A blank line is an empty document, so that each line has an answer."""

from collections.abc import Iterator
from typing import BinaryIO

from ..decoding import Decoder
from . import Document, Skipped
from ._streams import lines

LABELLED = False
KIND = "text"
LINES = True


def read(stream: BinaryIO, name: str, decode: Decoder) -> Iterator[Document | Skipped]:
    """The documents in a stream, one per line."""
    for line in lines(stream, name, decode):
        yield line if isinstance(line, Skipped) else Document((("", line[1]),), None, line[0])
