"""Which kernel is in use: the compiled one as a whole, or the plain one."""

import runpy
import sys

import pytest

from nbtext import kernel

from .kernels import compiled, native, plain

NAMES = sorted({*kernel.__all__} - {"NATIVE"})


def test_one_of_the_kernels_is_in_use():
    chosen = native if kernel.NATIVE else plain
    assert [name for name in NAMES if getattr(kernel, name) is not getattr(chosen, name)] == []


@compiled
@pytest.mark.parametrize("missing", ["_cells", "_indexer", "_lines", "_strata"])
def test_without_one_compiled_part_the_whole_kernel_is_the_plain_one(monkeypatch, missing):
    monkeypatch.delenv("NBTEXT_KERNEL", raising=False)
    assert runpy.run_module("nbtext.kernel.__init__")["NATIVE"]
    monkeypatch.setitem(sys.modules, f"nbtext.kernel.{missing}", None)
    found = runpy.run_module("nbtext.kernel.__init__")
    assert not found["NATIVE"]
    assert [name for name in NAMES if found[name] is not getattr(plain, name)] == []
