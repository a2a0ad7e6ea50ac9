"""The arithmetic of the bench: spreads, ratios, accuracy, and what a spam filter is judged by."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

SPAM = "spam"
EVEN = 0.5


class Prediction(NamedTuple):
    """An answer.

    key     CLASS/FILE
    label   the class it says
    spam    how sure it is of spam, 0 to 1; None if it does not say
    """

    key: str
    label: str
    spam: float | None = None


class Filtering(NamedTuple):
    """How mail was sorted.

    cutoff       "own" for the labels as answered, "chosen" for a threshold found on the training part, else how sure of
                 spam an answer must be to count as spam
    errors       messages on the wrong side
    ham_lost     the part of ham called spam
    spam_caught  the part of spam called spam
    area         under the ROC curve: the chance that spam looks more like spam than ham does; None without scores
    """

    cutoff: str
    errors: int
    ham_lost: float
    spam_caught: float
    area: float | None


class Judged(NamedTuple):
    """How good answers are.

    accuracy    the part labelled rightly; None if that is not known
    filterings  how mail was sorted, if it was
    calibration_error  the expected one, if it was asked for
    """

    accuracy: float | None = None
    filterings: Sequence[Filtering] = ()
    calibration_error: float | None = None


def spread(values: Sequence[float]) -> float:
    """The median distance from the median, as a part of it.

    >>> spread([1.0, 1.1, 0.9, 1.0, 5.0])
    0.1
    """
    middle = median(values)
    return round(median(abs(value - middle) for value in values) / middle, 4)


def accuracy(truth: Mapping[str, str], predictions: Iterable[Prediction]) -> float:
    """The part of the documents that are labelled rightly; one without an answer is wrong.

    >>> accuracy({"a/1": "a", "b/1": "b", "b/2": "b"}, [Prediction("a/1", "a"), Prediction("b/1", "a")])
    0.3333333333333333
    """
    return sum(truth.get(answer.key) == answer.label for answer in predictions) / len(truth)


def filterings(truth: Mapping[str, str], predictions: Sequence[Prediction]) -> list[Filtering]:
    """How well spam was told from ham: as answered, and with one cutoff at 0.5 where that makes a difference."""
    answers = {answer.key: answer for answer in predictions}
    spam = [answers.get(key) for key, label in truth.items() if label == SPAM]
    ham = [answers.get(key) for key, label in truth.items() if label != SPAM]
    scores = [answer.spam for answer in answers.values() if answer.spam is not None]
    area = None
    if len(scores) == len(truth):
        area = roc_area(_scores(spam), _scores(ham))

    def filtering(cutoff: str, caught: int, lost: int) -> Filtering:
        return Filtering(cutoff, len(spam) - caught + lost, lost / len(ham), caught / len(spam), area)

    own = filtering("own", *(sum(a.label == SPAM for a in group if a) for group in (spam, ham)))
    if area is None:
        return [own]
    even = filtering(str(EVEN), *(sum(score >= EVEN for score in _scores(group)) for group in (spam, ham)))
    return [own] if even._replace(cutoff=own.cutoff) == own else [own, even]


def roc_area(positive: Sequence[float], negative: Sequence[float]) -> float:
    """The chance that one of the positive is above one of the negative, ties counting half.

    >>> roc_area([0.9, 0.5], [0.5, 0.1])
    0.875
    """
    ranked = sorted([(score, True) for score in positive] + [(score, False) for score in negative])
    wins = below = 0.0
    start = 0
    while start < len(ranked):
        end = start
        while end < len(ranked) and ranked[end][0] == ranked[start][0]:
            end += 1
        ups = sum(is_positive for _, is_positive in ranked[start:end])
        downs = end - start - ups
        wins += ups * (below + downs / 2)
        below += downs
        start = end
    return wins / (len(positive) * len(negative))


def _scores(answers: Iterable[Prediction | None]) -> list[float]:
    return [answer.spam for answer in answers if answer and answer.spam is not None]
