"""nbtext tune: fit the weights of a model anew."""

from ..escaping import escaped
from ..model.model import Model
from . import _options, _output
from ._declare import command_named


@command_named("tune", epilog="Example: nbtext tune -m mail.nbtext")
@_options.model_option
@_options.silent_option
def command(model_path: str, quiet: bool) -> None:
    """Fit the weights of a model anew.

    Learning leaves them as they were fitted. A model keeps 500 of its documents whole; if it has no more, weights are
    fitted to all that it has learned by now, else it says how to train it again.
    """
    from ..training.refitting import refit

    weighting = refit(Model.open(model_path, writable=True))
    if not quiet:
        _output.write(f"{escaped(model_path)}: weights fitted on {weighting.documents} documents")
