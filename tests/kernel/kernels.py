"""The two kernels, whichever of them nbtext uses, and the marks of tests that need one or both."""

from typing import Any

import pytest

from nbtext.kernel import cells, plain

try:
    from nbtext.kernel import _native

    native: Any = _native
except ImportError:
    native = None

compiled = pytest.mark.skipif(native is None, reason="the kernel is not compiled here")


def both(name: str) -> pytest.MarkDecorator:
    """Gives a test, as the argument of that name, what each kernel calls by it."""
    return pytest.mark.parametrize(
        name.lower(),
        [
            pytest.param(getattr(plain if hasattr(plain, name) else cells, name), id="plain"),
            pytest.param(getattr(native, name, None), id="compiled", marks=compiled),
        ],
    )
