"""Counts as a file holds them: written and read back the same, and refused where they are impossible."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nbtext import ModelError, train_documents
from nbtext.counting.counts import Counts
from nbtext.counting.rows import text
from nbtext.inference.weighting import Kinds
from nbtext.model.arrays import Loaded, _parsed, load, row_lines
from nbtext.storage.schema import LARGEST

from ..small import lines_of

STORE = train_documents({"a": ["red"], "b": ["blue"]}).store
CELLS = st.tuples(st.integers(1, LARGEST), st.integers(1, 1000)).map(lambda pair: (max(pair), pair[1]))
ROWS = st.lists(
    st.dictionaries(st.integers(0, 3), CELLS, min_size=1).map(
        lambda cells: [value for index in sorted(cells) for value in (index, *cells[index])]
    ),
    max_size=6,
)
DOCUMENTS = np.full(4, 1000)


def counts_of(rows: list[list[int]]) -> Counts:
    cells = [(number, *row[at : at + 3]) for number, row in enumerate(rows) for at in range(0, len(row), 3)]
    tokens, classes, occurrences, frequency = np.array(cells or np.empty((0, 4)), np.int64).T
    return Counts.of_cells(DOCUMENTS, len(rows), tokens, classes, occurrences, frequency)


@given(ROWS)
def test_rows_are_written_as_single_ones_are(rows: list[list[int]]):
    assert row_lines(counts_of(rows)) == "".join(f"{text(row)}\n" for row in rows)


@given(ROWS.filter(bool))
def test_what_is_read_is_what_was_written(rows: list[list[int]]):
    found = _parsed("".join(f"{text(row)}\n" for row in rows).encode(), DOCUMENTS, len(rows), STORE)
    assert found.rows(range(len(rows))) == rows
    assert found.documents.tolist() == DOCUMENTS.tolist()


@pytest.mark.parametrize(
    "row",
    [
        "",
        "x",
        "0",
        "0,1",
        "0,1,1,",
        "0,1,1,1",
        "0,1.5,1",
        "0,0,0",
        "0,1,0",
        "0,-1,-1",
        "-1,1,1",
        "4,1,1",
        "0,1,1,0,1,1",
        "1,1,1,0,1,1",
        "0,1,2",
        "0,1001,1001",
        f"0,{LARGEST + 1},1",
        f"0,{LARGEST + 3},1",
        f"0,{10 * LARGEST},1",
        f"0,{10**400},1",
        "0,1,1;1,1,1",
        "0,,1",
    ],
)
@pytest.mark.parametrize("around", ["{}", "{}\n0,1,1", "0,1,1\n{}", "0,1,1\n{}\n0,1,1"])
def test_impossible_counts_are_refused(row: str, around: str):
    lines = f"{around.format(row)}\n".encode()
    with pytest.raises(ModelError, match="damaged"):
        _parsed(lines, DOCUMENTS, lines.count(b"\n"), STORE)


def test_more_or_fewer_rows_than_tokens_are_refused():
    for tokens in 1, 3:
        with pytest.raises(ModelError, match="damaged"):
            _parsed(b"0,1,1\n0,1,1\n", DOCUMENTS, tokens, STORE)


@pytest.mark.parametrize("times", [LARGEST // 2 + 1, LARGEST])
def test_counts_that_overflow_when_they_are_added_up_are_refused(times: int):
    model = train_documents({"a": ["red sky"], "b": ["blue"]})
    model.store.change_tokens((token, [0, times, 1]) for token in ("red", "sky"))
    with pytest.raises(ModelError, match="too large"):
        load(model.store, model.documents)


def test_a_model_is_loaded_as_it_is_looked_up():
    model = train_documents({"a": ["red sky", "red"], "b": ["blue sky sky"]})
    loaded = load(model.store, model.documents)
    rows = loaded.counts.rows(range(len(loaded.tokens)))
    assert dict(zip(loaded.tokens, rows, strict=True)) == dict(model.store.tokens())


@example({"<as⋯", "s:<as⋯", "as"}, True)
@given(st.sets(st.text("st: :;a⋯", min_size=1), max_size=30), st.booleans())
def test_the_kinds_of_all_tokens_are_those_of_each(tokens, tagged):
    kinds = Kinds(["word", "pair", "chars", "s", "st"], tagged=tagged)
    loaded = Loaded(lines_of(sorted(tokens)), Counts.joined(np.zeros(2, np.int64), []))
    assert loaded.kinds(kinds).tolist() == [kinds(token) for token in loaded.tokens]
