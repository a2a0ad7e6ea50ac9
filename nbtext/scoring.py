"""Scores of a document under one reading, and what its score would be had it not been learned.

    L      known positions of the document: the sum of value(n) over its vocabulary tokens
    t      the fitted part of the temperature
    T(L)   temperature: t * sqrt(L + 1)

The terms of tokens are added exactly, so their order changes no bit of the scores. Labels, the answer and printing are
left to `decision`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, partial
from heapq import nsmallest
from itertools import islice, repeat
from math import exp, fsum, ldexp, sqrt
from operator import add, mul, sub
from typing import NamedTuple, TypeVar, cast

from . import choices, event_models
from .counts import Bag, Row, dense, presences, shifted
from .event_models import EventModel, Linear, Own
from .reading import Reading, Totals, Vocabulary

REMEMBERED = 200_000  # terms kept for what was met before; then they are forgotten and looked up again
LANE_BYTES = 21  # of a number in `packed`: 56 bits before the point, the sign included, and
FRACTION_BITS = 112  # behind it, more than the logarithm of any float has, and so differences of logarithms


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


def event_model(reading: Reading) -> EventModel:
    """The event model of the reading.

    Raises: ChoiceError if there is none of its name.
    """
    return cast(EventModel, choices.module(event_models, reading.event_model))


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

    linear   the event model; `Linear.each` is left to be added once for the whole document
    classes  how many
    column   of a row: its statistic
    """

    def __init__(self, linear: Linear, classes: int, column: int) -> None:
        self.own = linear.own
        self.outside = linear.outside
        self.classes = classes
        self.column = column
        self.cells = Memo(self._cell)
        self.lanes = Memo(self._lane)
        self.nowhere = Memo(self._nowhere)

    def of(self, row: Row, less: int = 0) -> int:
        """What a token with this row adds that counts once in a document.

        less  how much less its statistic is to be over all classes, though not in any of them
        """
        classes, counts = row[::3], row[self.column :: 3]
        if not self.outside:
            return sum(map(self.cells.__getitem__, zip(classes, counts, repeat(0), strict=False)), self.nowhere[0])
        whole = sum(counts) - less
        if 2 * len(counts) < self.classes:
            cells = zip(classes, counts, repeat(whole), strict=False)
            return sum(map(self.cells.__getitem__, cells), self.nowhere[whole])
        others = [max(whole - count, 0) for count in dense(row, self.column, self.classes)]
        return sum(map(self.lanes.__getitem__, enumerate(others)), fixed(1.0))

    def lane(self, terms: int, index: int) -> int:
        """The terms, of one class, in its lane."""
        return terms << 8 * LANE_BYTES * (self.classes - index)

    def forget(self) -> None:
        """Let go of all that was remembered."""
        self.cells.clear()
        self.lanes.clear()
        self.nowhere.clear()

    def _cell(self, key: tuple[int, int, int]) -> int:
        """What a class that has a token makes of the terms, from the class, its count and that of all to be read."""
        index, count, whole = key
        right = max(whole - count, 0) if self.outside else count
        return self.lanes[index, right] - self.lanes[index, whole]

    def _lane(self, key: tuple[int, int]) -> int:
        """What a token adds in the lane of one class, from the class and the token's statistic."""
        index, statistic = key
        return self.lane(fixed(self.own(statistic, index)), index)

    def _nowhere(self, statistic: int) -> int:
        """The terms of a token that has the same statistic for all classes."""
        return packed([*(self.own(statistic, index) for index in range(self.classes)), 1.0])


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
        self.event_model = event_model(reading)
        self.alpha = reading.alpha
        self.vocabulary = vocabulary
        self.totals = totals
        self.look_up = look_up
        self.log_priors = log_priors
        self.linear = self.event_model.linear(totals, reading.alpha)
        self.column = 1 if self.event_model.STATISTIC == "occurrences" else 2
        self.bias = list(map(add, log_priors, self.linear.bias))  # what each class scores before any token
        self.terms = Terms(self.linear, len(log_priors), self.column)
        self.remembered: dict[tuple[str, int], int] = {}  # token, occurrences -> its terms; 0 if not vocabulary

    def value(self, occurrences: int) -> int:
        """How often a token counts that stands so often in the document."""
        return occurrences if self.event_model.REPEATS else 1

    def scores(self, bag: Bag) -> Scores:
        """The scores of a document; unknown tokens are skipped."""
        remembered = list(map(self.remembered.get, bag.items()))
        new = [entry for entry, terms in zip(bag.items(), remembered, strict=True) if terms is None]
        return summed(sum(filter(None, remembered), self._remember(new)), self.linear, self.bias)

    def weighted(self, bag: Bag) -> list[Weighted]:
        """The vocabulary tokens of a document; bias and value * weight of each add up to its score but for rounding."""
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
            terms = self.value(occurrences) * self.terms.of(row) if self.vocabulary.admits(token, row) else 0
            self.remembered[token, occurrences] = terms
            sums += terms
        return sums


