"""Faults that were found by hostile use, each held to what is right. A test is named for what it protects."""

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from nbtext import Analysis, Document, Model, ModelError, train_documents
from nbtext.counting.rows import text
from nbtext.storage.blocks import in_parts
from nbtext.storage.opening import open_store

from .conftest import Run
from .shell import ROOT

SMALL = {"ham": ["lunch at noon", "see you at noon"] * 30, "spam": ["win cash now", "cash prize"] * 30}
Row = tuple[str, tuple[object, ...]]  # table, values


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A small model's file, where the command line looks for it."""
    path = str(tmp_path / "model.nbtext")
    train_documents(SMALL, path).close()
    return path


# Places for models


def test_training_never_replaces_what_is_no_file(tmp_path: Path):
    pipe, loop, folder = tmp_path / "pipe", tmp_path / "loop", tmp_path / "folder"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    folder.mkdir()
    for place in pipe, loop, folder:
        with pytest.raises(ModelError, match=f"{place}: a folder, pipe, device or endless link; name a file"):
            train_documents(SMALL, str(place))
    assert pipe.is_fifo()
    assert loop.is_symlink()
    assert set(tmp_path.iterdir()) == {pipe, loop, folder}


def test_a_pipe_in_the_place_of_a_model_is_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelError, match="a pipe, device or endless link, not a model"):
        Model.open(str(tmp_path / "pipe"))


@pytest.mark.parametrize("command", ["classify", "verify", "show"])
def test_an_empty_path_of_a_model_is_a_mistake_of_usage(command: str, run: Run):
    result = run(command, "-m", "")
    assert (result.status, result.out) == (2, "")
    assert "a path cannot be empty" in result.err


# Models of sound rows and absurd contents


def setting(name: str, value: object) -> Row:
    return "setting", (name, value)


def counts(*row: int) -> Row:
    return "token", ("noon", text(list(row)))


ABSURD: dict[str, Row] = {
    "a class that is not there": counts(0, 1, 1, 9, 1, 1),
    "a class twice": counts(0, 1, 1, 0, 1, 1),
    "more documents than occurrences": counts(0, 1, 2),
    "more documents than the class has": counts(0, 9, 9),
    "no documents": counts(0, 1, 0),
    "a number beyond all floats": counts(0, 10**400, 1),
    "a label that is a number": ("class", (0, 5, 2, 7, 7, 7)),
    "a class without documents that has tokens": ("class", (0, "ham", 0, 0, 0, 0)),
    "a token left out that is bytes": ("excluded", (b"\xff", "stopword")),
    "a corpus that is a number": ("corpus", (5,)),
    "a corpus with a NUL": ("corpus", ("a\0b",)),
    "a sample of no class": ("sample", (1, 9, "1 noon")),
    "a sample that is bytes": ("sample", (1, 0, b"\xff")),
    "a sample never counted": ("sample", (1, 0, "1 unheard")),
    "a digest that is text": ("learned", ("", "x", "0,1", None)),
    "a document learned by no class": ("learned", ("", "8000000000000001", "9,1", None)),
    "a spread of text": ("spread", (0, 1, "x")),
    "a spread over more documents than there are": ("spread", (0, 10**9, 1)),
    "a temperature of zero": setting("t", 0),
    "a temperature without end": setting("t", float("inf")),
    "a temperature that is text": setting("t", "1"),
    "calibrated on nothing": setting("calibrated_on", None),
    "a vocabulary without end": setting("vocabulary", float("inf")),
    "the least count a fraction": setting("min_count", 1.5),
    "the most frequent without end": setting("drop_top", float("inf")),
    "n-grams of a fraction": setting("ngrams", 1.5),
}
COMMANDS = [
    ("classify", "noon.txt", "--event-model", "bernoulli"),
    ("classify", "noon.txt", "--event-model", "complement", "--min-count", "2", "--json"),
    ("learn", "ham", "noon.txt"),
    ("merge", "model.nbtext", "model.nbtext", "-m", "both"),
    ("show", "--json"),
    ("export",),
    ("verify",),
]


