r"""A mailbox (mbox) as bytes: where each message begins and ends, and which are not messages.

Programs agree on little: a message follows a line that begins with `From ` after a blank line, and a line of text that
begins in this way gets a `>` in front. Further rules for such lines:

    with a date        begins a message after a blank line or at the start; elsewhere only if a header follows it
    without a date     begins one only in a box that starts with such a line, after a blank line, if a header follows
    Content-Length     is trusted if the box ends there, or another From_ line follows: then the text before is not
                       searched (mboxcl2 does not quote it)

The box is read line by line, with one message in memory at a time; for a wrong Content-Length twice as much, up to
LONGEST_BELIEVED more.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

# asctime's date, or that of mail; programs put zones and seconds in different places, or leave them out
FROM_LINE = re.compile(
    rb"From [^\n]*?(?<=[^ ]) +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +"
    rb"(?:[A-Z][a-z]{2} +\d{1,2} +\d{1,2}:\d\d[^\n]{0,40}\d{4}|\d{1,2} +[A-Z][a-z]{2} +\d{4} +\d{1,2}:\d\d)"
)
UNDATED = re.compile(rb"From(?: |\r?\n)")
HEADER_LINE = re.compile(rb"[!-9;-~]+[ \t]*:|>From ")
QUOTED = re.compile(rb">+From ")
LENGTH = re.compile(rb"(?im)^Content-Length[ \t]*:[ \t]*(\d{1,12})[ \t]*\r?$")
MOZILLA = re.compile(rb"(?im)^X-Mozilla-Status(2?)[ \t]*:[ \t]*([0-9a-f]{1,8})[ \t]*\r?$")
MOZILLA_DELETED = {b"": 0x0008, b"2": 0x0020_0000}  # expunged here; deleted on the server
INTERNAL = re.compile(rb"(?im)^Subject:[ \t]*DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA[ \t]*\r?$")
LONGEST_BELIEVED = 1 << 25  # bytes read ahead to check the end that a Content-Length gives
LONGEST_FROM_LINE = 1000


class Boxed(NamedTuple):
    """A message in a box.

    message  its bytes, without its From_ line and the blank line before the next
    no_mail  why it is not a real message, as a key of `WHY` in the reader, or ""
    """

    message: bytes
    no_mail: str = ""


class BoxError(Exception):
    """A message is longer than allowed."""


def messages(stream: BinaryIO, largest: int) -> Iterator[Boxed]:
    r"""The messages of a box, in order.

    largest  the most bytes that a message may have

    >>> from io import BytesIO
    >>> box = BytesIO(b"From ann@example.org Thu Jan  1 09:00:00 2026\nSubject: lunch\n\nat noon\n\n" * 2)
    >>> [boxed.message for boxed in messages(box, 1000)]
    [b'Subject: lunch\n\nat noon\n', b'Subject: lunch\n\nat noon\n']

    Raises: BoxError at a message that is longer, after those before it.
    """
    lines = _Lines(stream, largest)
    message = bytearray()
    begun = undated = in_header = False
    blank = b""  # the last line, if it is blank: it may belong to the From_ line that follows
    while line := lines.next():
        after_blank = bool(blank) or not begun
        if line.startswith(b"From") and _begins(line, after_blank, undated or not begun, lines):
            if begun:
                yield _boxed(bytes(message))
            else:
                undated = not FROM_LINE.match(line)
            message.clear()
            begun, in_header, blank = True, True, b""
        elif not line.isspace():
            in_header = in_header or not begun
            message += blank
            message += line[1:] if QUOTED.match(line) else line
            begun, blank = True, b""
        elif begun:
            message += blank
            blank = line
            if in_header:
                in_header = False
                if body := lines.body(_length(message)):
                    message += blank + body
                    blank = b""
        if len(message) > largest:
            raise BoxError
    if begun:
        yield _boxed(bytes(message))


def _begins(line: bytes, after_blank: bool, undated: bool, lines: "_Lines") -> bool:
    """Whether a line that begins with `From` begins a message; `undated` if such lines do in this box."""
    if FROM_LINE.match(line):
        return after_blank or HEADER_LINE.match(lines.peek()) is not None
    return undated and after_blank and bool(UNDATED.match(line)) and HEADER_LINE.match(lines.peek()) is not None


def _length(header: bytearray) -> int:
    """The Content-Length in a header, or 0."""
    found = LENGTH.search(header)
    return int(found[1]) if found else 0


def _boxed(message: bytes) -> Boxed:
    end = message.find(b"\n\n")
    head = message[: end if end >= 0 else len(message)]
    if b"mozilla-status" in head.lower() and any(
        int(flags, 16) & MOZILLA_DELETED[which] for which, flags in MOZILLA.findall(head)
    ):
        return Boxed(message, "deleted")
    if b"FOLDER INTERNAL DATA" in head and INTERNAL.search(head):
        return Boxed(message, "internal data")
    return Boxed(message)


class _Lines:
    """The lines of a stream, with a look at what comes next; each byte is taken from the stream once."""

    def __init__(self, stream: BinaryIO, largest: int) -> None:
        self._stream = stream
        self._largest = largest
        self._ahead = bytearray()  # read from the stream; from _at on not yet given
        self._at = 0

    def next(self) -> bytes:
        """The next line with its end, or only its allowed length; empty at the end."""
        if self._at == len(self._ahead):
            return self._stream.readline(self._largest + 1)
        end = self._ahead.find(b"\n", self._at) + 1
        if not end:  # the rest of the line is still in the stream
            self._ahead += self._stream.readline(self._largest + 1)
            end = len(self._ahead)
        return self._take(end)

    def peek(self) -> bytes:
        """The next line, or its beginning, without consuming it."""
        if self._at == len(self._ahead):
            self._ahead += self._stream.readline(LONGEST_FROM_LINE)
        end = self._ahead.find(b"\n", self._at) + 1
        return bytes(self._ahead[self._at : end or len(self._ahead)])

    def body(self, length: int) -> bytes:
        """The next `length` bytes, if a message ends after them; empty if not, or if they are too many to check."""
        if not 0 < length <= LONGEST_BELIEVED:
            return b""
        end = self._at + length
        missing = end + LONGEST_FROM_LINE - len(self._ahead)
        if missing > 0:
            self._ahead += self._stream.read(missing)
        if end > len(self._ahead):
            return b""
        rest = bytes(self._ahead[end : end + LONGEST_FROM_LINE]).lstrip(b"\r\n")
        return self._take(end) if not rest or FROM_LINE.match(rest) or UNDATED.match(rest) else b""

    def _take(self, end: int) -> bytes:
        taken = bytes(self._ahead[self._at : end])
        self._at = end
        if self._at > len(self._ahead) // 2:  # so that dropping takes no longer than giving the bytes did
            del self._ahead[: self._at]
            self._at = 0
        return taken
