"""Measures of the answers alone: how many are right, and which classes are confused.

Three steps: `confusion` counts the predictions, `class_counts` keeps three numbers for each class, and all further
measures are ratios of these.
"""

from collections.abc import Collection, Iterable, Mapping
from math import sqrt
from typing import NamedTuple

from . import Prediction
from .averages import mean, ratio, weighted_mean

Confusion = Mapping[str, Mapping[str, int]]  # truth -> answer -> documents


def accuracy(predictions: Iterable[Prediction]) -> float:
    """The share of right answers, in [0, 1]. A document of a class unknown to the model is a wrong answer.

    Raises: ValueError if there are no predictions.

    >>> accuracy([Prediction("1", "ham", "ham", {"ham": 1.0}), Prediction("2", "spam", "ham", {"ham": 1.0})])
    0.5
    """
    return mean(prediction.right for prediction in predictions)


# Baselines for the accuracy: two ways to answer without reading.


def largest_class(train_counts: Mapping[str, int], truths: Iterable[str]) -> float:
    """The accuracy of always answering the largest training class, in [0, 1].

    train_counts  label to training documents, not empty; of equally large classes the first in sorted order is used
    truths        the labels of the test documents, not empty

    Raises: ValueError if either is empty.

    >>> largest_class({"ham": 9, "spam": 1}, truths=["ham", "spam", "spam"]) == 1 / 3
    True
    """
    largest = max(sorted(train_counts), key=train_counts.__getitem__)
    return mean(truth == largest for truth in truths)


def prior_guessing(train_counts: Mapping[str, int], truths: Iterable[str]) -> float:
    """The expected accuracy of guessing each class as often as it was in training, in [0, 1].

        mean over test documents of P(truth), P(v) = documents of v / all training documents

    train_counts  label to training documents, at least one in all
    truths        the labels of the test documents, not empty; a class unknown in training is never guessed

    Raises: ValueError if there is no training document or no truth.

    >>> prior_guessing({"ham": 3, "spam": 1}, truths=["ham", "spam"])
    0.5
    """
    documents = sum(train_counts.values())
    if not documents:
        raise ValueError("no training documents, so no priors to guess by")
    return mean(train_counts.get(truth, 0) for truth in truths) / documents


# Which classes are confused.


def confusion(predictions: Iterable[Prediction]) -> dict[str, dict[str, int]]:
    """The documents for each truth and answer: a row and a column for every label that was either, sorted.

    All the cells sum to the number of predictions. A class that was neither the truth nor the answer of any
    document has no row: no measure of it is defined.

    >>> confusion([Prediction("1", "spam", "ham", {"ham": 1.0})])
    {'ham': {'ham': 0, 'spam': 0}, 'spam': {'ham': 1, 'spam': 0}}
    """
    predictions = list(predictions)
    labels = sorted({label for prediction in predictions for label in (prediction.truth, prediction.answer)})
    table = {truth: dict.fromkeys(labels, 0) for truth in labels}
    for prediction in predictions:
        table[prediction.truth][prediction.answer] += 1
    return table


