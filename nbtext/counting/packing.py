"""Counts packed: what memory holds of a corpus once it is counted, and disk of what memory has no room for.

    cell    what a class has of a token, as text: "occurrences,presences"
    entry   a token and its cell, on lines of their own: so entries sort as their tokens do, which hold no control
            character
    block   the entries of a stretch of tokens: for each class that has any, all of them as one text
    run     blocks in order

So packed, counts take a sixth of what they do in dictionaries, travel between processes as bytes, and are the same in
memory and on disk. Runs are merged stretch by stretch, in any order of these, so that processes can share the merging.
"""

import marshal
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, compress
from operator import attrgetter
from typing import NamedTuple

from . import runs
from .runs import Place

BLOCK = 1000  # cells in a block, about
STRETCH = 50  # blocks that are merged at a time, if there are not even more runs
SAMPLED = 50  # of the tokens one in so many decides where blocks are cut

Column = tuple[list[str], list[str]]  # the tokens of a class, sorted, and their cells
Columns = Mapping[str, Column]  # label -> what the class has
Texts = tuple[list[str], list[str]]  # tokens, sorted, and their rows as model files hold them


class Block(NamedTuple):
    """The cells of a stretch of tokens.

    first   no token of it is lower
    packed  (label, entries) for each class that has any, or where on disk that is
    """

    first: str
    packed: bytes | Place


Run = list[Block]  # in the order of the tokens


def packed(entries: Mapping[str, list[str]]) -> Run:
    """The run of the entries of each class, which are sorted.

    >>> run = packed({"ham": ["at\\n2,1", "noon\\n1,1"], "spam": ["at\\n1,1"]})
    >>> stretch([run], "b", None)
    {'ham': (['noon'], ['1,1'])}
    """
    sample = sorted(chain.from_iterable(own[SAMPLED // 2 :: SAMPLED] for own in entries.values()))
    edges = dict.fromkeys(map(_token, sample[BLOCK // SAMPLED :: BLOCK // SAMPLED]))
    starts = dict.fromkeys(entries, 0)
    run = []
    for end in [*edges, None]:
        parts = []
        for label, own in entries.items():
            start = starts[label]
            stop = starts[label] = _before(own, end)
            if start < stop:
                parts.append((label, own[start:stop]))
        if parts:
            first = min(_token(some[0]) for _, some in parts)
            run.append(Block(first, marshal.dumps([(label, "\n".join(some)) for label, some in parts])))
    return run


def packed_again(columns: Columns) -> Run:
    """The same of columns."""
    return packed({label: list(map("\n".join, zip(*column, strict=True))) for label, column in columns.items()})


def on_disk(blocks: Iterable[Block], folder: str) -> Run:
    """The run of the blocks, in a file of its own.

    Raises: ModelError if there is no room on the disk.
    """
    with runs.keeping(folder) as keep:
        return [Block(block.first, keep(_bytes(block))) for block in blocks]


def bytes_in_memory(run: Run) -> int:
    """How many bytes the run takes in memory, about."""
    return sum(len(block.packed) for block in run if isinstance(block.packed, bytes))


def files(some: Iterable[Run]) -> set[str]:
    """Where runs are on disk."""
    return {block.packed.path for run in some for block in run if isinstance(block.packed, Place)}


def stretches(some: Sequence[Run]) -> list[tuple[str, str | None]]:
    """Where stretches of tokens start and end, so large that few blocks are in two of them; the last has no end."""
    firsts = sorted(block.first for run in some for block in run)
    blocks = max(STRETCH, len(some))
    starts = ["", *dict.fromkeys(firsts[blocks::blocks])]
    return list(zip(starts, [*starts[1:], None], strict=True))


def stretch(some: Iterable[Run], start: str, end: str | None, *, single: bool = False) -> dict[str, Column]:
    """The cells of each class from the start on and before the end, those of all the runs added up.

    single  without n-grams of several tokens, which the space between these gives away
    """
    found: defaultdict[str, list[Column]] = defaultdict(list)
    for run in some:
        cut = _cut(run, start, end)
        for label, column in (without_ngrams(cut) if single else cut).items():
            found[label].append(column)
    return {label: columns[0] if len(columns) == 1 else _added(columns) for label, columns in found.items()}


def texts(columns: Columns, labels: Sequence[str]) -> Texts:
    """The tokens of all classes, sorted, and their rows as text.

    labels  the place of a class among them is its number

    >>> texts({"ham": (["at", "noon"], ["2,1", "1,1"]), "spam": (["at"], ["1,1"])}, ["ham", "spam"])
    (['at', 'noon'], ['[0,2,1,1,1,1]', '[0,1,1]'])
    """
    rows: dict[str, str] = {}
    for index, label in enumerate(labels):
        if label in columns:
            tokens, cells = columns[label]
            numbered = {cell: f"{index},{cell}" for cell in set(cells)}  # few, as most are small
            for token, cell in zip(tokens, map(numbered.__getitem__, cells), strict=True):
                rows[token] = f"{rows[token]},{cell}" if token in rows else cell
    tokens = sorted(rows)
    return tokens, [f"[{rows[token]}]" for token in tokens]


def without_ngrams(columns: Columns) -> Columns:
    """The cells of single tokens alone.

    >>> without_ngrams({"ham": (["at", "at noon"], ["2,1", "1,1"])})
    {'ham': (['at'], ['2,1'])}
    """
    single = {}
    for label, (tokens, cells) in columns.items():
        mask = [" " not in token for token in tokens]
        single[label] = list(compress(tokens, mask)), list(compress(cells, mask))
    return single


def _cut(run: Run, start: str, end: str | None) -> dict[str, Column]:
    first = max(bisect_right(run, start, key=attrgetter("first")) - 1, 0)
    last = len(run) if end is None else bisect_left(run, end, key=attrgetter("first"))
    found: defaultdict[str, Column] = defaultdict(lambda: ([], []))
    for block in run[first:last]:
        for label, text in marshal.loads(_bytes(block)):
            lines = text.split("\n")
            tokens, cells = lines[::2], lines[1::2]
            inside = slice(bisect_left(tokens, start), _before(tokens, end))
            tokens, cells = tokens[inside], cells[inside]
            if tokens:
                found[label][0].extend(tokens)
                found[label][1].extend(cells)
    return found


def _token(entry: str) -> str:
    return entry.partition("\n")[0]


def _before(some: Sequence[str], end: str | None) -> int:
    """How many tokens or entries come before the end."""
    return len(some) if end is None else bisect_left(some, end)


def _bytes(block: Block) -> bytes:
    return block.packed if isinstance(block.packed, bytes) else runs.bytes_at(block.packed)


def _added(columns: Sequence[Column]) -> Column:
    sums = dict(zip(*columns[0], strict=True))
    for column in columns[1:]:
        for token, cell in zip(*column, strict=True):
            sums[token] = _sum(sums[token], cell) if token in sums else cell
    tokens = sorted(sums)
    return tokens, [sums[token] for token in tokens]


def _sum(cell: str, other: str) -> str:
    (n, d), (more, others) = numbers(cell), numbers(other)
    return f"{n + more},{d + others}"


@lru_cache(maxsize=1 << 12)  # most numbers are small
def numbers(cell: str) -> tuple[int, int]:
    """The occurrences and presences of a cell.

    >>> numbers("2,1")
    (2, 1)
    """
    n, _, d = cell.partition(",")
    return int(n), int(d)
