"""What the readers share in taking bytes from a stream: all of it, or line by line, within LARGEST_BYTES."""

import io
from collections.abc import Iterator
from typing import BinaryIO

from ..decoding import HEAD_BYTES, UTF_16_MARKS, Decode, is_binary
from ..errors import DocumentError
from . import LARGEST_BYTES

STEP_BYTES = 1 << 20


def whole(stream: BinaryIO, name: str, start: bytes = b"") -> bytes:
    """All bytes of a stream, after those of the start that were taken from it already.

    Raises: DocumentError if it is binary, which the first step tells, or too large, which is never read to its end.
    """
    pieces = [start]
    size = len(start)
    while piece := stream.read(STEP_BYTES):
        if len(pieces) == 1 and is_binary(start + piece):
            raise _binary(name)
        size += len(piece)
        if size > LARGEST_BYTES:
            raise _too_large(name)
        pieces.append(piece)
    return b"".join(pieces)


def numbered(stream: BinaryIO, name: str, decode: Decode) -> Iterator[tuple[str, str]]:
    """The lines of a stream as (place, text): the place is NAME:1, NAME:2 and so on, the text has no line end.

    A stream that begins in the middle of a file says by `lines_before` how many lines come before it.

    Each line leaves as soon as it has come. Lines end at a line feed, before which a carriage return is dropped.

    Raises: DocumentError if the stream is binary or a line too large.
    """
    for number, line in enumerate(_lines(stream, name, decode), getattr(stream, "lines_before", 0) + 1):
        yield f"{name}:{number}", line.removesuffix("\n").removesuffix("\r")


def _lines(stream: BinaryIO, name: str, decode: Decode) -> Iterator[str]:
    if not getattr(stream, "lines_before", 0) and is_binary(_head(stream)):
        raise _binary(name)
    line = stream.readline(LARGEST_BYTES + 1)
    if line.startswith(UTF_16_MARKS):  # a line feed has two bytes there
        line, text = b"", decode(whole(stream, name, line))
        yield from io.StringIO(text, newline="\n")
    while line:
        if len(line) > LARGEST_BYTES:
            raise _too_large(name)
        yield decode(line)
        line = stream.readline(LARGEST_BYTES + 1)


def _head(stream: BinaryIO) -> bytes:
    """What can be seen of the beginning of a stream without waiting for more than has come."""
    if hasattr(stream, "peek"):
        return bytes(stream.peek(HEAD_BYTES))
    if not stream.seekable():
        return b""
    head = stream.read(HEAD_BYTES)
    stream.seek(-len(head), io.SEEK_CUR)
    return head


def _binary(name: str) -> DocumentError:
    return DocumentError(
        f"{name}: binary, not text: a NUL byte near the start; text in UTF-16 needs a byte order mark", "binary"
    )


def _too_large(name: str) -> DocumentError:
    return DocumentError(f"{name}: a document of over {LARGEST_BYTES:,} bytes; split it, or leave it out", "too large")
