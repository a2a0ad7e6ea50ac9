"""The process nbtext: `python -m nbtext`, and the command that installing puts on the path. It starts and ends lean.

A mail server starts it for every message, so each millisecond here was measured.
"""

import gc
import os
import signal
import sys
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn

SWEPT_AFTER = 50_000  # objects; more than a start makes, nearly all to stay: to sweep them would find nothing


class Later(ModuleType):
    """Stands in for a module that is loaded when it is first asked for anything but what is known of it."""

    def __init__(self, name: str, known: Mapping[str, Any]) -> None:
        super().__init__(name)
        self.__dict__.update(known)

    def __getattr__(self, name: str) -> Any:
        return getattr(loaded(self.__name__), name)


class LaterLogger:
    """Stands in for a logger until it has something to log."""

    def __init__(self, name: str | None = None) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(loaded("logging").getLogger(self._name), name)


def loaded(name: str) -> ModuleType:
    """A module itself, not what stands in for it."""
    if isinstance(sys.modules.get(name), Later):
        del sys.modules[name]
    return import_module(name)


PUT_OFF: dict[str, Mapping[str, Any]] = {
    "inspect": {},  # click imports it
    # uuid, which click imports, asks it for this alone
    "platform": {"system": lambda: os.uname().sysname} if hasattr(os, "uname") else {},
    "logging": {"getLogger": LaterLogger},  # selectolax imports it, for a logger that has nothing to say
    "traceback": {},  # logging imports it
}


def main() -> NoReturn:
    """Run one command and end with its status, at once: all is written, and only memory is left to tidy up."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # until `run` has something to clean away, to end is all there is
    gc.set_threshold(SWEPT_AFTER)
    for name, known in PUT_OFF.items():
        put_off(name, known)
    from .cli import run

    os._exit(run())


def put_off(name: str, known: Mapping[str, Any]) -> None:
    """A module that is not loaded yet will be when it is first used for more than what is known of it."""
    sys.modules.setdefault(name, Later(name, known))


if __name__ == "__main__":
    main()
