"""Who is measured: the commands with which a program trains, classifies many files, classifies one, and learns one.

A contender is a subclass in a file of `contenders/`; nothing else needs to know it. Its docstring has a line that
begins with "Fair:" and one with "Unfair:", which the bench prints. Its commands are what a user of that program would
type, conversion into its own format included.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

from .clock import Command
from .corpora import Corpus, File, UnavailableError
from .statistics import SPAM, Judged, Prediction, accuracy, filterings

SCRIPTS = Path(__file__).parent / "scripts"

Commands = Sequence[Command]


class Contender:
    """A program on a corpus.

    name       what `--only` takes
    packages   to install from PyPI into a virtual environment of their own; a folder is installed as it is now
    most       rounds at most, for the very slow
    series     those that it is measured on too
    successes  statuses of its commands that are none of failure

    corpus     what it is measured on
    folder     its own, to work in; emptied before every training
    python     the Python of its virtual environment
    """

    name: ClassVar[str]
    packages: ClassVar[tuple[str, ...]] = ()
    most: ClassVar[int] = sys.maxsize
    series: ClassVar[Collection[str]] = ()
    successes: ClassVar[Collection[int]] = (0,)

    def __init__(self, corpus: Corpus, folder: Path, python: Path) -> None:
        self.corpus = corpus
        self.folder = folder
        self.python = python
        self.model = folder / "model"
        self.copy = folder / "copy"

    @classmethod
    def set_up(cls, tools: Path) -> Path:
        """Install what it needs below `tools` and return its Python.

        Raises: UnavailableError if that fails.
        """
        return environment(tools, cls.packages)

    @classmethod
    def version(cls, python: Path) -> str:
        """The version of the program, of its first package if not said otherwise."""
        return version_of(python, cls.packages[0].partition("<")[0]) if cls.packages else ""

    def refusal(self) -> str:
        """Why it is not measured on this corpus; nothing if it is."""
        return ""

    def train(self) -> Commands:
        """From the training files to `model`, a file or a folder."""
        return ()

    def bulk(self) -> Commands:
        """Classify all the test files; the last command prints the answers."""
        return ()

    def cold(self) -> Commands:
        """Classify the sample."""
        return ()

    def learn(self) -> Commands:
        """Learn the sample as one more document of its class into `copy`, a fresh copy of the model."""
        return ()

    def predictions(self, output: Path) -> Iterator[Prediction]:
        """What the bulk commands printed: label, its probability if there is one, file name, with tabs between."""
        with output.open(encoding="utf-8", errors="surrogateescape") as lines:
            for line in lines:
                label, probability, name = line.rstrip("\n").split("\t")
                spam = None if not probability else float(probability) if label == SPAM else 1 - float(probability)
                yield Prediction(File(Path(name), 0).key, label, spam)

    def judged(self, output: Path) -> Judged:
        """What the bulk commands printed, judged; a contender without a model answers nothing."""
        if not self.model.exists():
            return Judged()
        truth = {file.key: file.label for file in self.corpus.tested}
        answers = list(self.predictions(output))
        return Judged(accuracy(truth, answers), filterings(truth, answers) if self.corpus.mail else [])

    def script(self, name: str, *arguments: str | Path) -> Command:
        """The command that runs a file of `scripts/` with the contender's Python."""
        return [self.python, SCRIPTS / f"{name}.py", *arguments]


class Installed(Contender):
    """A program of the system, called by its name, that answers a file with its path, a space and a word."""

    @classmethod
    def set_up(cls, tools: Path) -> Path:
        installed(cls.name)
        return super().set_up(tools)

    def answers(self, output: Path) -> Iterator[tuple[str, str]]:
        """The key of each file, and the word."""
        for line in output.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
            name, _, word = line.rpartition(" ")
            yield File(Path(name), 0).key, word


def installed(program: str) -> None:
    """See that a program of the system is there; ask apt for it if it is not and we may.

    Raises: UnavailableError if that does not bring it.
    """
    if not shutil.which(program) and shutil.which("apt-get") and os.geteuid() == 0:
        for arguments in ["update"], ["install", "--yes", program]:
            subprocess.run(["apt-get", "-qq", *arguments], capture_output=True, check=False)
    if not shutil.which(program):
        raise UnavailableError(f"the program is not there, and apt could not bring it: apt-get install {program}")


def environment(tools: Path, packages: tuple[str, ...]) -> Path:
    """The Python of a virtual environment with these packages and no others; this Python if there are none.

    Raises: UnavailableError, with pip's last words.
    """
    if not packages:
        return Path(sys.executable)
    folder = tools / "-".join(Path(package).name.translate({ord(c): "_" for c in "<>=,"}) for package in packages)
    python, stamp, wanted = folder / "bin" / "python", folder / "stamp", fingerprint(packages)
    if stamp.is_file() and stamp.read_text() == wanted:
        return python
    try:
        run(sys.executable, "-m", "venv", "--clear", folder)
        run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", *packages)
    except subprocess.CalledProcessError as error:
        lines = [line for line in error.stderr.splitlines() if "ERROR" in line or "error" in line]
        raise UnavailableError(f"cannot install {' '.join(packages)}: {lines[-1] if lines else error}") from None
    stamp.write_text(wanted)
    return python


def fingerprint(packages: tuple[str, ...]) -> str:
    """What an environment was made from: this Python, the packages, the content of those that are folders."""
    parts = [sys.version, *packages]
    for folder in filter(os.path.isdir, packages):
        digest = sha256()
        for file in sorted(Path(folder).glob("nbtext/**/*.py*")):
            digest.update(bytes(file) + file.read_bytes())
        parts.append(digest.hexdigest() + Path(folder, "pyproject.toml").read_text())
    return "\n".join(parts)


def version_of(python: Path, package: str) -> str:
    """The version of an installed package."""
    return run(python, "-c", f"import importlib.metadata as m; print(m.version({package!r}))").strip()


def run(*command: str | Path) -> str:
    """What a command prints.

    Raises: CalledProcessError if it fails.
    """
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
