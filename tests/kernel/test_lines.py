"""Tokens and their counts as the lines of a model file, whichever kernel writes them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .kernels import both, compiled, native

CELLS = st.tuples(st.integers(0, 2**31 - 1), st.integers(0, 2**63 - 1), st.integers(0, 2**63 - 1))


def columns(rows):
    cells = np.array([cell for row in rows for cell in row] or np.empty((0, 3)), np.int64)
    classes, occurrences, frequency = map(np.ascontiguousarray, cells.T)
    return np.cumsum([0, *map(len, rows)]), classes.astype(np.int32), occurrences, frequency


@both("row_lines")
def test_each_token_has_a_line(row_lines):
    assert row_lines(*columns([[(0, 2, 1)], [(0, 10, 3), (12, 1, 1)]])) == "0,2,1\n0,10,3,12,1,1\n"
    assert row_lines(*columns([])) == ""


@both("row_lines")
@given(rows=st.lists(st.lists(CELLS, max_size=3), max_size=6))
def test_numbers_of_any_size_are_written_in_full(row_lines, rows):
    expected = [",".join(str(number) for cell in row for number in cell) for row in rows]
    assert row_lines(*columns(rows)) == "".join(f"{line}\n" for line in expected)


@compiled
def test_what_cannot_be_counts_is_refused():
    with pytest.raises(ValueError, match="negative"):
        native.row_lines(*columns([[(0, -1, 1)]]))
    starts, *rest = columns([[(0, 1, 1)]])
    with pytest.raises(IndexError, match="too short"):
        native.row_lines(starts + 1, *rest)


WORDS = st.lists(st.tuples(st.sampled_from(["", "s:", "from:"]), st.text("aé", min_size=1)), min_size=1, max_size=5)


@both("spelled")
@given(words=WORDS, data=st.data())
def test_n_grams_are_spelled_with_the_tag_of_their_first_word(spelled, words, data):
    tagged = [(tag + word).encode() for tag, word in words]
    grams = data.draw(st.lists(st.lists(st.integers(0, len(words) - 1), min_size=1, max_size=3)))
    rows = np.array([[*gram, -1, -1][:3] for gram in grams], np.int32).reshape(-1, 3)
    text = np.frombuffer(b"".join(word + b"\n" for word in tagged), np.uint8)
    edges = np.cumsum([0, *(len(word) + 1 for word in tagged)])
    expected = [" ".join(["".join(words[first]), *(words[at][1] for at in rest)]) for first, *rest in grams]
    found = spelled(text, edges, np.array([len(tag) for tag, _ in words], np.int32), rows)
    assert found.decode() == "".join(f"{gram}\n" for gram in expected)


@both("spelled")
def test_a_word_without_a_number_cannot_be_spelled(spelled):
    text = np.frombuffer(b"at\n", np.uint8)
    with pytest.raises(IndexError):
        spelled(text, np.array([0, 3]), np.zeros(1, np.int32), np.array([[1]], np.int32))


LINES = st.sets(st.text("aé \x01", min_size=1), max_size=8)


def lines(texts):
    return b"".join(sorted(f"{text}\n".encode() for text in texts))


@both("find_lines")
@given(texts=LINES, wanted=LINES)
def test_wanted_lines_are_found_where_they_are(find_lines, texts, wanted):
    text = lines(texts)
    found = find_lines(text, lines(wanted)).tolist()
    assert found == sorted(found)
    assert {text.split(b"\n")[place].decode() for place in found} == texts & wanted
    assert find_lines(np.frombuffer(text, np.uint8), text).tolist() == list(range(len(texts)))


@compiled
def test_a_line_that_does_not_end_is_refused():
    for text, wanted in (b"a", b"a\n"), (b"a\n", b"a"):
        with pytest.raises(ValueError, match="without a newline"):
            native.find_lines(text, wanted)


@both("are_tokens")
@given(st.lists(st.text("ab é\x01\x7f\x85\xa0\u2028", max_size=3), max_size=6))
def test_lines_that_are_sorted_and_printable_are_tokens(are_tokens, texts):
    possible = texts == sorted(set(texts)) and "" not in texts and not {*"\x01\x7f\x85"} & {*"".join(texts)}
    assert are_tokens("".join(f"{text}\n" for text in texts).encode()) == possible


DOCUMENTS = np.array([5, 2**63 - 1])
VALUES = st.integers(1, 3) | st.integers(2**63 - 20, 2**63 - 1)
CELL = st.tuples(*2 * [VALUES]).map(lambda pair: (max(pair), min(pair)))


@both("read_rows")
@given(
    st.lists(
        st.dictionaries(st.just(1), st.tuples(VALUES, VALUES).map(lambda pair: (max(pair), min(pair))), min_size=1)
    )
)
def test_rows_are_read_as_they_were_written(read_rows, rows):
    cells = columns([[(label, *cell) for label, cell in row.items()] for row in rows])
    text = "".join(",".join(f"{label},{n},{d}" for label, (n, d) in row.items()) + "\n" for row in rows)
    assert [column.tolist() for column in read_rows(text.encode(), DOCUMENTS)] == [column.tolist() for column in cells]


@both("read_rows")
@given(st.text("0123,,\n-x", max_size=12))
def test_either_kernel_reads_or_refuses_a_text(read_rows, text):
    """As Python reads it: digits in threes, classes ascending."""
    lines = text.split("\n")
    rows = [line.split(",") for line in lines[:-1]]
    try:
        cells = [[tuple(map(int, row[at : at + 3])) for at in range(0, len(row), 3)] for row in rows]
        assert not lines[-1]
        assert "-" not in text
        for row in cells:
            assert all(label <= 1 and 0 < d <= min(n, DOCUMENTS[label]) for label, n, d in row)
            assert [label for label, *_ in row] == sorted({label for label, *_ in row})
    except (ValueError, AssertionError):
        with pytest.raises(ValueError, match="count"):
            read_rows(text.encode(), DOCUMENTS)
    else:
        assert [column.tolist() for column in read_rows(text.encode(), DOCUMENTS)] == [
            column.tolist() for column in columns(cells)
        ]
