"""What every test can ask for by name: a corpus, a run of the command line, a shell, the real corpora."""

import fcntl
import io
import os
import signal
import sys
import tarfile
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, TextIO

import pytest
from hypothesis import HealthCheck, settings

from .shell import ROOT, bash, pinned, with_nbtext

SHARED = Path(os.environ.get("NBTEXT_SHARED") or ROOT.parent / "shared")

collect_ignore = ["bench"]  # run by hand: `make bench`

settings.register_profile("nbtext", deadline=None, max_examples=50, derandomize="CI" in os.environ)
settings.register_profile("fuzz", deadline=None, max_examples=5000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("nbtext")


class Result(NamedTuple):
    """What a command left behind. Bytes that are not UTF-8 show as lone surrogates."""

    out: str
    err: str
    status: int


Corpus = Callable[..., Path]
Run = Callable[..., Result]
Real = Callable[[str], Path]


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    """corpus({"spam/1.txt": "text or bytes", ...}, name="corpus") makes the folder and returns its path."""

    def made(files: Mapping[str, str | bytes], name: str = "corpus") -> Path:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        for path, content in files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(encoded(content))
        return folder

    return made


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """run("classify", path, stdin="text or bytes") runs the command line in this process, in tmp_path."""
    monkeypatch.chdir(tmp_path)
    surroundings = pinned()
    for name in os.environ.keys() - surroundings.keys():
        monkeypatch.delenv(name)
    for name, value in surroundings.items():
        monkeypatch.setenv(name, value)

    def ran(*args: str | Path, stdin: str | bytes = b"") -> Result:
        out, err = io.BytesIO(), io.BytesIO()
        streams: dict[str, TextIO] = {  # as Python sets them up for the locale C.UTF-8
            "stdin": io.TextIOWrapper(io.BufferedReader(io.BytesIO(encoded(stdin))), "utf-8", "surrogateescape"),
            "stdout": io.TextIOWrapper(out, "utf-8", "surrogateescape"),
            "stderr": io.TextIOWrapper(err, "utf-8", "backslashreplace"),
        }
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["nbtext", *map(str, args)])
            for name, stream in streams.items():
                patch.setattr(sys, name, stream)
            status = status_of_main()
        streams["stdout"].flush()
        streams["stderr"].flush()
        return Result(decoded(out.getvalue()), decoded(err.getvalue()), status)

    return ran


@pytest.fixture
def shell(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """shell("nbtext tokens | sort", stdin="text or bytes") runs a real pipeline in bash, in tmp_path."""
    environment = with_nbtext(tmp_path_factory.mktemp("tools"))

    def ran(command: str, stdin: str | bytes = b"") -> Result:
        out, err, status = bash(command, tmp_path, environment, encoded(stdin))
        return Result(decoded(out), decoded(err), status)

    return ran


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of things that are not ours to ship: real corpora."""
    if not SHARED.is_dir():
        pytest.skip(f"no folder {SHARED}: the real corpora are not here (NBTEXT_SHARED can name another)")
    return SHARED


@pytest.fixture(scope="session")
def real(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Real:
    """real("r8") is the folder of a real corpus, unpacked once for all tests of all workers; read only."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "real"
    folder.mkdir(exist_ok=True)

    @cache
    def unpacked(name: str) -> Path:
        with open(folder / f"{name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (folder / name).exists():
                with tarfile.open(shared / "corpora" / f"{name}.tar.xz") as archive:
                    archive.extraction_filter = getattr(tarfile, "data_filter", None)  # absent before Python 3.11.4
                    archive.extractall(folder)
        return folder / name

    return unpacked


def status_of_main() -> int:
    """The status with which the console script would end the process."""
    # Here, so that tests of other rooms do without the command line
    cli = import_module("nbtext.cli")
    unraisable = sys.unraisablehook
    handlers = {number: signal.getsignal(number) for number in cli.STOPS_AGAIN}
    try:
        return int(cli.run())
    finally:
        sys.unraisablehook = unraisable
        for number, handler in handlers.items():  # the command line sets them for the whole process, which is pytest's
            signal.signal(number, handler)


def encoded(content: str | bytes) -> bytes:
    return content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content


def decoded(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")
