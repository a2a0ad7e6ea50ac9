"""Counts as cells, and scores, in plain numpy; and tokens as lines of text: the same as `_native`, to the last bit."""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Integers = Sequence[int] | NDArray[Any]

CONTROLS = rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]"  # the control characters in UTF-8, without the newline
ENTRIES = 1 << 16  # scored at a time, to limit memory


def score(
    starts: "Integers",
    terms: "Integers",
    occurrences: "Integers",
    token_starts: "Integers",
    classes: "Integers",
    weights: "Integers",
    class_count: int,
    out: "Integers",
) -> None:
    """Adds the scores of a batch to `out`: exact integers, so the order of addition does not matter.

    starts, terms, occurrences  the batch, as in Batch; terms are tokens of the weights, negative ones are skipped
    token_starts, classes, weights  token t has the cells token_starts[t] to token_starts[t + 1] - 1, each a class
                 and the weight added to that class for each occurrence
    out          int64, writable: documents times class_count, document by document

    All are int64 but `occurrences`, which is int32, and `terms` and `classes`, which are either.

    Raises: IndexError for a term without cells, or a class that is not below class_count.
    """
    import numpy as np

    bounds, numbers, times, cells, labels, values, sums = map(
        np.asarray, (starts, terms, occurrences, token_starts, classes, weights, out)
    )
    kept = np.flatnonzero(numbers >= 0)
    document = (np.searchsorted(bounds, kept, side="right") - 1) * class_count
    if kept.size and numbers[kept].max() >= len(cells) - 1:
        raise IndexError("a term has no cells")
    for at in range(0, kept.size, ENTRIES):
        entries = kept[at : at + ENTRIES]
        first, behind = cells[numbers[entries]], cells[numbers[entries] + 1]
        lengths = behind - first
        cell = np.repeat(first - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())
        label = labels[cell]
        if label.size and not (label.min() >= 0 and label.max() < class_count):
            raise IndexError("a cell's class is not below class_count")
        added = np.repeat(times[entries].astype(np.int64), lengths) * values[cell]
        np.add.at(sums, np.repeat(document[at : at + ENTRIES], lengths) + label, added)


def find_cells(
    terms: "Integers", classes: "Integers", token_starts: "Integers", cell_classes: "Integers", out: "Integers"
) -> None:
    """Writes the cells of pairs of a term and a class to `out`.

    terms, classes  int32 or int64, of each pair
    token_starts    int64; token t has the cells token_starts[t] to token_starts[t + 1] - 1
    cell_classes    int32 of each cell: its class, ascending within a token
    out             int64, writable: the cell of each pair

    Raises: IndexError for a pair without a cell.
    """
    import numpy as np

    numbers, wanted, starts, labels, found = map(np.asarray, (terms, classes, token_starts, cell_classes, out))
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < len(starts) - 1:
        raise IndexError("a term has no cells")
    many = max(int(labels.max(initial=0)), int(wanted.max(initial=0))) + 1
    keys = np.repeat(np.arange(len(starts) - 1), np.diff(starts)) * many + labels
    pairs = numbers.astype(np.int64) * many + wanted
    cells = np.searchsorted(keys, pairs)
    if not np.array_equal(np.append(keys, -1)[cells], pairs):
        raise IndexError("a term has no cell of the class")
    np.copyto(found, cells)


def subtract_entries(
    token_starts: "Integers",
    classes: "Integers",
    occurrences: "Integers",
    frequency: "Integers",
    cells: "Integers",
    times: "Integers",
) -> "tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]":
    """The columns of cells, as `sum_cells` returns them, without some entries; cells that are then empty are left out.

    token_starts, classes, occurrences, frequency  all cells, as `sum_cells` returns them
    cells  int64 of each entry: the cell that counted it
    times  int32 of each entry: its occurrences
    """
    import numpy as np

    starts, own, all_occurrences, all_frequency = map(np.asarray, (token_starts, classes, occurrences, frequency))
    sums = all_occurrences - np.bincount(cells, times, len(own)).astype(np.int64)
    documents = all_frequency - np.bincount(cells, minlength=len(own))
    left = documents > 0
    return np.concatenate([[0], np.cumsum(left)])[starts], own[left], sums[left], documents[left]


