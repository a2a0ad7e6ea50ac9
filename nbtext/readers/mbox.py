"""An mbox: messages one after the other, each under a From_ line. What a message holds is `_message`'s.

The box is read line by line, one message in memory at a time. Of the dialects, what they agree on: a From_ line starts
the box or follows a blank line, and names a sender and a date; a line of text that starts with `From ` has a `>` put
before it, which is taken off again. Content-Length is not believed.
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import BinaryIO

from ..decoding import Decode
from ..errors import DocumentError
from ..mail.dates import Dated
from ..mail.evidence import parts
from . import LARGEST_BYTES, Document

# The date is asctime's; zones and seconds stand where programs like to put them, or not at all.
FROM_LINE = re.compile(
    rb"From [^\n]*?(?<=[^ ]) +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) +[A-Z][a-z]{2} +\d{1,2} +\d{1,2}:\d\d[^\n]{0,40}\d{4}"
)
QUOTED = re.compile(rb">+From ")

LABELLED = False
KIND = "mail"


def read(stream: BinaryIO, name: str, decode: Decode) -> Iterator[Document]:
    r"""The messages of a box, named `NAME:1`, `NAME:2` and so on.

    >>> from io import BytesIO
    >>> box = BytesIO(b"From ann@example.org Thu Jan  1 09:00:00 2026\nSubject: lunch\n\nat noon\n\n" * 2)
    >>> [document.name for document in read(box, "box", bytes.decode)]
    ['box:1', 'box:2']

    Raises: DocumentError ("too large") at a message that is; those before it have been read.
    """
    for number, message in enumerate(_messages(stream, name), start=1):
        yield Document(parts(message, decode), None, f"{name}:{number}", Dated(message))


def _messages(stream: BinaryIO, name: str) -> Iterator[bytes]:
    """The messages of a box, without their From_ lines and the blank line before the next of them."""
    message = bytearray()
    begun = False
    blank = b""  # the last line, if it is blank: it may belong to the From_ line that follows
    for line in iter(partial(stream.readline, LARGEST_BYTES + 1), b""):
        if (blank or not begun) and FROM_LINE.match(line):
            if begun:
                yield bytes(message)
            message.clear()
            begun, blank = True, b""
        elif not line.isspace():
            message += blank
            message += line[1:] if QUOTED.match(line) else line
            begun, blank = True, b""
        elif begun:
            message += blank
            blank = line
        if len(message) > LARGEST_BYTES:
            raise DocumentError(f"{name}: a message over {LARGEST_BYTES:,} bytes; take it out of the box", "too large")
    if begun:
        yield bytes(message)
