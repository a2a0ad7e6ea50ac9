"""What imports what, what a start costs, and that everything public says what it is."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .shell import ROOT, pinned

# The rooms of the package. A room may import only from those before it; a folder is one room.
ROOMS = [
    "errors",
    "choices",
    "decoding",
    "readers",
    "tokenizers",
    "analysis",
    "compression",
    "archives",
    "corpus",
    "counts",
    "reading",
    "event_models",
    "scoring",
    "calibration",
    "store",
    "model",
    "gathering",
    "training",
    "learning",
    "exchange",
    "decision",
    "telling",
    "overview",
    "checking",
    "generating",
    "locating",
    "measures",
    "evaluation",
    "stopwords",
    "report",
    "page",
    "cli",
]

# Here a file is one choice among others, and knows none of them
SEAMS = {"readers", "tokenizers", "event_models"}

# The two front doors import from any room, and no room from them but `__version__`
DOORS = {"__init__", "__main__"}

# What no command may load before it needs it. Not `inspect`, which click itself imports.
HEAVY = {
    "concurrent.futures",
    "email",
    "hashlib",
    "importlib.metadata",
    "json",
    "logging",
    "multiprocessing",
    "numpy",
    "orjson",
    "regex",
    "selectolax",
    "tqdm",
}

FILES = sorted((ROOT / "nbtext").rglob("*.py"))


def dotted(file: Path) -> str:
    """The module's name without the package's: `readers.mail`, `readers.__init__`."""
    return ".".join(file.relative_to(ROOT / "nbtext").with_suffix("").parts)


MODULES = {dotted(file): file for file in FILES}


def imports(name: str, tree: ast.Module) -> Iterator[str]:
    """What a module imports of nbtext, from that package on: `errors.ChoiceError`, `readers._zip`, `__version__`."""
    package = ["nbtext", *name.split(".")[:-1]]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            paths = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            origin = [*start, *([node.module] if node.module else [])]
            paths = [".".join([*origin, alias.name]) for alias in node.names]
        else:
            continue
        yield from (path.removeprefix("nbtext").lstrip(".") for path in paths if path.partition(".")[0] == "nbtext")


def trespass(name: str, target: str) -> str:
    """What is wrong with a module importing the target; nothing if it may."""
    (room, _, _), (other, _, inside) = name.partition("."), target.partition(".")
    if room in DOORS or target == "__version__":
        return ""
    if other not in ROOMS:
        return f"{name} imports {target or 'nbtext'} through the front door: name the room it comes from"
    if room == other:
        sibling = inside.partition(".")[0]
        is_choice = f"{room}.{sibling}" in MODULES and not sibling.startswith("_")
        return f"{name} imports its sibling {sibling}" if room in SEAMS and is_choice else ""
    return f"{name} imports {other}, a later room" if ROOMS.index(other) > ROOMS.index(room) else ""


@pytest.mark.parametrize("name", MODULES)
def test_module_has_a_room_and_imports_only_from_those_before_it(name: str):
    room = name.partition(".")[0]
    assert room in DOORS or room in ROOMS, f"add {room!r} to ROOMS in tests/test_architecture.py, after what it imports"
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    assert [wrong for target in imports(name, tree) if (wrong := trespass(name, target))] == []


@pytest.mark.parametrize(
    ("name", "line", "wrong"),
    [
        ("counts", "from .errors import ModelError", ""),
        ("counts", "import nbtext.store", "counts imports store, a later room"),
        ("counts", "from nbtext import store", "counts imports store, a later room"),
        ("counts", "def f():\n    from .store import opened", "counts imports store, a later room"),
        ("readers.text", "from ..choices import names", ""),
        ("readers.text", "from . import Document", ""),
        ("readers.text", "from .. import cli", "readers.text imports cli, a later room"),
        ("readers.__init__", "from ..tokenizers import Tokenize", "readers.__init__ imports tokenizers, a later room"),
        ("cli", "from . import __version__", ""),
        ("cli", "from . import Model", "cli imports Model through the front door: name the room it comes from"),
        ("cli", "import nbtext", "cli imports nbtext through the front door: name the room it comes from"),
        ("cli.training", "from .options import spec", ""),
        ("__init__", "from .cli import main", ""),
        ("store", "import sqlite3, click", ""),
    ],
)
def test_import_direction_is_seen(name: str, line: str, wrong: str):
    assert "".join(trespass(name, target) for target in imports(name, ast.parse(line))) == wrong


def test_siblings_are_seen(monkeypatch):
    monkeypatch.setitem(MODULES, "readers.mail", Path("mail.py"))
    monkeypatch.setitem(MODULES, "readers._mime", Path("_mime.py"))
    assert trespass("readers.mbox", "readers.mail.read") == "readers.mbox imports its sibling mail"
    assert trespass("readers.mbox", "readers._mime.parts") == ""


def test_command_line_starts_without_what_few_commands_need():
    script = "import sys; before = set(sys.modules); import nbtext.cli; print(*sys.modules.keys() - before)"
    environment = pinned() | {"PYTHONPATH": str(ROOT)}
    fresh = subprocess.run([sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, text=True)
    assert fresh.returncode == 0
    assert HEAVY.intersection(fresh.stdout.split()) == set()


def undocumented(tree: ast.Module) -> list[str]:
    """The public names, and the module itself, that have no docstring."""
    found = [] if ast.get_docstring(tree) else ["the module"]
    inside: list[tuple[str, ast.Module | ast.ClassDef]] = [("", tree)]
    while inside:
        prefix, owner = inside.pop()
        for node in owner.body:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or node.name[0] == "_":
                continue
            if not ast.get_docstring(node):
                found.append(prefix + node.name)
            if isinstance(node, ast.ClassDef):
                inside.append((f"{prefix}{node.name}.", node))
    return found


@pytest.mark.parametrize("name", MODULES)
def test_everything_public_is_documented(name: str):
    assert undocumented(ast.parse(MODULES[name].read_text(encoding="utf-8"))) == []


def test_missing_docstrings_are_seen():
    source = "def f(): 1\nclass A:\n    'Said.'\n    def g(self): 1\n    def _h(self): 1\ndef _i(): 1"
    assert undocumented(ast.parse(source)) == ["the module", "f", "A.g"]
