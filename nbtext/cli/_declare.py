"""How commands and their options are declared: as click has it, but help is taken as it is written here.

Click unfolds every help text with `inspect`, which takes as long to load as half of click.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., Any])


class Option(click.Option):
    """An option whose help is one line."""

    def __init__(self, names: Sequence[str], *, help: str | None = None, **settings: Any) -> None:  # noqa: A002  # click's
        super().__init__(names, **settings)
        self.help = help


def option(*names: str, **settings: Any) -> Callable[[Function], Function]:
    """`click.option`, for one line of help."""
    return click.option(*names, cls=Option, **settings)


help_option = click.help_option("-h", "--help", cls=Option, help="Show this message and exit.")


def command_named(
    name: str, kind: type[click.Command] = click.Command, **settings: Any
) -> Callable[..., click.Command]:
    """`click.command`, with its --help last."""

    def declared(function: Callable[..., Any]) -> click.Command:
        made = click.command(name, kind, **settings)(function)
        help_option(made)
        return made

    return declared
