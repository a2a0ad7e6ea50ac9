"""nbtext unlearn: removes documents from a model."""

from ..model.model import Model
from ..training.learning import unlearn
from . import _inputs, _options, _outcomes
from ._declare import command_named


@command_named("unlearn", epilog="Example: nbtext unlearn spam mistaken.eml")
@_options.label_argument
@_options.input_options
@_options.model_option
@_options.json_option
@_options.silent_option
def command(
    label: str,
    files: tuple[str, ...],
    model_path: str,
    as_json: bool,
    quiet: bool,
    **settings: object,
) -> int:
    """Remove documents from a class of the model.

    The counts are then as if the documents had never been learned. Prints for each document whether it was unlearned or
    empty, and its name. If one of them was never learned as LABEL, the model is left unchanged.
    """
    model = Model.open(model_path, writable=True)
    inputs = _inputs.inputs(model.analysis, files, settings)
    documents = list(inputs)  # read to the end before the model is locked, so that others need not wait for this input
    _outcomes.write(unlearn(model, label, documents), as_json=as_json, quiet=quiet)
    return inputs.status
