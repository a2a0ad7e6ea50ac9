"""nbtext classify: label files, folders, lines, standard input."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from .. import report
from ..classification.decision import Classifier, Decision
from ..corpus.sources import Skipped
from ..errors import DocumentError
from ..model.model import Model
from . import NO, TROUBLE, _inputs, _options, _output, _types
from ._aside import Complaints
from ._declare import command_named, option
from ._inputs import Inputs

if TYPE_CHECKING:
    from ..classification.bulk import Named
    from ..readers import Document


@command_named(
    "classify",
    epilog="Example: tail -f log | nbtext classify --lines --top 2",
)
@_options.input_options
@_options.model_option
@option("--top", type=click.IntRange(min=1), metavar="K", help="Print the K likeliest labels.")
@option(
    "--is",
    "wanted",
    type=_types.Label(),
    metavar="LABEL",
    help="Print nothing; exit with 0 if every document has this label, with 4 if not.",
)
@option(
    "--rank",
    "ranked",
    type=_types.Label(),
    metavar="LABEL",
    help="Sort the documents by the posterior of this label, highest first.",
)
@_options.unsure_option
@_options.raw_option
@_options.jobs_option
@_options.hyperparameter_options
@_options.json_option
@option(
    "--to",
    "written",
    type=click.Choice(["csv", "tsv", "jsonl"]),
    help="Write each record as it was read, with label and posterior added.",
)
def command(
    files: tuple[str, ...],
    model_path: str,
    top: int | None,
    wanted: str | None,
    ranked: str | None,
    unsure_below: float,
    raw: bool,
    jobs: int | None,
    as_json: bool,
    written: str | None,
    **settings: object,
) -> int:
    """Label files, folders, lines or standard input.

    Prints the label, its posterior and the name of each document, in order. FILE can be a folder, or - for standard
    input, which is also read if no FILE is given.

    Files named .csv, .tsv or .jsonl are read in that format, others in the format of the model's corpus. Standard input
    is read in the format of the corpus if it begins like that format, else as one plain text. --reader overrides this.
    """
    if written and (ranked is not None or wanted is not None or top is not None or as_json):
        raise click.UsageError("--to cannot be combined with --rank, --is, --top or --json")
    if ranked is not None and (wanted is not None or top is not None):
        raise click.UsageError("--rank cannot be combined with --is or --top")
    model = Model.open(model_path)
    for label in wanted, ranked:
        if label is not None:
            model.index(label)
    hyperparameters = _options.hyperparameters_of(settings, model.analysis, model.hyperparameters)
    classify = Classifier(model, hyperparameters, raw=raw, unsure_below=unsure_below)
    inputs = _inputs.inputs(model.analysis, files, settings)
    if wanted is not None:
        said = [decision.says(wanted) for _, decision in inputs.decided(classify, jobs)]
        return inputs.status or (0 if said and all(said) else NO)
    if written:
        return _write_records(inputs, classify, written, jobs)
    if ranked is None and top is None and not as_json and not inputs.by_id and (bulk := inputs.bulk(classify, jobs)):
        for some in bulk:
            _output.write(*report.answer_lines(some.likeliest(), some.names))
        return inputs.status
    decided = inputs.decided(classify, jobs)
    lines = ((decision, _line(decision, inputs, named, ranked, top, as_json=as_json)) for named, decision in decided)
    if ranked is not None:
        ranking = [(decision.log_odds(ranked), line) for decision, line in lines]
        _output.write(*(line for _, line in sorted(ranking, key=lambda entry: -entry[0])))
        return inputs.status
    for _, line in lines:
        _output.write(line)
        if inputs.live:
            _output.flush()
    return inputs.status


def _write_records(inputs: Inputs, classify: Classifier, written: str, jobs: int | None) -> int:
    """Write the records with their answers; return the status, 3 if a record does not fit into the table."""
    from ..report.records import writer

    decided = inputs.decided(classify, jobs, records=True)
    lines = writer(written, _json_reader()) if inputs.many else writer(written)
    refused = Complaints()
    status = 0
    for named, decision in decided:
        try:
            _output.write(*lines(named.record, named.name, decision))
        except DocumentError as error:
            refused.add(Skipped(named.name, error.reason, str(error)))
            status = TROUBLE
        if inputs.live:
            _output.flush()
    refused.end()
    return inputs.status or status


def _json_reader() -> Callable[[str], Any]:
    """The JSON parser that is worth loading for many records."""
    from ..readers import _fastjson as fastjson

    return fastjson.loads


def _line(
    decision: Decision, inputs: Inputs, named: "Document | Named", ranked: str | None, top: int | None, *, as_json: bool
) -> str:
    if as_json:
        return report.json_line(report.decision_record(decision, named.name, top, named.id), many=inputs.many)
    name = inputs.shown_name(named)
    if ranked is not None:
        return report.ranked_line(decision, ranked, name)
    return report.decision_line(decision, name, top or 1)
