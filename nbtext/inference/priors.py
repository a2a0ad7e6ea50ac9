"""The prior probability of each class."""

from collections.abc import Iterable, Sequence
from math import log

from ..errors import ChoiceError

SMOOTHED = "smoothed="
INFINITE = float("inf")
IMPOSSIBLE = float("-inf")  # the log probability of a class without documents


def log_priors(spec: str, labels: Sequence[str], documents: Sequence[int]) -> list[float]:
    """The log prior of each class; `IMPOSSIBLE` for one without documents.

    >>> from math import exp
    >>> [round(exp(p), 6) for p in log_priors("learned", ["dislike", "like", "new"], [700, 300, 0])]
    [0.7, 0.3, 0.0]
    >>> [round(exp(p), 6) for p in log_priors("like=0.6", ["dislike", "like"], [700, 300])]
    [0.4, 0.6]
    >>> [round(exp(p), 6) for p in log_priors("smoothed=1", ["no", "yes"], [1, 3])]
    [0.333333, 0.666667]

    Raises: ChoiceError if the text has none of the four forms, or the numbers are not a distribution.
    """
    if spec == "learned":
        weights = [float(count) for count in documents]
    elif spec == "uniform":
        weights = [1.0] * len(labels)
    elif spec.startswith(SMOOTHED) and SMOOTHED[:-1] not in labels:
        weights = [count + _pseudo_count(spec) if count else 0.0 for count in documents]
    else:
        weights = _completed(spec, labels, documents)
    possible = [weight if count else 0.0 for weight, count in zip(weights, documents, strict=True)]
    whole = sum(possible)
    return [log(weight / whole) if weight else IMPOSSIBLE for weight in possible]


def _pseudo_count(spec: str) -> float:
    """The number added to the documents of each class: a symmetric Dirichlet prior with parameters of 1 plus this."""
    try:
        count = float(spec.removeprefix(SMOOTHED))
    except ValueError:
        count = -1.0
    if not 0 <= count < INFINITE:
        raise ChoiceError(f"prior {spec!r}: smoothed=A adds A documents to each class, as in smoothed=1")
    return count


def _completed(spec: str, labels: Sequence[str], documents: Sequence[int]) -> list[float]:
    """The stated probabilities; classes that are not named but have documents share the rest evenly."""
    stated = _stated(spec, labels)
    rest = 1 - sum(stated.values())
    others = len(labels) - len(stated)
    if not stated or any(not 0 < p <= 1 for p in stated.values()) or (rest <= 1e-9 if others else abs(rest) > 1e-6):
        raise ChoiceError(f"prior {spec!r}: the probabilities must be above 0 and sum to 1, unnamed classes included")
    sharers = sum(count > 0 and label not in stated for label, count in zip(labels, documents, strict=True))
    return [stated.get(label, rest / max(sharers, 1)) for label in labels]


def _stated(spec: str, labels: Iterable[str]) -> dict[str, float]:
    """LABEL=P pairs; labels may contain commas and equals signs, because the labels are known."""
    known = sorted(labels, key=len, reverse=True)
    given: dict[str, float] = {}
    rest = spec
    while rest:
        label = next((label for label in known if rest.startswith(label + "=")), None)
        number, _, after = rest[len(label) + 1 :].partition(",") if label is not None else ("", "", "")
        try:
            given[label or ""] = float(number)
        except ValueError:
            raise ChoiceError(
                f"prior {spec!r}: {rest!r} should be 'learned', 'uniform', 'smoothed=A' or LABEL=P,... "
                "with labels of the model: " + ", ".join(sorted(known))
            ) from None
        rest = after
    return given
