"""Settings chosen by exact leave-one-out: event model, alpha and n-grams, from one counting pass.

Every setting of the grid answers a sample of the documents, each as if it had not been learned. Settings that are
clearly behind after a heat drop out of the race, so that time goes to those that may still win. From 500 documents on
it is decided as soon as only one is left within a standard error of the best. Where more are, chance would decide
between settings a quarter of a point apart (seen on Reuters R8 at 500, on mail at 1,000 documents), so these race on,
to the last thousand documents only where so few are left that it takes little time beside the counting.

Source: Maron and Moore, Hoeffding Races: Accelerating Model Selection Search for Classification and Function
Approximation (1994), for the race; McNemar (1947) for the comparison, exact.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import copysign, inf, log, sqrt
from typing import NamedTuple

from .. import event_models, plugins
from ..classification.decision import answer
from ..counting.gathering import Gathered
from ..counting.sampling import SAMPLE, Sampled
from ..engines._sharing import WORTH_SHARING, inherited
from ..evaluation import Chosen
from ..evaluation.examples import Example
from ..evaluation.trial import Memory, counted
from ..inference.calibration import Calibration, Case, case, fitted
from ..inference.leave_one_out import LeaveOneOut
from ..inference.reading import IMPOSSIBLE, Reading
from ..inference.scoring import event_model, posteriors
from ..metrics.averages import deviation, mean
from ..metrics.comparison import mcnemar, won_and_lost

ALPHAS = (1.0, 0.1, 0.01)
NGRAMS = (1, 2)
COMPLEMENTS = {"complement", "complement-binary"}  # of two classes they answer as multinomial and binary do
PIECE = 20  # documents that a worker answers at a time
HEATS = (40, 100, 250, 500, 1000, 2000)  # documents that the settings still racing have answered at the end of each
DECIDABLE = 500  # documents; from then on only settings race that are barely behind
STAGES = (DECIDABLE, 1000, 2000)  # documents whose tokens are looked up in one pass over the counts
SMALL = 4000  # documents; of more, a pass takes longer than looking up what only the second stage needs
LARGEST_SAMPLE = STAGES[-1]
CHEAP = 4  # weights of a word in the last stage for each document counted: about a sixth of the time of counting
SMALLEST = 1e-300  # so that a posterior of zero has a logarithm
SURPRISE_PRECISION = 1e-4  # of the temperature: to compare settings takes no more
SIGNIFICANT = 0.05  # the p-value below which a setting is clearly more often wrong than the leader
CLEARLY, BARELY = 2, 1  # standard errors more surprised than the least surprised: out at any time; once decidable


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
    close     whether it was in the running to the end, clearly behind neither the setting most often right nor the
              least surprised
    """

    setting: Setting
    tested: int
    right: int
    surprise: float | None
    won: int
    lost: int
    p: float
    close: bool


class Tuned(NamedTuple):
    """What came of it.

    standings    of all settings, the chosen one first; those that dropped out early come last
    calibration  of the chosen one, to as many documents as a model keeps
    """

    standings: list[Standing]
    calibration: Calibration


class Course(NamedTuple):
    """What all settings of the same n-grams share.

    sample         documents to answer
    leave_one_out  scores them under the filters and priors of all settings
    """

    labels: Sequence[str]
    sample: Sequence[Sampled]
    leave_one_out: LeaveOneOut


class Answers(NamedTuple):
    """What a setting made of some documents: whether each was answered rightly, and what calibrates it.

    A document that was its whole class calibrates nothing.
    """

    right: list[bool]
    cases: list[Case | None]


Piece = tuple[int, int, int, Sequence[Setting]]  # n-grams; the first document of the sample, that after the last


