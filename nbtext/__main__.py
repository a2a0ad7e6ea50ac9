"""The process nbtext: `python -m nbtext`, and the command that installing puts on the path. It starts and ends lean.

A mail server starts it for every message. What is done for that alone is done here, and was measured: shares are of the
instructions of a cold start, as cachegrind counts them. None of it asks how click is made: modules are put off,
and whoever uses one in whatever way gets the real one then.
"""

import gc
import os
import signal
import sys
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn

SWEPT_AFTER = 50_000  # objects; more than a start makes, nearly all to stay: to look for garbage among them takes 3 %


class Later(ModuleType):
    """Stands in for a module that is loaded when it is first asked for anything but what is known of it."""

    def __init__(self, name: str, known: Mapping[str, Any]) -> None:
        super().__init__(name)
        self.__dict__.update(known)

    def __getattr__(self, name: str) -> Any:
        return getattr(loaded(self.__name__), name)

    def __setattr__(self, name: str, value: object) -> None:
        """Set it in the module itself: so does Python with a submodule that is imported."""
        setattr(loaded(self.__name__), name, value)


class LaterLogger:
    """Stands in for a logger until it has something to log."""

    def __init__(self, name: str | None = None) -> None:
        vars(self)["logger"] = lambda: loaded("logging").getLogger(name)

    def __getattr__(self, name: str) -> Any:
        return getattr(vars(self)["logger"](), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(vars(self)["logger"](), name, value)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """A logger's, for whoever asks whether this is one."""
        return type(vars(self)["logger"]())


def loaded(name: str) -> ModuleType:
    """A module itself, not what stands in for it."""
    if isinstance(sys.modules.get(name), Later):
        del sys.modules[name]
    return import_module(name)


PUT_OFF: dict[str, Mapping[str, Any]] = {
    "inspect": {},  # 11 %; click imports it
    # 4 %; uuid, which click imports, asks it for this
    "platform": {"system": lambda: os.uname().sysname} if hasattr(os, "uname") else {},
    "logging": {"getLogger": LaterLogger},  # concurrent.futures makes one, and is silent
    "traceback": {},  # logging imports it
}


def main() -> NoReturn:
    """Run one command and end with its status, at once: all is written, and only memory is left to tidy up."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # until `run` has something to clean away, to end is all there is
    gc.set_threshold(SWEPT_AFTER)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # folds share the cores; threads of numpy's own would only wait
    for name, known in PUT_OFF.items():
        put_off(name, known)
    from .cli import run

    os._exit(run())


def put_off(name: str, known: Mapping[str, Any]) -> None:
    """A module that is not loaded yet will be when it is first used for more than what is known of it."""
    sys.modules.setdefault(name, Later(name, known))


if __name__ == "__main__":
    main()
