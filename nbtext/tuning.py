"""Settings chosen by exact leave-one-out: event model, alpha and n-grams, from one counting pass.

Every setting of the grid answers the same sample of training documents, each as if it had not been learned.
Settings that are clearly behind after the first heat drop out of the race, so that time goes to those that may
still win.

Source: Maron and Moore, Hoeffding Races: Accelerating Model Selection Search for Classification and Function
Approximation (1994), for the race; McNemar (1947) for the comparison, exact.
"""

from collections.abc import Iterable, Sequence
from math import log
from typing import NamedTuple, cast

from . import choices, event_models
from .calibration import case, fitted
from .counts import Bag, Counts
from .decision import answer
from .evaluation import Memory
from .event_models import EventModel
from .measures.comparison import mcnemar
from .reading import IMPOSSIBLE, Reading
from .scoring import LeaveOneOut, posteriors

ALPHAS = (1.0, 0.1, 0.01)
NGRAMS = (1, 2)
HEATS = (250, 1000)  # documents that the settings still racing have answered at the end of each heat
BEHIND = 0.05  # the p-value against the leader from which a setting is clearly behind


class Setting(NamedTuple):
    """A point of the grid."""

    event_model: str
    alpha: float
    ngrams: int


TABLE_6_2 = Setting("multinomial", 1.0, 1)


class Standing(NamedTuple):
    """How a setting did, on the documents it answered before it dropped out.

    tested    documents answered
    right     those answered rightly
    surprise  mean negative log posterior of the true class, tempered, in nats
    won       documents answered rightly here, wrongly by Table 6.2
    lost      documents answered wrongly here, rightly by Table 6.2
    p         the chance of a record at least this uneven if the two were equally good
    """

    setting: Setting
    tested: int
    right: int
    surprise: float
    won: int
    lost: int
    p: float


def tuned(counts: Counts, sample: Sequence[tuple[str, Bag]], reading: Reading) -> list[Standing]:
    """The settings of the grid, the chosen one first; those that dropped out early come last.

    counts   of documents counted with n-grams up to the longest of the grid
    sample   label and bag of some of them
    reading  gives the filters and the priors
    """
    lanes = [
        lane for n in NGRAMS for lane in _lanes(counts if n == max(NGRAMS) else counts.without_ngrams(), n, reading)
    ]
    racers = [racer for lane in lanes for racer in lane.racers]
    for start, end in zip((0, *HEATS), HEATS, strict=False):
        for label, bag in sample[start:end]:
            for lane in lanes:
                lane.answer(label, bag)
        _drop(racers)
    default = next(racer for racer in racers if racer.setting == TABLE_6_2)
    return sorted(
        (racer.standing(default) for racer in racers), key=lambda s: (-s.tested, -s.right, s.surprise, s.setting)
    )


class _Racer:
    """A setting in the race."""

    def __init__(self, setting: Setting, event_model: EventModel) -> None:
        self.setting = setting
        self.event_model = event_model
        self.right: list[bool] = []  # one for each document answered
        self.cases: list[tuple[Sequence[float], int]] = []
        self.racing = True

    @property
    def surprise(self) -> float:
        t = fitted(self.cases)
        losses = [-log(max(posteriors(z, t or 1.0)[y], 1e-300)) for z, y in self.cases]
        return sum(losses) / max(len(losses), 1)

    def record(self, other: "_Racer") -> tuple[int, int]:
        """Documents answered rightly here and wrongly by the other, and the other way round, of those both answered."""
        pairs = list(zip(self.right, other.right, strict=False))
        return sum(ours and not theirs for ours, theirs in pairs), sum(theirs and not ours for ours, theirs in pairs)

    def standing(self, default: "_Racer") -> Standing:
        won, lost = self.record(default)
        return Standing(self.setting, len(self.right), sum(self.right), self.surprise, won, lost, mcnemar(won, lost))


class _Lane:
    """The settings that differ only in what is done with the same counts of a document's tokens."""

    def __init__(self, memory: Memory, loo: LeaveOneOut, ngrams: int, racers: list[_Racer]) -> None:
        self.labels = memory.labels
        self.loo = loo
        self.ngrams = ngrams
        self.racers = racers

    def answer(self, label: str, bag: Bag) -> None:
        racing = [racer for racer in self.racers if racer.racing]
        if not racing:
            return
        if self.ngrams == 1:
            bag = {token: n for token, n in bag.items() if " " not in token}
        index = self.labels.index(label)
        rest = self.loo.rest(bag, index)
        for racer in racing:
            scores = self.loo.scores_by(racer.event_model, racer.setting.alpha, rest)
            racer.right.append(answer(scores.values, self.labels) == index)
            if scores.values[index] > IMPOSSIBLE:
                racer.cases.append(case(scores, index))


def _lanes(counts: Counts, ngrams: int, reading: Reading) -> Iterable[_Lane]:
    models = {name: cast(EventModel, choices.module(event_models, name)) for name in choices.names(event_models)}
    for statistic in sorted({model.STATISTIC for model in models.values()}):
        alike = {name: model for name, model in models.items() if statistic == model.STATISTIC}
        memory = Memory(counts, reading._replace(event_model=next(iter(alike))))
        racers = [_Racer(Setting(name, alpha, ngrams), model) for name, model in alike.items() for alpha in ALPHAS]
        yield _Lane(memory, memory.leave_one_out(), ngrams, racers)


def _drop(racers: Sequence[_Racer]) -> None:
    racing = [racer for racer in racers if racer.racing]
    leader = max(racing, key=lambda racer: sum(racer.right))
    for racer in racing:
        won, lost = racer.record(leader)
        racer.racing = won >= lost or mcnemar(won, lost) >= BEHIND
