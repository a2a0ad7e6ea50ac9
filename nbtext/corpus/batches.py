"""Sources in batches for workers."""

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice

from .sources import Found, Source

FEWEST, MOST = 256, 1024  # sources in a batch
MOST_BYTES = 1 << 24  # in a batch, the last source aside
SIZED = 1024  # sources whose sizes are looked up; after these,
ALIKE = 16  # sources of which the first stands for all: a system call for each takes as long as finding it
WORTH_SHARING = 4 * FEWEST  # with fewer sources than this and
WORTH_SHARING_BYTES = 4_000_000  # fewer bytes, starting workers takes longer than the work


def weighed(sources: Iterable[Found]) -> tuple[Iterator[Found], bool]:
    """The same sources, and whether it is worth starting workers for them."""
    rest = iter(sources)
    first = list(islice(rest, WORTH_SHARING))
    return chain(first, rest), len(first) == WORTH_SHARING or sum(map(size_of, first)) >= WORTH_SHARING_BYTES


def batches(sources: Iterable[Found], most: Callable[[], tuple[int, int]] | None = None) -> Iterator[list[Found]]:
    """The sources in batches, cut where a class ends unless a batch would be tiny: then merging need not add up counts.

    most  gives the most sources and the most bytes (the last source aside) of the next batch
    """
    batch: list[Found] = []
    size = 0
    last: str | None = None
    sources_at_most, bytes_at_most = most() if most else (MOST, MOST_BYTES)
    bytes_each = 0
    for number, source in enumerate(sources):
        label = source.label if isinstance(source, Source) else None
        if len(batch) >= sources_at_most or size >= bytes_at_most or (len(batch) >= FEWEST and label != last):
            yield batch
            batch = []
            size = 0
            sources_at_most, bytes_at_most = most() if most else (MOST, MOST_BYTES)
        batch.append(source)
        if number < SIZED or number % ALIKE == 0:
            bytes_each = size_of(source)
        size += bytes_each
        last = label
    if batch:
        yield batch


def size_of(source: Found) -> int:
    """The size of the file in bytes, 0 if it is not known."""
    try:
        return os.stat(source.path).st_size if isinstance(source, Source) else 0
    except (OSError, ValueError):
        return 0  # reading it will report the error
