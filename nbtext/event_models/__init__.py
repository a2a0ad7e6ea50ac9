"""Event models: one file each; each turns the same counts into weights in its own way.

All are linear in the document: one loop computes the scores for all of them, and an explanation lists the terms of that
sum.

    score(class) = log prior(class) + bias(class) + sum over known tokens of value(n) * weight(token, class)
    weight       = present(statistic) + shared - absent(statistic)
    bias         = the sum of absent(statistic) over the whole vocabulary

where `value(n)` is the token's occurrences n in the document, or 1 if only presence counts, and `statistic` is one of
the token's counts in the class. Scores, biases and weights are integers in units of 2^-44 nats, so that sums are exact
in any order. A new event model is one new file here; its name is the value of `--event-model`.
"""

from collections.abc import Callable, Sequence
from math import ldexp, log
from typing import Protocol

FRACTION_BITS = 44  # finer than the rounding of most logarithms; 64 bits hold the score of a document of 50,000 tokens

Part = Callable[[int], int]  # a token's statistic in a class -> a part of its weight in this class


def fixed(nats: float) -> int:
    """The number in units of 2^-44 nats, correctly rounded.

    >>> fixed(-1.5) == -3 << 43
    True
    """
    return round(ldexp(nats, FRACTION_BITS))


def nats(units: int) -> float:
    """The number in nats of a number in units of 2^-44 nats.

    >>> nats(fixed(0.25))
    0.25
    """
    return ldexp(units, -FRACTION_BITS)


def fixed_log(value: float) -> int:
    """The logarithm in units of 2^-44 nats.

    >>> fixed_log(1.0)
    0
    """
    return round(ldexp(log(value), FRACTION_BITS))


class EventModel(Protocol):
    """The names that a module of this package defines.

    STATISTIC  the count of a token that it uses: "occurrences", or "frequency": the number of documents with the token
    REPEATS    whether a token counts as often as it occurs in the document, or once
    OUTSIDE    whether it uses the statistic of all other classes together instead of the class's own
    VALUES     the number of values whose probabilities sum to 1: 2, present or absent; None for the whole vocabulary
    JOINT      whether scores are log joint probabilities, log P(class, document)
    """

    STATISTIC: str
    REPEATS: bool
    OUTSIDE: bool
    VALUES: int | None
    JOINT: bool

    @staticmethod
    def present(alpha: float, documents: int) -> Part:
        """What a token of the document adds, by its statistic, in a class with this many documents; alpha > 0."""

    @staticmethod
    def shared(alpha: float, sizes: Sequence[int], vocabulary: int) -> list[int]:
        """What each token of the document adds, the same for all, in each class.

        sizes       the statistic's sum over the vocabulary, in each class or, with OUTSIDE, in all others
        vocabulary  the number of tokens in it
        """

    @staticmethod
    def absent(alpha: float, documents: int) -> Part | None:
        """What a token that is not in the document adds, in a class with this many documents; None if nothing."""
