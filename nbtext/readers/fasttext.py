"""fastText's format: a document a line, its label among the words, as in `__label__ham lunch at noon`.

A document has one label here: a line with two different ones is an error. Blank lines are no records.
"""

import reprlib
from collections.abc import Iterator
from typing import BinaryIO

from ..decoding import Decode
from . import Document
from ._fields import broken
from ._streams import numbered

PREFIX = "__label__"

LABELLED = True
KIND = "text"
LINES = False


def read(stream: BinaryIO, name: str, decode: Decode) -> Iterator[Document]:
    """The documents in a stream, one a line that is not blank.

    Raises: DocumentError at the first line of two labels; the documents before it have been given.
    """
    for place, line in numbered(stream, name, decode):
        words = line.split()
        if words:
            text = " ".join(word for word in words if not word.startswith(PREFIX))
            yield Document((("", text),), _label(words, place), place)


def _label(words: list[str], place: str) -> str | None:
    labels = sorted({word.removeprefix(PREFIX) for word in words if word.startswith(PREFIX)})
    if len(labels) > 1:
        raise broken(place, f"the labels {reprlib.repr(labels)}, where a document has one")
    return labels[0] or None if labels else None
