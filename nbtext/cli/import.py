"""nbtext import: makes a model from exported text."""

# ruff: noqa: N999  # the file is named like the command

from itertools import chain

import click

from .. import report
from . import _options, _output, _summary, _types
from ._declare import command_named
from ._standard_input import STANDARD_INPUT, stream


@command_named("import", epilog="Example: nbtext export -m a.nbtext | nbtext import -m b.nbtext")
@click.argument("file", metavar="[FILE]", default=STANDARD_INPUT, type=_types.PATH, callback=_options.named)
@_options.model_option
@_options.no_clobber_option
@_options.json_option
def command(file: str, model_path: str, no_clobber: bool, as_json: bool) -> None:
    """Make a model from exported text, or from given probabilities.

    Given probabilities are a JSON object on one line: {"priors": {LABEL: P, ...}, "given": {ATTRIBUTE: {VALUE: {LABEL:
    P, ...}}}}. Without FILE, or if FILE is -, the text is read from standard input.
    """
    from ..model.exchange import imported
    from ..model.given import canonical_text, is_given

    replaces = _options.replaces(model_path, no_clobber)
    with stream(file) as lines:
        first = lines.readline()
        rest = canonical_text(first + lines.read()) if is_given(first) else chain([first], lines)
        model = imported(rest, model_path)
    if as_json:
        _output.write(report.json_line({**_summary.record(model, model_path), "replaced": replaces}))
    else:
        _output.write(*_summary.lines(model, model_path, replaces))
