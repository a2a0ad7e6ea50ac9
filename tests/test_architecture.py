"""What imports what, what a start costs, and that everything public says what it is."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from textwrap import dedent

import pytest

from nbtext.__main__ import Later, put_off

from .shell import ROOT, pinned

# The layers of the package, each a module or a folder. A layer may import only from those before it.
LAYERS = [
    # Failures, modules chosen by name, text as people and files have it
    "errors",
    "plugins",
    "escaping",
    "decoding",
    "fields",
    "settings",
    "metrics",
    # From bytes to tokens
    "tokenizers",
    "kernel",
    "mail",
    "readers",
    "analysis",
    # From files on disk to counts
    "engines",
    "corpus",
    "counting",
    # From counts to scores and probabilities
    "event_models",
    "inference",
    # A model in its file, made, changed, at work, measured
    "storage",
    "model",
    "training",
    "classification",
    "evaluation",
    # What people and programs see of all this
    "report",
    "cli",
]

# Here a file is one choice among others, and knows none of them
SEAMS = {"readers", "tokenizers", "event_models", "engines"}

# The two front doors import from any room, and no room from them but `__version__`
DOORS = {"__init__", "__main__"}

# What no command may load before it needs it
HEAVY = {
    "concurrent.futures",
    "difflib",
    "dis",  # which `inspect` imports, and click `inspect`
    "email",
    "hashlib",
    "importlib.metadata",
    "json",
    "locale",
    "logging",
    "matplotlib",
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
    if other not in LAYERS:
        return f"{name} imports {target or 'nbtext'} through the front door: name the room it comes from"
    if room == other:
        sibling = inside.partition(".")[0]
        is_choice = f"{room}.{sibling}" in MODULES and not sibling.startswith("_")
        return f"{name} imports its sibling {sibling}" if room in SEAMS and is_choice else ""
    return f"{name} imports {other}, a later layer" if LAYERS.index(other) > LAYERS.index(room) else ""


@pytest.mark.parametrize("name", MODULES)
def test_a_module_imports_only_from_layers_before_its_own(name: str):
    room = name.partition(".")[0]
    assert room in DOORS or room in LAYERS, (
        f"add {room!r} to LAYERS in tests/test_architecture.py, after what it imports"
    )
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    assert [wrong for target in imports(name, tree) if (wrong := trespass(name, target))] == []


@pytest.mark.parametrize(
    ("name", "line", "wrong"),
    [
        ("counting.counts", "from ..errors import ModelError", ""),
        ("counting.counts", "import nbtext.storage.store", "counting.counts imports storage, a later layer"),
        ("counting.counts", "from nbtext import storage", "counting.counts imports storage, a later layer"),
        ("escaping", "def f():\n    from .model import Model", "escaping imports model, a later layer"),
        ("readers.text", "from ..plugins import names", ""),
        ("readers.text", "from . import Document", ""),
        ("readers.text", "from .. import cli", "readers.text imports cli, a later layer"),
        ("tokenizers.__init__", "from ..readers import Document", "tokenizers.__init__ imports readers, a later layer"),
        ("cli", "from . import __version__", ""),
        ("cli", "from . import Model", "cli imports Model through the front door: name the room it comes from"),
        ("cli", "import nbtext", "cli imports nbtext through the front door: name the room it comes from"),
        ("cli.training", "from .options import spec", ""),
        ("__init__", "from .cli import run", ""),
        ("storage.store", "import sqlite3, click", ""),
    ],
)
def test_import_direction_is_seen(name: str, line: str, wrong: str):
    assert "".join(trespass(name, target) for target in imports(name, ast.parse(line))) == wrong


def test_siblings_are_seen(monkeypatch):
    monkeypatch.setitem(MODULES, "readers.mail", Path("mail.py"))
    monkeypatch.setitem(MODULES, "readers._fields", Path("_fields.py"))
    assert trespass("readers.mbox", "readers.mail.read") == "readers.mbox imports its sibling mail"
    assert trespass("readers.mbox", "readers._fields.document") == ""


def lean(script: str, folder: Path, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    """What a script does in a process that begins as `nbtext` does; `before` are the modules it began with."""
    put_off = "from nbtext.__main__ import PUT_OFF, Later, put_off; [put_off(*each) for each in PUT_OFF.items()]"
    begin = f"import sys; before = {{*sys.modules}}; {put_off}; "
    environment = pinned() | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", begin + script],
        env=environment,
        cwd=folder,
        input=stdin,
        capture_output=True,
        text=True,
    )


LOADED = "(name for name, module in sys.modules.items() if not isinstance(module, Later))"

# Counts as arrays: for many documents, and too slow to load for one
ARRAYS = {
    "numpy",
    "nbtext.counting.counts",
    "nbtext.inference.estimator",
    "nbtext.inference.tempering",
    "nbtext.kernel",
}

# What only few commands need, and so none may load that answers a single document
FOREIGN = ARRAYS | {
    "hashlib",
    "pickle",
    "random",
    "secrets",
    "shutil",
    "tempfile",
    "nbtext.training.training",
}


@pytest.mark.parametrize(
    ("script", "heavy"),
    [
        ("nbtext.cli", HEAVY),
        ("nbtext.cli; nbtext.cli._status(['classify', '-m', 'model.nbtext', 'document'])", HEAVY | FOREIGN),
        ("nbtext.mail.pages; nbtext.mail.pages.page('<p>lunch', 99)", HEAVY | FOREIGN),
    ],
)
def test_command_line_starts_without_what_few_commands_need(script, heavy, corpus, run, tmp_path):
    corpus({"ham/1": "lunch", "spam/1": "win"})
    run("train", "corpus")
    (tmp_path / "document").write_text("lunch")
    fresh = lean(f"import {script}; print(*{{*{LOADED}}} - before)", tmp_path)
    assert fresh.returncode == 0
    assert heavy.intersection(fresh.stdout.split()) == set()


@pytest.mark.parametrize(
    ("command", "heavy"),
    [
        (["classify"], HEAVY | FOREIGN),
        (["classify", "--event-model", "bernoulli", "--raw"], HEAVY | FOREIGN),
        (["filter"], HEAVY | FOREIGN),
        (["learn", "ham"], (HEAVY | FOREIGN) - {"hashlib"}),
        (["explain"], ARRAYS),
        (["tokens"], ARRAYS),
        (["show"], ARRAYS),
        (["export"], ARRAYS),
        (["generate", "ham"], ARRAYS),
    ],
)
def test_one_message_is_answered_and_learned_without_what_many_need(command, heavy, corpus, run, tmp_path):
    corpus({"ham/1": "Subject: lunch\n\nat noon", "spam/1": "Subject: win\n\ncash now"})
    run("train", "corpus", "--reader", "mail")
    call = f"nbtext.cli; status = nbtext.cli._status({command})"
    script = f"import {call}; print(status, *{{*{LOADED}}} - before)"
    fresh = lean(script, tmp_path, "Subject: cash\n\nat noon\n")
    status, *loaded = fresh.stdout.splitlines()[-1].split()
    assert (fresh.stderr, status) == ("", "0")
    assert heavy.intersection(loaded) == set()


@pytest.mark.parametrize("asked", [["--help"], ["train", "--help"], ["evaluate", "--help"], ["verify", "--help"]])
def test_help_loads_no_arrays(asked, tmp_path):
    fresh = lean(f"import nbtext.cli; nbtext.cli.run({asked}); print(*{{*{LOADED}}} - before)", tmp_path)
    assert "Usage: nbtext" in fresh.stdout
    assert ARRAYS.intersection(fresh.stdout.splitlines()[-1].split()) == set()


@pytest.mark.parametrize("use", ["import colorsys; colorsys.rgb_to_hsv", "from colorsys import rgb_to_hsv"])
def test_what_is_put_off_is_loaded_when_it_is_used(use, monkeypatch):
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    put_off("colorsys", {"ONE_THIRD": 1 / 3})
    stand_in = sys.modules["colorsys"]
    assert isinstance(stand_in, Later)
    assert stand_in.ONE_THIRD == 1 / 3
    assert sys.modules["colorsys"] is stand_in
    exec(use, {})
    assert not isinstance(sys.modules["colorsys"], Later)


def test_a_logger_that_is_put_off_logs(tmp_path):
    logger = "import logging; logger = logging.getLogger('page'); print(isinstance(sys.modules['logging'], Later))"
    fresh = lean(f"{logger}; logger.error('broken'); print(logger.level == logging.NOTSET)", tmp_path)
    assert (fresh.stdout, fresh.stderr) == ("True\nTrue\n", "broken\n")
    root = lean("import logging; logger = logging.getLogger(); logger.error('broken'); print(logger.name)", tmp_path)
    assert (root.stdout, root.stderr) == ("root\n", "broken\n")


def test_a_submodule_of_what_is_put_off_is_found(tmp_path):
    fresh = lean("import logging.handlers; print(logging.handlers.SysLogHandler.__name__)", tmp_path)
    assert (fresh.stdout, fresh.stderr) == ("SysLogHandler\n", "")


def test_what_is_set_in_what_is_put_off_is_set_in_the_module_itself(tmp_path):
    script = "import logging as early; early.raiseExceptions = 5; print(sys.modules['logging'].raiseExceptions)"
    fresh = lean(script, tmp_path)
    assert (fresh.stdout, fresh.stderr) == ("5\n", "")


def test_a_logger_that_is_put_off_is_a_logger_and_can_be_set(tmp_path):
    script = "import logging; early = logging.getLogger('page'); early.disabled = True; early.error('unheard'); "
    fresh = lean(script + "print(isinstance(early, logging.Logger), logging.getLogger('page').disabled)", tmp_path)
    assert (fresh.stdout, fresh.stderr) == ("True True\n", "")


def test_stand_ins_do_what_the_real_ones_do(tmp_path):
    script = """
        import click, datetime, gettext, logging.handlers, pickle, signal, threading, uuid
        from concurrent.futures import ThreadPoolExecutor

        a_uuid = click.UUID.convert("12345678123456781234567812345678", None, None)
        print(isinstance(a_uuid, uuid.UUID), isinstance("text", uuid.UUID), uuid.UUID(int=1))
        print(pickle.loads(pickle.dumps(datetime.date(1997, 3, 1))).isoformat(), datetime.timedelta(hours=1))
        print(signal.Signals(signal.SIGINT).name, signal.getsignal(signal.SIGTERM) == signal.SIG_DFL)
        print(threading.current_thread().name, *ThreadPoolExecutor(2).map(abs, [-1, 2]))
        print(gettext.gettext("as it is"), gettext.ngettext("one", "many", 2), logging.handlers.SYSLOG_UDP_PORT)
    """
    fresh = lean(f"exec({dedent(script)!r})", tmp_path)
    assert fresh.stderr == ""
    assert fresh.stdout.splitlines() == [
        "True False 00000000-0000-0000-0000-000000000001",
        "1997-03-01 1:00:00",
        "SIGINT True",
        "MainThread 1 2",
        "as it is many 514",
    ]


# A stranger's module of each seam, and what it makes of the command line
STRANGERS = {
    "event_models": """
        from . import fixed

        STATISTIC = "frequency"
        REPEATS = False
        OUTSIDE = False
        VALUES = None
        JOINT = False

        def present(alpha, documents):
            return lambda count: fixed(count * alpha)

        def shared(alpha, sizes, vocabulary):
            return [0] * len(sizes)

        def absent(alpha, documents):
            return None
        """,
    "tokenizers": """
        def make(*, size: int = 2):
            return lambda text: ["".join(pair) for pair in zip(*[iter(text.strip())] * size)]
        """,
    "readers": """
        from . import Document

        LABELLED = True
        KIND = "text"

        def read(stream, name, decode):
            for number, line in enumerate(stream, 1):
                text, _, label = decode(line).strip().rpartition(" #")
                yield Document([("", text)], label or None, f"{name}:{number}")
        """,
}


@pytest.fixture
def stranger(tmp_path, monkeypatch):
    """stranger("readers") drops a module `strange_one` into a folder, and the folder onto that package's path."""

    def dropped(seam: str) -> None:
        folder = tmp_path / "elsewhere" / seam
        folder.mkdir(parents=True)
        (folder / "strange_one.py").write_text(dedent(STRANGERS[seam]))
        package = import_module(f"nbtext.{seam}")
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
        monkeypatch.delitem(sys.modules, f"nbtext.{seam}.strange_one", raising=False)
        monkeypatch.delattr(package, "strange_one", raising=False)

    loaded = set(sys.modules)
    yield dropped
    for name in set(sys.modules) - loaded:  # commands first loaded here have the stranger in their help
        if name.startswith("nbtext.cli."):
            del sys.modules[name]


