"""What the score of a learned document would be had it not been learned: exact leave-one-out, without retraining."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from heapq import nsmallest
from itertools import islice
from operator import add, mul, sub
from typing import NamedTuple

from .counts import Bag, Row, of_class, shifted
from .event_models import Own
from .lanes import Memo, fixed
from .reading import Reading, Totals, Vocabulary
from .scoring import Scorer, Scores, summed

RACERS = 4  # leave-one-outs under other readings that have room for their terms at a time


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
    counts  the statistic of each of them in the class, the document included
    """

    number: int
    totals: Totals
    kept: Bag
    counts: list[int]


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
        self.share = 1  # of the memory for terms, how many there are to share it
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
        twin.share = RACERS
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
        return Rest(index, totals, kept, list(map(self.here.__getitem__, kept)))

    def _kept_of_everything(self, bag: Bag, index: int, totals: Totals) -> Bag:
        """As `_kept`, where every token is vocabulary that occurs outside the document."""
        self.meet(bag.keys())
        if totals.spread is None:
            totals.positions[index] -= sum(bag.values())
            totals.presences[index] -= len(bag)
        else:
            for token, n in bag.items():
                totals.shift(index, n, of_class(self.counted[token].row, 2, index))
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
                totals.shift(index, n, of_class(row, 2, index))
            elif was:
                totals.leave(row)
            elif stays:
                totals.enter(shifted(row, index, -n, -1))
            if stays:
                kept[token] = n
        return kept

    def scores_of(self, rest: Rest) -> Scores:
        """The scores that the rest of the counts gives."""
        index, totals, kept, counts = rest
        less = list(kept.values()) if self.scorer.column == 1 else [1] * len(kept)
        linear = self.scorer.event_model.linear(totals, self.scorer.alpha)
        if index != self.index:
            self.index, self.priors = index, self.log_priors(totals.documents)
            self.was, self.now = (Memo(partial(_fixed_own, own, index)) for own in (self.terms.own, linear.own))
        if len(self.remembered) > self.terms.most(self.share):
            self.remembered.clear()
        if linear.outside:
            now = list(map(sub, map(self._whole, kept), counts))
            was = [max(n - own, 0) for n, own in zip(now, less, strict=True)]
        else:
            now, was = list(map(sub, counts, less)), counts
        changes = map(sub, map(self.now.__getitem__, now), map(self.was.__getitem__, was))
        if self.scorer.event_model.REPEATS:
            changes = map(mul, changes, kept.values())
        terms = sum(map(self.remembered.__getitem__, kept.items()), self.terms.shifted(sum(changes), index))
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
        return of_class(self.counted[token].row, self.scorer.column, self.here_of)

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
