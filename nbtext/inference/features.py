"""The evidence of documents by counts without them: the features on which weights are fitted."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..counting.documents import Documents, Integers
from .attributes import Attributes
from .estimator import Estimator
from .folding import fold_numbers, for_each_fold
from .kinds import Kinded
from .priors import log_priors
from .weighted import Evidence
from .weighting import KNOTS

Floats = NDArray[np.floating]


class Features(NamedTuple):
    """The evidence of D documents by counts without them.

    values   D x C x S: for each stratum, and last for each attribute
    known    D: the number of their tokens and attributes in these counts
    classes  D
    folds    D
    offsets  C: the log prior of each class; `IMPOSSIBLE` for one that is not a possible answer
    attributes  their names
    """

    values: Floats
    known: Integers
    classes: Integers
    folds: Integers
    offsets: Floats
    attributes: tuple[str, ...] = ()

    def some(self, chosen: NDArray[np.bool_]) -> "Features":
        """The features of some of the documents."""
        return self._replace(
            values=self.values[chosen], known=self.known[chosen], classes=self.classes[chosen], folds=self.folds[chosen]
        )


def features(estimator: Estimator, documents: Documents, kinded: Kinded) -> Features:
    """The features of documents, which must be those that the estimator has counted."""
    numbers = fold_numbers(documents)
    classes, kinds = len(estimator.labels), len(kinded.kinds.names)
    tokens = estimator.attribute_tokens
    strata, names = kinds * KNOTS, tokens.names
    values = np.zeros((documents.size, classes, strata + len(names)), np.float32)
    known = np.zeros(documents.size, np.int64)

    def fill(chosen: Integers) -> None:
        part = documents.some(chosen)
        filtered = estimator.without(part).filtered
        if names:
            attributes = Attributes(filtered.counts, tokens, estimator.hyperparameters.pseudo_count)
            ratios = attributes.ratios(part, names, filtered.counts.documents > 0)
            values[chosen, :, strata:] = ratios
            known[chosen] = np.count_nonzero(ratios.any(axis=1), axis=1)
        if filtered.kept.any():
            every = Evidence(filtered, estimator.hyperparameters, estimator.labels, kinded.numbers, kinds)
            evidence, own = every.narrowed(part)
            values[chosen, :, :strata], lengths = evidence.features(own)
            known[chosen] += lengths

    for_each_fold(fill, numbers)
    priors = log_priors(estimator.hyperparameters.prior, estimator.labels, estimator.counts.documents.tolist())
    return Features(values, known, documents.classes, numbers, np.array(priors), tuple(names))
