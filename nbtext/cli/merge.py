"""nbtext merge: merges several models into one."""

import click

from .. import report
from ..model.model import Model
from . import _options, _output, _summary, _types
from ._declare import command_named


@command_named("merge", epilog="Example: nbtext merge monday.nbtext tuesday.nbtext -m week.nbtext")
@click.argument("models", metavar="MODEL...", nargs=-1, required=True, type=_types.PATH)
@_options.model_option
@_options.no_clobber_option
@_options.json_option
def command(models: tuple[str, ...], model_path: str, no_clobber: bool, as_json: bool) -> None:
    """Merge several models into one.

    The result has the counts of a model trained on all their documents, and the settings of the first model. All
    models must use the same tokenizer, n-grams and encoding. The result may replace one of them.
    """
    from ..model.merging import merge

    replaces = _options.replaces(model_path, no_clobber)
    model = merge([Model.open(path) for path in models], model_path)
    if as_json:
        _output.write(report.json_line({**_summary.record(model, model_path), "replaced": replaces}))
    else:
        _output.write(*_summary.lines(model, model_path, replaces))
