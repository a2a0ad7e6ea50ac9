"""From scores to an answer and to probabilities.

L     known positions of the document: the sum of value(n) over its vocabulary tokens
t     the fitted part of the temperature
T(L)  temperature: t * sqrt(L + 1)
"""

from collections.abc import Sequence
from math import exp, fsum, sqrt
from typing import NamedTuple

# The rounding error of a weight, and of a sum relative to its size; scores that differ by less are equal
ROUNDING = 1.2e-13


class Scores(NamedTuple):
    """The scores of a document.

    values  per class, in nats; `priors.IMPOSSIBLE` for a class that is not a possible answer
    known   known positions, L
    heard   whether the document gave any evidence, so that the values are more than the log priors
    """

    values: list[float]
    known: int
    heard: bool


def answer(values: Sequence[float], labels: Sequence[str], known: int = 0) -> int:
    """The class with the highest score; if scores are equal, the first label in sorted order.

    known  positions of the document: each adds a rounding error, even if the logarithms cancel each other out

    >>> answer([-2.0, -1.0, -1.0], ["c", "b", "a"])
    2
    """
    highest = max(values)
    least = highest - ROUNDING * (1 + known + abs(highest))
    return min((j for j, value in enumerate(values) if value >= least), key=lambda j: labels[j])


def softmax(values: Sequence[float], temperature: float = 1.0) -> list[float]:
    """The probability of each class: the softmax of score / temperature, by log-sum-exp.

    temperature  > 0; 1 gives Bayes' rule on log joint scores

    >>> [round(p, 6) for p in softmax([-1000.0, -1000.0, float("-inf")])]
    [0.5, 0.5, 0.0]
    """
    highest = max(values)
    odds = [exp((value - highest) / temperature) for value in values]
    whole = fsum(odds)
    return [odd / whole for odd in odds]


def temperature(scores: Scores, t: float | None) -> float:
    """T(L) = t sqrt(L + 1): the longer a document, the more its tokens repeat the same evidence.

    t  None for untempered posteriors; without evidence the temperature is 1 too

    >>> temperature(Scores([-1.0, -2.0], known=8, heard=True), t=0.5)
    1.5
    """
    return 1.0 if t is None or not scores.heard else t * sqrt(scores.known + 1)
