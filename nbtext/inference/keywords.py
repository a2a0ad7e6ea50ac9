"""What a model knows of tokens: their counts in each class, and which tokens tell a class from all the others.

How telling a token w is of a class v, in nats, is its share in the divergence of the class from the rest:

    P(w | v) log(P(w | v) / P(w | not v))

what w adds, on average, to the evidence for v that a position of v's text gives. So a token must be both frequent in
the class and rarer outside it. Both probabilities are smoothed by the reading's alpha, which lets tokens be compared
that only one class has:

    P(w | v)     = (n_kv + alpha) / (n_v + alpha |Vocabulary|)
    P(w | not v) = the same for the counts of all other classes together

n counts occurrences, or documents containing the token where the reading's event model counts those.

Source: Kullback and Leibler, On Information and Sufficiency (1951); as a ranking of words, "pointwise divergence":
Tomokiyo and Hurst, A Language Model Approach to Keyphrase Extraction (2003), section 5.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from heapq import heappush, heappushpop
from math import exp
from operator import add
from typing import NamedTuple

from ..counting.counts import COLUMNS, OCCURRENCES, Row, dense
from ..event_models import binary, complement, complement_binary, multinomial
from ..model.model import Model
from ..readers import Document
from .scoring import Scorer

Weights = Callable[[list[int]], list[float]]


class Entry(NamedTuple):
    """What is known of a token; the mappings have a key for each class with documents.

    token          as the tokenizer makes it
    vocabulary     whether the default reading uses it
    occurrences    label -> its occurrences in the class
    documents      label -> documents of the class that contain it
    probabilities  label -> P(w | v); empty if it is not vocabulary
    """

    token: str
    vocabulary: bool
    occurrences: dict[str, int]
    documents: dict[str, int]
    probabilities: dict[str, float]


class Telling(NamedTuple):
    """A token that tells its class from the others.

    nats       how telling it is, see above, > 0
    inside     its count in the class
    elsewhere  its count in all other classes
    """

    token: str
    nats: float
    inside: int
    elsewhere: int


class Lexicon:
    """The tokens of a model, read by its default reading.

    >>> from nbtext import train_documents
    >>> lexicon = Lexicon(train_documents({"ham": ["lunch at noon"], "spam": ["win win at"]}))
    >>> lexicon.entry("win").occurrences
    {'ham': 0, 'spam': 2}
    >>> {label: tokens[0].token for label, tokens in lexicon.telling(1).items()}
    {'ham': 'lunch', 'spam': 'win'}

    Raises: ModelError if the reading leaves no vocabulary.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._prepare()

    def _prepare(self) -> None:
        self.scorer = self.model.scorer()
        self.within, _ = _weights(self.scorer)

    @contextmanager
    def _current(self) -> Iterator[None]:
        """A time in which all that is read is from one moment, the latest."""
        with self.model.unchanging() as behind:
            if behind:
                self._prepare()
            yield

    def cut(self, word: str) -> list[str]:
        """The tokens of a word: itself if the model knows it as it stands (`subject:offer`), else what it is cut to."""
        whole = self.model.store.rows([word])
        return list(whole or self.model.analysis.tokens()(Document([("", word)])))

    def entry(self, token: str) -> Entry:
        """What is known of the token."""
        return self.entries([token])[0]

    def entries(self, tokens: Sequence[str]) -> list[Entry]:
        """What is known of each of the tokens, in order, repeats included."""
        with self._current():
            rows = self.model.store.rows(dict.fromkeys(tokens))
            known = {token: self._entry(token, rows.get(token, [])) for token in dict.fromkeys(tokens)}
        return [known[token] for token in tokens]

    def _entry(self, token: str, row: Row) -> Entry:
        labels = self.model.labels
        occurrences, presences = (dense(row, column, len(labels)) for column in COLUMNS.values())
        admitted = self.scorer.vocabulary.admits(token, row)
        logs = self.within(dense(row, self.scorer.column, len(labels))) if admitted else []
        living = [j for j, count in enumerate(self.model.documents) if count]
        return Entry(
            token,
            admitted,
            {labels[j]: occurrences[j] for j in living},
            {labels[j]: presences[j] for j in living},
            {labels[j]: exp(logs[j]) for j in living if logs},
        )

    def telling(self, top: int) -> dict[str, list[Telling]]:
        """The `top` most telling tokens by label, the most telling first; of equal ones the first in sorted order.

        One pass over all tokens; memory for `top` tokens a class.
        """
        with self._current():
            found = most_telling(self.model.store.tokens(), self.scorer, self.model.labels, top)
        return {
            label: found[label] for label, count in zip(self.model.labels, self.model.documents, strict=True) if count
        }


def most_telling(
    rows: Iterable[tuple[str, Row]], scorer: Scorer, labels: Sequence[str], top: int
) -> dict[str, list[Telling]]:
    """The same for any counts: label -> the `top` most telling tokens.

    rows    every token with its row, tokens sorted
    scorer  reads them
    labels  by class number
    """
    inside, outside = _weights(scorer)
    best: list[list[tuple[float, int, Telling]]] = [[] for _ in labels]
    for place, (token, row) in enumerate(rows):
        if not scorer.vocabulary.admits(token, row):
            continue
        counts = dense(row, scorer.column, len(labels))
        whole = sum(counts)
        within = inside(counts)
        ratios = list(map(add, within, outside(counts)))
        for index in row[::3]:
            nats = exp(within[index]) * ratios[index]
            kept = best[index]
            if nats > 0 and (len(kept) < top or nats > kept[0][0]):
                found = nats, -place, Telling(token, nats, counts[index], whole - counts[index])
                if len(kept) < top:
                    heappush(kept, found)
                else:
                    heappushpop(kept, found)
    return {
        label: [found for *_, found in sorted(kept, reverse=True)] for label, kept in zip(labels, best, strict=True)
    }


def _weights(scorer: Scorer) -> tuple[Weights, Weights]:
    """From a token's counts per class to log P(w | v), and to -log P(w | not v)."""
    within, outside = (multinomial, complement) if scorer.column == OCCURRENCES else (binary, complement_binary)
    return within.linear(scorer.totals, scorer.reading.alpha).weights, outside.linear(
        scorer.totals, scorer.reading.alpha
    ).weights
