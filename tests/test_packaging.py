"""What is installed: the package that pyproject.toml describes, and the packages it asks for."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from email.message import Message
from email.parser import Parser
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from zipfile import ZipFile

import pytest

import nbtext
from nbtext import kernel

from . import manpages
from .shell import ROOT, bash, pinned

TEXT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
PROJECT = tomllib.loads(TEXT)["project"]


# What is built in a copy, lest what the compiler leaves lies in the checkout
SOURCES = [
    "nbtext", "docs", "man", "corpora", "pyproject.toml", "setup.py", "MANIFEST.in", "Makefile", "mkdocs.yml",
    "LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md",
]  # fmt: skip
BUILD = "import sys; from setuptools import build_meta; print(getattr(build_meta, 'build_' + sys.argv[1])('.'))"


def copied(folder: Path) -> None:
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.c"))
        else:
            shutil.copy(ROOT / name, folder)


def build(kind: str, folder: Path, environment: dict[str, str]) -> str:
    """The file name of the wheel or the sdist that setuptools builds in a folder."""
    command = [sys.executable, "-c", BUILD, kind]
    done = subprocess.run(command, cwd=folder, env=os.environ | environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    """The path of the source distribution."""
    folder = tmp_path_factory.mktemp("sdist")
    copied(folder)
    (folder / "tests").mkdir()
    (folder / "tests" / "file").touch()
    return folder / build("sdist", folder, {})


@pytest.fixture(scope="module")
def wheel_path(sdist: Path, tmp_path_factory):
    """The path of the wheel, built from the source distribution."""
    folder = tmp_path_factory.mktemp("wheel")
    with tarfile.open(sdist) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # absent before Python 3.11.4
        archive.extractall(folder)
    [source] = folder.iterdir()
    return source / build("wheel", source, {})


@pytest.fixture(scope="module")
def wheel(wheel_path: Path):
    with ZipFile(wheel_path) as archive:
        yield archive


def part(wheel: ZipFile, name: str) -> str:
    return wheel.read(f"nbtext-{nbtext.__version__}.dist-info/{name}").decode()


def metadata(wheel: ZipFile) -> Message:
    return Parser().parsestr(part(wheel, "METADATA"))


INSTALLED = {".py", ".pyi", ".typed", ".css"}


def test_wheel_holds_the_whole_package_and_nothing_else(wheel: ZipFile):
    ours = {str(file.relative_to(ROOT)) for file in (ROOT / "nbtext").rglob("*") if file.suffix in INSTALLED}
    sources = [str(file.relative_to(ROOT).with_suffix("")) for file in (ROOT / "nbtext").rglob("*.pyx")]
    compiled = {f"{source}{EXTENSION_SUFFIXES[0]}" for source in sources if kernel.NATIVE}
    assert "nbtext/py.typed" in ours
    man = {f"nbtext-{nbtext.__version__}.data/data/share/man/man1/{name}" for name in manpages.pages()}
    assert {name for name in wheel.namelist() if ".dist-info/" not in name} == ours | compiled | man


def test_man_pages_are_those_of_the_commands():
    assert {file.name: file.read_text(encoding="utf-8") for file in manpages.FOLDER.iterdir()} == manpages.pages()


@pytest.mark.skipif(shutil.which("man") is None, reason="man is not installed")
def test_man_shows_a_page_without_a_warning():
    command = ["man", "--warnings", "-l", str(manpages.FOLDER / "nbtext-train.1")]
    done = subprocess.run(command, capture_output=True, text=True, env=pinned() | {"MANWIDTH": "100"})
    assert done.stderr == ""
    assert "nbtext-train - train a model from folders or tables of labelled documents" in done.stdout


def test_package_page_has_no_link_into_the_source(wheel: ZipFile):
    page = metadata(wheel).get_payload()
    assert isinstance(page, str)
    assert "Tutorial (`docs/tutorial.md`)" in page
    assert re.findall(r"\]\((?!https?://)[^)]*\)", page) == []


LOWEST = [requirement.replace(" >=", "==") for requirement in PROJECT["dependencies"]]


def test_wheel_works_with_the_oldest_packages_in_an_environment_of_its_own(wheel_path: Path, tmp_path):
    python = tmp_path / "venv/bin/python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    base = getattr(sys, "_base_executable", sys.executable)  # whose pip installs into all environments
    pip = [base, "-m", "pip", "--python", python, "--quiet", "--no-input", "--disable-pip-version-check"]
    install = [*pip, "install", "--only-binary=:all:", "--retries=1", wheel_path, *LOWEST]
    done = subprocess.run(install, capture_output=True, text=True)
    if done.returncode and "ConnectionError" in done.stderr:
        pytest.skip("no network to install from")
    assert done.returncode == 0, done.stderr
    command = python.with_name("nbtext")
    environment = pinned() | {"PYTHONWARNINGS": "error", "PYTHONPATH": ""}
    script = f"""set -e
"{python}" "{ROOT}/tests/every_help.py" "{command}"
"{command}" train "{ROOT}/corpora/topics" --tune >&2
echo "Reef the main before the squall" | "{command}" classify
"{command}" evaluate --split 0.8 | grep -o 'tested   42 documents'
"""
    out, err, status = bash(script, tmp_path, environment)
    assert status == 0, err.decode()
    assert re.search("^sailing\t", out.decode(), re.MULTILINE)
    assert out.endswith(b"tested   42 documents\n")


def test_without_a_compiler_the_wheel_does_without_the_compiled_kernel(tmp_path):
    copied(tmp_path)
    with ZipFile(tmp_path / build("wheel", tmp_path, {"CC": "/bin/false"})) as archive:
        archive.extractall(tmp_path / "site")
    assert list(tmp_path.glob("site/nbtext/kernel/*.so")) == []
    script = "from nbtext import kernel; print(kernel.NATIVE, *kernel.Indexer(str.split).add([[('', 'a b a')]]).terms)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path / "site", capture_output=True, text=True, env=pinned()
    )
    assert (done.stdout, done.stderr) == ("False 0 1\n", "")


def test_wheel_has_the_version_and_the_summary_of_the_module(wheel: ZipFile):
    assert metadata(wheel)["Version"] == nbtext.__version__
    assert (nbtext.__doc__ or "").splitlines()[0] == f"nbtext: {metadata(wheel)['Summary']}"


def test_wheel_brings_the_command_and_the_licence(wheel: ZipFile):
    assert "nbtext = nbtext.__main__:main" in part(wheel, "entry_points.txt")
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
    # distributed comes with dask; sklearn is imported only where it calls us
    assert needed - optional - {"distributed", "sklearn"} == runtime


def test_checkout_is_installed_without_code_that_runs_at_every_start():
    assert [name for name in sys.modules if name.startswith("__editable__")] == []


def test_source_distribution_holds_what_tests_need(sdist: Path):
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "Makefile",
        "setup.py",
        "man/nbtext.1",
        "corpora/topics/sailing/anchor-question.txt",
        "tests/file",
        *(str(file.relative_to(ROOT)) for ending in ("pyx", "pxd") for file in (ROOT / "nbtext").rglob(f"*.{ending}")),
        "nbtext/py.typed",
    } <= names
    assert {"mkdocs.yml", "docs/mail.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"} <= names
    assert [name for name in names if name.endswith((".c", ".so"))] == []
