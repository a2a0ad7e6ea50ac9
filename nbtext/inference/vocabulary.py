"""The vocabulary and its totals."""

from collections import Counter
from collections.abc import Iterable, Sequence

from ..counting.rows import Row
from ..fields import ATTRIBUTE, is_attribute
from ..settings import Hyperparameters


class Vocabulary:
    """Decides which tokens are in the vocabulary, by a token's row, given the most frequent tokens.

    >>> kept = Vocabulary(Hyperparameters(stopwords=frozenset(["the"]), min_count=2))
    >>> kept.admits("the", [0, 9, 9]), kept.admits("sea", [0, 1, 1]), kept.admits("sea", [0, 1, 1, 1, 1, 1])
    (False, False, True)
    """

    def __init__(self, hyperparameters: Hyperparameters, dropped: Iterable[str] = ()) -> None:
        self.excluded = hyperparameters.stopwords.union(dropped)  # `dropped` are the `drop_top` most frequent tokens
        self.min_count = hyperparameters.min_count
        self.min_docs = hyperparameters.min_docs

    def admits(self, token: str, row: Row) -> bool:
        """Whether a token with this row is in the vocabulary; one with an empty row never is."""
        return (
            bool(row)
            and token not in self.excluded
            and not (token[:1] == ATTRIBUTE and is_attribute(token))
            and (self.min_count == 1 or sum(row[1::3]) >= self.min_count)
            and (self.min_docs == 1 or sum(row[2::3]) >= self.min_docs)
        )


class Totals:
    """The totals of the vocabulary, which stay exact while tokens are added and removed.

    documents   per class: the number of documents
    sizes       statistic -> per class: its sum over the vocabulary
    spread      per class: d -> the number of vocabulary tokens that are in exactly d of its documents, d >= 1
    vocabulary  the number of tokens in it
    """

    def __init__(self, documents: Sequence[int]) -> None:
        self.documents = list(documents)
        self.sizes = {"occurrences": [0] * len(documents), "frequency": [0] * len(documents)}
        self.spread: list[Counter[int]] = [Counter() for _ in documents]
        self.vocabulary = 0

    def add(self, row: Row, times: int = 1) -> None:
        """Add a token with this row to the vocabulary, or with times=-1 remove it."""
        self.vocabulary += times
        for index, occurrences, frequency in zip(row[::3], row[1::3], row[2::3], strict=True):
            self.sizes["occurrences"][index] += times * occurrences
            self.sizes["frequency"][index] += times * frequency
            self.spread[index][frequency] += times

    def join(self, others: "Totals") -> None:
        """Add the totals of other tokens of the same documents; no token may be in both."""
        self.vocabulary += others.vocabulary
        for statistic, sizes in others.sizes.items():
            self.sizes[statistic] = [a + b for a, b in zip(self.sizes[statistic], sizes, strict=True)]
        for spread, more in zip(self.spread, others.spread, strict=True):
            spread.update(more)

    def resize(self, classes: int) -> None:
        """Change the number of classes: new ones are empty, and removed ones must be."""
        more = max(classes - len(self.documents), 0)
        self.documents = [*self.documents, *[0] * more][:classes]
        self.spread = [*self.spread, *(Counter() for _ in range(more))][:classes]
        for statistic, sizes in self.sizes.items():
            self.sizes[statistic] = [*sizes, *[0] * more][:classes]
