"""A stream whose beginning has been looked at."""

import io
from typing import BinaryIO


class Rejoined(io.RawIOBase):
    r"""A beginning and the stream it was taken from, as one stream again; closing it is left to the caller.

    >>> rest = io.BytesIO(b"two\n")
    >>> io.BufferedReader(Rejoined(b"one\n", rest)).readlines()
    [b'one\n', b'two\n']
    """

    def __init__(self, start: bytes, rest: BinaryIO) -> None:
        self._start = memoryview(start)
        self._rest = rest

    def readable(self) -> bool:
        """Yes: that is what it is for."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # what BufferedReader calls it with
        """Fill the buffer as far as bytes have come; 0 at the end."""
        piece = self._start[: len(buffer)] or self._read(len(buffer))
        self._start = self._start[len(buffer) :]
        buffer[: len(piece)] = piece
        return len(piece)

    def _read(self, size: int) -> bytes:
        """No more than has come, where the stream can tell."""
        read = getattr(self._rest, "read1", self._rest.read)
        return bytes(read(size) or b"")
