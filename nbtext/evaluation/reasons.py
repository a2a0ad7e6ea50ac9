"""Reasons: the keywords of a model of the documents, and the words that caused wrong answers.

A wrong answer is explained by a model that has learned all other documents, exactly as leave-one-out scores it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..inference.keywords import Keyword, keywords
from ..metrics import Prediction
from ..settings import Hyperparameters
from .examples import Example, Examples
from .trial import Trial

SLIGHT = 0.05  # nats; weaker terms do not matter


class Pull(NamedTuple):
    """How much a token of a document supports one class over another, in nats, > 0."""

    token: str
    nats: float


class Reasons(NamedTuple):
    """Why an answer was wrong, by a model of all other documents: the terms of tokens for answer and truth compared.

    astray  tokens that support the answer, the strongest first
    right   tokens that support the truth, the strongest first
    """

    astray: list[Pull]
    right: list[Pull]


def worst(predictions: Iterable[Prediction], top: int = 12) -> list[Prediction]:
    """The wrong answers with the most confidence, each document once; those of equal confidence by name.

    >>> sure, unsure = {"ham": 0.9, "spam": 0.1}, {"ham": 0.6, "spam": 0.4}
    >>> errors = [Prediction("1", "spam", "ham", unsure), Prediction("2", "spam", "ham", sure)]
    >>> [each.name for each in worst(errors)]
    ['2', '1']
    """
    wrong: dict[str, Prediction] = {}
    for each in predictions:
        if not each.right and (each.name not in wrong or each.confidence > wrong[each.name].confidence):
            wrong[each.name] = each
    return sorted(wrong.values(), key=lambda each: (-each.confidence, each.name))[:top]


class Insight(NamedTuple):
    """The keywords of a model, and the reasons for its errors.

    keywords  label -> the tokens that distinguish it most from the others
    reasons   document's name -> why it was answered wrongly
    """

    keywords: Mapping[str, Sequence[Keyword]]
    reasons: Mapping[str, Reasons]


def insight(
    examples: Examples,
    documents: Sequence[Example],
    hyperparameters: Hyperparameters,
    errors: Iterable[Prediction],
    *,
    words: int = 12,
    tokens: int = 6,
) -> Insight:
    """The keywords of a model of the documents, and the reasons for errors among them, each as if not learned.

    words   number of keywords per class
    tokens  number of tokens for, and against, an error
    """
    trial = Trial(examples, documents, hyperparameters)
    texts = examples.corpus.tokens.texts()
    wrong = {error.name: error for error in errors}
    reasons = {
        each.name: _reasons(wrong[each.name], _terms(trial, each, texts), trial.labels, tokens)
        for each in documents
        if each.name in wrong
    }
    found = keywords(trial.estimator, texts, words)
    return Insight(dict(zip(trial.labels, found, strict=True)), reasons)


def _terms(trial: Trial, example: Example, texts: Sequence[str]) -> dict[str, list[float]]:
    """What each token of a document adds to the score of each class, by a model of all other documents."""
    document = trial.examples.of([example])
    return {texts[token]: terms for token, terms in trial.estimator.without(document).terms(document).items()}


def _reasons(error: Prediction, terms: Mapping[str, Sequence[float]], labels: Sequence[str], top: int) -> Reasons:
    answer, truth = labels.index(error.answer), labels.index(error.truth)
    pulls = [Pull(token, per_class[answer] - per_class[truth]) for token, per_class in terms.items()]
    pulls.sort(key=lambda pull: (-pull.nats, pull.token))
    return Reasons(
        [pull for pull in pulls[:top] if pull.nats >= SLIGHT],
        [Pull(token, -nats) for token, nats in reversed(pulls[-top:]) if nats <= -SLIGHT],
    )
