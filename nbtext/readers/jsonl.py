"""JSON Lines: one object per line, as in {"text": "lunch at noon", "label": "ham"}; or one array of such objects.

`_fields` decides which fields are read; a path with dots, as in customer.city, names one inside another. A label is a
string, a whole number, a boolean, or a list of one of these. Blank lines are not records. The documents of an array are
numbered.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO

from ..decoding import Decoder, scrubbed
from ..errors import DocumentError
from ..fields import USUAL, Fields
from . import Document, Skipped
from ._advice import advice
from ._fields import Taken, broken, document, taken
from ._streams import Line, lines, too_large

LABELLED = True
KIND = "text"
LINES = True
WHOLE = b"["
FIELDS = True

KEY = re.compile(r'"\s*:')  # the end of each key; may also be found inside strings
ONLY_TEXT, NONE = {str}, type(None)
FEW = 100  # records after which loading a faster parser saves time
MOST_KNOWN = 1000  # sets of field names remembered; most records have the same names
# Strings, perhaps cut off by the end of the line, and the characters that separate the elements of an array
STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*+"?|[][{},]')
DEEPER = {"[": 1, "{": 1, "]": -1, "}": -1}


def read(stream: BinaryIO, name: str, decode: Decoder, fields: Fields = USUAL) -> Iterator[Document | Skipped]:
    """The documents in a stream, one per line that is not blank, or one per element if it is an array."""
    found = lines(stream, name, decode)
    items: Iterable[Line | Skipped] = found
    if not getattr(stream, "lines_before", 0):
        first = next((item for item in found if isinstance(item, Skipped) or not _is_blank(item[1])), None)
        if first is None:
            return
        items = chain([first], found)
        if not isinstance(first, Skipped) and first[1].lstrip().startswith("["):
            items = _elements(items, name, decode.limits.document_bytes)
    records = _Records(fields)
    for item in items:
        if isinstance(item, Skipped):
            yield item
        elif not _is_blank(item[1]):
            yield records.document(*item)


def _is_blank(line: str) -> bool:
    return not line or line.isspace()


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


class _Records:
    """From JSON objects to documents."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self._paths = {*fields.text, *fields.category, *fields.number, *filter(None, (fields.label, fields.id))}
        self._known: dict[tuple[str, ...], tuple[Taken, list[str]]] = {}  # by the names of fields
        self._left = FEW
        self._loads: Callable[[str], Any] = self._load_few

    def _load_few(self, text: str) -> Any:
        """The value of a JSON text; after a few records, by a faster parser."""
        self._left -= 1
        if not self._left:
            from . import _fastjson as fastjson

            self._loads = fastjson.loads
        return json.loads(text)

    def document(self, place: str, text: str) -> Document | Skipped:
        """The document in an object given as text."""
        try:
            record = self._loads(text)
            if isinstance(record, dict) and text.count(":") != len(record) and not _has_keys_once(record, text):
                record = json.loads(text, object_pairs_hook=_object)
        except DocumentError as error:
            return broken(place, str(error))
        except (ValueError, RecursionError) as error:
            return broken(place, f"not JSON ({error}); plain text needs --reader text")
        if not isinstance(record, dict):
            return broken(place, 'not a JSON object, as in {"text": "lunch at noon", "label": "ham"}')
        for path in self._paths:
            if path not in record and (value := _at(record, path)) is not None:
                record[path] = value
        kinds = {*map(type, record.values())}
        names = tuple(record) if NONE not in kinds else tuple([n for n, value in record.items() if value is not None])
        try:
            chosen, columns = self._known.get(names) or self._columns(names)
        except ValueError:
            return broken(place, f"no field has the text; {_advice(record, labelled=self._fields.labelled)}")
        if kinds == ONLY_TEXT and "\\" not in text:  # most records; without a backslash there are no odd characters
            return document(record, chosen, place, text)
        return self._checked(record, chosen, columns, place, text)

    def _checked(
        self, record: dict[str, Any], chosen: Taken, columns: list[str], place: str, text: str
    ) -> Document | Skipped:
        """The document in an object whose values may be anything."""
        for _, column in chosen.texts:
            if not isinstance(record[column], str):
                return broken(place, f"the field {column} is not a string")
        if chosen.label is not None and self._fields.labelled:
            record[chosen.label] = _label(record[chosen.label])
            if not isinstance(record[chosen.label], str):
                allowed = "a string, a whole number, a boolean, or a list of one"
                return broken(place, f"the field {chosen.label} is not a label: {allowed}")
        return document({column: _plain(record[column]) for column in columns}, chosen, place, text)

    def _columns(self, names: tuple[str, ...]) -> tuple[Taken, list[str]]:
        """The use of the fields of a record with these names.

        Raises: ValueError if none is the text.
        """
        if len(self._known) == MOST_KNOWN:
            self._known.clear()
        chosen = taken(self._fields, names, lenient=True)
        self._known[names] = chosen, chosen.columns
        return self._known[names]


def _has_keys_once(record: dict[str, Any], text: str) -> bool:
    """Whether the text has no more keys than the record, so that none comes twice; if False, it must be checked."""
    written = len(KEY.findall(text))
    return written == len(record) or written == _keys(record)


def _keys(record: dict[str, Any]) -> int:
    """The number of keys of an object, including those of objects inside it."""
    count = 0
    left: list[Any] = [record]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            count += len(value)
            left.extend(value.values())
        elif isinstance(value, list):
            left.extend(value)
    return count


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, unless a field that is read comes twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in found if names.count(name) > 1)
        raise DocumentError(f"two fields are named {twice}", "damaged")
    return found


def _at(record: dict[str, Any], path: str) -> Any:
    """The value at a path with dots; None if there is none."""
    value: Any = record
    for step in path.split("."):
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value


def _advice(record: dict[str, Any], *, labelled: bool) -> str:
    """A list of the fields, including those of objects inside, and the options that are likely to work."""
    columns, row = [], []
    for name, value in record.items():
        inside = value if isinstance(value, dict) else {"": value}
        for key, each in inside.items():
            columns.append(f"{name}.{key}" if key else name)
            row.append(each if isinstance(each, str) else "")
    return advice(columns, [row], labelled=labelled) if columns else "it is empty"


def _label(value: Any) -> Any:
    """The value as a label: numbers and booleans as text, and the element of a list of one."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return json.dumps(value) if isinstance(value, int) else value


def _plain(value: Any) -> str:
    """The value with a space for each character that JSON can write but text cannot have."""
    if not isinstance(value, str):
        value = json.dumps(value)
    return value if value.isascii() and "\0" not in value else scrubbed(value).replace("\0", " ")
