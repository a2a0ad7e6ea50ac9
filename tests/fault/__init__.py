"""Faults on purpose: processes killed, disks and memory too small, bombs, damaged files. `make faults` tries all.

Each file tries one kind of fault, and yields what came of it; `tests/test_fault.py` runs a sample.
"""

from collections.abc import Sequence
from typing import NamedTuple


class Outcome(NamedTuple):
    """What came of one kind of fault.

    fault     what was done
    tries     how many times
    failures  one line for each time that something was lost, or was taken for an answer
    found     what happened instead
    """

    fault: str
    tries: int
    failures: Sequence[str]
    found: str
