"""Model files on disk: one opened and checked to be a model, or a new one put in the place of the old.

Source: sqlite.org, "Atomic Commit In SQLite", "File Locking And Concurrency".
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from ..errors import ModelError
from .database import BUSY, LONGEST_WAIT_SECONDS, damaged
from .schema import APPLICATION_ID, SCHEMA, VERSION
from .store import Store


def opened(path: str, *, writable: bool = False) -> Store:
    """The model file at the path, checked to be one; read-only unless it is to be written.

    A reader opens it for writing too where it may, but is kept from changing a row: only so can it roll back what a
    learner that was killed has left half done.

    Raises: ModelError, in a sentence, if there is none, or it is another kind of file, too new, truncated or damaged.
    """
    _check_header(path)
    store = _connected(f"file:{_quoted(os.path.abspath(path))}?mode=rw", path)
    try:
        with store.translated():
            if not writable:
                store.connection.execute("PRAGMA query_only = ON")
            _check_schema(store)
    except ModelError:
        store.close()
        raise
    return store


def _connected(address: str, path: str) -> Store:
    try:
        connection = sqlite3.connect(address, uri=True, isolation_level=None, timeout=LONGEST_WAIT_SECONDS)
    except sqlite3.Error as error:
        raise ModelError(f"{path}: cannot be opened ({error}); does the folder exist and allow it?") from error
    connection.execute("PRAGMA trusted_schema = OFF")
    return Store(connection, path)


def _quoted(path: str) -> str:
    return (
        "".join(f"%{byte:02x}" if byte in b"%?#" else chr(byte) for byte in os.fsencode(path))
        .encode("latin-1")
        .decode("utf-8", "surrogateescape")
    )


def _is_special(path: str) -> bool:
    """Whether a pipe, a device or a link to itself is there: it holds no model, and opening it may wait for ever."""
    place = os.path.realpath(path)
    return os.path.lexists(place) and not os.path.isfile(place) and not os.path.isdir(place)


def _check_header(path: str) -> None:
    if _is_special(path):
        raise ModelError(f"{path}: a pipe, device or endless link, not a model; was another path meant?")
    try:
        with open(path, "rb") as file:
            head = file.read(100)
    except FileNotFoundError:
        raise ModelError(f"no model at {path}; make one with: nbtext train FOLDER --model {path}") from None
    except OSError as error:
        raise ModelError(f"{path}: cannot be read ({error.strerror})") from None
    if not head:
        raise damaged(path, "the file is empty")
    if not head.startswith(b"SQLite format 3\0"):
        raise ModelError(f"{path}: not a model of nbtext (another kind of file); was another path meant?")
    if len(head) < 100:
        raise damaged(path, "cut off")


def _check_schema(store: Store) -> None:
    execute = store.connection.execute
    with store.snapshot():
        tables = [sql for (sql,) in execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")]
        (kind,) = execute("PRAGMA application_id").fetchone()
        (version,) = execute("PRAGMA user_version").fetchone()
        (pages,), (size,) = execute("PRAGMA page_count").fetchone(), execute("PRAGMA page_size").fetchone()
        if kind != APPLICATION_ID:
            raise ModelError(f"{store.path}: not a model of nbtext (another SQLite database); was another path meant?")
        if version > VERSION:
            raise ModelError(
                f"{store.path}: made by a newer nbtext (format {version}, known is {VERSION}); upgrade nbtext"
            )
        if version < VERSION:
            raise ModelError(
                f"{store.path}: made by an older nbtext (format {version}, needed is {VERSION}); train it again, or "
                "export it with the nbtext that made it and import the text with this one"
            )
        if tables != list(SCHEMA):
            raise store.damaged("its tables are not those of a model")
        if os.path.getsize(store.path) < pages * size:
            raise store.damaged("the file is cut off")


@contextmanager
def created(path: str | None) -> Iterator[Store]:
    """A new, empty model that takes the place of the one at the path when all went well; None keeps it in memory.

    It is written beside its place and renamed, so whatever goes wrong, the old model stays and no litter is left. A
    symbolic link at the path stays a link: the file it leads to is replaced.

    Raises: ModelError if what is there is no file, the folder cannot be written or the disk is full.
    """
    if path is None:
        store = _empty(":memory:", "the model in memory")
        yield store
        store.connection.execute("COMMIT")
        store.connection.execute("PRAGMA journal_mode = MEMORY")  # what is learned later must be able to roll back
        return
    if _is_special(path) or os.path.isdir(path):
        raise ModelError(f"{path}: a folder, pipe, device or endless link, not replaced by a model; name a file")
    place = os.path.realpath(path)
    beside = os.path.join(os.path.dirname(place), f".{os.path.basename(place)}.{os.urandom(4).hex()}.part")
    try:
        store = _empty(f"file:{_quoted(beside)}?mode=rwc", path)
        try:
            yield store
            with store.translated():
                store.connection.execute("COMMIT")
        finally:
            store.close()
        with _held(place, path):
            _renamed_safely(beside, place)
    except OverflowError as error:
        raise ModelError(f"{path}: the counts are too large to be added up") from error
    except OSError as error:
        raise ModelError(
            f"{path}: cannot be written ({error.strerror}); the old model, if any, is unchanged"
        ) from error
    finally:
        if os.path.exists(beside):
            os.unlink(beside)


def _empty(address: str, path: str) -> Store:
    try:
        store = _connected(address, path)
        # Safe because nobody sees the file before it is renamed, and it is thrown away if anything fails.
        for pragma in ("journal_mode = OFF", "synchronous = OFF", f"application_id = {APPLICATION_ID}",
                       f"user_version = {VERSION}"):  # fmt: skip
            store.connection.execute(f"PRAGMA {pragma}")
        store.connection.execute("BEGIN")
        for statement in SCHEMA:
            store.connection.execute(statement)
    except sqlite3.Error as error:
        raise ModelError(f"{path}: cannot be written ({error}); does the folder exist and allow it?") from error
    return store


@contextmanager
def _held(place: str, path: str) -> Iterator[None]:
    """A time in which nobody learns into the file that is to be replaced, and no journal of it is left.

    A journal is found by its name: one that outlived its file would be rolled back into the new one.
    """
    with ExitStack() as held:
        if os.path.exists(place):
            old = _connected(f"file:{_quoted(place)}?mode=rw", path)
            held.callback(old.close)
            try:
                old.connection.execute("BEGIN IMMEDIATE")
            except sqlite3.Error as error:
                if error.sqlite_errorcode & 0xFF in BUSY:
                    raise old.failure(error) from error
        with suppress(FileNotFoundError):
            os.unlink(f"{place}-journal")
        yield


def _renamed_safely(beside: str, place: str) -> None:
    """On the disk before it is renamed, so that a power cut leaves the old model or the new one."""
    descriptor = os.open(beside, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.replace(beside, place)
    folder = os.open(os.path.dirname(place), os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