def sum_cells(
    token_count: int,
    class_count: int,
    tokens: "Integers",
    classes: "Integers",
    occurrences: "Integers",
    frequency: "Integers",
) -> "tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]":
    """Cells in any order, those of the same token and class added up.

    token_count, class_count  all tokens and classes are below these
    tokens, classes  int32 of each cell
    occurrences, frequency  int64 of each cell

    Returns where the cells of each token start, with one more item for the end of the last one, and the class, the
    occurrences and the frequency of each cell, sorted by token and then by class; int64, but the classes are int32.

    Raises: IndexError for a token or a class that is not below its number.
    """
    import numpy as np

    numbers, own, *columns = map(np.asarray, (tokens, classes, occurrences, frequency))
    for column, end in (numbers, token_count), (own, class_count):
        if len(column) and not 0 <= column.min() <= column.max() < end:
            raise IndexError("a cell's token or class is too large")
    order = np.lexsort([own, numbers])
    numbers, own = numbers[order], own[order]
    firsts = np.flatnonzero((np.diff(numbers, prepend=-1) != 0) | (np.diff(own, prepend=-1) != 0))
    added = [np.add.reduceat(column[order], firsts) if len(firsts) else column[:0] for column in columns]
    starts = np.concatenate([[0], np.cumsum(np.bincount(numbers[firsts], minlength=token_count))])
    return starts, own[firsts], added[0], added[1]


def count_entries(
    words: int,
    grams: int,
    class_count: int,
    starts: "Integers",
    terms: "Integers",
    occurrences: "Integers",
    classes: "Integers",
) -> "tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]":
    """The cells of documents, as `sum_cells` returns them, where n-gram g is the token words + g.

    words, grams, class_count  their numbers
    starts, terms, occurrences  the documents as a batch, as in Batch; all terms are known
    classes  int32 of each document

    Raises: IndexError for a term or a class that is not below its number.

    >>> import numpy as np
    >>> two = np.array([0, 2, 3]), *np.array([[1, -1, 1], [5, 2, 3]], np.int32), np.zeros(2, np.int32)
    >>> [column.tolist() for column in count_entries(2, 1, 1, *two)]
    [[0, 0, 1, 2], [0, 0], [8, 2], [2, 1]]
    """
    import numpy as np

    bounds, numbers, times, own = map(np.asarray, (starts, terms, occurrences, classes))
    entries = slice(bounds[-1])
    tokens = np.where(numbers < 0, words + ~numbers, numbers)[entries]
    if len(tokens) and not -grams <= numbers[entries].min() <= numbers[entries].max() < words:
        raise IndexError("a term is too large")
    if len(own) and not 0 <= own.min() <= own.max() < class_count:
        raise IndexError("a cell's token or class is too large")
    sums, ones = times[entries].astype(np.int64), np.ones(len(tokens), np.int64)
    return sum_cells(words + grams, class_count, tokens, np.repeat(own, np.diff(bounds)), sums, ones)


def sorted_rows(columns: "NDArray[Any]", count: int) -> "NDArray[Any]":
    """The numbers of rows in sorted order, int32.

    columns  int32, columns x rows, from 0 to count - 1; the first column counts most

    Raises: IndexError for a number that is not.

    >>> import numpy as np
    >>> sorted_rows(np.array([[1, 0, 1], [0, 2, 1]], np.int32), 3).tolist()
    [1, 0, 2]
    """
    import numpy as np

    if columns.size and not 0 <= columns.min() <= columns.max() < count:
        raise IndexError("a cell's token or class is too large")
    return np.lexsort(columns[::-1]).astype(np.int32)


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
    r"""The places of those lines of a text that are wanted; both are sorted, without repeats.

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
    r"""The counts of tokens in a model file, as `row_lines` writes them; the columns of `sum_cells`.

    documents  int64: their number in each class

    Raises: ValueError for what `row_lines` does not write, and for what documents cannot have: a class without enough
    of them, or a token that occurs in more documents than it occurs at all.

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
