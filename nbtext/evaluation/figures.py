"""A figure: a measure of all documents tested, with its spread over the parts."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ..metrics import Prediction
from ..metrics.averages import deviation

Measure = Callable[[list[Prediction]], float | None]


class Figure(NamedTuple):
    """A measure: its value over all documents tested, and its standard deviation over the parts."""

    value: float | None
    spread: float | None = None


def measured(measure: Measure, parts: Sequence[list[Prediction]]) -> Figure:
    """A measure over all predictions, and its spread over the parts."""
    whole = [each for part in parts for each in part]
    return with_spread([measure(some) for some in (whole, *(parts if len(parts) > 1 else ()))])


def with_spread(values: Sequence[float | None]) -> Figure:
    """A figure from the value over all documents, followed by those over the parts if there are several."""
    return Figure(values[0], spread_of(values[1:]))


def spread_of(values: Iterable[float | None]) -> float | None:
    """The standard deviation of the values that are known; None if there are fewer than two."""
    defined = [value for value in values if value is not None]
    return deviation(defined) if defined else None