class ClassCounts(NamedTuple):
    """The counts of one class, or of several together, and their ratios.

    right     documents of the class that were answered with it
    answered  documents answered with the class, correctly or not
    support   documents of the class

    Source: Manning, Raghavan, Schütze, Introduction to Information Retrieval (2008), section 8.3.

    >>> ham = ClassCounts(right=3, answered=4, support=6)
    >>> ham.precision, ham.recall, ham.f1
    (0.75, 0.5, 0.6)
    """

    right: int
    answered: int
    support: int

    @property
    def precision(self) -> float | None:
        """The share of the answers that are right, in [0, 1]; None for a class that was never answered."""
        return ratio(self.right, self.answered)

    @property
    def recall(self) -> float | None:
        """The share of the documents that were found, in [0, 1]; None for a class without documents."""
        return ratio(self.right, self.support)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall, in [0, 1]; None for a class without documents or answers.

        Counted as 2 right / (answered + support), so it is 0 for a class with documents that was never answered.
        """
        return ratio(2 * self.right, self.answered + self.support)


def class_counts(table: Confusion) -> dict[str, ClassCounts]:
    """The counts of each class, in the order of the confusion table, whose rows and columns are the same labels.

    >>> class_counts({"ham": {"ham": 5, "spam": 1}, "spam": {"ham": 0, "spam": 2}})["spam"]
    ClassCounts(right=2, answered=3, support=2)
    """
    return {
        label: ClassCounts(row[label], sum(other[label] for other in table.values()), sum(row.values()))
        for label, row in table.items()
    }


# Means over the classes: each takes `class_counts(...).values()`, or only those that should count.


class ClassMeans(NamedTuple):
    """Precision, recall and F1 averaged over classes, each in [0, 1]."""

    precision: float
    recall: float
    f1: float


def micro(classes: Iterable[ClassCounts]) -> ClassCounts:
    """The counts of all the classes together: their ratios are the micro averages.

    Over all classes, precision, recall and F1 are then each the accuracy, since a document has one truth and one
    answer. Over some of the classes the three differ.

    Source: Manning, Raghavan, Schütze (2008), section 13.6.

    >>> micro([ClassCounts(5, 5, 6), ClassCounts(2, 3, 2)])
    ClassCounts(right=7, answered=8, support=8)
    """
    classes = list(classes)
    return ClassCounts(
        right=sum(each.right for each in classes),
        answered=sum(each.answered for each in classes),
        support=sum(each.support for each in classes),
    )


def macro(classes: Iterable[ClassCounts]) -> ClassMeans:
    """The means over classes, each counting once, however small.

    A value that is undefined for a class counts as 0, as with scikit-learn's `zero_division=0`: a class that was never
    answered should lower the mean, and the means equal scikit-learn's.

    Source: Manning, Raghavan, Schütze (2008), section 13.6; F1 is the mean of the F1s, not the F1 of the means.
    Raises: ValueError if there are no classes.

    >>> macro([ClassCounts(2, 4, 2), ClassCounts(0, 0, 2)]).precision
    0.25
    """
    classes = list(classes)
    return _means(classes, [1] * len(classes))


def weighted(classes: Iterable[ClassCounts]) -> ClassMeans:
    """The means over classes, weighted by their documents. An undefined value counts as 0, as in `macro`.

    Over all classes the weighted recall is the accuracy.

    Raises: ValueError if there are no documents.

    >>> weighted([ClassCounts(6, 6, 6), ClassCounts(1, 2, 2)]).recall
    0.875
    """
    classes = list(classes)
    return _means(classes, [each.support for each in classes])


def _means(classes: Collection[ClassCounts], weights: Collection[int]) -> ClassMeans:
    return ClassMeans(
        precision=weighted_mean((each.precision or 0.0 for each in classes), weights),
        recall=weighted_mean((each.recall or 0.0 for each in classes), weights),
        f1=weighted_mean((each.f1 or 0.0 for each in classes), weights),
    )


# Single figures that do not reward a preference for large classes: each takes all of `class_counts(...).values()`.


def balanced_accuracy(classes: Iterable[ClassCounts]) -> float:
    """The mean recall over the classes that have documents, in [0, 1]; by chance, 1 / number of classes.

    Source: Brodersen and others, The Balanced Accuracy and Its Posterior Distribution (2010).
    Raises: ValueError if no class has documents.

    >>> balanced_accuracy([ClassCounts(6, 7, 6), ClassCounts(1, 1, 2)])
    0.75
    """
    return mean(each.right / each.support for each in classes if each.support)


def matthews(classes: Iterable[ClassCounts]) -> float | None:
    """Matthews' correlation of truths and answers, for any number of classes: 1 all right, 0 no relation, >= -1.

        (right * all - sum t a) / sqrt((all^2 - sum t^2) (all^2 - sum a^2))

    with t the documents and a the answers of each class. None if there is a single truth or a single answer:
    constants have no correlation (scikit-learn gives 0).

    Source: Gorodkin, Comparing two K-category assignments by a K-category correlation coefficient (2004).

    >>> matthews([ClassCounts(right=4, answered=5, support=5), ClassCounts(right=4, answered=5, support=5)])
    0.6
    """
    classes = list(classes)
    total = micro(classes)
    truths = total.support**2 - sum(each.support**2 for each in classes)
    answers = total.support**2 - sum(each.answered**2 for each in classes)
    return ratio(total.right * total.support - _chance(classes), sqrt(truths * answers))


def kappa(classes: Iterable[ClassCounts]) -> float | None:
    """Cohen's kappa: the agreement of truths and answers beyond chance, 1 all right, 0 as by chance, >= -1.

        (accuracy - chance) / (1 - chance), chance = sum t a / all^2

    with t the documents and a the answers of each class. None if all truths and all answers are one label.

    Source: Cohen, A coefficient of agreement for nominal scales (1960).

    >>> kappa([ClassCounts(20, 30, 25), ClassCounts(15, 20, 25)])
    0.4
    """
    classes = list(classes)
    total = micro(classes)
    chance = _chance(classes)
    return ratio(total.right * total.support - chance, total.support**2 - chance)


def _chance(classes: Iterable[ClassCounts]) -> int:
    return sum(each.support * each.answered for each in classes)
