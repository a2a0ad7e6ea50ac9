"""What is kept of a run: a line about the run, then a line for every measurement, as JSON.

A kept run can be printed again at any time: `python -m tests.bench --show FILE`.
"""

import json
import os
import platform
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from subprocess import CalledProcessError
from typing import Any, NamedTuple

from ..shell import ROOT
from .contender import run
from .statistics import Filtering

Value = float | None


class Measurement(NamedTuple):
    """One contender, one measure, one round.

    corpus      on what, by name
    contender   who, by name
    measure     "train", "bulk", "cold" or "learn"; in a scenario, whose task is the corpus, "clock" or "memory"
    round       counted from 0
    seconds     from start to end
    cpu         seconds of processor time
    memory      the most bytes held by its processes together
    documents   how many were trained on, classified or learned
    size        bytes of text in them
    model       bytes of the model, after training
    accuracy    the part labelled rightly, in bulk
    filterings  how mail was sorted, in bulk
    calibration_error  of the posteriors, if it was asked for
    limit       in a scenario: so many times this is the most that nbtext may take
    """

    corpus: str
    contender: str
    measure: str
    round: int
    seconds: float
    cpu: float
    memory: int
    documents: int
    size: int
    model: int | None = None
    accuracy: float | None = None
    filterings: Sequence[Filtering] = ()
    limit: float | None = None
    calibration_error: float | None = None


class Results:
    """The measurements of a run, to be asked for medians."""

    def __init__(self, about: dict[str, Any], measurements: Iterable[Measurement] = ()) -> None:
        self.about = about
        self.measurements = list(measurements)

    def corpora(self) -> list[str]:
        """Those measured on, in order."""
        tasks = self.scenarios()
        return list(dict.fromkeys(m.corpus for m in self.measurements if m.corpus not in tasks))

    def series(self, name: str) -> list[str]:
        """Those of a series, in order."""
        return [corpus for corpus in self.corpora() if corpus.startswith(f"{name}-")]

    def scenarios(self) -> list[str]:
        """The tasks with bounds, in order."""
        return list(dict.fromkeys(m.corpus for m in self.measurements if m.limit is not None))

    def contenders(self, corpus: str) -> list[str]:
        """Those measured on a corpus, in order."""
        return list(dict.fromkeys(m.contender for m in self.measurements if m.corpus == corpus))

    def of(self, corpus: str, contender: str, measure: str) -> list[Measurement]:
        """All rounds of one measure."""
        wanted = corpus, contender, measure
        return [m for m in self.measurements if (m.corpus, m.contender, m.measure) == wanted]

    def seconds(self, corpus: str, contender: str, measure: str) -> Value:
        """The median of the rounds; None if it was not measured."""
        found = [m.seconds for m in self.of(corpus, contender, measure)]
        return median(found) if found else None

    def cpu(self, corpus: str, contender: str, measure: str) -> Value:
        """The same of the processor time."""
        found = [m.cpu for m in self.of(corpus, contender, measure)]
        return median(found) if found else None

    def memory(self, corpus: str, contender: str) -> Value:
        """The most bytes that training held in any round; None if it was not measured."""
        return max((m.memory for m in self.of(corpus, contender, "train")), default=0) or None


def about(versions: dict[str, str], rounds: int) -> dict[str, Any]:
    """The line about a run: when, which commit, on what machine (without its name), how busy, what versions."""
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit(),
        "rounds": rounds,
        "machine": machine(),
        "load": round(os.getloadavg()[0], 2),
        "versions": versions,
    }


def machine() -> dict[str, Any]:
    """The processor, its cores in use, memory, system and Python."""
    return {
        "cpu": cpu(Path("/proc/cpuinfo")),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": f"{platform.system()} {platform.release().partition('-')[0]}",
        "python": platform.python_version(),
    }


def cpu(listing: Path) -> str:
    """The model of the processor, as the system names it."""
    if listing.is_file():
        for line in listing.read_text().splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def commit() -> str:
    """The commit of this checkout, with a plus if files differ from it."""
    try:
        changed = run("git", "-C", ROOT, "status", "--porcelain", "--untracked-files=no")
        return run("git", "-C", ROOT, "rev-parse", "--short", "HEAD").strip() + ("+" if changed else "")
    except (OSError, CalledProcessError):
        return "unknown"


def line(entry: dict[str, Any] | Measurement) -> str:
    """One line of the file, without what is empty.

    >>> print(line({"commit": "0123456", "rounds": 5}))
    {"commit": "0123456", "rounds": 5}
    """
    if isinstance(entry, Measurement):
        filterings = [filtering._asdict() for filtering in entry.filterings]
        entry = entry._replace(seconds=round(entry.seconds, 6), cpu=round(entry.cpu, 6))._asdict() | {
            "filterings": filterings
        }
        entry = {name: value for name, value in entry.items() if value not in (None, [])}
    return json.dumps(entry, ensure_ascii=False)


def read(path: Path) -> Results:
    """A kept run."""
    first, *others = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    for entry in others:
        entry["filterings"] = [Filtering(**filtering) for filtering in entry.get("filterings", ())]
    return Results(first, [Measurement(**entry) for entry in others])
