"""nbtext import: a model from its text."""

import sys

import click

from . import _options


@click.command("import", epilog="Example: nbtext export -m a.nbtext | nbtext import -m b.nbtext")
@click.argument("file", metavar="[FILE]", default="-")
@_options.model_option
def command(file: str, model_path: str) -> None:
    """Make a model of the text that export wrote.

    Without FILE, or if that is -, the text comes from standard input.
    """
    from ..exchange import imported

    if file == "-":
        imported(sys.stdin.buffer, model_path)
        return
    with open(file, "rb") as lines:
        imported(lines, model_path)
