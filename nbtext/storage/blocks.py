"""Sorted entries in blocks of about thirty; each block is a row of the model file.

An entry is a key and a text: a token and its counts, or a document's digest and the classes that have learned it.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice, starmap
from operator import itemgetter
from typing import NamedTuple

from .database import Database
from .schema import Value, checksum

BLOCK = 32  # entries in a new block; a block with more than twice as many is split
AT_ONCE = 100  # keys looked up by one query

# The rowid is looked up separately, since that needs only the index
LOOK_UP = (
    "WITH wanted(key) AS (VALUES {places}) SELECT key, {table}.* FROM wanted CROSS JOIN {table}"
    " ON {table}.rowid = (SELECT rowid FROM {table} WHERE first <= key ORDER BY first DESC LIMIT 1)"
)

BLOCK_LINES = rf"(?:.*\n){{1,{BLOCK}}}"  # not compiled, as most starts do not need it
ENTRIES = 1000  # in a part made of single entries

Part = tuple[str, str]  # keys, sorted, and their texts, each a line with a line break at its end
Values = tuple[str, str, str, str | None]  # of a block, as in a row of the file
TEXT = {str, type(None)}  # types of these


class Block(NamedTuple):
    """A run of entries.

    first  the key of the block: entries from this key on belong to it; "" in the first block
    keys   of its entries, sorted
    texts  of its entries
    next   the key of the next block, where this one ends; None in the last block
    """

    first: str
    keys: Sequence[str]
    texts: Sequence[str]
    next: str | None

    def values(self) -> Values:
        """The block as a row of the file."""
        return self.first, "\n".join(self.keys), "\n".join(self.texts), self.next

    def owns(self, key: str) -> bool:
        """Whether an entry with this key belongs to the block."""
        return self.first <= key and (self.next is None or key < self.next)

    def get(self, key: str) -> str | None:
        """The text of the entry with this key, if there is one; the key must belong to the block."""
        place = bisect_left(self.keys, key)
        return self.texts[place] if self.keys[place : place + 1] == [key] else None


def read_block(first: str, keys: str, texts: str, following: str | None) -> Block:
    """The block from its row in the file.

    >>> read_block("", "at\\nlunch", "0,2,1\\n0,1,1", None).get("lunch")
    '0,1,1'

    Raises: ValueError if it does not have as many texts as keys.
    """
    block = Block(first, _lines(keys), _lines(texts), following)
    if len(block.keys) != len(block.texts):
        raise ValueError(f"{len(block.keys)} tokens have {len(block.texts)} counts")
    return block


def _lines(text: str) -> list[str]:
    return text.split("\n") if text else []


def in_parts(entries: Iterable[tuple[str, str]]) -> Iterator[Part]:
    """Keys, sorted, and their texts, in parts.

    >>> list(in_parts([("at", "0,2,1"), ("noon", "0,1,1")]))
    [('at\\nnoon\\n', '0,2,1\\n0,1,1\\n')]

    Raises: ValueError for a key with a line break.
    """
    rest = iter(entries)
    while some := list(islice(rest, ENTRIES)):
        keys, texts = ("".join([f"{line}\n" for line in lines]) for lines in zip(*some, strict=True))
        if keys.count("\n") > len(some):
            raise ValueError("a token with a line break, which no tokenizer may make")
        yield keys, texts


def cut_blocks(parts: Iterable[Part]) -> Iterator[Values]:
    """The blocks of sorted entries, which are given in parts of any size, as rows of the file.

    >>> list(cut_blocks([("at\\n", "0,2,1\\n"), ("lunch\\nnoon\\n", "0,1,1\\n0,1,1\\n")]))
    [('', 'at\\nlunch\\nnoon', '0,2,1\\n0,1,1\\n0,1,1', None)]
    """
    first, keys, texts = "", "", ""
    for more_keys, more_texts in parts:
        if not more_keys:
            continue
        *blocks, keys = re.findall(BLOCK_LINES, keys + more_keys)  # at least one entry stays, in case it is the last
        *texts_of_blocks, texts = re.findall(BLOCK_LINES, texts + more_texts)
        for own_keys, own_texts, following in zip(blocks, texts_of_blocks, [*blocks, keys][1:], strict=True):
            after = following[: following.index("\n")]
            yield first, own_keys[:-1], own_texts[:-1], after
            first = after
    yield first, keys[:-1], texts[:-1], None


def changed_blocks(block: Block, changes: Mapping[str, str]) -> list[Block]:
    """The blocks that replace a block after giving some entries new texts; an empty text removes an entry.

    >>> changed_blocks(Block("", ["at", "noon"], ["0,2,1", "0,1,1"], None), {"lunch": "1,1,1", "at": ""})
    [Block(first='', keys=['lunch', 'noon'], texts=['1,1,1', '0,1,1'], next=None)]
    """
    keys, texts = list(block.keys), list(block.texts)
    for key, text in changes.items():
        place = bisect_left(keys, key)
        old = slice(place, place + (keys[place : place + 1] == [key]))
        keys[old], texts[old] = ([key], [text]) if text else ([], [])
    if len(keys) <= 2 * BLOCK:
        return [Block(block.first, keys, texts, block.next)]
    first, *more = starmap(read_block, cut_blocks(in_parts(zip(keys, texts, strict=True))))
    return [first._replace(first=block.first), *more[:-1], more[-1]._replace(next=block.next)]


class BlockTable:
    """A table of blocks in an open model file.

    Every entry belongs to exactly one block, which has its text, or shows that it does not exist. A missing block is
    noticed, because then the block that is found does not include the entry's key.

    table   its name
    column  the column with the keys
    """

    def __init__(self, database: Database, table: str, column: str) -> None:
        self.database = database
        self.table = table
        self.column = column

    def look_up(self, keys: Iterable[str]) -> Iterator[tuple[str, str]]:
        """The existing ones among the entries with these keys."""
        for key, block in self._blocks_of(sorted(keys)):
            text = block.get(key)
            if text is not None:
                yield key, text

    def blocks(self) -> Iterator[Block]:
        """All blocks that have entries, after a check that none is missing and their keys are sorted."""
        for values in self._rows():
            block = self._block(values)
            if block.keys:
                self._check_keys(block)
                yield block

    def parts(self) -> Iterator[Part]:
        """All entries, after a check that no row is missing; the caller must check that the keys of each are sorted."""
        for values in self._rows():
            first, keys, texts, following = values
            if not (keys or texts):
                continue
            low, high = keys.partition("\n")[0], keys.rpartition("\n")[2]
            if keys.count("\n") != texts.count("\n") or low < first or (following is not None and high >= following):
                self._check_keys(self._block(values))
            yield f"{keys}\n", f"{texts}\n"

    def _rows(self) -> Iterator[Values]:
        """All rows, after a check that none is missing."""
        key: str | None = ""
        for values in self.database.select(f"SELECT * FROM {self.table} ORDER BY first"):
            if values[0] != key:
                break
            yield self._checked(values)
            key = values[3]
        if key is not None:
            raise self.database.damaged(f"the rows of table {self.table} from {key!r} on are missing")

    def add(self, parts: Iterable[Part]) -> None:
        """Write all entries of a new model."""
        self.database.put(self.table, cut_blocks(parts))

    def change(self, texts: Mapping[str, str]) -> None:
        """Give entries new texts; those with an empty text are removed."""
        emptied = []
        for keys in _batches(sorted(texts)):
            updated, added = [], []
            for block, group in groupby(list(self._blocks_of(keys)), key=itemgetter(1)):
                changed, *more = changed_blocks(block, {key: texts[key] for key, _ in group})
                updated.append(changed)
                added += more
                if not changed.keys:
                    emptied.append(changed.first)
            self._update(updated)
            self.database.put(self.table, (block.values() for block in added))
        for first in filter(None, emptied):  # all but the very first block
            self._take_out_emptied(first)

    def _update(self, blocks: Iterable[Block]) -> None:
        rows = ((*(values := block.values())[1:], checksum(values), block.first) for block in blocks)
        update = f"UPDATE {self.table} SET {self.column} = ?, counts = ?, next = ?, crc = ? WHERE first = ?"
        with self.database.translated():
            self.database.connection.executemany(update, rows)

    def _take_out_emptied(self, first: str) -> None:
        [(_, block)] = self._blocks_of([first])
        if not block.keys:  # otherwise it has other entries by now
            query = f"SELECT * FROM {self.table} WHERE first < ? ORDER BY first DESC LIMIT 1"
            [before] = self.database.select(query, [first])
            self._update([self._block(self._checked(before))._replace(next=block.next)])
            self.database.delete(self.table, first=first)

    def _blocks_of(self, keys: Sequence[str]) -> Iterator[tuple[str, Block]]:
        """Some sorted keys, each with the block that it belongs to."""
        block = None
        with self.database.translated():
            for some in _batches(keys):
                query = LOOK_UP.format(table=self.table, places=", ".join(["(?)"] * len(some)))
                seen = 0
                for key, *values in self.database.connection.execute(query, some):
                    if block is None or values[0] != block.first:
                        block = self._block(self._checked(self.database.sound(tuple(values))))
                    if not block.owns(key):
                        raise self.database.damaged(f"rows of table {self.table} next to {block.first!r} are missing")
                    yield key, block
                    seen += 1
                if seen < len(some):
                    raise self.database.damaged(f"the first rows of table {self.table} are missing")

    def _checked(self, values: tuple[Value, ...]) -> Values:
        """A row, after a check that it is text."""
        if not {*map(type, values)} <= TEXT:
            raise self.database.damaged(f"in table {self.table}, from {values[0]!r} on, a row that is not text")
        return values

    def _block(self, values: Values) -> Block:
        try:
            return read_block(*values)
        except ValueError as error:
            raise self.database.damaged(f"in table {self.table}, from {values[0]!r} on, {error}") from None

    def _check_keys(self, block: Block) -> None:
        keys = block.keys
        if not (keys[0] and block.owns(keys[0]) and block.owns(keys[-1])) or any(map(str.__ge__, keys, keys[1:])):
            raise self.database.damaged(f"the rows of table {self.table} from {block.first!r} on are not sorted")


def _batches(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    return (keys[start : start + AT_ONCE] for start in range(0, len(keys), AT_ONCE))
