"""nbtext import: a model from its text."""

# ruff: noqa: N999  # the file is named like the command

import click

from . import _inputs, _options
from ._declare import command_named


@command_named("import", epilog="Example: nbtext export -m a.nbtext | nbtext import -m b.nbtext")
@click.argument("file", metavar="[FILE]", default="-")
@_options.model_option
def command(file: str, model_path: str) -> None:
    """Make a model of the text that export wrote.

    Without FILE, or if that is -, the text comes from standard input.
    """
    from ..exchange import imported

    if file == _inputs.STANDARD_INPUT:
        imported(_inputs.standard_input(), model_path)
        return
    with open(file, "rb") as lines:
        imported(lines, model_path)
