"""Counts packed: what memory holds of a corpus once it is counted, and disk of what memory has no room for.

A cell is what a class has of a token, as text: "occurrences,presences". A run of cells is a list of blocks, each of
them the cells of a stretch of tokens: for each class that has any, its tokens, sorted, and their cells. So packed they
take a sixth of what dictionaries do, travel between processes as bytes, and are the same in memory and on disk. Runs
are merged stretch by stretch, in any order of these, so that processes can share the merging.
"""

import marshal
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, compress, pairwise
from operator import attrgetter
from typing import NamedTuple

from . import runs
from .runs import Place

BLOCK = 1000  # cells in a block, about
STRETCH = 50  # blocks that are merged at a time, if there are not even more runs
SAMPLED = 50  # of the tokens one in so many decides where blocks are cut
SEPARATOR = "\n"  # which no token holds

Column = tuple[list[str], list[str]]  # the tokens of a class, sorted, and their cells
Columns = Mapping[str, Column]  # label -> what the class has


class Block(NamedTuple):
    """The cells of a stretch of tokens.

    first   no token of it is lower
    packed  (label, tokens, cells) for each class that has any, or where on disk that is
    """

    first: str
    packed: bytes | Place


Run = list[Block]  # in the order of the tokens


def packed(columns: Columns) -> Run:
    """The run of the cells of each class.

    >>> run = packed({"ham": (["at", "noon"], ["2,1", "1,1"]), "spam": (["at"], ["1,1"])})
    >>> stretch([run], "b", None)
    {'ham': (['noon'], ['1,1'])}
    """
    sample = sorted(chain.from_iterable(tokens[SAMPLED // 2 :: SAMPLED] for tokens, _ in columns.values()))
    edges = dict.fromkeys(sample[BLOCK // SAMPLED :: BLOCK // SAMPLED])
    starts = dict.fromkeys(columns, 0)
    run = []
    for end in [*edges, None]:
        first = None
        parts = []
        for label, (tokens, cells) in columns.items():
            start = starts[label]
            stop = starts[label] = _place(tokens, end)
            if start < stop:
                parts.append((label, SEPARATOR.join(tokens[start:stop]), SEPARATOR.join(cells[start:stop])))
                first = tokens[start] if first is None else min(first, tokens[start])
        if first is not None:
            run.append(Block(first, marshal.dumps(parts)))
    return run


def on_disk(blocks: Iterable[Block], folder: str) -> Run:
    """The run of the blocks, in a file of its own.

    Raises: ModelError if there is no room on the disk.
    """
    with runs.keeping(folder) as keep:
        return [Block(block.first, keep(_bytes(block))) for block in blocks]


def in_memory(run: Run) -> int:
    """How many bytes the run takes in memory, about."""
    return sum(len(block.packed) for block in run if isinstance(block.packed, bytes))


def files(some: Iterable[Run]) -> set[str]:
    """Where runs are on disk."""
    return {block.packed.path for run in some for block in run if isinstance(block.packed, Place)}


def stretches(some: Sequence[Run]) -> list[tuple[str, str | None]]:
    """Where stretches of tokens start and end, so large that few blocks are in two of them; the last has no end."""
    firsts = sorted(block.first for run in some for block in run)
    blocks = max(STRETCH, len(some))
    return list(pairwise(["", *dict.fromkeys(firsts[blocks::blocks]), None]))


def stretch(some: Iterable[Run], start: str, end: str | None, *, single: bool = False) -> dict[str, Column]:
    """The cells of each class from the start on and before the end, those of all the runs added up.

    single  without n-grams of several tokens, which the space between these gives away
    """
    found: defaultdict[str, list[Column]] = defaultdict(list)
    for run in some:
        for label, column in _cut(run, start, end, single).items():
            found[label].append(column)
    return {label: columns[0] if len(columns) == 1 else _added(columns) for label, columns in found.items()}


def _cut(run: Run, start: str, end: str | None, single: bool) -> dict[str, Column]:
    first = max(bisect_right(run, start, key=attrgetter("first")) - 1, 0)
    last = len(run) if end is None else bisect_left(run, end, key=attrgetter("first"))
    found: defaultdict[str, Column] = defaultdict(lambda: ([], []))
    for block in run[first:last]:
        for label, *joined in marshal.loads(_bytes(block)):
            tokens, cells = (column.split(SEPARATOR) for column in joined)
            inside = slice(bisect_left(tokens, start), _place(tokens, end))
            tokens, cells = tokens[inside], cells[inside]
            if single:
                mask = [" " not in token for token in tokens]
                tokens, cells = compress(tokens, mask), compress(cells, mask)
            found[label][0].extend(tokens)
            found[label][1].extend(cells)
    return found


def _place(tokens: Sequence[str], end: str | None) -> int:
    """How many of the tokens come before the end."""
    return len(tokens) if end is None else bisect_left(tokens, end)


def _bytes(block: Block) -> bytes:
    return block.packed if isinstance(block.packed, bytes) else runs.bytes_at(block.packed)


def _added(columns: Sequence[Column]) -> Column:
    sums = dict(zip(*columns[0], strict=True))
    for column in columns[1:]:
        for token, cell in zip(*column, strict=True):
            sums[token] = _sum(sums[token], cell) if token in sums else cell
    tokens = sorted(sums)
    return tokens, [sums[token] for token in tokens]


@lru_cache(maxsize=1 << 12)  # most numbers are small
def _sum(cell: str, other: str) -> str:
    (n, d), (more, others) = numbers(cell), numbers(other)
    return f"{n + more},{d + others}"


def numbers(cell: str) -> tuple[int, int]:
    """The occurrences and presences of a cell.

    >>> numbers("2,1")
    (2, 1)
    """
    n, _, d = cell.partition(",")
    return int(n), int(d)
