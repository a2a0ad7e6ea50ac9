"""CLASSIFY_NAIVE_BAYES_TEXT: from a document to a label and its posterior.

Source: Mitchell, Machine Learning (1997), Table 6.2.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from math import exp, fsum, log
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ..counting.bags import bags
from ..inference.calibration import Calibration
from ..inference.posteriors import Scores, answer, softmax, temperature
from ..inference.priors import IMPOSSIBLE
from ..inference.scorer import Bag
from ..model.model import Model
from ..readers import Document, as_document
from ..settings import Hyperparameters

if TYPE_CHECKING:
    from .explanation import Explanation

Number = TypeVar("Number", int, float)

ANSWER, UNSURE, UNKNOWN, EMPTY = "answer", "unsure", "unknown", "empty"


class Decision(NamedTuple):
    """The answer to a document.

    outcome     "answer"; "unsure" if no class is likely enough; "unknown" if the vocabulary has none of its tokens;
                "empty" if it has no token at all. For the last two, posteriors are the priors
    label       the likeliest class, whatever the outcome
    posteriors  label -> probability, likeliest first; they sum to 1
    scores      label -> score in nats, likeliest first; log joint probability where the event model gives one
    tokens      tokens in the document, repeats included
    known       those in the vocabulary
    tempering   the temperature: scores were divided by it to give the posteriors, > 0
    """

    outcome: str
    label: str
    posteriors: Mapping[str, float]
    scores: Mapping[str, float]
    tokens: int
    known: int
    tempering: float

    @property
    def posterior(self) -> float:
        """The probability of the likeliest class, in (0, 1]."""
        return self.posteriors[self.label]

    def says(self, label: str) -> bool:
        """Whether the answer is this label; no if it is unsure, unknown or empty."""
        return self.outcome == ANSWER and self.label == label

    def log_odds(self, label: str) -> float:
        """log(p / (1 - p)) of the label's posterior p, which differs even between documents whose p rounds to 1 or 0.

        Infinite if there is only one class, and for a label that is not among the answers.
        """
        own = self.scores.get(label, IMPOSSIBLE)
        others = [score for other, score in self.scores.items() if other != label]
        if not others:
            return -IMPOSSIBLE
        highest = max(others)
        rest = fsum(exp((score - highest) / self.tempering) for score in others)
        return (own - highest) / self.tempering - log(rest)


class Classifier:
    """Labels documents by a model.

    hyperparameters  by default the model's own
    raw              whether to give posteriors by Bayes' rule, without calibration
    unsure_below     the least posterior an answer needs, in [0, 1]

    >>> from nbtext import train_documents
    >>> classify = Classifier(train_documents({"a": ["red"], "b": ["blue blue blue blue"]}))
    >>> decision = classify("red")
    >>> decision.label, round(decision.posterior, 6)
    ('a', 0.8)

    Raises: ChoiceError for hyperparameters that do not exist or make no sense; ModelError if they leave no vocabulary.
    """

    def __init__(
        self,
        model: Model,
        hyperparameters: Hyperparameters | None = None,
        *,
        raw: bool = False,
        unsure_below: float = 0.0,
    ) -> None:
        if not isinstance(model, Model):
            raise TypeError(
                f"a classifier needs an nbtext.Model, as Model.open(path) gives, not {type(model).__name__}"
            )
        self.model = model
        self.hyperparameters = hyperparameters or model.hyperparameters
        self.raw = raw
        self.unsure_below = unsure_below
        self.bag = bags(model.analysis)
        with model.unchanging() as self.reading:
            self._prepare()

    def __call__(self, document: Document | str) -> Decision:
        """The decision on a document, or on a text; from any thread.

        Raises: TypeError for anything else.
        """
        bag = self.bag(as_document(document))
        with self.current():
            return self._decision(bag)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Classifier, raw=self.raw, unsure_below=self.unsure_below), (self.model, self.hyperparameters)

    def __repr__(self) -> str:
        return f"<nbtext classifier by {self.hyperparameters.event_model} with {self.model!r}>"

    def explain(self, document: Document | str, against: str | None = None) -> "Explanation":
        """The decision with its reasons, the most decisive tokens first.

        against  the label to compare the answer with; by default, or if it is the answer itself, the runner-up

        Raises: ChoiceError if `against` can never be an answer.
        """
        from .explanation import explanation  # imported here, as few documents are explained

        bag = self.bag(as_document(document))
        with self.current():
            weighted, decision = self.scorer.weighted(bag), self._decision(bag)
        return explanation(decision, weighted, self.scorer, self._by_label, against)

    def _prepare(self) -> None:
        self.scorer = self.model.scorer(self.hyperparameters)
        self.calibration = Calibration(None, 0) if self.raw else self.model.calibration_of(self.hyperparameters)

    @contextmanager
    def current(self) -> Iterator[None]:
        """Context manager: all that is read inside is from one moment, even while others are learning."""
        with self.model.unchanging() as reading:
            if reading != self.reading:
                self.reading = reading
                self._prepare()
            yield

    def _decision(self, bag: Bag) -> Decision:
        scores = self.scorer.scores(bag)
        return decision(scores, self.model.labels, self.calibration.t, sum(bag.values()), self.unsure_below)

    def _by_label(self, values: Sequence[Number]) -> dict[str, Number]:
        return {
            label: value for label, value, n in zip(self.model.labels, values, self.model.documents, strict=True) if n
        }


def decision(
    scores: Scores,
    labels: Sequence[str],
    t: float | None,
    tokens: int,
    unsure_below: float = 0.0,
) -> Decision:
    """The decision that follows from scores.

    labels  per class
    t       the fitted part of the temperature, or None for untempered posteriors
    tokens  tokens in the document, repeats included
    """
    values, known = scores.values, scores.known
    divisor = temperature(scores, t)
    probabilities = softmax(values, divisor)
    best = answer(values, labels, known)
    possible = [j for j, value in enumerate(values) if value > IMPOSSIBLE]
    order = sorted(possible, key=lambda j: (j != best, -values[j], labels[j]))
    return Decision(
        outcome(tokens, known, sure=probabilities[best] >= unsure_below),
        labels[best],
        {labels[j]: probabilities[j] for j in order},
        {labels[j]: values[j] for j in order},
        tokens,
        known,
        divisor,
    )


def outcome(tokens: int, known: int, *, sure: bool) -> str:
    """The outcome for a document.

    tokens  their number, repeats included
    known   the number of those in the vocabulary
    sure    whether the likeliest class is likely enough
    """
    if not known:
        return UNKNOWN if tokens else EMPTY
    return ANSWER if sure else UNSURE
