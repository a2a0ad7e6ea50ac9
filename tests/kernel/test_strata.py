"""Weighted evidence of many documents: the compiled kernel gives the integers of the plain one."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext.kernel import strata
from nbtext.kernel.strata import Speech

from .kernels import compiled, native

FRACTION = 44
KNOTS = 4  # 2 frequencies times 2 spreads


def speech(weights: list[list[int]], kinds: list[int], frequency: list[int], possible: list[bool]) -> Speech:
    """Tokens with these weights in the classes; a weight of 0 is that of a class without a cell."""
    table = np.array(weights, np.int64).reshape(-1, len(possible)) << (FRACTION - 8)
    rows, classes = np.nonzero(table)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(table)))])
    return Speech(
        starts,
        classes.astype(np.int32),
        table[rows, classes],
        np.full(len(table), -3 << (FRACTION - 4)),
        np.arange(2 * len(possible)).reshape(2, -1) << (FRACTION - 5),
        np.array(possible),
        np.array(kinds, np.int64),
        KNOTS,
        np.array(frequency, np.int64),
        np.zeros(10, np.int64),
        np.linspace(0, 1, 10),
        np.array([0.2, 3.0]),
        0.7,
        FRACTION,
    )


def added(module: Any, starts: Any, terms: Any, spoken: Speech) -> tuple[list[int], ...]:
    """What the kernel adds to strata, to classes by kind, and to lengths by both."""
    documents, classes = len(starts) - 1, len(spoken.possible)
    by_stratum, by_class = (np.ones(documents * 2 * size * classes, np.int64) for size in (KNOTS, 1))
    heard = module.packed(spoken)
    lengths = np.zeros((2, documents * 2), np.int64)
    module.add_strata(starts, terms, heard, by_stratum, lengths[0])
    weights = np.linspace(-1, 2, 2 * KNOTS * classes).reshape(-1, classes) / 3
    module.add_weighted(starts, terms, heard, weights, by_class, lengths[1])
    return by_stratum.tolist(), by_class.tolist(), *lengths.tolist()


@st.composite
def cases(draw: Any) -> tuple[Any, Any, Speech]:
    classes, tokens = draw(st.integers(2, 5)), draw(st.integers(1, 6))
    row = st.lists(st.integers(-2000, 2000), min_size=classes, max_size=classes)
    spoken = speech(
        draw(st.lists(row, min_size=tokens, max_size=tokens)),
        draw(st.lists(st.integers(-1, 1), min_size=tokens, max_size=tokens)),
        draw(st.lists(st.integers(0, 9), min_size=tokens, max_size=tokens)),
        draw(st.lists(st.booleans(), min_size=classes, max_size=classes).filter(any)),
    )
    documents = draw(st.lists(st.sets(st.integers(-1, tokens - 1)), max_size=4))
    starts = np.cumsum([0, *map(len, documents)])
    return starts, np.array([term for document in documents for term in document], np.int32), spoken


@compiled
@given(cases())
def test_both_kernels_add_the_same_integers(case):
    assert added(native, *case) == added(strata, *case)


@pytest.mark.parametrize("module", [strata, pytest.param(native, marks=compiled)])
def test_a_token_is_shared_out_to_the_strata_around_it(module):
    """Of the second kind, halfway between the frequencies, and said so strongly that it is at the last spread."""
    spoken = speech([[256 * 12, 0]], [1], [1], [True, True])
    spoken = spoken._replace(up=np.array([0.0, 0.5]), absent=np.zeros(1, np.int64), shared=np.zeros((2, 2), np.int64))
    out = np.zeros(2 * KNOTS * 2, np.int64)
    module.add_strata(np.array([0, 1]), np.array([0], np.int32), module.packed(spoken), out, np.zeros(2, np.int64))
    expected = np.zeros((2 * KNOTS, 2))
    expected[[KNOTS + 1, KNOTS + 3]] = [[3, -3], [3, -3]]  # 12 and 0 are 6 from their mean
    assert np.ldexp(out, -FRACTION).reshape(-1, 2).tolist() == expected.tolist()


@pytest.mark.parametrize("module", [strata, pytest.param(native, marks=compiled)])
def test_a_term_without_cells_is_refused(module):
    spoken = speech([[1, 2]], [0], [1], [True, True])
    with pytest.raises(IndexError, match="a term has no cells"):
        module.add_strata(
            np.array([0, 1]), np.array([1], np.int32), module.packed(spoken), *np.zeros((2, 2 * KNOTS * 2), np.int64)
        )
