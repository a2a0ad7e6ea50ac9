"""What leaves the program: answers on standard output, all else on standard error, bars only on a terminal."""

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TextIO, TypeVar

import click

from ..errors import NbtextError
from . import _streams

Item = TypeVar("Item")


def write(*lines: str) -> None:
    """Lines to standard output, always UTF-8 whatever the locale."""
    write_bytes("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))


def write_bytes(data: bytes) -> None:
    """Bytes to standard output, all of them.

    Raises: OSError if that fails, NbtextError if standard output is closed.
    """
    if sys.stdout is None:
        raise NbtextError("standard output is closed")
    try:
        _streams.send(sys.stdout, data)
    except OSError:
        sys.stdout = None  # as Python says closed: without this piece, none may follow
        raise


def flush() -> None:
    """Let the answers written so far go.

    Raises: OSError if that fails.
    """
    if sys.stdout is None:
        return
    try:
        _streams.flush(sys.stdout)
    except OSError:
        sys.stdout = None
        raise


def complain(message: str) -> None:
    """One line on standard error, if there is one; nothing in it can start another or drive a terminal."""
    if sys.stderr is not None:
        shown = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in message)
        line = f"nbtext: {shown}\n"
        with suppress(OSError):  # the status still says it
            _streams.send(sys.stderr, line.encode(sys.stderr.encoding, "backslashreplace"))
            _streams.flush(sys.stderr)


def write_file(path: str, lines: Iterable[str]) -> None:
    """Lines to a file, or to standard output if the path is -; the file is not touched before there are all.

    Raises: OSError, which names the file, if that fails.
    """
    if path == "-":
        for line in lines:
            write(line)
        return
    write_file_bytes(path, "".join(f"{line}\n" for line in lines).encode())


def write_file_bytes(path: str, data: bytes) -> None:
    """Bytes to a file.

    Raises: OSError, which names the file, if that fails.
    """
    try:
        with open(path, "wb") as file:
            file.write(data)
    except OSError as error:
        error.filename = path  # which only opening would set
        raise


def styled(text: str, **style: str | bool) -> str:
    """The text in colour, if standard output is a terminal and NO_COLOR is not set."""
    return click.style(text, **style) if in_colour() else text  # type: ignore[arg-type]


def in_colour() -> bool:
    """Whether standard output shows colour."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and _is_terminal(sys.stdout)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


class Progress:
    """A bar around long work: on standard error, only if that is a terminal and not `--quiet`."""

    def __init__(self, what: str, *, quiet: bool) -> None:
        self.what = what
        self.shown = not quiet and _is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb"

    def __call__(self, items: Iterable[Item]) -> Iterable[Item]:
        """The items, counted as they pass."""
        if not self.shown:
            return items
        from tqdm import tqdm

        return tqdm(items, desc=self.what, unit="", leave=False, dynamic_ncols=True)
