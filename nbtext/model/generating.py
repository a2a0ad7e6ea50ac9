"""Random texts of a class: tokens drawn from P(w | v), to see what a model has learned and to test pipelines.

    P(w | v) = (n_kv + alpha) / (n_v + alpha |Vocabulary|)

with the filters and the smoothing of the model's default hyperparameters, whatever its event model: only the
multinomial model draws a document token by token.

Source: Mitchell, Machine Learning (1997), Table 6.2: these are samples from its model of a document.
"""

from collections.abc import Sequence
from math import exp
from random import Random

from ..errors import ModelError
from ..inference.priors import log_priors
from .model import Model


def generated(model: Model, label: str, size: int, seed: int | None = None) -> list[str]:
    """Tokens drawn independently from P(w | v), v being the class of the label; the same for the same model and seed.

    size  number of tokens, >= 0
    seed  None draws different tokens each time

    A random number is drawn for each position; then one pass over the sorted tokens finds the token for each number.
    Memory grows only with `size`.

    Raises: ChoiceError if there is no such class; ModelError if it has no documents, or its vocabulary is empty.

    >>> from nbtext import train_documents
    >>> model = train_documents({"ham": ["lunch at noon"], "spam": ["win win win"]})
    >>> generated(model, "spam", 6, seed=1)
    ['at', 'win', 'win', 'lunch', 'win', 'win']
    """
    random = Random(seed)
    with model.unchanging():
        return _drawn(model, label, [random.random() for _ in range(size)])


def drawn_label(model: Model, seed: int | None = None) -> str:
    """A label drawn from the priors; the same for the same model and seed.

    >>> from nbtext import train_documents
    >>> drawn_label(train_documents({"ham": ["lunch"], "spam": ["win"]}), seed=1)
    'ham'
    """
    priors = log_priors(model.hyperparameters.prior, model.labels, model.documents)
    [label] = Random(seed).choices(model.labels, list(map(exp, priors)))
    return label


def _drawn(model: Model, label: str, numbers: Sequence[float]) -> list[str]:
    """The tokens for these random numbers in [0, 1)."""
    index = model.index(label)
    if not model.documents[index]:
        raise ModelError(f"{model.store.path}: {label} has no documents left, so no text can be drawn from it")
    scorer = model.scorer()
    totals = scorer.linear.totals
    alpha = model.hyperparameters.pseudo_count(totals.vocabulary)
    whole = totals.sizes["occurrences"][index] + alpha * totals.vocabulary
    places = iter(sorted(range(len(numbers)), key=numbers.__getitem__))
    tokens = [""] * len(numbers)
    place = next(places, None)
    occurrences = types = 0
    for token, row in model.store.tokens():
        if place is None:
            break
        if scorer.vocabulary.admits(token, row):
            occurrences += sum(n for i, n in zip(row[::3], row[1::3], strict=True) if i == index)
            types += 1
            last = types == totals.vocabulary  # so that rounding leaves no number without a token
            while place is not None and (last or numbers[place] * whole < occurrences + alpha * types):
                tokens[place] = token
                place = next(places, None)
    return tokens
