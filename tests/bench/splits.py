"""Mail sorted on several splits of one corpus: who makes fewer errors over all of them, by which cutoff."""

from collections.abc import Sequence
from statistics import mean, stdev
from typing import NamedTuple

from .corpora import SPLITS
from .records import Results

BOGOFILTER, TUNED = "bogofilter", "nbtext-tuned"

# Whose answers are shown, by which cutoff, and what that row is called
ROWS = {
    (BOGOFILTER, "own"): "bogofilter, default cutoffs",
    (BOGOFILTER, "0.5"): "bogofilter, 0.5",
    (TUNED, "own"): "nbtext, tuned",
    (TUNED, "chosen"): "nbtext, tuned, threshold chosen",
}


class Sorted(NamedTuple):
    """How mail was sorted, a figure for each split.

    errors  messages on the wrong side; the other figures are parts
    """

    errors: Sequence[int]
    right: Sequence[float]
    ham_lost: Sequence[float]
    spam_caught: Sequence[float]
    area: Sequence[float]


def sorted_mail(results: Results, contender: str, cutoff: str) -> Sorted | None:
    """How a contender sorted the mail of the splits; None if it sorted none by this cutoff."""
    found = [
        (each.errors, 1 - each.errors / m.documents, each.ham_lost, each.spam_caught, each.area or 0.0)
        for corpus in results.series(SPLITS)
        for m in results.of(corpus, contender, "bulk")
        for each in m.filterings
        if each.cutoff == cutoff
    ]
    return Sorted(*zip(*found, strict=True)) if found else None


def rows(results: Results) -> list[list[str]]:
    """The cells of the table: errors in all, else means over the splits, each with its standard deviation."""
    sorted_by = {row: sorted_mail(results, *key) for key, row in ROWS.items()}
    return [
        [
            row,
            f"{len(found.errors)}",
            f"{sum(found.errors)} ({', '.join(map(str, found.errors))})",
            *(spread(values, 100, 2) for values in (found.right, found.ham_lost, found.spam_caught)),
            spread(found.area, 1, 5),
        ]
        for row, found in sorted_by.items()
        if found
    ]


def spread(values: Sequence[float], scale: float, digits: int) -> str:
    """The mean, and the standard deviation if there are several.

    >>> spread([0.98, 0.99, 1.0], 100, 1), spread([0.5], 1, 2)
    ('99.0 ±1.0', '0.50')
    """
    around = f" ±{scale * stdev(values):.{digits}f}" if len(values) > 1 else ""
    return f"{scale * mean(values):.{digits}f}{around}"
