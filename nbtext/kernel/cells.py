"""Counts as cells, and scores, in plain numpy: the same as `_cells`, to the last bit."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Integers = Sequence[int] | NDArray[Any]

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

    words, grams, class_count  how many there are
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
    count    all numbers are below this

    Raises: IndexError for a number outside that range.

    >>> import numpy as np
    >>> sorted_rows(np.array([[1, 0, 1], [0, 2, 1]], np.int32), 3).tolist()
    [1, 0, 2]
    """
    import numpy as np

    if columns.size and not 0 <= columns.min() <= columns.max() < count:
        raise IndexError("a cell's token or class is too large")
    return np.lexsort(columns[::-1]).astype(np.int32)
