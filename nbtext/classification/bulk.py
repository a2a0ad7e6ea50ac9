"""Answering many documents at a time, with several processes if that is faster: the same decisions in the same order.

Where processes are forked, all counts are read into memory once, before the fork, and shared by all workers. Elsewhere
each worker opens the model itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..analysis import Analysis
from ..corpus.batches import batches
from ..corpus.ranges import in_ranges
from ..corpus.reading import opened
from ..corpus.sources import Aside, Found
from ..counting.attributes import add_texts, attribute_tokens
from ..counting.documents import Documents, Integers, int32
from ..engines._sharing import FORKS, results, team, unswept
from ..errors import ModelError
from ..inference.answers import ScoreTable, answers
from ..kernel import Indexer
from ..model.model import Model
from ..readers import Document
from ..readers._row import Row
from ..settings import Hyperparameters
from .decision import Classifier, Decision, decision, outcome

GROUP = 1000  # most documents that are scored together,
CHARACTERS = 4_000_000  # and about the most characters of their texts


class Plan(NamedTuple):
    """The settings for answering documents; it can be pickled.

    path             of the model
    labels           of its classes, by number
    hyperparameters  of the scores
    t                the fitted part of the temperature, or None for untempered posteriors
    unsure_below     the least posterior an answer needs
    records          whether the records of the documents are wanted
    """

    path: str
    labels: tuple[str, ...]
    hyperparameters: Hyperparameters
    t: float | None
    unsure_below: float
    records: bool = False

    @classmethod
    def of(cls, classify: Classifier, *, records: bool = False) -> "Plan":
        """The settings of a classifier whose model is in a file."""
        model, t = classify.model, classify.calibration.t
        return cls(model.store.path, tuple(model.labels), classify.hyperparameters, t, classify.unsure_below, records)


class Named(NamedTuple):
    """The name, identifier and record of a document whose text is no longer needed.

    name    for output
    id      its identifier, or None
    record  the record that it was read from, or None
    """

    name: str
    id: str | None
    record: Row | str | None


class Answered(NamedTuple):
    """Documents that were answered together, and their scores.

    names   of the documents
    ids     their identifiers, or None
    records that they were read from, or None
    tokens  the number of tokens of each, repeats included
    scores  of the documents
    plan    how they were answered
    """

    names: list[str]
    ids: list[str | None]
    records: list[Row | str | None]
    tokens: Integers
    scores: ScoreTable
    plan: Plan

    def decisions(self) -> Iterator[Decision]:
        """The decisions, in order."""
        for d, tokens in enumerate(self.tokens.tolist()):
            yield decision(self.scores.of(d), self.plan.labels, self.plan.t, tokens, self.plan.unsure_below)

    def decided(self) -> Iterator[tuple[Named, Decision]]:
        """Each document with the decision on it, in order."""
        return zip(map(Named, self.names, self.ids, self.records), self.decisions(), strict=True)

    def posteriors(self) -> NDArray[np.float64]:
        """The probability of each class, by class number, for each document: D x C."""
        return answers(self.scores, self.plan.labels, self.plan.t).posteriors

    def likeliest(self) -> Iterator[tuple[str, str, float]]:
        """Only the outcome, label and posterior of each decision."""
        labels = self.plan.labels
        found = answers(self.scores, labels, self.plan.t)
        posteriors = found.posteriors[np.arange(len(found.best)), found.best].tolist()
        columns = zip(self.tokens.tolist(), self.scores.known.tolist(), found.best.tolist(), posteriors, strict=True)
        for tokens, known, best, posterior in columns:
            yield outcome(tokens, known, sure=posterior >= self.plan.unsure_below), labels[best], posterior


def answer_sources(
    classify: Classifier,
    sources: Iterable[Found],
    analysis: Analysis,
    jobs: int | None = None,
    *,
    records: bool = False,
) -> Iterator[Answered | Aside]:
    """The answers to the documents in the sources, in order, and in between what was skipped or odd.

    classify  gives the settings; its model is in a file
    analysis  how the sources are read
    jobs      number of processes that share the work; by default one per core
    records   whether to keep the records of the documents
    """
    with classify.current():  # not by path: the file may have been replaced since it was opened
        plan = Plan.of(classify, records=records)
        if FORKS:
            _SHARED[plan] = BulkScorer(classify.model, plan)
    try:
        with unswept(), team(None, jobs, worth=True) as workers:
            for some in results(
                workers,
                partial(_answered, plan, analysis),
                batches(in_ranges(sources, analysis)),
            ):
                yield from some
    finally:
        _SHARED.pop(plan, None)


def _answered(plan: Plan, analysis: Analysis, sources: Sequence[Found]) -> list[Answered | Aside]:
    """In a worker: the answers to a batch."""
    return list(answer_documents(_SHARED.get(plan) or _scorer(plan), opened(sources, analysis)))


def answer_documents(scorer: "BulkScorer", found: Iterable[Document | Aside]) -> Iterator[Answered | Aside]:
    """The answers to documents, group by group, and in between what was skipped or odd."""
    group: list[Document] = []
    room = CHARACTERS
    for item in found:
        if not isinstance(item, Document):
            if group:
                yield scorer.answered(group)
                group, room = [], CHARACTERS
            yield item
            continue
        group.append(item._replace(dated=None) if item.dated else item)  # it may keep a whole message in memory
        room -= sum([len(text) for _, text in item.parts])
        if room < 0 or len(group) == GROUP:
            yield scorer.answered(group)
            group, room = [], CHARACTERS
    if group:
        yield scorer.answered(group)


class BulkScorer:
    """Scores many documents at a time, with all counts of a model in memory.

    >>> from nbtext import train_documents
    >>> model = train_documents({"a": ["red"], "b": ["blue blue"]})
    >>> scorer = BulkScorer(model, Plan.of(Classifier(model)))
    >>> [(outcome, label, posterior)] = scorer.answered([Document([("", "red sky")])]).likeliest()
    >>> outcome, label, round(posterior, 6)
    ('answer', 'a', 0.727273)
    """

    def __init__(self, model: Model, plan: Plan) -> None:
        self.plan = plan
        with model.unchanging():
            self.estimator = model.estimator(plan.hyperparameters)
            tokens = model.loaded().lines.text.tobytes()
        self.indexer = Indexer(model.analysis.tokenize(), model.analysis.ngrams)
        terms = self.indexer.add_tokens(tokens.removesuffix(b"\n"))
        known = int32(terms)
        self.words = _inverse(known[known >= 0], np.flatnonzero(known >= 0), self.indexer.word_count)
        self.grams = _inverse(~known[known < 0], np.flatnonzero(known < 0), self.indexer.gram_count)
        self.answered([])  # what the first answer has to prepare is then ready in all forked workers

    def answered(self, documents: Sequence[Document]) -> Answered:
        """The documents with their scores."""
        batch = add_texts(self.indexer, documents, known=True)
        terms = batch.terms
        tokens = self.words[np.maximum(terms, 0)] if len(self.words) else np.full(len(terms), -1, np.int32)
        if len(self.grams):
            tokens = np.where(terms < 0, self.grams[~np.minimum(terms, -1)], tokens)
        none = np.zeros(len(documents), np.int32)
        counts = Documents(batch.starts, tokens, batch.occurrences, none, none.astype(np.int64))
        attributes = attribute_tokens(documents)
        lengths = batch.tokens + np.array(list(map(len, attributes)), np.int64)
        names = [document.name for document in documents]
        ids = [document.id for document in documents]
        records = [document.record if self.plan.records else None for document in documents]
        scores = self.estimator.scores(counts, attributes)
        return Answered(names, ids, records, lengths, scores, self.plan)


def _inverse(numbers: Integers, places: Integers, count: int) -> Integers:
    """The place of each number from 0 to the count; -1 for a number without one."""
    inverse = np.full(count, -1, np.int32)
    inverse[numbers] = places
    return inverse


_SHARED: dict[Plan, BulkScorer] = {}  # forked workers inherit them


@cache
def _scorer(plan: Plan) -> BulkScorer:
    """In a worker that was not forked: that of the model in the file.

    Raises: ModelError if another model is there by now, with other classes.
    """
    model = Model.open(plan.path)
    if tuple(model.labels) != plan.labels:
        raise ModelError(f"{plan.path}: replaced by a model of other classes meanwhile; classify again")
    return BulkScorer(model, plan)
