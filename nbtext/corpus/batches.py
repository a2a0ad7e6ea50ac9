"""Sources in batches, which workers read; large files of lines are cut into ranges, so that these can be shared too."""

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice

from ..analysis import Analysis
from ..decoding import marked
from .compression import ANY_START, LONGEST_START, is_compressed
from .sources import Found, Range, Source
from .walking import is_archive

FEWEST, MOST = 256, 1024  # sources in a batch, and
MOST_BYTES = 1 << 24  # bytes, but for the last of them
WORTH_SHARING = 4 * FEWEST  # with fewer sources, and
WORTH_SHARING_BYTES = 4_000_000  # fewer bytes, starting workers takes longer than the work
RANGE_BYTES = 1 << 21  # of a range, up to the end of its last line


def weighed(sources: Iterable[Found]) -> tuple[Iterator[Found], bool]:
    """The same sources, and whether they are worth sharing out."""
    rest = iter(sources)
    first = list(islice(rest, WORTH_SHARING))
    return chain(first, rest), len(first) == WORTH_SHARING or sum(map(_size, first)) >= WORTH_SHARING_BYTES


def batches(sources: Iterable[Found], most: Callable[[], tuple[int, int]] | None = None) -> Iterator[list[Found]]:
    """The sources in batches, cut where a class ends if that makes no crumbs: then classes merge without adding up.

    most  how many sources, and bytes but for the last of them, may be in the next one
    """
    batch: list[Found] = []
    size = 0
    last: str | None = None
    sources_at_most, bytes_at_most = most() if most else (MOST, MOST_BYTES)
    for source in sources:
        label = source.label if isinstance(source, Source) else None
        if len(batch) >= sources_at_most or size >= bytes_at_most or (len(batch) >= FEWEST and label != last):
            yield batch
            batch = []
            size = 0
            sources_at_most, bytes_at_most = most() if most else (MOST, MOST_BYTES)
        batch.append(source)
        size += _size(source)
        last = label
    if batch:
        yield batch


def _size(source: Found) -> int:
    """The bytes of the file, 0 if it has none that can be known."""
    try:
        return os.stat(source.path).st_size if isinstance(source, Source) else 0
    except (OSError, ValueError):
        return 0  # which reading it will tell


def in_ranges(sources: Iterable[Found], analysis: Analysis) -> Iterator[Found]:
    """The same sources, a large file of lines as several, each a range of whole lines."""
    reader, decode, _ = analysis.input()
    can_be_cut = getattr(reader, "LINES", False) and not decode.detects  # the beginning of a file tells its encoding
    for source in sources:
        whole = getattr(reader, "WHOLE", None)
        if can_be_cut and isinstance(source, Source) and _can_be_cut(source, whole):
            yield from _ranges(source)
        else:
            yield source


def _can_be_cut(source: Source, whole: bytes | None) -> bool:
    """Whether a file is large, and each of its lines a document.

    whole  how a file begins whose lines belong together, if there are such files
    """
    if is_compressed(source.name) or is_archive(source.name) or _size(source) < 2 * RANGE_BYTES:
        return False
    try:
        with open(source.path, "rb") as file:
            start = file.read(LONGEST_START)
    except OSError:
        return False  # which reading it will tell
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
