"""The totals of a new model, added up chunk by chunk, so that not all counts need be in memory."""

from collections.abc import Collection, Sequence

import numpy as np

from ..counting.counts import Counts
from ..counting.documents import Integers
from ..inference.attributes import AttributeTokens
from ..inference.estimator import Estimator
from ..inference.filtering import Filtered, Mask
from ..inference.vocabulary import Totals
from ..settings import Hyperparameters
from .arrays import attribute_places


class Summary:
    """The totals of all tokens, and the rows of the few tokens that are needed again.

    These are the wanted ones, the tokens of attributes, and the `drop_top` most frequent of the others: without a
    document of wanted tokens, the others may be the most frequent.

    documents  their number in each class
    wanted     tokens whose rows are kept
    all_rows   whether all rows are kept
    """

    def __init__(
        self,
        documents: Integers,
        hyperparameters: Hyperparameters,
        wanted: Collection[str] = (),
        *,
        all_rows: bool = False,
    ) -> None:
        self.documents = documents
        self.hyperparameters = hyperparameters
        self.wanted = wanted
        self.all_rows = all_rows
        self.positions = np.zeros(len(documents), np.int64)  # of each class, tokens with repeats
        self.tokens: list[str] = []  # those whose rows are kept
        self._totals = Totals(documents.tolist())  # as if no token were dropped
        self._stages: dict[str, int] = {}
        self._parts: list[Counts] = []
        self._highest = np.empty(0, np.int64)  # occurrences of the most frequent tokens so far

    def add(self, tokens: Sequence[str], counts: Counts) -> None:
        """Add a chunk of all tokens, and their counts."""
        np.add.at(self.positions, counts.classes, counts.occurrences)
        places = attribute_places(tokens)
        outside = [*places, *self._places(tokens, self.hyperparameters.stopwords)]
        undropped = self.hyperparameters._replace(drop_top=0)
        filtered = Filtered(counts._replace(documents=self.documents), undropped, np.array(outside, np.int64))
        self._totals.join(filtered.totals)
        self._stages = {name: left + self._stages.get(name, 0) for name, left in filtered.stages.items()}
        kept = np.full(len(tokens), self.all_rows)
        kept[[*places, *self._places(tokens, self.wanted)]] = True
        kept[self._most_frequent(filtered, kept)] = True
        chosen = np.flatnonzero(kept)
        self.tokens += [tokens[place] for place in chosen.tolist()]
        self._parts.append(counts.some(chosen))

    def _places(self, tokens: Sequence[str], among: Collection[str]) -> list[int]:
        return [place for place, token in enumerate(tokens) if token in among] if among else []

    def _most_frequent(self, filtered: Filtered, others: Mask) -> Integers:
        """Tokens that may be among the `drop_top` most frequent without the others, including equally frequent ones."""
        if not self.hyperparameters.drop_top:
            return np.empty(0, np.int64)
        ranking = filtered.ranking[~others[filtered.ranking]][: self.hyperparameters.drop_top]
        occurrences = filtered.occurrences[ranking]
        full = len(self._highest) == self.hyperparameters.drop_top
        new = occurrences > self._highest[0] if full else np.ones(len(ranking), np.bool_)
        self._highest = np.sort([*self._highest, *occurrences[new]])[-self.hyperparameters.drop_top :]
        return np.asarray(ranking[new])

    def numbers(self) -> dict[str, int]:
        """The position of each token among those whose rows are kept."""
        return {token: place for place, token in enumerate(self.tokens)}

    def estimator(self, labels: Sequence[str]) -> Estimator:
        """The kept rows, with the totals of all tokens."""
        attributes = attribute_places(self.tokens)
        estimator = Estimator(
            Counts.joined(self.documents, self._parts),
            labels,
            self.hyperparameters,
            np.array(self._places(self.tokens, self.hyperparameters.stopwords), np.int64),
            attribute_tokens=AttributeTokens(np.array(attributes, np.int64), [self.tokens[n] for n in attributes]),
        )
        filtered = estimator.filtered
        dropped = filtered.dropped
        sufficient = dropped[filtered.suffice(filtered.occurrences[dropped], filtered.frequency[dropped])]
        for row in estimator.counts.rows(sufficient.tolist()):
            self._totals.add(row, -1)
        filtered.totals = self._totals
        filtered.stages = self._stages
        return estimator
