"""How a vocabulary differs without one of its documents."""

from typing import NamedTuple

import numpy as np

from ..counting.documents import Integers, stretches
from .filtering import Filtered, Mask


class Change(NamedTuple):
    """How the most frequent tokens differ without a document.

    dropped  tokens that are among them only without the document
    back     tokens that are among them only with the document
    """

    document: int
    dropped: set[int]
    back: set[int]


class Moves:
    """Tokens that enter or leave the vocabulary without a document, with their whole rows.

    documents  the document of each move
    tokens     its token
    signs      1 if the token enters, -1 if it leaves
    inside     whether the document contains the token
    """

    def __init__(
        self,
        filtered: Filtered,
        classes: Integers,
        documents: Integers,
        tokens: Integers,
        signs: Integers,
        inside: Mask,
    ) -> None:
        self.documents = documents
        self.signs = signs
        self.inside = inside
        begins, self.cells = stretches(filtered.counts.starts, tokens)  # the cells in these rows; for each cell:
        self.move = np.repeat(np.arange(len(tokens)), np.diff(begins))  # its move,
        self.rows = documents[self.move]  # the document,
        self.classes = filtered.counts.classes[self.cells]  # the class,
        self.is_own = self.classes == classes[self.rows]  # and whether it is the class of the document
