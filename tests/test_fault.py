"""A sample of `make faults`: nothing is lost, and nothing is taken for an answer."""

from collections.abc import Callable, Iterator

import pytest

from .fault import Outcome
from .fault.delivery import deliver
from .fault.growth import grow
from .fault.killing import kill_commands
from .fault.shortage import fill_disks, starve

SAMPLES: dict[str, Callable[[], Iterator[Outcome]]] = {
    "killed at random instants": lambda: kill_commands(2, names=["train", "learn"]),
    "mail beside learning and training": lambda: deliver(4, 2),
    "a full disk": lambda: fill_disks(1),
    "little memory": lambda: starve(2),
    "time and memory as the input doubles": lambda: grow(["csv"]),
}


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_nothing_is_lost_or_taken_for_an_answer(sample: Callable[[], Iterator[Outcome]]):
    failures = [failure for outcome in sample() for failure in outcome.failures]
    assert failures == []
