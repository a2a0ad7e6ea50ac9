"""What leaves the program: answers on standard output, all else on standard error, bars only on a terminal."""

import os
import sys
from collections.abc import Iterable
from typing import TypeVar

import click

from ..errors import NbtextError

Item = TypeVar("Item")


def write(*lines: str) -> None:
    """Lines to standard output, always UTF-8 whatever the locale."""
    if sys.stdout is None:
        raise NbtextError("standard output is closed")
    for line in lines:
        sys.stdout.buffer.write(line.encode("utf-8", "surrogateescape") + b"\n")


def flush() -> None:
    """Let the answers written so far go."""
    if sys.stdout is not None:
        sys.stdout.flush()


def write_file(path: str, lines: Iterable[str]) -> None:
    """Lines to a file, or to standard output if the path is -; the file is not touched before there are all."""
    if path == "-":
        for line in lines:
            write(line)
        return
    text = "".join(f"{line}\n" for line in lines)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def styled(text: str, **style: str | bool) -> str:
    """The text in colour, if standard output is a terminal and NO_COLOR is not set."""
    return click.style(text, **style) if in_colour() else text  # type: ignore[arg-type]


def in_colour() -> bool:
    """Whether standard output shows colour."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and sys.stdout.isatty()


class Progress:
    """A bar around long work: on standard error, only if that is a terminal and not `--quiet`."""

    def __init__(self, what: str, *, quiet: bool) -> None:
        self.what = what
        self.shown = not quiet and sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def __call__(self, items: Iterable[Item]) -> Iterable[Item]:
        """The items, counted as they pass."""
        if not self.shown:
            return items
        from tqdm import tqdm

        return tqdm(items, desc=self.what, unit="", leave=False, dynamic_ncols=True)
