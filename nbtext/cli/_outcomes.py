"""The outcome of learning or unlearning each document, one per line."""

from collections.abc import Iterable

from .. import report
from ..escaping import escaped
from ..training.learning import Outcome
from . import _output


def write(outcomes: Iterable[Outcome], *, as_json: bool, quiet: bool) -> None:
    """Print the outcome, a tab and the name of each document; or the same as JSON objects."""
    for outcome in [] if quiet else outcomes:
        if as_json:
            _output.write(report.json_line({"name": outcome.name, "outcome": outcome.what}))
        else:
            _output.write(f"{outcome.what}\t{escaped(outcome.name)}")
