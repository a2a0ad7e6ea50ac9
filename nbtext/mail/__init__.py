"""A message as bytes: header, MIME, charsets, HTML, mailboxes; and which parts of it are evidence.

The busiest loops exist twice: in plain Python, each in the module that it belongs to, and compiled in `_native.pyx`.
Both give the same; NBTEXT_KERNEL=plain chooses the plain ones.
"""

import os
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import TypeVar

Loop = TypeVar("Loop")

_native: ModuleType | None = None
if os.environ.get("NBTEXT_KERNEL") != "plain":
    with suppress(ImportError):  # it could not be compiled
        _native = import_module("._native", __name__)


def compiled(name: str, plain: Loop) -> Loop:
    """The compiled function or class of that name, or if there is none, the one in plain Python."""
    return getattr(_native, name, plain)
