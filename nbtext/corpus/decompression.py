"""Decompression: the content of a compressed stream, as a stream.

All members (gzip, xz: streams; Zstandard: frames) of a file are read. One that ends early is an error. Zero bytes after
the last one are padding; anything else after it is noted and not read. Whatever the data claim, little more is
decompressed at a time than is asked for, and never more than a fixed multiple of what was read.
"""

import io
import sys
from collections.abc import Callable
from functools import partial
from typing import BinaryIO, Protocol

from ..errors import DocumentError

STEP_BYTES = 1024  # read at a time: 4 bytes of Zstandard can stand for 128 KiB, and not all its versions can pause
XZ_MEMORY_BYTES = 1 << 28  # the highest preset needs a quarter of this; a header may ask for 4 GiB
BUFFER_BYTES = 1 << 16
FREE_BYTES = 1 << 24  # always allowed to come out of a file, however small it is;
MOST_TIMES = 1000  # beyond that, at most this many times the bytes read: texts hardly reach a hundred times


def unpacks_too_far() -> str:
    """The message about a compression bomb."""
    return f"unpacks to more than {MOST_TIMES} times its size; unpack it first if that is intended"


class _Decompressor(Protocol):
    """The decompressor of one member, as in `bz2` and `lzma`."""

    @property
    def eof(self) -> bool: ...

    @property
    def needs_input(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int) -> bytes: ...


# (makes the decompressor of a member, the error it raises, the possible first bytes of a member)
_Format = tuple[Callable[[], _Decompressor], type[Exception], tuple[bytes, ...]]


class Unpacked(io.BufferedReader):
    """The decompressed content of a stream; the arguments are those of `_Plain`."""

    def __init__(self, packed: BinaryIO, name: str, kind: str) -> None:
        self._plain = _Plain(packed, name, kind)
        super().__init__(self._plain, BUFFER_BYTES)

    @property
    def garbage(self) -> bool:
        """Whether other bytes follow the compressed data; known once its end is reached."""
        return self._plain.garbage


class _Plain(io.RawIOBase):
    """The decompressed content of a stream, unbuffered.

    packed  the compressed stream; closing it is left to the caller
    name    of the file: errors name it
    kind    a value of `compression.SUFFIXES`

    Reading raises: DocumentError if the data are damaged or end early, or if the package that reads them is missing.
    """

    def __init__(self, packed: BinaryIO, name: str, kind: str) -> None:
        self.garbage = False
        self._packed = packed
        self._name = name
        self._new, self._error, self._starts = _format(kind, name)
        self._member = self._new()
        self._input = b""  # taken from the stream, not yet decompressed
        self._output = memoryview(b"")  # decompressed, not yet asked for
        self._taken = self._given = 0  # bytes read and bytes given in total

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # BufferedReader passes this type
        """Fill the buffer from one step of decompression; the number of bytes, 0 at the end.

        Raises: DocumentError ("damaged").
        """
        if not self._output:
            self._output = memoryview(self._decompressed(len(buffer)))
        size = min(len(buffer), len(self._output))
        buffer[:size] = self._output[:size]
        self._output = self._output[size:]
        return size

    def _decompressed(self, size: int) -> bytes:
        """Some bytes, about as many as asked for, or none at the end."""
        output = b""
        while not output and (not self._member.eof or self._next_member()):
            packed = b""
            if self._member.needs_input:
                packed, self._input = self._input or self._read(), b""
                if not packed:
                    raise self._damaged("the compressed data is cut off")
            try:
                output = self._member.decompress(packed, size)
            except (self._error, RuntimeError) as error:  # bzip2 raises RuntimeError if used after an error
                raise self._damaged(f"the compressed data is damaged ({error})") from None
        self._given += len(output)
        if self._given > max(FREE_BYTES, MOST_TIMES * self._taken):
            raise DocumentError(f"{self._name}: {unpacks_too_far()}", "too large")
        return output

    def _read(self) -> bytes:
        packed = self._packed.read(STEP_BYTES)
        self._taken += len(packed)
        return packed

    def _next_member(self) -> bool:
        """Whether another member follows the one that has ended; it is then the current one."""
        rest = self._member.unused_data.lstrip(b"\0")
        while len(rest) < max(map(len, self._starts)) and (more := self._read()):
            rest = (rest + more).lstrip(b"\0")
        if not rest.startswith(self._starts):
            self.garbage = self.garbage or bool(rest)
            return False
        self._member, self._input = self._new(), rest
        return True

    def _damaged(self, found: str) -> DocumentError:
        return DocumentError(f"{self._name}: {found}; get it again", "damaged")


def _format(kind: str, name: str) -> _Format:
    if kind == "gzip":
        import zlib

        return _Gzip, zlib.error, (b"\x1f\x8b",)
    if kind == "bzip2":
        import bz2

        return bz2.BZ2Decompressor, OSError, (b"BZh",)
    if kind == "xz":
        import lzma

        new = partial(lzma.LZMADecompressor, lzma.FORMAT_XZ, XZ_MEMORY_BYTES)
        return new, lzma.LZMAError, (b"\xfd7zXZ\0",)
    return _zstandard(name)


def _zstandard(name: str) -> _Format:
    skippable = (bytes((low,)) + b"*M\x18" for low in range(0x50, 0x60))
    starts = (b"\x28\xb5\x2f\xfd", *skippable)
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd

            return zstd.ZstdDecompressor, zstd.ZstdError, starts
        import zstandard

        return _Zstandard, zstandard.ZstdError, starts
    except ImportError:
        raise DocumentError(
            f"{name}: Zstandard needs another package: pip install 'nbtext[zst]'", "unreadable"
        ) from None


class _Gzip:
    """The decompressor of one gzip member."""

    def __init__(self) -> None:
        import zlib

        self._member = zlib.decompressobj(wbits=31)  # a gzip header and trailer, not zlib's
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._member.eof

    @property
    def unused_data(self) -> bytes:
        return self._member.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        output = self._member.decompress(self._member.unconsumed_tail + data, max_length)
        self.needs_input = len(output) < max_length  # otherwise there may be more output without more input
        return output


class _Zstandard:
    """The decompressor of one Zstandard frame, with the package `zstandard`. It ignores `max_length`."""

    needs_input = True

    def __init__(self) -> None:
        import zstandard

        self._frame = zstandard.ZstdDecompressor().decompressobj()

    @property
    def eof(self) -> bool:
        return self._frame.eof

    @property
    def unused_data(self) -> bytes:
        return self._frame.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:  # noqa: ARG002  # it cannot limit its output, see STEP_BYTES
        return self._frame.decompress(data)
