"""Tab-separated values: label TAB text on each line. There is no quoting: a quotation mark is text.

A first line that names the columns label and text, in any order and among others, is a header; subject and title
then become parts of their own. Tabs beyond the last column are part of it. Blank lines are no records.
"""

from collections.abc import Iterator
from typing import BinaryIO

from ..decoding import Decoder
from . import Document, Skipped
from ._fields import broken, check_columns, document, named
from ._streams import lines

CLASSIC = ["label", "text"]

LABELLED = True
KIND = "text"
LINES = False


def read(stream: BinaryIO, name: str, decode: Decoder) -> Iterator[Document | Skipped]:
    """The documents in a stream, one a line.

    Raises: DocumentError if the header names a column twice.
    """
    columns: list[str] = []
    for item in lines(stream, name, decode):
        if isinstance(item, Skipped):
            yield item
            continue
        place, line = item
        if not line or line.isspace():
            continue
        if not columns:
            header = named(line.split("\t"))
            columns = header if set(CLASSIC) <= set(header) else CLASSIC
            if columns is header:
                check_columns(columns, place)
                continue
        yield _document(line.split("\t", len(columns) - 1), columns, place)


def _document(row: list[str], columns: list[str], place: str) -> Document | Skipped:
    if len(row) < len(columns):
        return broken(place, f"{len(row)} of {len(columns)} columns ({', '.join(columns)}), separated by tabs")
    return document(dict(zip(columns, row, strict=True)), place)
