"""Settings chosen on held-out documents: event model, alpha, n-grams and weights, from one counting pass.

Every setting of the grid answers all documents, each by counts without its fold. The first folds of a large corpus
spare the settings that are clearly behind there the rest.

Of the settings that are not clearly more often wrong than the best, the one with the least log loss is chosen: where
the numbers of right answers tell nothing any more, probabilities still do. Table 6.2 stays unless the chosen one has a
log loss that is lower by more than chance, and no fewer right answers.

Weighted evidence (`inference.weighting`) answers each document by counts and weights that do not know its fold. Weights
are taken if their log loss is lower by more than a standard error, and they are not clearly more often wrong.

Source: McNemar (1947) for the comparison, exact.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import event_models, plugins
from ..counting.counts import Counts
from ..counting.documents import Documents
from ..counting.tokens import Tokens
from ..inference.answers import answers
from ..inference.attributes import AttributeTokens
from ..inference.estimator import Estimator, ScoreTable
from ..inference.fitting import Fit, fit, too_few
from ..inference.folding import fold_numbers, scores_by_folds
from ..inference.kinds import kinded
from ..inference.linear import event_model
from ..inference.tempering import Cases, fitted
from ..metrics.comparison import mcnemar
from ..settings import Hyperparameters

ALPHAS = (1.0, 0.1, 0.01)
NGRAMS = (1, 2)
FIRST = 1000  # documents that the folds of the first pass hold together
SMALL = 5000  # documents of a corpus that is tried with weighted single words too
FINALISTS = 3  # of the first pass that the second takes in, beside Table 6.2
TEMPERED_ON = 2000  # documents that the temperature for the log loss is fitted on
PRECISION = 1e-4  # of that temperature: to compare settings takes no more
SMALLEST = 1e-300  # so that a posterior of zero has a logarithm
SIGNIFICANT = 0.05  # the p-value below which a setting is clearly more often wrong than the leader
BEHIND = 2  # standard errors of log loss behind the best in the first pass: not worth the second
AHEAD = 2  # standard errors of log loss ahead of Table 6.2 that it takes to replace it
WEIGHTED_AHEAD = 1  # the same for weights ahead of the best without, and for weighted pairs ahead of weighted words


class Setting(NamedTuple):
    """A point of the grid."""

    event_model: str
    alpha: float
    ngrams: int
    weights: str = "none"

    def of(self, hyperparameters: Hyperparameters) -> Hyperparameters:
        """The hyperparameters with this event model, alpha and weights."""
        return hyperparameters._replace(event_model=self.event_model, alpha=self.alpha, weights=self.weights)


TABLE_6_2 = Setting("multinomial", 1.0, 1)
WEIGHTED = tuple(Setting("complement-binary", 1.0, ngrams, "fitted") for ngrams in NGRAMS)


class Standing(NamedTuple):
    """How a setting did on the documents that it answered.

    tested    documents answered
    right     those answered rightly
    log_loss  mean negative log posterior of the true class, tempered, in nats; None if no class was possible
    won       documents answered rightly here, wrongly by Table 6.2
    lost      documents answered wrongly here, rightly by Table 6.2
    p         the chance of a record at least this uneven if the two were equally good
    """

    setting: Setting
    tested: int
    right: int
    log_loss: float | None
    won: int
    lost: int
    p: float


class Held(NamedTuple):
    """What a setting made of documents that it had not learned.

    right   of each, whether it was answered rightly
    losses  of each, the negative log posterior of its class; nan where its class was not possible
    """

    right: NDArray[np.bool_]
    losses: NDArray[np.float64]


class Tuning:
    """Documents to choose settings on.

    documents        with n-grams up to the longest of the grid
    tokens           the texts of their tokens
    labels           of the classes, by number
    hyperparameters  give the filters, the priors, and m if that is to stay
    tagged           whether tokens begin with tags, as in mail
    weights          "fitted" or "none" if nothing else is to be chosen
    """

    def __init__(
        self,
        documents: Documents,
        tokens: Tokens,
        labels: Sequence[str],
        hyperparameters: Hyperparameters,
        *,
        tagged: bool = False,
        weights: str | None = None,
    ) -> None:
        self.labels = labels
        self.hyperparameters = hyperparameters._replace(weights="none")
        self.tokens = tokens
        self.tagged = tagged
        self.weights = weights
        self.fits: dict[Setting, Fit] = {}  # of the weighted settings that were tried
        self.note = ""  # why none was, though one might have been
        self.stopwords = tokens.find(hyperparameters.stopwords)
        attributes = AttributeTokens(*tokens.attributes)
        single = documents.where((tokens.lengths == 1)[documents.tokens])
        self.documents = {1: single, max(NGRAMS): documents}
        self.folds = fold_numbers(documents)
        self.estimators = {
            ngrams: Estimator(
                Counts.of(some, len(tokens), len(labels)),
                labels,
                hyperparameters,
                self.stopwords,
                attribute_tokens=attributes,
            )
            for ngrams, some in self.documents.items()
        }

    def standings(self) -> list[Standing]:
        """How the settings of the grid do, the chosen one first."""
        settings = self._grid()
        held = finalists = self._held(settings, self._first())
        if self._first() < self.folds.max() + 1:
            finalists = self._held(_finalists(held), self.folds.max() + 1)
        weighted = self._weighted() if self.weights != "none" else {}
        chosen = self._chosen(finalists, weighted)
        held, finalists = held | weighted, finalists | weighted
        found = [
            _standing(setting, finalists.get(setting, own), (finalists if setting in finalists else held)[TABLE_6_2])
            for setting, own in held.items()
        ]
        return sorted(found, key=lambda each: (each.setting != chosen, -each.tested, _loss(each), each.setting))

    def _first(self) -> int:
        """How many folds the first pass takes in: all, unless they hold many times what it needs."""
        count, size = int(self.folds.max(initial=0)) + 1, len(self.folds)
        return count if size < 2 * FIRST else -(-FIRST * count // size)

    def _grid(self) -> list[Setting]:
        """All settings that may answer differently: of two classes, what is outside the one is the other."""
        names = plugins.names(event_models)
        if np.count_nonzero(self.estimators[1].counts.documents) <= 2:
            names = [name for name in names if not event_model(Hyperparameters(event_model=name)).OUTSIDE]
        alphas = ALPHAS if self.hyperparameters.m is None else ALPHAS[:1]  # which m takes the place of
        return [Setting(name, alpha, ngrams) for ngrams in NGRAMS for name in names for alpha in alphas]

    def _held(self, settings: Iterable[Setting], folds: int) -> dict[Setting, Held]:
        """What the settings make of the documents in the first so many folds."""
        held = {}
        chosen = np.flatnonzero(self.folds < folds)
        for ngrams, whole in self.documents.items():
            some = [setting for setting in settings if setting.ngrams == ngrams]
            documents, readings = whole.some(chosen), [setting.of(self.hyperparameters) for setting in some]
            tables = scores_by_folds(self.estimators[ngrams], documents, self.folds[chosen], readings)
            for setting, table in zip(some, tables, strict=True):
                held[setting] = self._judged(table, documents)
        return held

    def _weighted(self) -> dict[Setting, Held]:
        """What weighted evidence makes of all documents, each scored without its fold."""
        self.note = too_few(self.estimators[1])
        if self.note:
            return {}
        held = {}
        small = self.documents[1].size < SMALL  # where single words may do as well as pairs
        for setting in WEIGHTED if small else WEIGHTED[-1:]:
            documents = self.documents[setting.ngrams]
            estimator = self.estimators[setting.ngrams].under(setting.of(self.hyperparameters))
            kinds = kinded(self.tokens.shapes(), documents, tagged=self.tagged)
            self.fits[setting] = found = fit(estimator, documents, kinds, held_out=True)
            assert found.held_out
            held[setting] = self._judged(found.held_out, documents, tempered=False)
        return held

    def _chosen(self, held: Mapping[Setting, Held], weighted: Mapping[Setting, Held]) -> Setting:
        """The setting to take: the best without weights, or a weighted one if that is better."""
        plain = choose(held)
        if not weighted:
            return plain
        best = min(weighted, key=lambda setting: (_mean(weighted[setting].losses), setting))
        own, other = weighted[best], held[plain]
        is_better = _standard_errors(other, own) > WEIGHTED_AHEAD and not _is_more_often_wrong(own, other)
        return _simplest(weighted, best) if is_better or self.weights == "fitted" else plain

    def _judged(self, table: ScoreTable, documents: Documents, *, tempered: bool = True) -> Held:
        """What scores of documents amount to, tempered as well as can be."""
        t = None
        if tempered:
            some = slice(None, None, max(1, documents.size // TEMPERED_ON))
            t = fitted(Cases.of(table.some(some), documents.classes[some]), PRECISION)
        found = answers(table, self.labels, t)
        rows = np.arange(documents.size)
        possible = np.isfinite(table.values[rows, documents.classes])
        posteriors = np.maximum(found.posteriors[rows, documents.classes], SMALLEST)
        return Held(found.best == documents.classes, np.where(possible, -np.log(posteriors), np.nan))


def choose(held: Mapping[Setting, Held]) -> Setting:
    """The setting to take of those without weights: see above."""
    default = held[TABLE_6_2]
    leader = max(held.values(), key=lambda own: own.right.sum())
    close = [setting for setting, own in held.items() if not _is_more_often_wrong(own, leader)]
    best = min(close, key=lambda setting: (_mean(held[setting].losses), setting != TABLE_6_2, setting))
    own = held[best]
    better = _standard_errors(default, own) > AHEAD and own.right.sum() >= default.right.sum()
    return best if better else TABLE_6_2


def _simplest(held: Mapping[Setting, Held], best: Setting) -> Setting:
    """The setting of the shortest n-grams whose log loss is about that of the best."""
    close = [each for each, own in held.items() if _standard_errors(own, held[best]) <= WEIGHTED_AHEAD]
    return min(close, key=lambda setting: (setting.ngrams, setting))


def _standard_errors(own: Held, other: Held) -> float:
    """How many standard errors of their difference the losses of the one are larger than those of the other.

    >>> right = np.array([True, True])
    >>> _standard_errors(Held(right, np.array([1.0, 3.0])), Held(right, np.array([1.0, 1.0])))
    1.0
    """
    differences = (own.losses - other.losses)[np.isfinite(own.losses) & np.isfinite(other.losses)]
    if len(differences) < 2 or not differences.mean():  # one document tells nothing
        return 0.0
    spread = differences.std(ddof=1) / sqrt(len(differences))
    return float(differences.mean() / spread) if spread else float(np.copysign(inf, differences.mean()))


def _finalists(held: Mapping[Setting, Held]) -> list[Setting]:
    """Table 6.2 and the settings with the least log loss, unless they are clearly behind."""
    ranked = sorted(held, key=lambda setting: (_mean(held[setting].losses), setting))
    return [TABLE_6_2, *(each for each in ranked[:FINALISTS] if each != TABLE_6_2 and not _is_behind(held, each))]


def _is_behind(held: Mapping[Setting, Held], setting: Setting) -> bool:
    least = min(held.values(), key=lambda own: _mean(own.losses))
    return _standard_errors(held[setting], least) > BEHIND


def _is_more_often_wrong(own: Held, leader: Held) -> bool:
    won, lost = _record(own, leader)
    return won < lost and mcnemar(won, lost) < SIGNIFICANT


def _record(own: Held, other: Held) -> tuple[int, int]:
    """Documents answered rightly here and wrongly by the other, and the other way round."""
    return int((own.right & ~other.right).sum()), int((other.right & ~own.right).sum())


def _mean(losses: NDArray[np.float64]) -> float:
    known = losses[np.isfinite(losses)]
    return float(known.mean()) if len(known) else inf


def _loss(standing: Standing) -> float:
    return inf if standing.log_loss is None else standing.log_loss


def _standing(setting: Setting, own: Held, default: Held) -> Standing:
    won, lost = _record(own, default)
    loss = _mean(own.losses)
    log_loss = None if loss == inf else loss
    return Standing(setting, len(own.right), int(own.right.sum()), log_loss, won, lost, mcnemar(won, lost))
