"""The counts of tokens in a model file: looked up, read through, written in bulk, changed one by one."""

import re
from collections.abc import Iterable, Iterator

from ..counting.rows import Row, text
from .blocks import BlockTable, Part
from .database import Database
from .schema import LARGEST

ROWS_READ_PER_LOOK_UP = 8  # about as many rows can be read in the time of a look-up
MOST_IN_MEMORY = 500_000  # tokens, about 100 MB
CHARACTERS_READ = 2_000_000  # of rows that are kept as numbers, in about ten times as many bytes

# No token has these. Newer versions of Unicode have more printable characters, but no more of these
CONTROLS = r"[\x00-\x1F\x7F-\x9F\uD800-\uDFFF]"

NO_TOKEN = "a token that is empty or has a control character, which no tokenizer may make"


class TokenTable(Database):
    """The counts of tokens in an open model file. Everything it returns has been checked."""

    @property
    def token_table(self) -> BlockTable:
        """The blocks of tokens."""
        return BlockTable(self, "block", "tokens")

    def rows(self, tokens: Iterable[str]) -> dict[str, Row]:
        """The counts of the tokens that the model has."""
        return {token: self.row(token, counts) for token, counts in self.token_table.look_up(tokens)}

    def tokens(self) -> Iterator[tuple[str, Row]]:
        """Every token with its counts, sorted."""
        return ((token, self.row(token, counts)) for token, counts in self.texts())

    def texts(self) -> Iterator[tuple[str, str]]:
        """Every token with its counts as text, sorted."""
        for block in self.token_table.blocks():
            self._check_characters(block.keys)
            yield from zip(block.keys, block.texts, strict=True)

    def parts(self) -> Iterator[Part]:
        """All tokens and their counts, in parts: a line for each token, "class,occurrences,documents,...".

        Each part has passed its checksum, none is missing, and all have as many tokens as counts. The caller must check
        that the tokens of each are sorted and have no control characters, and, as `row` does, that the counts are
        possible.
        """
        return self.token_table.parts()

    def add_tokens(self, parts: Iterable[Part]) -> None:
        """Write all tokens of a new model.

        parts  sorted tokens, a line each, and the line "class,occurrences,documents,class,..." of each; of any size

        Raises: ValueError for a token that is empty or has a control character.
        """
        self.token_table.add(map(_checked, parts))

    def change_tokens(self, rows: Iterable[tuple[str, Row]]) -> None:
        """Give tokens new counts; those with an empty row are removed.

        Raises: ValueError for a token that is empty or has a control character.
        """
        texts = {token: text(row) for token, row in rows}
        if "" in texts or has_controls("".join(texts)):
            raise ValueError(NO_TOKEN)
        self.token_table.change(texts)

    def row(self, token: str, counts: str) -> Row:
        """The counts of a token from their text."""
        try:
            row = list(map(int, counts.split(",")))
            if not (counts.isascii() and counts.replace(",", "").isdigit()):  # ` 1` and `+1` are numbers to Python
                raise ValueError
        except ValueError:
            raise self.damaged(f"the counts of {token!r} are not numbers") from None
        if len(row) % 3 or not self._is_possible(row):
            raise self.damaged(f"the counts of {token!r} are impossible")
        return row

    def _is_possible(self, row: Row) -> bool:
        """Whether counts are possible: classes ascend, have enough documents, and the token occurs in each of these."""
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

    def _check_characters(self, tokens: Iterable[str]) -> None:
        """Check that no token can control a terminal."""
        if has_controls("".join(tokens)):
            raise self.damaged("a token with a control character")


def has_controls(text: str) -> bool:
    """Whether a text has characters that no token may have: control characters, or lone surrogates."""
    return not text.isprintable() and re.search(CONTROLS, text) is not None


def _checked(part: Part) -> Part:
    """The same tokens and counts, if the tokens can be in a model file."""
    tokens, _ = part
    if tokens.startswith("\n") or "\n\n" in tokens or has_controls(tokens.replace("\n", "")):
        raise ValueError(NO_TOKEN)
    return part


class LookUp:
    """Rows of tokens from a model file: looked up one by one, until reading all of them is faster.

    size  about how many tokens the model has
    """

    def __init__(self, store: TokenTable, size: int) -> None:
        self.store = store
        self.patience = size // ROWS_READ_PER_LOOK_UP if size <= MOST_IN_MEMORY else None
        self.asked = 0
        self.all: dict[str, str] | None = None
        self.read: dict[str, Row] = {}  # rows by their text: most tokens are rare, and many have equal rows
        self.room = CHARACTERS_READ  # for more rows

    def __call__(self, tokens: Iterable[str]) -> dict[str, Row]:
        """The rows of the tokens that the model has."""
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
