"""nbtext merge: several models as one."""

import click

from .. import report
from ..model.model import Model
from . import _options, _output, _summary
from ._declare import command_named


@command_named("merge", epilog="Example: nbtext merge monday.nbtext tuesday.nbtext -m week.nbtext")
@click.argument("models", metavar="MODEL...", nargs=-1, required=True, type=_options.PATH)
@_options.model_option
@_options.json_option
def command(models: tuple[str, ...], model_path: str, as_json: bool) -> None:
    """Make one model of several.

    It is that of training on everything at once. The models must tokenize alike. The result, which can take the place
    of one of them, is read as the first is.
    """
    from ..model.merging import merge

    model = merge([Model.open(path) for path in models], model_path)
    if as_json:
        _output.write(report.json_line(_summary.record(model, model_path)))
    else:
        _output.write(*_summary.lines(model, model_path))
