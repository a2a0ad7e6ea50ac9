"""What was left out of a corpus: warnings, counts by reason, and the exit status."""

from collections import defaultdict
from collections.abc import Iterable

from ..corpus.sources import Aside, Note, Skipped
from . import TROUBLE
from ._output import complain


def complained(aside: Iterable[Aside]) -> int:
    """Write a line to standard error for whatever is broken or odd; return the exit status."""
    status = 0
    for item in aside:
        if isinstance(item, Note):
            if item.told:
                complain(item.message)
        elif item.failed:
            complain(item.message)
            status = TROUBLE
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