@pytest.mark.parametrize("absurd", ABSURD.values(), ids=ABSURD)
def test_a_crafted_model_is_damaged_and_never_a_bug(absurd: Row, path: str, run: Run):
    (Path(path).parent / "noon.txt").write_text("noon again")
    table, values = absurd
    with closing(open_store(path, writable=True)) as store:
        if table == "token":
            tokens = {str(token): str(counts) for token, counts in [*store.texts(), values]}
            store.delete("block")
            store.add_tokens(in_parts(tokens.items()))
        else:
            store.put(table, [values])
    for command in COMMANDS:
        result = run(*command)
        assert result.status in (0, 3), (command, result)
    assert run("verify").status == 3


def test_n_grams_longer_than_a_text_take_no_time():
    assert Analysis(ngrams=2**63 - 1).tokens()(Document([("", "at noon")])) == ["at", "noon", "at noon"]


# Options


@pytest.mark.parametrize(
    "options",
    [
        ("classify", "--unsure-below", "nan"),
        ("evaluate", "--unsure-below", "nan"),
        ("evaluate", "--positive", "ham", "--max-false-alarms", "nan"),
    ],
)
def test_a_share_is_never_nan(options: tuple[str, ...], path: str, run: Run):
    result = run(*options, "-m", path, stdin="noon")
    assert (result.status, result.out) == (2, "")
    assert "nan is not in the range 0<=x<=1" in result.err


@pytest.mark.usefixtures("path")
def test_a_word_that_is_not_utf_8_is_looked_up_as_a_document_is_read(run: Run):
    shown = run("show", "--word", os.fsdecode(b"caf\xe9"))
    assert (shown.status, shown.err) == (0, "")
    assert "café" in shown.out


@pytest.mark.parametrize("option", ["--files-from", "--tokenizer", "--encoding"])
def test_a_value_cannot_forge_a_line_of_an_error(option: str, path: str, run: Run):
    result = run("classify", "-m", path, option, "a\nb\x1b[31m")
    assert result.status == 2
    assert result.err.count("\n") == 1
    assert "\x1b" not in result.err


def test_no_command_at_all_shows_the_help(run: Run):
    result = run()
    assert result.status == 2
    assert result.err.startswith("Usage: nbtext")


# Signals

SWALLOWED = """
import os, signal, time
from nbtext import cli

class Fading:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.1)

def invoke(context):
    Fading()
    time.sleep(60)

cli.nbtext.invoke = invoke
raise SystemExit(cli.run(["show"]))
"""


def test_a_stop_that_a_finalizer_swallows_still_ends_the_command():
    done = subprocess.run([sys.executable, "-c", SWALLOWED], cwd=ROOT, capture_output=True, timeout=30)
    assert (done.returncode, done.stderr) == (143, b"")


STOPPED_AT_THE_END = """
import os, signal
from nbtext import cli

cli._output.flush = lambda: os.kill(os.getpid(), signal.SIGTERM)
os._exit(cli.run(["--version"]))
"""


def test_a_stop_while_the_last_answers_leave_ends_the_command_as_any_other():
    done = subprocess.run([sys.executable, "-c", STOPPED_AT_THE_END], cwd=ROOT, capture_output=True, timeout=30)
    assert (done.returncode, done.stderr) == (143, b"")


# Closed pipes


def test_a_reader_that_leaves_the_work_of_many_processes_leaves_no_trace(path: str, shell: Run, tmp_path: Path):
    (tmp_path / "many").mkdir()
    for number in range(8000):
        (tmp_path / "many" / str(number)).write_text(f"noon {number}")
    once = f"nbtext classify -j 2 -m {path} many | head -n 1 > first; echo ${{PIPESTATUS[0]}}"
    result = shell(f"for time in 1 2; do {once}; done")  # where it went wrong, it did so four times in five
    assert (result.out, result.err) == ("141\n" * 2, "")


def test_texts_that_are_not_utf_8_are_named_by_train(run, corpus):
    files = {"fr/1.txt": "café crème".encode("latin-1"), "fr/2.txt": "café crème", "en/1.txt": "coffee with cream"}
    result = run("train", corpus(files), "-m", "m.nbtext")
    assert (result.status, result.err) == (0, "")
    [line] = [line for line in result.out.splitlines() if line.startswith("not UTF-8")]
    assert line.startswith("not UTF-8, read as windows-1252: 1 (")
    assert line.endswith("fr/1.txt)")
    assert run("tokens", "--lines", "-m", "m.nbtext", stdin="café").out.split("\t")[0] == "café"
