"""The model file: one SQLite database of counts, and of what the model's default reading adds them up to.

    setting     name, value                      how documents are analysed and, by default, how counts are read
    class       id, label, documents, positions, vocabulary positions and presences under the default reading
    token       token, counts, then also link    counts is a JSON list: class, occurrences, presences, class, ...;
                                                 link is the CRC-32 of the token before, the first follows the last
    spread      class, documents, tokens         how many vocabulary tokens are in exactly so many of its documents
    excluded    token, why                       "stopword" or "dropped" under the default reading
    learned     digest, class, times             which documents were counted, so that none is learned twice
    sample      digest, class, bag               the documents with the lowest digests, to calibrate posteriors on
    corpus      path                             where the documents came from, relative to the model file

Every row ends in a CRC-32 of its values, checked whenever it is read, and rows that must be complete are counted or
linked to one another: a flipped bit is an error, never a wrong answer. A label is TEXT, or a BLOB of the folder's
bytes where these are not UTF-8. The file is not trusted: nothing in it is run, and what it names is looked up in
lists. Opening it costs the same whatever its size, for tokens are looked up one by one.
"""

import os
import sqlite3
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import Any, NamedTuple
from zlib import crc32

from ..counting.counts import Row, text
from ..errors import ModelError

APPLICATION_ID = 0x6E627478  # "nbtx"
VERSION = 1
ROWS_READ_PER_LOOK_UP = 8  # in the same time, about
MOST_IN_MEMORY = 500_000  # tokens, some 100 MB
CHARACTERS_READ = 2_000_000  # of rows that are kept as numbers, in some ten times as many bytes
AT_ONCE = 100  # tokens looked up, or added, by one query
LARGEST = 2**63 - 1  # that SQLite can add up
LONGEST_WAIT_SECONDS = 60  # for the turn among concurrent writers

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
    "CREATE TABLE learned (digest INTEGER NOT NULL, class INTEGER NOT NULL, times INTEGER NOT NULL,"
    " crc INTEGER NOT NULL, PRIMARY KEY (digest, class)) WITHOUT ROWID",
    "CREATE TABLE token (token TEXT PRIMARY KEY, counts TEXT NOT NULL, crc INTEGER NOT NULL, link INTEGER NOT NULL)"
    " WITHOUT ROWID",
)
COLUMNS = {
    "setting": 2, "class": 6, "excluded": 2, "corpus": 1, "spread": 3, "sample": 3, "learned": 3
}  # fmt: skip
SEPARATOR = "\x1f"

# SQLite's primary result codes: another process's turn; and what the disk or the rights to it are to blame for
BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
OUTSIDE = {
    sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY
}  # fmt: skip

Value = Any  # what SQLite holds: str, bytes, int or float
TokenRow = tuple[str, str, int, int]  # token, counts, CRC, link


class Class(NamedTuple):
    """A class. One whose last document was unlearned is never an answer; unless it is the last, its name stays.

    positions             tokens in its documents, repeats included
    vocabulary_positions  those that the default reading's vocabulary keeps
    vocabulary_presences  (token, document) pairs that it keeps
    """

    label: str
    documents: int
    positions: int
    vocabulary_positions: int
    vocabulary_presences: int


def checksum(values: Iterable[Value]) -> int:
    """The CRC-32 that ends a row of these values."""
    return crc32(SEPARATOR.join(map(str, values)).encode())


def linked(token: str) -> int:
    """What the row after a token keeps of it: if one between them gets lost, it shows."""
    return crc32(token.encode())


def signed(token: str, counts: str) -> tuple[str, str, int]:
    """A token and its counts with their checksum, as the file keeps them."""
    return token, counts, checksum((token, counts))


