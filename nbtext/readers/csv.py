"""Comma-separated values as in RFC 4180, quotation marks included. The first row names the columns.

`_fields` decides which columns are read; others are kept to be written back. Instead of commas there may be semicolons,
tabs or bars: the separator is the one that gives the first row a text column, or that of a line `sep=;` before it. A
document is named after the line on which its row begins. Blank lines are not records.
"""

import csv
from collections import deque
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple

from ..decoding import Decoder
from ..errors import DocumentError
from ..fields import USUAL, Fields
from . import Document, Skipped
from ._advice import EXAMPLES
from ._fields import Taken, broken, chosen_columns, document, named, numbered
from ._names import TEXTS
from ._row import Row
from ._streams import Line, lines

LABELLED = True
KIND = "text"
LINES = False
FIELDS = True

DELIMITERS = ",;\t|"
READ_AGAIN = 1_000_000  # characters
STRAY = "\udc0d"  # replaces a carriage return inside a line, at which `csv` would end the row; never in a text


class Header(NamedTuple):
    """The columns of a table, and how they are read.

    columns    their names, as written
    taken      their use
    delimiter  their separator
    is_line    whether the first line is a header
    """

    columns: list[str]
    taken: Taken
    delimiter: str
    is_line: bool


def read(stream: BinaryIO, name: str, decode: Decoder, fields: Fields = USUAL) -> Iterator[Document | Skipped]:
    """The documents in a stream, one per row below the header, if the table has one.

    Raises: DocumentError if no column is the text, or the name of a column in use comes twice.
    """
    most = decode.limits.document_bytes
    csv.field_size_limit(most)
    found = lines(stream, name, decode, returns=True)
    delimiters = fields.delimiter or DELIMITERS
    for item in found:
        if isinstance(item, Skipped):
            yield item
            continue
        line = item[1].removesuffix("\r")
        if line[:-1].lower() == "sep=" and line[-1] in DELIMITERS:
            delimiters = fields.delimiter or line[-1]
        elif line:
            rows = _Lines(found, most)
            first = header(item, delimiters, fields, rows.ahead)
            if not fields.header:
                rows.push(item)
            yield from _documents(rows, first)
            return


def header(first: Line, delimiters: str, fields: Fields, ahead: Callable[[int], list[str]]) -> Header:
    """The columns by the first line.

    delimiters  the possible separators
    ahead       gives some of the lines that follow, if a message needs them

    Raises: DocumentError if no column is the text, or the name of a column in use comes twice.
    """
    place, line = first[0], first[1].removesuffix("\r").replace("\r", " ")
    delimiter, cells = separated(line, delimiters, fields)
    columns = cells if fields.header else numbered(cells)
    names = named(columns)
    try:
        chosen = chosen_columns(fields, names, place, line=line, delimiter=delimiter)
    except DocumentError:
        some = list(csv.reader([line.replace("\r", " ") for line in ahead(EXAMPLES)], delimiter=delimiter))
        chosen = chosen_columns(fields, names, place, some, line=line, delimiter=delimiter)
    return Header(columns, chosen, delimiter, fields.header)


def separated(line: str, delimiters: str, fields: Fields) -> tuple[str, list[str]]:
    """The separator of a first line, and its cells: the separator that gives a column of text, else most columns."""
    wanted = {*TEXTS, *map(str.lower, fields.text)}
    ways = [(delimiter, next(csv.reader([line], delimiter=delimiter))) for delimiter in delimiters]
    return max(ways, key=lambda way: (not wanted.isdisjoint(named(way[1])), len(way[1])))


def _documents(found: "_Lines", header: Header) -> Iterator[Document | Skipped]:
    columns, chosen, delimiter, is_line = header
    names = named(columns)
    rows = csv.reader(found, delimiter=delimiter, strict=True)
    while True:
        found.begin_row()
        try:
            row = next(rows, None)
        except csv.Error as error:
            yield from found.broken(error)
            found.read_again()
            continue
        if row is None:
            return
        if found.has_returns:
            row = [cell.replace(STRAY, "\r") for cell in row]
        if len(row) == len(columns):
            yield document(
                dict(zip(names, row, strict=True)), chosen, found.place, Row(columns, row, delimiter, is_line)
            )
        elif row:
            hint = f"; a value with {delimiter!r} in it needs quotation marks" if len(row) > len(columns) else ""
            yield broken(found.place, f"{len(row)} columns, not the {len(columns)} of the first row{hint}")


class _Lines:
    """The lines below the header.

    After a broken row the next line begins a new row, even inside quotation marks: one that is never closed would
    swallow all the lines that follow. So lines are read again, but not so often that reading takes more than twice the
    time.
    """

    def __init__(self, found: Iterator[Line | Skipped], most: int) -> None:
        self._found = found
        self._most = most
        self._row: list[Line] = []  # the lines of the current row,
        self._size = 0  # their total number of characters
        self._unread: Skipped | None = None  # a line of it that cannot be read
        self._again: deque[Line] = deque()
        self.has_returns = False  # whether STRAY is in the current row
        self._credit = READ_AGAIN

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._again.popleft() if self._again else next(self._found)
        if isinstance(line, Skipped):
            self._unread = line
            raise csv.Error("one of its lines cannot be read")
        self._row.append(line)
        self._size += len(line[1]) + 1
        if self._size > self._most + 1:
            raise csv.Error(f"a row of over {self._most:,} characters")
        text = line[1]
        if "\r" in text and text.index("\r") < len(text) - 1:
            self.has_returns = True
            text = text[:-1].replace("\r", STRAY) + text[-1]
        return f"{text}\n"

    def ahead(self, count: int) -> list[str]:
        """Some of the lines that follow, without consuming them."""
        some = [line for line, _ in zip(self._found, range(count), strict=False)]
        self._again.extend(line for line in some if not isinstance(line, Skipped))
        return [line[1] for line in self._again]

    def push(self, line: Line) -> None:
        """Make this the next line."""
        self._again.appendleft(line)

    @property
    def place(self) -> str:
        """Where the current row begins."""
        return self._row[0][0]

    def begin_row(self) -> None:
        """Make the next line the first of a row."""
        self._row, self._size, self._unread = [], 0, None
        self.has_returns = False

    def broken(self, error: csv.Error) -> Iterator[Skipped]:
        """The current row as broken, or the line of it that cannot be read."""
        if self._unread:
            yield self._unread
        if self._row:
            yield broken(self.place, f"not CSV ({error})")

    def read_again(self) -> None:
        """Read the lines after the first of the row again."""
        if self._row:
            self._credit += len(self._row[0][1])  # these characters are finished
        if len(self._row) > 1 and self._size <= self._credit:
            self._credit -= self._size
            self._again.extendleft(reversed(self._row[1:]))
