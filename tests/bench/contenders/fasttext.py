"""fastText, through its Python package."""

from typing import ClassVar

from ..contender import Commands, Contender
from ..corpora import ACCURACY

MUCH = 50_000_000


class FastText(Contender):
    """fastText with nearly the settings its tutorial ends with: pairs of words, 25 epochs, 50 dimensions.

    Fair: the documents are shuffled, as it needs; conversion is a translation of bytes; all cores are used.
    Unfair: a part of the cold time is Python importing numpy; its own command-line program is not on PyPI.
    """

    name = "fasttext"
    packages: ClassVar = ("fasttext-wheel", "numpy<2")
    series = (ACCURACY,)

    def refusal(self) -> str:
        return "25 epochs take minutes" if self.corpus.size > MUCH else ""

    def train(self) -> Commands:
        text = self.folder / "train.txt"
        return [
            self.script("convert", "fasttext", self.corpus.train, text),
            self.script("run_fasttext", "train", text, self.model),
        ]

    def bulk(self) -> Commands:
        return [self.script("run_fasttext", "classify", self.model, self.corpus.test)]

    def cold(self) -> Commands:
        return [self.script("run_fasttext", "classify", self.model, self.corpus.sample.path)]
