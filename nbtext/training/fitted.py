"""Counts with settings that are chosen or fitted on the same documents. Only a training that wants them imports it."""

from collections.abc import Callable

from ..counting.indexed import IndexedCorpus
from ..inference.attributes import AttributeTokens
from ..inference.estimator import Estimator
from ..inference.fitting import fit, too_few
from ..inference.kinds import kinded
from ..settings import Hyperparameters
from .building import Fitted
from .pieces import is_short, with_pieces
from .tuning import Standing, Tuning


def with_weights(corpus: IndexedCorpus, hyperparameters: Hyperparameters, note: Callable[[str], object]) -> Fitted:
    """A corpus with weights fitted on it; if they cannot be fitted, with hyperparameters without any.

    note  called with a sentence if they cannot
    """
    stopwords = corpus.tokens.find(hyperparameters.stopwords)
    attributes = AttributeTokens(*corpus.tokens.attributes)
    estimator = Estimator(corpus.counts, corpus.labels, hyperparameters, stopwords, attribute_tokens=attributes)
    if why := too_few(estimator):
        note(f"no weights were fitted: {why}")
        return Fitted(corpus, hyperparameters._replace(weights="none"))
    kinds = kinded(corpus.tokens.shapes(), corpus.matrix, tagged=corpus.analysis.is_tagged)
    return Fitted(corpus, hyperparameters, fit(estimator, corpus.matrix, kinds).weighting)


def tuned(
    corpus: IndexedCorpus,
    hyperparameters: Hyperparameters,
    weights: str | None,
    tell: Callable[[list[Standing]], object],
    note: Callable[[str], object],
) -> Fitted:
    """A corpus with the settings that are best on its held-out documents.

    corpus   with n-grams up to the longest of the grid
    weights  "fitted" or "none" if no other is to be chosen
    tell     called with the results of all settings, the chosen one first
    note     called with a sentence if weights were possible but none were fitted
    """
    pieced = with_pieces(corpus) if weights != "none" and is_short(corpus, corpus.matrix) else None
    tuning = Tuning(
        corpus.matrix,
        corpus.tokens,
        corpus.labels,
        hyperparameters,
        counts=corpus.counts,
        tagged=corpus.analysis.is_tagged,
        weights=weights,
        pieces=(pieced.matrix, pieced.tokens) if pieced else None,
    )
    standings = tuning.standings()
    tell(standings)
    if tuning.note:
        note(f"no weights were fitted: {tuning.note}")
    chosen = standings[0].setting
    read = pieced if pieced and chosen.tokenizer else corpus
    weighting = tuning.fits[chosen].weighting if chosen.weights == "fitted" else None
    return Fitted(read.up_to(chosen.ngrams), chosen.of(hyperparameters), weighting)
