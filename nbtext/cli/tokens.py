"""nbtext tokens: the tokens of documents, with their counts in a model."""

import os
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from .. import report
from ..analysis import Analysis
from ..escaping import escaped
from ..model.lexicon import Entry, Lexicon
from ..model.model import Model
from ..readers import Document
from . import _inputs, _options, _output
from ._declare import command_named, option

LINES = 1000  # that are written at a time
Lines = Callable[[Document], Iterator[str]]


@command_named("tokens", epilog="Example: echo 'Free offer!' | nbtext tokens --no-model --ngrams 2")
@_options.input_options
@_options.model_option
@option(
    "--no-model",
    is_flag=True,
    help="Use no model; --reader, --tokenizer, --ngrams and --encoding say how to make tokens.",
)
@_options.json_option
def command(files: tuple[str, ...], model_path: str, no_model: bool, as_json: bool, **settings: Any) -> int:
    """Print the tokens of documents, one per line.

    After each token comes LABEL=N for every class that has it N times, or a dash if the model does not use the token.
    No model is needed if --reader, --tokenizer, --ngrams or --encoding is given.
    """
    own = _options.given(settings, Analysis._fields)
    if no_model or (own and not os.path.exists(model_path)):
        analysis = Analysis(**own)
        lines = _cut(analysis, as_json)
    else:
        model = Model.open(model_path)
        analysis = model.analysis
        lines = _known(model, as_json)
    inputs = _inputs.inputs(analysis, files, settings)
    for document in inputs:
        rest = iter(lines(document))
        while some := tuple(islice(rest, LINES)):
            _output.write(*some)
        if inputs.live:
            _output.flush()
    return inputs.status


def _cut(analysis: Analysis, as_json: bool) -> Lines:
    cut = analysis.tokens()

    def lines(document: Document) -> Iterator[str]:
        for token in cut(document):
            yield report.json_line({"name": document.name, "token": token}) if as_json else escaped(token)

    return lines


def _known(model: Model, as_json: bool) -> Lines:
    cut, lexicon = model.analysis.tokens(), Lexicon(model)

    def lines(document: Document) -> Iterator[str]:
        for entry in lexicon.entries(cut(document)):
            yield report.json_line({"name": document.name, **entry.plain()}) if as_json else _line(entry)

    return lines


def _line(entry: Entry) -> str:
    counts = [f"{escaped(label)}={n}" for label, n in entry.occurrences.items() if n]
    return "\t".join([escaped(entry.token), *(counts if entry.vocabulary else "-")])
