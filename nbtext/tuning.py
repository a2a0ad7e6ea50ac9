"""Settings chosen by exact leave-one-out: event model, alpha and n-grams, from one counting pass.

Every setting of the grid answers the documents kept for calibration, each as if it had not been learned. Settings that
are clearly behind after a heat drop out of the race, so that time goes to those that may still win.

Source: Maron and Moore, Hoeffding Races: Accelerating Model Selection Search for Classification and Function
Approximation (1994), for the race; McNemar (1947) for the comparison, exact.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import log, sqrt
from operator import attrgetter
from typing import NamedTuple

from . import choices, event_models
from .calibration import SAMPLE, Case, Sampled, case, fitted
from .decision import answer
from .evaluation import Chosen
from .evaluation.examples import Example
from .evaluation.trial import Memory, counted
from .gathering import Gathered
from .leave_one_out import LeaveOneOut, Rest
from .measures.averages import deviation, mean
from .measures.comparison import mcnemar, won_and_lost
from .reading import IMPOSSIBLE, Reading
from .scoring import posteriors
from .sharing import WORTH_SHARING, inherited

ALPHAS = (1.0, 0.1, 0.01)
NGRAMS = (1, 2)
PIECE = 32  # documents that a worker answers at a time
HEATS = (60, 125, 250, SAMPLE)  # documents that the settings still racing have answered at the end of each heat
SMALLEST = 1e-300  # so that a posterior of zero has a logarithm
SURPRISE_PRECISION = 1e-4  # of the temperature: to compare settings takes no more
BEHIND = 0.05  # the p-value against the leader from which a setting is clearly behind


class Setting(NamedTuple):
    """A point of the grid."""

    event_model: str
    alpha: float
    ngrams: int

    def of(self, reading: Reading) -> Reading:
        """The reading with this event model and alpha."""
        return reading._replace(event_model=self.event_model, alpha=self.alpha)


TABLE_6_2 = Setting("multinomial", 1.0, 1)


class Standing(NamedTuple):
    """How a setting did, on the documents it answered before it dropped out.

    tested    documents answered
    right     those answered rightly
    surprise  mean negative log posterior of the true class, tempered, nats; None if it dropped out or none was possible
    won       documents answered rightly here, wrongly by Table 6.2
    lost      documents answered wrongly here, rightly by Table 6.2
    p         the chance of a record at least this uneven if the two were equally good
    close     whether it is not clearly behind, neither the setting most often right nor the one least surprised
    """

    setting: Setting
    tested: int
    right: int
    surprise: float | None
    won: int
    lost: int
    p: float
    close: bool


class Course(NamedTuple):
    """What all settings of the same n-grams share.

    sample         documents to answer
    leave_one_out  scores them under the filters and priors of all settings
    """

    labels: Sequence[str]
    sample: Sequence[Sampled]
    leave_one_out: LeaveOneOut


class Answers(NamedTuple):
    """What a setting made of some documents: whether each was answered rightly, and what calibrates it."""

    right: list[bool]
    cases: list[Case]


Piece = tuple[int, int, int, Sequence[Setting]]  # n-grams; the first document of the sample, that after the last


def tuned(found: Gathered, reading: Reading, *, worth_sharing: bool = False) -> list[Standing]:
    """The settings of the grid, the chosen one first; those that dropped out early come last.

    Of the settings that are not clearly behind in right answers, the least surprised is chosen: where the numbers of
    right answers tell nothing any more, probabilities still do. Where these do not either, as when every document is
    the only one of its class, Table 6.2 is.

    found    documents counted with n-grams up to the longest of the grid, and their sample
    reading  gives the filters and the priors
    """
    courses = {ngrams: _course(found if ngrams > 1 else found.without_ngrams(), reading) for ngrams in NGRAMS}
    names = choices.names(event_models)
    racing = [Setting(name, alpha, ngrams) for ngrams in NGRAMS for name in names for alpha in ALPHAS]
    answers = {setting: Answers([], []) for setting in racing}
    with inherited(partial(_answers, courses, reading, {}), worth=worth_sharing) as answered:
        for start, end in pairwise((0, *HEATS)):
            for found_answers in answered(_pieces(start, end, racing)):
                for setting, more in found_answers.items():
                    answers[setting].right.extend(more.right)
                    answers[setting].cases.extend(more.cases)
            close = _close({setting: answers[setting] for setting in racing})
            racing = [setting for setting in racing if setting in close]
    standings = [_standing(setting, own, answers[TABLE_6_2], setting in close) for setting, own in answers.items()]
    return sorted(standings, key=lambda s: (-s.tested, not s.close, s.surprise or 0, s.setting != TABLE_6_2, s.setting))


def chosen(documents: Sequence[Example], reading: Reading) -> Chosen:
    """How the documents, with n-grams up to the longest of the grid, are best read."""
    best = tuned(_gathered(documents), reading, worth_sharing=len(documents) >= WORTH_SHARING)[0].setting
    words = f"{best.event_model}, alpha {best.alpha:g}, n-grams {best.ngrams}"
    return Chosen(words, best.of(reading), best.ngrams)


def _gathered(documents: Iterable[Example]) -> Gathered:
    result = Gathered()
    result.counts = counted(documents)
    for each in documents:
        result.sample.keep(each.digest, each.label, each.bag)
    return result


def _course(found: Gathered, reading: Reading) -> Course:
    """Where every token is vocabulary, only the rows of those that the sample has are needed."""
    sample = list(_ordered(found.sample.lowest()))
    labels = sorted(+found.counts.documents)
    documents = [found.counts.documents[label] for label in labels]
    tokens = set().union(*(each.bag for each in sample))
    if reading.is_unfiltered:
        rows, totals = found.look_up(tokens, labels)
        memory = Memory(labels, documents, rows, reading, totals)
    else:
        memory = Memory(labels, documents, dict(found.rows(labels)), reading)
    memory.leave_one_out.meet(tokens)
    return Course(labels, sample, memory.leave_one_out)


def _ordered(sample: Sequence[Sampled]) -> Iterator[Sampled]:
    """The documents of each heat class by class, as leave-one-out likes them."""
    for start, end in pairwise((0, *HEATS)):
        yield from sorted(sample[start:end], key=attrgetter("label"))


def _pieces(start: int, end: int, racing: Iterable[Setting]) -> Iterator[Piece]:
    """The work of a heat."""
    for ngrams in sorted(NGRAMS, reverse=True):
        settings = [setting for setting in racing if setting.ngrams == ngrams]
        for at in range(start, end, PIECE) if settings else ():
            yield ngrams, at, min(at + PIECE, end), settings


def _answers(
    courses: Mapping[int, Course], reading: Reading, racers: dict[Setting, LeaveOneOut], piece: Piece
) -> dict[Setting, Answers]:
    """What settings make of a piece of the sample, each document as if it had not been learned.

    racers  those that this process has met: they remember what they have learned of tokens
    """
    ngrams, start, end, settings = piece
    labels, sample, leave_one_out = courses[ngrams]
    for setting in [each for each in racers if each.ngrams == ngrams and each not in settings]:
        del racers[setting]  # it dropped out, and holds memory
    for setting in settings:
        if setting not in racers:
            racers[setting] = leave_one_out.under(setting.of(reading))
    answers = {setting: Answers([], []) for setting in settings}
    for _, label, bag in sample[start:end]:
        index = labels.index(label)
        rests: dict[tuple[str, bool], Rest] = {}
        for setting, (right, cases) in answers.items():
            racer = racers[setting]
            event_model = racer.scorer.event_model
            statistic = event_model.STATISTIC, event_model.SPREAD
            rest = rests.get(statistic) or rests.setdefault(statistic, racer.rest(bag, index))
            scores = racer.scores_of(rest)
            right.append(answer(scores.values, labels, scores.length) == index)
            if scores.values[index] > IMPOSSIBLE:
                cases.append(case(scores, index))
    return answers


def _close(answers: Mapping[Setting, Answers]) -> set[Setting]:
    """The settings not clearly behind, neither the one most often right nor the one least surprised."""
    leader = max(answers.values(), key=lambda each: sum(each.right))
    close = [setting for setting, own in answers.items() if not _is_more_often_wrong(own, leader)]
    if not leader.cases:  # which then no setting has: each document was the only one of its class
        return set(close)
    surprises = {setting: _surprises(answers[setting].cases) for setting in close}
    least = min(surprises.values(), key=mean)
    return {setting for setting in close if not _is_more_surprised(surprises[setting], least)}


def _is_more_often_wrong(own: Answers, leader: Answers) -> bool:
    won, lost = _record(own, leader)
    return won < lost and mcnemar(won, lost) < BEHIND


def _is_more_surprised(own: Sequence[float], least: Sequence[float]) -> bool:
    """Whether the mean difference is over two standard errors, which chance gives one time in twenty."""
    differences = [ours - theirs for ours, theirs in zip(own, least, strict=True)]
    error = (deviation(differences) or 0.0) / sqrt(len(differences))
    return mean(differences) > 2 * error


def _record(own: Answers, other: Answers) -> tuple[int, int]:
    """Documents answered rightly here and wrongly by the other, and the other way round, of those both answered."""
    both = min(len(own.right), len(other.right))
    return won_and_lost(own.right[:both], other.right[:both])


def _standing(setting: Setting, own: Answers, default: Answers, close: bool) -> Standing:
    won, lost = _record(own, default)
    surprise = mean(_surprises(own.cases)) if close and own.cases else None
    return Standing(setting, len(own.right), sum(own.right), surprise, won, lost, mcnemar(won, lost), close)


def _surprises(cases: Sequence[Case]) -> list[float]:
    """The negative log posteriors of the true classes, tempered, in nats."""
    t = fitted(cases, SURPRISE_PRECISION) or 1.0
    return [-log(max(posteriors(z, t)[y], SMALLEST)) for z, y in cases]
