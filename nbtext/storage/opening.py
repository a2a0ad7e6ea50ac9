"""Opening a model file: checking it, undoing an interrupted change, and opening it again when it was replaced.

Source: sqlite.org, "Atomic Commit In SQLite", "File Locking And Concurrency", "Write-Ahead Logging".
"""

import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from errno import ELOOP
from time import monotonic, sleep

from ..errors import ModelError, unopened
from .database import LONGEST_WAIT_SECONDS, OUTSIDE, PAUSE_SECONDS, check_structure, damaged, failure, reported
from .schema import APPLICATION_ID, SCHEMA, VERSION
from .store import Store

FEW_PAGES = 32  # checking the structure of this many pages takes a tenth of a millisecond

# SQLite's codes for actions that only a writer can do
UNDO = {sqlite3.SQLITE_READONLY_ROLLBACK, sqlite3.SQLITE_READONLY_RECOVERY}

Execute = Callable[[str], sqlite3.Cursor]


def open_store(path: str, *, writable: bool = False) -> Store:
    """The model file at the path, after checking it; read-only unless `writable`.

    Raises: ModelError if there is no file, or it is another kind of file, of another version, truncated or damaged.
    """
    place = ModelPlace(path, writable)
    if writable:
        from .leftovers import delete_leftovers  # imported here, as readers do not need it

        delete_leftovers(os.path.realpath(path))
    return Store(place.connect(), path, place)


def store_in_memory(content: bytes, name: str) -> Store:
    """The model in memory whose file has this content.

    name  for messages
    """
    connection = connect(":memory:", name)
    connection.deserialize(content)
    return Store(connection, name)


