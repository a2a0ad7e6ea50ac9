"""Declaring commands and options: as in click, but without importing modules that would slow down the start.

click reformats help with `inspect`, which takes as long to load as half of click, looks for translations with `gettext`
and `locale`, and compares names with `difflib`. Here help is printed as it is written.
"""

import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from . import _output

Function = TypeVar("Function", bound=Callable[..., Any])


def described(function: Callable[..., Any]) -> str | None:
    """The docstring of a command, even where PYTHONOPTIMIZE=2 has removed docstrings from the code."""
    if function.__doc__ is not None or sys.flags.optimize < 2:
        return function.__doc__
    import ast
    import inspect

    [definition] = ast.parse(inspect.getsource(function)).body
    return ast.get_docstring(definition, clean=False) if isinstance(definition, ast.FunctionDef) else None


class Option(click.Option):
    """An option whose help is one line."""

    def __init__(self, names: Sequence[str], *, help: str | None = None, **settings: Any) -> None:  # noqa: A002  # click's
        super().__init__(names, **settings)
        self.help = help


def option(*names: str, **settings: Any) -> Callable[[Function], Function]:
    """`click.option`, for one line of help."""
    return click.option(*names, cls=Option, **settings)


def shown_option(*names: str, text: Callable[[click.Context], str], help: str) -> Callable[[Function], Function]:  # noqa: A002
    """An option that prints a text and ends the command, such as --version."""

    def show(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not context.resilient_parsing:
            _output.write(text(context))
            context.exit()

    return option(*names, is_flag=True, expose_value=False, is_eager=True, callback=show, help=help)

    # Not click's own, which looks for a translation even of the text given here


help_option = shown_option("-h", "--help", text=click.Context.get_help, help="Show this message and exit.")


class Command(click.Command):
    """A command that looks for short options first, so that `-m=PATH` means `-m PATH`.

    click looks for -m among the long options first; if it is not there, it searches for options with a similar name.
    """

    def make_parser(self, ctx: click.Context) -> Any:
        """The parser of click, with the short options added to the long ones."""
        parser = super().make_parser(ctx)
        # This attribute is internal to click: if a later version lacks it, only the start takes a little longer
        getattr(parser, "_long_opt", {}).update(getattr(parser, "_short_opt", {}))
        return parser


def command_named(name: str, kind: type[Command] = Command, **settings: Any) -> Callable[..., Command]:
    """`click.command`, with its --help last."""

    def declared(function: Callable[..., Any]) -> Command:
        made = click.command(name, kind, help=described(function), **settings)(function)
        help_option(made)
        return made

    return declared
