"""Bytes: a stream is one document whose tokens are its bytes, two hexadecimal digits each; for programs and the like.

With n-grams, pairs of bytes are tokens too, and so on, as in `--reader bytes --ngrams 2`.
"""

from collections.abc import Iterator
from typing import BinaryIO

from ..decoding import Decoder
from . import Document, Skipped
from ._streams import too_large

LABELLED = False
KIND = "text"
LINES = False


def read(stream: BinaryIO, name: str, decode: Decoder) -> Iterator[Document | Skipped]:
    """The stream as one document, unless it is too large."""
    most = decode.limits.document_bytes
    data = stream.read(most + 1)
    yield Document((("", data.hex(" ")),), None, name) if len(data) <= most else too_large(name, most)
