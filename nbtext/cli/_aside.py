"""Reports of the documents left out of a corpus: warnings, counts by reason, and the exit status."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from ..corpus.sources import Aside, Note, Skipped
from . import TROUBLE
from ._output import complain

SHOWN = 3  # records that are named, for each file and reason


class Complaints:
    """Prints what cannot be read; of many broken records in a file only the first few, and the number of the others."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, item: Aside) -> None:
        """Print the message of an item, unless enough of the same reason were printed for its file."""
        file, colon, number = item.name.rpartition(":")
        if colon and number.isdecimal() and isinstance(item, Skipped):
            self._counts[file, item.reason] += 1
            if self._counts[file, item.reason] > SHOWN:
                return
        complain(item.message)

    def end(self) -> None:
        """Print how many more there were."""
        for (file, reason), count in self._counts.items():
            if count > SHOWN:
                complain(f"{file}: {count - SHOWN} more records skipped, {reason}")


def complained(aside: Iterable[Aside]) -> int:
    """Write a line to standard error for each item that is broken or odd; return the exit status."""
    status = 0
    complaints = Complaints()
    for item in aside:
        if isinstance(item, Note):
            if item.told:
                complaints.add(item)
        elif item.failed:
            complaints.add(item)
            status = TROUBLE
    complaints.end()
    return status


def by_reason(aside: Iterable[Aside]) -> dict[str, list[str]]:
    """The names of what was skipped by reason, the reasons sorted."""
    names = defaultdict(list)
    for item in aside:
        if isinstance(item, Skipped):
            names[item.reason].append(item.name)
    return dict(sorted(names.items()))


def untold(aside: Iterable[Aside]) -> list[str]:
    """The names of texts that are not UTF-8: odd, but not worth a line each."""
    return [item.name for item in aside if isinstance(item, Note) and not item.told]
