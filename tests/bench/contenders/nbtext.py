"""nbtext itself, installed as a user would: not editable, without development packages."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import ClassVar

from ...shell import ROOT
from ..clock import Command
from ..contender import Commands, Contender, version_of
from ..corpora import GROWTH, SPLITS
from ..statistics import SPAM, Filtering, Judged

CEILING = 0.001  # one false alarm in a thousand good messages


class Nbtext(Contender):
    """nbtext with its defaults: Mitchell's Table 6.2; mail is read with `--reader mail`.

    Fair: the commands that a user types, each a whole process; all words are kept, and training includes calibration.
    Unfair: its model holds counts of documents and digests of what was learned too, which the rivals' do not; its
    posteriors are printed with six digits, so that equal ones cost some ROC area.
    """

    name = "nbtext"
    packages: ClassVar = (str(ROOT),)
    series: ClassVar[Collection[str]] = (GROWTH,)

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


class OneProcess(Nbtext):
    """nbtext in a single process, for mail.

    Fair: bogofilter has no more.
    Unfair: as `nbtext`.
    """

    name = "nbtext-one-process"
    series: ClassVar[Collection[str]] = ()

    def refusal(self) -> str:
        return "" if self.corpus.mail else "it is for mail, beside programs of one process"

    def train(self) -> Commands:
        return [[*command, "--jobs", "1"] for command in super().train()]

    def bulk(self) -> Commands:
        return [[*command, "--jobs", "1"] for command in super().bulk()]

    def cold(self) -> Commands:
        return ()

    def learn(self) -> Commands:
        return ()


class Tuned(Contender):
    """nbtext under the settings that suit the training mail best, which one command chooses, trains and tests.

    Fair: settings and threshold are chosen on the training part alone, as its user would choose them.
    Unfair: bogofilter has one set of settings for all mail; its ROC area is by scores with fewer digits.
    """

    name = "nbtext-tuned"
    packages: ClassVar = Nbtext.packages
    series: ClassVar = (SPLITS,)

    @classmethod
    def version(cls, python: Path) -> str:
        return Nbtext.version(python)

    def refusal(self) -> str:
        return "" if self.corpus.series == SPLITS else "it is for the splits of mail"

    def bulk(self) -> Commands:
        corpora = "--reader", "mail", self.corpus.train, "--test", self.corpus.test
        wishes = "--tune", "--positive", SPAM, "--max-false-alarms", str(CEILING), "--json"
        return [[self.python.parent / "nbtext", "evaluate", *corpora, *wishes]]

    def judged(self, output: Path) -> Judged:
        found = json.loads(output.read_text(encoding="utf-8"))
        area, mail = found["figures"]["roc_area"]["value"], found["mail"]
        counts = {"own": mail["counts"], "chosen": mail["ceiling"]["counts"]}
        filterings = [_filtering(cutoff, area, **each) for cutoff, each in counts.items()]
        return Judged(found["figures"]["accuracy"]["value"], filterings)


def _filtering(cutoff: str, area: float, *, spam: int, ham: int, misses: int, false_alarms: int) -> Filtering:
    return Filtering(cutoff, misses + false_alarms, false_alarms / ham, 1 - misses / spam, area)
