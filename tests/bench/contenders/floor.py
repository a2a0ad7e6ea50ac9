"""What no program can go below: reading the files once, and starting Python with what nbtext imports."""

from pathlib import Path
from typing import ClassVar

from ...shell import ROOT
from ..contender import Commands, Contender
from ..corpora import GROWTH


class PhysicalPass(Contender):
    """The files read once and their words counted: find, cat and wc.

    Fair: the same files from the same page cache; three processes share two cores.
    Unfair: it learns nothing, and its words are what white space separates.
    """

    name = "physical-pass"
    series = (GROWTH,)

    def train(self) -> Commands:
        return [_pass(self.corpus.train)]

    def bulk(self) -> Commands:
        return [_pass(self.corpus.test)]


class BareImport(Contender):
    """Python started to import click and sqlite3, in nbtext's own environment.

    Fair: no Python program with a command line of click and a database of SQLite can start in less.
    Unfair: it does nothing; a program in a compiled language needs no such start.
    """

    name = "import-click-sqlite3"
    packages: ClassVar = (str(ROOT),)

    @classmethod
    def version(cls, python: Path) -> str:  # noqa: ARG003
        return ""

    def cold(self) -> Commands:
        return [[self.python, "-c", "import click, sqlite3"]]


def _pass(folder: Path) -> list[str | Path]:
    return ["sh", "-c", 'find "$1" -type f -print0 | xargs -0 cat | wc -w', "sh", folder]
