"""Scores of a document under one reading, and what its score would be had it not been learned.

    L      known positions of the document: the sum of value(n) over its vocabulary tokens
    t      the fitted part of the temperature
    T(L)   temperature: t * sqrt(L + 1)

Scores are sums of correctly rounded terms (`math.fsum`), so the order of tokens changes no bit of them. Labels, the
answer and printing are left to `decision`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from heapq import nsmallest
from itertools import islice, repeat
from math import exp, fsum, ldexp, sqrt
from operator import add
from typing import NamedTuple, TypeVar, cast

from . import choices, event_models
from .counts import Bag, Row, dense, presences, shifted
from .event_models import EventModel, Own
from .reading import IMPOSSIBLE, Reading, Totals, Vocabulary

REMEMBERED = 200_000  # terms kept for what was met before; then they are forgotten and looked up again
LANE_BYTES = 26  # of a number in `packed`: 72 bits before the point, the sign included, and
FRACTION_BITS = 136  # behind it, more than the logarithm of any float has, and so differences of logarithms


class Scores(NamedTuple):
    """What a document scores.

    values  per class, in nats
    length  known positions, L
    """

    values: list[float]
    length: int


class Weighted(NamedTuple):
    """A vocabulary token of a document.

    value    how often it counts: its occurrences, or 1
    row      its counts in the model
    weights  per class; value * weight is what it adds to the score
    """

    token: str
    value: int
    row: Row
    weights: list[float]


Key = TypeVar("Key")


class Memo(dict[Key, int]):
    """What a function makes of keys, made once.

    >>> squares = Memo(lambda n: n * n)
    >>> sum(map(squares.__getitem__, [1, 2, 2])), squares
    (9, {1: 1, 2: 4})
    """

    def __init__(self, make: Callable[[Key], int]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, key: Key) -> int:
        self[key] = made = self.make(key)
        return made


class Terms:
    """What tokens add to scores, packed: a lane for each class, the last for the length.

    Most tokens are in few classes. So the terms of a token are those of one that no class has, put right in the lanes
    of the classes that have it: the work grows with the cells of its row, not with the classes.

    classes   how many
    column    of a row: its statistic
    weight    as `Linear.own` or `Linear.weight`
    of_whole  whether the weight reads the sum over all classes
    """

    def __init__(self, classes: int, column: int, weight: Own, *, of_whole: bool) -> None:
        self.classes = classes
        self.column = column
        self.weight = weight
        self.of_whole = of_whole
        self.nowhere = Memo(self._nowhere)
        self.cells = Memo(self._cell)
        self.known: dict[int, int] = {}  # equal terms are kept once: those of rare tokens are few

    def of(self, row: Row, value: int, less: int = 0) -> int:
        """What a token with this row adds that counts so often in a document.

        less  how much less its statistic is to be over all classes, though not in any of them
        """
        counts = row[self.column :: 3]
        whole = sum(counts) - less if self.of_whole else 0
        cells = zip(row[::3], counts, repeat(whole), repeat(value))
        terms = sum(map(self.cells.__getitem__, cells), self.nowhere[whole, value])
        return self.known.setdefault(terms, terms)

    def lane(self, terms: int, index: int) -> int:
        """The terms, of one class, in its lane."""
        return terms << 8 * LANE_BYTES * (self.classes - index)

    def forget(self) -> None:
        """Let go of all that was remembered."""
        for memory in self.nowhere, self.cells, self.known:
            memory.clear()

    def _nowhere(self, key: tuple[int, int]) -> int:
        """The terms of a token that no class has, from its sum over all classes and how often it counts."""
        whole, value = key
        return packed([*(value * self.weight(0, whole, index) for index in range(self.classes)), value])

    def _cell(self, key: tuple[int, int, int, int]) -> int:
        """What a count makes of them, from the class, the count, the sum over all classes and how often it counts."""
        index, count, whole, value = key
        right, wrong = (fixed(value * self.weight(n, whole, index)) for n in (count, 0))
        return self.lane(right - wrong, index)


class Scorer:
    """Scores documents under one reading of the counts.

    look_up     the rows of those of the tokens that the counts know
    log_priors  per class, as `reading.log_priors` gives them
    """

    def __init__(
        self,
        reading: Reading,
        vocabulary: Vocabulary,
        totals: Totals,
        log_priors: Sequence[float],
        look_up: Callable[[Iterable[str]], Mapping[str, Row]],
    ) -> None:
        self.event_model = cast(EventModel, choices.module(event_models, reading.event_model))
        self.alpha = reading.alpha
        self.vocabulary = vocabulary
        self.totals = totals
        self.look_up = look_up
        self.log_priors = log_priors
        self.linear = self.event_model.linear(totals, reading.alpha)
        self.column = 1 if self.event_model.STATISTIC == "occurrences" else 2
        impossible = [IMPOSSIBLE if bias == IMPOSSIBLE else 0.0 for bias in self.bias]
        self.impossible = impossible if any(impossible) else None
        self.start = packed([0.0 if bias == IMPOSSIBLE else bias for bias in [*self.bias, 0.0]])
        self.terms = Terms(len(log_priors), self.column, self.linear.weight, of_whole=self.linear.of_whole)
        self.remembered: dict[tuple[str, int], int] = {}  # token, occurrences -> its terms; 0 if not vocabulary

    @property
    def bias(self) -> list[float]:
        """What each class scores before any token: log prior and the event model's own."""
        return [prior + own for prior, own in zip(self.log_priors, self.linear.bias, strict=True)]

    def value(self, occurrences: int) -> int:
        """How often a token counts that stands so often in the document."""
        return occurrences if self.event_model.REPEATS else 1

    def scores(self, bag: Bag) -> Scores:
        """The scores of a document; unknown tokens are skipped."""
        remembered = list(map(self.remembered.get, bag.items()))
        new = [entry for entry, terms in zip(bag.items(), remembered, strict=True) if terms is None]
        sums = sum(filter(None, remembered), self.start + self._remember(new))
        *values, length = unpacked(sums, len(self.log_priors) + 1)
        if self.impossible:
            values = list(map(add, values, self.impossible))
        return Scores(values, int(length))

    def weighted(self, bag: Bag) -> list[Weighted]:
        """The vocabulary tokens of a document; bias and value * weight of each add up to its score exactly."""
        rows = self.look_up(bag)
        classes = len(self.log_priors)
        return [
            Weighted(token, self.value(bag[token]), row, self.linear.weights(dense(row, self.column, classes)))
            for token, row in rows.items()
            if self.vocabulary.admits(token, row)
        ]

    def _remember(self, new: Sequence[tuple[str, int]]) -> int:
        """The sum of what tokens add that are met for the first time as often as this."""
        if len(self.remembered) > REMEMBERED:
            self.remembered.clear()
            self.terms.forget()
        rows = self.look_up(token for token, _ in new)
        sums = 0
        for token, occurrences in new:
            row = rows.get(token, [])
            terms = self.terms.of(row, self.value(occurrences)) if self.vocabulary.admits(token, row) else 0
            self.remembered[token, occurrences] = terms
            sums += terms
        return sums


