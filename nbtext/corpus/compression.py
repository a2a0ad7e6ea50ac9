"""Recognising compressed data: gzip, bzip2, xz and Zstandard, by the first bytes, else by the file's name."""

import io
from typing import BinaryIO

from ..decoding import Rejoined

SUFFIXES = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd"} | {
    ".tgz": "gzip", ".tbz2": "bzip2", ".txz": "xz", ".tzst": "zstd"
}  # fmt: skip
# First bytes of compressed files, whatever their names; two bytes alone could also begin a text
STARTS = {
    b"\x1f\x8b\x08": "gzip",
    **{b"BZh%d%s" % (level, b"1AY&SY"): "bzip2" for level in range(1, 10)},
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}
ANY_START = tuple(STARTS)
LONGEST_START = max(map(len, STARTS))


def plain(stream: BinaryIO, name: str) -> BinaryIO:
    """The stream itself, or if it is compressed, its decompressed content as a `decompression.Unpacked`.

    Raises: DocumentError if the package that reads it is missing.
    """
    start, stream = _begun(stream)
    if start.startswith(ANY_START):
        kind = next(kind for magic, kind in STARTS.items() if start.startswith(magic))
    elif is_compressed(name):
        kind = SUFFIXES[_suffix(name)]
    else:
        return stream
    from .decompression import Unpacked  # imported here, as most starts do not need it

    return Unpacked(stream, name, kind)


def is_compressed(name: str) -> bool:
    """Whether the name of a file says that it is compressed."""
    return _suffix(name) in SUFFIXES


def without_suffix(name: str) -> str:
    """The name of a file without the suffix of its compression."""
    return name[: name.rfind(".")] if is_compressed(name) else name


def _suffix(name: str) -> str:
    return name[name.rfind(".") :].lower()


def _begun(stream: BinaryIO) -> tuple[bytes, BinaryIO]:
    """The beginning of a stream, not waiting for more bytes than needed; and the same stream, from its beginning."""
    if isinstance(stream, io.BytesIO):
        start = stream.read(LONGEST_START)
        stream.seek(-len(start), io.SEEK_CUR)
        return start, stream
    if hasattr(stream, "peek"):
        start = bytes(stream.peek(LONGEST_START)[:LONGEST_START])
        if not any(magic.startswith(start) and start < magic for magic in STARTS) or not start:
            return start, stream
    start = stream.read(LONGEST_START)
    return start, io.BufferedReader(Rejoined(start, stream))
