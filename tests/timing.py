"""The time that a call takes by itself, whatever other tests have left in memory."""

from collections.abc import Callable
from functools import partial
from time import process_time
from timeit import repeat


def seconds(call: Callable[..., object], *args: object, times: int = 1) -> float:
    """The least processor time of some calls.

    No garbage is collected meanwhile: a collection goes through all objects of the process, those of other tests too.
    """
    return min(repeat(partial(call, *args), timer=process_time, number=1, repeat=times))
