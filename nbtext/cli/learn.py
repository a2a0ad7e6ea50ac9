"""nbtext learn: add documents to a model."""

import os
from collections.abc import Sequence

import click

from ..escaping import escaped
from ..model.model import Model
from ..training.learning import learn
from . import _inputs, _options, _outcomes, _types
from ._declare import command_named, option

NEAR = 0.7  # similarity of two labels, as `difflib` measures it: spma and spam reach it, ham and spam do not


@command_named("learn", epilog="Example: nbtext learn ham --was spam caught/")
@_options.label_argument
@_options.input_options
@_options.model_option
@option("--was", type=_types.Label(), metavar="OTHER", help="Move the documents here from this class.")
@option("--until-right", is_flag=True, help="Learn each document up to 10 times, until the model is right about it.")
@option("--new", is_flag=True, help="LABEL is a new class, even if its name is nearly that of another, or of a file.")
@_options.json_option
@_options.silent_option
def command(
    label: str,
    files: tuple[str, ...],
    model_path: str,
    was: str | None,
    until_right: bool,
    new: bool,
    as_json: bool,
    quiet: bool,
    **settings: object,
) -> int:
    """Add documents to a class of the model.

    A new LABEL begins a new class. Prints for each document whether it was learned, already learned or empty, and its
    name. If one of them was learned as another class, the model is left unchanged. unlearn and --was also remove the
    repeats of --until-right.
    """
    model = Model.open(model_path, writable=True)
    if not new:
        _refuse_mistyped(label, model.labels)
    inputs = _inputs.inputs(model.analysis, files, settings)
    documents = list(inputs)  # read to the end before the model is locked, so that others need not wait for this input
    _outcomes.write(learn(model, label, documents, was, until_right=until_right), as_json=as_json, quiet=quiet)
    return inputs.status


def _refuse_mistyped(label: str, labels: Sequence[str]) -> None:
    """Refuse a new label that is almost the name of a class, or is the path of a document."""
    if label in labels:
        return
    if os.path.lexists(label):
        raise click.UsageError(
            f"{escaped(label)} is a file or folder; the label comes first: nbtext learn LABEL {escaped(label)}. "
            "Add --new to begin a new class of that name"
        )
    from difflib import get_close_matches  # imported here, as most labels are not new

    folded = {each.casefold(): each for each in labels}
    if near := get_close_matches(label.casefold(), folded, n=1, cutoff=NEAR):
        known = escaped(folded[near[0]])
        raise click.UsageError(f"no class {escaped(label)}; was {known} meant? Add --new to begin a new class")
