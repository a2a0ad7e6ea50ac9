"""What a model is, at a glance: its classes, settings, size, calibration, identity and memory."""

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
    """What can be said about a model without looking at single tokens.

    classes      by label
    vocabulary   how many tokens the default hyperparameters uses
    analysis     how documents become tokens
    hyperparameters  the default ones
    calibration  how posteriors are tempered under it
    corpora      where documents came from: see `Model.corpora`
    remembered   how many documents are remembered, so that none is learned twice; None if the model does not track
    bytes        size of the file, 0 for a model in memory
    fingerprint  the same for models of the same counts and settings only
    state        what `nbtext filter` calls the model as it is now: see `Model.state`
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
        """Documents counted."""
        return sum(entry.documents for entry in self.classes)

    @property
    def tokens(self) -> int:
        """Tokens counted, repeats included."""
        return sum(entry.tokens for entry in self.classes)


def overview(model: Model) -> Overview:
    """The overview of a model, all from one moment; the fingerprint takes a pass over all tokens.

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
