"""Standard input, which is named "-"."""

import os
import sys
from functools import cache
from typing import BinaryIO

import click

from ._output import complain

STANDARD_INPUT = "-"
STANDARD_INPUT_PATH = "/dev/stdin"


def standard_input() -> BinaryIO:
    """The bytes of standard input. At a terminal, a line on standard error says that input is expected.

    Raises: UsageError if it is closed.
    """
    if sys.stdin is None or sys.stdin.closed:
        raise click.UsageError("nothing to read: standard input is closed; name a file")
    if sys.stdin.isatty():
        _say_what_is_awaited()
    return sys.stdin.buffer


@cache
def _say_what_is_awaited() -> None:
    """Tell a person at the terminal, once, why nothing happens."""
    complain("reading what you type; end it with Ctrl-D on a line of its own")


def stream(path: str) -> BinaryIO:
    """The bytes of a file, or of standard input.

    Raises: OSError if it cannot be opened; UsageError if that is closed.
    """
    return standard_input() if path == STANDARD_INPUT else open(path, "rb")


def corpora(named: tuple[str, ...]) -> tuple[str, ...]:
    """Paths of the corpora named. Standard input (-) is copied to a temporary file first, as it may be read twice.

    Raises: UsageError if that is closed.
    """
    if STANDARD_INPUT not in named:
        return named
    from shutil import copyfileobj
    from tempfile import TemporaryFile

    with TemporaryFile() as file:
        copyfileobj(standard_input(), file)
        file.seek(0)
        os.dup2(file.fileno(), sys.stdin.fileno())
    return tuple(STANDARD_INPUT_PATH if name == STANDARD_INPUT else name for name in named)
