"""Which tokens are in use, and what they add up to."""

from collections import Counter
from collections.abc import Iterable, Sequence

from ..counting.rows import Row
from ..fields import ATTRIBUTE, is_attribute
from ..settings import Hyperparameters


class Vocabulary:
    """Which tokens are in use, judged by a token's own row once the most frequent ones are known.

    >>> kept = Vocabulary(Hyperparameters(stopwords=frozenset(["the"]), min_count=2))
    >>> kept.admits("the", [0, 9, 9]), kept.admits("sea", [0, 1, 1]), kept.admits("sea", [0, 1, 1, 1, 1, 1])
    (False, False, True)
    """

    def __init__(self, hyperparameters: Hyperparameters, dropped: Iterable[str] = ()) -> None:
        self.excluded = hyperparameters.stopwords.union(dropped)  # `dropped` are the `drop_top` most frequent tokens
        self.min_count = hyperparameters.min_count
        self.min_docs = hyperparameters.min_docs

    def admits(self, token: str, row: Row) -> bool:
        """Whether a token with this row is vocabulary; an empty row never is."""
        return (
            bool(row)
            and token not in self.excluded
            and not (token[:1] == ATTRIBUTE and is_attribute(token))
            and (self.min_count == 1 or sum(row[1::3]) >= self.min_count)
            and (self.min_docs == 1 or sum(row[2::3]) >= self.min_docs)
        )


class Totals:
    """What the vocabulary adds up to, kept exact while tokens come and go.

    documents   per class: how many documents
    sizes       statistic -> per class: its sum over the vocabulary
    spread      per class: how many vocabulary tokens are in exactly d of its documents, d -> tokens, d >= 1
    vocabulary  how many tokens are in use
    """

    def __init__(self, documents: Sequence[int]) -> None:
        self.documents = list(documents)
        self.sizes = {"occurrences": [0] * len(documents), "frequency": [0] * len(documents)}
        self.spread: list[Counter[int]] = [Counter() for _ in documents]
        self.vocabulary = 0

    def add(self, row: Row, times: int = 1) -> None:
        """A token with this row becomes vocabulary, or with times=-1 is vocabulary no more."""
        self.vocabulary += times
        for index, occurrences, frequency in zip(row[::3], row[1::3], row[2::3], strict=True):
            self.sizes["occurrences"][index] += times * occurrences
            self.sizes["frequency"][index] += times * frequency
            self.spread[index][frequency] += times

    def join(self, others: "Totals") -> None:
        """The vocabulary of others, of the same documents and none of it here, becomes vocabulary."""
        self.vocabulary += others.vocabulary
        for statistic, sizes in others.sizes.items():
            self.sizes[statistic] = [a + b for a, b in zip(self.sizes[statistic], sizes, strict=True)]
        for spread, more in zip(self.spread, others.spread, strict=True):
            spread.update(more)

    def resize(self, classes: int) -> None:
        """Make it one of so many classes: new ones have nothing, and those that go had nothing."""
        more = max(classes - len(self.documents), 0)
        self.documents = [*self.documents, *[0] * more][:classes]
        self.spread = [*self.spread, *(Counter() for _ in range(more))][:classes]
        for statistic, sizes in self.sizes.items():
            self.sizes[statistic] = [*sizes, *[0] * more][:classes]
