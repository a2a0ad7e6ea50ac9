"""A reading of the counts: which tokens are vocabulary, what they add up to, how likely each class is at the outset.

Everything here is chosen when classifying and can be changed without retraining. No logarithm is taken yet: turning
totals into weights is left to `event_models`.

    docs_j        documents of class j
    Vocabulary    the tokens in use: stopwords out, then the most frequent out, then the rare out
    n_j           positions of class j whose token is in Vocabulary
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from math import log
from operator import add, sub
from typing import NamedTuple

from ..counting.counts import Counts, Row
from ..errors import ChoiceError

LARGEST_ALPHA = 1e9
IMPOSSIBLE = float("-inf")  # the log probability of a class without documents


class Reading(NamedTuple):
    """How counts are read; the defaults are Table 6.2.

    event_model  a module of `event_models`
    alpha        pseudo-count for every token and class, > 0; 1 is Laplace's rule
    prior        "learned" from the documents, "uniform", or "LABEL=P,...", labels not named sharing the rest
    stopwords    tokens that are not vocabulary
    drop_top     how many of the most frequent tokens are not vocabulary either, >= 0
    min_count    least occurrences in the whole corpus, >= 1
    min_docs     least documents in the whole corpus, >= 1
    """

    event_model: str = "multinomial"
    alpha: float = 1.0
    prior: str = "learned"
    stopwords: frozenset[str] = frozenset()
    drop_top: int = 0
    min_count: int = 1
    min_docs: int = 1

    def checked(self) -> "Reading":
        """The reading itself.

        Raises: ChoiceError if a number is outside its range.
        """
        if not 0 < self.alpha <= LARGEST_ALPHA:
            raise ChoiceError(
                f"alpha {self.alpha:g} is refused: without a pseudo-count above 0 a token that a class has not seen "
                f"would veto the class, and above {LARGEST_ALPHA:g} nothing else counts; try 0.01"
            )
        for name, least in ("drop_top", 0), ("min_count", 1), ("min_docs", 1):
            if type(getattr(self, name)) is not int or getattr(self, name) < least:
                raise ChoiceError(f"{name.replace('_', '-')} {getattr(self, name)} is refused: the least is {least}")
        return self

    @property
    def is_unfiltered(self) -> bool:
        """Whether every token is vocabulary."""
        return not self.stopwords and self.drop_top == 0 and self.min_count == self.min_docs == 1


class Vocabulary:
    """Which tokens are in use, judged by a token's own row once the most frequent ones are known.

    >>> kept = Vocabulary(Reading(stopwords=frozenset(["the"]), min_count=2))
    >>> kept.admits("the", [0, 9, 9]), kept.admits("sea", [0, 1, 1]), kept.admits("sea", [0, 1, 1, 1, 1, 1])
    (False, False, True)
    """

    def __init__(self, reading: Reading, dropped: Iterable[str] = ()) -> None:
        self.dropped = frozenset(dropped)  # the reading's `drop_top` most frequent tokens
        self.excluded = reading.stopwords | self.dropped
        self.min_count = reading.min_count
        self.min_docs = reading.min_docs
        self.is_everything = not self.excluded and self.min_count == self.min_docs == 1

    def admits(self, token: str, row: Row) -> bool:
        """Whether a token with this row is vocabulary; an empty row never is."""
        return bool(row) and (self.is_everything or self.keeps(token, sum(row[1::3]), sum(row[2::3])))

    def keeps(self, token: str, occurrences: int, documents: int) -> bool:
        """Whether a token that occurs so often, in so many documents of the whole corpus, is vocabulary."""
        return occurrences >= self.min_count and documents >= self.min_docs and token not in self.excluded


def most_frequent(rows: Iterable[tuple[str, Row]], reading: Reading) -> list[str]:
    """The `drop_top` tokens that occur most often, stopwords aside; of equally frequent ones the first in sorted order.

    >>> most_frequent([("a", [0, 2, 1]), ("b", [0, 1, 1, 1, 1, 1]), ("c", [0, 1, 1])], Reading(drop_top=1))
    ['a']
    """
    from heapq import nsmallest  # a start can do without it

    frequencies = ((-sum(row[1::3]), token) for token, row in rows if token not in reading.stopwords)
    return [token for _, token in nsmallest(reading.drop_top, frequencies)]


def ranked(rows: Iterable[tuple[str, Row]], reading: Reading) -> list[tuple[int, str]]:
    """(-occurrences, token) of all tokens but stopwords, most frequent first."""
    return sorted((-sum(row[1::3]), token) for token, row in rows if token not in reading.stopwords)


class Totals:
    """What the vocabulary adds up to, kept exact while tokens and documents come and go.

    documents   per class: |docs_j|
    positions   per class: occurrences of vocabulary tokens
    presences   per class: (token, document) pairs, a token counting once a document
    spread      per class: how many vocabulary tokens are in exactly d of its documents, d -> tokens, d >= 1;
                None where that is not kept
    vocabulary  how many tokens are in use
    """

    def __init__(self, documents: Sequence[int], *, spread: bool = True) -> None:
        self.documents = list(documents)
        self.positions = [0] * len(documents)
        self.presences = [0] * len(documents)
        self.spread: list[Counter[int]] | None = [Counter() for _ in documents] if spread else None
        self.vocabulary = 0

    @classmethod
    def of_all(cls, counts: Counts, labels: Sequence[str]) -> "Totals":
        """The totals where every token is vocabulary, without entering them one by one."""
        totals = cls([counts.documents[label] for label in labels])
        totals.positions = [counts.positions(label) for label in labels]
        totals.spread = [Counter(counts.presences[label].values()) for label in labels]
        totals.presences = [sum(d * tokens for d, tokens in spread.items()) for spread in totals.spread]
        totals.vocabulary = len(set().union(*(counts.presences[label] for label in labels)))
        return totals

    def copy(self, *, spread: bool) -> "Totals":
        """A copy that can be changed apart, with its own spread or without one."""
        twin = Totals(self.documents, spread=False)
        twin.positions = self.positions.copy()
        twin.presences = self.presences.copy()
        twin.vocabulary = self.vocabulary
        if spread and self.spread is not None:
            twin.spread = [counter.copy() for counter in self.spread]
        return twin

    def enter(self, row: Row) -> None:
        """A token with this row becomes vocabulary."""
        self._add(row, 1)

    def leave(self, row: Row) -> None:
        """A token with this row is vocabulary no more."""
        self._add(row, -1)

    def extend(self, other: "Totals") -> None:
        """Other tokens of the same documents become vocabulary."""
        self.positions = list(map(add, self.positions, other.positions))
        self.presences = list(map(add, self.presences, other.presences))
        self.vocabulary += other.vocabulary
        for own, more in zip(self.spread or (), other.spread or (), strict=True):
            own.update(more)

    def subtract(self, part: "Totals", vocabulary: int) -> None:
        """Documents of these totals go, all tokens being vocabulary; so many tokens are left. No spread is kept."""
        self.positions = list(map(sub, self.positions, part.positions))
        self.presences = list(map(sub, self.presences, part.presences))
        self.vocabulary = vocabulary

    def shift(self, index: int, occurrences: int, presences: Collection[int]) -> None:
        """Tokens lose a document of the class.

        occurrences  all theirs in that document
        presences    of each, documents of the class that had it, that one included; read only if there is a spread
        """
        self.positions[index] -= occurrences
        self.presences[index] -= len(presences)
        if self.spread is not None:
            spread = self.spread[index]
            for documents, tokens in Counter(presences).items():
                spread[documents] -= tokens
                if documents > 1:
                    spread[documents - 1] += tokens

    def _add(self, row: Row, sign: int) -> None:
        self.vocabulary += sign
        for index, occurrences, documents in zip(row[::3], row[1::3], row[2::3], strict=True):
            self.positions[index] += sign * occurrences
            self.presences[index] += sign * documents
            if self.spread is not None:
                self.spread[index][documents] += sign


def totals_of(rows: Iterable[tuple[str, Row]], vocabulary: Vocabulary, documents: Sequence[int]) -> Totals:
    """What the vocabulary tokens among the rows add up to."""
    totals = Totals(documents)
    for token, row in rows:
        if vocabulary.admits(token, row):
            totals.enter(row)
    return totals


def log_priors(spec: str, labels: Sequence[str], documents: Sequence[int]) -> list[float]:
    """The log probability of each class before anything is read; `IMPOSSIBLE` for one without documents.

    >>> from math import exp
    >>> [round(exp(p), 6) for p in log_priors("learned", ["dislike", "like", "new"], [700, 300, 0])]
    [0.7, 0.3, 0.0]
    >>> [round(exp(p), 6) for p in log_priors("like=0.6", ["dislike", "like"], [700, 300])]
    [0.4, 0.6]

    Raises: ChoiceError if the text is none of the three forms or the numbers are no distribution.
    """
    if spec == "learned":
        weights = [float(count) for count in documents]
    elif spec == "uniform":
        weights = [1.0] * len(labels)
    else:
        weights = _completed(spec, labels, documents)
    possible = [weight if count else 0.0 for weight, count in zip(weights, documents, strict=True)]
    whole = sum(possible)
    return [log(weight / whole) if weight else IMPOSSIBLE for weight in possible]


def _completed(spec: str, labels: Sequence[str], documents: Sequence[int]) -> list[float]:
    """The probabilities as stated, the classes not named sharing evenly what is left, those without documents aside."""
    stated = _stated(spec, labels)
    rest = 1 - sum(stated.values())
    others = len(labels) - len(stated)
    if not stated or any(not 0 < p <= 1 for p in stated.values()) or (rest <= 1e-9 if others else abs(rest) > 1e-6):
        raise ChoiceError(f"prior {spec!r}: the probabilities must be above 0 and sum to 1, unnamed classes included")
    sharers = sum(count > 0 and label not in stated for label, count in zip(labels, documents, strict=True))
    return [stated.get(label, rest / max(sharers, 1)) for label in labels]


def _stated(spec: str, labels: Iterable[str]) -> dict[str, float]:
    """LABEL=P pairs; a comma or an equals sign inside a label does no harm, for the labels are known."""
    known = sorted(labels, key=len, reverse=True)
    given: dict[str, float] = {}
    rest = spec
    while rest:
        label = next((label for label in known if rest.startswith(label + "=")), None)
        number, _, after = rest[len(label) + 1 :].partition(",") if label is not None else ("", "", "")
        try:
            given[label or ""] = float(number)
        except ValueError:
            raise ChoiceError(
                f"prior {spec!r}: {rest!r} should be 'learned', 'uniform' or LABEL=P,... with labels of the model: "
                + ", ".join(sorted(known))
            ) from None
        rest = after
    return given
