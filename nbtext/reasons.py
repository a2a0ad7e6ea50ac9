"""Reasons: which tokens tell the classes apart, and which ones led an answer astray.

How telling a token w is of a class v, in nats, is its share in the divergence of the class from the rest,

    P(w | v) log(P(w | v) / P(w | not v))

so it must be both frequent in the class and rarer outside it. Both probabilities are smoothed by the reading's alpha.

Source: Kullback and Leibler, On Information and Sufficiency (1951).
"""

from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from math import exp
from operator import attrgetter
from typing import NamedTuple

from .counts import Row, dense
from .evaluation.examples import Example
from .evaluation.trial import Memory, counted
from .event_models import binary, complement, complement_binary, multinomial
from .measures import Prediction
from .reading import Reading
from .scoring import LeaveOneOut, Scorer

SLIGHT = 0.05  # nats; weaker terms decide nothing


class Telling(NamedTuple):
    """A token that tells its class from the others, the more nats the better."""

    token: str
    nats: float


class Reasons(NamedTuple):
    """What a model of all other documents makes of a wrong answer: the tokens' terms for answer and truth compared.

    astray  tokens that speak for the answer, the strongest first
    right   tokens that speak for the truth, the strongest first
    """

    astray: list[Telling]
    right: list[Telling]


def telling(
    rows: Iterable[tuple[str, Row]], scorer: Scorer, labels: Sequence[str], top: int
) -> dict[str, list[Telling]]:
    """The `top` most telling tokens of each class, the most telling first; of equal ones the first in sorted order.

    rows    every token with its row, tokens sorted
    scorer  reads them
    """
    inside, outside = (multinomial, complement) if scorer.column == 1 else (binary, complement_binary)
    within = inside.linear(scorer.totals, scorer.alpha).weights  # log P(w | v)
    beyond = outside.linear(scorer.totals, scorer.alpha).weights  # -log P(w | not v)
    found: dict[str, list[Telling]] = {label: [] for label in labels}
    for token, row in rows:
        if scorer.vocabulary.admits(token, row):
            counts = dense(row, scorer.column, len(labels))
            likelihoods, complements = within(counts), beyond(counts)
            for index in row[::3]:
                nats = exp(likelihoods[index]) * (likelihoods[index] + complements[index])
                found[labels[index]].append(Telling(token, nats))
    return {label: nlargest(top, tokens, key=attrgetter("nats")) for label, tokens in found.items()}


def worst(predictions: Iterable[Prediction], top: int = 12) -> list[Prediction]:
    """The wrong answers given with the most confidence, a document once; of equal ones the first by name.

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
    """What a model says of its words, and of its errors.

    telling  label -> its most telling tokens, the most telling first
    reasons  document's name -> why it was answered wrongly
    """

    telling: Mapping[str, Sequence[Telling]]
    reasons: Mapping[str, Reasons]


def insight(
    documents: Sequence[Example], reading: Reading, errors: Iterable[Prediction], *, words: int = 12, tokens: int = 6
) -> Insight:
    """What a model of the documents says of its words, and of errors among the documents, each as if not learned.

    words   how many telling tokens a class
    tokens  how many tokens for, and against, an error
    """
    counts = counted(documents)
    memory = Memory(counts, reading)
    alone = memory.leave_one_out()
    wrong = {error.name: error for error in errors}
    reasons = {
        each.name: _reasons(wrong[each.name], _terms(alone, each, memory.labels), memory.labels, tokens)
        for each in documents
        if each.name in wrong
    }
    return Insight(telling(counts.rows(memory.labels), memory.scorer, memory.labels, words), reasons)


def _terms(alone: LeaveOneOut, example: Example, labels: Sequence[str]) -> dict[str, list[float]]:
    """What each token of a learned document adds to the score of each class, by a model without the document."""
    scorer = alone.scorer
    totals, kept = alone.rest(example.bag, labels.index(example.label))
    weights = scorer.event_model.linear(totals, scorer.alpha).weights
    return {token: [scorer.value(n) * weight for weight in weights(counts)] for token, (n, counts) in kept.items()}


def _reasons(error: Prediction, terms: Mapping[str, Sequence[float]], labels: Sequence[str], top: int) -> Reasons:
    answer, truth = labels.index(error.answer), labels.index(error.truth)
    pulls = [Telling(token, per_class[answer] - per_class[truth]) for token, per_class in terms.items()]
    pulls.sort(key=lambda pull: (-pull.nats, pull.token))
    return Reasons(
        [pull for pull in pulls[:top] if pull.nats >= SLIGHT],
        [Telling(token, -nats) for token, nats in reversed(pulls[-top:]) if nats <= -SLIGHT],
    )
