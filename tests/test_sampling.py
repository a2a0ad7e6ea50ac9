"""The documents kept for calibration: those with the lowest digests, whatever came first and was known where."""

from hypothesis import given
from hypothesis import strategies as st
from nbtext.counting.sampling import Sample

offers = st.lists(st.tuples(st.integers(-9, 9), st.sampled_from("ab")))


@given(offers, st.integers(1, 5), st.integers(1, 3))
def test_the_sample_is_the_lowest_digests_however_they_come(offered, size: int, parts: int):
    whole, merged = Sample(size), Sample(size)
    for digest, label in offered:
        whole.offer(digest, label, {str(digest): 1})
    for n in range(parts):
        part = Sample(size, merged.bound)  # a part need not keep what cannot be in the whole
        for digest, label in reversed(offered[n::parts]):
            part.offer(digest, label, {str(digest): 1})
        if n:
            part.pack()
        merged.merge(part)
    lowest = [(digest, label, {str(digest): 1}) for digest, label in sorted(set(offered))[:size]]
    assert whole.lowest() == merged.lowest() == lowest
