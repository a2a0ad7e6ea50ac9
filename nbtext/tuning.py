"""Settings chosen by exact leave-one-out: event model, alpha and n-grams, from one counting pass.

Every setting of the grid answers the same sample of training documents, each as if it had not been learned.
Settings that are clearly behind after the first heat drop out of the race, so that time goes to those that may
still win.

Source: Maron and Moore, Hoeffding Races: Accelerating Model Selection Search for Classification and Function
Approximation (1994), for the race; McNemar (1947) for the comparison, exact.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import log, sqrt
from typing import NamedTuple, cast

from . import choices, event_models
from .analysis import Analysis
from .calibration import Case, Sampled, case, fitted
from .counts import Row, single_tokens
from .decision import answer
from .evaluation import Evaluation
from .evaluation.examples import Example
from .evaluation.parts import Parts
from .evaluation.trial import Memory, counted
from .event_models import EventModel
from .gathering import Gathered
from .measures.averages import deviation, mean
from .measures.comparison import mcnemar, won_and_lost
from .reading import IMPOSSIBLE, Reading, Totals, Vocabulary
from .scoring import posteriors
from .sharing import WORTH_SHARING, numbered

ALPHAS = (1.0, 0.1, 0.01)
NGRAMS = (1, 2)
HEATS = (60, 125, 250, 500, 1000)  # documents that the settings still racing have answered at the end of each heat
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
    surprise  mean negative log posterior of the true class, tempered, in nats; None if it dropped out
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


class Lane(NamedTuple):
    """The settings that read the same statistic of the same tokens: what is left without a document serves for all.

    rows    token -> its counts, at least for all tokens of the sample
    totals  what the vocabulary adds up to, if that is known
    """

    ngrams: int
    event_models: Sequence[str]
    labels: Sequence[str]
    documents: Sequence[int]
    rows: Mapping[str, Row]
    totals: Totals | None


class Answers(NamedTuple):
    """What a setting made of some documents: whether each was answered rightly, and what calibrates it."""

    right: list[bool]
    cases: list[Case]


Work = tuple[Lane, Sequence[Setting], Sequence[Sampled], Reading]


def tuned(found: Gathered, reading: Reading, *, worth_sharing: bool = False) -> list[Standing]:
    """The settings of the grid, the chosen one first; those that dropped out early come last.

    Of the settings that are not clearly behind in right answers, the least surprised is chosen: where the numbers of
    right answers tell nothing any more, probabilities still do.

    found    documents counted with n-grams up to the longest of the grid, and their sample
    reading  gives the filters and the priors
    """
    sample = found.sample.lowest()
    lanes = [lane for ngrams in sorted(NGRAMS, reverse=True) for lane in _lanes(found, sample, ngrams, reading)]
    racing = {(lane.ngrams, *lane.event_models): _settings(lane) for lane in lanes}
    answers = {setting: Answers([], []) for settings in racing.values() for setting in settings}
    for start, end in pairwise((0, *HEATS)):
        work = [(lane, racing[lane.ngrams, *lane.event_models], sample[start:end], reading) for lane in lanes]
        # The counts are large: workers that are forked for each heat inherit them, which is quicker than sending them
        for found_answers in numbered(partial(_answers, work), len(work), worth=worth_sharing):
            for setting, more in found_answers.items():
                answers[setting].right.extend(more.right)
                answers[setting].cases.extend(more.cases)
        close = _close({setting: answers[setting] for settings in racing.values() for setting in settings})
        racing = {key: [setting for setting in settings if setting in close] for key, settings in racing.items()}
    standings = [_standing(setting, own, answers[TABLE_6_2], setting in close) for setting, own in answers.items()]
    return sorted(standings, key=lambda s: (-s.tested, not s.close, s.surprise or 0, s.setting))


def evaluated_tuned(
    documents: Sequence[Example],
    parts: Parts,
    analysis: Analysis,
    reading: Reading,
    corpora: Sequence[str] = (),
    tested: Sequence[str] = (),
    *,
    progress: Callable[[Sequence[list[Example]]], Iterable[list[Example]]] = iter,
) -> Evaluation:
    """What tuning is worth: each part answered by a model of the others, under the setting chosen on these alone.

    documents  with n-grams up to the longest of the grid
    """
    labels = sorted({each.label for each in documents})
    held, chosen = [], []
    for part in progress(parts.tested):
        own = set(map(id, part))
        others = [each for each in documents if id(each) not in own]
        setting = tuned(_gathered(others), reading, worth_sharing=len(others) >= WORTH_SHARING)[0].setting
        chosen.append(f"{setting.event_model}, alpha {setting.alpha:g}, n-grams {setting.ngrams}")
        trained, answered = (
            (others, part) if setting.ngrams > 1 else [list(map(_without_ngrams, some)) for some in (others, part)]
        )
        held.append(Memory.of(trained, labels, setting.of(reading)).answered(trained, answered))
    notes = [f"chosen in {count} of {len(chosen)}: {setting}" for setting, count in Counter(chosen).most_common()]
    return Evaluation(
        f"{parts.method}; tuned for each part",
        analysis,
        reading,
        corpora,
        tested,
        labels,
        held,
        [*parts.notes, *notes],
        parts.repeats,
    )


def _gathered(documents: Iterable[Example]) -> Gathered:
    result = Gathered(size=max(HEATS))
    result.counts = counted(documents)
    for each in documents:
        result.sample.keep(each.digest, each.label, each.bag)
    return result


def _without_ngrams(each: Example) -> Example:
    bag = single_tokens(each.bag)
    return each._replace(tokens=tuple(bag), counts=array("I", bag.values()))


def _settings(lane: Lane) -> list[Setting]:
    return [Setting(name, alpha, lane.ngrams) for name in lane.event_models for alpha in ALPHAS]


def _lanes(found: Gathered, sample: Sequence[Sampled], ngrams: int, reading: Reading) -> Iterator[Lane]:
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
        yield Lane(ngrams, alike, labels, documents, rows, totals)


def _answers(work: Sequence[Work], number: int) -> dict[Setting, Answers]:
    """What the settings make of the documents, each as if it had not been learned, in a piece of the work."""
    lane, settings, sample, reading = work[number]
    memory = Memory(
        lane.labels, lane.documents, lane.rows, reading._replace(event_model=lane.event_models[0]), lane.totals
    )
    loo = memory.leave_one_out
    racers = {s: loo.under(s.of(reading)) for s in settings}
    answers = {setting: Answers([], []) for setting in settings}
    for _, label, bag in sample if settings else ():
        own = bag if lane.ngrams > 1 else single_tokens(bag)
        number = lane.labels.index(label)
        rest = loo.rest(own, number)
        for setting, racer in racers.items():
            scores = racer.scores_of(rest)
            answers[setting].right.append(answer(scores.values, lane.labels, scores.length) == number)
            if scores.values[number] > IMPOSSIBLE:
                answers[setting].cases.append(case(scores, number))
    return answers


def _close(answers: Mapping[Setting, Answers]) -> set[Setting]:
    """The settings not clearly behind, neither the one most often right nor the one least surprised."""
    leader = max(answers.values(), key=lambda each: sum(each.right))
    close = [setting for setting, own in answers.items() if not _is_more_often_wrong(own, leader)]
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
    surprise = mean(_surprises(own.cases)) if close else None
    return Standing(setting, len(own.right), sum(own.right), surprise, won, lost, mcnemar(won, lost), close)


def _surprises(cases: Sequence[Case]) -> list[float]:
    """The negative log posteriors of the true classes, tempered, in nats."""
    t = fitted(cases, SURPRISE_PRECISION) or 1.0
    return [-log(max(posteriors(z, t)[y], SMALLEST)) for z, y in cases]
