"""fastText's format: a document a line, its label among the words, as in `__label__ham lunch at noon`.

As in fastText, words end at the blanks of ASCII alone, so that a label may hold another space. A document has one label
here: a line with two different ones is broken. Blank lines are no records.
"""

import re
import reprlib
from collections.abc import Iterator
from typing import BinaryIO

from ..decoding import Decoder
from . import Document, Skipped
from ._fields import broken
from ._streams import lines

PREFIX = "__label__"
WORD = re.compile(r"[^ \t\v\f\r\0]+")

LABELLED = True
KIND = "text"
LINES = False


def read(stream: BinaryIO, name: str, decode: Decoder) -> Iterator[Document | Skipped]:
    """The documents in a stream, one a line that is not blank."""
    for line in lines(stream, name, decode):
        if isinstance(line, Skipped):
            yield line
        elif words := WORD.findall(line[1]):
            yield _document(words, line[0])


def _document(words: list[str], place: str) -> Document | Skipped:
    labels = sorted({word.removeprefix(PREFIX) for word in words if word.startswith(PREFIX)})
    if len(labels) > 1:
        return broken(place, f"the labels {reprlib.repr(labels)}, where a document has one")
    text = " ".join(word for word in words if not word.startswith(PREFIX))
    return Document((("", text),), "".join(labels) or None, place)
