"""Settings chosen on held-out documents: event model, alpha, n-grams and weights, from one counting pass.

Every setting of the grid answers all documents, each by counts without its fold. On a large corpus, settings that are
clearly behind on the first folds skip the rest.

`choosing` says how one is chosen.

Weighted evidence (`inference.weighting`) answers each document by counts and weights fitted without its fold. Weights
are used if their log loss is lower and they are not clearly more often wrong: asking for a clear lead cost
accuracy on parts of eight corpora, 60 to 1000 documents each. Weights of single words alone were less accurate too.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from .. import event_models, plugins
from ..counting.counts import Counts
from ..counting.documents import Documents, Integers
from ..counting.tokens import Tokens
from ..inference.answers import ScoreTable, answers
from ..inference.attributes import AttributeTokens
from ..inference.estimator import Estimator
from ..inference.fitting import Fit, fit, too_few
from ..inference.folding import View, fold_numbers, scores_by_folds
from ..inference.kinds import kinded
from ..inference.linear import event_model
from ..inference.tempering import Cases, fitted
from ..metrics.comparison import mcnemar
from ..settings import Hyperparameters
from .choosing import (
    ALPHAS,
    NGRAMS,
    PIECES,
    PIECES_AHEAD,
    TABLE_6_2,
    TAGGED_ALPHA,
    WEIGHTED_ALPHA,
    Held,
    Setting,
    choose,
    finalists,
    is_better,
    mean,
    record,
    standard_errors,
)

FIRST = 1000  # least number of documents in the folds of the first pass
TEMPERED_ON = 2000  # documents on which the temperature for the log loss is fitted
PRECISION = 1e-4  # of that temperature: enough to compare settings
SMALLEST = 1e-300  # so that a posterior of zero has a logarithm


class Standing(NamedTuple):
    """The results of a setting on the documents that it answered.

    tested    documents answered
    right     those answered correctly
    log_loss  mean negative log posterior of the true class, tempered, in nats; None if no class was possible
    won       documents answered correctly here, wrongly by Table 6.2
    lost      documents answered wrongly here, correctly by Table 6.2
    p         the probability of a record at least this uneven if the two were equally good
    """

    setting: Setting
    tested: int
    right: int
    log_loss: float | None
    won: int
    lost: int
    p: float


class Tuning:
    """Documents to choose settings on.

    documents        with n-grams up to the longest of the grid
    tokens           the texts of their tokens
    counts           of the documents, if known already
    labels           of the classes, by number
    hyperparameters  give the filters, the priors, and m if it is fixed
    tagged           whether tokens begin with tags, as in mail
    weights          "fitted" or "none" if no other is to be chosen
    pieces           the same documents with character n-grams, if these are to be tried too; and their tokens
    """

    def __init__(
        self,
        documents: Documents,
        tokens: Tokens,
        labels: Sequence[str],
        hyperparameters: Hyperparameters,
        *,
        counts: Counts | None = None,
        tagged: bool = False,
        weights: str | None = None,
        pieces: tuple[Documents, Tokens] | None = None,
    ) -> None:
        self.labels = labels
        self.hyperparameters = hyperparameters._replace(weights="none")
        self.tokens = tokens
        self.tagged = tagged
        self.weights = weights
        self.pieces = pieces
        self.fits: dict[Setting, Fit] = {}  # of the weighted settings that were tried
        self.note = ""  # why none was tried, though weights were possible
        self.counts = Counts.of(documents, len(tokens), len(labels)) if counts is None else counts
        self.folds = fold_numbers(documents)
        single, stopwords = tokens.lengths == 1, tokens.find(hyperparameters.stopwords)
        self.documents = {1: documents.where(single[documents.tokens]), max(NGRAMS): documents}
        words = single.copy()
        words[stopwords] = False
        attributes = AttributeTokens(*tokens.attributes)
        left_out = {1: np.flatnonzero(~words), max(NGRAMS): stopwords}
        self.estimators = {
            ngrams: Estimator(self.counts, labels, hyperparameters, left_out[ngrams], attribute_tokens=attributes)
            for ngrams in self.documents
        }

    def standings(self) -> list[Standing]:
        """The results of the settings in the grid, the chosen one first."""
        settings, every = self._grid(), np.arange(len(self.folds))
        first = self._first()
        held = last = self._held(settings, first)
        if len(first) < len(every):
            last = self._held(finalists(held), every)
        weighted = self._weighted() if self.weights != "none" else {}
        chosen = self._chosen(last, weighted)
        held, last = held | weighted, last | weighted
        found = [
            _standing(setting, last.get(setting, own), (last if setting in last else held)[TABLE_6_2])
            for setting, own in held.items()
        ]
        return sorted(found, key=lambda each: (each.setting != chosen, -each.tested, _loss(each), each.setting))

    def _first(self) -> Integers:
        """The documents of the first pass: all, or if there are many more than it needs, those of the first folds."""
        count, size = int(self.folds.max(initial=0)) + 1, len(self.folds)
        if size < 2 * FIRST:
            return np.arange(size)
        chosen = np.flatnonzero(self.folds < -(-FIRST * count // size))
        return chosen[:: max(1, len(chosen) // FIRST)]

    def _grid(self) -> list[Setting]:
        """All settings that may answer differently: with two classes, complement models equal the others."""
        names = plugins.names(event_models)
        if np.count_nonzero(self.counts.documents) <= 2:
            names = [name for name in names if not event_model(Hyperparameters(event_model=name)).OUTSIDE]
        alphas = ALPHAS if self.hyperparameters.m is None else ALPHAS[:1]  # m replaces alpha
        return [Setting(name, alpha, ngrams) for ngrams in NGRAMS for name in names for alpha in alphas]

    def _held(self, settings: Iterable[Setting], tested: Integers) -> dict[Setting, Held]:
        """The results of the settings on some documents."""
        by_ngrams = {ngrams: [each for each in settings if each.ngrams == ngrams] for ngrams in NGRAMS}
        views = [
            View(self.estimators[n], self.documents[n], [each.of(self.hyperparameters) for each in some])
            for n, some in by_ngrams.items()
        ]
        found = scores_by_folds(self.counts, self.documents[max(NGRAMS)], self.folds, views, tested)
        classes = self.documents[1].classes[tested]
        return {
            setting: self._judged(table, classes)
            for some, tables in zip(by_ngrams.values(), found, strict=True)
            for setting, table in zip(some, tables, strict=True)
        }

    def _weighted(self) -> dict[Setting, Held]:
        """The results of weighted evidence on all documents, each scored without its fold."""
        self.note = too_few(self.estimators[1])
        if self.note:
            return {}
        ngrams = max(NGRAMS)
        pairs = Setting("complement-binary", TAGGED_ALPHA if self.tagged else WEIGHTED_ALPHA, ngrams, "fitted")
        held = {pairs: self._fitted(pairs, self.estimators[ngrams], self.documents[ngrams], self.tokens)}
        if self.pieces:
            documents, tokens = self.pieces
            counts = Counts.of(documents, len(tokens), len(self.labels))
            stopwords = tokens.find(self.hyperparameters.stopwords)
            held[PIECES] = self._fitted(
                PIECES, Estimator(counts, self.labels, self.hyperparameters, stopwords), documents, tokens
            )
        return held

    def _fitted(self, setting: Setting, estimator: Estimator, documents: Documents, tokens: Tokens) -> Held:
        """The results of fitted weights on all documents; the weights are kept in `fits`."""
        kinds = kinded(tokens.shapes(), documents, tagged=self.tagged)
        weighted = estimator.under(setting.of(self.hyperparameters))
        self.fits[setting] = found = fit(weighted, documents, kinds, held_out=True)
        assert found.held_out
        return self._judged(found.held_out, documents.classes, tempered=False)

    def _chosen(self, held: Mapping[Setting, Held], weighted: Mapping[Setting, Held]) -> Setting:
        """The chosen setting: the best without weights, or a weighted one if that is better."""
        plain = choose(held)
        if not weighted:
            return plain
        best = next(iter(weighted))  # pairs
        if PIECES in weighted and standard_errors(weighted[best], weighted[PIECES]) > PIECES_AHEAD:
            best = PIECES
        return best if self.weights == "fitted" or is_better(weighted[best], held[plain]) else plain

    def _judged(self, table: ScoreTable, classes: Integers, *, tempered: bool = True) -> Held:
        """The results of scores for documents of these classes, with the best temperature."""
        t = None
        if tempered:
            some = slice(None, None, max(1, len(classes) // TEMPERED_ON))
            t = fitted(Cases.of(table.some(some), classes[some]), PRECISION)
        found = answers(table, self.labels, t)
        rows = np.arange(len(classes))
        possible = np.isfinite(table.values[rows, classes])
        posteriors = np.maximum(found.posteriors[rows, classes], SMALLEST)
        return Held(found.best == classes, np.where(possible, -np.log(posteriors), np.nan))


def _loss(standing: Standing) -> float:
    return inf if standing.log_loss is None else standing.log_loss


def _standing(setting: Setting, own: Held, default: Held) -> Standing:
    won, lost = record(own, default)
    loss = mean(own.losses)
    log_loss = None if loss == inf else loss
    return Standing(setting, len(own.right), int(own.right.sum()), log_loss, won, lost, mcnemar(won, lost))
