"""Tab-separated values: label TAB text on each line. There is no quoting: a quotation mark is text.

A first line that names a column of text and one of labels, in any order and among others, is a header; subject and
title then become parts of their own. Tabs beyond the last column are part of it. Blank lines are no records.
"""

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from ..decoding import Decoder
from ..fields import USUAL, Fields
from . import Document, Row, Skipped
from ._fields import TEXTS, Taken, broken, chosen_columns, document, named, numbered, taken
from ._streams import lines

CLASSIC = ["label", "text"]

LABELLED = True
KIND = "text"
LINES = False
FIELDS = True


class Header(NamedTuple):
    """The columns of a table, as written, what is read of them, and whether the first line names them."""

    columns: list[str]
    taken: Taken
    is_line: bool


def read(stream: BinaryIO, name: str, decode: Decoder, fields: Fields = USUAL) -> Iterator[Document | Skipped]:
    """The documents in a stream, one a line.

    Raises: DocumentError if the header lacks a column that was asked for, or names one twice.
    """
    delimiter = fields.delimiter or "\t"
    header: Header | None = None
    for item in lines(stream, name, decode):
        if isinstance(item, Skipped):
            yield item
            continue
        place, line = item
        if not line or line.isspace():
            continue
        if header is None:
            header = _header(line.split(delimiter), fields, place)
            if header.is_line:
                continue
        columns = header.columns
        row = line.split(delimiter, len(columns) - 1)
        if len(row) < len(columns):
            by = "tabs" if delimiter == "\t" else repr(delimiter)
            yield broken(place, f"{len(row)} of {len(columns)} columns ({', '.join(columns)}), separated by {by}")
        else:
            values = dict(zip(named(columns), row, strict=True))
            yield document(values, header.taken, place, Row(columns, row, delimiter))


def _header(cells: list[str], fields: Fields, place: str) -> Header:
    names = named(cells)
    if fields.names_columns:
        columns = cells if fields.header else numbered(cells)
        if not fields.header and not fields.text and len(cells) == len(CLASSIC):
            columns = CLASSIC
        return Header(columns, chosen_columns(fields, named(columns), place), fields.header)
    usual = taken(fields, names) if any(name in TEXTS for name in names) else None
    if usual and usual.label:
        return Header(cells, chosen_columns(fields, names, place), True)
    return Header(CLASSIC, taken(fields, CLASSIC), False)
