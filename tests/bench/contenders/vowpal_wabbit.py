"""Vowpal Wabbit, through its Python package."""

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from ..contender import Commands, Contender
from ..corpora import GROWTH
from ..statistics import Prediction


class VowpalWabbit(Contender):
    """Vowpal Wabbit, one against all, with its default settings: one pass, 2^18 weights.

    Fair: the documents are shuffled, as it needs; conversion is a translation of bytes, in the same process when cold.
    Unfair: its C++ program is not on PyPI: most of the cold time is Python and its package (the undocumented core alone
    would take a third). The default is made for larger streams, and keeps hashes instead of words.
    """

    name = "vw"
    packages: ClassVar = ("vowpalwabbit",)
    series: ClassVar[tuple[str, ...]] = (GROWTH,)
    settings: ClassVar[tuple[str, ...]] = ()

    def train(self) -> Commands:
        text = self.folder / "train.vw"
        return [
            self.script("convert", "vw", self.corpus.train, text),
            self._vw("--oaa", str(len(self.corpus.labels)), *self.settings, "-d", text, "-f", self.model),
        ]

    def bulk(self) -> Commands:
        text, answers = self.folder / "test.vw", self.folder / "answers"
        return [
            self.script("convert", "vw", self.corpus.test, text, "--unlabelled"),
            self._vw("-t", "-i", self.model, "-d", text, "-p", answers),
        ]

    def cold(self) -> Commands:
        return [self.script("run_vowpal_wabbit", self.model, self.corpus.sample.path)]

    def predictions(self, output: Path) -> Iterator[Prediction]:
        """The numbers of the classes, in the order of the sorted files."""
        answers = output.with_name("answers").read_text().split()
        for file, answer in zip(self.corpus.tested, answers, strict=True):
            yield Prediction(file.key, self.corpus.labels[int(answer) - 1])

    def _vw(self, *arguments: str | Path) -> list[str | Path]:
        return [self.python, "-m", "vowpalwabbit", "--quiet", *arguments]


class Tuned(VowpalWabbit):
    """Vowpal Wabbit with logistic loss, pairs of words, 2^22 weights and eight passes.

    Fair: the settings that its users tune first; more weights or passes gain little here.
    Unfair: they were chosen with these corpora in mind.
    """

    name = "vw-tuned"
    series: ClassVar = ()
    settings = (
        *("--loss_function", "logistic", "--ngram", "2", "-b", "22"),
        *("--passes", "8", "--holdout_off", "-c", "-k"),
    )
