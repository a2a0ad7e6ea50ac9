"""What the formats with named fields share: which field is the text, which the label, and the broken record."""

import reprlib
from collections.abc import Mapping

from ..errors import DocumentError
from . import Document

TEXTS = ("text", "body", "content")  # the first that is there is the text
LABEL = "label"
TAGS = ("subject", "title")  # further text, whose tokens are told apart by the field's name


def document(fields: Mapping[str, str], place: str) -> Document:
    """The document in a record of named fields. An empty label is none.

    >>> document({"label": "ham", "subject": "Lunch", "text": "at noon", "id": "7"}, "box.csv:2")
    Document(parts=[('subject', 'Lunch'), ('', 'at noon')], label='ham', name='box.csv:2', dated=None)

    Raises: DocumentError if there is no field of text.
    """
    text = next((fields[field] for field in TEXTS if field in fields), None)
    if text is None:
        raise broken(place, f"no field {', '.join(TEXTS[:-1])} or {TEXTS[-1]} among {reprlib.repr(list(fields))}")
    parts = [(tag, fields[tag]) for tag in TAGS if tag in fields]
    return Document([*parts, ("", text)], fields.get(LABEL) or None, place)


def broken(place: str, found: str) -> DocumentError:
    """The error for a record that cannot be read; a reader that raises it has given all documents before it."""
    return DocumentError(f"{place}: {found}; reading stopped here, mend or remove this record", "damaged")
