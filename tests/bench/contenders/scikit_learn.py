"""scikit-learn: pipelines, saved with joblib."""

from typing import ClassVar

from ..contender import Commands, Contender
from ..corpora import ACCURACY, GROWTH


class Multinomial(Contender):
    """CountVectorizer and MultinomialNB, both as they come: words of two and more letters, alpha 1.

    Fair: the same model as nbtext's but for the tokens; the vectorizer reads the files itself.
    Unfair: a program that stays in memory pays the import, most of the cold time, only once.
    """

    name = "sklearn-multinomial"
    packages: ClassVar = ("scikit-learn",)
    series: ClassVar[tuple[str, ...]] = (ACCURACY, GROWTH)
    pipeline: ClassVar[str] = "multinomial"

    def train(self) -> Commands:
        return [self.script("run_sklearn", "train", self.pipeline, self.corpus.train, self.model, self.corpus.encoding)]

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
    series: ClassVar = (ACCURACY,)
    pipeline = "complement"


class LinearSvm(Multinomial):
    """TfidfVectorizer with sublinear counts and LinearSVC: a yardstick of accuracy, not a naive Bayes.

    Fair: the usual strong baseline, untuned.
    Unfair: it learns all documents again to learn one more, and its margins are no probabilities.
    """

    name = "sklearn-svm"
    series: ClassVar = (ACCURACY,)
    pipeline = "svm"


class PairSvm(LinearSvm):
    """The same with pairs of words too.

    Fair: what `--tune` of nbtext reads at most, but for character n-grams.
    Unfair: as `sklearn-svm`.
    """

    name = "sklearn-svm-pairs"
    pipeline = "svm-pairs"

    def refusal(self) -> str:
        return "" if self.corpus.series else "it is for accuracy alone"


class CharacterSvm(LinearSvm):
    """The same with one to four characters of a word in the place of words.

    Fair: the usual choice for languages with many endings, or without spaces between words.
    Unfair: as `sklearn-svm`.
    """

    name = "sklearn-svm-characters"
    pipeline = "svm-characters"

    def refusal(self) -> str:
        return "it is for other languages than English" if self.corpus.english else ""
