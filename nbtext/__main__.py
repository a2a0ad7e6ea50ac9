"""The process nbtext: `python -m nbtext`, and the installed command. It starts and ends fast.

A mail server starts it for every message. Everything that only makes the start faster is here, and was measured: the
percentages are shares of the instructions of a cold start, counted by cachegrind. Nothing depends on the internals of
click: some modules are loaded later, and any use of one loads the real module.
"""

import _thread
import gc
import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn

SWEPT_AFTER = 50_000  # objects, more than a start makes: nearly all of them stay, and garbage collection takes 3 %


class Later(ModuleType):
    """Replaces a module until an attribute is used that is not among the known ones; then loads the real module."""

    def __init__(self, name: str, known: Mapping[str, Any]) -> None:
        super().__init__(name)
        self.__dict__.update(known)

    def __getattr__(self, name: str) -> Any:
        return getattr(loaded(self.__name__), name)

    def __setattr__(self, name: str, value: object) -> None:
        """Set it in the real module: Python does so with a submodule that is imported."""
        setattr(loaded(self.__name__), name, value)


class LaterClass(type):
    """Replaces a class of such a module until it is called or used in `isinstance`."""

    def itself(cls) -> Any:
        """The real class."""
        return getattr(loaded(cls.__module__), cls.__name__)

    def __call__(cls, *args: Any, **options: Any) -> Any:
        return cls.itself()(*args, **options)

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, cls.itself())


class LaterObject:
    """Replaces an object of such a module, such as a logger, until it is used."""

    def __init__(self, itself: Callable[[], Any]) -> None:
        vars(self)["_itself"] = itself

    def __getattr__(self, name: str) -> Any:
        return getattr(self._itself(), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._itself(), name, value)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """The class of the real object, for `isinstance`."""
        return type(self._itself())


def loaded(name: str) -> ModuleType:
    """The real module, not its replacement."""
    if isinstance(sys.modules.get(name), Later):
        del sys.modules[name]
    return import_module(name)


def within(module: ModuleType) -> dict[str, Any]:
    """The attributes of a module in C, which the Python module around it has too."""
    return {name: value for name, value in vars(module).items() if not name.startswith("__")}


SIGNAL = import_module("_signal")
MODULE = {"__path__": ()}  # no submodules; `from ... import` asks for this
PUT_OFF: dict[str, Mapping[str, Any]] = {
    # click imports these
    "inspect": {},  # 11 %
    "uuid": MODULE | {"UUID": LaterClass("UUID", (), {"__module__": "uuid"})},  # 5 %, because it uses `platform`
    "gettext": MODULE  # 2 %; all messages of nbtext are in English, and there is no translation of click's
    | {"gettext": lambda message: message, "ngettext": lambda one, many, number: one if number == 1 else many},
    "threading": MODULE | {"local": _thread._local},  # 2 %
    "datetime": MODULE | within(import_module("_datetime")),  # 3 %; the Python module has the same classes
    "signal": within(SIGNAL),  # 2 %; the Python module only adds enumerations
    # concurrent.futures makes a logger and is silent
    "logging": {"getLogger": lambda name=None: LaterObject(lambda: loaded("logging").getLogger(name))},
    "platform": {},  # 1 % where numpy is loaded, which imports it,
    "ctypes": {},  # and 2 % there, too
}


def main() -> NoReturn:
    """Run one command and end with its status, without clean-up: all output is written, and only memory is left."""
    if SIGNAL.getsignal(SIGNAL.SIGINT) is SIGNAL.default_int_handler:
        SIGNAL.signal(SIGNAL.SIGINT, SIGNAL.SIG_DFL)  # before `run` there is nothing to clean up
    gc.set_threshold(SWEPT_AFTER)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # folds share the cores; numpy's threads would only wait
    for name, known in PUT_OFF.items():
        put_off(name, known)
    from .cli import run

    os._exit(run())


def put_off(name: str, known: Mapping[str, Any]) -> None:
    """Load a module only when an attribute is used that is not among the known ones."""
    sys.modules.setdefault(name, Later(name, known))


if __name__ == "__main__":
    main()
