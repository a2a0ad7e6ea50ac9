"""NLTK's naive Bayes."""

from typing import ClassVar

from ..contender import Commands, Contender

MUCH = 50_000_000


class Nltk(Contender):
    """NLTK's NaiveBayesClassifier over the presence of words, as its book teaches.

    Fair: the classifier that many learn first, pickled.
    Unfair: it was made for teaching, holds every document in memory, and is measured in one round only.
    """

    name = "nltk"
    packages: ClassVar = ("nltk",)
    most = 1

    def refusal(self) -> str:
        return "it would take gigabytes and many minutes" if self.corpus.size > MUCH or self.corpus.series else ""

    def train(self) -> Commands:
        return [self.script("run_nltk", "train", self.corpus.train, self.model)]

    def bulk(self) -> Commands:
        return [self.script("run_nltk", "classify", self.model, self.corpus.test)]

    def cold(self) -> Commands:
        return [self.script("run_nltk", "classify", self.model, self.corpus.sample.path)]
