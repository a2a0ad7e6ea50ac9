"""Tab-separated values, without quoting: a quotation mark is text. Blank lines are not records.

A first line that names a column of text and one of labels, in any order and among others, is a header; subject and
title then become parts of their own. Without a header, two columns are label and text, and further tabs are part of the
text. A first line of more than two columns, or that looks like a header with other names, is refused: see
`_is_unknown_header`.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import BinaryIO, NamedTuple

from ..decoding import Decoder
from ..errors import DocumentError
from ..fields import USUAL, Fields
from . import Document, Skipped
from ._advice import advice, single_column
from ._fields import Taken, broken, chosen_columns, document, named, numbered, taken
from ._names import TEXTS
from ._row import Row
from ._streams import Line, lines

CLASSIC = ["label", "text"]
LOOKED_AT = 100  # lines below the first

LABELLED = True
KIND = "text"
LINES = False
FIELDS = True


class Header(NamedTuple):
    """The columns of a table, as written, their use, and whether the first line is a header."""

    columns: list[str]
    taken: Taken
    is_line: bool


def read(stream: BinaryIO, name: str, decode: Decoder, fields: Fields = USUAL) -> Iterator[Document | Skipped]:
    """The documents in a stream, one per line.

    Raises: DocumentError if the header lacks a column that was asked for, or has its name twice.
    """
    delimiter = fields.delimiter or "\t"
    found = _Ahead(lines(stream, name, decode))
    header: Header | None = None
    for item in found:
        if isinstance(item, Skipped):
            yield item
            continue
        place, line = item
        if not line or line.isspace():
            continue
        if header is None:
            header = _header(line, delimiter, fields, place, found)
            if header.is_line:
                continue
        columns = header.columns
        row = line.split(delimiter, len(columns) - 1)
        if len(row) < len(columns):
            by = "tabs" if delimiter == "\t" else repr(delimiter)
            yield broken(place, f"{len(row)} of {len(columns)} columns ({', '.join(columns)}), separated by {by}")
        else:
            values = dict(zip(named(columns), row, strict=True))
            yield document(values, header.taken, place, Row(columns, row, delimiter, header.is_line))


class _Ahead:
    """Lines, with a look at some before they are read."""

    def __init__(self, found: Iterator[Line | Skipped]) -> None:
        self._found = found
        self._seen: deque[Line | Skipped] = deque()

    def __iter__(self) -> Iterator[Line | Skipped]:
        return self

    def __next__(self) -> Line | Skipped:
        return self._seen.popleft() if self._seen else next(self._found)

    def ahead(self) -> list[str]:
        """Some of the lines that follow."""
        self._seen.extend(islice(self._found, LOOKED_AT - len(self._seen)))
        return [item[1] for item in self._seen if not isinstance(item, Skipped) and item[1].strip()]


def _header(line: str, delimiter: str, fields: Fields, place: str, found: _Ahead) -> Header:
    cells = line.split(delimiter)
    names = named(cells)
    if fields._replace(delimiter="").names_columns:
        columns = cells if fields.header else numbered(cells)
        if not fields.header and not fields.text and len(cells) == len(CLASSIC):
            columns = CLASSIC
        chosen = chosen_columns(fields, named(columns), place, line=line, delimiter=delimiter)
        return Header(columns, chosen, fields.header)
    usual = taken(fields, names) if any(name in TEXTS for name in names) else None
    if usual and (usual.label or (not fields.labelled and len(cells) != len(CLASSIC))):
        return Header(cells, chosen_columns(fields, names, place, line=line, delimiter=delimiter), True)
    if len(cells) > len(CLASSIC):
        rows = [line.split(delimiter) for line in found.ahead()] if fields.labelled else []
        raise _unnamed(f"{place}: {len(cells)} columns without known names", names, rows, fields)
    if len(cells) == 1 and fields.labelled and delimiter not in "".join(found.ahead()):
        raise DocumentError(f"{place}: {single_column(cells[0], line, delimiter)}", "damaged")
    if fields.labelled and len(cells) == len(CLASSIC):
        rows = [line.split(delimiter, 1) for line in found.ahead()]
        if _is_unknown_header(cells, rows):
            raise _unnamed(f"{place}: this looks like a header (if it is not, add --no-header)", names, rows, fields)
    return Header(CLASSIC, taken(fields, CLASSIC), False)


def _unnamed(reason: str, names: list[str], rows: list[list[str]], fields: Fields) -> DocumentError:
    return DocumentError(f"{reason}; {advice(names, rows, labelled=fields.labelled)}", "damaged")


def _is_unknown_header(cells: list[str], rows: Iterable[list[str]]) -> bool:
    """Whether a first line of two columns is a header: two words, the first not among the labels below, which repeat.

    >>> rows = [["billing", "charged twice"], ["shipping", "parcel lost"], ["billing", "wrong sum"]]
    >>> _is_unknown_header(["queue", "problem"], rows), _is_unknown_header(["billing", "refund"], rows)
    (True, False)
    """
    labels = [row[0] for row in rows if len(row) == len(CLASSIC)]
    words = all(cell.strip() and len(cell.split()) == 1 for cell in cells)
    return words and cells[0] not in labels and len({*labels}) < len(labels)
