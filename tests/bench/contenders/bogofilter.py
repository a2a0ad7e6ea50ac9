"""bogofilter, where the system has it or can install it."""

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from ..contender import Commands, Installed, run
from ..corpora import ACCURACY, SPLITS
from ..statistics import SPAM, Prediction

CUTOFF = 0.99  # the default spam_cutoff of bogofilter 1.2; below, it says ham or unsure


class Bogofilter(Installed):
    """bogofilter with its defaults and no configuration file: spam from 0.99 on, unsure counted as ham.

    Fair: the program that people filter mail with, in C; names of files come on its standard input, as it likes best.
    Unfair: its default cutoffs give up spam to lose no ham, and errors count that; hence the second figures, at 0.5.
    """

    name = "bogofilter"
    series = (ACCURACY, SPLITS)
    successes: ClassVar = (0, 1, 2)  # spam, ham, unsure

    @classmethod
    def version(cls, python: Path) -> str:  # noqa: ARG003
        """As it says itself, with its database."""
        first, second = run(cls.name, "-V").splitlines()[:2]
        return f"{first.split()[-1]} ({second.split(':')[1].strip()})"

    def refusal(self) -> str:
        return "" if self.corpus.mail else "it reads mail, of two classes"

    def train(self) -> Commands:
        return [
            ["mkdir", "-p", self.model],
            self._files(self.corpus.train / SPAM, "-s"),
            self._files(self.corpus.train / "ham", "-n"),
        ]

    def bulk(self) -> Commands:
        return [self._files(self.corpus.test, "-TT")]

    def cold(self) -> Commands:
        return [[self.name, "-C", "-d", self.model, "-TT", "-I", self.corpus.sample.path]]

    def learn(self) -> Commands:
        flag = "-s" if self.corpus.sample.label == SPAM else "-n"
        return [[self.name, "-C", "-d", self.copy, flag, "-I", self.corpus.sample.path]]

    def predictions(self, output: Path) -> Iterator[Prediction]:
        for key, spamicity in self.answers(output):
            spam = float(spamicity)
            yield Prediction(key, SPAM if spam >= CUTOFF else "ham", spam)

    def _files(self, folder: Path, flag: str) -> list[str | Path]:
        """All files of a folder in one process; find and a pipe are a part of what it takes."""
        return ["sh", "-c", 'find "$1" -type f | bogofilter -C -d "$2" "$3" -b', "sh", folder, self.model, flag]
