"""nbtext itself, installed as a user would: not editable, without development packages."""

from pathlib import Path
from typing import ClassVar

from ...shell import ROOT
from ..clock import Command
from ..contender import Commands, Contender, version_of


class Nbtext(Contender):
    """nbtext with its defaults: Mitchell's Table 6.2; mail is read with `--reader mail`.

    Fair: the commands that a user types, each a whole process; all words are kept, and training includes calibration.
    Unfair: its model holds counts of documents and digests of what was learned too, which the rivals' do not; its
    posteriors are printed with six digits, so that equal ones cost some ROC area.
    """

    name = "nbtext"
    packages: ClassVar = (str(ROOT),)
    growing = True

    @classmethod
    def version(cls, python: Path) -> str:
        return version_of(python, "nbtext")

    def train(self) -> Commands:
        reader = ("--reader", "mail") if self.corpus.mail else ()
        return [self._nbtext("train", self.corpus.train, "-m", self.model, *reader)]

    def bulk(self) -> Commands:
        return [self._nbtext("classify", "-m", self.model, self.corpus.test)]

    def cold(self) -> Commands:
        return [self._nbtext("classify", "-m", self.model, self.corpus.sample.path)]

    def learn(self) -> Commands:
        sample = self.corpus.sample
        return [self._nbtext("learn", sample.label, sample.path, "-m", self.copy)]

    def _nbtext(self, *arguments: str | Path) -> Command:
        return [self.python.parent / "nbtext", *arguments]
