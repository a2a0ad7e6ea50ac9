"""python -m tests.fault: tries every fault, in minutes, and writes what came of it to docs/faults.md.

The status is 1 if anything was lost, or an answer was wrong.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from ..shell import ROOT
from . import Outcome
from .bombs import throw_bombs
from .delivery import deliver
from .flips import flip_bits
from .growth import grow
from .killing import kill_commands
from .shortage import fill_disks, starve

PAGE = ROOT / "docs" / "faults.md"
PROCESSES = 2
Part = Callable[[], Iterator[Outcome]]
HEAD = """# Faults

`make faults` harms nbtext on purpose, and writes this page: it flips bits in models, kills commands, fills disks,
limits memory, and feeds it zip bombs and ever larger input. A failure is a lost document or a wrong answer.

| fault | tries | failures | what happens |
|---|--:|--:|---|
"""


def parts(share: float) -> Sequence[Part]:
    """All parts, the longest first, each with its share of the tries."""

    def some(whole: int) -> int:
        return max(1, round(whole * share))

    return (
        partial(flip_bits, some(100_000)),
        partial(kill_commands, some(100)),
        throw_bombs,
        grow,
        partial(starve, some(20)),
        partial(deliver, some(50), some(20)),
        partial(fill_disks, some(10)),
    )


def tried(part: Part) -> list[Outcome]:
    """What came of a part."""
    return list(part())


def row(outcome: Outcome) -> str:
    """A line of the table."""
    return f"| {outcome.fault} | {outcome.tries:,} | {len(outcome.failures)} | {outcome.found} |\n"


def main() -> int:
    """Try all."""
    parser = argparse.ArgumentParser(prog="python -m tests.fault", description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of all tries (default: 1)")
    share = parser.parse_args().share
    start = time.monotonic()
    with ProcessPoolExecutor(PROCESSES) as pool:
        outcomes = [outcome for found in pool.map(tried, parts(share)) for outcome in found]
    PAGE.write_text(HEAD + "".join(map(row, outcomes)))
    failures = [failure for outcome in outcomes for failure in outcome.failures]
    print(HEAD.partition("\n\n|")[0], *map(row, outcomes), sep="\n", end="")
    print(*failures, f"{len(failures)} failures in {time.monotonic() - start:.0f} s", sep="\n")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
