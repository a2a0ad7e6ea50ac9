"""Work shared out to any `concurrent.futures.Executor`, so that processes here, Dask or MPI can each be the engine.

Work travels as batches of sources, so reading and decoding happen in the workers too. Whether and where work is shared
out changes nothing in the result.
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

AHEAD = 2  # pieces of work handed out for each worker: one to do, and the next at hand
WORKERS = 16  # of an executor that does not say how many it has
FORKS = sys.platform == "linux"  # elsewhere system libraries do not bear it
ENDINGS = signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE
PARTING_SECONDS = 1.0  # that a pool gets to see that its workers are gone; it takes milliseconds


class Team:
    """Who does the work.

    executor  takes it
    workers   how many pieces it does at a time
    """

    def __init__(self, executor: "Executor", workers: int) -> None:
        self.executor = executor
        self.workers = workers

    def results(self, function: Callable[[Work], Result], work: Iterable[Work]) -> Iterator[Result]:
        """What the function makes of each piece of work, in order; no more is begun than will soon be asked for."""
        begun: deque[Future[Result]] = deque()
        for piece in work:
            begun.append(self.executor.submit(function, piece))
            if len(begun) >= AHEAD * self.workers:
                yield begun.popleft().result()
        while begun:
            yield begun.popleft().result()


@contextmanager
def processes(jobs: int) -> Iterator[Team]:
    """So many processes on this machine. When the work is interrupted or fails all of them end at once.

    Raises: CorpusError if one dies, whose share would be missing.
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
        # Forked now, while no signal can find a child that would answer it as its parent does. The threads that are
        # started with them never hear one: it is theirs to write to workers that have gone, which must not end us.
        with _held_back(ENDINGS):
            pool.submit(int)
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
    """Whether this machine has what a pool of processes needs: POSIX semaphores, in /dev/shm on Linux.

    Containers may lack them, and machines that run functions as a service, and Android.
    """
    from concurrent.futures import ProcessPoolExecutor

    try:
        ProcessPoolExecutor(1).shutdown()  # makes its locks, but starts no process before there is work
    except (ImportError, NotImplementedError, OSError):
        return False
    return True


def _part_from(threads: "Iterable[Thread]") -> None:
    """Wait for the threads of a pool without workers, that they do not end with the interpreter, and complain.

    Not for ever: where a worker was killed in the middle of its answer, the pool waits for the rest of it.
    """
    for thread in threads:
        if not thread.daemon:
            thread.join(PARTING_SECONDS)


@contextmanager
def _held_back(signals: Iterable[signal.Signals]) -> Iterator[None]:
    """Context manager: these signals wait meanwhile."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """In a worker: Ctrl-C is for the process that shares the work out, which ends us, and without which we end."""
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
    """The executor if there is one, else processes, by default one a core; None where it is not worth starting them."""
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
    """What the function makes of each piece of work, in order: by the team, or here if there is none."""
    return team.results(function, work) if team else map(function, work)


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def unswept() -> Iterator[None]:
    """Context manager: no garbage collection meanwhile. Counting makes millions of objects but no cycles."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
