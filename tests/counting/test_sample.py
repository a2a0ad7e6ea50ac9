"""The documents kept for calibration: those with the lowest digests, whatever came first and was known where."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext.counting.documents import Documents
from nbtext.counting.sample import lowest

OFFERED = st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 1)))


def documents(offered: list[tuple[int, int]]) -> Documents:
    """Documents of these digests and classes, the digest being the only token."""
    digests, classes = (np.array([pair[column] for pair in offered], np.int64) for column in (0, 1))
    return Documents(np.arange(len(offered) + 1), digests, np.ones_like(digests), classes, digests)


@given(OFFERED, st.integers(1, 5), st.integers(1, 3))
def test_the_sample_is_the_lowest_digests_however_they_come(offered: list[tuple[int, int]], size: int, parts: int):
    merged = lowest(Documents.joined([lowest(documents(offered[n::parts][::-1]), size) for n in range(parts)]), size)
    for sample in lowest(documents(offered), size), merged:
        assert list(zip(sample.digests, sample.classes, strict=True)) == sorted(set(offered))[:size]
        assert sample.bags() == [([digest], [1]) for digest, _ in sorted(set(offered))[:size]]


@given(st.lists(st.integers(0, 4), max_size=12), st.integers(1, 4), st.integers(1, 6))
def test_groups_are_the_documents_in_order_few_of_them_or_of_their_entries(lengths, most: int, entries: int):
    starts = np.cumsum([0, *lengths])
    tokens = np.arange(starts[-1])
    whole = Documents(starts, tokens, tokens + 1, np.arange(len(lengths)), np.arange(len(lengths)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nbtext.counting.documents.GROUP", most)
        patch.setattr("nbtext.counting.documents.GROUP_ENTRIES", entries)
        groups = list(whole.groups())
    assert all(len(group.tokens) <= entries or group.size == 1 for group in groups)
    assert max(group.size for group in groups) <= most
    for joined, column in zip(Documents.joined(groups), whole, strict=True):
        assert joined.tolist() == column.tolist()
