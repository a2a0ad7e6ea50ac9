"""Shared by the readers: taking text from a stream, all of it or line by line, within the limits of the decoder."""

import io
from collections.abc import Iterator
from typing import BinaryIO

from ..decoding import Decoder, Rejoined, marked
from ..errors import DocumentError
from . import Skipped

STEP_BYTES = 1 << 20

Line = tuple[str, str]  # its place, NAME:1, NAME:2 and so on; its text without the line end


def whole(stream: BinaryIO, name: str, decode: Decoder) -> str:
    """The text of a whole stream. Its bytes and its text are in memory at the same time.

    Raises: DocumentError if it is binary or too large; a stream that is too large is not read to its end.
    """
    most = decode.limits.document_bytes
    data: bytes | bytearray = stream.read(STEP_BYTES)
    if len(data) == STEP_BYTES:
        data = _with_rest(data, stream, most)
    if len(data) > most:
        raise DocumentError(f"{name}: {_over(most)}", "too large")
    if decode.refuses(data):
        raise DocumentError(f"{name}: {_binary(name)}", "binary")
    return decode(data)


def lines(stream: BinaryIO, name: str, decode: Decoder, *, returns: bool = False) -> Iterator[Line | Skipped]:
    """The lines of a stream; for one that is binary or too large, a `Skipped` in its place.

    A stream that begins in the middle of a file has `lines_before`, the number of lines before it.

    Each line is given as soon as it has arrived. Lines end at a line feed; a carriage return before it is dropped.

    returns  whether carriage returns are kept instead
    """
    without_end = _without_feed if returns else _without_end
    most = decode.limits.document_bytes
    before = getattr(stream, "lines_before", 0)
    if decode.detects:
        stream = _sampled(stream, decode)
    for number, line in enumerate(_lines(stream, most, marks=not before), before + 1):
        place = f"{name}:{number}"
        if len(line) > most:
            yield too_large(place, most)
        elif isinstance(line, str):
            yield place, without_end(line.replace("\ufffd", " "))
        elif decode.refuses(line):
            yield Skipped(place, "binary", f"{place}: {_binary(name)}")
        else:
            yield place, without_end(decode(line))


def _sampled(stream: BinaryIO, decode: Decoder) -> BinaryIO:
    """The stream, after the decoder has detected its encoding from its beginning; of a pipe, from what has arrived."""
    beginning = getattr(stream, "read1", stream.read)(STEP_BYTES)
    decode.sample(beginning)
    return io.BufferedReader(Rejoined(beginning, stream))


def too_large(place: str, most: int) -> Skipped:
    """A record over the limit."""
    return Skipped(place, "too large", f"{place}: {_over(most)}")


BINARY = (
    "binary, not text: NUL bytes and other control characters; text in UTF-16 needs a byte order mark; "
    "--binary read reads it as text"
)

SPREADSHEETS = (".xlsx", ".xls", ".xlsm", ".ods", ".numbers")
SPREADSHEET = "a spreadsheet, not text; save it as CSV in UTF-8, and name that file"


def _binary(name: str) -> str:
    return SPREADSHEET if name.lower().endswith(SPREADSHEETS) else BINARY


def _over(most: int) -> str:
    return f"a document of over {most:,} bytes; split it, leave it out, or raise --largest"


def _with_rest(start: bytes | bytearray, stream: BinaryIO, most: int) -> bytearray:
    """All bytes of a stream, or if they are more than `most`, some more than that."""
    data = bytearray(start)
    while len(data) <= most and (piece := stream.read(STEP_BYTES)):
        data += piece
    return data


def _lines(stream: BinaryIO, most: int, *, marks: bool) -> Iterator[bytes | str]:
    """The lines, as text if a mark says UTF-16 or UTF-32; only the beginning of a line longer than `most`."""
    readline = stream.readline
    line: bytes | str = readline(most + 1)
    if marks and isinstance(line, bytes) and (encoding := marked(line)):  # there a line feed has two or four bytes
        rejoined = io.BufferedReader(Rejoined(line, stream))
        readline = io.TextIOWrapper(rejoined, encoding, "replace", newline="\n").readline  # type: ignore[assignment]
        line = readline(most + 1)
    while line:
        yield line
        if len(line) > most:
            while len(readline(STEP_BYTES)) == STEP_BYTES:
                pass
        line = readline(most + 1)


def _without_end(line: str) -> str:
    return line.removesuffix("\n").removesuffix("\r")


def _without_feed(line: str) -> str:
    return line.removesuffix("\n")
