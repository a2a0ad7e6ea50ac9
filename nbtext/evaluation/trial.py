"""A trial: examples are counted together once, then parts are held out one after another.

A part is held out by subtracting its counts from those of the whole: the vocabulary, every filter, the priors and the
calibration are then computed again, as training without the part would.
"""

from collections.abc import Callable, Sequence

from ..counting.counts import Counts
from ..errors import CorpusError
from ..inference.answers import ScoreTable, answers
from ..inference.attributes import AttributeTokens
from ..inference.estimator import Estimator
from ..inference.fitting import fit, too_few
from ..inference.kinds import kinded
from ..inference.tempering import calibrated
from ..metrics import Prediction
from ..settings import Hyperparameters
from . import Held, LogOddsThresholds
from .examples import Example, Examples
from .parts import others

Choose = Callable[[Sequence[Prediction]], LogOddsThresholds]  # from predictions of training documents


class Trial:
    """Counted examples, under hyperparameters.

    examples   keeps them
    documents  those learned

    Raises: CorpusError if the filters leave no vocabulary.
    """

    def __init__(
        self,
        examples: Examples,
        documents: Sequence[Example],
        hyperparameters: Hyperparameters,
        estimator: Estimator | None = None,
    ) -> None:
        self.examples = examples
        self.documents = list(documents)
        self._learned = {each.number for each in documents}
        self.labels = examples.corpus.labels
        self.estimator = estimator or self._counted(hyperparameters)
        _check_vocabulary(self.estimator)

    def _counted(self, hyperparameters: Hyperparameters) -> Estimator:
        tokens = self.examples.corpus.tokens
        counts = Counts.of(self.examples.of(self.documents), len(tokens), len(self.labels))
        attributes = AttributeTokens(*tokens.attributes)
        stopwords = tokens.find(hyperparameters.stopwords)
        return Estimator(counts, self.labels, hyperparameters, stopwords, attribute_tokens=attributes)

    def under(self, hyperparameters: Hyperparameters) -> "Trial":
        """A trial with the same documents and counts, under other hyperparameters."""
        stopwords = self.examples.corpus.tokens.find(hyperparameters.stopwords)
        estimator = self.estimator.under(hyperparameters, stopwords)
        return Trial(self.examples, self.documents, hyperparameters, estimator)

    def held_out(self, part: Sequence[Example], choose: Choose | None = None) -> Held:
        """The part answered by a model of all other documents.

        part    need not be among the documents learned
        choose  finds thresholds on the training part, whose documents are answered by leave-one-out

        Raises: CorpusError if the others have fewer than two classes, or the filters leave no vocabulary.
        """
        learned = [each for each in part if each.number in self._learned]
        estimator = self.estimator.without(self.examples.of(learned))
        return self.answered(estimator, others(self.documents, part), part, choose)

    def answered(
        self, estimator: Estimator, trained: Sequence[Example], tested: Sequence[Example], choose: Choose | None = None
    ) -> Held:
        """The tested documents answered by a model of the trained ones, which must be those that the estimator counted.

        Raises: CorpusError if these have fewer than two classes, or the filters leave no vocabulary.
        """
        training = _training(estimator)
        _check_vocabulary(estimator)
        if estimator.hyperparameters.is_weighted:
            return self._answered_by_weights(estimator, trained, tested, choose)
        t = calibrated(estimator, self.examples.sample(trained)).t
        thresholds = None
        if choose:
            left_out = estimator.leave_one_out(self.examples.of(trained))
            thresholds = choose(predictions(trained, left_out, self.labels, t))
        scores = estimator.scores(self.examples.of(tested))
        return Held(training, predictions(tested, scores, self.labels, t), thresholds)

    def _answered_by_weights(
        self, estimator: Estimator, trained: Sequence[Example], tested: Sequence[Example], choose: Choose | None
    ) -> Held:
        """The same with weights for tokens, which are fitted on the trained documents alone."""
        learned, training = self.examples.of(trained), _training(estimator)
        if too_few(estimator):
            unweighted = estimator.under(estimator.hyperparameters._replace(weights="none"))
            return self.answered(unweighted, trained, tested, choose)
        kinds = kinded(self.examples.corpus.tokens.shapes(), learned, tagged=self.examples.analysis.is_tagged)
        found = fit(estimator, learned, kinds, held_out=choose is not None)
        thresholds = None
        if choose and found.held_out:
            thresholds = choose(predictions(trained, found.held_out, self.labels, None))
        scores = estimator.weighed(found.weighting, kinds.numbers).scores(self.examples.of(tested))
        return Held(training, predictions(tested, scores, self.labels, None), thresholds)

    def left_out(self, tested: Sequence[Example]) -> Held:
        """Each of the tested documents answered by a model of all others: exact leave-one-out, in one pass.

        Raises: CorpusError if there are fewer than two classes.
        """
        training = _training(self.estimator)
        t = calibrated(self.estimator, self.examples.sample(self.documents)).t
        scores = self.estimator.leave_one_out(self.examples.of(tested))
        return Held(training, predictions(tested, scores, self.labels, t))


def predictions(
    tested: Sequence[Example], scores: ScoreTable, labels: Sequence[str], t: float | None
) -> list[Prediction]:
    """The answers by scores, with the true classes.

    t  the fitted part of the temperature, or None for untempered posteriors
    """
    found = answers(scores, labels, t)
    rows = zip(tested, found.best.tolist(), found.posteriors.tolist(), found.log_odds().tolist(), strict=True)
    return [
        Prediction(
            each.name,
            each.label,
            labels[best],
            dict(zip(labels, posteriors, strict=True)),
            dict(zip(labels, odds, strict=True)),
            each.id,
            each.excerpt,
        )
        for each, best, posteriors, odds in rows
    ]


def _training(estimator: Estimator) -> dict[str, int]:
    """The number of documents of each class that has any.

    Raises: CorpusError if these are fewer than two classes.
    """
    documents = estimator.counts.documents.tolist()
    training = {label: n for label, n in zip(estimator.labels, documents, strict=True) if n}
    if len(training) < 2:
        raise CorpusError(f"too few classes to train on: {len(training)}; two are needed")
    return training


def _check_vocabulary(estimator: Estimator) -> None:
    if estimator.is_empty:
        raise CorpusError("the filters leave no vocabulary; loosen them")