def packed(values: Sequence[float]) -> int:
    """Numbers as one integer, each in a lane of its own, so that many lists of numbers are added by adding integers.

    The sums are exact, as those of `math.fsum`, at a sixth of its time for twenty classes.
    """
    lanes = 0
    for value in values:
        lanes = (lanes << 8 * LANE_BYTES) + fixed(value)
    return lanes


def fixed(value: float) -> int:
    """The number as the integer that stands for it in a lane.

    >>> fixed(-1.0) == -(1 << FRACTION_BITS)
    True
    """
    return int(ldexp(value, FRACTION_BITS))


def unpacked(lanes: int, count: int) -> list[float]:
    """The numbers in so many lanes, correctly rounded.

    >>> unpacked(packed([0.5, -3.0]) + packed([0.25, 1.0]), 2)
    [0.75, -2.0]
    """
    half = 1 << 8 * LANE_BYTES - 1
    data = (lanes + _halves(count)).to_bytes(count * LANE_BYTES)
    starts = range(0, len(data), LANE_BYTES)
    return [ldexp(int.from_bytes(data[at : at + LANE_BYTES]) - half, -FRACTION_BITS) for at in starts]


@cache
def _halves(count: int) -> int:
    """Half a lane's range in every lane, which leaves none of them negative."""
    return sum(1 << 8 * LANE_BYTES * (lane + 1) - 1 for lane in range(count))


