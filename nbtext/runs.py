"""Runs on disk: what memory has no room for, written in order and read back as a stream.

A run is a file of pickled lists. Its folder is made when first needed, under a name that nobody can guess and for this
user alone, for pickles run code; it is removed when the work ends, however that ends. What is in a run, `gathering`
knows.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from .errors import ModelError

PIECE = 500  # items read at a time: what a run costs in memory while it is merged


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
    path = os.path.join(folder, os.urandom(8).hex())
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with open(path, "xb") as file:
            while piece := list(islice(rest, PIECE)):
                dump(piece, file, HIGHEST_PROTOCOL)
    except OSError as error:
        raise ModelError(
            f"{folder}: counts that memory has no room for cannot be kept there ({error.strerror}); allow more --memory"
        ) from error
    return path


def read(path: str) -> Iterator[Any]:
    """The items of a run, in order."""
    from pickle import load

    size = os.path.getsize(path)
    with open(path, "rb") as file:
        while file.tell() < size:
            yield from load(file)
