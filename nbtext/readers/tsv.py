"""Tab-separated values: label TAB text on each line. There is no quoting: a quotation mark is text.

A first line that names the columns label and text, in any order and among others, is a header; subject and title
then become parts of their own. Tabs beyond the last column are part of it. Blank lines are no records.
"""

from collections.abc import Iterator
from typing import BinaryIO

from ..decoding import Decode
from . import Document
from ._fields import broken, document
from ._streams import numbered

CLASSIC = ["label", "text"]

LABELLED = True
KIND = "text"
LINES = False


def read(stream: BinaryIO, name: str, decode: Decode) -> Iterator[Document]:
    """The documents in a stream, one a line.

    Raises: DocumentError at the first line with too few columns; the documents before it have been given.
    """
    columns: list[str] = []
    for place, line in numbered(stream, name, decode):
        if not line or line.isspace():
            continue
        if not columns:
            named = [column.strip().lower() for column in line.split("\t")]
            columns = named if set(CLASSIC) <= set(named) else CLASSIC
            if columns is named:
                continue
        row = line.split("\t", len(columns) - 1)
        if len(row) < len(columns):
            raise broken(place, f"{len(row)} of {len(columns)} columns ({', '.join(columns)}), separated by tabs")
        yield document(dict(zip(columns, row, strict=True)), place)
