"""Dask: the workers of a cluster, through its scheduler (the extra `nbtext[dask]`).

Source: distributed.dask.org, "Client.get_executor".
"""

from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import ChoiceError, CorpusError
from ._sharing import Team

SECONDS = 10  # to wait for an answer


@contextmanager
def team(scheduler: str | None) -> Iterator[Team]:
    """Context manager: yields the workers of the scheduler, by default the configured one (DASK_SCHEDULER_ADDRESS).

    Raises: ChoiceError if there is no scheduler, or it has no workers; CorpusError if work is lost with a worker.
    """
    try:
        import dask
        from distributed import Client
        from distributed.comm.addressing import resolve_address
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise ChoiceError("the engine dask needs a package that is not installed: pip install 'nbtext[dask]'") from None
    address = scheduler or dask.config.get("scheduler-address", None)
    if not address:
        raise ChoiceError("the engine dask needs the address of a scheduler, as in --scheduler tcp://example.org:8786")
    try:
        resolve_address(address)  # if this fails, a client would not be cleaned up completely
        client = Client(address, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ChoiceError(f"--scheduler {address}: no Dask scheduler answers there ({error})") from None
    with client:
        workers = sum(client.nthreads().values())
        if not workers:
            raise ChoiceError(f"--scheduler {address}: it has no workers; start some with: dask worker {address}")
        try:
            yield Team(client.get_executor(), workers)
        except KilledWorker as error:
            raise CorpusError(f"Dask could not do a part of the work: {error}; nothing was trained") from None