class ModelPlace:
    """The path of a model file, and which file was opened there: another one can replace it at any time."""

    def __init__(self, path: str, writable: bool) -> None:
        self.path = path  # as messages name it
        self.place = os.path.abspath(path)
        self.writable = writable
        self.opened: tuple[int, int] | None = None

    def is_replaced(self) -> bool:
        """Whether the opened file is no longer the one at the path."""
        return file_number(self.place) != self.opened

    def connect(self) -> sqlite3.Connection:
        """A connection to the file that is now at the path, after checking that it is a model."""
        while True:
            with self.kept() if self.writable else nullcontext():
                _check_kind(self.path, self.place)
                _delete_foreign_log(self.path, self.place)
                self.opened = file_number(self.place)
                connection = connect(f"file:{quoted(self.place)}?mode={'rw' if self.writable else 'ro'}", self.path)
                if self.is_replaced():
                    connection.close()
                    continue
                try:
                    self.undo_interrupted_change(connection)
                    self._check(connection)
                except BaseException:
                    connection.close()
                    raise
                return connection

    def kept(self) -> AbstractContextManager[None]:
        """Context manager: inside, no other model can replace this one.

        A writer needs this at its beginning: SQLite would confuse the journal of a change to the other model, which has
        the same name, with that of this one, roll it back into this one and delete it.
        """
        return folder_locked(self.place)

    def undo_interrupted_change(self, connection: sqlite3.Connection) -> None:
        """Roll back a change that a killed process has left half done; a connection that only reads cannot do this.

        The reader itself never gets the right to write: after another model has replaced the one it has open, it would
        use the journal of the other one as its own.
        """
        deadline = monotonic() + LONGEST_WAIT_SECONDS
        while (error := _error_of_reading(connection)) is not None:
            if error.sqlite_errorcode not in UNDO or monotonic() > deadline:
                raise self._failure(error)
            with self.kept(), closing(connect(f"file:{quoted(self.place)}?mode=rw", self.path)) as writer:
                if (error := _error_of_reading(writer)) is not None:
                    raise self._failure(error)
            sleep(PAUSE_SECONDS)

    def _failure(self, error: sqlite3.Error) -> ModelError:
        code = error.sqlite_errorcode
        if code == sqlite3.SQLITE_NOTADB and not _begins_as_a_database(self.place):
            return ModelError(f"{self.path}: not a model of nbtext (another kind of file); was another path meant?")
        if code & 0xFF in OUTSIDE and any(os.path.exists(self.place + log) for log in ("-journal", "-wal")):
            return ModelError(
                f"{self.path}: an interrupted change must be undone first, which needs write permission for the "
                "file and its folder; run nbtext verify as their owner"
            )
        return failure(self.path, error)

    def _check(self, connection: sqlite3.Connection) -> None:
        with reported(self.path):
            try:
                connection.execute("BEGIN")
                self._check_schema(connection.execute)
                self._check_pages(connection.execute)
            finally:
                connection.rollback()  # nothing was written; unlike COMMIT it cannot fail on a damaged file

    def _check_schema(self, execute: Execute) -> None:
        tables = [sql for (sql,) in execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")]
        (kind,) = execute("PRAGMA application_id").fetchone()
        (version,) = execute("PRAGMA user_version").fetchone()
        if kind != APPLICATION_ID:
            raise ModelError(f"{self.path}: not a model of nbtext (another SQLite database); was another path meant?")
        if version > VERSION:
            raise ModelError(
                f"{self.path}: made by a newer nbtext (format {version}; this one reads {VERSION}); upgrade nbtext"
            )
        if version < VERSION:
            raise ModelError(
                f"{self.path}: made by an older nbtext (format {version}; this one reads {VERSION}); train it again, "
                "or export it with the nbtext that made it and import the text with this one"
            )
        if tables != list(SCHEMA):
            raise damaged(self.path, "its tables are not those of a model")

    def _check_pages(self, execute: Execute) -> None:
        (pages,), (size,), (mode,) = (
            execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size", "journal_mode")
        )
        found = os.stat(self.place).st_size
        if found != pages * size and mode != "wal" and not self.is_replaced():  # a log may hold the last pages
            wrong = "the file is cut off" if found < pages * size else "there are bytes after its end"
            raise damaged(self.path, wrong)
        if pages <= FEW_PAGES:
            check_structure(execute, self.path, "quick_check")


@contextmanager
def folder_locked(place: str, *, alone: bool = False) -> Iterator[None]:
    """Context manager: inside, no model in this folder is replaced by another, if folders can be locked.

    alone  whether the caller is to replace one
    """
    import fcntl  # imported here, as readers do not need it

    try:
        descriptor = os.open(os.path.dirname(os.path.realpath(place)), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        yield
        return
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        yield
    finally:
        os.close(descriptor)


def connect(address: str, path: str) -> sqlite3.Connection:
    """A connection to the file of the address.

    Raises: ModelError if it cannot be opened or made.
    """
    try:
        connection = sqlite3.connect(
            address, uri=True, isolation_level=None, timeout=LONGEST_WAIT_SECONDS, check_same_thread=False
        )
    except sqlite3.Error as error:
        raise unopened(path, error) from error
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def quoted(path: str) -> str:
    """A path quoted for the address of a database."""
    return (
        "".join(f"%{byte:02x}" if byte in b"%?#" else chr(byte) for byte in os.fsencode(path))
        .encode("latin-1")
        .decode("utf-8", "surrogateescape")
    )


def file_number(place: str) -> tuple[int, int] | None:
    """The identity of the file at a path, unlike that of any file there before or later; None if there is none."""
    try:
        found = os.stat(place)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _error_of_reading(connection: sqlite3.Connection) -> sqlite3.Error | None:
    try:
        connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.Error as error:
        return error
    return None


def _begins_as_a_database(place: str) -> bool:
    with open(place, "rb") as file:
        return file.read(16) == b"SQLite format 3\0"


def _check_kind(path: str, place: str) -> None:
    """Check that there is a file that can be read.

    It is not opened for this: closing it would release the locks that this process may have on it.
    """
    try:
        found = os.stat(place)
    except FileNotFoundError:
        raise ModelError(f"no model at {path}; make one with: nbtext train FOLDER --model {path}") from None
    except OSError as error:
        if error.errno == ELOOP:
            raise _is_special(path) from None
        raise ModelError(f"{path}: cannot be read ({error.strerror})") from None
    if stat.S_ISDIR(found.st_mode):
        raise ModelError(f"{path}: cannot be read (Is a directory)")
    if not stat.S_ISREG(found.st_mode):
        raise _is_special(path)
    if not os.access(place, os.R_OK):
        raise ModelError(f"{path}: cannot be read (Permission denied)")
    if not found.st_size:
        raise damaged(path, "the file is empty")


def _is_special(path: str) -> ModelError:
    return ModelError(f"{path}: a pipe, device or endless link, not a model; was another path meant?")


def _delete_foreign_log(path: str, place: str) -> None:
    """Delete a write-ahead log of another file that was here before: SQLite would copy its pages into this one.

    A model is made without such a log. If someone turns it on, the bytes 18 and 19 of the file show it.
    """
    if not os.path.exists(f"{place}-wal"):
        return
    with open(place, "rb") as file:
        if file.read(20)[18:] == b"\1\1":
            try:
                delete_log(place)
            except OSError as error:
                raise ModelError(
                    f"{path}: {path}-wal, left by a former model, cannot be deleted ({error.strerror})"
                ) from error


def delete_log(place: str) -> None:
    """Delete the write-ahead log of a file, and its index."""
    for name in f"{place}-wal", f"{place}-shm":
        if os.path.exists(name):
            os.unlink(name)
