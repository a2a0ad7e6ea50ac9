"""Output: answers on standard output, everything else on standard error, progress bars only on a terminal."""

import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn, TextIO, TypeVar

import click

from ..errors import NbtextError
from . import _streams

if TYPE_CHECKING:
    from tqdm import tqdm

Item = TypeVar("Item")


def write(*lines: str) -> None:
    """Write lines to standard output, in UTF-8 whatever the locale."""
    write_bytes("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))


def write_bytes(data: bytes) -> None:
    """Write all of the bytes to standard output.

    Raises: OSError if that fails, NbtextError if standard output is closed.
    """
    if sys.stdout is None:
        raise NbtextError("standard output is closed")
    try:
        _streams.send(sys.stdout, data)
    except OSError:
        sys.stdout = None  # closed, as Python marks it: nothing may follow after a missing piece
        raise


def flush() -> None:
    """Send the answers written so far.

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
    """Write one line to standard error if it is open; no character can begin another line or control a terminal."""
    if sys.stderr is not None:
        shown = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in message)
        line = f"nbtext: {shown}\n"
        with suppress(OSError):  # the status still tells of the failure
            _streams.send(sys.stderr, line.encode(sys.stderr.encoding, "backslashreplace"))
            _streams.flush(sys.stderr)


def write_file(path: str, lines: Iterable[str]) -> None:
    """Write lines to a file, or to standard output if the path is -; the file is not touched until all lines are made.

    Raises: OSError, which names the file, if that fails.
    """
    if path == "-":
        for line in lines:
            write(line)
        return
    write_file_bytes(path, "".join(f"{line}\n" for line in lines).encode())


def write_file_bytes(path: str, data: bytes) -> None:
    """Write bytes to a file.

    Raises: OSError, which names the file, if that fails.
    """
    try:
        with open(path, "wb") as file:
            file.write(data)
    except OSError as error:
        error.filename = path  # only `open` sets it
        raise


def today() -> str:
    """The date here, as 2026-01-31."""
    from time import strftime

    return strftime("%Y-%m-%d")


def styled(text: str, **style: str | bool) -> str:
    """The text in colour, if standard output is a terminal and NO_COLOR is not set."""
    return click.style(text, **style) if in_colour() else text  # type: ignore[arg-type]


def in_colour() -> bool:
    """Whether standard output shows colour."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and _is_terminal(sys.stdout)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


class Progress:
    """A progress bar on standard error, only if that is a terminal and without `--quiet`."""

    def __init__(self, what: str, *, quiet: bool, unit: str = "documents") -> None:
        self.what = what
        self.unit = f" {unit}"
        self.shown = not quiet and _is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb"

    def __call__(self, items: Iterable[Item]) -> Iterable[Item]:
        """The items; the bar counts their documents as they are used, and shows how many there are per second."""
        if not self.shown:
            return items
        from tqdm import tqdm

        total = sum(map(_documents, items)) if isinstance(items, Sequence) else None
        return self._counted(items, tqdm(desc=self.what, total=total, unit=self.unit, leave=False, dynamic_ncols=True))

    def _counted(self, items: Iterable[Item], bar: "tqdm[NoReturn]") -> Iterable[Item]:
        with bar:
            for item in items:
                yield item
                bar.update(_documents(item))


def _documents(item: object) -> int:
    """The number of documents in an item: counts of files, a part to test, or a single document."""
    return len(item) if isinstance(item, list) else getattr(item, "counted", 1)
