"""The process nbtext: `python -m nbtext`, and the command that installing puts on the path. It starts and ends lean.

A mail server starts it for every message, so each millisecond here was measured.
"""

import gc
import os
import signal
import sys
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn

PUT_OFF = ("inspect", "traceback")  # click imports the one and logging the other, and a start does without both
SWEPT_AFTER = 50_000  # objects; more than a start makes, nearly all to stay: to sweep them would find nothing


class Later(ModuleType):
    """Stands in for a module that is loaded when it is first asked for anything."""

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self:
            sys.modules.pop(self.__name__, None)
        return getattr(import_module(self.__name__), name)


def main() -> NoReturn:
    """Run one command and end with its status, at once: all is written, and only memory is left to tidy up."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # until `run` has something to clean away, to end is all there is
    gc.set_threshold(SWEPT_AFTER)
    for name in PUT_OFF:
        put_off(name)
    from .cli import run

    os._exit(run())


def put_off(name: str) -> None:
    """A module that is not loaded yet will be when it is first used."""
    sys.modules.setdefault(name, Later(name))


if __name__ == "__main__":
    main()
