"""What became of documents that were learned or unlearned, a line for each."""

from collections.abc import Iterable

from .. import report
from ..escaping import escaped
from ..training.learning import Outcome
from . import _output


def write(outcomes: Iterable[Outcome], *, as_json: bool, quiet: bool) -> None:
    """What became of a document, a tab, its name; or the same as objects."""
    for outcome in [] if quiet else outcomes:
        if as_json:
            _output.write(report.json_line({"name": outcome.name, "outcome": outcome.what}))
        else:
            _output.write(f"{outcome.what}\t{escaped(outcome.name)}")
