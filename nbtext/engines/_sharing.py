"""Sharing work by any `concurrent.futures.Executor`: processes on this machine, Dask or MPI can be the engine.

Work is sent as batches of sources, so workers also read and decode. The result is the same whether and wherever work is
shared.
"""

import gc
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from ..errors import CorpusError

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future
    from threading import Thread

Work = TypeVar("Work")
Result = TypeVar("Result")

AHEAD = 2  # pieces of work sent per worker: the current one and the next
WORKERS = 16  # assumed for an executor that does not say how many it has
FORKS = sys.platform == "linux"  # elsewhere system libraries may break after a fork
ENDINGS = signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE
PARTING_SECONDS = 1.0  # for a pool to notice that its workers are gone; this usually takes milliseconds


class Team:
    """The workers.

    executor  runs the work
    workers   the number of pieces that it runs at the same time
    """

    def __init__(self, executor: "Executor", workers: int) -> None:
        self.executor = executor
        self.workers = workers

    def results(self, function: Callable[[Work], Result], work: Iterable[Work]) -> Iterator[Result]:
        """The function's result for each piece of work, in order; only a few pieces are started ahead."""
        begun: deque[Future[Result]] = deque()
        for piece in work:
            begun.append(self.executor.submit(function, piece))
            if len(begun) >= AHEAD * self.workers:
                yield begun.popleft().result()
        while begun:
            yield begun.popleft().result()


@contextmanager
def processes(jobs: int) -> Iterator[Team]:
    """Context manager: yields processes on this machine, `jobs` of them. If the work is interrupted or fails, all end.

    Raises: CorpusError if they cannot be started, or if one dies, since its share would be missing.
    """
    import multiprocessing
    import threading
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    context = multiprocessing.get_context("fork" if FORKS else None)
    others = set(multiprocessing.active_children())
    threads = set(threading.enumerate())
    pool = ProcessPoolExecutor(jobs, context, initializer=_begin)
    try:
        # Fork now, while signals are held back: a child would handle them as its parent does. The pool's threads start
        # now too, and keep signals blocked: they write to workers, and one that has ended must not end this process.
        with _held_back(ENDINGS):
            try:
                pool.submit(int)
            except (OSError, RuntimeError) as error:  # no memory, or a limit on processes
                raise CorpusError(f"worker processes cannot be started ({error}); try --jobs 1") from None
        yield Team(pool, jobs)
    except BrokenProcessPool:
        _part_from(set(threading.enumerate()) - threads)
        raise CorpusError("a worker process was killed, perhaps because memory ran out; try --jobs 1") from None
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.kill()
        pool.shutdown(wait=False, cancel_futures=True)
        _part_from(set(threading.enumerate()) - threads)
        raise
    pool.shutdown()


def processes_are_possible() -> bool:
    """Whether this machine has the POSIX semaphores that a pool of processes needs, in /dev/shm on Linux.

    Containers, cloud functions and Android may lack them.
    """
    from concurrent.futures import ProcessPoolExecutor

    try:
        ProcessPoolExecutor(1).shutdown()  # creates its locks, but starts no process before there is work
    except (ImportError, NotImplementedError, OSError):
        return False
    return True


def _part_from(threads: "Iterable[Thread]") -> None:
    """Wait for the threads of a pool without workers, so that they do not print errors when the interpreter ends.

    Not forever: if a worker was killed in the middle of its answer, the pool waits for the rest.
    """
    for thread in threads:
        if not thread.daemon:
            thread.join(PARTING_SECONDS)


@contextmanager
def _held_back(signals: Iterable[signal.Signals]) -> Iterator[None]:
    """Context manager: inside, these signals are held back."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """In a worker: ignore Ctrl-C, which the parent process handles by ending its workers; end if the parent ends."""
    import multiprocessing
    from multiprocessing.connection import wait
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDINGS)
    gc.disable()
    parent = multiprocessing.parent_process()

    def end_with_parent() -> None:
        if parent:
            wait([parent.sentinel])
            os._exit(1)

    Thread(target=end_with_parent, daemon=True).start()


@contextmanager
def team(executor: "Executor | None", jobs: int | None, *, worth: bool) -> "Iterator[Team | None]":
    """The executor if there is one, else processes, by default one per core; None if starting them is not worth it."""
    if executor is not None:
        yield Team(executor, jobs or WORKERS)
        return
    jobs = jobs or cores()
    if jobs == 1 or not worth or not processes_are_possible():
        yield None
        return
    with processes(jobs) as local:
        yield local


def results(team: Team | None, function: Callable[[Work], Result], work: Iterable[Work]) -> Iterator[Result]:
    """The function's result for each piece of work, in order: by the team, or in this process if there is none."""
    return team.results(function, work) if team else map(function, work)


def cores() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def unswept() -> Iterator[None]:
    """Context manager: inside, garbage collection is off. Counting makes millions of objects but no cycles."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
