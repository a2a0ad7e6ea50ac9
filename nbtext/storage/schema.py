"""The model file's tables: one SQLite database of counts, and of their totals under the default hyperparameters.

    setting     name, value                         the analysis, the default hyperparameters and more
    class       id, label, documents, positions, vocabulary positions and presences under the default hyperparameters
    block       first, tokens, counts, next         a run of tokens, sorted, a line each, and the counts of each, a line
                                                    each: class, occurrences, documents, class, ...
    spread      class, documents, tokens            how many vocabulary tokens are in exactly this many of its documents
    excluded    token, why                          "stopword" or "dropped" under the default hyperparameters
    learned     first, digests, counts, next        the same of documents, so that none is learned twice: the digest
                                                    plus 2^63 in hexadecimal; class, how many times, class, ...
    sample      digest, class, bag                  the documents with the lowest digests, to calibrate posteriors on
    corpus      path                                where the documents came from, relative to the model file

Every row ends in a CRC-32 of its values, checked whenever it is read. Where no row may be missing, rows are counted or
linked: a flipped bit is an error, never a wrong answer. A label is TEXT, or a BLOB of the folder's bytes if these are
not UTF-8. The file is not trusted: nothing in it is run, and names in it are looked up in lists.

A block, of `block` or `learned`, has every token or digest from its key, `first`, up to the key of the next block,
`next`, which is NULL in the last; the key of the first block is empty. So each entry belongs to exactly one block, and
one look-up finds it, or shows that it does not exist. A missing block leaves a gap between the others. With 32 tokens
in a row, writing and reading take a third of the time that one row per token takes. The tables have a rowid, since
without one SQLite puts rows of more than 1,000 bytes partly on extra pages: the file would be twice as large.
"""

import os
from collections.abc import Iterable
from typing import Any, NamedTuple
from zlib import crc32

APPLICATION_ID = 0x6E627478  # "nbtx"
VERSION = 2  # 1 had a row for each token

SCHEMA = (
    "CREATE TABLE setting (name TEXT PRIMARY KEY, value, crc INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE class (id INTEGER PRIMARY KEY, label NOT NULL UNIQUE, documents INTEGER NOT NULL,"
    " positions INTEGER NOT NULL, vocabulary_positions INTEGER NOT NULL, vocabulary_presences INTEGER NOT NULL,"
    " crc INTEGER NOT NULL)",
    "CREATE TABLE excluded (token TEXT PRIMARY KEY, why TEXT NOT NULL, crc INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE corpus (path PRIMARY KEY, crc INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE spread (class INTEGER NOT NULL, documents INTEGER NOT NULL, tokens INTEGER NOT NULL,"
    " crc INTEGER NOT NULL, PRIMARY KEY (class, documents)) WITHOUT ROWID",
    "CREATE TABLE sample (digest INTEGER NOT NULL, class INTEGER NOT NULL, bag TEXT NOT NULL, crc INTEGER NOT NULL,"
    " PRIMARY KEY (digest, class)) WITHOUT ROWID",
    "CREATE TABLE learned (first TEXT PRIMARY KEY, digests TEXT NOT NULL, counts TEXT NOT NULL, next TEXT,"
    " crc INTEGER NOT NULL)",
    "CREATE TABLE block (first TEXT PRIMARY KEY, tokens TEXT NOT NULL, counts TEXT NOT NULL, next TEXT,"
    " crc INTEGER NOT NULL)",
)
COLUMNS = {
    "setting": 2, "class": 6, "excluded": 2, "corpus": 1, "spread": 3, "sample": 3, "learned": 4, "block": 4
}  # fmt: skip
SEPARATOR = "\x1f"
LARGEST = 2**63 - 1  # that SQLite can add up
COUNTED = ("sample", "corpus")  # tables whose number of rows is a setting, so that a lost row is noticed

Value = Any  # what SQLite holds: str, bytes, int, float or None


class Class(NamedTuple):
    """A class. If all its documents were unlearned, it is never an answer; its name stays unless it is the last class.

    positions             tokens in its documents, repeats included
    vocabulary_positions  those in the vocabulary of the default hyperparameters
    vocabulary_presences  (token, document) pairs with tokens in this vocabulary
    """

    label: str
    documents: int
    positions: int
    vocabulary_positions: int
    vocabulary_presences: int

    def is_possible(self) -> bool:
        """Whether the numbers are possible: every document has a token, and the vocabulary has no more than all."""
        return (
            0 <= self.vocabulary_presences <= self.vocabulary_positions <= self.positions
            and 0 <= self.documents <= self.positions
            and (self.documents > 0 or self.positions == 0)
        )


def checksum(values: Iterable[Value]) -> int:
    """The CRC-32 that ends a row of these values."""
    return crc32(SEPARATOR.join(map(str, values)).encode())


def stored_name(name: str) -> str | bytes:
    """A label or path as SQLite can store it: the bytes of a file name that is not UTF-8.

    Raises: ValueError if it is no file name either.
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        try:
            return os.fsencode(name)
        except UnicodeEncodeError:
            raise ValueError(f"{name!r} has a lone surrogate, so it can be neither a label nor a path") from None
    return name
