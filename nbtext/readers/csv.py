"""Comma-separated values as in RFC 4180, quotation marks included. The first row names the columns.

A column is called text (or body, content); one called label gives the labels, subject and title become parts of
their own, others are ignored. A document is named after the line on which its row begins. Blank lines are no records.
"""

import csv
from collections.abc import Iterator
from typing import BinaryIO

from ..decoding import Decode
from . import LARGEST_BYTES, Document
from ._fields import broken, document
from ._streams import numbered

LABELLED = True
KIND = "text"
LINES = False


def read(stream: BinaryIO, name: str, decode: Decode) -> Iterator[Document]:
    """The documents in a stream, one a row below the first.

    Raises: DocumentError at the first row that cannot be read; the documents before it have been given.
    """
    columns: list[str] = []
    for place, row in _rows(stream, name, decode):
        if not columns:
            columns = [column.strip().lower() for column in row]
            document(dict.fromkeys(columns, ""), place)  # no column of text is an error of this row
        elif len(row) != len(columns):
            raise broken(place, f"{len(row)} columns, not the {len(columns)} of the first row")
        else:
            yield document(dict(zip(columns, row, strict=True)), place)


def _rows(stream: BinaryIO, name: str, decode: Decode) -> Iterator[tuple[str, list[str]]]:
    csv.field_size_limit(LARGEST_BYTES)
    # Of all ends of lines only the line feed ends a row here; a stray carriage return would be an error.
    rows = csv.reader((f"{line}\n".replace("\r", " ") for _, line in numbered(stream, name, decode)), strict=True)
    while True:
        place = f"{name}:{rows.line_num + 1}"
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise broken(place, f"not CSV ({error})") from None
        if row is None:
            return
        if row:
            yield place, row
