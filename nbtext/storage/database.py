"""An open model file as a database: checksummed rows, snapshots, transactions; failures said in a sentence."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from ..errors import ModelError
from .schema import COLUMNS, Value, checksum

LONGEST_WAIT_SECONDS = 60  # for the turn among concurrent writers

# SQLite's primary result codes: another process's turn; and what the disk or the rights to it are to blame for
BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
OUTSIDE = {
    sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY
}  # fmt: skip


class Database:
    """An open model file. Every row it returns has passed its checksum.

    Raises: ModelError, by any method, when the file turns out to be damaged or cannot be read or written.
    """

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self.connection = connection
        self.path = path
        self.documents: Sequence[int] | None = None  # of each class, once they are known: what counts are held to

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    def version(self) -> int:
        """A number that changes when another process has changed the file."""
        (version,) = self.connection.execute("PRAGMA data_version").fetchone()
        return int(version)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Context manager: everything read is from the same moment; inside another one it is part of that."""
        if self.connection.in_transaction:
            yield
            return
        with self.translated():
            self.connection.execute("BEGIN")
        try:
            yield
        finally:
            self.connection.rollback()  # nothing was written; unlike COMMIT it cannot fail on a damaged file

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Context manager: all changes are made at its end, or none of them; writers take turns."""
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
        checked = ((*row, checksum(row)) for row in rows)
        with self.translated():
            self.connection.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({places})", checked)

    def delete(self, table: str, **key: Value) -> None:
        """Delete the rows with these values; without any, all rows."""
        where = " AND ".join(f"{column} = ?" for column in key) or "1"
        with self.translated():
            self.connection.execute(f"DELETE FROM {table} WHERE {where}", tuple(key.values()))

    def select(self, query: str, values: Sequence[Value] = ()) -> Iterator[tuple[Value, ...]]:
        """The rows of a query that ends in the checksum of each, without it."""
        with self.translated():
            for row in self.connection.execute(query, values):
                yield self.sound(row)

    def sound(self, row: tuple[Value, ...]) -> tuple[Value, ...]:
        """A row without the checksum that ends it, which was right."""
        if checksum(row[:-1]) != row[-1]:
            raise self.damaged(f"row {row[0]!r} does not match its checksum")
        return row[:-1]

    def damaged(self, what: str) -> ModelError:
        """The error for a file that says what cannot be."""
        return damaged(self.path, what)

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Context manager: what SQLite reports is raised as a ModelError."""
        try:
            yield
        except sqlite3.Error as error:
            raise self.failure(error) from error
        except UnicodeDecodeError as error:
            raise self.damaged("text that is not UTF-8") from error

    def failure(self, error: sqlite3.Error) -> ModelError:
        """What SQLite reports as a sentence."""
        code = error.sqlite_errorcode if hasattr(error, "sqlite_errorcode") else None  # absent if Python itself refused
        if code == sqlite3.SQLITE_READONLY_DBMOVED:
            return ModelError(f"{self.path}: another model took its place meanwhile; try again")
        if code is not None and code & 0xFF in BUSY:
            return ModelError(f"{self.path}: other processes kept it locked for {LONGEST_WAIT_SECONDS} s; try again")
        if code is not None and code & 0xFF in OUTSIDE:
            return ModelError(f"{self.path}: {error}; is there room on the disk and permission to write?")
        return self.damaged(str(error))


def damaged(path: str, what: str) -> ModelError:
    """The error for a model file that cannot be trusted."""
    return ModelError(f"{path}: the model is damaged ({what}); train it again or restore a copy")
