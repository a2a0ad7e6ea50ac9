"""Commands killed at random instants, by a signal that no process can answer.

Each runs in a fork of a process in which the package is loaded, so that the instants are those of its work.
"""

import os
import random
import signal
import sys
import time
from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from nbtext import Model, ModelError, train
from nbtext.cli import run
from nbtext.model.exchange import fingerprint
from nbtext.model.verifying import verify

from ..shell import ROOT
from . import Outcome

FOUND = "the model is as before or as after the command; the next command deletes what the killed one left"
CORPUS = str(ROOT / "corpora" / "topics")
MESSAGE = "reef the sail before noon and stir the soup"
COMMANDS = {
    "train": ["train", CORPUS, "--quiet", "--jobs", "1", "--alpha", "0.5", "-m", "model"],
    "learn": ["learn", "sailing", "message", "--quiet", "-m", "model"],
    "unlearn": ["unlearn", "cooking", "learned", "--quiet", "-m", "model"],
    "merge": ["merge", "before", "before", "-m", "model"],
    "import": ["import", "text", "-m", "model"],
}


def kill_commands(tries: int, seed: int = 1, names: Collection[str] = COMMANDS) -> Iterator[Outcome]:
    """Each command killed so many times."""
    chance = random.Random(seed)
    here = os.getcwd()
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            _prepare()
            for name in names:
                yield _killed(name, COMMANDS[name], tries, chance)
        finally:
            os.chdir(here)


def _prepare() -> None:
    """The files that the commands name."""
    Path("message").write_text(MESSAGE)
    Path("learned").write_text(MESSAGE + " twice")
    train(CORPUS, "before", jobs=1).close()
    assert _status(["learn", "cooking", "learned", "--quiet", "-m", "before"]) == 0
    child = _started(["export", "-m", "before"], output="text")
    os.waitpid(child, 0)


def _killed(name: str, arguments: list[str], tries: int, chance: random.Random) -> Outcome:
    seconds = median(_seconds(arguments) for _ in range(3))
    possible = {_told("before"), _told("model")}
    failures, ended = [], 0
    for number in range(tries):
        Path("model").write_bytes(Path("before").read_bytes())
        child = _started(arguments)
        time.sleep(chance.uniform(0, seconds))
        os.kill(child, signal.SIGKILL)
        ended += os.waitpid(child, 0)[1] == 0
        found = _told("model")
        _status(["learn", "sailing", "message", "--quiet", "-m", "model"])  # clears what was left
        left = sorted({path.name for path in Path().iterdir()} - {"before", "learned", "message", "model", "text"})
        if found not in possible or left:
            failures.append(f"{name}, try {number}: {found}; left behind: {left}")
    return Outcome(f"`{name}` killed at a random instant", tries, failures, f"{FOUND} ({ended} had ended in time)")


def _seconds(arguments: list[str]) -> float:
    Path("model").write_bytes(Path("before").read_bytes())
    start = time.monotonic()
    assert _status(arguments) == 0
    return time.monotonic() - start


def _told(path: str) -> str:
    """The fingerprint of a model that is sound, else what is wrong."""
    try:
        with closing(Model.open(path)) as model:
            verify(model)
            return fingerprint(model)
    except ModelError as error:
        return str(error)


def _status(arguments: list[str]) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(_started(arguments), 0)[1])


def _started(arguments: list[str], output: str = os.devnull) -> int:
    """The number of a process that runs the command."""
    child = os.fork()
    if child:
        return child
    status = 70
    try:
        os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT, 0o644), 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        sys.stdout, sys.stderr = open(1, "w"), open(2, "w")  # noqa: SIM115  # pytest has others
        status = run(arguments)
    finally:
        os._exit(status)
