"""One token's counts as a list of integers, as looked up in a file for a single document, and changed there."""

from collections.abc import Sequence

Row = list[int]  # class, occurrences, documents with it, class, ..., classes ascending
COLUMNS = {"occurrences": 1, "frequency": 2}  # the position of each statistic after the class in a row


def dense(row: Sequence[int], statistic: str, classes: int) -> list[int]:
    """One statistic of a row for every class.

    >>> dense([0, 2, 1, 2, 7, 3], "occurrences", classes=4)
    [2, 0, 7, 0]
    """
    counts = [0] * classes
    for index, count in zip(row[::3], row[COLUMNS[statistic] :: 3], strict=True):
        counts[index] = count
    return counts


def text(row: Row) -> str:
    """The row as text, as in model files.

    >>> text([0, 2, 1])
    '0,2,1'
    """
    return ",".join(map(str, row))


def shifted(row: Row, index: int, occurrences: int, documents: int) -> Row:
    """The row with occurrences and documents of a class added; classes that reach zero are left out.

    >>> shifted([0, 2, 1], 1, 5, 1), shifted([0, 2, 1, 1, 5, 1], 0, -2, -1)
    ([0, 2, 1, 1, 5, 1], [1, 5, 1])

    Raises: ValueError if a count would fall below zero, or only one of the two would reach zero.
    """
    cells = {i: (n, d) for i, n, d in zip(row[::3], row[1::3], row[2::3], strict=True)}
    n, d = cells.get(index, (0, 0))
    n, d = n + occurrences, d + documents
    if not 0 <= d <= n or (n > 0) > (d > 0):
        raise ValueError("a count would fall below zero")
    cells[index] = n, d
    return [value for i in sorted(cells) if cells[i] != (0, 0) for value in (i, *cells[i])]
