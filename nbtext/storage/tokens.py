"""The counts of tokens in a model file: looked up, read through, written in bulk, changed one by one."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from ..counting.rows import Row, text
from .blocks import Block, changed_blocks, covers, cut_blocks, read_block
from .database import Database
from .schema import LARGEST, checksum

AT_ONCE = 100  # tokens looked up by one query
ROWS_READ_PER_LOOK_UP = 8  # in the same time, about
MOST_IN_MEMORY = 500_000  # tokens, some 100 MB
CHARACTERS_READ = 2_000_000  # of rows that are kept as numbers, in some ten times as many bytes

# Newer versions of Unicode have more printable characters, but no more of these
CONTROLS = frozenset(map(chr, [*range(0x20), *range(0x7F, 0xA0)]))

# The rowid is looked up by itself, for that takes the index only
LOOK_UP = (
    "WITH wanted(token) AS (VALUES {}) SELECT token, block.* FROM wanted CROSS JOIN block"
    " ON block.rowid = (SELECT rowid FROM block WHERE first <= token ORDER BY first DESC LIMIT 1)"
)


class TokenTable(Database):
    """The counts of tokens in an open model file. Everything it returns has been checked."""

    # Reading

    def rows(self, tokens: Iterable[str]) -> dict[str, Row]:
        """The counts of those of the tokens that the model knows."""
        wanted = sorted(tokens)  # so that those of one block follow each other
        found = {}
        for some in _batches(wanted):
            for token, block in self._blocks_of(some):
                counts = block.get(token)
                if counts is not None:
                    found[token] = self.row(token, counts)
        return found

    def tokens(self) -> Iterator[tuple[str, Row]]:
        """Every token with its counts, sorted."""
        return ((token, self.row(token, counts)) for token, counts in self.texts())

    def texts(self) -> Iterator[tuple[str, str]]:
        """Every token with its counts as text, sorted."""
        for tokens, counts in self.blocks():
            yield from zip(tokens.split("\n"), counts.split("\n"), strict=True)

    def blocks(self) -> Iterator[tuple[str, str]]:
        """All tokens, sorted, and their counts, in parts: a line for each token, "class,occurrences,documents,...".

        Each part has passed its checksum, none is missing, their tokens are sorted, and have as many lines of counts.
        What these say is to be checked by who parses them (`row` does): that they are numbers, and possible.
        """
        key: str | None = ""
        for first, tokens, counts, following in self.select("SELECT * FROM block ORDER BY first"):
            if first != key:
                break
            if tokens:
                self._check_tokens(self._block(first, tokens, counts, following))
                yield tokens, counts
            key = following
        if key is not None:
            raise self.damaged(f"the tokens from {key!r} on are missing")

    def row(self, token: str, counts: str) -> Row:
        """The counts of a token from their text."""
        try:
            row = list(map(int, counts.split(",")))
        except ValueError:
            raise self.damaged(f"the counts of {token!r} are no numbers") from None
        if len(row) % 3 or not self._is_possible(row):
            raise self.damaged(f"the counts of {token!r} are impossible")
        return row

    def _is_possible(self, row: Row) -> bool:
        """Whether the classes ascend, have so many documents, and the token occurs in each of these."""
        documents = self.documents
        values = iter(row)
        last = -1
        for index, n, d in zip(values, values, values, strict=True):  # a loop: most rows have few classes
            if not 0 < d <= n <= LARGEST or index <= last:
                return False
            if documents is not None and (index >= len(documents) or d > documents[index]):
                return False
            last = index
        return True

    def _blocks_of(self, tokens: Sequence[str]) -> Iterator[tuple[str, Block]]:
        """Each of some sorted tokens with the block it belongs into."""
        block, known = None, None
        seen = 0
        with self.translated():
            for token, *values in self.connection.execute(LOOK_UP.format(", ".join(["(?)"] * len(tokens))), tokens):
                if block is None or values[0] != known:
                    block = self._block(*self.sound(tuple(values)))
                    known = block.first
                if not covers(block.first, block.next, token):
                    raise self.damaged(f"tokens before or after {block.first!r} are missing")
                yield token, block
                seen += 1
        if seen < len(tokens):
            raise self.damaged("its first tokens are missing")

    def _block(self, first: str, tokens: str, counts: str, following: str | None) -> Block:
        try:
            return read_block(first, tokens, counts, following)
        except (ValueError, AttributeError) as error:
            raise self.damaged(f"from {first!r} on {error}") from None

    def _check_tokens(self, block: Block) -> None:
        """That they are sorted and its own, and none can drive a terminal or is empty."""
        tokens = block.tokens
        own = covers(block.first, block.next, tokens[0]) and covers(block.first, block.next, tokens[-1])
        if not (own and tokens[0]) or any(map(str.__ge__, tokens, tokens[1:])):
            raise self.damaged(f"the tokens from {block.first!r} on are not sorted")
        if not (every := "".join(tokens)).isprintable() and not CONTROLS.isdisjoint(every):
            raise self.damaged(f"a token from {block.first!r} on has a control character")

    # Writing

    def add_tokens(self, parts: Iterable[tuple[Sequence[str], Sequence[str]]]) -> None:
        """Write all tokens of a new model.

        parts  sorted tokens and the counts of each as text, "class,occurrences,documents,class,..."; of any size
        """
        self.put("block", (block.values() for block in cut_blocks(parts)))

    def change_tokens(self, rows: Iterable[tuple[str, Row]]) -> None:
        """Give tokens new counts; those with an empty row are taken out."""
        changes = {token: text(row) for token, row in rows}
        emptied = []
        for tokens in _batches(sorted(changes)):
            updated, added = [], []
            for block, group in groupby(list(self._blocks_of(tokens)), key=itemgetter(1)):
                changed, *more = changed_blocks(block, {token: changes[token] for token, _ in group})
                updated.append(changed)
                added += more
                if not changed.tokens:
                    emptied.append(changed.first)
            self._update(updated)
            self.put("block", (block.values() for block in added))
        for first in filter(None, emptied):  # all but the first of all blocks
            self._take_out_emptied(first)

    def _update(self, blocks: Iterable[Block]) -> None:
        rows = ((*(values := block.values())[1:], checksum(values), block.first) for block in blocks)
        with self.translated():
            self.connection.executemany(
                "UPDATE block SET tokens = ?, counts = ?, next = ?, crc = ? WHERE first = ?", rows
            )

    def _take_out_emptied(self, first: str) -> None:
        [(_, block)] = self._blocks_of([first])
        if not block.tokens:  # else it got others meanwhile
            [before] = self.select("SELECT * FROM block WHERE first < ? ORDER BY first DESC LIMIT 1", [first])
            self._update([self._block(*before)._replace(next=block.next)])
            self.delete("block", first=first)


def _batches(tokens: Sequence[str]) -> Iterator[Sequence[str]]:
    return (tokens[start : start + AT_ONCE] for start in range(0, len(tokens), AT_ONCE))


class LookUp:
    """Rows of tokens from a model file: looked up one by one, until so many have been that reading all is quicker.

    size  about how many tokens the model has
    """

    def __init__(self, store: TokenTable, size: int) -> None:
        self.store = store
        self.patience = size // ROWS_READ_PER_LOOK_UP if size <= MOST_IN_MEMORY else None
        self.asked = 0
        self.all: dict[str, str] | None = None
        self.read: dict[str, Row] = {}  # rows by their text: most tokens are rare, and many have the same
        self.room = CHARACTERS_READ  # for more of them

    def __call__(self, tokens: Iterable[str]) -> dict[str, Row]:
        """The rows of those of the tokens that the model knows."""
        wanted = list(tokens)
        self.asked += len(wanted)
        if self.all is None and self.patience is not None and self.asked > self.patience:
            self.all = dict(self.store.texts())
        if self.all is None:
            return self.store.rows(wanted)
        found = {token: self.all[token] for token in wanted if token in self.all}
        for token, counts in found.items():
            if counts not in self.read:
                self.read[counts] = self.store.row(token, counts)
                self.room -= len(counts)
        rows = {token: self.read[counts] for token, counts in found.items()}
        if self.room < 0:
            self.read.clear()
            self.room = CHARACTERS_READ
        return rows
