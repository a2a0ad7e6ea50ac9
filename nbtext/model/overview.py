"""An overview of a model: its classes, settings, size, calibration, identity and remembered documents."""

import os
from math import exp
from typing import NamedTuple

from ..analysis import Analysis
from ..inference.calibration import Calibration
from ..inference.priors import log_priors
from ..inference.weighting import Weighting
from ..settings import Hyperparameters
from .exchange import fingerprint
from .model import Model


class ClassView(NamedTuple):
    """A class: its documents, its tokens with repeats, and its prior under the default hyperparameters."""

    label: str
    documents: int
    tokens: int
    prior: float


class Overview(NamedTuple):
    """A description of a model without single tokens.

    classes      by label
    vocabulary   number of tokens that the default hyperparameters use
    analysis     how documents become tokens
    hyperparameters  the default ones
    calibration  of posteriors under them
    corpora      paths of the training corpora: see `Model.corpora`
    remembered   number of documents remembered, so that none is learned twice; None if the model does not track them
    bytes        size of the file, 0 for a model in memory
    fingerprint  equal only for models with the same counts and settings
    state        identifier of the model's state, as `nbtext filter` writes it: see `Model.state`
    weighting    fitted weights, if there are any
    """

    classes: list[ClassView]
    vocabulary: int
    analysis: Analysis
    hyperparameters: Hyperparameters
    calibration: Calibration
    corpora: list[str]
    remembered: int | None
    bytes: int
    fingerprint: str
    state: str
    weighting: Weighting | None = None

    @property
    def documents(self) -> int:
        """The number of documents."""
        return sum(entry.documents for entry in self.classes)

    @property
    def tokens(self) -> int:
        """The number of tokens, repeats included."""
        return sum(entry.tokens for entry in self.classes)


def overview(model: Model) -> Overview:
    """The overview of a model, from one state of the file; the fingerprint needs a pass over all tokens.

    >>> from nbtext import train_documents
    >>> seen = overview(train_documents({"ham": ["lunch at noon"], "spam": ["win win", "win"]}))
    >>> seen.classes[1], seen.vocabulary, seen.remembered
    (ClassView(label='spam', documents=2, tokens=3, prior=0.6666666666666666), 4, 3)

    Raises: ModelError if the model is damaged.
    """
    with model.copied() as copy:
        priors = log_priors(copy.hyperparameters.prior, copy.labels, copy.documents)
        classes = [
            ClassView(entry.label, entry.documents, entry.positions, exp(prior))
            for entry, prior in zip(copy.classes, priors, strict=True)
        ]
        return Overview(
            sorted(classes),
            copy.size,
            copy.analysis,
            copy.hyperparameters,
            copy.calibration,
            copy.corpora(),
            sum(1 for _ in copy.store.learned()) if copy.tracks else None,
            os.path.getsize(copy.store.path) if os.path.exists(copy.store.path) else 0,
            fingerprint(copy),
            copy.state,
            copy.weighting,
        )
