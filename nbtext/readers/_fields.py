"""What formats with named fields share: which field is the text and which the label, and messages if none can be."""

import reprlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..errors import DocumentError
from ..fields import Fields, decimal, no_number
from ..fields import tag as tag_of
from . import Document, Skipped

# The usual names, the likeliest first: the first that is there is taken
TEXTS = (
    "text", "body", "content", "message", "review", "comment", "sentence", "description", "question", "post", "tweet",
    "document", "article", "abstract", "v2",
)  # fmt: skip
LABELS = ("label", "class", "category", "target", "sentiment", "topic", "intent", "v1")
IDS = ("id",)
TAGS = ("subject", "title")  # further text, whose tokens are told apart by the field's name
MISSING = {"", "?", "na", "n/a", "nan", "null", "none"}  # no number
LONGEST_NAME = 40  # characters shown
EXAMPLES = 20  # rows that are looked at to guess what columns are


class Taken(NamedTuple):
    """Which columns are read as what.

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
    """What is read of the columns of these names; a label or an identifier only if it is there.

    lenient  whether texts and attributes may be missing, as in records that leave out what they do not have

    >>> taken(Fields(), ["class", "subject", "message"])
    Taken(texts=(('subject', 'subject'), ('', 'message')), label='class', id=None, categories=(), numbers=())

    Raises: KeyError for a column that is not there; ValueError if none is text or an attribute.
    """
    attributes = {*fields.category, *fields.number}

    def find(column: str) -> str | None:
        for name in (column, column.strip().lower()):
            if name in names:
                return name
        return names[int(column) - 1] if column.isdecimal() and 0 < int(column) <= len(names) else None

    def found(columns: Sequence[str], lenient: bool = lenient) -> list[str]:
        places = [(column, find(column)) for column in columns]
        missing = [column for column, name in places if name is None]
        if missing and not lenient:
            raise KeyError(missing[0])
        return [name for _, name in places if name is not None]

    def usual(candidates: Sequence[str]) -> str | None:
        return next((name for name in candidates if name in names and name not in attributes), None)

    optional = lenient or not fields.labelled
    label = next(iter(found([fields.label], optional)), None) if fields.label else usual(LABELS)
    identifier = find(fields.id) if fields.id else usual(IDS)
    if fields.text:
        texts = [(tag_of(name) if len(fields.text) > 1 else "", name) for name in found(fields.text)]
    else:
        text = usual([name for name in TEXTS if name != label])
        texts = [(name, name) for name in TAGS if name in names and name != label] if text else []
        texts += [("", text)] if text else []
    categories, numbers = tuple(found(fields.category, optional)), tuple(found(fields.number, optional))
    if not (texts or categories or numbers):
        raise ValueError("no text")
    return Taken(tuple(texts), label, identifier, categories, numbers)


def document(values: Mapping[str, str], chosen: Taken, place: str, record: Any = None) -> Document | Skipped:
    """The document in a record. An empty label is none; a missing attribute is no evidence.

    values  of the columns that are there
    record  all of it, to be written back

    >>> chosen = taken(Fields(), ["label", "subject", "text", "id"])
    >>> found = document({"label": "ham", "subject": "Lunch", "text": "at noon", "id": "7"}, chosen, "box.csv:2")
    >>> found.label, found.parts, found.id
    ('ham', [('subject', 'Lunch'), ('', 'at noon')], '7')
    """
    parts = [(tag, values[column]) for tag, column in chosen.texts if column in values]
    stripped = [(column, values.get(column, "").strip()) for column in chosen.categories]
    attributes = [(column, value) for column, value in stripped if value]
    for column in chosen.numbers:
        value = values.get(column, "")
        number = decimal(value)
        if number is not None:
            attributes.append((column, number))
        elif value.strip().lower() not in MISSING:
            return broken(place, f"{column} {no_number(value)}: {reprlib.repr(value)}")
    label = values.get(chosen.label) if chosen.label else None
    identifier = values.get(chosen.id) if chosen.id else None
    return Document(parts, label or None, place, None, identifier, record, attributes)


def named(cells: Sequence[str]) -> list[str]:
    """The names that the cells of a header spell."""
    return [cell.strip().lower() for cell in cells]


def numbered(cells: Sequence[str]) -> list[str]:
    """The names of the columns where no header gives any: 1, 2, 3, ..."""
    return [str(place) for place in range(1, len(cells) + 1)]


def chosen_columns(fields: Fields, columns: Sequence[str], place: str, rows: Sequence[Sequence[str]] = ()) -> Taken:
    """What is read of a table whose header names these columns.

    rows  some that follow, to guess what columns are where a message proposes some

    Raises: DocumentError ("damaged") if nothing can be read, or a column that is used is named twice.
    """
    try:
        found = taken(fields, columns)
    except KeyError as error:
        raise DocumentError(
            f"{place}: no column {error.args[0]}; {advice(columns, rows, labelled=fields.labelled)}", "damaged"
        ) from None
    except ValueError:
        raise DocumentError(f"{place}: {without_text(columns, rows, labelled=fields.labelled)}", "damaged") from None
    for column in found.columns:
        if columns.count(column) > 1:
            raise DocumentError(
                f"{place}: {columns.count(column)} columns are named {column}; rename others", "damaged"
            )
    return found


def without_text(columns: Sequence[str], rows: Sequence[Sequence[str]], *, labelled: bool = True) -> str:
    """The message where no column can be the text."""
    if len(columns) < 2:
        header = reprlib.repr(", ".join(columns))
        return (
            f"the first row, {header}, should name the columns, as in label,text; "
            "a table without such a row needs --no-header, and plain text --reader text"
        )
    return f"cannot tell which column is the text; {advice(columns, rows, labelled=labelled)}"


def advice(columns: Sequence[str], rows: Sequence[Sequence[str]], *, labelled: bool = True) -> str:
    """The columns there are, and the options that are likely to work."""
    text, label = guessed(columns, rows)
    listed = ", ".join(map(_shown, columns[:EXAMPLES])) + (", ..." if len(columns) > EXAMPLES else "")
    example = f"--text {_shown(text)}" + (f" --label {_shown(label)}" if labelled else "")
    return f"the columns are {listed}; name them, as in {example}"


def guessed(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[str, str]:
    """The columns that look most like a text and a label: the longest values, and the fewest different ones."""
    full = [row for row in rows if len(row) == len(columns)]
    lengths = {name: sum(len(row[i]) for row in full) for i, name in enumerate(columns) if name}
    texts = [name for name in lengths if name not in LABELS] or lengths
    text = max(texts, key=lambda name: lengths[name], default=columns[-1])
    kinds = {name: len({row[i] for row in full}) for i, name in enumerate(columns) if name and name != text}
    several = {name: n for name, n in kinds.items() if n > 1} or kinds
    known = [name for name in LABELS if name in kinds]
    return text, known[0] if known else min(several, key=lambda name: several[name], default=columns[0])


def _shown(name: str) -> str:
    """A column's name as the shell would want it, cut if it is long."""
    name = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}..."
    return name if name.replace("_", "").replace("-", "").replace(".", "").isalnum() else f"'{name}'"


def broken(place: str, found: str) -> Skipped:
    """A record that cannot be read."""
    return Skipped(place, "damaged", f"{place}: {found}; fix or remove this record")