def stored_name(name: str) -> str | bytes:
    """A label or path as SQLite can hold it: the very bytes of a file name that is not UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return os.fsencode(name)
    return name


class Store:
    """An open model file. Everything it returns has passed its checksum.

    Raises: ModelError, by any method, when the file turns out to be damaged or cannot be read or written.
    """

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self.connection = connection
        self.path = path
        self.documents: Sequence[int] | None = None  # of each class, once they are known: what counts are held to

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    # Reading

    def settings(self) -> dict[str, Value]:
        """All settings by name."""
        return dict(self._checked("SELECT * FROM setting"))

    def classes(self) -> list[Class]:
        """The classes in the order of their numbers: 0, 1, 2, ..."""
        found: list[Class] = []
        for number, label, *counts in self._checked("SELECT * FROM class ORDER BY id"):
            if number != len(found) or not all(isinstance(n, int) and n >= 0 for n in counts):
                raise self.damaged(f"class {label!r} has an impossible number or count")
            found.append(Class(self._name(label), *counts))
        self.documents = [entry.documents for entry in found]
        if not any(self.documents):
            raise self.damaged("no class has a document")
        return found

    def corpora(self) -> list[str]:
        """The paths of the corpora, relative to the folder of the model file."""
        found = [self._name(path) for (path,) in self._checked("SELECT * FROM corpus ORDER BY path")]
        if any("\0" in path for path in found):
            raise self.damaged("a corpus with a NUL in its path")
        return found

    def excluded(self) -> list[tuple[str, str]]:
        """(token, why) for every token the default reading leaves out by name."""
        found = [(token, why) for token, why in self._checked("SELECT * FROM excluded")]
        if not all(type(token) is str for token, _ in found):
            raise self.damaged("a token left out that is no text")
        return found

    def spread(self) -> Iterator[tuple[int, int, int]]:
        """(class, documents, tokens), see the table above."""
        yield from self._spread()

    def spread_of(self, index: int, documents: int) -> int:
        """How many vocabulary tokens are in exactly so many documents of the class."""
        return sum(tokens for _, _, tokens in self._spread("WHERE class = ? AND documents = ?", index, documents))

    def spread_above(self, index: int, documents: int) -> int:
        """How many vocabulary tokens are in more than so many documents of the class."""
        return sum(tokens for _, _, tokens in self._spread("WHERE class = ? AND documents > ?", index, documents))

    def _spread(self, where: str = "", *values: int) -> Iterator[tuple[int, int, int]]:
        for index, documents, tokens in self._checked(f"SELECT * FROM spread {where}", *values):
            self._check_cell(index, documents, tokens)
            if not (documents > 0 and tokens > 0):
                raise self.damaged(f"{tokens} tokens are in {documents} documents each")
            yield index, documents, tokens

    def sample(self) -> Iterator[tuple[int, int, dict[str, int]]]:
        """(digest, class, bag) of the documents kept for calibration, lowest digest first."""
        for digest, index, bag in self._checked("SELECT * FROM sample ORDER BY digest, class"):
            self._check_cell(index, digest)
            with self.sampling():
                found = bag_of(bag)
            yield digest, index, found

    def learned(self, digest: int | None = None) -> Iterator[tuple[int, int, int]]:
        """(digest, class, times) of the documents counted, or of the one asked for."""
        if digest is None:
            found = self._checked("SELECT * FROM learned ORDER BY digest, class")
        else:
            found = self._checked("SELECT * FROM learned WHERE digest = ? ORDER BY class", digest)
        for key, index, times in found:
            self._check_cell(index, key, times)
            if times < 1:
                raise self.damaged(f"a document is remembered {times} times")
            yield key, index, times

    def tokens(self) -> Iterator[tuple[str, Row]]:
        """Every token with its row, sorted."""
        return ((token, self.row(token, counts)) for token, counts in self.texts())

    def texts(self) -> Iterator[tuple[str, str]]:
        """Every token with its row as text, sorted."""
        first = last = None
        expected = 0  # the link that the next row has to have
        with self.translated():
            for token, counts, crc, link in self.connection.execute("SELECT * FROM token ORDER BY token"):
                if crc32(f"{token}{SEPARATOR}{counts}".encode()) != crc:
                    raise self._mismatch(token)
                if last is None:
                    first = link
                elif link != expected:
                    raise self.damaged(f"before {token!r} a row is missing")
                yield token, counts
                last, expected = token, crc32(token.encode())
        if last is not None and first != expected:
            raise self.damaged(f"after {last!r} a row is missing")

    def rows(self, tokens: Iterable[str]) -> dict[str, Row]:
        """The rows of those of the tokens that the model knows.

        A token that is not there is taken as unknown only if both its neighbours are sound: a damaged key would have
        misled the search exactly there. And the one must know the other: so no row between them can have got lost.
        """
        wanted = list(tokens)
        found: dict[str, Row] = {}
        with self.translated():
            for start in range(0, len(wanted), AT_ONCE):
                some = wanted[start : start + AT_ONCE]
                marks = ", ".join("?" * len(some))
                query = f"SELECT token, counts, crc FROM token WHERE token IN ({marks})"
                for row in self.connection.execute(query, some):
                    token, counts = self._sound(row)[:2]
                    found[token] = self.row(token, counts)
            for token in wanted:
                if token not in found:
                    self._check_absence(token)
        return found

    def _check_absence(self, token: str) -> None:
        at = self._token("token >= ? ORDER BY token", token) or self._token("1 ORDER BY token")
        before = self._token("token < ? ORDER BY token DESC", token) or self._token("1 ORDER BY token DESC")
        if at is not None and before is not None and at[3] != linked(before[0]):
            raise self.damaged(f"next to {at[0]!r} a row is missing")

    def _token(self, where: str, *values: Value) -> TokenRow | None:
        row: TokenRow | None = self.connection.execute(f"SELECT * FROM token WHERE {where} LIMIT 1", values).fetchone()
        if row is not None:
            self._sound(row[:3])
        return row

    def version(self) -> int:
        """A number that changes when another process has changed the file."""
        (version,) = self.connection.execute("PRAGMA data_version").fetchone()
        return int(version)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """A time in which everything read is from the same moment; inside another one it is part of that."""
        if self.connection.in_transaction:
            yield
            return
        with self.translated():
            self.connection.execute("BEGIN")
        try:
            yield
        finally:
            self.connection.rollback()  # nothing was written; unlike COMMIT it cannot fail on a damaged file

    # Writing

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """A time in which all changes are made, or none of them; writers take turns."""
        with self.translated():
            self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            with self.translated():
                self.connection.execute("COMMIT")
        except OverflowError as error:
            raise self.damaged("a count that is too large") from error
        finally:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
                self.documents = None

    def put(self, table: str, rows: Iterable[Sequence[Value]]) -> None:
        """Insert the rows, each replacing one of the same key."""
        places = ", ".join("?" * (COLUMNS[table] + 1))
        signed = ((*row, checksum(row)) for row in rows)
        with self.translated():
            self.connection.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({places})", signed)

    def add_signed(self, parts: Iterable[tuple[str, str, Sequence[int], Sequence[int]]]) -> None:
        """Insert the tokens of a new model, part by part, sorted; see `signing` for what a part is."""
        link = 0
        with self.translated():
            for tokens, counts, crcs, links in parts:
                if not tokens:
                    continue
                rows = zip(tokens.split("\n"), counts.split("\n"), crcs, chain([link], links[:-1]), strict=True)
                while some := list(islice(rows, AT_ONCE)):
                    # One statement for many rows: it takes half the time of one for each
                    places = ", ".join(["(?, ?, ?, ?)"] * len(some))
                    self.connection.execute(f"INSERT INTO token VALUES {places}", list(chain.from_iterable(some)))
                link = links[-1]
            self.connection.execute("UPDATE token SET link = ? WHERE token = (SELECT min(token) FROM token)", (link,))

    def change_tokens(self, rows: Iterable[tuple[str, Row]], known: Container[str]) -> None:
        """Insert or replace the rows of tokens, some of them known to the model; an empty row is deleted."""
        updates = []
        with self.translated():
            for token, row in rows:
                if not row:
                    self._delete(token)
                elif token in known:
                    updates.append((*signed(token, text(row))[1:], token))
                else:
                    self._insert(token, row)
            self.connection.executemany("UPDATE token SET counts = ?, crc = ? WHERE token = ?", updates)

    def _insert(self, token: str, row: Row) -> None:
        after, link = self._after(token) or ("", linked(token))
        self.connection.execute("INSERT INTO token VALUES (?, ?, ?, ?)", (*signed(token, text(row)), link))
        self.connection.execute("UPDATE token SET link = ? WHERE token = ?", (linked(token), after))

    def _delete(self, token: str) -> None:
        gone = self._token("token = ?", token)
        self.connection.execute("DELETE FROM token WHERE token = ?", (token,))
        after = self._after(token)
        if gone and after:
            self.connection.execute("UPDATE token SET link = ? WHERE token = ?", (gone[3], after[0]))

    def _after(self, token: str) -> tuple[str, int] | None:
        """The token after it, with its link; after the last comes the first."""
        row = self._token("token > ? ORDER BY token", token) or self._token("1 ORDER BY token")
        return row and (row[0], row[3])

    def delete(self, table: str, **key: Value) -> None:
        """Delete the rows with these values; without any, all rows."""
        where = " AND ".join(f"{column} = ?" for column in key) or "1"
        with self.translated():
            self.connection.execute(f"DELETE FROM {table} WHERE {where}", tuple(key.values()))

    def shrink_sample(self, size: int) -> None:
        """Keep only so many documents for calibration, those with the lowest digests."""
        with self.translated():
            self.connection.execute(
                "DELETE FROM sample WHERE (digest, class) IN"
                " (SELECT digest, class FROM sample ORDER BY digest, class LIMIT -1 OFFSET ?)",
                (size,),
            )

    # Checking

    def integrity(self) -> None:
        """Read every page and every row.

        Raises: ModelError at the first that is damaged.
        """
        with self.translated():
            (found,) = self.connection.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise self.damaged(" ".join(str(found).split()))
        for _ in self.tokens():
            pass
        for table in COLUMNS:
            for _ in self._checked(f"SELECT * FROM {table}"):
                pass

    def _checked(self, query: str, *values: Value) -> Iterator[tuple[Value, ...]]:
        """The rows of a query without their checksums, which were right."""
        with self.translated():
            for row in self.connection.execute(query, values):
                yield self._sound(row)[:-1]

    def _sound(self, row: tuple[Value, ...]) -> tuple[Value, ...]:
        if checksum(row[:-1]) != row[-1]:
            raise self._mismatch(row[0])
        return row

    def _mismatch(self, key: Value) -> ModelError:
        return self.damaged(f"row {key!r} does not match its checksum")

    def row(self, token: str, counts: str) -> Row:
        """The row that a token's text is."""
        try:
            row = list(map(int, counts[1:-1].split(",")))
        except (TypeError, ValueError):
            raise self.damaged(f"the counts of {token!r} are no numbers") from None
        if len(row) % 3 or not self._is_possible(row):
            raise self.damaged(f"the counts of {token!r} are impossible")
        return row

    def _is_possible(self, row: Row) -> bool:
        """Whether each class is there once, with so many documents, and the token occurs in each of them."""
        documents = self.documents
        values = iter(row)
        for index, n, d in zip(values, values, values, strict=True):  # a loop: most rows have few classes
            if not 0 < d <= n <= LARGEST or index < 0:
                return False
            if documents is not None and (index >= len(documents) or d > documents[index]):
                return False
        return len(row) == 3 or len(set(row[::3])) == len(row) // 3

    def _check_cell(self, index: Value, *numbers: Value) -> None:
        """That a row is one of a class of the model and its numbers are numbers."""
        if not all(type(number) is int for number in (index, *numbers)):
            raise self.damaged(f"{[index, *numbers]} should be whole numbers")
        if not 0 <= index < (LARGEST if self.documents is None else len(self.documents)):
            raise self.damaged(f"there is no class of the number {index}")

    @contextmanager
    def sampling(self) -> Iterator[None]:
        """A time in which documents kept for calibration are used: that they were never counted shows as damage."""
        try:
            yield
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise self.damaged("a document kept for calibration was never counted") from error

    def damaged(self, what: str) -> ModelError:
        """The error for a file that says what cannot be."""
        return damaged(self.path, what)

    def _failure(self, error: sqlite3.Error) -> ModelError:
        code = error.sqlite_errorcode if hasattr(error, "sqlite_errorcode") else None  # absent if Python itself refused
        if code == sqlite3.SQLITE_READONLY_DBMOVED:
            return ModelError(f"{self.path}: another model took its place meanwhile; try again")
        if code is not None and code & 0xFF in BUSY:
            return ModelError(f"{self.path}: other processes kept it locked for {LONGEST_WAIT_SECONDS} s; try again")
        if code is not None and code & 0xFF in OUTSIDE:
            return ModelError(f"{self.path}: {error}; is there room on the disk and permission to write?")
        return self.damaged(str(error))

    def _name(self, stored: Value) -> str:
        if not isinstance(stored, str | bytes):
            raise self.damaged(f"{stored!r} is no name")
        return os.fsdecode(stored)

    @contextmanager
    def translated(self) -> Iterator[None]:
        """A time in which what SQLite has to say is said as a ModelError."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._failure(error) from error
        except UnicodeDecodeError as error:
            raise self.damaged("text that is not UTF-8") from error


def damaged(path: str, what: str) -> ModelError:
    """The error for a model file that cannot be trusted."""
    return ModelError(f"{path}: the model is damaged ({what}); train it again or restore a copy")


def bag_text(bag: Mapping[str, int]) -> str:
    """A document's bag of tokens as the file keeps it: "count token" entries, tokens sorted.

    >>> bag_text({"win": 2, "free offer": 1})
    '1 free offer\\n2 win'
    """
    return "\n".join(f"{bag[token]} {token}" for token in sorted(bag))


def bag_of(text: str) -> dict[str, int]:
    """The bag that `bag_text` wrote down.

    >>> bag_of("1 free offer\\n2 win")
    {'free offer': 1, 'win': 2}
    """
    entries = (line.partition(" ") for line in text.split("\n"))
    return {token: int(count) for count, _, token in entries}


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
