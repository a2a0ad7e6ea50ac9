"""What is compressed: gzip, bzip2, xz and Zstandard, told by how the data begin, else by the file's name."""

import io
from typing import BinaryIO

from ..decoding import Rejoined

SUFFIXES = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd"} | {
    ".tgz": "gzip", ".tbz2": "bzip2", ".txz": "xz", ".tzst": "zstd"
}  # fmt: skip
# How a file begins that is compressed, whatever it is called; of two bytes each the first would begin texts too
STARTS = {
    b"\x1f\x8b\x08": "gzip",
    **{b"BZh%d%s" % (level, b"1AY&SY"): "bzip2" for level in range(1, 10)},
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}
ANY_START = tuple(STARTS)
LONGEST_START = max(map(len, STARTS))


def plain(stream: BinaryIO, name: str) -> BinaryIO:
    """The stream, or if it is compressed what it holds: then it is a `decompression.Unpacked`.

    Raises: DocumentError if a package is missing that reads it.
    """
    start, stream = _begun(stream)
    if start.startswith(ANY_START):
        kind = next(kind for magic, kind in STARTS.items() if start.startswith(magic))
    elif is_compressed(name):
        kind = SUFFIXES[_suffix(name)]
    else:
        return stream
    from .decompression import Unpacked  # most starts can do without it

    return Unpacked(stream, name, kind)


def is_compressed(name: str) -> bool:
    """Whether the name of a file says that it is compressed."""
    return _suffix(name) in SUFFIXES


def without_suffix(name: str) -> str:
    """The name of what is in a compressed file of this name."""
    return name[: name.rfind(".")] if is_compressed(name) else name


def _suffix(name: str) -> str:
    return name[name.rfind(".") :].lower()


def _begun(stream: BinaryIO) -> tuple[bytes, BinaryIO]:
    """How a stream begins, without waiting for more than has come if that tells enough; and the stream, untouched."""
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
