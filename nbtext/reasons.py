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
from .scoring import Scorer, Weighted

SLIGHT = 0.05  # nats; weaker terms decide nothing


class Telling(NamedTuple):
    """A token that tells its class from the others, the more nats the better."""

    token: str
    nats: float


class Reasons(NamedTuple):
    """What a model of all other documents makes of a wrong answer: token by token, its terms for answer and truth compared.

    astray  tokens that speak for the answer, the strongest first
    right   tokens that speak for the truth, the strongest first; for the runner-up if the truth is no class of the model
    """

    prediction: Prediction
    astray: list[Telling]
    right: list[Telling]


def telling(rows: Iterable[tuple[str, Row]], scorer: Scorer, labels: Sequence[str], top: int) -> dict[str, list[Telling]]:
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


def worst(predictions: Iterable[Prediction], top: int) -> list[Prediction]:
    """The wrong answers given with the most confidence, a document once; of equal ones the first by name."""
    wrong: dict[str, Prediction] = {}
    for each in predictions:
        if not each.right and (each.name not in wrong or each.confidence > wrong[each.name].confidence):
            wrong[each.name] = each
    return sorted(wrong.values(), key=lambda each: (-each.confidence, each.name))[:top]


class Insight(NamedTuple):
    """What a model of all the documents says of its words and of the errors.

    telling  label -> its most telling tokens
    reasons  of the worst errors, the worst first
    """

    telling: Mapping[str, Sequence[Telling]]
    reasons: Sequence[Reasons]


def insight(
    trained: Sequence[Example],
    tested: Sequence[Example],
    reading: Reading,
    errors: Sequence[Prediction],
    *,
    words: int = 12,
    tokens: int = 6,
) -> Insight:
    """What a model of the trained documents says of its words, and of errors among the tested ones.

    words   how many telling tokens a class
    tokens  how many tokens for, and against, an error

    An error that is itself among the trained documents is explained by a model of all the others.
    """
    counts = counted(trained)
    memory = Memory(counts, reading)
    alone = memory.leave_one_out()
    learned = {each.name for each in trained}
    examples = {each.name: each for each in tested}
    found = []
    for error in errors:
        example = examples[error.name]
        if error.name in learned:
            terms = alone.weighted(example.bag, memory.labels.index(example.label))
        else:
            terms = memory.scorer.weighted(example.bag)
        found.append(_reasons(error, terms, memory.labels, tokens))
    return Insight(telling(counts.rows(memory.labels), memory.scorer, memory.labels, words), found)


def _reasons(error: Prediction, terms: Iterable[Weighted], labels: Sequence[str], top: int) -> Reasons:
    rivals = [label for label in error.posteriors if label != error.answer]
    rival = error.truth if error.truth in labels else max(rivals, key=error.posteriors.__getitem__)
    answer, other = labels.index(error.answer), labels.index(rival)
    pulls = [Telling(each.token, each.value * (each.weights[answer] - each.weights[other])) for each in terms]
    pulls.sort(key=lambda pull: (-pull.nats, pull.token))
    return Reasons(
        error,
        [pull for pull in pulls[:top] if pull.nats >= SLIGHT],
        [Telling(token, -nats) for token, nats in reversed(pulls[-top:]) if nats <= -SLIGHT],
    )
