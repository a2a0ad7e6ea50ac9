"""The types of arguments and options: paths, names, labels, shares, sizes; with their completion by the shell."""

import os
from collections.abc import Iterable
from importlib import import_module
from math import isnan
from typing import TYPE_CHECKING, Any

import click

from .. import plugins
from ..corpus.sources import label_of
from ..errors import NbtextError
from ..model.model import DEFAULT_PATH, Model

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    TextType = click.ParamType[str]
else:
    TextType = click.ParamType  # a class without parameters in older versions

UNITS = {"k": 10**3, "M": 10**6, "G": 10**9}


class Path(TextType):
    """A path. It is not checked here: whoever reads it reports a failure, and the other paths are still read.

    Not click's own type, which loads modules to translate its name.
    """

    name = "path"

    def shell_complete(self, _: click.Context, __: click.Parameter, incomplete: str) -> list["CompletionItem"]:
        """Tell the shell to complete file names."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


PATH = Path()


class Name(TextType):
    """The name of a module of a package, perhaps with options. The shell completes it; it is checked when used."""

    name = "name"

    def __init__(self, package: str) -> None:
        self.package = package

    def shell_complete(self, _: click.Context, __: click.Parameter, incomplete: str) -> list["CompletionItem"]:
        """The names of the modules."""
        return _completions(listed(self.package), incomplete)


class Label(TextType):
    """The label of a class, in the form that labels from folders have. The shell completes those of the model."""

    name = "label"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The label that a class folder of this name would have, whatever the locale."""
        if not value:
            self.fail("a label cannot be empty", param, ctx)
        return label_of(os.fsencode(value).decode("utf-8", "surrogateescape"))

    def shell_complete(self, ctx: click.Context, _: click.Parameter, incomplete: str) -> list["CompletionItem"]:
        """The labels of the model; none if it cannot be read."""
        try:
            labels = Model.open(ctx.params.get("model_path") or model_path()).labels
        except NbtextError:
            return []
        return _completions(filter(str.isprintable, sorted(labels)), incomplete)


class Share(click.FloatRange):
    """A number from 0 to 1; "nan" is refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        number = float(super().convert(value, param, ctx))
        if isnan(number):
            self.fail("nan is not in the range 0<=x<=1", param, ctx)
        return number


SHARE = Share(0, 1)


def size(text: str) -> int:
    """The number of bytes in a text like 400M or 2G; k, M and G are powers of 1000.

    >>> size("400M")
    400000000

    Raises: BadParameter for any other text.
    """
    number, unit = text[:-1], text[-1:]
    if not number.isdecimal() or unit not in UNITS or not int(number):
        raise click.BadParameter(f"{text!r} should be a number of bytes, as in 400M or 2G")
    return int(number) * UNITS[unit]


def model_path() -> str:
    """The path of the model if none is given."""
    return os.environ.get("NBTEXT_MODEL") or DEFAULT_PATH


def _completions(words: Iterable[str], incomplete: str) -> list["CompletionItem"]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(word) for word in words if word.startswith(incomplete)]


def listed(package: str) -> list[str]:
    """The names of the modules of a package."""
    return plugins.names(import_module(f"nbtext.{package}"))
