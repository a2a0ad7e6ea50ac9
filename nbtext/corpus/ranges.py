"""Large files of lines cut into ranges of lines, so that workers can share them."""

import io
from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple

from ..analysis import Analysis
from ..decoding import marked
from .batches import size_of
from .compression import ANY_START, LONGEST_START, is_compressed
from .sources import Found, Source
from .walking import is_archive

RANGE_BYTES = 1 << 21  # in a range, and up to the end of its last line


class Range(NamedTuple):
    """A part of a file of lines.

    start, end    its bytes
    lines_before  the number of lines in the file before it
    """

    start: int
    end: int
    lines_before: int


class Lines(io.BytesIO):
    """A range of a file's lines, as a stream that knows how many lines come before it."""

    def __init__(self, stream: BinaryIO, part: Range) -> None:
        stream.seek(part.start)
        super().__init__(stream.read(part.end - part.start))
        self.lines_before = part.lines_before


def in_ranges(sources: Iterable[Found], analysis: Analysis) -> Iterator[Found]:
    """The same sources, with each large file of lines as several sources, each a range of whole lines."""
    reader, decode, _ = analysis.input()
    can_be_cut = getattr(reader, "LINES", False) and not decode.detects  # detected from the file's beginning
    for source in sources:
        whole = getattr(reader, "WHOLE", None)
        if can_be_cut and isinstance(source, Source) and _can_be_cut(source, whole):
            yield from _ranges(source)
        else:
            yield source


def _can_be_cut(source: Source, whole: bytes | None) -> bool:
    """Whether a file is large, and each of its lines is a document.

    whole  the beginning of files whose lines belong together, if the format has such files
    """
    if is_compressed(source.name) or is_archive(source.name) or size_of(source) < 2 * RANGE_BYTES:
        return False
    try:
        with open(source.path, "rb") as file:
            start = file.read(LONGEST_START)
    except OSError:
        return False  # reading it will report the error
    if whole and start.lstrip().startswith(whole):
        return False
    return not (start.startswith(ANY_START) or marked(start))  # in UTF-16 and UTF-32 a line feed has more bytes


def _ranges(source: Source) -> Iterator[Source]:
    lines = start = 0
    with open(source.path, "rb") as file:
        while data := file.read(RANGE_BYTES):
            data += file.readline()
            yield source._replace(range=Range(start, start + len(data), lines))
            start += len(data)
            lines += data.count(b"\n")
