"""fastText's format: one document per line, with its label among the words, as in `__label__ham lunch at noon`.

As in fastText, only ASCII blanks separate words, so a label may contain other spaces. A document has one label here: a
line with two different ones is broken. Blank lines are not records.
"""

import re
import reprlib
from collections.abc import Iterator
from typing import BinaryIO

from ..decoding import Decoder
from . import Document, Skipped
from ._fields import broken
from ._streams import lines

BLANKS = str.maketrans("\t\v\f\r\0", " " * 5)
LABEL = re.compile(r"(?<![^ ])__label__[^ ]*")
PREFIX = "__label__"

LABELLED = True
KIND = "text"
LINES = False


def read(stream: BinaryIO, name: str, decode: Decoder) -> Iterator[Document | Skipped]:
    """The documents in a stream, one per line that is not blank."""
    for line in lines(stream, name, decode):
        if isinstance(line, Skipped):
            yield line
        elif text := line[1].translate(BLANKS).strip(" "):
            yield _document(text, line[0])


def _document(line: str, place: str) -> Document | Skipped:
    """The document of a line. The line is not split into a list of words, which would take many times its memory."""
    labels = sorted({word.removeprefix(PREFIX) for word in LABEL.findall(line)})
    if len(labels) > 1:
        return broken(place, f"the labels {reprlib.repr(labels)}; a document has only one")
    text = re.sub("  +", " ", LABEL.sub("", line)).strip(" ")
    return Document((("", text),), "".join(labels) or None, place)
