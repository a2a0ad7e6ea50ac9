"""Choosing a module by name: the files of a folder are the values of an option.

A reader, a tokenizer or an event model is one file in its package, and users type the file's name. So there is no table
to edit. Names can come from a model file, which is not trusted: only modules found in the package are imported.
"""

import os
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import ModuleType

from .errors import ChoiceError

Option = int | str


def names(package: ModuleType) -> list[str]:
    """The choices a package offers, sorted: its module files, dashes for underscores.

    >>> from nbtext import tokenizers
    >>> "words" in names(tokenizers)
    True
    """
    return sorted(_known(*package.__path__))


@cache  # called twenty times at each start
def _known(*folders: str) -> frozenset[str]:
    files = (file for folder in folders for file in os.listdir(folder))
    return frozenset(file[:-3].replace("_", "-") for file in files if file.endswith(".py") and file[0] != "_")


def module(package: ModuleType, name: str) -> ModuleType:
    """The module of that name in the package.

    Raises: ChoiceError, which lists the existing names.
    """
    if name not in _known(*package.__path__):
        kind = package.__name__.rpartition(".")[2].replace("_", " ").removesuffix("s")
        raise ChoiceError(f"no {kind} {name!r}; there are: {', '.join(names(package))}")
    return import_module(f"{package.__name__}.{name.replace('-', '_')}")


def parsed(spec: str) -> tuple[str, dict[str, str]]:
    """The name and the options of a spec, as text.

    >>> parsed("chars:n=3,min=1")
    ('chars', {'n': '3', 'min': '1'})

    Raises: ChoiceError if an option is not written KEY=VALUE.
    """
    name, _, rest = spec.partition(":")
    options = {}
    for option in rest.split(",") if rest else []:
        key, equals, value = option.partition("=")
        if not (key and equals):
            raise ChoiceError(f"{spec!r}: {option!r} should be written KEY=VALUE, as in chars:n=4")
        options[key] = value
    return name, options


def converted(spec: str, options: Mapping[str, str], defaults: Mapping[str, Option]) -> dict[str, Option]:
    """The options of a spec in the types of their defaults.

    >>> converted("chars:n=3", {"n": "3"}, {"n": 4})
    {'n': 3}

    Raises: ChoiceError for an unknown option, or a value of the wrong type.
    """
    result: dict[str, Option] = {}
    for key, value in options.items():
        if key not in defaults:
            there_are = ", ".join(defaults) or "none"
            raise ChoiceError(f"{spec!r}: no option {key!r}; there are: {there_are}")
        try:
            result[key] = type(defaults[key])(value)
        except ValueError:
            raise ChoiceError(f"{spec!r}: {key} should be a number, not {value!r}") from None
    return result


def made(package: ModuleType, spec: str) -> object:
    """The result of `make(**options)` of the chosen module, with the options of the spec.

    Raises: ChoiceError for an unknown name or option, or a value that the module refuses.
    """
    name, options = parsed(spec)
    make = module(package, name).make
    try:
        return make(**converted(spec, options, make.__kwdefaults__ or {}))
    except ValueError as error:
        raise ChoiceError(f"{spec!r}: {error}") from None
