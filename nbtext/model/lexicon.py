"""What a model knows of tokens: their counts in each class, and the keywords of each class."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from ..counting.rows import Row, dense
from ..readers import Document
from .model import Model

if TYPE_CHECKING:
    from ..inference.keywords import Keyword


class Entry(NamedTuple):
    """What is known of a token; the mappings have a key for each class with documents.

    token          as the tokenizer makes it
    vocabulary     whether the default hyperparameters keep it
    occurrences    label -> its occurrences in the class
    documents      label -> documents of the class that contain it
    probabilities  label -> P(w | v), as `inference.keywords` has it; empty if it is not vocabulary
    fractions      label -> the same as a fraction of counts, as in (3 + 1)/(7 + 6)
    """

    token: str
    vocabulary: bool
    occurrences: dict[str, int]
    documents: dict[str, int]
    probabilities: dict[str, float]
    fractions: dict[str, str]


class Lexicon:
    """The tokens of a model under its default hyperparameters.

    >>> from nbtext import train_documents
    >>> lexicon = Lexicon(train_documents({"ham": ["lunch at noon"], "spam": ["win win at"]}))
    >>> lexicon.entry("win").occurrences
    {'ham': 0, 'spam': 2}
    >>> {label: tokens[0].token for label, tokens in lexicon.keywords(1).items()}
    {'ham': 'lunch', 'spam': 'win'}

    Raises: ModelError if the filters leave no vocabulary.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        with model.unchanging() as self.reading:
            self.scorer = model.scorer()

    @contextmanager
    def _current(self) -> Iterator[None]:
        """Context manager: all that is read inside is from one moment, the latest."""
        with self.model.unchanging() as reading:
            if reading != self.reading:
                self.reading, self.scorer = reading, self.model.scorer()
            yield

    def cut(self, word: str) -> list[str]:
        """The tokens of a word: itself if the model knows it as it is (`subject:offer`), else what it is cut to."""
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
        linear, labels = self.scorer.linear, self.model.labels
        counts = {statistic: dense(row, statistic, len(labels)) for statistic in linear.totals.sizes}
        statistic = linear.event_model.STATISTIC
        admitted = self.scorer.vocabulary.admits(token, row)
        alpha = linear.hyperparameters.alpha
        smoothing = alpha * linear.totals.vocabulary
        living = [j for j, count in enumerate(self.model.documents) if count]
        sizes = linear.totals.sizes[statistic]
        return Entry(
            token,
            admitted,
            {labels[j]: counts["occurrences"][j] for j in living},
            {labels[j]: counts["frequency"][j] for j in living},
            {labels[j]: (counts[statistic][j] + alpha) / (sizes[j] + smoothing) for j in living if admitted},
            {
                labels[j]: f"({counts[statistic][j]} + {alpha:g})/({sizes[j]} + {smoothing:g})"
                for j in living
                if admitted
            },
        )

    def keywords(self, top: int) -> "dict[str, list[Keyword]]":
        """The `top` keywords by label, the most telling first."""
        from ..inference.keywords import keywords

        with self._current():
            model = self.model
            found = keywords(model.estimator(), model.loaded().tokens, top)
            return {label: each for label, each, n in zip(model.labels, found, model.documents, strict=True) if n}
