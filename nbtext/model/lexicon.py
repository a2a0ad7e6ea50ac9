"""The tokens of a model: their counts in each class, and the keywords of each class."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from ..counting.rows import Row, dense
from ..fields import attribute_of, is_attribute
from ..readers import Document
from ..settings import Hyperparameters
from .model import Model

if TYPE_CHECKING:
    from ..inference.keywords import Keyword


class Entry(NamedTuple):
    """The counts and probabilities of a token; the mappings have a key for each class with documents.

    token          as the tokenizer makes it
    vocabulary     whether it is in the vocabulary of the default hyperparameters
    occurrences    label -> its occurrences in the class
    documents      label -> documents of the class that contain it
    probabilities  label -> P(w | v), smoothed; empty if it is neither vocabulary nor the value of a category
    estimates      label -> the same as a fraction of counts
    """

    token: str
    vocabulary: bool
    occurrences: dict[str, int]
    documents: dict[str, int]
    probabilities: dict[str, float]
    estimates: "dict[str, Estimate]"

    def plain(self) -> dict[str, Any]:
        """The entry for programs, without the fractions."""
        plain = self._asdict()
        del plain["estimates"]
        return plain


class Estimate(NamedTuple):
    """A smoothed probability.

    seen    occurrences of the value
    size    occurrences of all values
    values  number of different values

    >>> str(Estimate(3, 7, 6, Hyperparameters())), str(Estimate(3, 7, 6, Hyperparameters(m=2.5)))
    ('(3 + 1)/(7 + 6)', '(3 + 2.5/6)/(7 + 2.5)')
    """

    seen: int
    size: int
    values: int
    hyperparameters: Hyperparameters

    @property
    def probability(self) -> float:
        """The probability, as a number."""
        alpha = self.hyperparameters.pseudo_count(self.values)
        return (self.seen + alpha) / (self.size + alpha * self.values)

    def __str__(self) -> str:
        """The counts behind it, as an exact fraction."""
        alpha, m = self.hyperparameters.alpha, self.hyperparameters.m
        if m is None:
            return f"({self.seen} + {_exact(alpha)})/({self.size} + {_exact(alpha, self.values)})"
        return f"({self.seen} + {_exact(m)}/{self.values})/({self.size} + {_exact(m)})"


def _exact(number: float, times: int = 1) -> str:
    """A number as it was written, or a multiple of it."""
    from decimal import Decimal  # takes 4 % of a start to load

    product = Decimal(str(number)) * times
    return str(int(product)) if product == int(product) else f"{product.normalize():g}"


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
        """Context manager: everything read inside is from the same, latest state of the file."""
        with self.model.unchanging() as reading:
            if reading != self.reading:
                self.reading, self.scorer = reading, self.model.scorer()
            yield

    def cut(self, word: str) -> list[str]:
        """The tokens of a word: the word itself if it is a token of the model (`subject:offer`), else its tokens."""
        whole = self.model.store.rows([word])
        return list(whole or self.model.analysis.tokens()(Document([("", word)])))

    def entry(self, token: str) -> Entry:
        """The entry of the token."""
        return self.entries([token])[0]

    def entries(self, tokens: Sequence[str]) -> list[Entry]:
        """The entry of each of the tokens, in order, repeats included."""
        with self._current():
            rows = self.model.store.rows(dict.fromkeys(tokens))
            known = {token: self._entry(token, rows.get(token, [])) for token in dict.fromkeys(tokens)}
        return [known[token] for token in tokens]

    def _entry(self, token: str, row: Row) -> Entry:
        linear, labels = self.scorer.linear, self.model.labels
        counts = {statistic: dense(row, statistic, len(labels)) for statistic in linear.totals.sizes}
        admitted = self.scorer.vocabulary.admits(token, row)
        living = [j for j, count in enumerate(self.model.documents) if count]
        estimates = self._estimates(token, row, counts) if admitted or is_attribute(token) else []
        found = {labels[j]: estimates[j] for j in living if estimates}
        return Entry(
            token,
            admitted,
            {labels[j]: counts["occurrences"][j] for j in living},
            {labels[j]: counts["frequency"][j] for j in living},
            {label: each.probability for label, each in found.items()},
            found,
        )

    def _estimates(self, token: str, row: Row, counts: Mapping[str, list[int]]) -> "list[Estimate]":
        """P(w | v) of a vocabulary token or a category's value, by class number; empty for a number."""
        linear, hyperparameters = self.scorer.linear, self.model.hyperparameters
        statistic = linear.event_model.STATISTIC
        sizes, values = linear.totals.sizes[statistic], linear.totals.vocabulary
        if is_attribute(token):
            category = self.model.attributes and self.model.attributes.categories.get(attribute_of(token)[0])
            if not (category and row):
                return []
            statistic, sizes, values = "frequency", category.documents, category.values
        elif linear.event_model.VALUES:
            sizes, values = linear.totals.documents, linear.event_model.VALUES
        return [Estimate(n, size, values, hyperparameters) for n, size in zip(counts[statistic], sizes, strict=True)]

    def keywords(self, top: int) -> "dict[str, list[Keyword]]":
        """The `top` keywords of each class by label, the strongest first."""
        from ..inference.keywords import keywords

        with self._current():
            model = self.model
            found = keywords(model.estimator(), model.loaded().tokens, top)
            return {label: each for label, each, n in zip(model.labels, found, model.documents, strict=True) if n}
