"""nbtext classify: label files, folders, lines, standard input."""

import click

from .. import report
from ..corpus import Note, Skipped
from ..decision import Classifier
from ..errors import ChoiceError
from ..model import Model
from . import TROUBLE, _inputs, _options, _output, complain

YES, NO = 0, 1


@click.command(
    "classify",
    epilog="Example: nbtext classify inbox/*.txt   or   tail -f log | nbtext classify --lines --top 2",
)
@click.argument("files", metavar="[FILE...]", nargs=-1)
@_options.model_option
@click.option("--lines", is_flag=True, help="Each line is a document; the same as --reader lines.")
@click.option(
    "--files-from",
    metavar="LIST",
    help="Also those named in this file, one a line or NUL-separated; - is standard input.",
)
@click.option("--reader", metavar="NAME", help="The input format, if it is not the one trained with.")
@click.option("--encoding", metavar="NAME", hidden=True)
@click.option("--top", type=click.IntRange(min=1), metavar="K", help="Show the K likeliest labels.")
@click.option("--is", "wanted", metavar="LABEL", help="Print nothing; status 0 if every input has this label, else 1.")
@click.option(
    "--unsure-below", type=click.FloatRange(0, 1), default=0.0, metavar="P", help="No answer below this posterior."
)
@click.option("--raw", is_flag=True, help="Posteriors as Bayes' rule gives them, not tempered.")
@_options.reading_options
@_options.json_option
def command(
    files: tuple[str, ...],
    model_path: str,
    lines: bool,
    files_from: str | None,
    reader: str | None,
    encoding: str | None,
    top: int | None,
    wanted: str | None,
    unsure_below: float,
    raw: bool,
    as_json: bool,
    **settings: object,
) -> int:
    """Label documents: one record for each, in order: label, posterior, name.

    FILE can be a folder, or - for standard input, which is also read if there is none.
    """
    model = Model.open(model_path)
    if wanted is not None and wanted not in model.labels:
        raise ChoiceError(
            f"--is {wanted!r}: the model has no such label; it has {', '.join(map(report.escaped, model.labels))}"
        )
    reading = _options.reading_of(settings, model.analysis, model.reading)
    classify = Classifier(model, reading, raw=raw, unsure_below=unsure_below)
    inputs = _inputs.Inputs(*_inputs.reader_of(model, "lines" if lines else reader, encoding), files, files_from)
    status = YES
    for item in inputs:
        if isinstance(item, Skipped | Note):
            complain(report.escaped(item.message))
            status = TROUBLE if isinstance(item, Skipped) else status
            continue
        decision = classify(item)
        if wanted is not None:
            status = status if decision.says(wanted) else max(status, NO)
            continue
        if as_json:
            _output.write(report.json_line(report.decision_record(decision, item.name, top)))
        else:
            _output.write(report.decision_line(decision, item.name, top or 1))
        if inputs.live:
            _output.flush()
    return status
