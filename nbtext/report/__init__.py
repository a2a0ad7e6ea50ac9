"""Results as lines: text for people and pipes, JSON for programs. Nothing is computed here.

Text fields are separated by tabs and escaped, so that no file name or label can forge a line or control a terminal.

This module has what all commands share. `evaluation` makes the lines of an evaluation, `evaluation_record` its record,
`evaluation_page` its page, with `plots`; `explanation_page` makes the page of an explanation; `pages` has what both
pages share; `records` writes tables back with their answers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..classification.decision import ANSWER, UNSURE, Decision
from ..escaping import OUTCOME_NAMES, escaped, number


def label_field(label: str) -> str:
    """A label as a text field, escaped further if it looks like an outcome."""
    field = escaped(label)
    return f"\\x28{field[1:]}" if field in OUTCOME_NAMES.values() else field


def answer_lines(answers: Iterable[tuple[str, str, float]], names: Iterable[str]) -> Iterator[str]:
    """label, posterior, name of each; an outcome like (unsure) replaces the label.

    >>> list(answer_lines([("answer", "ham", 0.75), ("unsure", "spam", 0.5)], ["a", "b"]))
    ['ham\\t0.75\\ta', '(unsure)\\t0.5\\tb']
    """
    fields: dict[tuple[str, str], str] = {}
    for (outcome, label, posterior), name in zip(answers, names, strict=True):
        field = fields.get((outcome, label))
        if field is None:
            field = fields[outcome, label] = OUTCOME_NAMES.get(outcome) or label_field(label)
        yield f"{field}\t{posterior:.6g}\t{escaped(name)}"


def decision_line(decision: Decision, name: str, top: int = 1) -> str:
    """label, posterior, ..., name: `top` pairs, likeliest first; an outcome like (unsure) replaces the first label."""
    fields = []
    for label, posterior in list(decision.posteriors.items())[:top]:
        fields += [label_field(label), number(posterior)]
    fields[0] = OUTCOME_NAMES.get(decision.outcome, fields[0])
    return "\t".join([*fields, escaped(name)])


def ranked_line(decision: Decision, label: str, name: str) -> str:
    """The label asked for, its posterior, the name of the document."""
    field = label_field(label) if decision.outcome in (ANSWER, UNSURE) else OUTCOME_NAMES[decision.outcome]
    return "\t".join([field, number(decision.posteriors.get(label, 0.0)), escaped(name)])


def decision_record(
    decision: Decision, name: str, top: int | None = None, identifier: str | None = None
) -> dict[str, Any]:
    """The same as a dictionary for JSON with stable keys; `posteriors` has the `top` likeliest, by default all."""
    shown = list(decision.posteriors.items())[:top]
    return {
        "name": name,
        **({} if identifier is None else {"id": identifier}),
        "outcome": decision.outcome,
        "label": decision.label,
        "posterior": decision.posterior,
        "posteriors": dict(shown),
        "scores": {label: decision.scores[label] for label, _ in shown},
        "tokens": decision.tokens,
        "known": decision.known,
    }


def json_line(record: Mapping[str, Any], *, many: bool = False) -> str:
    r"""One JSON object, compact, in which nothing can control a terminal or reverse the direction of text.

    many  whether many are written, so that loading a faster writer pays off

    >>> print(json_line({"name": "a\u202eb\x9b31m é"}))
    {"name":"a\u202eb\u009b31m é"}

    Raises: ValueError, which is a bug, for a number that is not finite: JSON has none.
    """
    line = _fast_json(record) if many else None
    import json

    if line is None:
        line = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    if line.isprintable():
        return line
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in line)


def _fast_json(record: Mapping[str, Any]) -> str | None:
    from ..readers import _fastjson as fastjson

    return fastjson.dumps(record)


def table(rows: Iterable[Sequence[str]], alignment: str) -> list[str]:
    """Rows of cells as aligned lines; `alignment` has < or > for each column.

    >>> table([("class", "documents"), ("ham", "12")], "<>")
    ['class  documents', 'ham           12']
    """
    cells = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, alignment, widths, strict=True)).rstrip()
        for row in cells
    ]
