"""What the formats with named fields share: which field is the text, which the label, and the broken record."""

import reprlib
from collections.abc import Mapping, Sequence

from ..errors import DocumentError
from . import Document, Skipped

TEXTS = ("text", "body", "content")  # the first that is there is the text
LABEL = "label"
TAGS = ("subject", "title")  # further text, whose tokens are told apart by the field's name
USED = (*TEXTS, LABEL, *TAGS)


def document(fields: Mapping[str, str], place: str) -> Document | Skipped:
    """The document in a record of named fields; broken without a field of text. An empty label is none.

    >>> document({"label": "ham", "subject": "Lunch", "text": "at noon", "id": "7"}, "box.csv:2")
    Document(parts=[('subject', 'Lunch'), ('', 'at noon')], label='ham', name='box.csv:2', dated=None)
    """
    text = next((fields[field] for field in TEXTS if field in fields), None)
    if text is None:
        return broken(place, without_text("field", list(fields)))
    parts = [(tag, fields[tag]) for tag in TAGS if tag in fields]
    return Document([*parts, ("", text)], fields.get(LABEL) or None, place)


def named(cells: Sequence[str]) -> list[str]:
    """The names that the cells of a header spell."""
    return [cell.strip().lower() for cell in cells]


def check_columns(columns: Sequence[str], place: str) -> None:
    """See that a header names a text, and nothing that is used twice.

    Raises: DocumentError ("damaged").
    """
    if not any(field in columns for field in TEXTS):
        raise DocumentError(
            f"{place}: {without_text('column', columns)}; the first row names the columns, as in label,text; "
            "plain text needs --reader text",
            "damaged",
        )
    for field in USED:
        if columns.count(field) > 1:
            raise DocumentError(f"{place}: {columns.count(field)} columns are named {field}; rename others", "damaged")


def without_text(kind: str, names: Sequence[str]) -> str:
    """What is said where no field or column is the text."""
    return f"no {kind} {', '.join(TEXTS[:-1])} or {TEXTS[-1]} among {reprlib.repr(list(names))}"


def broken(place: str, found: str) -> Skipped:
    """A record that cannot be read."""
    return Skipped(place, "damaged", f"{place}: {found}; fix or remove this record")