def tuned(found: Gathered, reading: Reading, *, worth_sharing: bool = False) -> Tuned:
    """How the settings of the grid do.

    Of the settings that are not clearly behind in right answers, the least surprised is chosen: where the numbers of
    right answers tell nothing any more, probabilities still do. Where these do not either, as when every document is
    the only one of its class, Table 6.2 is.

    found    documents counted with n-grams up to the longest of the grid, and their sample
    reading  gives the filters and the priors
    """
    size, classes, whole = len(found.sample), len(+found.counts.documents), found.counts.documents.total()
    racing = _grid(classes)
    answers = {setting: Answers([], []) for setting in racing}
    for documents in STAGES[whole >= SMALL :]:
        task = partial(_answers, _courses(found, reading, documents), reading)
        with inherited(task, worth=worth_sharing) as answered:
            racing, close = _run(min(documents, size), racing, answers, answered)
        left = min(STAGES[-1], size) - documents
        # Only the last stage is spared: without the one before, most races would end undecided
        costly = documents == STAGES[-2] and len(racing) * classes * left > CHEAP * whole
        if not racing or left <= 0 or costly:
            break
    standings = [_standing(setting, own, answers[TABLE_6_2], close.get(setting)) for setting, own in answers.items()]
    standings.sort(key=_place)
    return Tuned(standings, Calibration.of(_possible(answers[standings[0].setting].cases[:SAMPLE])))


def _run(
    documents: int,
    racing: list[Setting],
    answers: Mapping[Setting, Answers],
    answered: Callable[[Iterable[Piece]], Iterator[dict[Setting, Answers]]],
) -> tuple[list[Setting], dict[Setting, list[float]]]:
    """The settings that race on after so many documents, none if it is decided; the surprises of those still close.

    The answers grow by what all answered.
    """
    while racing and (start := len(answers[TABLE_6_2].right)) < documents:
        end = min(next(heat for heat in HEATS if heat > start), documents)
        # The default runs on, for won and lost are counted against it
        running = [setting for setting in answers if setting in racing or setting == TABLE_6_2]
        for some in answered(_pieces(start, end, running)):
            for setting, more in some.items():
                answers[setting].right.extend(more.right)
                answers[setting].cases.extend(more.cases)
        close = _close({setting: answers[setting] for setting in running})
        racing = list(close)
        if end >= DECIDABLE:
            contenders = _within(close, BARELY) if all(close.values()) else {}
            racing = list(contenders) if len(contenders) > 1 else []
    return racing, close


def _place(standing: Standing) -> tuple[object, ...]:
    """What sorts the chosen setting first."""
    setting, surprise = standing.setting, standing.surprise or 0
    return -standing.tested, not standing.close, surprise, setting != TABLE_6_2, setting


def chosen(documents: Sequence[Example], reading: Reading) -> Chosen:
    """How the documents, with n-grams up to the longest of the grid, are best read."""
    best = tuned(_gathered(documents), reading, worth_sharing=len(documents) >= WORTH_SHARING).standings[0].setting
    words = f"{best.event_model}, alpha {best.alpha:g}, n-grams {best.ngrams}"
    return Chosen(words, best.of(reading), best.ngrams)


def _grid(classes: int) -> list[Setting]:
    """All settings that may answer differently."""
    names = [name for name in plugins.names(event_models) if classes > 2 or name not in COMPLEMENTS]
    return [Setting(name, alpha, ngrams) for ngrams in NGRAMS for name in names for alpha in ALPHAS]


def _gathered(documents: Iterable[Example]) -> Gathered:
    result = Gathered(sample_size=LARGEST_SAMPLE)
    result.counts = counted(documents)
    for each in documents:
        result.sample.offer(each.digest, each.label, each.bag)
    return result


def _courses(found: Gathered, reading: Reading, documents: int) -> dict[int, Course]:
    """The course of each length of n-grams: the longest first, so that one pass over the counts finds what all need."""
    lengths = sorted(NGRAMS, reverse=True)
    return {ngrams: _course(found if ngrams > 1 else found.without_ngrams(), reading, documents) for ngrams in lengths}


def _course(found: Gathered, reading: Reading, documents: int) -> Course:
    """Where every token is vocabulary, only the rows of those that the sample has are needed."""
    labels = sorted(+found.counts.documents)
    in_class = [found.counts.documents[label] for label in labels]
    if reading.is_unfiltered:
        rows, totals = found.sampled(labels, documents)
        memory = Memory(labels, in_class, rows, reading, totals)
    else:
        memory = Memory(labels, in_class, dict(found.rows(labels)), reading)
    return Course(labels, found.sample.lowest(documents), memory.leave_one_out)


