"""Engines: real ones, started here, give what one process gives."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..conftest import Corpus, Run
from ..shell import ROOT, pinned
from .test_sharing import text, until


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Dask scheduler with two worker processes, all on the loopback and on ports that were free."""
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    folder = tmp_path_factory.mktemp("dask")
    started: list[subprocess.Popen[bytes]] = []

    def start(command: str, *options: str) -> Path:
        log = folder / f"log{len(started)}"
        with open(log, "wb") as file:
            started.append(
                subprocess.Popen(
                    [sys.executable, "-m", "distributed.cli.dask_" + command, "--host", "127.0.0.1", *options],
                    cwd=folder,
                    env=pinned() | {"PYTHONPATH": str(ROOT)},
                    stdout=file,
                    stderr=file,
                )
            )
        return log

    def address(log: Path) -> str:
        _, _, rest = log.read_text().partition("Scheduler at:")
        return rest.split()[0] if rest.split() else ""

    try:
        log = start("scheduler", "--port", "0", "--no-dashboard", "--no-jupyter")
        until(lambda: bool(address(log)))
        for _ in range(2):
            start(
                "worker",
                address(log),
                "--nthreads",
                "1",
                "--no-nanny",
                "--no-dashboard",
                "--local-directory",
                str(folder),
            )
        until(lambda: all("Registered to" in (folder / f"log{n}").read_text() for n in (1, 2)))
        yield address(log)
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.wait()


@pytest.fixture
def large(corpus: Corpus) -> Path:
    files = {f"{label}/{n}.txt": text(n) for label, size in (("ham", 400), ("spam", 300)) for n in range(size)}
    return corpus(files)


@pytest.mark.parametrize("memory", [[], ["--memory", "1k"]])
def test_dask_gives_what_one_process_gives(large: Path, scheduler: str, shell: Run, tmp_path: Path, memory: list[str]):
    shell("nbtext train corpus -m one --jobs 1")
    result = shell(f"nbtext train corpus -m many --engine dask --scheduler {scheduler} {' '.join(memory)}")
    assert (result.err, result.status) == ("", 0)
    assert (tmp_path / "many").read_bytes() == (tmp_path / "one").read_bytes()
    assert {file.name for file in tmp_path.iterdir()} == {"corpus", "one", "many"}


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ("--engine dask --scheduler tcp://127.0.0.1:1", "no Dask scheduler answers there"),
        ("--engine dask --scheduler nonsense://", "no Dask scheduler answers there"),
        ("--engine dask", "needs the address of a scheduler"),
        ("--engine steam", "no engine 'steam'; there are: dask"),
        ("--scheduler tcp://127.0.0.1:1", "--scheduler needs an --engine"),
    ],
)
def test_what_cannot_be_an_engine_is_a_usage_error(corpus: Corpus, shell: Run, options: str, wrong: str):
    corpus({"a/1": "red", "b/1": "blue"})
    script = "from nbtext.__main__ import main; from nbtext.engines import dask; dask.SECONDS = 1; main()"
    result = shell(f"{sys.executable} -P -c '{script}' train corpus {options}")
    assert (result.status, result.out) == (2, "")
    assert wrong in result.err
    assert "Traceback" not in result.err
