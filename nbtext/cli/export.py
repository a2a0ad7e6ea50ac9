"""nbtext export: writes a model as text."""

import click

from .. import report
from ..model.model import Model
from . import _options, _output
from ._declare import command_named, option

SKLEARN = "sklearn"


@command_named("export", epilog="Example: nbtext export --counts | grep '\"lottery\"'")
@_options.model_option
@option(
    "--counts",
    is_flag=True,
    help="Write only what the fingerprint covers; the SHA-256 of this output is the fingerprint.",
)
@option(
    "--to",
    type=click.Choice([SKLEARN]),
    help="sklearn: write the parameters of a MultinomialNB that gives the same answers, as one JSON object.",
)
def command(model_path: str, counts: bool, to: str | None) -> None:
    """Write a model as text.

    The text is sorted JSON Lines, for grep, jq and diff. nbtext import reads it back.
    """
    from ..model.exchange import counts_text, exported, multinomial_record

    if to == SKLEARN:
        if counts:
            raise click.UsageError("--counts goes with nbtext's own text, not with --to")
        _output.write(report.json_line(multinomial_record(Model.open(model_path))))
        return
    with Model.open(model_path).copied() as model:
        for line in counts_text(model) if counts else exported(model):
            _output.write(line)
