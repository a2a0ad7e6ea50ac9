"""Tar archives (v7, ustar, GNU, pax), read once from the beginning to the end, whatever their headers claim.

Python's own module keeps everything it has read, takes time that grows with the square of a header's length, and skips
to any place that a header names. Here headers have a limit, and time and memory depend only on the bytes of the file.
"""

import io
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

BLOCK = 512
HEADER_BYTES = 1 << 16  # limit of an extended header, such as a long name: no file system has longer names
STEP_BYTES = 1 << 16
FILE, FOLDER, LONG_NAME, EXTENDED = (b"0", b"\0", b"7"), b"5", b"L", (b"x", b"X")
SAID = (LONG_NAME, *EXTENDED, b"K", b"g")  # headers about the next members


class TarError(Exception):
    """The archive is damaged."""


class Entry(NamedTuple):
    """A member of an archive.

    path     its name, undecodable bytes as surrogates
    is_file  whether it is a file with all its bytes, not a link, device or sparse file
    content  its bytes; read them before asking for the next entry
    """

    path: str
    is_file: bool
    content: "Content"


class Content(io.RawIOBase):
    """The bytes of a member.

    Reading raises: TarError if the archive ends before them.
    """

    def __init__(self, archive: BinaryIO, size: int) -> None:
        self._archive = archive
        self._left = size

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # BufferedReader passes this type
        """Fill the buffer as far as possible; the number of bytes, 0 at the end of the member."""
        piece = _some(self._archive, min(self._left, len(buffer)))
        self._left -= len(piece)
        buffer[: len(piece)] = piece
        return len(piece)

    def pass_over(self) -> None:
        """Read what is left."""
        while self._left:
            self._left -= len(_some(self._archive, min(self._left, STEP_BYTES)))


def entries(archive: BinaryIO) -> Iterator[Entry]:
    """The members of an archive, without its folders, in order.

    Raises: TarError if the archive is damaged or cut short, after the undamaged members before.
    """
    said: dict[bytes, bytes] = {}  # values of extended headers for the next member
    while (block := _exactly(archive, BLOCK)).strip(b"\0"):
        size, kind = _checked(block), block[156:157]
        if kind in SAID:
            said |= _said(kind, _header(archive, size))
            continue
        path = said[b"path"] if b"path" in said else _path(block)
        size = int(said.get(b"size", size))
        content = Content(archive, size)
        if kind != FOLDER and not (kind == b"\0" and path.endswith(b"/")):
            sparse = any(key.startswith(b"GNU.sparse") for key in said)
            yield Entry(path.decode("utf-8", "surrogateescape"), kind in FILE and not sparse, content)
        content.pass_over()
        _exactly(archive, -size % BLOCK)
        said = {}


def _checked(block: bytes) -> int:
    """The size of the content that follows a header."""
    stated = _number(block[148:156])
    blank = block[:148] + b" " * 8 + block[156:]
    if stated not in (
        sum(blank),
        sum(blank) - 256 * sum(byte > 127 for byte in blank),
    ):  # some sum signed bytes
        raise TarError("a header does not match its checksum")
    return _number(block[124:136])


def _number(field: bytes) -> int:
    if field[0] == 0x80:  # GNU's form of numbers too large for octal digits
        return int.from_bytes(field[1:], "big")
    try:
        return int(field.partition(b"\0")[0].strip() or b"0", 8)
    except ValueError:
        raise TarError(f"a header has {field!r} where a number should be") from None


def _path(block: bytes) -> bytes:
    name, prefix = block[:100].rstrip(b"\0"), block[345:500].rstrip(b"\0")
    return prefix + b"/" + name if prefix and block[257:263] == b"ustar\0" else name


def _header(archive: BinaryIO, size: int) -> bytes:
    if size > HEADER_BYTES:
        raise TarError(f"an extended header of {size:,} bytes; at most {HEADER_BYTES:,} are read")
    return _exactly(archive, size + -size % BLOCK)[:size]


def _said(kind: bytes, data: bytes) -> dict[bytes, bytes]:
    """The values that an extended header gives for the next member."""
    if kind == LONG_NAME:
        return {b"path": data.rstrip(b"\0")}
    return dict(_records(data)) if kind in EXTENDED else {}


def _records(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    r"""The records of a pax header, each `LENGTH KEY=VALUE\n`."""
    start = 0
    while start < len(data):
        digits, blank, _ = data[start : start + 20].partition(b" ")
        end = start + int(digits) if digits.isdigit() else 0
        if not blank or end <= start + len(digits):
            raise TarError("a malformed extended header")
        key, _, value = data[start + len(digits) + 1 : end].removesuffix(b"\n").partition(b"=")
        yield key, value.rstrip(b"/") if key == b"path" else value
        start = end


def _exactly(archive: BinaryIO, size: int) -> bytes:
    data = b""
    while len(data) < size:
        data += _some(archive, size - len(data))
    return data


def _some(archive: BinaryIO, size: int) -> bytes:
    """Up to `size` bytes, as they come; at least one unless none are wanted."""
    data = archive.read(size)
    if size and not data:
        raise TarError("it ends early")
    return data
