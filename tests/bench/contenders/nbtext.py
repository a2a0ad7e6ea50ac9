"""nbtext itself, installed as a user would: not editable, without development packages."""

import json
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import ClassVar

from nbtext.escaping import escaped

from ...shell import ROOT
from ..clock import Command
from ..contender import Commands, Contender, version_of
from ..corpora import ACCURACY, GROWTH, SPLITS, Corpus
from ..statistics import SPAM, Filtering, Judged, Prediction

CEILING = 0.001  # one false alarm in a thousand good messages
DEFAULT = "windows-1252"  # the encoding of what is not UTF-8


class Nbtext(Contender):
    """nbtext with its defaults: Mitchell's Table 6.2; mail is read with `--reader mail`.

    Fair: the commands that a user types, each a whole process; all words are kept, and training includes calibration.
    Unfair: its model holds counts of documents and digests of what was learned too, which the rivals' do not; its
    posteriors are printed with six digits, so that equal ones cost some ROC area.
    """

    name = "nbtext"
    packages: ClassVar = (str(ROOT),)
    series: ClassVar[Collection[str]] = (ACCURACY, GROWTH)

    @classmethod
    def version(cls, python: Path) -> str:
        return version_of(python, "nbtext")

    def train(self) -> Commands:
        return [self._nbtext("train", self.corpus.train, "-m", self.model, *reading(self.corpus))]

    def bulk(self) -> Commands:
        return [self._nbtext("classify", "-m", self.model, self.corpus.test)]

    def cold(self) -> Commands:
        return [self._nbtext("classify", "-m", self.model, self.corpus.sample.path)]

    def learn(self) -> Commands:
        sample = self.corpus.sample
        return [self._nbtext("learn", sample.label, sample.path, "-m", self.copy)]

    def predictions(self, output: Path) -> Iterator[Prediction]:
        names = {escaped(file.key): file.key for file in self.corpus.tested}
        return (answer._replace(key=names.get(answer.key, answer.key)) for answer in super().predictions(output))

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
    """nbtext under the settings that suit the training part best, which one command chooses, trains and tests.

    Fair: settings, and the threshold for mail, are chosen on the training part alone, as its user would choose them.
    Unfair: the rivals have one set of settings for all; bogofilter's ROC area is by scores with fewer digits.
    """

    name = "nbtext-tuned"
    packages: ClassVar = Nbtext.packages
    series: ClassVar = (ACCURACY, SPLITS)

    @classmethod
    def version(cls, python: Path) -> str:
        return Nbtext.version(python)

    def refusal(self) -> str:
        return "" if self.corpus.series in self.series else "it is for the corpora of these series: accuracy, splits"

    def bulk(self) -> Commands:
        corpora = self.corpus.train, "--test", self.corpus.test
        wishes = ("--positive", SPAM, "--max-false-alarms", str(CEILING)) if self.corpus.mail else ()
        options = "--tune", "--json", *reading(self.corpus), *wishes
        return [[self.python.parent / "nbtext", "evaluate", *corpora, *options]]

    def judged(self, output: Path) -> Judged:
        found = json.loads(output.read_text(encoding="utf-8"))
        figures = {name: each["value"] for name, each in found["figures"].items()}
        judged = Judged(figures["accuracy"], calibration_error=figures["calibration_error"])
        if not self.corpus.mail:
            return judged
        counts = {"own": found["mail"]["counts"], "chosen": found["mail"]["ceiling"]["counts"]}
        return judged._replace(filterings=[_filtering(*each, figures["roc_area"]) for each in counts.items()])


def reading(corpus: Corpus) -> Command:
    """The options to read a corpus with."""
    mail = ("--reader", "mail") if corpus.mail else ()
    return [*mail, *(() if corpus.encoding == DEFAULT else ("--encoding", corpus.encoding))]


def _filtering(cutoff: str, counts: Mapping[str, int], area: float) -> Filtering:
    misses, false_alarms = counts["misses"], counts["false_alarms"]
    return Filtering(cutoff, misses + false_alarms, false_alarms / counts["ham"], 1 - misses / counts["spam"], area)
