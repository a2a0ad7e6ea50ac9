"""Shared by formats with named fields: which field is the text and which the label."""

import reprlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..errors import DocumentError
from ..fields import Fields, decimal, no_number
from ..fields import tag as tag_of
from . import Document, Skipped
from ._advice import advice, single_column
from ._names import IDS, LABELS, TAGS, TEXTS

MISSING = {"", "?", "na", "n/a", "nan", "null", "none"}  # values that mean a missing number


class Taken(NamedTuple):
    """The use of each column.

    texts       (tag, column) pairs
    label, id   columns, or None
    categories  columns
    numbers     columns
    """

    texts: tuple[tuple[str, str], ...]
    label: str | None
    id: str | None
    categories: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()

    @property
    def columns(self) -> list[str]:
        """All columns that are read."""
        columns = (*(column for _, column in self.texts), *self.categories, *self.numbers)
        return [*dict.fromkeys(columns), *filter(None, (self.label, self.id))]


def taken(fields: Fields, names: Sequence[str], *, lenient: bool = False) -> Taken:
    """The use of the columns with these names; a label or an identifier only if there is such a column.

    lenient  whether texts and attributes may be missing, as in records that leave out empty fields

    >>> taken(Fields(), ["class", "subject", "message"])
    Taken(texts=(('subject', 'subject'), ('', 'message')), label='class', id=None, categories=(), numbers=())

    Raises: KeyError for a column that does not exist; ValueError if no column is text or an attribute.
    """
    attributes = {*fields.category, *fields.number}
    there = {*names}

    def find(column: str) -> str | None:
        for name in (column, column.strip().lower()):
            if name in there:
                return name
        return names[int(column) - 1] if column.isdecimal() and 0 < int(column) <= len(names) else None

    def found(columns: Sequence[str], lenient: bool = lenient) -> list[str]:
        places = [(column, find(column)) for column in columns]
        missing = [column for column, name in places if name is None]
        if missing and not lenient:
            raise KeyError(missing[0])
        return [name for _, name in places if name is not None]

    def usual(candidates: Sequence[str]) -> str | None:
        return next((name for name in candidates if name in there and name not in attributes), None)

    optional = lenient or not fields.labelled
    label = next(iter(found([fields.label], optional)), None) if fields.label else usual(LABELS)
    identifier = find(fields.id) if fields.id else usual(IDS)
    if fields.text:
        texts = [(tag_of(name) if len(fields.text) > 1 else "", name) for name in found(fields.text)]
    else:
        text = usual([name for name in TEXTS if name != label])
        texts = [(name, name) for name in TAGS if name in there and name != label] if text else []
        texts += [("", text)] if text else []
    categories, numbers = tuple(found(fields.category, optional)), tuple(found(fields.number, optional))
    if not (texts or categories or numbers):
        raise ValueError("no text")
    return Taken(tuple(texts), label, identifier, categories, numbers)


def taken_if_known(fields: Fields, names: Sequence[str]) -> Taken | None:
    """The use of the columns with these names; None if that is not known, as `taken` raises an error."""
    try:
        return taken(fields, names)
    except (KeyError, ValueError):
        return None


def document(values: Mapping[str, str], chosen: Taken, place: str, record: Any = None) -> Document | Skipped:
    """The document in a record. An empty label means none; a missing attribute is no evidence.

    values  by column, without those that are missing
    record  the whole record, to be written back

    >>> chosen = taken(Fields(), ["label", "subject", "text", "id"])
    >>> found = document({"label": "ham", "subject": "Lunch", "text": "at noon", "id": "7"}, chosen, "box.csv:2")
    >>> found.label, found.parts, found.id
    ('ham', [('subject', 'Lunch'), ('', 'at noon')], '7')
    """
    texts, label, identifier, categories, numbers = chosen
    attributes: Sequence[tuple[str, str | float]] = ()
    if categories or numbers:
        found = _attributes(values, chosen)
        if isinstance(found, str):
            return broken(place, found)
        attributes = found
    return Document(
        [(tag, values[column]) for tag, column in texts],
        (values.get(label) or None) if label else None,
        place,
        None,
        values.get(identifier) if identifier else None,
        record,
        attributes,
    )


def _attributes(values: Mapping[str, str], chosen: Taken) -> list[tuple[str, str | float]] | str:
    """The categories and numbers that are not missing, or an error message about one."""
    stripped = [(column, values.get(column, "").strip()) for column in chosen.categories]
    attributes: list[tuple[str, str | float]] = [(column, value) for column, value in stripped if value]
    for column in chosen.numbers:
        value = values.get(column, "")
        number = decimal(value)
        if number is not None:
            attributes.append((column, number))
        elif value.strip().lower() not in MISSING:
            return f"{column} {no_number(value)}: {reprlib.repr(value)}"
    return attributes


def named(cells: Sequence[str]) -> list[str]:
    """The column names in the cells of a header."""
    return [cell.strip().lower() for cell in cells]


def numbered(cells: Sequence[str]) -> list[str]:
    """The names of columns without a header: 1, 2, 3, ..."""
    return [str(place) for place in range(1, len(cells) + 1)]


def chosen_columns(
    fields: Fields, columns: Sequence[str], place: str, rows: Sequence[Sequence[str]] = (), *, line: str, delimiter: str
) -> Taken:
    """The use of the columns of a table whose header has these names.

    rows             some of the rows that follow, to guess columns for the message
    line, delimiter  the first line, and the separator used for it

    Raises: DocumentError ("damaged") if no column is a text or attribute, or the name of a column in use comes twice.
    """
    try:
        found = taken(fields, columns)
    except (KeyError, ValueError) as error:
        missing = f"no column {error.args[0]}" if isinstance(error, KeyError) else ""
        if len(columns) < 2:
            reason = "; ".join(
                filter(None, (missing, single_column(line if not fields.header else columns[0], line, delimiter)))
            )
        else:
            reason = f"{missing or 'cannot tell which column is the text'}; " + advice(
                columns, rows, labelled=fields.labelled, header=fields.header
            )
        raise DocumentError(f"{place}: {reason}", "damaged") from None
    times = Counter(columns)
    for column in found.columns:
        if times[column] > 1:
            raise DocumentError(f"{place}: {times[column]} columns are named {column}; rename the others", "damaged")
    return found


def broken(place: str, found: str) -> Skipped:
    """A record that cannot be read."""
    return Skipped(place, "damaged", f"{place}: {found}; fix or remove this record")