def test_strange_event_model_is_used_like_one_of_ours(stranger, corpus, run):
    stranger("event_models")
    corpus({"a/1": "red red", "b/1": "red blue"})
    assert run("train", "corpus", "--event-model", "strange-one", "--alpha", "3").status == 0
    assert "event-model: strange-one\n" in run("show").out
    lines = run("explain", stdin="blue blue").out.splitlines()
    assert lines[0].startswith("b\t")
    assert lines[2].split() == ["+3.0000", "blue", "1", "1", "0"]
    assert lines[-1] == "+3.0000  total: score of b minus that of a"
    assert run("classify", "--event-model", "nobody", stdin="x").err.endswith("multinomial, strange-one\n")


def test_strange_tokenizer_is_used_like_one_of_ours(stranger, corpus, run):
    stranger("tokenizers")
    corpus({"a/1": "redred", "b/1": "blue"})
    assert run("train", "corpus", "--tokenizer", "strange-one:size=3", "--ngrams", "2").status == 0
    assert run("tokens", stdin="redblue").out == "red\ta=2\nblu\tb=1\nred blu\t-\n"
    assert run("classify", "--is", "b", stdin="bluebird").status == 0
    assert run("tokens", "--no-model", "--tokenizer", "strange-one", stdin="abcd").out == "ab\ncd\n"


def test_strange_reader_is_used_like_one_of_ours(stranger, tmp_path, run):
    stranger("readers")
    (tmp_path / "tagged").write_text("red red #a\nblue #b\n")
    assert run("train", "tagged", "--reader", "strange-one").status == 0
    assert run("classify", stdin="blue #?\nred #?\n").out.split() == ["b", "0.727273", "-:1", "a", "0.692308", "-:2"]


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
