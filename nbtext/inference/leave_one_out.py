"""What the score of a learned document would be had it not been learned: exact leave-one-out, without retraining."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, partial
from heapq import nsmallest
from itertools import chain, islice
from math import fsum
from operator import add, mul, sub
from typing import NamedTuple

from ..counting.counts import COLUMNS, PRESENCES, Bag, Row, dense, is_of_one_document, of_class, shifted
from ..event_models import EventModel
from .memo import Memo
from .reading import Totals, Vocabulary, log_priors
from .scoring import Scorer, Scores, summed

REMEMBERED_BYTES = 50_000_000  # of one statistic of tokens
LIST_BYTES = 150  # of one beside its elements, the token included


class Counted(NamedTuple):
    """How often a token stands in the whole corpus, and in how many documents."""

    occurrences: int
    documents: int


class Rest:
    """What is left of the counts without a document, as far as its scores depend on it.

    totals      what the vocabulary adds up to
    log_priors  per class
    values      occurrences in the document of its tokens that stay vocabulary, fewest first
    columns     of each class, the statistic of each of these tokens
    """

    def __init__(
        self, totals: Totals, log_priors: Sequence[float], values: list[int], columns: list[Sequence[int]]
    ) -> None:
        self.totals = totals
        self.log_priors = log_priors
        self.values = values
        self.columns = columns

    @cached_property
    def outside(self) -> list[Sequence[int]]:
        """Of each class, the statistic of each token in all the others; complement models share it for every alpha."""
        wholes = list(map(sum, zip(*self.columns, strict=True)))
        return [list(map(sub, wholes, column)) for column in self.columns]

    def scores(self, event_model: EventModel, alpha: float) -> Scores:
        """The scores under an event model that reads this statistic."""
        linear = event_model.linear(self.totals, alpha)
        columns = self.outside if linear.outside else self.columns
        if event_model.REPEATS:
            once = bisect_right(self.values, 1)  # so many need not be multiplied, which would take half the time
            repeats, length = self.values[once:], sum(self.values)
            own = [
                fsum(chain(map(weight, column[:once]), map(mul, map(weight, column[once:]), repeats)))
                for weight, column in zip(linear.own, columns, strict=True)
            ]
        else:
            own, length = list(map(fsum, map(map, linear.own, columns))), len(self.values)
        return summed(own, length, linear, list(map(add, self.log_priors, linear.bias)))


class LeaveOneOut:
    """Scores learned documents as a model trained without them would, exactly: their own counts are subtracted.

    Tokens that only the document contains leave the vocabulary, as do those that fall below a filter's threshold, and
    the most frequent tokens are found anew. So the scores of a whole corpus cost one pass and no retraining.

    scorer   scores under the reading with all documents counted; tokens of learned documents that it does not look up
             are each of one document alone
    labels   the classes, by number
    ranking  (-occurrences, token) of all tokens but stopwords, sorted; only needed with `drop_top`
    """

    def __init__(
        self,
        scorer: Scorer,
        labels: Sequence[str],
        ranking: Sequence[tuple[int, str]] = (),
    ) -> None:
        self.scorer = scorer
        self.reading = scorer.reading
        self.labels = labels
        self.ranking = ranking
        self.occurrences = {token: -negative for negative, token in ranking}
        self.rows: dict[str, Row] = {}  # of tokens that were met
        self.alone: set[str] = set()  # those of these tokens that only one document has
        classes = len(scorer.bias)
        most = REMEMBERED_BYTES // (8 * classes + LIST_BYTES)
        # Made by functions that do not know this object, which so is gone with its last user, without a sweep
        self.counted = Memo(partial(_counted, self.rows))
        self.statistics = {
            name: Memo(partial(_statistics, self.rows, column, classes), most) for name, column in COLUMNS.items()
        }

    def scores(self, bag: Bag, index: int) -> Scores:
        """The scores of a document that was learned as class `index`; `IMPOSSIBLE` for a class left without any."""
        event_model = self.scorer.event_model
        rest = self.rest(bag, index, event_model.STATISTIC, spread=event_model.SPREAD)
        return rest.scores(event_model, self.reading.alpha)

    def rest(self, bag: Bag, index: int, statistic: str, *, spread: bool) -> Rest:
        """All counts but those of a document that was learned as class `index`.

        statistic  what the event models read of a token
        spread     whether one of them reads that of the totals
        """
        totals = self.scorer.totals.copy(spread=spread)
        totals.documents[index] -= 1
        before, after = self.scorer.vocabulary, self._vocabulary(bag)
        for token in after.dropped - before.dropped - bag.keys():
            self._meet({token})
            if before.admits(token, row := self.rows[token]):
                totals.leave(row)
        if before.is_everything:  # the usual case, told apart for speed alone
            kept = self._kept_of_everything(bag, index, totals)
        else:
            kept = self._kept(bag, index, totals, before, after)
        tokens = sorted(kept, key=kept.__getitem__)
        values = [kept[token] for token in tokens]
        own = values if statistic == "occurrences" else [1] * len(values)  # what the document has of each
        statistics = self.statistics[statistic]
        columns = _transposed(map(statistics.__getitem__, tokens), len(totals.documents))
        columns[index] = list(map(sub, columns[index], own))
        priors = log_priors(self.reading.prior, self.labels, totals.documents)
        return Rest(totals, priors, values, columns)

    def _kept_of_everything(self, bag: Bag, index: int, totals: Totals) -> Bag:
        """As `_kept`, where every token is vocabulary that occurs outside the document."""
        self._meet(bag.keys())
        alone = self.alone & bag.keys()
        totals.vocabulary -= len(alone)
        kept = {token: n for token, n in bag.items() if token not in alone} if alone else bag
        if totals.spread is None:
            presences = [1] * len(bag)  # only how many there are is read
        else:
            of = self.statistics["presences"]
            presences = [1] * len(alone) + [of[token][index] for token in kept]
        totals.shift(index, sum(bag.values()), presences)
        return kept

    def _kept(self, bag: Bag, index: int, totals: Totals, before: Vocabulary, after: Vocabulary) -> Bag:
        """The document's tokens that stay vocabulary, with their occurrences; the totals are brought up to date."""
        self._meet(bag.keys())
        kept = {}
        for token, n in bag.items():
            row = self.rows[token]
            occurrences, documents = self.counted[token]
            was = before.keeps(token, occurrences, documents)
            stays = documents > 1 and after.keeps(token, occurrences - n, documents - 1)
            if was and stays:
                totals.shift(index, n, [of_class(row, PRESENCES, index)])
            elif was:
                totals.leave(row)
            elif stays:
                totals.enter(shifted(row, index, -n, -1))
            if stays:
                kept[token] = n
        return kept

    def _vocabulary(self, bag: Bag) -> Vocabulary:
        """The vocabulary without the document; by name only the most frequent tokens can differ."""
        drop_top = self.reading.drop_top
        if not drop_top:
            return self.scorer.vocabulary
        others = islice((entry for entry in self.ranking if entry[1] not in bag), drop_top)
        own = [(n - self.occurrences[token], token) for token, n in bag.items() if token in self.occurrences]
        return Vocabulary(self.reading, [token for _, token in nsmallest(drop_top, [*others, *own])])

    def _meet(self, tokens: AbstractSet[str]) -> None:
        """Look up those of these tokens of learned documents that were not met before."""
        if tokens <= self.rows.keys():
            return
        new = [token for token in tokens if token not in self.rows]  # a difference of views would go through all rows
        found = self.scorer.look_up(new)
        for token in new:
            self.rows[token] = row = found.get(token, [])
            if not row or is_of_one_document(row):
                self.alone.add(token)


def _counted(rows: Mapping[str, Row], token: str) -> Counted:
    row = rows[token]
    return Counted(sum(row[1::3]), sum(row[2::3]))


def _statistics(rows: Mapping[str, Row], column: int, classes: int, token: str) -> list[int]:
    return dense(rows[token], column, classes)


def _transposed(rows: Iterable[Sequence[int]], classes: int) -> list[Sequence[int]]:
    """The columns, one for each class even where there is no row.

    >>> _transposed([[1, 2, 3], [4, 5, 6]], 3), _transposed([], 3)
    ([(1, 4), (2, 5), (3, 6)], [(), (), ()])
    """
    return list(zip(*rows, strict=True)) or [()] * classes
