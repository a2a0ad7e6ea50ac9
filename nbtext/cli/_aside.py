"""What was left out of a corpus: what is complained of, and the exit status that this makes."""

from collections import defaultdict
from collections.abc import Iterable

from ..corpus.sources import Aside, Note, Skipped
from . import TROUBLE
from ._output import complain


def complained(aside: Iterable[Aside]) -> int:
    """The exit status, after a line on standard error for whatever is broken or odd."""
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
    """The names of what was skipped under their reasons, these sorted."""
    names = defaultdict(list)
    for item in aside:
        if isinstance(item, Skipped):
            names[item.reason].append(item.name)
    return dict(sorted(names.items()))


def untold(aside: Iterable[Aside]) -> list[str]:
    """The names of what is odd but not worth a line each: texts that are not UTF-8."""
    return [item.name for item in aside if isinstance(item, Note) and not item.told]
