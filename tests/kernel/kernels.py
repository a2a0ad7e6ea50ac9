"""The two kernels, whichever of them nbtext uses, and the marks of tests that need one or both."""

from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from nbtext import kernel
from nbtext.kernel import cells, indexer, lines, strata


def joined(*modules: ModuleType) -> Any:
    """What modules of a kernel define for all of nbtext."""
    return SimpleNamespace(
        **{name: value for module in modules for name, value in vars(module).items() if name in kernel.__all__}
    )


plain = joined(cells, indexer, lines, strata)
try:
    from nbtext.kernel import _cells, _indexer, _lines, _strata

    native = joined(_cells, _indexer, _lines, _strata)
except ImportError:
    native = None

compiled = pytest.mark.skipif(native is None, reason="the kernel is not compiled here")


def both(name: str) -> pytest.MarkDecorator:
    """Gives a test, as the argument of that name, what each kernel calls by it."""
    return pytest.mark.parametrize(
        name.lower(),
        [
            pytest.param(getattr(plain, name), id="plain"),
            pytest.param(getattr(native, name, None), id="compiled", marks=compiled),
        ],
    )
