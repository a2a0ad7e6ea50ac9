"""ifile, where the system has it or can install it."""

from collections.abc import Iterator
from pathlib import Path

from ..contender import Commands, Installed, run
from ..statistics import Prediction


class Ifile(Installed):
    """ifile with its defaults: a naive Bayes in C that sorts mail into folders.

    Fair: the same kind of model, and the quickest of its kind.
    Unfair: it drops words that stay rare and common English ones, and splits words at everything but letters.
    """

    name = "ifile"

    @classmethod
    def version(cls, python: Path) -> str:  # noqa: ARG003
        return run("dpkg-query", "-W", "-f", "${Version}", cls.name)

    def train(self) -> Commands:
        folders = [self.corpus.train / label for label in self.corpus.labels]
        return [["rm", "-f", self.model], *(self._files(folder, "-i", folder.name) for folder in folders)]

    def bulk(self) -> Commands:
        return [self._files(self.corpus.test, "-q", "-c")]

    def predictions(self, output: Path) -> Iterator[Prediction]:
        return (Prediction(key, label) for key, label in self.answers(output))

    def _files(self, folder: Path, *options: str) -> list[str | Path]:
        command = 'folder="$1"; shift; find "$folder" -type f -print0 | xargs -0 ifile -b "$@"'
        return ["sh", "-c", command, "sh", folder, self.model, *options]
