"""The counts of a batch of documents: one sparse matrix, documents by terms."""

from collections.abc import Sequence
from typing import NamedTuple


class Batch(NamedTuple):
    """Document-term counts. Each field is a buffer that `memoryview` and `numpy.frombuffer` read without copying.

    starts       int64, one more than documents: document d has the entries starts[d] to starts[d + 1] - 1
    terms        int32, the distinct terms of each document in order of first occurrence: words by their numbers,
                 n-gram g as ~g, which is negative
    occurrences  int32, how often each occurs in its document
    tokens       int64, the number of tokens of each document, repeats and n-grams included, known or not
    """

    starts: Sequence[int]
    terms: Sequence[int]
    occurrences: Sequence[int]
    tokens: Sequence[int]
