"""A corpus in portions for workers, so that all of them together stay within the memory limit."""

from collections.abc import Iterable, Iterator

from ..corpus import batches as cutting
from ..corpus.sources import Found
from .collection import Collection, Share

MOST_TO_DISK = 16_384  # most sources in a batch whose counts go to disk,
SOURCE_SHARE = 1 << 15  # and one source per so many bytes of memory: some batches wait for workers


def shared(
    collection: Collection, sources: Iterable[Found], memory: int, workers: int
) -> Iterator[tuple[list[Found], Share]]:
    """The sources in batches, each with the limits for the worker who counts it.

    collection  the counts are added to it: with runs on disk batches are larger, as fewer runs are better
    memory      bytes for all counting together
    """
    share = max(memory * 3 // 8 // workers, 1)  # arrays are copied while they are sorted

    def most() -> tuple[int, int]:
        if collection.is_on_disk:
            to_disk = min(MOST_TO_DISK, max(cutting.MOST, memory // SOURCE_SHARE))
            return to_disk, max(cutting.MOST_BYTES, memory // 16)
        return cutting.MOST, min(cutting.MOST_BYTES, memory // 128)

    return ((batch, collection.share(share)) for batch in cutting.batches(sources, most))
