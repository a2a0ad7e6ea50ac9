"""What the readers share in taking text from a stream: all of it, or line by line, within the limits of the decoder."""

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

    Raises: DocumentError if it is binary, or too large, which is found without reading it to its end.
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
    """The lines of a stream, and in the place of one that is binary or too large the reason.

    A stream that begins in the middle of a file says by `lines_before` how many lines come before it.

    Each leaves as soon as it has come. Lines end at a line feed, before which a carriage return is dropped.

    returns  whether it is kept instead
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
    """The stream, whose beginning has told the decoder its encoding: of a pipe, what has come at once."""
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
    """The lines, as text where a mark says UTF-16 or UTF-32; of one that is longer than `most` only the beginning."""
    readline = stream.readline
    line: bytes | str = readline(most + 1)
    if marks and isinstance(line, bytes) and (encoding := marked(line)):  # a line feed has two or four bytes there
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
