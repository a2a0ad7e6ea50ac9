"""The process nbtext: `python -m nbtext`, and the command that installing puts on the path. It starts and ends lean.

A mail server starts it for every message, so each millisecond here was measured.
"""

import gc
import os
import sys
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any, NoReturn

SWEPT_AFTER = 50_000  # objects; more than a start makes, nearly all to stay: to sweep them would find nothing


class Later(ModuleType):
    """A module that is loaded when it is first asked for anything.

    Not `importlib.util.LazyLoader`, whose modules load as soon as they are imported twice.
    """

    def __getattr__(self, name: str) -> Any:
        self.__class__ = ModuleType  # type: ignore[assignment]  # so that this happens once
        assert self.__spec__
        assert self.__spec__.loader
        self.__spec__.loader.exec_module(self)
        return getattr(self, name)


def main() -> NoReturn:
    """Run one command and end with its status, at once: all is written, and only memory is left to tidy up."""
    gc.set_threshold(SWEPT_AFTER)
    put_off("inspect")  # which click imports, and does without in a start
    from .cli import run

    os._exit(run())


def put_off(name: str) -> None:
    """A module of the standard library that is not loaded yet will be when it is first used."""
    spec = None if name in sys.modules else find_spec(name)
    if spec:
        sys.modules[name] = module = module_from_spec(spec)
        module.__class__ = Later


if __name__ == "__main__":
    main()
