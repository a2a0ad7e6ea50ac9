"""A scenario: something nbtext does beside what bounds it, run in turn, round after round.

The ratio of a round is of two runs one right after the other, so that a machine that is busy for a minute is busy for
both; what counts is the median of these ratios.
"""

import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from .clock import CommandError, Took, measured
from .contender import Commands
from .corpora import cache
from .records import Measurement
from .rounds import surroundings

CLOCK, MEMORY = "clock", "memory"


class Side(NamedTuple):
    """A program at a task, or a limit that is no program's.

    name         for people
    commands     run one after the other
    successes    statuses that are none of failure
    environment  variables that it needs
    took         what the limit is, if there are no commands
    """

    name: str
    commands: Commands = ()
    successes: Collection[int] = (0,)
    environment: Mapping[str, str] = {}  # never changed
    took: Took | None = None


class Bound(NamedTuple):
    """What nbtext may take at most.

    limit    so many times
    side     of what this takes,
    measure  CLOCK or MEMORY
    """

    limit: float
    side: Side
    measure: str = CLOCK


class Scenario(NamedTuple):
    """A task of nbtext with its bounds.

    task    for people
    own     nbtext at it
    bounds  what it may take
    before  commands that are run first, once
    most    rounds at most
    """

    task: str
    own: Side
    bounds: Sequence[Bound]
    before: Commands = ()
    most: int = 100


def rounds_of(scenario: Scenario, rounds: int, say: Callable[[str], None]) -> Iterator[Measurement]:
    """All measurements of a scenario; a side that fails is named, and left out from then on."""
    folder = cache() / "work" / "scenarios"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    measured(scenario.before, folder, folder / "out", surroundings())
    bounds = list(scenario.bounds)
    for number in range(min(rounds, scenario.most)):
        sides: dict[str, Took] = {}
        for bound in [Bound(0, scenario.own), *bounds]:
            side = bound.side
            try:
                took = sides[side.name] = sides.get(side.name) or side.took or _run(side, folder)
            except CommandError as failure:
                say(f"{scenario.task}: {side.name} is left out: {failure}")
                if side == scenario.own:
                    return
                bounds.remove(bound)
                continue
            say(f"{scenario.task}, round {number + 1}: {side.name} {took.seconds:.3f} s")
            found = Measurement(scenario.task, side.name, bound.measure, number, *took, 0, 0)
            yield found._replace(limit=bound.limit or None)


def _run(side: Side, folder: Path) -> Took:
    return measured(side.commands, folder, folder / "out", {**surroundings(), **side.environment}, side.successes)
