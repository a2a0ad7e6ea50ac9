"""The list of files that --files-from names."""

import codecs
from collections.abc import Iterator
from io import BytesIO
from itertools import chain
from typing import BinaryIO

ENCODINGS = {  # of a list, by its byte order mark; the longer marks first, because they begin with the shorter ones
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def names(lines: BinaryIO) -> Iterator[bytes]:
    """The names in a list, including empty ones: one per line, or NUL-separated if the first line has a NUL.

    They are the bytes of the list, without a carriage return before a line feed. A list that begins with the byte order
    mark of UTF-16 or UTF-32, as some Windows programs write it, is turned into UTF-8.

    Raises: UnicodeDecodeError if the list begins like UTF-16 or UTF-32, but is not.
    """
    with lines:
        first = lines.readline().removeprefix(codecs.BOM_UTF8)
        encoding = next((name for mark, name in ENCODINGS.items() if first.startswith(mark)), None)
        if encoding:
            lines = BytesIO((first + lines.read()).decode(encoding).encode())
            first = lines.readline()
        elif b"\0" in first:
            content = first + lines.read()
            if _looks_like_utf_16(content):
                raise UnicodeDecodeError("utf-16", content, 0, 2, "UTF-16 without a byte order mark")
            yield from content.split(b"\0")
            return
        for line in chain([first], lines):
            yield line.removesuffix(b"\n").removesuffix(b"\r")


def _looks_like_utf_16(content: bytes) -> bool:
    """Whether a list with NULs is UTF-16 text: names of one letter, or with a line feed, are rare."""
    return b"\n" in content and 3 * content.count(0) > len(content)