def summed(terms: int, linear: Linear, bias: Sequence[float]) -> Scores:
    """The scores that the terms of all tokens of a document make.

    bias  per class: log prior and the event model's own; `IMPOSSIBLE` stays that
    """
    *own, last = unpacked(terms, len(bias) + 1)
    length = int(last)
    columns = [bias, own, [length * weight for weight in linear.each]] if linear.each else [bias, own]
    return Scores(list(map(fsum, zip(*columns, strict=True))), length)


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
    less    by how much the document is in the statistic of each of them
    counts  the statistic of each in the class, the document included
    wholes  the same over all classes
    """

    number: int
    totals: Totals
    kept: Bag
    less: list[int]
    counts: list[int]
    wholes: list[int]


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
        self.terms = scorer.terms
        self.remembered = Memo(self._terms)
        # What holds for documents of one class only, so these are best scored class by class
        self.here_of = -1  # the class
        self.here = Memo(self._count)
        self.index = -1  # the class
        self.priors = scorer.log_priors
        self.was = self.now = Memo(partial(_fixed_own, self.terms.own, 0))

    def scores(self, bag: Bag, index: int) -> Scores:
        """The scores of a document that was learned as class `index`; `IMPOSSIBLE` for a class left without any."""
        return self.scores_of(self.rest(bag, index))

    def under(self, reading: Reading) -> "LeaveOneOut":
        """The same under another reading of the same filters; `rest` serves for all that read the same statistic."""
        scorer = self.scorer
        other = Scorer(reading, scorer.vocabulary, scorer.totals, scorer.log_priors, scorer.look_up)
        twin = LeaveOneOut(other, reading, self.log_priors, self.ranking)
        twin.counted, twin.alone = self.counted, self.alone
        return twin

    def rest(self, bag: Bag, index: int) -> Rest:
        """All counts but those of a document that was learned as class `index`."""
        totals = self.scorer.totals.copy(spread=self.scorer.event_model.SPREAD)
        totals.documents[index] -= 1
        before, after = self.scorer.vocabulary, self._vocabulary(bag)
        for token in after.dropped - before.dropped - bag.keys():
            self.meet({token})
            if before.admits(token, row := self.counted[token].row):
                totals.leave(row)
        if before.is_everything:  # the usual case, told apart for speed alone
            kept = self._kept_of_everything(bag, index, totals)
        else:
            kept = self._kept(bag, index, totals, before, after)
        if index != self.here_of:
            self.here_of = index
            self.here.clear()
        less = list(kept.values()) if self.scorer.column == 1 else [1] * len(kept)
        return Rest(index, totals, kept, less, list(map(self.here.__getitem__, kept)), list(map(self._whole, kept)))

    def _kept_of_everything(self, bag: Bag, index: int, totals: Totals) -> Bag:
        """As `_kept`, where every token is vocabulary that occurs outside the document."""
        self.meet(bag.keys())
        if totals.spread is None:
            totals.positions[index] -= sum(bag.values())
            totals.presences[index] -= len(bag)
        else:
            for token, n in bag.items():
                totals.shift(index, n, presences(self.counted[token].row, index))
        alone = self.alone & bag.keys()
        totals.vocabulary -= len(alone)
        return {token: n for token, n in bag.items() if token not in alone} if alone else bag

    def _kept(self, bag: Bag, index: int, totals: Totals, before: Vocabulary, after: Vocabulary) -> Bag:
        """The document's tokens that stay vocabulary, with their occurrences; the totals are brought up to date."""
        self.meet(bag.keys())
        kept = {}
        for token, n in bag.items():
            row, occurrences, documents = self.counted[token]
            was = before.keeps(token, occurrences, documents)
            stays = documents > 1 and after.keeps(token, occurrences - n, documents - 1)
            if was and stays:
                totals.shift(index, n, presences(row, index))
            elif was:
                totals.leave(row)
            elif stays:
                totals.enter(shifted(row, index, -n, -1))
            if stays:
                kept[token] = n
        return kept

    def scores_of(self, rest: Rest) -> Scores:
        """The scores that the rest of the counts gives."""
        index, totals, kept, less, counts, wholes = rest
        linear = self.scorer.event_model.linear(totals, self.scorer.alpha)
        if index != self.index:
            self.index, self.priors = index, self.log_priors(totals.documents)
            self.was, self.now = (Memo(partial(_fixed_own, own, index)) for own in (self.terms.own, linear.own))
        if len(self.remembered) > REMEMBERED:
            self.remembered.clear()
            self.terms.forget()
        if linear.outside:
            now = list(map(sub, wholes, counts))
            was = [max(n - own, 0) for n, own in zip(now, less, strict=True)]
        else:
            now, was = list(map(sub, counts, less)), counts
        changes = map(sub, map(self.now.__getitem__, now), map(self.was.__getitem__, was))
        if self.scorer.event_model.REPEATS:
            changes = map(mul, changes, kept.values())
        terms = sum(map(self.remembered.__getitem__, kept.items()), self.terms.lane(sum(changes), index))
        return summed(terms, linear, list(map(add, self.priors, linear.bias)))

    def _terms(self, entry: tuple[str, int]) -> int:
        """What a token adds to the scores of a document that has it so often.

        Right but for the class of the document, whose count of the token is still that with the document.
        """
        token, n = entry
        less = n if self.scorer.column == 1 else 1
        if n > 1 and (less == 1 or not self.terms.outside):
            return self.scorer.value(n) * self.remembered[token, 1]
        return self.scorer.value(n) * self.terms.of(self.counted[token].row, less)

    def _count(self, token: str) -> int:
        """The token's statistic in the class of the document."""
        row = self.counted[token].row
        return row[3 * row[::3].index(self.here_of) + self.scorer.column]

    def _whole(self, token: str) -> int:
        """The token's statistic over all classes."""
        counted = self.counted[token]
        return counted.occurrences if self.scorer.column == 1 else counted.documents

    def _vocabulary(self, bag: Bag) -> Vocabulary:
        """The vocabulary without the document; by name only the most frequent tokens can differ."""
        drop_top = self.reading.drop_top
        if not drop_top:
            return self.scorer.vocabulary
        others = islice((entry for entry in self.ranking if entry[1] not in bag), drop_top)
        own = [(n - self.occurrences[token], token) for token, n in bag.items() if token in self.occurrences]
        return Vocabulary(self.reading, [token for _, token in nsmallest(drop_top, [*others, *own])])

    def meet(self, tokens: AbstractSet[str]) -> None:
        """See to it that these tokens of learned documents are counted."""
        if tokens <= self.counted.keys():
            return
        for token, row in self.scorer.look_up([token for token in tokens if token not in self.counted]).items():
            self.counted[token] = counted = Counted(row, sum(row[1::3]), sum(row[2::3]))
            if counted.documents == 1:
                self.alone.add(token)


def _fixed_own(own: Own, index: int, statistic: int) -> int:
    return fixed(own(statistic, index))


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
