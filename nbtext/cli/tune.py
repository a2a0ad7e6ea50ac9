"""nbtext tune: refits the weights of a model."""

from ..escaping import escaped
from ..model.model import Model
from . import _options, _output
from ._declare import command_named


@command_named("tune", epilog="Example: nbtext tune -m mail.nbtext")
@_options.model_option
@_options.silent_option
def command(model_path: str, quiet: bool) -> None:
    """Refit the weights of a model.

    Learning does not change the weights. A model keeps the tokens of up to 500 documents. If it has learned only these,
    the weights are fitted to all of them; otherwise the message says how to train the model again.
    """
    from ..training.refitting import refit

    weighting = refit(Model.open(model_path, writable=True))
    if not quiet:
        _output.write(f"{escaped(model_path)}: weights fitted on {weighting.documents} documents")
