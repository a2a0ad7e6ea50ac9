"""Runs on disk: what memory has no room for, written in order and read back as a stream.

A run is a file of pickled lists, or of pieces of bytes that are read in any order. Its folder is made when first
needed, under a name that nobody can guess and for this user alone, for pickles run code; it is removed when the work
ends, however that ends. What is in a run, `packing` and `gathering` know.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, BinaryIO, NamedTuple

from ..errors import ModelError

PIECE = 500  # items read at a time: what a run costs in memory while it is merged


class Place(NamedTuple):
    """Where bytes are on disk."""

    path: str
    offset: int
    size: int


@contextmanager
def folder(beside: str) -> Iterator[str]:
    """The path of a folder for runs in the same folder as `beside`; not there yet, and afterwards no more."""
    name = f".{os.path.basename(beside)}.{os.urandom(8).hex()}.runs"
    place = os.path.join(os.path.dirname(os.path.abspath(beside)), name)
    try:
        yield place
    finally:
        if os.path.exists(place):
            from shutil import rmtree

            rmtree(place, ignore_errors=True)


def written(items: Iterable[Any], folder: str) -> str:
    """The path of a new run of the items.

    Raises: ModelError if there is no room on the disk.
    """
    from pickle import HIGHEST_PROTOCOL, dump  # few commands make runs, and all would pay for it

    rest = iter(items)
    with _new_file(folder) as file:
        while piece := list(islice(rest, PIECE)):
            dump(piece, file, HIGHEST_PROTOCOL)
    return file.name


def read(path: str) -> Iterator[Any]:
    """The items of a run, in order."""
    from pickle import load

    size = os.path.getsize(path)
    with open(path, "rb") as file:
        while file.tell() < size:
            yield from load(file)


@contextmanager
def keeping(folder: str) -> Iterator[Callable[[bytes], Place]]:
    """A time in which a new run is written: the function keeps bytes in it and says where.

    Raises: ModelError if there is no room on the disk.
    """
    with _new_file(folder) as file:
        yield lambda piece: Place(file.name, file.tell(), file.write(piece))


def bytes_at(place: Place) -> bytes:
    """The bytes that are kept there."""
    with open(place.path, "rb") as file:
        file.seek(place.offset)
        return file.read(place.size)


@contextmanager
def _new_file(folder: str) -> Iterator[BinaryIO]:
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with open(os.path.join(folder, os.urandom(8).hex()), "xb") as file:
            yield file
    except OSError as error:
        raise ModelError(
            f"{folder}: counts that memory has no room for cannot be kept there ({error.strerror}); allow more --memory"
        ) from error
