"""Tokens and their counts as lines of text, in plain Python: the same as `_lines`."""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Integers = Sequence[int] | NDArray[Any]

CONTROLS = rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]"  # the control characters in UTF-8, without the newline


def spelled(text: "bytes | NDArray[Any]", edges: "Integers", tag_lengths: "Integers", rows: "NDArray[Any]") -> bytes:
    r"""The texts of tokens, each followed by a newline.

    text         the words in UTF-8, a newline after each
    edges        int64, one more than words: where each begins, and where the last one ends
    tag_lengths  int32 of each word: how many of its bytes only the first word of an n-gram has
    rows         int32, tokens x words: the words of each token, -1 after the last one

    >>> import numpy as np
    >>> spelled(b"s:to\ns:be\n", [0, 5, 10], [2, 2], np.array([[0, 1], [1, -1]]))
    b's:to be\ns:be\n'
    """
    words = [bytes(text[start : end - 1]) for start, end in pairwise(map(int, edges))]
    untagged = [word[length:] for word, length in zip(words, map(int, tag_lengths), strict=True)]
    found = ([words[first], *[untagged[word] for word in rest if word >= 0]] for first, *rest in rows.tolist())
    return b"".join([b" ".join(token) + b"\n" for token in found])


def find_lines(text: "bytes | NDArray[Any]", wanted: "bytes | NDArray[Any]") -> "NDArray[Any]":
    r"""The places, int64, of those lines of a text that are wanted; both are sorted, a newline after each line.

    >>> find_lines(b"at\nbe\nto\n", b"at\nnoon\nto\n").tolist()
    [0, 2]
    """
    import numpy as np

    lines = frozenset(bytes(wanted).split(b"\n")[:-1])
    return np.array([place for place, line in enumerate(bytes(text).split(b"\n")[:-1]) if line in lines], np.int64)


def are_tokens(text: bytes) -> bool:
    r"""Whether lines in UTF-8 can be tokens: sorted, no two equal, none empty or with a control character.

    >>> are_tokens(b"at\nbe\n"), are_tokens(b"be\nat\n"), are_tokens(b"at\n\tbe\n"), are_tokens(b"\n")
    (True, False, False, False)
    """
    import re

    lines = text.split(b"\n")[:-1]
    ordered = all(line < following for line, following in pairwise(lines))
    return ordered and b"" not in lines and not re.search(CONTROLS, text)


def read_rows(
    text: bytes, documents: "NDArray[Any]"
) -> "tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]":
    r"""The counts of tokens from their lines in a model file: the four columns that `row_lines` writes, of these types.

    text       a line for each token, with a newline
    documents  int64: their number in each class

    Raises: ValueError for lines that are not numbers in threes, classes that do not ascend, numbers above 2^63 - 1, and
    what documents cannot have: a class without enough of them, or a token in more of them than it occurs at all.

    >>> import numpy as np
    >>> [column.tolist() for column in read_rows(b"0,1,1\n0,6,3,2,4,2\n", np.array([9, 9, 9]))]
    [[0, 1, 3], [0, 0, 2], [1, 6, 4], [1, 3, 2]]
    """
    import numpy as np

    rows = [line.split(b",") for line in text.split(b"\n")]
    if rows.pop() != [b""] or any(len(row) % 3 or not all(map(bytes.isdigit, row)) for row in rows):
        raise ValueError("counts that are not numbers in threes")
    values = [int(value) for row in rows for value in row]
    if max(values, default=0) >= 1 << 63:
        raise ValueError("a count that is too large")
    starts = np.cumsum([0, *(len(row) // 3 for row in rows)])
    classes, occurrences, frequency = np.array(values, np.int64).reshape(-1, 3).T.copy()
    firsts = np.zeros(len(classes) + 1, np.bool_)
    firsts[starts] = True
    if (
        (classes >= len(documents)).any()
        or not (firsts[:-1] | (np.diff(classes, prepend=-1) > 0)).all()
        or not ((frequency > 0) & (frequency <= occurrences) & (frequency <= documents[classes])).all()
    ):
        raise ValueError("counts that are impossible")
    return starts, classes.astype(np.int32), occurrences, frequency


def row_lines(token_starts: "Integers", classes: "Integers", occurrences: "Integers", frequency: "Integers") -> str:
    r"""The counts of tokens as in a model file, a line each: class, occurrences, documents, class...

    token_starts  int64; token t has the cells token_starts[t] to token_starts[t + 1] - 1
    classes       int32 of each cell
    occurrences, frequency  int64 of each cell

    None is negative.

    >>> import numpy as np
    >>> row_lines(np.array([0, 1, 3]), np.array([0, 0, 2], np.int32), np.array([1, 6, 4]), np.array([1, 3, 2]))
    '0,1,1\n0,6,3,2,4,2\n'
    """
    starts, *columns = (list(map(int, column)) for column in (token_starts, classes, occurrences, frequency))
    cells = [f"{index},{times},{documents}" for index, times, documents in zip(*columns, strict=True)]
    return "".join([",".join(cells[start:end]) + "\n" for start, end in pairwise(starts)])
