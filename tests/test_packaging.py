"""What is installed: the package that pyproject.toml describes, and the packages it asks for."""

import ast
import re
import sys
import tomllib
from email.message import Message
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest
from flit_core import buildapi

import nbtext

from .shell import ROOT

TEXT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
PROJECT = tomllib.loads(TEXT)["project"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        with ZipFile(folder / buildapi.build_wheel(str(folder))) as archive:
            yield archive


def part(wheel: ZipFile, name: str) -> str:
    return wheel.read(f"nbtext-{nbtext.__version__}.dist-info/{name}").decode()


def metadata(wheel: ZipFile) -> Message:
    return Parser().parsestr(part(wheel, "METADATA"))


def test_wheel_holds_the_whole_package_and_nothing_else(wheel: ZipFile):
    ours = {
        str(file.relative_to(ROOT)) for file in (ROOT / "nbtext").rglob("*") if file.suffix in {".py", ".typed", ".css"}
    }
    assert "nbtext/py.typed" in ours
    assert {name for name in wheel.namelist() if ".dist-info/" not in name} == ours


def test_wheel_has_the_version_and_the_summary_of_the_module(wheel: ZipFile):
    assert metadata(wheel)["Version"] == nbtext.__version__
    assert metadata(wheel)["Summary"] in (nbtext.__doc__ or "")


def test_wheel_brings_the_command_and_the_licence(wheel: ZipFile):
    assert "nbtext=nbtext.__main__:main" in part(wheel, "entry_points.txt")
    assert part(wheel, "licenses/LICENSE").startswith("MIT License")


@pytest.mark.parametrize("requirement", PROJECT["dependencies"])
def test_runtime_package_says_why_it_is_needed(requirement: str):
    assert re.search(rf'^ *"{re.escape(requirement)}", # \w+.*$', TEXT, re.MULTILINE)


def distribution(requirement: str) -> str:
    """The name a requirement starts with.

    >>> distribution("zstandard; python_version < '3.14'")
    'zstandard'
    """
    return re.split(r"[^\w-]", requirement, maxsplit=1)[0]


def imported(file: Path) -> set[str]:
    """The top-level modules a file imports that are neither Python's nor ours."""
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    modules = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    modules += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level]
    return {module.split(".")[0] for module in modules} - sys.stdlib_module_names - {"nbtext", "compression"}


def test_what_is_imported_is_what_is_required():
    needed = {module for file in (ROOT / "nbtext").rglob("*.py") for module in imported(file)}
    runtime = {distribution(requirement) for requirement in PROJECT["dependencies"]}
    extras = PROJECT["optional-dependencies"]
    optional = {distribution(requirement) for name in extras if name != "dev" for requirement in extras[name]}
    assert needed - optional - {"distributed"} == runtime  # distributed comes with dask
