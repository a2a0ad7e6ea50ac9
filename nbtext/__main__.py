"""The process nbtext: `python -m nbtext`, and the command that installing puts on the path. It starts and ends lean.

A mail server starts it for every message. What is done for that alone is done here, and was measured: shares are of the
instructions of a cold start, as cachegrind counts them. None of it asks how click is made: modules are put off,
and whoever uses one in whatever way gets the real one then.
"""

import _thread
import gc
import os
import sys
from collections.abc import Callable, Mapping
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


class LaterClass(type):
    """Stands in for a class of such a module until one of its own is made, or recognised."""

    def itself(cls) -> Any:
        """The class that it stands in for."""
        return getattr(loaded(cls.__module__), cls.__name__)

    def __call__(cls, *args: Any, **options: Any) -> Any:
        return cls.itself()(*args, **options)

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, cls.itself())


class LaterObject:
    """Stands in for a thing of such a module, such as a logger, until it is used."""

    def __init__(self, module: str, made: Callable[[ModuleType], Any]) -> None:
        vars(self)["thing"] = lambda: made(loaded(module))

    def __getattr__(self, name: str) -> Any:
        return getattr(vars(self)["thing"](), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(vars(self)["thing"](), name, value)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """Its own, for whoever asks what this is."""
        return type(vars(self)["thing"]())


def loaded(name: str) -> ModuleType:
    """A module itself, not what stands in for it."""
    if isinstance(sys.modules.get(name), Later):
        del sys.modules[name]
    return import_module(name)


def within(module: ModuleType) -> dict[str, Any]:
    """What a module in C holds, and so the one in Python around it."""
    return {name: value for name, value in vars(module).items() if not name.startswith("__")}


SIGNAL = import_module("_signal")
MODULE = {"__path__": ()}  # nothing lies under it, as `from ... import` asks
PUT_OFF: dict[str, Mapping[str, Any]] = {
    # click imports these
    "inspect": {},  # 11 %
    "uuid": MODULE | {"UUID": LaterClass("UUID", (), {"__module__": "uuid"})},  # 5 %, for it asks `platform`
    "gettext": MODULE  # 2 %; all else that nbtext says is in English, and nobody has a translation of click's words
    | {"gettext": lambda message: message, "ngettext": lambda one, many, number: one if number == 1 else many},
    "threading": MODULE | {"local": _thread._local},  # 2 %
    "datetime": MODULE | within(import_module("_datetime")),  # 3 %; the one in Python does the same without it
    "signal": within(SIGNAL),  # 2 %; the rest are enumerations of its numbers
    # concurrent.futures makes a logger and is silent
    "logging": {"getLogger": lambda name=None: LaterObject("logging", lambda logging: logging.getLogger(name))},
    "traceback": {},  # logging imports it
}


def main() -> NoReturn:
    """Run one command and end with its status, at once: all is written, and only memory is left to tidy up."""
    if SIGNAL.getsignal(SIGNAL.SIGINT) is SIGNAL.default_int_handler:
        SIGNAL.signal(SIGNAL.SIGINT, SIGNAL.SIG_DFL)  # until `run` has something to clean away, to end is all there is
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
