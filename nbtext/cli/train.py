"""nbtext train: learn from labelled documents."""

from collections import defaultdict

import click

from .. import report
from ..analysis import Analysis
from ..corpus import Note, Skipped
from ..model import Model
from . import TROUBLE, _options, _output, complain

FAILURES = {"unreadable", "damaged", "too large", "dangling link", "bad record", "encrypted"}
NAMED = 3  # how many of the documents skipped for one reason the summary names


@click.command("train", epilog="Example: nbtext train corpus/ --ngrams 2 --min-count 2 -m mail.nbtext")
@click.argument("corpora", metavar="CORPUS...", nargs=-1, required=True)
@_options.model_option
@_options.analysis_options
@_options.reading_options
@click.option("--no-track", is_flag=True, help="Do not remember which documents were learned.")
@click.option("--allow-single-class", is_flag=True, help="Train even if there is only one class.")
@click.option(
    "-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes that share the work [default: one a core]."
)
@_options.json_option
@_options.quiet_option
def command(
    corpora: tuple[str, ...],
    model_path: str,
    no_track: bool,
    allow_single_class: bool,
    jobs: int | None,
    as_json: bool,
    quiet: bool,
    **settings: object,
) -> int:
    """Learn from labelled documents: folders with one folder of texts per class, at any depth below it.

    Prints the classes with their documents and tokens, and what was left out and why.
    """
    from ..training import train

    analysis = Analysis(**_options.given(settings, Analysis._fields))
    reading = _options.reading_of(settings, analysis)
    aside: list[Skipped | Note] = []
    model = train(
        corpora,
        model_path,
        analysis,
        reading,
        track=not no_track,
        allow_single_class=allow_single_class,
        jobs=jobs,
        report=aside.append,
        progress=_output.Progress("reading", quiet=quiet),
    )
    skipped = [item for item in aside if isinstance(item, Skipped)]
    for item in aside:
        if isinstance(item, Note) or item.reason in FAILURES:
            complain(report.escaped(item.message))
    if as_json:
        _output.write(report.json_line(_record(model, skipped, model_path)))
    else:
        for line in _summary(model, skipped, model_path):
            _output.write(line)
    return TROUBLE if any(item.reason in FAILURES for item in skipped) else 0


def _by_reason(skipped: list[Skipped]) -> dict[str, list[str]]:
    names = defaultdict(list)
    for item in skipped:
        names[item.reason].append(item.name)
    return dict(sorted(names.items()))


def _record(model: Model, skipped: list[Skipped], path: str) -> dict[str, object]:
    classes = [{"label": c.label, "documents": c.documents, "tokens": c.positions} for c in model.classes]
    return {
        "model": path,
        "classes": classes,
        "documents": sum(model.documents),
        "tokens": sum(c.positions for c in model.classes),
        "vocabulary": model.size,
        "skipped": _by_reason(skipped),
    }


def _summary(model: Model, skipped: list[Skipped], path: str) -> list[str]:
    rows = [("class", "documents", "tokens")]
    rows += [(report.escaped(c.label), str(c.documents), str(c.positions)) for c in model.classes]
    rows += [("total", str(sum(model.documents)), str(sum(c.positions for c in model.classes)))]
    lines = [*report.table(rows, "<>>"), f"vocabulary: {model.size} tokens"]
    for reason, names in _by_reason(skipped).items():
        some = ", ".join(map(report.escaped, names[:NAMED])) + (", ..." if len(names) > NAMED else "")
        lines.append(f"skipped, {reason}: {len(names)} ({some})")
    return [*lines, f"model: {report.escaped(path)}"]
