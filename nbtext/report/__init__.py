"""Results as lines: text for people and pipes, JSON for programs. Nothing is computed here that a caller may want.

Text fields are separated by tabs and escaped, so that no file name or label can forge a line or drive a terminal.

Here is what all commands share. An evaluation has lines and a record in `evaluation`, a page in `evaluation_page` with
its `plots`; an explanation has a page in `explanation_page`; what both pages share is in `pages`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..classification.decision import EMPTY, UNSURE, Decision

OUTCOME_NAMES = {UNSURE: "(unsure)", EMPTY: "(empty)"}  # no label of a text record can look so: see `label_field`


def escaped(text: str) -> str:
    r"""The text with everything that is not printable, and the backslash, written as an escape.

    >>> print(escaped("a\tb\\c\x1b[31m"), escaped("plain café"), escaped("\udcff"))
    a\tb\\c\x1b[31m plain café \xff
    """
    if text.isprintable() and "\\" not in text:
        return text
    return "".join(_ESCAPES.get(char) or (char if char.isprintable() else _code(char)) for char in text)


_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}


def _code(char: str) -> str:
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def number(value: float) -> str:
    """At most six digits, so that another C library prints the same.

    >>> number(0.80000000001), number(1/3), number(2.5e-9)
    ('0.8', '0.333333', '2.5e-09')
    """
    return f"{value:.6g}"


def label_field(label: str) -> str:
    """A label as a text field, escaped further where it could be taken for an outcome."""
    field = escaped(label)
    return f"\\x28{field[1:]}" if field in OUTCOME_NAMES.values() else field


def decision_line(decision: Decision, name: str, top: int = 1) -> str:
    """label, posterior, ..., name: `top` pairs, likeliest first; an outcome that is no answer replaces the label."""
    fields = []
    for label, posterior in list(decision.posteriors.items())[:top]:
        fields += [label_field(label), number(posterior)]
    fields[0] = OUTCOME_NAMES.get(decision.outcome, fields[0])
    return "\t".join([*fields, escaped(name)])


def ranked_line(decision: Decision, label: str, name: str) -> str:
    """The label asked for, its posterior, the document's name."""
    field = OUTCOME_NAMES[EMPTY] if decision.outcome == EMPTY else label_field(label)
    return "\t".join([field, number(decision.posteriors.get(label, 0.0)), escaped(name)])


def decision_record(decision: Decision, name: str, top: int | None = None) -> dict[str, Any]:
    """The same as an object of stable keys; `posteriors` holds the `top` likeliest, by default all."""
    shown = list(decision.posteriors.items())[:top]
    return {
        "name": name,
        "outcome": decision.outcome,
        "label": decision.label,
        "posterior": decision.posterior,
        "posteriors": dict(shown),
        "scores": {label: decision.scores[label] for label, _ in shown},
        "tokens": decision.tokens,
        "known": decision.known,
    }


def json_line(record: Mapping[str, Any]) -> str:
    """One JSON object; a number that is not finite is a bug, not a null."""
    import json

    return json.dumps(record, ensure_ascii=_has_surrogates(record), allow_nan=False, separators=(", ", ": "))


def _has_surrogates(record: object) -> bool:
    return "\\ud" in repr(record)


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
