"""A trial: examples counted together once, from which parts are held out one after another.

A part is held out by subtracting its counts from those of the whole: the vocabulary, every filter, the priors and the
calibration are then made anew, as training without the part would make them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property, partial
from heapq import nsmallest
from math import exp, fsum, log, log1p

from ..classification.decision import answer, tempering
from ..counting.counts import Counts, Row, among, less
from ..counting.sampling import SAMPLE
from ..engines._sharing import inherited
from ..errors import CorpusError
from ..inference.calibration import Calibration, calibrated
from ..inference.leave_one_out import LeaveOneOut
from ..inference.reading import IMPOSSIBLE, Reading, Totals, Vocabulary, log_priors, ranked, totals_of
from ..inference.scoring import Scorer, Scores, posteriors
from ..metrics import Prediction
from . import Held
from .examples import Example, Progress
from .parts import others

PIECE = 256  # documents left out one by one that travel together

Choose = Callable[[Sequence[Prediction]], float | None]  # from predictions of training documents to a threshold


class Trial:
    """The documents counted, under a reading.

    >>> from array import array
    >>> texts = [("1", "a", "red"), ("2", "a", "red"), ("3", "b", "blue"), ("4", "b", "blue")]
    >>> documents = [Example(name, label, int(name), (token,), array("I", [1])) for name, label, token in texts]
    >>> [each.right for each in Trial(documents, Reading()).held_out(documents[1:3]).predictions]
    [True, True]

    Raises: CorpusError if the filters leave no vocabulary.
    """

    def __init__(self, documents: Iterable[Example], reading: Reading) -> None:
        self.documents = list(documents)
        self.labels = sorted({each.label for each in self.documents})
        self.memory = Memory.of(self.documents, self.labels, reading)

    def under(self, reading: Reading) -> "Trial":
        """The same documents, counted once for both, under another reading."""
        twin = copy(self)
        twin.memory = Memory(self.labels, self.memory.documents, self.memory.rows, reading)
        return twin

    def held_out(self, part: Sequence[Example], choose: Choose | None = None) -> Held:
        """The part answered by a model of all other documents.

        choose  what finds a threshold on the training part, whose documents are answered by leave-one-out for it

        Raises: CorpusError if the others are of fewer than two classes, or the filters leave no vocabulary.
        """
        return self.memory.without(part).answered(others(self.documents, part), part, choose)

    def left_out(self, tested: Sequence[Example], progress: Progress = iter, *, worth_sharing: bool = False) -> Held:
        """Each of the tested documents answered as by a model of all others: exact leave-one-out, in one pass.

        progress  wraps the pieces of work, to show how far it is

        Raises: CorpusError if there are fewer than two classes.
        """
        training = self.memory.training()
        t = self.memory.calibration(self.documents).t
        pieces = [tested[start : start + PIECE] for start in range(0, len(tested), PIECE)]
        with inherited(lambda number: list(self.memory.left_out(pieces[number], t)), worth=worth_sharing) as answered:
            parts = zip(progress(pieces), answered(range(len(pieces))), strict=True)
            return Held(training, [each for _, some in parts for each in some])


class Memory:
    """Counts in memory under a reading: what `Model` is for counts in a file.

    labels     the classes; one without documents is never an answer
    documents  per class
    rows       token -> its counts
    totals     what the vocabulary adds up to, if that is known

    Raises: CorpusError if the filters leave no vocabulary.
    """

    def __init__(
        self,
        labels: Sequence[str],
        documents: Sequence[int],
        rows: Mapping[str, Row],
        reading: Reading,
        totals: Totals | None = None,
    ) -> None:
        self.labels = labels
        self.documents = documents
        self.rows = rows
        self.reading = reading.checked()
        self.ranking = ranked(rows.items(), reading) if reading.drop_top else []
        self.vocabulary = Vocabulary(reading, (token for _, token in self.ranking[: reading.drop_top]))
        self.totals = totals or totals_of(rows.items(), self.vocabulary, documents)
        if not self.totals.vocabulary:
            raise CorpusError("the filters leave no vocabulary; loosen them")
        priors = log_priors(reading.prior, labels, documents)
        self.scorer = Scorer(reading, self.vocabulary, self.totals, priors, partial(among, rows))

    @classmethod
    def of(cls, documents: Iterable[Example], labels: Sequence[str], reading: Reading) -> "Memory":
        """The counts of the documents."""
        counts = counted(documents)
        totals = Totals.of_all(counts, labels) if reading.is_unfiltered else None
        return cls(labels, [counts.documents[label] for label in labels], counts.rows(labels), reading, totals)

    def without(self, part: Iterable[Example]) -> "Memory":
        """The same without the counts of some of the documents, exactly as if they had never been counted."""
        own = counted(part)
        documents = [n - own.documents[label] for n, label in zip(self.documents, self.labels, strict=True)]
        totals = self.totals.copy(spread=self.scorer.event_model.SPREAD)
        totals.documents = documents.copy()
        rows = dict(self.rows)
        everything = self.vocabulary.is_everything and totals.spread is None
        for token, row in own.rows(self.labels).items():
            before, after = rows[token], less(rows[token], row)
            if not everything:
                if self.vocabulary.admits(token, before):
                    totals.leave(before)
                if self.vocabulary.admits(token, after):
                    totals.enter(after)
            if after:
                rows[token] = after
            else:
                del rows[token]
        if everything:  # the usual case, told apart for speed alone
            totals.subtract(Totals.of_all(own, self.labels), len(rows))
        # The most frequent tokens are others now, so that the vocabulary has changed in more than these rows.
        return Memory(self.labels, documents, rows, self.reading, None if self.reading.drop_top else totals)

    def training(self) -> dict[str, int]:
        """The documents of each class that has any.

        Raises: CorpusError if these are fewer than two.
        """
        training = {label: n for label, n in zip(self.labels, self.documents, strict=True) if n}
        if len(training) < 2:
            raise CorpusError(f"{len(training)} class is left to train on, where two are needed; add another")
        return training

    def answered(self, trained: Sequence[Example], tested: Iterable[Example], choose: Choose | None = None) -> Held:
        """The tested documents answered by a model of the trained ones, which are those counted.

        Raises: CorpusError if these are of fewer than two classes.
        """
        training = self.training()
        t = self.calibration(trained).t
        threshold = choose(list(self.left_out(trained, t))) if choose else None
        return Held(training, [self.prediction(each, self.scorer.scores(each.bag), t) for each in tested], threshold)

    @cached_property
    def leave_one_out(self) -> LeaveOneOut:
        """Scores of the counted documents as if they had not been counted; one for all, for it remembers rows."""
        return LeaveOneOut(self.scorer, self.labels, self.ranking)

    def left_out(self, documents: Iterable[Example], t: float | None) -> Iterator[Prediction]:
        """Each of the documents, which are among those counted, answered as if it had not been counted."""
        for each in documents:
            scores = self.leave_one_out.scores(each.bag, self.labels.index(each.label))
            yield self.prediction(each, scores, t)

    def calibration(self, documents: Iterable[Example]) -> Calibration:
        """How posteriors are tempered, by a sample of the documents counted."""
        distinct = {(each.digest, each.label): each for each in documents}
        lowest = [distinct[key] for key in nsmallest(SAMPLE, distinct)]
        return calibrated(self.leave_one_out, [(self.labels.index(each.label), each.bag) for each in lowest])

    def prediction(self, each: Example, scores: Scores, t: float | None) -> Prediction:
        """The answer that the scores give, beside the truth."""
        return prediction(each.name, each.label, scores, self.labels, self.scorer.log_priors, t)


def counted(documents: Iterable[Example]) -> Counts:
    """The counts of the documents."""
    counts = Counts()
    for each in documents:
        counts.add(each.label, each.tokens, each.counts)
    return counts


def prediction(
    name: str, truth: str, scores: Scores, labels: Sequence[str], priors: Sequence[float], t: float | None
) -> Prediction:
    """The answer that scores give, beside the truth.

    labels, priors  per class; the priors are logarithms
    t               the fitted part of the temperature, or None for untempered posteriors
    """
    temperature = tempering(scores, priors, t)
    probabilities = posteriors(scores.values, temperature)
    return Prediction(
        name,
        truth,
        labels[answer(scores.values, labels, scores.length)],
        dict(zip(labels, probabilities, strict=True)),
        dict(zip(labels, log_odds([value / temperature for value in scores.values], probabilities), strict=True)),
    )


def log_odds(scores: Sequence[float], probabilities: Sequence[float]) -> list[float]:
    """log(p / (1 - p)) of each class, exact where p rounds to 1: the score against the log-sum-exp of all the others.

    scores         tempered
    probabilities  their softmax

    >>> [round(odds, 6) for odds in log_odds([0.0, -1000.0], [1.0, 0.0])]
    [1000.0, -1000.0]
    """
    best = max(range(len(scores)), key=scores.__getitem__)
    highest = scores[best]
    rest = [score for j, score in enumerate(scores) if j != best]
    second = max(rest, default=IMPOSSIBLE)
    if second == IMPOSSIBLE:
        return [-IMPOSSIBLE if j == best else IMPOSSIBLE for j in range(len(scores))]
    others = second + log(fsum(exp(score - second) for score in rest)) - highest  # log odds against the best
    whole = log1p(exp(others))
    return [
        -others if j == best else score - highest - whole - log1p(-p)
        for j, (score, p) in enumerate(zip(scores, probabilities, strict=True))
    ]
