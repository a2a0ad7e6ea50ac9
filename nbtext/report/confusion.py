"""A confusion matrix as text, narrow enough for a terminal."""

from collections.abc import Iterator, Sequence
from itertools import count
from string import ascii_lowercase

from ..escaping import escaped
from ..evaluation.summary import Summary

WIDEST = 28  # columns that a terminal can show
LABEL_WIDTH = 28
CONFUSIONS = 8  # listed below the matrix


def short(label: str) -> str:
    """A label, cut if it is long."""
    shown = escaped(label)
    return shown if len(shown) <= LABEL_WIDTH else shown[: LABEL_WIDTH - 3] + "..."


def confusion(found: Summary) -> list[str]:
    """A row for each truth, a lettered column for each answer, a dot for 0; then the largest confusions in words."""
    labels = list(found.confusion)
    body = []
    if len(labels) <= WIDEST:
        letters = dict(zip(labels, _letters(), strict=False))
        rows = [("truth, answered:", *letters.values(), "all")]
        rows += [
            (f"{letters[truth]} {short(truth)}", *(str(n or "·") for n in row.values()), str(sum(row.values())))
            for truth, row in found.confusion.items()
        ]
        body += _narrow(rows)
    else:
        body.append(f"the matrix of {len(labels)} classes is too wide for a terminal; use --json")
    body += [
        f"{each.documents} of {short(each.truth)} classified as {short(each.answer)}"
        for each in found.confused[:CONFUSIONS]
    ]
    if len(found.confused) > CONFUSIONS:
        body.append(f"and {len(found.confused) - CONFUSIONS} smaller confusions")
    return body


def _narrow(rows: Sequence[Sequence[str]]) -> list[str]:
    """A table whose numbers are one space apart."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        f"{row[0]:<{widths[0]}} "
        + " ".join(f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True))
        for row in rows
    ]


def _letters() -> Iterator[str]:
    """Names for columns: a, b, ... z, aa, ab, ..."""
    for n in count():
        yield (ascii_lowercase[n // 26 - 1] if n >= 26 else "") + ascii_lowercase[n % 26]
