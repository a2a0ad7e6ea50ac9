"""Comma-separated values as in RFC 4180, quotation marks included. The first row names the columns.

A column is called text (or body, content); one called label gives the labels, subject and title become parts of
their own, others are ignored. Instead of commas there may be semicolons, tabs or bars: what makes a text column of the
first row is taken, or what a line `sep=;` before it says. A document is named after the line on which its row begins.
Blank lines are no records.
"""

import csv
from collections import deque
from collections.abc import Iterator
from typing import BinaryIO

from ..decoding import Decoder
from . import Document, Skipped
from ._fields import TEXTS, broken, check_columns, document, named
from ._streams import Line, lines

LABELLED = True
KIND = "text"
LINES = False

DELIMITERS = ",;\t|"
READ_AGAIN = 1_000_000  # characters


def read(stream: BinaryIO, name: str, decode: Decoder) -> Iterator[Document | Skipped]:
    """The documents in a stream, one a row below the first.

    Raises: DocumentError if the first row names no column of text, or one that is used twice.
    """
    found = lines(stream, name, decode)
    delimiters = DELIMITERS
    for item in found:
        if isinstance(item, Skipped):
            yield item
        elif item[1][:-1].lower() == "sep=":
            delimiters = item[1][-1]
        elif item[1]:
            place, header = item
            delimiter, columns = _columns(header, delimiters)
            check_columns(columns, place)
            yield from _documents(_Rows(found, delimiter, decode.limits.document_bytes), columns)


def _columns(header: str, delimiters: str) -> tuple[str, list[str]]:
    """The delimiter of a header and the columns it names: with a text among them if possible, else as many as can be."""
    ways = [(delimiter, named(next(csv.reader([header], delimiter=delimiter)))) for delimiter in delimiters]
    return max(ways, key=lambda way: (not set(TEXTS).isdisjoint(way[1]), len(way[1])))


def _documents(rows: "_Rows", columns: list[str]) -> Iterator[Document | Skipped]:
    for item in rows:
        if isinstance(item, Skipped):
            yield item
            continue
        place, row = item
        if len(row) == len(columns):
            yield document(dict(zip(columns, row, strict=True)), place)
        else:
            yield broken(place, f"{len(row)} columns, not the {len(columns)} of the first row")


class _Rows:
    """The rows of a table as (place, cells), and what could not be read.

    After a row that is broken the next line begins another, even if a quotation mark seemed to hold them together: one
    that is never closed would take all that follows with it. So lines are read again, but not so often that it takes
    more than twice the time.
    """

    def __init__(self, found: Iterator[Line | Skipped], delimiter: str, most: int) -> None:
        csv.field_size_limit(most)
        self._found = found
        self._most = most
        self._parsed = csv.reader(iter(self._line, None), delimiter=delimiter, strict=True)
        self._row: list[Line] = []  # the lines of the row at hand,
        self._size = 0  # their characters in all
        self._unread: Skipped | None = None  # the line of it that cannot be read
        self._again: deque[Line] = deque()
        self._credit = READ_AGAIN

    def __iter__(self) -> Iterator[tuple[str, list[str]] | Skipped]:
        while True:
            self._row, self._size, self._unread = [], 0, None
            try:
                cells = next(self._parsed, None)
            except csv.Error as error:
                yield from self._broken(error)
                self._give_again()
                continue
            if cells is None:
                return
            if cells:
                yield self._row[0][0], cells

    def _broken(self, error: csv.Error) -> Iterator[Skipped]:
        if self._unread:
            yield self._unread
        if self._row:
            yield broken(self._row[0][0], f"not CSV ({error})")

    def _line(self) -> str | None:
        """The next line of the row at hand; None at the end."""
        line = self._again.popleft() if self._again else next(self._found, None)
        if line is None:
            return None
        if isinstance(line, Skipped):
            self._unread = line
            raise csv.Error("a line of it cannot be read")
        self._row.append(line)
        self._size += len(line[1]) + 1
        if self._size > self._most + 1:
            raise csv.Error(f"a row of over {self._most:,} characters")
        # Of all ends of lines only the line feed ends a row here; a stray carriage return would be an error.
        return f"{line[1]}\n".replace("\r", " ")

    def _give_again(self) -> None:
        """Let the lines after the first of the row be read again."""
        self._credit += len(self._row[0][1]) if self._row else 0  # this much is dealt with
        if len(self._row) > 1 and self._size <= self._credit:
            self._credit -= self._size
            self._again.extendleft(reversed(self._row[1:]))
