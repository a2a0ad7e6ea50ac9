"""Settings chosen by exact leave-one-out: event model, alpha and n-grams, from one counting pass.

Every setting of the grid answers the same sample of training documents, each as if it had not been learned.
Settings that are clearly behind after the first heat drop out of the race, so that time goes to those that may
still win.

Source: Maron and Moore, Hoeffding Races: Accelerating Model Selection Search for Classification and Function
Approximation (1994), for the race; McNemar (1947) for the comparison, exact.
"""

from collections.abc import Iterator, Sequence
from math import log
from typing import NamedTuple, cast

from . import choices, event_models
from .calibration import Case, Sampled, case, fitted
from .counts import Bag
from .decision import answer
from .evaluation.trial import Memory
from .event_models import EventModel
from .gathering import Gathered
from .measures.averages import mean
from .measures.comparison import mcnemar
from .reading import IMPOSSIBLE, Reading, Vocabulary
from .scoring import LeaveOneOut, Rest, posteriors

ALPHAS = (1.0, 0.1, 0.01)
NGRAMS = (1, 2)
HEATS = (250, 1000)  # documents that the settings still racing have answered at the end of each heat
SMALLEST = 1e-300  # so that a posterior of zero has a logarithm
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
    close     whether it is not clearly behind the setting most often right
    """

    setting: Setting
    tested: int
    right: int
    surprise: float
    won: int
    lost: int
    p: float
    close: bool


def tuned(found: Gathered, reading: Reading) -> list[Standing]:
    """The settings of the grid, the chosen one first; those that dropped out early come last.

    Of the settings that are not clearly behind the one most often right, the least surprised is chosen: where the
    numbers of right answers tell nothing any more, probabilities still do.

    found    documents counted with n-grams up to the longest of the grid, and their sample
    reading  gives the filters and the priors
    """
    sample = found.sample.lowest()
    lanes = [lane for ngrams in NGRAMS for lane in _lanes(found, sample, ngrams, reading)]
    racers = [racer for lane in lanes for racer in lane.racers]
    for start, end in zip((0, *HEATS), HEATS, strict=False):
        for _, label, bag in sample[start:end]:
            for lane in lanes:
                lane.answer(label, bag)
        racing = [racer for racer in racers if racer.racing]
        leader = max(racing, key=lambda racer: sum(racer.right))
        for racer in racing:
            racer.racing = not racer.is_behind(leader)
    default = next(racer for racer in racers if racer.setting == TABLE_6_2)
    standings = [racer.standing(default) for racer in racers]
    return sorted(standings, key=lambda s: (-s.tested, not s.close, s.surprise, s.setting))


class _Racer:
    """A setting in the race."""

    def __init__(self, setting: Setting, loo: LeaveOneOut) -> None:
        self.setting = setting
        self.loo = loo
        self.right: list[bool] = []  # one for each document answered
        self.cases: list[Case] = []
        self.racing = True

    def answer(self, rest: Rest, labels: Sequence[str]) -> None:
        scores = self.loo.scores_of(rest)
        self.right.append(answer(scores.values, labels, scores.length) == rest.number)
        if scores.values[rest.number] > IMPOSSIBLE:
            self.cases.append(case(scores, rest.number))

    def surprise(self) -> float:
        t = fitted(self.cases) or 1.0
        return mean(-log(max(posteriors(z, t)[y], SMALLEST)) for z, y in self.cases)

    def record(self, other: "_Racer") -> tuple[int, int]:
        """Documents answered rightly here and wrongly by the other, and the other way round, of those both answered."""
        pairs = list(zip(self.right, other.right, strict=False))
        return sum(ours and not theirs for ours, theirs in pairs), sum(theirs and not ours for ours, theirs in pairs)

    def is_behind(self, leader: "_Racer") -> bool:
        won, lost = self.record(leader)
        return won < lost and mcnemar(won, lost) < BEHIND

    def standing(self, default: "_Racer") -> Standing:
        won, lost = self.record(default)
        return Standing(
            self.setting, len(self.right), sum(self.right), self.surprise(), won, lost, mcnemar(won, lost), self.racing
        )


class _Lane:
    """The settings that read the same statistic of the same tokens: what is left without a document serves for all."""

    def __init__(self, memory: Memory, ngrams: int, event_models: Sequence[str]) -> None:
        self.labels = memory.labels
        self.ngrams = ngrams
        self.loo = memory.leave_one_out()
        reading = memory.reading
        self.racers = [
            _Racer(Setting(name, alpha, ngrams), self.loo.under(reading._replace(event_model=name, alpha=alpha)))
            for name in event_models
            for alpha in ALPHAS
        ]

    def answer(self, label: str, bag: Bag) -> None:
        racing = [racer for racer in self.racers if racer.racing]
        if racing:
            own = bag if self.ngrams > 1 else {token: n for token, n in bag.items() if " " not in token}
            rest = self.loo.rest(own, self.labels.index(label))
            for racer in racing:
                racer.answer(rest, self.labels)


def _lanes(found: Gathered, sample: Sequence[Sampled], ngrams: int, reading: Reading) -> Iterator[_Lane]:
    """The lanes of one n. Where every token is vocabulary, only the rows of those that the sample has are needed."""
    part = found if ngrams > 1 else found.without_ngrams()
    labels = sorted(+found.counts.documents)
    documents = [found.counts.documents[label] for label in labels]
    if Vocabulary(reading).is_everything and not reading.drop_top:
        rows, totals = part.look_up(set().union(*(each.bag for each in sample)), labels)
    else:
        rows, totals = dict(part.rows(labels)), None
    names = choices.names(event_models)
    statistics = {name: cast(EventModel, choices.module(event_models, name)).STATISTIC for name in names}
    for statistic in sorted(set(statistics.values())):
        alike = [name for name in names if statistics[name] == statistic]
        memory = Memory(labels, documents, rows, reading._replace(event_model=alike[0]), totals)
        yield _Lane(memory, ngrams, alike)
