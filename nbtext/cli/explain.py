"""nbtext explain: shows the tokens that decided an answer."""

from collections.abc import Iterator
from math import fsum
from operator import attrgetter
from typing import Any

import click

from .. import report
from ..classification.decision import Classifier
from ..classification.explanation import Explanation
from ..escaping import escaped
from ..fields import token_shown
from ..model.model import Model
from . import _inputs, _options, _output, _types
from ._declare import command_named, option


@command_named("explain", epilog="Example: nbtext explain --html why.html < letter.txt")
@_options.input_options
@_options.model_option
@option(
    "--against",
    type=_types.Label(),
    metavar="LABEL",
    help="Compare the answer with this class instead of the runner-up.",
)
@option(
    "--top", type=click.IntRange(min=0), metavar="N", help="Print only the N largest terms, and the sum of the rest."
)
@option(
    "--html",
    type=_types.PATH,
    metavar="FILE",
    help="Write an HTML page with the tokens shaded in the text; - is standard output.",
)
@_options.hyperparameter_options
@_options.json_option
def command(
    files: tuple[str, ...],
    model_path: str,
    against: str | None,
    top: int | None,
    html: str | None,
    as_json: bool,
    **settings: Any,
) -> int:
    """Show which tokens decided an answer.

    Prints the label, posterior and name, as classify does, then a row for each token, the largest term first. The term
    is what the token adds to the score of the answer minus what it adds to that of the runner-up, the second likeliest
    class, in nats. Then come how often the token counts, and its counts in both classes. The terms add up to the
    difference between the two scores.
    """
    model = Model.open(model_path)
    if against is not None:
        model.index(against)
    classify = Classifier(model, _options.hyperparameters_of(settings, model.analysis, model.hyperparameters))
    inputs = _inputs.inputs(model.analysis, files, settings)
    explained = ((document, classify.explain(document, against)) for document in inputs)
    if html is not None:
        from ..report.explanation_page import page

        _output.write_file(html, page(explained, model.analysis, f"model {model_path}; date {_output.today()}"))
        return inputs.status
    for document, explanation in explained:
        if as_json:
            _output.write(_json(explanation, document.name))
        else:
            _output.write(*_lines(explanation, document.name, top))
        if inputs.live:
            _output.flush()
    return inputs.status


def _json(explanation: Explanation, name: str) -> str:
    return report.json_line(
        {
            **report.decision_record(explanation.decision, name),
            "against": explanation.against,
            "joint": explanation.joint,
            "bias": explanation.bias,
            "terms": [term._asdict() for term in explanation.terms],
        }
    )


def _lines(explanation: Explanation, name: str, top: int | None) -> Iterator[str]:
    """The decision, the terms as a table, and their total."""
    decision, against = explanation.decision, explanation.against
    labels = [escaped(label) for label in (decision.label, against)]
    whole = explanation.difference(decision.scores)
    rows = _rows(explanation, top)
    cells = [(_signed(nats), token, *map(str, counts)) for nats, token, *counts in rows]
    head, *lines = report.table([("term", "token", "times", *labels), *cells], "><>>>")
    yield report.decision_line(decision, name)
    yield head
    for line, (nats, *_) in zip(lines, rows, strict=True):
        yield _coloured(line, nats)
    width = max(len(nats) for nats, *_ in [("term",), *cells])
    what = "log probability" if explanation.joint else "score"
    yield _coloured(f"{_signed(whole):>{width}}  total: {what} of {labels[0]} minus that of {labels[1]}", whole)


def _rows(explanation: Explanation, top: int | None) -> list[tuple[float, str, int | str, int | str, int | str]]:
    """(nats, token, times, counts in both classes) of the terms shown, of the rest together, and of the bias."""
    counts = attrgetter(explanation.statistic)
    answer, against = explanation.decision.label, explanation.against
    shown = explanation.terms[:top]
    rest = [explanation.difference(term.terms) for term in explanation.terms[len(shown) :]]
    return [
        *(
            (
                explanation.difference(term.terms),
                escaped(token_shown(term.token)),
                term.value,
                counts(term)[answer],
                counts(term)[against],
            )
            for term in shown
        ),
        *([(fsum(rest), f"{len(rest)} more", "", "", "")] if rest else []),
        (explanation.difference(explanation.bias), "before any token", "", "", ""),
    ]


def _coloured(line: str, nats: float) -> str:
    return _output.styled(line, fg="green" if nats > 0 else "red") if nats else line


def _signed(nats: float) -> str:
    return f"{nats:+.4f}"
