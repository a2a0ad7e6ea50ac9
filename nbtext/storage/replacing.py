"""Replacing a model file by a new one: completely or not at all, whatever happens on the way."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from time import monotonic, sleep

from ..errors import ModelError, unopened
from .database import LONGEST_WAIT_SECONDS, PAUSE_SECONDS, begins, failure
from .leftovers import delete_leftovers
from .opening import connect, delete_log, folder_locked, quoted
from .schema import APPLICATION_ID, SCHEMA, VERSION
from .store import Store

PRIVATE, DEFAULT = 0o600, 0o644  # modes of a file


@contextmanager
def create_store(path: str | None) -> Iterator[Store]:
    """Context manager: a new, empty model that replaces the one at the path if all goes well.

    It is written beside the path and renamed, so if anything goes wrong, the old model stays and no other file is left.
    It gets the mode, the group and the owner of the old one. A symbolic link at the path stays a link: the file it
    leads to is replaced.

    path  of the file; None keeps the model in memory

    Raises: ModelError if the path is not that of a file, the folder cannot be written or the disk is full.
    """
    if path is None:
        store = _empty_store(":memory:", "the model in memory")
        yield store
        store.count_rows()
        store.connection.execute("COMMIT")
        store.connection.execute("PRAGMA journal_mode = MEMORY")  # later learning must be able to roll back
        return
    if os.path.lexists(place := os.path.realpath(path)) and not os.path.isfile(place):
        raise ModelError(f"{path}: a folder, pipe, device or endless link; name a file for the model")
    delete_leftovers(place)
    try:
        with _part(place, path) as (beside, descriptor):
            with closing(_empty_store(f"file:{quoted(beside)}?mode=rw", path)) as store:
                yield store
                store.count_rows()
                with store.translated():
                    store.connection.execute("COMMIT")
            with _locked(place, path):
                _take_over_rights(descriptor, place)
                os.fsync(descriptor)  # so that the old model or the new one survives a power cut
                os.replace(beside, place)
                delete_log(place)
        _sync_folder(place)
    except OverflowError as error:
        raise ModelError(f"{path}: the counts are too large to be added up") from error
    except OSError as error:
        raise ModelError(
            f"{path}: cannot be written ({error.strerror}); the old model, if any, is unchanged"
        ) from error


def _empty_store(address: str, path: str) -> Store:
    connection = connect(address, path)
    try:
        # Safe because nobody sees the file before it is renamed, and it is deleted if anything fails.
        for pragma in ("journal_mode = OFF", "synchronous = OFF", f"application_id = {APPLICATION_ID}",
                       f"user_version = {VERSION}"):  # fmt: skip
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("BEGIN")
        for statement in SCHEMA:
            connection.execute(statement)
        store = Store(connection, path)
        for table in store.token_table, store.learned_table:
            table.add([])
    except sqlite3.Error as error:
        connection.close()
        raise failure(path, error) from error
    return store


@contextmanager
def _part(place: str, path: str) -> Iterator[tuple[str, int]]:
    """Context manager: an empty file beside the path, locked while this process works on it, and deleted at the end."""
    while True:
        beside = os.path.join(os.path.dirname(place), f".{os.path.basename(place)}.{os.urandom(4).hex()}.part")
        mode = PRIVATE if os.path.exists(place) else DEFAULT
        try:
            descriptor = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        except OSError as error:
            raise unopened(path, error.strerror) from error
        with suppress(OSError):  # a file system without locks: then no other process deletes it
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.path.exists(beside):  # otherwise another process deleted it as a leftover just before it was locked
            break
        os.close(descriptor)
    try:
        yield beside, descriptor
    finally:
        with suppress(FileNotFoundError):  # it was renamed
            os.unlink(beside)
        os.close(descriptor)


@contextmanager
def _locked(place: str, path: str) -> Iterator[None]:
    """Context manager: inside, nobody can learn into the file to be replaced, and no journal of it is left.

    SQLite finds a journal by its name: that of the old file would be rolled back into the new one.
    """
    deadline = monotonic() + LONGEST_WAIT_SECONDS
    while True:
        with folder_locked(place, alone=True), _changing(place, path) as is_ours:
            if is_ours:
                with suppress(FileNotFoundError):
                    os.unlink(f"{place}-journal")
                yield
                return
        if monotonic() > deadline:
            raise ModelError(f"{path}: other processes kept it locked for {LONGEST_WAIT_SECONDS} s; try again")
        sleep(PAUSE_SECONDS)


@contextmanager
def _changing(place: str, path: str) -> Iterator[bool]:
    """Context manager: begins a change of the file at the path, if there is one; yields whether nobody else changes it.

    Nobody changes a file that is not a sound model.
    """
    if not os.path.exists(place):
        yield True
        return
    with closing(connect(f"file:{quoted(place)}?mode=rw", path)) as connection:
        try:
            is_ours = begins(connection)
        except sqlite3.Error:
            is_ours = True
        yield is_ours


def _take_over_rights(descriptor: int, place: str) -> None:
    """Give a file the owner, group and mode of the one at the path, if there is one.

    If this user may not give it to that group, the group gets no rights, since it is a different group.
    """
    if not os.path.exists(place):
        return
    old = os.stat(place)
    mode = old.st_mode & 0o777
    with suppress(PermissionError):
        os.fchown(descriptor, old.st_uid, -1)
    try:
        os.fchown(descriptor, -1, old.st_gid)
    except PermissionError:
        mode &= 0o707
    os.fchmod(descriptor, mode)


def _sync_folder(place: str) -> None:
    folder = os.open(os.path.dirname(place), os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