def _pieces(start: int, end: int, racing: Iterable[Setting]) -> Iterator[Piece]:
    """The work of a heat."""
    for ngrams in sorted(NGRAMS, reverse=True):
        settings = [setting for setting in racing if setting.ngrams == ngrams]
        for at in range(start, end, PIECE) if settings else ():
            yield ngrams, at, min(at + PIECE, end), settings


def _answers(courses: Mapping[int, Course], reading: Reading, piece: Piece) -> dict[Setting, Answers]:
    """What settings make of a piece of the sample, each document as if it had not been learned."""
    ngrams, start, end, settings = piece
    labels, sample, leave_one_out = courses[ngrams]
    answers = {setting: Answers([], []) for setting in settings}
    models = {setting: event_model(setting.of(reading)) for setting in settings}
    statistics = {model.STATISTIC for model in models.values()}
    spread = {model.STATISTIC for model in models.values() if model.SPREAD}  # those that do not read it can bear it
    for _, label, bag in sample[start:end]:
        index = labels.index(label)
        rests = {name: leave_one_out.rest(bag, index, name, spread=name in spread) for name in statistics}
        for setting, model in models.items():
            right, cases = answers[setting]
            scores = rests[model.STATISTIC].scores(model, setting.alpha)
            right.append(answer(scores.values, labels, scores.length) == index)
            cases.append(case(scores, index) if scores.values[index] > IMPOSSIBLE else None)
    return answers


def _close(answers: Mapping[Setting, Answers]) -> dict[Setting, list[float]]:
    """The surprises of the settings not clearly behind, neither the one most often right nor the least surprised."""
    leader = max(answers.values(), key=lambda each: sum(each.right))
    close = [setting for setting, own in answers.items() if not _is_more_often_wrong(own, leader)]
    surprises = {setting: _surprises(answers[setting].cases) for setting in close}
    return _within(surprises, CLEARLY) if any(leader.cases) else surprises  # no setting has any case at all


def _within(surprises: Mapping[Setting, list[float]], errors: float) -> dict[Setting, list[float]]:
    """Those of which the least surprised is not ahead by more standard errors, itself included."""
    least = min(surprises.values(), key=mean)
    return {setting: own for setting, own in surprises.items() if _standard_errors(own, least) <= errors}


def _standard_errors(own: Sequence[float], least: Sequence[float]) -> float:
    """How many standard errors of their difference these surprises are larger: by chance over two once in 44 times.

    >>> _standard_errors([1.0, 3.0], [1.0, 1.0]), _standard_errors([2.0, 2.0], [1.0, 1.0])
    (1.0, inf)
    """
    differences = [ours - theirs for ours, theirs in zip(own, least, strict=True)]
    ahead, spread = mean(differences), deviation(differences)
    if spread is None or not ahead:  # one document tells nothing
        return 0.0
    return ahead / (spread / sqrt(len(differences))) if spread else copysign(inf, ahead)


def _is_more_often_wrong(own: Answers, leader: Answers) -> bool:
    won, lost = _record(own, leader)
    return won < lost and mcnemar(won, lost) < SIGNIFICANT


def _record(own: Answers, other: Answers) -> tuple[int, int]:
    """Documents answered rightly here and wrongly by the other, and the other way round, of those both answered."""
    both = min(len(own.right), len(other.right))
    return won_and_lost(own.right[:both], other.right[:both])


def _standing(setting: Setting, own: Answers, default: Answers, surprises: Sequence[float] | None) -> Standing:
    won, lost = _record(own, default)
    surprise = mean(surprises) if surprises else None
    close = surprises is not None
    return Standing(setting, len(own.right), sum(own.right), surprise, won, lost, mcnemar(won, lost), close)


def _surprises(cases: Iterable[Case | None]) -> list[float]:
    """The negative log posteriors of the true classes, tempered, in nats."""
    possible = _possible(cases)
    t = fitted(possible, SURPRISE_PRECISION) or 1.0
    return [-log(max(posteriors(z, t)[y], SMALLEST)) for z, y in possible]


def _possible(cases: Iterable[Case | None]) -> list[Case]:
    return [each for each in cases if each]
