from collections.abc import Sequence
from heapq import nsmallest

import numpy as np

from ..inference.priors import IMPOSSIBLE
from . import Suspect
from .examples import Example
from .trial import Trial

EVENT_MODEL = "binary"  # whatever is chosen: in one document a token that comes in bursts is one piece of evidence


def suspects(trial: Trial, tested: Sequence[Example], most: int) -> list[Suspect]:
    """At most so many of the documents, the most contradicted first."""
    chosen = trial.estimator.hyperparameters._replace(event_model=EVENT_MODEL, weights="none")
    documents = trial.examples.of(tested)
    table = trial.under(chosen).estimator.leave_one_out(documents)
    rows, own = np.arange(documents.size), documents.classes
    values = table.values[rows, own]
    rest = table.values.copy()
    rest[rows, own] = IMPOSSIBLE
    other = rest.argmax(axis=1)
    contradicted = np.flatnonzero(np.isfinite(values) & (values < rest[rows, other])).tolist()
    strengths = (rest[rows, other] - np.where(np.isfinite(values), values, 0)) / (table.known + 1)
    found = [
        Suspect(tested[d].name, tested[d].label, trial.labels[other[d]], float(strengths[d])) for d in contradicted
    ]
    return nsmallest(most, found, key=lambda each: (-each.strength, each.name))
