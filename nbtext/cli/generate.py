"""nbtext generate: tokens as a class would have them."""

import click

from .. import report
from ..escaping import escaped
from ..model.model import Model
from . import _options, _output
from ._declare import command_named, option


@command_named("generate", epilog="Example: nbtext generate spam -n 50 --seed 1 | nbtext classify")
@_options.label_argument
@_options.model_option
@option("-n", "size", type=click.IntRange(min=0), default=20, show_default=True, metavar="N", help="How many.")
@option("--seed", type=int, metavar="S", help="The same tokens every time for the same S.")
@_options.json_option
def command(label: str, model_path: str, size: int, seed: int | None, as_json: bool) -> None:
    """Draw tokens at random from a class.

    They are printed one a line, and come from P(w|v) of the multinomial event model, with the model's own filters and
    alpha: a text as the model believes that LABEL has.
    """
    from ..model.generating import generated

    for token in generated(Model.open(model_path), label, size, seed):
        _output.write(report.json_line({"token": token}) if as_json else escaped(token))
