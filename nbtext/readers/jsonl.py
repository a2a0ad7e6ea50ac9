"""JSON Lines: an object a line, as in {"text": "lunch at noon", "label": "ham"}.

The text may also be called body or content; subject and title become parts of their own. A label is a string, a
whole number or a boolean. Blank lines are no records.
"""

import json
from collections.abc import Iterator
from typing import BinaryIO

from ..decoding import Decode, scrubbed
from . import Document
from ._fields import LABEL, TAGS, TEXTS, broken, document
from ._streams import numbered

LABELLED = True
KIND = "text"
LINES = False


def read(stream: BinaryIO, name: str, decode: Decode) -> Iterator[Document]:
    """The documents in a stream, one a line that is not blank.

    Raises: DocumentError at the first line that is no such object; the documents before it have been given.
    """
    for place, line in numbered(stream, name, decode):
        if line and not line.isspace():
            yield document(_fields(line, place), place)


def _fields(line: str, place: str) -> dict[str, str]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise broken(place, f"not JSON ({error})") from None
    if not isinstance(record, dict):
        raise broken(place, 'not a JSON object, as in {"text": "lunch at noon", "label": "ham"}')
    label = record.get(LABEL)
    if isinstance(label, int):
        record[LABEL] = json.dumps(label)
    for field in (*TEXTS, *TAGS, LABEL):
        if record.get(field) is not None and not isinstance(record[field], str):
            raise broken(place, f"the field {field} is no string")
    return {field: _plain(value) for field, value in record.items() if isinstance(value, str)}


def _plain(value: str) -> str:
    """The value without what JSON can spell and text cannot hold: each such character becomes a space."""
    return value if value.isascii() and "\0" not in value else scrubbed(value).replace("\0", " ")
