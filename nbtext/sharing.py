"""Work shared out: batches to any `concurrent.futures.Executor`, so that processes, Dask or MPI can be the engine.

Work travels as batches of sources, so reading and decoding happen in the workers too. Whether and where work is
shared out changes nothing in the result.
"""

import gc
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from .corpus import Note, Skipped, Source
from .errors import CorpusError

if TYPE_CHECKING:
    from concurrent.futures import Executor

Found = Source | Skipped | Note
Result = TypeVar("Result")

FEWEST, MOST = 256, 1024  # sources in a batch
WORTH_SHARING_BYTES = 4_000_000  # below this, starting workers takes longer than the work


@contextmanager
def executor(jobs: int | None, sources: Sequence[Found]) -> "Iterator[Executor | None]":
    """So many worker processes, by default one a core; None where they would cost more than they save.

    When the work is interrupted all of them end at once.

    Raises: CorpusError if a worker dies, whose share would be missing.
    """
    jobs = jobs or len(os.sched_getaffinity(0))
    if jobs == 1 or not _is_worth_sharing(sources):
        yield None
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    pool = ProcessPoolExecutor(jobs, context, initializer=_listen_to_nobody)
    try:
        yield pool
    except BrokenProcessPool:
        raise CorpusError("a worker process was ended from outside, perhaps for want of memory; try --jobs 1") from None
    except BaseException:
        for process in multiprocessing.active_children():
            process.kill()
        # Not waited for: where one was killed in the middle of its answer, the pool waits for the rest of it for ever
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def _is_worth_sharing(sources: Sequence[Found]) -> bool:
    if len(sources) >= 4 * FEWEST:
        return True
    files = (source.path for source in sources if isinstance(source, Source))
    return sum(os.path.getsize(path) for path in files if os.path.isfile(path)) >= WORTH_SHARING_BYTES


def _listen_to_nobody() -> None:
    """In a worker: Ctrl-C is for the process that shares the work out, and which will end us."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.disable()


def batches(sources: Sequence[Found]) -> list[Sequence[Found]]:
    """The sources in batches, cut where a class ends if that makes no crumbs: then classes merge without adding up."""
    cuts = [0]
    labels = [source.label if isinstance(source, Source) else None for source in sources]
    for place in range(1, len(sources)):
        size = place - cuts[-1]
        if size >= MOST or (size >= FEWEST and labels[place] != labels[place - 1]):
            cuts.append(place)
    return [sources[start:end] for start, end in zip(cuts, [*cuts[1:], len(sources)], strict=True)]


@contextmanager
def unswept() -> Iterator[None]:
    """A time without garbage collection: counting makes millions of objects and no cycles, and is twice as fast so."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
