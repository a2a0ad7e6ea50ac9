"""nbtext check: problems in a corpus, found before a model is trained from it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

import click

from .. import report
from ..corpus.sources import Skipped
from ..escaping import escaped, number
from . import TROUBLE, _aside, _columns, _options, _output, _standard_input, _types
from ._declare import command_named

if TYPE_CHECKING:
    from ..corpus.checking import Finding
    from ..corpus.inspection import Seen

NAMED = 5  # how many places of a finding are printed,
EXAMPLES = 3  # and how many names of each; --json lists all


@command_named("check", epilog="Example: nbtext check corpus/")
@click.argument("corpora", metavar="CORPUS...", nargs=-1, required=True, type=_types.PATH)
@_options.analysis_options
@_options.json_option
@_options.quiet_option
def command(corpora: tuple[str, ...], as_json: bool, quiet: bool, **settings: object) -> int:
    """Check a corpus before training.

    Prints the classes, then the problems found and how to fix them, the most serious first. The status is 0 even if
    there are problems, and 3 if something cannot be read.
    """
    from ..corpus import checking, inspection

    corpora = _standard_input.corpora(corpora)
    _columns.settle(settings, corpora)
    analysis = _options.analysis_of(settings)
    progress = _output.Progress("reading", quiet=quiet, unit="files")
    seen = inspection.inspected(corpora, analysis, progress, _options.limits_of(settings))
    found = checking.findings(seen)
    classes = [_class_record(label, group) for label, group in seen.by_label().items()]
    if as_json:
        _output.write(report.json_line({"classes": classes, "findings": [finding._asdict() for finding in found]}))
    else:
        _output.write(*_class_table(classes), "", *_finding_lines(found))
    if not classes:
        _aside.complained(seen.aside)
        _columns.suggest("check", corpora, analysis)
    return TROUBLE if any(isinstance(item, Skipped) and item.failed for item in seen.aside) else 0


def _class_record(label: str, group: list["Seen"]) -> dict[str, object]:
    lengths = [each.tokens for each in group if each.tokens]
    return {
        "label": label,
        "documents": len(lengths),
        "tokens": sum(lengths),
        "median": median(lengths) if lengths else 0,
        "encodings": dict(sorted(Counter(each.encoding for each in group).items())),
    }


def _class_table(classes: list[dict[str, Any]]) -> list[str]:
    encodings = sorted({encoding for record in classes for encoding in record["encodings"]}, reverse=True)
    rows = [("class", "documents", "tokens", "median", *encodings)]
    for record in classes:
        counts = [record["encodings"].get(encoding, 0) for encoding in encodings]
        numbers = [record["documents"], record["tokens"], number(record["median"]), *counts]
        rows.append((_shown(record["label"]), *map(str, numbers)))
    return report.table(rows, "<" + ">" * (3 + len(encodings)))


def _finding_lines(found: list["Finding"]) -> Iterator[str]:
    if not found:
        yield "no problems found"
    for finding in found:
        yield _output.styled(finding.kind, bold=True) + f": {escaped(finding.what)}"
        yield f"    {finding.advice}"
        yield from (f"    {_group(group)}" for group in finding.places[:NAMED])
        if len(finding.places) > NAMED:
            yield f"    ... and {len(finding.places) - NAMED} more; --json lists all"


def _group(names: Sequence[str]) -> str:
    more = [f"... {len(names) - EXAMPLES} more"] if len(names) > EXAMPLES else []
    return " = ".join([*map(_shown, names[:EXAMPLES]), *more])


def _shown(name: str) -> str:
    """The name of a label or place, quoted if it begins or ends with blanks, which would be invisible."""
    return escaped(name) if name == name.strip() else f'"{escaped(name)}"'
