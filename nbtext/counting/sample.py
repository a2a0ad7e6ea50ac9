"""The documents kept for calibration: those with the lowest digests, whatever the order of learning."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from . import SAMPLE
from .documents import Documents, Integers
from .ordering import Lines, sorted_order
from .tokens import Tokens


class Sampled(NamedTuple):
    """A document kept for calibration.

    tokens       distinct, sorted, in UTF-8, a newline after each
    occurrences  of each
    """

    digest: int
    label: str
    tokens: bytes
    occurrences: Integers

    @property
    def bag(self) -> dict[str, int]:
        """Its tokens and how often they occur."""
        return dict(zip(Lines(self.tokens).texts(), self.occurrences.tolist(), strict=True))


def lowest(documents: Documents, size: int = SAMPLE) -> Documents:
    """The documents with the lowest digests, each once per class, lowest first."""
    return documents.some(lowest_places(documents.digests, documents.classes, size))


def lowest_places(digests: Integers, classes: Integers, size: int = SAMPLE) -> Integers:
    """The places of those documents among all whose digests and classes these are.

    >>> lowest_places(np.array([7, 3, 3, 5]), np.array([0, 1, 1, 0]), 2).tolist()
    [1, 3]
    """
    order = np.lexsort([classes, digests])
    keys = np.stack([digests[order], classes[order].astype(np.int64)], axis=1)
    first = np.ones(len(order), np.bool_)
    first[1:] = (keys[1:] != keys[:-1]).any(axis=1)
    return order[first][:size]


def sampled(documents: Documents, tokens: Tokens, labels: Sequence[str]) -> list[Sampled]:
    """Documents as texts.

    tokens  of the documents, by number
    labels  of the classes, by number
    """
    return [each for some in documents.groups() for each in _spelled(some, tokens, labels)]


def _spelled(documents: Documents, tokens: Tokens, labels: Sequence[str]) -> Iterator[Sampled]:
    order = np.lexsort([documents.tokens, documents.rows])
    text, occurrences = tokens.encoded(documents.tokens[order]), documents.occurrences[order]
    edges = Lines(text).edges[documents.starts].tolist()
    classes, digests = documents.classes.tolist(), documents.digests.tolist()
    for d, (start, end) in enumerate(pairwise(documents.starts.tolist())):
        yield Sampled(digests[d], labels[classes[d]], text[edges[d] : edges[d + 1]], occurrences[start:end].copy())


def indexed(sample: Sequence[Sampled], labels: Sequence[str]) -> tuple[Lines, Documents]:
    r"""The distinct tokens of sampled documents, sorted, and the documents with their places as numbers.

    labels  of the classes, by number

    >>> lunch = Sampled(7, "ham", b"at\nlunch\n", np.array([1, 2]))
    >>> tokens, documents = indexed([lunch, lunch._replace(tokens=b"noon\n", occurrences=np.array([3]))], ["ham"])
    >>> tokens.texts(), documents.bags()
    (['at', 'lunch', 'noon'], [([0, 1], [1, 2]), ([2], [3])])
    """
    lines = Lines(b"".join([each.tokens for each in sample]))
    order, differs = sorted_order(lines.text, lines.starts, lines.ends)
    places = np.empty(len(order), np.int32)
    places[order] = np.cumsum(differs) - 1
    numbers = {label: number for number, label in enumerate(labels)}
    occurrences = [np.empty(0, np.int32), *(each.occurrences for each in sample)]
    documents = Documents(
        np.cumsum([0, *(len(each.occurrences) for each in sample)]),
        places,
        np.concatenate(occurrences),
        np.array([numbers[each.label] for each in sample], np.int32),
        np.array([each.digest for each in sample], np.int64),
    )
    return Lines(lines.some(order[differs])), documents
