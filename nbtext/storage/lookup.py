"""Counts of tokens for a classifier that answers many times."""

from collections.abc import Iterable

from ..counting.rows import Row
from .store import Store

ROWS_READ_PER_LOOK_UP = 8  # in the same time, about
MOST_IN_MEMORY = 500_000  # tokens, some 100 MB
CHARACTERS_READ = 2_000_000  # of rows that are kept as numbers, in some ten times as many bytes


class LookUp:
    """Rows of tokens from a model file: looked up one by one, until so many have been that reading all is quicker.

    size  about how many tokens the model has
    """

    def __init__(self, store: Store, size: int) -> None:
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
