"""JSON Lines: an object a line, as in {"text": "lunch at noon", "label": "ham"}; or one array of such objects.

The text may also be called body or content; subject and title become parts of their own. A label is a string, a
whole number, a boolean, or a list of one of these. Blank lines are no records. The documents of an array are numbered.
"""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO

from ..decoding import Decoder, scrubbed
from . import Document, Skipped
from ._fields import LABEL, TAGS, TEXTS, broken, document
from ._streams import Line, lines, too_large

LABELLED = True
KIND = "text"
LINES = False

# Strings, which a line may end, and what tells the elements of an array apart
STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*+"?|[][{},]')
DEEPER = {"[": 1, "{": 1, "]": -1, "}": -1}


def read(stream: BinaryIO, name: str, decode: Decoder) -> Iterator[Document | Skipped]:
    """The documents in a stream, one a line that is not blank, or one an element of the array that it is."""
    found = (item for item in lines(stream, name, decode) if isinstance(item, Skipped) or item[1].strip())
    first = next(found, None)
    if first is None:
        return
    items: Iterable[Line | Skipped] = chain([first], found)
    if not isinstance(first, Skipped) and first[1].lstrip().startswith("["):
        items = _elements(items, name, decode.limits.document_bytes)
    for item in items:
        yield item if isinstance(item, Skipped) else _document(*item)


def _elements(found: Iterable[Line | Skipped], name: str, most: int) -> Iterator[Line | Skipped]:
    """The elements of an array as (place, JSON), each as soon as it is complete; the places are NAME:1, NAME:2, ..."""
    number, depth, size = 1, 0, 0
    pieces: list[str] = []
    for item in found:
        if isinstance(item, Skipped):
            yield item
            continue
        line, start = item[1], 0
        for mark in STRUCTURE.finditer(line):
            opening = depth == 0
            depth += DEEPER.get(mark[0], 0)
            if opening:
                start = mark.end()
            elif depth == 0 or (depth == 1 and mark[0] == ","):
                place, element = f"{name}:{number}", "\n".join([*pieces, line[start : mark.start()]])
                if size > most:
                    yield too_large(place, most)
                elif depth or element.strip():  # a comma may follow the last
                    yield place, element
                number, size, pieces, start = number + 1, 0, [], mark.end()
            if depth == 0:
                yield from _after(line[mark.end() :], found, name)
                return
        size += len(line) - start
        if size <= most:
            pieces.append(line[start:])
        else:
            pieces.clear()
    yield broken(f"{name}:{number}", "the array ends early")


def _after(rest: str, found: Iterable[Line | Skipped], name: str) -> Iterator[Skipped]:
    if rest.strip() or next(iter(found), None):
        yield Skipped(name, "damaged", f"{name}: something follows the end of the array, and was not read")


def _document(place: str, text: str) -> Document | Skipped:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        return broken(place, f"not JSON ({error}); plain text needs --reader text")
    if not isinstance(record, dict):
        return broken(place, 'not a JSON object, as in {"text": "lunch at noon", "label": "ham"}')
    if LABEL in record:
        record[LABEL] = _label(record[LABEL])
    for field in (*TEXTS, *TAGS, LABEL):
        if record.get(field) is not None and not isinstance(record[field], str):
            return broken(place, f"the field {field} is no string")
    return document({field: _plain(value) for field, value in record.items() if isinstance(value, str)}, place)


def _label(value: Any) -> Any:
    """A label as text, if it can be one."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return json.dumps(value) if isinstance(value, int) else value


def _plain(value: str) -> str:
    """The value without what JSON can spell and text cannot hold: each such character becomes a space."""
    return value if value.isascii() and "\0" not in value else scrubbed(value).replace("\0", " ")
