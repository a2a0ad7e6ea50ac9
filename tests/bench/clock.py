"""One measurement: the seconds a few commands take one after the other, and the most memory they hold.

Time is from before a process is started until it is reaped, start-up and everything included. Memory is the resident
memory of the process and all its descendants together, sampled every few milliseconds; what they share is counted for
each, so workers are not favoured. The kernel's own figure is that of the largest process only, and after `vfork` begins
with that of its parent.
"""

import os
import subprocess
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from threading import Event, Thread
from time import perf_counter
from typing import NamedTuple

INTERVAL = 0.005
PAGE = os.sysconf("SC_PAGE_SIZE")
PROCESSES = Path("/proc")

Command = Sequence[str | Path]


class Took(NamedTuple):
    """What commands took.

    seconds  of all together, by the clock
    cpu      seconds of processor time of all their processes, which other work on the machine hardly changes
    memory   bytes of the largest; 0 where the system does not tell
    """

    seconds: float
    cpu: float
    memory: int


class CommandError(Exception):
    """A command ended with a status that is not one of success."""


def measured(
    commands: Iterable[Command],
    folder: Path,
    output: Path,
    environment: Mapping[str, str],
    successes: Collection[int] = (0,),
) -> Took:
    """The time and memory of commands run one after the other.

    folder       where they run
    output       the file that receives what the last of them prints
    environment  all their variables
    successes    the statuses that are none of failure

    Raises: CommandError, with the last line of what the command complained.
    """
    seconds, cpu, memory = 0.0, 0.0, 0
    for command in commands:
        complaints = output.with_suffix(".err")
        with output.open("wb") as out, complaints.open("wb") as err:
            start = perf_counter()
            process = subprocess.Popen(
                command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err
            )
            with Watch(process.pid) as watch:
                _, status, usage = os.wait4(process.pid, 0)
                seconds += perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        cpu += usage.ru_utime + usage.ru_stime
        memory = max(memory, watch.most)
        if process.returncode not in successes:
            last = complaints.read_text(errors="replace").strip().splitlines()[-1:]
            raise CommandError(
                f"{Path(command[0]).name} ended with status {process.returncode}: {' '.join(last) or 'it said nothing'}"
            )
    return Took(seconds, cpu, memory)


class Watch:
    """The most memory that a process and its descendants held while they were watched."""

    def __init__(self, pid: int) -> None:
        self.most = 0
        self._pid = pid
        self._over = Event()
        self._thread = Thread(target=self._look, daemon=True)

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while True:
            self.most = max(self.most, resident(self._pid))
            if self._over.wait(INTERVAL):
                return


def resident(pid: int) -> int:
    """Bytes of memory that a process and its descendants hold now; 0 for one that is gone."""
    folder = PROCESSES / str(pid)
    try:
        pages = int((folder / "statm").read_bytes().split()[1])
        lists = [(task / "children").read_bytes() for task in (folder / "task").iterdir()]
    except OSError:  # it ended meanwhile
        return 0
    return pages * PAGE + sum(resident(int(child)) for children in lists for child in children.split())
