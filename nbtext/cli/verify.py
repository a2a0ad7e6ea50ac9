"""nbtext verify: checks a model file for damage."""

from .. import report
from ..escaping import escaped
from ..model.model import Model
from . import _options, _output, _summary
from ._declare import command_named


@command_named("verify", epilog="Example: nbtext verify && cp model.nbtext backup/")
@_options.model_option
@_options.json_option
def command(model_path: str, as_json: bool) -> None:
    """Check a model for damage.

    Reads every row, compares checksums, and checks that all counts add up. Prints the size of the model if it is sound.
    If not, prints the first error found, and the status is 3.
    """
    from ..model.verifying import verify

    model = Model.open(model_path)
    verify(model)
    if as_json:
        _output.write(report.json_line(_summary.record(model, model_path)))
        return
    classes, documents = len(model.classes), sum(model.documents)
    tokens = sum(model.positions)
    _output.write(f"{escaped(model_path)}: sound, {classes} classes, {documents} documents, {tokens} tokens")
