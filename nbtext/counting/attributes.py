"""Counting documents with their attributes, whose tokens do not come from a tokenizer."""

from collections.abc import Sequence
from itertools import starmap
from typing import NamedTuple

import numpy as np

from ..fields import EMPTY, attribute_token
from ..kernel import Indexer
from ..readers import Document
from .documents import Integers, int32, int64


class Counted(NamedTuple):
    """A `Batch` as arrays."""

    starts: Integers
    terms: Integers
    occurrences: Integers
    tokens: Integers


def add_documents(indexer: Indexer, documents: Sequence[Document], *, keep_empty: bool = False) -> Counted:
    """The document-term counts of documents, attributes included.

    keep_empty  whether a document without a token gets the token `EMPTY`
    """
    extra = attribute_tokens(documents)
    counted = add_texts(indexer, documents)
    if keep_empty:
        for d in np.flatnonzero(counted.tokens == 0).tolist():
            extra[d] = extra[d] or [EMPTY]
    distinct = list(dict.fromkeys(token for tokens in extra for token in tokens))
    if not distinct:
        return counted
    terms = dict(zip(distinct, indexer.add_tokens("\n".join(distinct).encode()), strict=True))
    return with_entries(counted, [[terms[token] for token in tokens] for tokens in extra])


def add_texts(indexer: Indexer, documents: Sequence[Document], *, known: bool = False) -> Counted:
    """The same without attributes.

    known  whether to leave out tokens that are new
    """
    batch = indexer.add([document.parts for document in documents], known=known)
    return Counted(int64(batch.starts), int32(batch.terms), int32(batch.occurrences), int64(batch.tokens))


def attribute_tokens(documents: Sequence[Document]) -> list[list[str]]:
    """The tokens of each document's attributes."""
    return [list(starmap(attribute_token, document.attributes)) for document in documents]


def with_entries(counted: Counted, extra: Sequence[Sequence[int]]) -> Counted:
    """The counts with additional terms for each document, which occur once.

    >>> one = Counted(np.array([0, 1, 1]), np.array([5], np.int32), np.array([2], np.int32), np.array([2, 0]))
    >>> [each.tolist() for each in with_entries(one, [[8], [8, 9]])]
    [[0, 2, 4], [5, 8, 8, 9], [2, 1, 1, 1], [3, 2]]
    """
    lengths = np.array([len(terms) for terms in extra])
    places = np.repeat(counted.starts[1:], lengths)
    flat = np.array([term for terms in extra for term in terms], np.int32)
    starts = counted.starts + np.concatenate([[0], np.cumsum(lengths)])
    return Counted(
        starts,
        np.insert(counted.terms, places, flat),
        np.insert(counted.occurrences, places, np.ones_like(flat)),
        counted.tokens + lengths,
    )
