"""The kinds of the tokens of documents: tokens of a kind share totals and weights."""

from typing import NamedTuple

import numpy as np

from ..counting.documents import Documents, Integers
from ..counting.tokens import Shapes
from ..fields import ATTRIBUTE
from .weighting import Kinds, order_kind

COMMON = 0.1  # a tag is a kind of its own if at least this share of the documents have it


class Kinded(NamedTuple):
    """Tokens by kind.

    kinds    all kinds
    numbers  the number of each token's kind
    """

    kinds: Kinds
    numbers: Integers


def kinded(shapes: Shapes, documents: Documents, *, tagged: bool) -> Kinded:
    """The kinds of the tokens of documents: a tag that few documents have is not a kind.

    shapes  of all tokens
    tagged  whether tokens begin with tags, as in mail
    """
    found, places = shapes
    used = np.bincount(places[documents.tokens], minlength=len(found)) > 0
    names = [order_kind(words) for words in sorted({found[place][1] for place in np.flatnonzero(used)})]
    if tagged:
        tags = sorted({tag for tag, _ in found})
        of_token = np.array([tags.index(tag) for tag, _ in found], np.int64)[places]
        of_entry = of_token[documents.tokens]
        having = (np.count_nonzero(documents.sums((of_entry == rank).astype(np.int64))) for rank in range(len(tags)))
        names += [
            tag
            for tag, n in zip(tags, having, strict=True)
            if tag and tag[0] != ATTRIBUTE and n >= COMMON * documents.size
        ]
    kinds = Kinds(dict.fromkeys(names), tagged=tagged)
    return Kinded(kinds, np.array([kinds.number(*shape) for shape in found], np.int64)[places])
