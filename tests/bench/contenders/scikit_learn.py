"""scikit-learn: three pipelines, saved with joblib."""

from typing import ClassVar

from ..contender import Commands, Contender
from ..corpora import GROWTH


class Multinomial(Contender):
    """CountVectorizer and MultinomialNB, both as they come: words of two and more letters, alpha 1.

    Fair: the same model as nbtext's but for the tokens; the vectorizer reads the files itself, as Latin-1.
    Unfair: a program that stays in memory pays the import, most of the cold time, only once.
    """

    name = "sklearn-multinomial"
    packages: ClassVar = ("scikit-learn",)
    series: ClassVar[tuple[str, ...]] = (GROWTH,)
    pipeline: ClassVar[str] = "multinomial"

    def train(self) -> Commands:
        return [self.script("run_sklearn", "train", self.pipeline, self.corpus.train, self.model)]

    def bulk(self) -> Commands:
        return [self.script("run_sklearn", "classify", self.model, self.corpus.test)]

    def cold(self) -> Commands:
        return [self.script("run_sklearn", "classify", self.model, self.corpus.sample.path)]


class Complement(Multinomial):
    """TfidfVectorizer and ComplementNB, both as they come: its most accurate naive Bayes here.

    Fair: what its users reach for when MultinomialNB disappoints.
    Unfair: tf-idf is a step that plain naive Bayes does not have.
    """

    name = "sklearn-complement"
    series: ClassVar = ()
    pipeline = "complement"


class LinearSvm(Multinomial):
    """TfidfVectorizer with sublinear counts and LinearSVC: a yardstick of accuracy, not a naive Bayes.

    Fair: the usual strong baseline, untuned.
    Unfair: it learns all documents again to learn one more, and its margins are no probabilities.
    """

    name = "sklearn-svm"
    series: ClassVar = ()
    pipeline = "svm"
