"""nbtext learn: add documents to a model."""

from ..model.model import Model
from ..training.learning import learn
from . import _inputs, _options, _outcomes
from ._declare import command_named, option


@command_named("learn", epilog="Example: nbtext learn ham --was spam caught/")
@_options.label_argument
@_options.input_options
@_options.model_option
@option("--was", type=_options.Label(), metavar="OTHER", help="Move the documents here from this class.")
@_options.json_option
@_options.silent_option
def command(
    label: str,
    files: tuple[str, ...],
    model_path: str,
    was: str | None,
    as_json: bool,
    quiet: bool,
    **settings: object,
) -> int:
    """Add documents to a class of the model.

    A new LABEL begins a new class. Prints for each document whether it was learned, already learned or empty, and its
    name. If one of them was learned as another class, the model is left unchanged.
    """
    model = Model.open(model_path, writable=True)
    inputs = _inputs.inputs(model.analysis, files, settings)
    documents = list(inputs)  # read to the end first: nobody else has to wait for our input
    _outcomes.write(learn(model, label, documents, was), as_json=as_json, quiet=quiet)
    return inputs.status
