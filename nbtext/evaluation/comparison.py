"""Comparisons within an evaluation: settings with each other, and more training documents with fewer."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..metrics.answers import accuracy
from ..metrics.comparison import holm, mcnemar, won_and_lost
from . import Compared, Held, Point
from .figures import Figure, measured

SIGNIFICANT = 0.05


class Verdict(NamedTuple):
    """A setting against the first one, document by document.

    won, tied, lost  documents that only this setting got right, both or neither, only the first
    p                the probability of so large a difference if both are equally good, corrected for the number of
                     comparisons; None for the first
    """

    setting: str
    accuracy: Figure
    won: int
    tied: int
    lost: int
    p: float | None

    @property
    def real(self) -> bool:
        """Whether the difference is more than chance."""
        return self.p is not None and self.p < SIGNIFICANT


class CurveRow(NamedTuple):
    """The accuracy with a share of the training part."""

    share: float
    documents: int
    accuracy: Figure


def verdicts(comparison: Sequence[Compared], repeats: int) -> list[Verdict]:
    """Each setting against the first, by McNemar's exact test with Holm's correction.

    repeats  how often each document was tested, >= 1; repeats do not count as new documents in the test
    """
    first = _rights(comparison[0].held)
    records = [won_and_lost(_rights(compared.held), first) for compared in comparison]
    p_values = holm(mcnemar(round(won / repeats), round(lost / repeats)) for won, lost in records[1:])
    return [
        Verdict(
            compared.setting,
            measured(accuracy, [held.predictions for held in compared.held]),
            won,
            len(first) - won - lost,
            lost,
            p,
        )
        for compared, (won, lost), p in zip(comparison, records, [None, *p_values], strict=True)
    ]


def _rights(parts: Iterable[Held]) -> list[bool]:
    """Whether each document was answered correctly, in order."""
    return [each.right for held in parts for each in held.predictions]


def curve_rows(curve: Iterable[Point]) -> list[CurveRow]:
    """The accuracy along the learning curve."""
    return [
        CurveRow(point.share, point.documents, measured(accuracy, [held.predictions for held in point.held]))
        for point in curve
    ]


def advice(curve: Sequence[Point], repeats: int) -> str:
    """Whether more labels would help, in a sentence: by McNemar's exact test between half of the documents and all.

    curve    the largest share last
    repeats  as for `verdicts`
    """
    if len(curve) < 2:
        return "The training part is too small for a curve under these filters."
    half, whole = (_rights(point.held) for point in curve[-2:])
    won, lost = won_and_lost(whole, half)
    gain = (won - lost) / len(whole)
    is_real = mcnemar(round(won / repeats), round(lost / repeats)) < SIGNIFICANT
    if gain > 0 and is_real:
        return f"More labels would help: the last doubling gave {gain:+.4f}; expect somewhat less from the next."
    if gain < 0 and is_real:
        return f"More documents made it worse ({gain:+.4f} by the last doubling): look at the labels, or at --suspects."
    return f"No clear gain from more labels: the last doubling gave {gain:+.4f}, which may be chance."
