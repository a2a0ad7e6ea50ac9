"""Counts packed: any stretch of any runs, in memory or on disk, is what counting all of them together gives."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbtext.counting.packing import Columns, Run

from nbtext.counting import packing

from .small import counted

# Whatever tokenizers may give: no control character and no surrogate, but all other; n-grams hold a space
CHARACTERS = st.characters(blacklist_categories=("Cc", "Cs"))
TOKENS = st.text(CHARACTERS, min_size=1, max_size=3) | st.sampled_from(["a", "a b", "a!", "aa", "é", "\U0001f600", "⋯"])
DOCUMENTS = st.lists(st.tuples(st.sampled_from(["p", "q", "r\n"]), st.lists(TOKENS, max_size=12)), max_size=12)


@pytest.fixture(autouse=True, scope="module")
def small_blocks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packing, "BLOCK", 4)
        patch.setattr(packing, "SAMPLED", 2)
        patch.setattr(packing, "STRETCH", 2)
        yield


def run_of(documents: Sequence[tuple[str, Sequence[str]]]) -> Run:
    return packing.packed(dict(counted(documents).entries()))


def cells(columns: Columns) -> dict[tuple[str, str], tuple[int, int]]:
    """(token, label) -> occurrences and presences."""
    assert all(list(tokens) == sorted(set(tokens)) for tokens, _ in columns.values())
    return {
        (token, label): packing.numbers(cell)
        for label, column in columns.items()
        for token, cell in zip(*column, strict=True)
    }


def expected(documents: Sequence[tuple[str, Sequence[str]]]) -> dict[tuple[str, str], tuple[int, int]]:
    labels = ["p", "q", "r\n"]
    return {
        (token, labels[index]): (n, d)
        for token, row in sorted(counted(documents).rows(labels).items())
        for index, n, d in zip(row[::3], row[1::3], row[2::3], strict=True)
    }


@given(DOCUMENTS, st.lists(st.integers(0, 12), max_size=4))
def test_stretches_of_runs_are_the_counts_of_all_documents(documents, cuts: list[int]):
    edges = [0, *sorted(cuts), len(documents)]
    runs = [run_of(documents[start:end]) for start, end in pairwise(edges)]
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for start, end in packing.stretches(runs):
        some = cells(packing.stretch(runs, start, end))
        assert all(start <= token and (end is None or token < end) for token, _ in some)
        found |= some
    assert found == expected(documents)


@given(DOCUMENTS, TOKENS, TOKENS)
def test_a_stretch_is_cut_wherever_one_likes(documents, start: str, end: str):
    inside = {key: cell for key, cell in expected(documents).items() if start <= key[0] < end}
    assert cells(packing.stretch([run_of(documents)], start, end)) == inside


@given(DOCUMENTS)
def test_single_tokens_are_those_without_a_space(documents):
    single = {key: cell for key, cell in expected(documents).items() if " " not in key[0]}
    assert cells(packing.stretch([run_of(documents)], "", None, single=True)) == single


@given(DOCUMENTS)
def test_what_is_packed_again_is_the_same(documents):
    runs = [run_of(documents), run_of(documents)]
    whole = packing.stretch(runs, "", None)
    assert packing.stretch([packing.packed_again(whole)], "", None) == whole


def test_a_run_on_disk_is_the_run_in_memory(tmp_path: Path):
    run = run_of([("p", [f"token {number}" for number in range(100)]), ("q", ["token 7", "token 7"])])
    kept = packing.on_disk(run, str(tmp_path / "runs"))
    assert len(run) > 10
    assert packing.stretch([kept, run], "token 3", "token 8") == packing.stretch([run, run], "token 3", "token 8")
    assert (packing.bytes_in_memory(run) > 1000, packing.bytes_in_memory(kept)) == (True, 0)
    assert packing.files([run, kept]) == {str(path) for path in (tmp_path / "runs").iterdir()}
    assert [block.first for block in kept] == sorted(block.first for block in run)


def test_blocks_are_of_one_size_however_the_tokens_spread_over_classes():
    entries = {str(label): [f"{label}{n:03}\n1,1" for n in range(count)] for label, count in enumerate([3, 200, 5, 90])}
    assert 298 / 4 * 0.8 <= len(packing.packed(entries)) <= 298 / 4 * 1.2


def test_number_of_stretches_falls_where_runs_are_many():
    """Each unpacks at least one block of every run."""
    runs = [run_of([("p", [f"{number:02} {run}" for number in range(40)])]) for run in range(20)]
    assert len(packing.stretches(runs)) < len(packing.stretches(runs[:2])) * 2
