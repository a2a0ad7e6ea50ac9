"""An open model file as a database: checksummed rows, snapshots, transactions, and errors as sentences.

Threads take turns: each snapshot and each transaction belongs to one thread. A forked process opens the file again,
since SQLite's connections do not survive a fork.
"""

import os
import sqlite3
from _thread import RLock  # `threading` takes longer to load
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from time import monotonic, sleep
from typing import TYPE_CHECKING, Self

from ..errors import ModelError
from .schema import COLUMNS, Value, checksum

if TYPE_CHECKING:
    from .opening import ModelPlace

LONGEST_WAIT_SECONDS = 60  # for other processes that write
PAUSE_SECONDS = 0.02

# SQLite's primary result codes: another process is writing; and errors of the disk or of permissions
BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
OUTSIDE = {
    sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY
}  # fmt: skip


class Database:
    """An open model file. Every row it returns has passed its checksum.

    place  where the file is; None if no other process knows it

    Raises: ModelError, by any method, when the file turns out to be damaged or cannot be read or written.
    """

    def __init__(self, connection: sqlite3.Connection, path: str, place: "ModelPlace | None" = None) -> None:
        self.connection = connection
        self.path = path
        self.place = place
        self.documents: Sequence[int] | None = None  # of each class, once known: counts are checked against them
        self._turn = RLock()
        self._process = os.getpid()

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def content(self) -> bytes:
        """All of the file."""
        with self.snapshot():
            return self.connection.serialize()

    def version(self) -> int:
        """A number that changes when another process has changed the file."""
        (version,) = self.connection.execute("PRAGMA data_version").fetchone()
        return int(version)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Context manager: inside, this thread is alone, and the connection belongs to this process."""
        if self._process != os.getpid():
            self._turn = RLock()  # a thread that held the lock may not exist after the fork
            self._process = os.getpid()
            if self.place:
                self._abandoned = self.connection  # not closed: that would undo changes of the other process
                self.connection = self.place.connect()
        with self._turn:
            yield

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Context manager: everything read is from the same state of the file; a nested one is part of the outer one.

        A process that learns has to wait for its end before it can write, and then all readers wait for that. So do
        not wait for anything inside; use `copied` for work that takes long.
        """
        with self._alone():
            if self.connection.in_transaction:
                yield
                return
            with self.translated():
                self.connection.execute("BEGIN")
            try:
                if self.place:
                    self.place.undo_interrupted_change(self.connection)
                yield
            finally:
                self.connection.rollback()  # nothing was written; unlike COMMIT it cannot fail on a damaged file

    @contextmanager
    def copied(self) -> Iterator[Self]:
        """Context manager: a copy of the file as it is now, which SQLite keeps in its temporary folder.

        However long it is read, nobody waits. Inside a snapshot, or if no other process knows the file, it is the file
        itself.
        """
        if self.place is None or self.connection.in_transaction:
            with self.snapshot():
                yield self
            return
        with closing(sqlite3.connect("", isolation_level=None, check_same_thread=False)) as copy:
            with self.snapshot(), self.translated():
                self.connection.backup(copy)
            yield type(self)(copy, self.path)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Context manager: all changes are made at its end, or none of them; writers take turns.

        If another model has replaced this one, the transaction is on the new one: read all data again.
        """
        with self._alone():
            self._begin()
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

    def _begin(self) -> None:
        if not self.place:
            self.connection.execute("BEGIN IMMEDIATE")
            return
        deadline = monotonic() + LONGEST_WAIT_SECONDS
        while monotonic() < deadline:
            with self.place.kept():
                if self.place.is_replaced():
                    self.connection.close()
                    self.connection = self.place.connect()
                with self.translated():
                    if begins(self.connection):
                        return
            sleep(PAUSE_SECONDS)  # outside of `kept`: the other process may be about to replace the file
        raise ModelError(f"{self.path}: other processes kept it locked for {LONGEST_WAIT_SECONDS} s; try again")

    def put(self, table: str, rows: Iterable[Sequence[Value]]) -> None:
        """Insert the rows; each replaces a row with the same key."""
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
        """The rows of a query whose last column is the checksum, without this column."""
        with self.translated():
            for row in self.connection.execute(query, values):
                yield self.sound(row)

    def sound(self, row: tuple[Value, ...]) -> tuple[Value, ...]:
        """A row without the checksum at its end, after checking it."""
        if checksum(row[:-1]) != row[-1]:
            raise self.damaged(f"row {row[0]!r} does not match its checksum")
        return row[:-1]

    def damaged(self, what: str) -> ModelError:
        """The error for a damaged file: it has this impossible content."""
        return damaged(self.path, what)

    def translated(self) -> AbstractContextManager[None]:
        """Context manager: errors of SQLite are raised as a ModelError."""
        return reported(self.path)


def begins(connection: sqlite3.Connection) -> bool:
    """Whether a change could begin; if not, another process is writing.

    Raises: sqlite3.Error if it cannot begin at all.
    """
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as error:
        if error.sqlite_errorcode & 0xFF not in BUSY:
            raise
        return False
    finally:
        connection.execute(f"PRAGMA busy_timeout = {1000 * LONGEST_WAIT_SECONDS}")
    return True


@contextmanager
def reported(path: str) -> Iterator[None]:
    """Context manager: errors of SQLite about the file are raised as a ModelError."""
    try:
        yield
    except sqlite3.Error as error:
        raise failure(path, error) from error
    except UnicodeDecodeError as error:
        raise damaged(path, "text that is not UTF-8") from error


def check_structure(execute: Callable[[str], sqlite3.Cursor], path: str, check: str) -> None:
    """Check that every page is as SQLite would write it.

    check  "integrity_check", or "quick_check", which leaves out indices and takes half the time

    Raises: ModelError if one is not.
    """
    (found,) = execute(f"PRAGMA {check}(1)").fetchone()
    if found != "ok":
        raise damaged(path, " ".join(str(found).split()))


def damaged(path: str, what: str) -> ModelError:
    """The error for a damaged model file."""
    return ModelError(f"{path}: the model is damaged ({what}); train it again or restore a copy")


def failure(path: str, error: sqlite3.Error) -> ModelError:
    """An error of SQLite, as a sentence."""
    code = error.sqlite_errorcode if hasattr(error, "sqlite_errorcode") else None  # absent if Python itself refused
    if code is not None and code & 0xFF in BUSY:
        return ModelError(f"{path}: other processes kept it locked for {LONGEST_WAIT_SECONDS} s; try again")
    if code is not None and code & 0xFF in OUTSIDE:
        return ModelError(f"{path}: {error}; is there room on the disk and permission to write?")
    return damaged(path, str(error).partition(" with text ")[0])  # the text would be a whole block