class Counted(NamedTuple):
    """A token of learned documents: its row, occurrences and documents in the whole corpus."""

    row: Row
    occurrences: int
    documents: int


class Rest(NamedTuple):
    """What is left of the counts without a document, as far as its scores depend on it.

    number  the document's class
    totals  what the vocabulary adds up to
    kept    the document's tokens that stay vocabulary, with their occurrences in it
    """

    number: int
    totals: Totals
    kept: list[tuple[str, int]]


class LeaveOneOut:
    """Scores learned documents as a model trained without them would, exactly: their own counts are subtracted.

    Tokens that only the document contains leave the vocabulary, as do those that fall below a filter's threshold, and
    the most frequent tokens are found anew. So the scores of a whole corpus cost one pass and no retraining.

    scorer      scores under the reading with all documents counted
    reading     the scorer's
    log_priors  from the documents of each class to their log priors
    ranking     (-occurrences, token) of all tokens but stopwords, sorted; only needed with `drop_top`
    """

    def __init__(
        self,
        scorer: Scorer,
        reading: Reading,
        log_priors: Callable[[Sequence[int]], list[float]],
        ranking: Sequence[tuple[int, str]] = (),
    ) -> None:
        self.scorer = scorer
        self.reading = reading
        self.log_priors = log_priors
        self.ranking = ranking
        self.occurrences = {token: -negative for negative, token in ranking}
        self.counted: dict[str, Counted] = {}
        self.alone: set[str] = set()  # those of these tokens that only one document has
        linear = scorer.linear
        self.terms = Terms(len(linear.bias), scorer.column, linear.own, of_whole=linear.of_whole)
        self.remembered = Memo(self._terms)
        # For documents of one class, so these are best scored class by class
        self.corrections = Memo(self._correction)
        self.differences = Memo(self._difference)
        self.index = -1  # which class
        self.own = linear.own  # what it is without a document of the class

    def scores(self, bag: Bag, index: int) -> Scores:
        """The scores of a document that was learned as class `index`; `IMPOSSIBLE` for a class left without any."""
        return self.scores_of(self.rest(bag, index))

    def under(self, reading: Reading) -> "LeaveOneOut":
        """The same under another reading of the same statistic and filters: what `rest` gives serves for both."""
        scorer = self.scorer
        other = Scorer(reading, scorer.vocabulary, scorer.totals, scorer.log_priors, scorer.look_up)
        twin = LeaveOneOut(other, reading, self.log_priors, self.ranking)
        twin.counted, twin.alone = self.counted, self.alone
        return twin

    def rest(self, bag: Bag, index: int) -> Rest:
        """What a document that was learned as class `index` is scored by: all counts but its own."""
        totals = self.scorer.totals.copy(spread=self.scorer.column == 2)
        totals.documents[index] -= 1
        before, after = self.scorer.vocabulary, self._vocabulary(bag)
        for token in after.dropped - before.dropped - bag.keys():
            if before.admits(token, row := self._counted([token])[0].row):
                totals.leave(row)
        if before.is_everything:  # the usual case, told apart for speed alone
            kept = self._kept_of_everything(bag, index, totals)
        else:
            kept = self._kept(bag, index, totals, before, after)
        return Rest(index, totals, kept)

    def _kept_of_everything(self, bag: Bag, index: int, totals: Totals) -> list[tuple[str, int]]:
        """As `_kept`, where every token is vocabulary that occurs outside the document."""
        everywhere = self._counted(bag)
        if totals.spread is None:
            totals.positions[index] -= sum(bag.values())
            totals.presences[index] -= len(bag)
        else:
            for n, counted in zip(bag.values(), everywhere, strict=True):
                totals.shift(index, n, presences(counted.row, index))
        alone = self.alone
        kept = [entry for entry in bag.items() if entry[0] not in alone]
        totals.vocabulary -= len(bag) - len(kept)
        return kept

    def _kept(
        self, bag: Bag, index: int, totals: Totals, before: Vocabulary, after: Vocabulary
    ) -> list[tuple[str, int]]:
        """The document's tokens that stay vocabulary, with their occurrences; the totals are brought up to date."""
        kept = []
        for (token, n), counted in zip(bag.items(), self._counted(bag), strict=True):
            was = before.keeps(token, counted.occurrences, counted.documents)
            stays = counted.documents > 1 and after.keeps(token, counted.occurrences - n, counted.documents - 1)
            if was and stays:
                totals.shift(index, n, presences(counted.row, index))
            elif was:
                totals.leave(counted.row)
            elif stays:
                totals.enter(shifted(counted.row, index, -n, -1))
            if stays:
                kept.append((token, n))
        return kept

    def scores_of(self, rest: Rest) -> Scores:
        """The scores that the rest of the counts gives."""
        index, totals, kept = rest
        linear = self.scorer.event_model.linear(totals, self.scorer.alpha)
        if index != self.index or len(self.corrections) > REMEMBERED:
            self.corrections.clear()
            self.differences.clear()
            self.index, self.own = index, linear.own
        if len(self.remembered) > REMEMBERED:
            self.remembered.clear()
            self.terms.forget()
        corrections = sum(map(self.corrections.__getitem__, kept))
        sums = sum(map(self.remembered.__getitem__, kept), self.terms.lane(corrections, index))
        *own, last = unpacked(sums, len(totals.documents) + 1)
        length = int(last)
        columns = [self.log_priors(totals.documents), linear.bias, own]
        if linear.each:
            columns.append([length * weight for weight in linear.each])
        return Scores(list(map(fsum, zip(*columns, strict=True))), length)

    def _terms(self, entry: tuple[str, int]) -> int:
        """What a token adds to the scores of a document that has it so often, `Linear.each` left out.

        Right but for the class of the document, whose count of the token is still that with the document.
        """
        token, n = entry
        less = self._less(n)
        if n > 1 and (less == 1 or not self.terms.of_whole):
            return self.scorer.value(n) * self.remembered[token, 1]
        return self.scorer.value(n) * self.terms.of(self.counted[token].row, 1, less)

    def _correction(self, entry: tuple[str, int]) -> int:
        """What puts these terms right in the class of the document."""
        token, n = entry
        row, occurrences, documents = self.counted[token]
        less = self._less(n)
        count = row[3 * row[::3].index(self.index) + self.scorer.column]
        whole = (occurrences if self.scorer.column == 1 else documents) if self.terms.of_whole else less
        return self.scorer.value(n) * self.differences[count, whole - less, less]

    def _difference(self, key: tuple[int, int, int]) -> int:
        count, whole, less = key
        return fixed(self.own(count - less, whole, self.index)) - fixed(self.terms.weight(count, whole, self.index))

    def _less(self, occurrences: int) -> int:
        """How much of a token's statistic a document is that has it so often."""
        return occurrences if self.scorer.column == 1 else 1

    def _vocabulary(self, bag: Bag) -> Vocabulary:
        """The vocabulary without the document; by name only the most frequent tokens can differ."""
        drop_top = self.reading.drop_top
        if not drop_top:
            return self.scorer.vocabulary
        others = islice((entry for entry in self.ranking if entry[1] not in bag), drop_top)
        own = [(n - self.occurrences[token], token) for token, n in bag.items() if token in self.occurrences]
        return Vocabulary(self.reading, [token for _, token in nsmallest(drop_top, [*others, *own])])

    def _counted(self, tokens: Collection[str]) -> list[Counted]:
        try:
            return list(map(self.counted.__getitem__, tokens))
        except KeyError:
            new = [token for token in tokens if token not in self.counted]
        for token, row in self.scorer.look_up(new).items():
            self.counted[token] = counted = Counted(row, sum(row[1::3]), sum(row[2::3]))
            if counted.documents == 1:
                self.alone.add(token)
        return list(map(self.counted.__getitem__, tokens))


def posteriors(values: Sequence[float], temperature: float = 1.0) -> list[float]:
    """The probability of each class: the softmax of score / temperature, by log-sum-exp.

    temperature  > 0; 1 gives Bayes' rule on log joint scores

    >>> [round(p, 6) for p in posteriors([-1000.0, -1000.0, float("-inf")])]
    [0.5, 0.5, 0.0]
    """
    highest = max(values)
    odds = [exp((value - highest) / temperature) for value in values]
    whole = fsum(odds)
    return [odd / whole for odd in odds]


def temperature(t: float, length: int) -> float:
    """T(L) = t sqrt(L + 1): the longer a document, the more its tokens repeat one another's evidence.

    >>> temperature(0.5, length=8)
    1.5
    """
    return t * sqrt(length + 1)
