"""Counts: what is learned from documents, all of it integers. No logarithm and no rounding here.

    documents    per class: how many documents
    occurrences  per class and token: how often it stands in them
    presences    per class and token: how many of them contain it

Adding a document is addition and forgetting it is subtraction, both exact, so counts of parts can be merged in any
order: while a corpus is read as the runs of `packing`, and where models are merged as sorted rows. A token's counts are
one `Row` in the end.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress, groupby
from operator import add, itemgetter

Row = list[int]  # class, occurrences, presences of it, class, ..., classes ascending
OCCURRENCES, PRESENCES = 1, 2  # where a row has each statistic of a class
COLUMNS = {"occurrences": OCCURRENCES, "presences": PRESENCES}
Bag = Mapping[str, int]  # token -> occurrences in one document


class Counts:
    """The counts of the documents added so far.

    >>> counts = Counts()
    >>> counts.add("ham", ["lunch", "at", "noon"], [2, 1, 1])
    >>> counts.add("spam", ["win", "lunch"], [1, 1])
    >>> counts.rows(["ham", "spam"])
    {'lunch': [0, 2, 1, 1, 1, 1], 'at': [0, 1, 1], 'noon': [0, 1, 1], 'win': [1, 1, 1]}
    """

    def __init__(self) -> None:
        self.documents: Counter[str] = Counter()  # label -> documents
        self.presences: defaultdict[str, Counter[str]] = defaultdict(Counter)  # label -> token -> documents with it
        self.repeats: defaultdict[str, Counter[str]] = defaultdict(Counter)  # the same: occurrences - presences, if any

    def add(self, label: str, tokens: Collection[str], counts: Collection[int]) -> None:
        """Count one document of the class, given as its tokens, each once, and how often they occur."""
        self.documents[label] += 1
        self.presences[label].update(tokens)
        repeats = self.repeats[label]
        for token, count in compress(zip(tokens, counts, strict=True), map((1).__lt__, counts)):  # few occur again
            repeats[token] += count - 1

    @property
    def cells(self) -> int:
        """How many pairs of a class and a token are counted: what the counts cost in memory."""
        return sum(map(len, self.presences.values()))

    def positions(self, label: str) -> int:
        """How many tokens stand in the documents of the class, repeats included."""
        return self.presences[label].total() + self.repeats[label].total()

    def rows(self, labels: Sequence[str]) -> dict[str, Row]:
        """The row of each token, classes numbered by their place in `labels`."""
        rows: defaultdict[str, Row] = defaultdict(list)
        for index, label in enumerate(labels):
            repeats = self.repeats[label]
            for token, presences in self.presences[label].items():
                rows[token] += index, presences + repeats.get(token, 0), presences
        return dict(rows)

    def entries(self) -> Iterator[tuple[str, list[str]]]:
        """Each class with its entries for `packing`, sorted; all but `documents` is forgotten on the way."""
        while self.presences:
            label, presences = self.presences.popitem()
            repeats: Mapping[str, int] = self.repeats.pop(label, {})
            again = [f"{token}\n{(d := presences.pop(token)) + more},{d}" for token, more in repeats.items()]
            yield label, sorted([*again, *map(add, presences, map(_once, presences.values()))])


@lru_cache(maxsize=1 << 12)  # most numbers are small
def _once(presences: int) -> str:
    """How the entry of a token ends that stands in no document twice."""
    return f"\n{presences},{presences}"


def text(row: Row) -> str:
    """The row as JSON.

    >>> text([0, 2, 1])
    '[0,2,1]'
    """
    return f"[{','.join(map(str, row))}]"


def single_tokens(bag: Bag) -> dict[str, int]:
    """A bag without n-grams of several tokens, which the space between these gives away.

    >>> single_tokens({"free": 2, "offer": 1, "free offer": 1})
    {'free': 2, 'offer': 1}
    """
    return {token: count for token, count in bag.items() if " " not in token}


def among(rows: Mapping[str, Row], tokens: Iterable[str]) -> dict[str, Row]:
    """The rows of those of the tokens that have one.

    >>> among({"at": [0, 1, 1]}, ["at", "noon"])
    {'at': [0, 1, 1]}
    """
    return {token: rows[token] for token in tokens if token in rows}


def is_of_one_document(row: Row) -> bool:
    """Whether the token stands in a single document.

    >>> is_of_one_document([3, 2, 1]), is_of_one_document([3, 2, 1, 4, 1, 1])
    (True, False)
    """
    return len(row) == 3 and row[PRESENCES] == 1


def dense(row: Sequence[int], column: int, classes: int) -> list[int]:
    """One statistic of a row for every class: column 1 its occurrences, column 2 its presences.

    >>> dense([0, 2, 1, 2, 7, 3], 1, classes=4)
    [2, 0, 7, 0]
    """
    counts = [0] * classes
    for index, count in zip(row[::3], row[column::3], strict=True):
        counts[index] = count
    return counts


def of_class(row: Row, column: int, index: int) -> int:
    """One statistic of a row for a class that has the token: column 1 its occurrences, column 2 its presences.

    >>> of_class([0, 2, 1, 2, 7, 3], 1, 2)
    7
    """
    return row[3 * row[::3].index(index) + column]


def shifted(row: Row, index: int, occurrences: int, documents: int) -> Row:
    """The row with so many more occurrences and documents of a class; classes that reach zero are left out.

    >>> shifted([0, 2, 1], 1, 5, 1), shifted([0, 2, 1, 1, 5, 1], 0, -2, -1)
    ([0, 2, 1, 1, 5, 1], [1, 5, 1])

    Raises: ValueError if a count would fall below zero, or one of a pair would reach zero alone.
    """
    cells = {i: (n, d) for i, n, d in zip(row[::3], row[1::3], row[2::3], strict=True)}
    n, d = cells.get(index, (0, 0))
    n, d = n + occurrences, d + documents
    if not 0 <= d <= n or (n > 0) > (d > 0):
        raise ValueError("a count would fall below zero")
    cells[index] = n, d
    return [value for i in sorted(cells) if cells[i] != (0, 0) for value in (i, *cells[i])]


def less(row: Row, part: Row) -> Row:
    """The row without the counts of a part of its documents; classes that reach zero are left out.

    >>> less([0, 2, 1, 1, 5, 3], [1, 1, 1]), less([0, 2, 1], [0, 2, 1])
    ([0, 2, 1, 1, 4, 2], [])
    """
    left = row.copy()
    for index, occurrences, documents in zip(part[::3], part[1::3], part[2::3], strict=True):
        at = 3 * left[::3].index(index)
        if left[at + 2] == documents:
            del left[at : at + 3]
        else:
            left[at + 1] -= occurrences
            left[at + 2] -= documents
    return left


def merged(runs: Sequence[tuple[Sequence[int], Iterable[tuple[str, Row]]]]) -> Iterator[tuple[str, Row]]:
    """Sorted runs of rows as one, counts of the same token added; each run brings its classes' new numbers.

    >>> list(merged([([0], [("at", [0, 1, 1])]), ([1, 0], [("at", [0, 2, 1, 1, 3, 2])])]))
    [('at', [0, 4, 3, 1, 2, 1])]

    Memory: one row a run.
    """
    from heapq import merge  # a start can do without it

    renumbered = (_renumbered(run, numbers) for numbers, run in runs)
    for token, group in groupby(merge(*renumbered), key=itemgetter(0)):
        rows = [row for _, row in group]
        yield token, rows[0] if len(rows) == 1 else _added(rows)


def _added(rows: Iterable[Row]) -> Row:
    occurrences: Counter[int] = Counter()
    presences: Counter[int] = Counter()
    for row in rows:
        for index, n, d in zip(row[::3], row[1::3], row[2::3], strict=True):
            occurrences[index] += n
            presences[index] += d
    return [value for index in sorted(occurrences) for value in (index, occurrences[index], presences[index])]


def _renumbered(run: Iterable[tuple[str, Row]], numbers: Sequence[int]) -> Iterable[tuple[str, Row]]:
    if list(numbers) == list(range(len(numbers))):
        return run
    return ((token, _with_numbers(row, numbers)) for token, row in run)


def _with_numbers(row: Row, numbers: Sequence[int]) -> Row:
    if len(row) == 3:
        return [numbers[row[0]], row[1], row[2]]
    cells = sorted((numbers[i], n, d) for i, n, d in zip(row[::3], row[1::3], row[2::3], strict=True))
    return [value for cell in cells for value in cell]
