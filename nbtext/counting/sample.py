"""The documents kept for calibration: those with the lowest digests, whatever the order of learning."""

import numpy as np

from . import SAMPLE
from .documents import Documents, Integers


def lowest(documents: Documents, size: int = SAMPLE) -> Documents:
    """So many documents with the lowest digests, each of a class once, lowest first."""
    order = np.lexsort([documents.classes, documents.digests])
    keys = np.stack([documents.digests[order], documents.classes[order].astype(np.int64)], axis=1)
    first = np.ones(len(order), np.bool_)
    first[1:] = (keys[1:] != keys[:-1]).any(axis=1)
    chosen: Integers = order[first][:size]
    return documents.some(chosen)
