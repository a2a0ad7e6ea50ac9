"""Evaluation: documents answered by a model that has not learned them.

The documents are kept in memory as bags of shared tokens, so that a corpus is read and tokenized once however often it is
split. A part is held out by subtracting its counts from those of the whole: the vocabulary, every filter, the priors and the
calibration are then made anew, as training without the part would make them. Measures are left to `measures`.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from heapq import nsmallest
from sys import intern
from typing import NamedTuple

from .analysis import Analysis
from .calibration import SAMPLE, Calibration, calibrated
from .corpus import Note, Skipped
from .counts import Bag, Counts, Row
from .decision import decision
from .errors import CorpusError
from .gathering import digest
from .measures import Prediction
from .model import ranked, totals_of
from .readers import Document
from .reading import Reading, Totals, Vocabulary, log_priors
from .scoring import LeaveOneOut, Scorer, Scores


class Example(NamedTuple):
    """A labelled document as the models see it, without its text.

    tokens, counts  what stands in it, and how often
    """

    name: str
    label: str
    digest: int
    tokens: tuple[str, ...]
    counts: "array[int]"

    @property
    def bag(self) -> Bag:
        """Token -> occurrences."""
        return dict(zip(self.tokens, self.counts, strict=True))


class Held(NamedTuple):
    """A part of the examples answered by a model of the others.

    training     label -> documents the model was trained on
    predictions  one for each document held out, in their order
    """

    training: dict[str, int]
    predictions: list[Prediction]


def examples(
    found: Iterable[Document | Skipped | Note], analysis: Analysis, report: Callable[[Skipped | Note], object]
) -> list[Example]:
    """The labelled documents among what was found; all others, and empty ones, are reported."""
    tokens_of = analysis.tokens()
    result = []
    for item in found:
        if not isinstance(item, Document):
            report(item)
        elif item.label is None:
            report(Skipped(item.name, "no label", f"{item.name}: the document has no label"))
        elif not (tokens := tokens_of(item)):
            report(Skipped(item.name, "empty", f"{item.name}: no token in it"))
        else:
            bag = Counter(tokens)
            shared = tuple(map(intern, bag))
            result.append(Example(item.name, item.label, digest(item), shared, array("I", bag.values())))
    return result


def split(documents: Sequence[Example], share: float, seed: int) -> tuple[list[Example], list[Example]]:
    """A training and a test part, `share` of every class in training, in the order given.

    Documents of the same text stay on one side, a class's only text stays in training. The part a document falls in depends
    on the seed and its text, not on the order.

    Raises: CorpusError if nothing is left to test on.
    """
    side: dict[int, bool] = {}  # digest -> whether it is in training
    for _, groups in _by_label(documents, seed):
        whole = sum(len(group) for group in groups)
        wanted = max(1, round(share * whole))
        trained = sum(len(group) for group in groups if side.get(group[0].digest))
        for group in groups:
            key = group[0].digest
            if key not in side:
                side[key] = trained < wanted
                trained += len(group) if side[key] else 0
    train, test = ([each for each in documents if side[each.digest] is where] for where in (True, False))
    if not test:
        raise CorpusError(
            f"nothing is left to test on: a share of {share:g} puts all {len(documents)} documents in training"
        )
    return train, test


def folds(documents: Sequence[Example], k: int, seed: int) -> list[list[Example]]:
    """The documents in k parts, each class spread evenly; documents of the same text stay together."""
    place: dict[int, int] = {}  # digest -> fold
    for _, groups in _by_label(documents, seed):
        sizes = [0] * k
        for group in groups:
            if (known := place.get(group[0].digest)) is not None:
                sizes[known] += len(group)
        for group in groups:
            if group[0].digest not in place:
                fold = sizes.index(min(sizes))
                place[group[0].digest] = fold
                sizes[fold] += len(group)
    parts: list[list[Example]] = [[] for _ in range(k)]
    for each in documents:
        parts[place[each.digest]].append(each)
    return parts


def _by_label(documents: Iterable[Example], seed: int) -> Iterator[tuple[str, list[list[Example]]]]:
    """For each label its documents, those of the same text together, shuffled by the seed."""
    labels: defaultdict[str, defaultdict[int, list[Example]]] = defaultdict(lambda: defaultdict(list))
    for each in documents:
        labels[each.label][each.digest].append(each)
    for label in sorted(labels):
        groups = labels[label]
        yield label, [groups[key] for key in sorted(groups, key=lambda key: _shuffled(key, seed))]


def _shuffled(key: int, seed: int) -> bytes:
    return blake2b(b"%d %d" % (seed, key), digest_size=16).digest()


class Trial:
    """Examples counted together, from which parts are held out one after another."""

    def __init__(self, documents: Iterable[Example], reading: Reading) -> None:
        self.reading = reading.checked()
        self.documents = list(documents)
        self.counts = counted(self.documents)

    def held_out(self, part: Sequence[Example]) -> Held:
        """The part answered by a model of all other documents.

        Raises: CorpusError if the others are of fewer than two classes, or the filters leave no vocabulary.
        """
        own = counted(part)
        self.counts.subtract(own)
        try:
            keys = {id(each) for each in part}
            return answered(self.counts, (each for each in self.documents if id(each) not in keys), part, self.reading)
        finally:
            self.counts.merge(own)

    def left_out(self) -> Held:
        """Every document answered as by a model of all others: exact leave-one-out, in one pass."""
        memory = Memory(self.counts, self.reading)
        t = memory.calibration(self.documents).t
        alone = memory.leave_one_out()
        predictions = []
        for each in self.documents:
            scores = alone.scores(each.bag, memory.labels.index(each.label))
            predictions.append(memory.prediction(each, scores, t))
        return Held(dict(self.counts.documents), predictions)


def counted(documents: Iterable[Example]) -> Counts:
    """The counts of the documents."""
    counts = Counts()
    for each in documents:
        counts.add_bag(each.label, each.bag)
    return counts


def answered(counts: Counts, trained: Iterable[Example], tested: Iterable[Example], reading: Reading) -> Held:
    """The tested documents answered by a model of the counts, which are those of the trained documents."""
    if len(+counts.documents) < 2:
        raise CorpusError(f"{len(+counts.documents)} class is left to train on, where two are needed; hold out less")
    memory = Memory(counts, reading)
    t = memory.calibration(trained).t
    return Held(
        dict(+counts.documents), [memory.prediction(each, memory.scorer.scores(each.bag), t) for each in tested]
    )


class Memory:
    """Counts in memory under a reading: what `Model` is for counts in a file.

    Raises: CorpusError if the filters leave no vocabulary.
    """

    def __init__(self, counts: Counts, reading: Reading) -> None:
        self.counts = counts
        self.reading = reading
        self.labels = sorted(+counts.documents)
        self.ranking = ranked(counts.rows(self.labels), reading) if reading.drop_top else []
        vocabulary = Vocabulary(reading, (token for _, token in self.ranking[: reading.drop_top]))
        documents = [counts.documents[label] for label in self.labels]
        if vocabulary.is_everything:
            totals = Totals.of_all(counts, self.labels)
        else:
            totals = totals_of(counts.rows(self.labels), vocabulary, documents)
        if not totals.vocabulary:
            raise CorpusError("the filters leave no vocabulary; loosen them")
        self.scorer = Scorer(reading, vocabulary, totals, self.log_priors(documents), self.look_up)

    def look_up(self, tokens: Iterable[str]) -> dict[str, Row]:
        """The rows of those of the tokens that occur."""
        return self.counts.look_up(tokens, self.labels)

    def log_priors(self, documents: Sequence[int]) -> list[float]:
        """The log priors that so many documents of each class give."""
        return log_priors(self.reading.prior, self.labels, documents)

    def leave_one_out(self) -> LeaveOneOut:
        """Scores of the counted documents as if they had not been counted."""
        return LeaveOneOut(self.scorer, self.reading, self.log_priors, self.ranking)

    def calibration(self, documents: Iterable[Example]) -> Calibration:
        """How posteriors are tempered, by a sample of the documents counted."""
        distinct = {(each.digest, each.label): each for each in documents}
        lowest = [distinct[key] for key in nsmallest(SAMPLE, distinct)]
        return calibrated(self.leave_one_out(), [(self.labels.index(each.label), each.bag) for each in lowest])

    def prediction(self, each: Example, scores: Scores, t: float | None) -> Prediction:
        """The answer that the scores give, beside the truth."""
        decided = decision(scores, self.labels, self.scorer.log_priors, t, sum(each.counts))
        return Prediction(each.name, each.label, decided.label, decided.posteriors)
