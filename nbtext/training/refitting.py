"""Fitting the weights of a model again, on the documents that it keeps."""

from ..counting.tokens import Shapes
from ..errors import ModelError
from ..inference.fitting import fit, too_few
from ..inference.kinds import kinded
from ..inference.weighting import Weighting
from ..model.building import write_weights
from ..model.model import Model


def refit(model: Model) -> Weighting:
    """Fit the weights of a model opened for writing, as training on all its documents would.

    That needs all of the documents, and a model keeps only a limited number for calibration.

    Raises: ModelError, and nothing is changed, if it has no weights or lacks documents to fit them on; the message says
    what to do instead.
    """
    with model.store.transaction():
        model.refresh()
        if not model.hyperparameters.is_weighted:
            raise ModelError(f"{model.store.path} has no weights; {_again(model)}")
        sample = list(model.store.sample())
        if len(sample) < sum(model.documents):
            raise ModelError(
                f"{model.store.path} keeps {len(sample)} of its {sum(model.documents)} documents, and weights are "
                f"fitted on all of them; {_again(model)}"
            )
        estimator, loaded = model.estimator(), model.loaded()
        if why := too_few(estimator):
            raise ModelError(f"{model.store.path}: weights cannot be fitted: {why}")
        with model.store.sampling():
            documents = loaded.documents(sample)
        kinds = kinded(Shapes.of(loaded.tokens), documents, tagged=model.analysis.is_tagged)
        weighting = fit(estimator, documents, kinds).weighting
        write_weights(model.store, weighting, estimator.weighed(weighting, kinds.numbers).evidence.totals)
    model.refresh()
    return weighting


def _again(model: Model) -> str:
    """How to train the model again, with weights."""
    corpora = " ".join(model.corpora()) or "CORPUS"
    return f"train it again: nbtext train {corpora} --weights fitted -m {model.store.path}"
