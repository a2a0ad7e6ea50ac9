"""nbtext generate: draws random tokens from a class."""

import click

from .. import report
from ..escaping import escaped
from ..model.model import Model
from . import _options, _output, _types
from ._declare import command_named, option


@command_named("generate", epilog="Example: nbtext generate spam -n 50 --seed 1 | nbtext classify")
@click.argument("label", metavar="[LABEL]", required=False, type=_types.Label())
@_options.model_option
@option("-n", "size", type=click.IntRange(min=0), default=20, show_default=True, metavar="N", help="Number of tokens.")
@option("--seed", type=int, metavar="S", help="Random seed: the same S draws the same tokens.")
@_options.json_option
def command(label: str | None, model_path: str, size: int, seed: int | None, as_json: bool) -> None:
    """Draw random tokens from a class.

    Without LABEL, a class is drawn from the priors first, and printed.

    Prints one token per line, drawn from P(w|v) of the multinomial event model with the model's own filters and alpha.
    This shows what texts of LABEL look like to the model.
    """
    from ..model.generating import drawn_label, generated

    model = Model.open(model_path)
    if label is None:
        label = drawn_label(model, seed)
        _output.write(report.json_line({"label": label}) if as_json else report.label_field(label))
    for token in generated(model, label, size, seed):
        _output.write(report.json_line({"token": token}) if as_json else escaped(token))
