"""The documents kept for calibration: those with the lowest digests, whatever the order of learning."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from . import SAMPLE
from .documents import Documents, Integers
from .tokens import Tokens


class Sampled(NamedTuple):
    """A document kept for calibration."""

    digest: int
    label: str
    bag: dict[str, int]


def lowest(documents: Documents, size: int = SAMPLE) -> Documents:
    """The documents with the lowest digests, each once per class, lowest first."""
    order = np.lexsort([documents.classes, documents.digests])
    keys = np.stack([documents.digests[order], documents.classes[order].astype(np.int64)], axis=1)
    first = np.ones(len(order), np.bool_)
    first[1:] = (keys[1:] != keys[:-1]).any(axis=1)
    chosen: Integers = order[first][:size]
    return documents.some(chosen)


def sampled(documents: Documents, tokens: Tokens, labels: Sequence[str]) -> list[Sampled]:
    """Documents as texts.

    tokens  of the documents, by number
    labels  of the classes, by number
    """
    numbers, places = np.unique(documents.tokens, return_inverse=True)
    order = np.lexsort([places, documents.rows])  # sorted, as they will be written
    bags = documents._replace(tokens=places[order], occurrences=documents.occurrences[order]).bags()
    texts = tokens.texts(numbers)
    return [
        Sampled(digest, labels[index], {texts[token]: n for token, n in zip(*bag, strict=True)})
        for digest, index, bag in zip(documents.digests.tolist(), documents.classes.tolist(), bags, strict=True)
    ]
