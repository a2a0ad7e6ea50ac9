"""How accurate everybody is on the same documents: a row for each real corpus, a column for each contender."""

from collections.abc import Iterator
from statistics import mean

from .corpora import ACCURACY
from .records import Measurement, Results
from .statistics import EVEN

COLUMNS = {
    "nbtext": "nbtext",
    "nbtext-tuned": "nbtext --tune",
    "sklearn-multinomial": "MultinomialNB",
    "sklearn-complement": "ComplementNB",
    "sklearn-svm": "SVM",
    "sklearn-svm-pairs": "SVM, pairs",
    "sklearn-svm-characters": "SVM, characters",
    "fasttext": "fastText",
    "bogofilter": "bogofilter",
}
HEADS = ["right, %", "tested", *COLUMNS.values(), "calibration error of --tune"]


def rows(results: Results) -> Iterator[list[str]]:
    """The cells of the table: means over the splits of a corpus, each of which counts alike."""
    for name in dict.fromkeys(map(_whole, results.series(ACCURACY))):
        found = [m for m in results.measurements if m.measure == "bulk" and _whole(m.corpus) == name]
        by_contender = {who: [m for m in found if m.contender == who] for who in COLUMNS}
        tested = max(sum(m.documents for m in own) for own in by_contender.values())
        errors = [m.calibration_error for m in found if m.calibration_error is not None]
        cells = [f"{100 * mean(map(right, own)):.1f}" if own else "" for own in by_contender.values()]
        yield [name, f"{tested:,}", *cells, f"{mean(errors):.3f}" if errors else ""]


def right(measurement: Measurement) -> float:
    """The part labelled rightly, of mail at even odds: who is unsure below a higher cutoff would be called worse."""
    even = [each for each in measurement.filterings if each.cutoff == str(EVEN)]
    return 1 - even[0].errors / measurement.documents if even else measurement.accuracy or 0.0


def _whole(corpus: str) -> str:
    """The name of the corpus that a split is of.

    >>> _whole("accuracy-sms-spam-1")
    'sms-spam'
    """
    return corpus.removeprefix(f"{ACCURACY}-").rpartition("-")[0]
