"""A model of probabilities that are given instead of counted, as exercises state them.

    {"priors": {LABEL: P, ...}, "given": {ATTRIBUTE: {VALUE: {LABEL: P, ...}, ...}, ...}}

with P(label), and P(value | label) of each value of an attribute, as 0.25 or "1/6". What the values of an attribute
lack to 1 belongs to the value "no". Every probability becomes a share of whole documents, as many as the denominators
want; the pseudo-count is too small to be seen.
"""

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from math import lcm
from typing import Any

from ..analysis import Analysis
from ..errors import ModelError
from ..fields import ATTRIBUTE, Fields, attribute_token, quoted
from ..settings import Hyperparameters

ALPHA = 1e-9
REST = "no"
MOST_DOCUMENTS = 10**15

Shares = Mapping[str, Mapping[str, Mapping[str, Fraction]]]  # attribute -> value -> label -> P(value | label)


def is_given(line: bytes) -> bool:
    """Whether a first line is not of an exported model but of given probabilities."""
    return line.lstrip().startswith(b'{"priors"')


def canonical_text(text: bytes) -> Iterator[bytes]:
    """The lines of the exported model that has these probabilities.

    Raises: ModelError if they are no such probabilities.
    """
    try:
        given = json.loads(text, parse_float=Decimal)
        priors = {label: Fraction(p) for label, p in sorted(given["priors"].items())}
        shares = {name: _completed(values, list(priors)) for name, values in given["given"].items()}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ModelError(f"not a description of given probabilities ({error}); see docs/by-hand.md") from None
    all_shares = [p for values in shares.values() for own in values.values() for p in own.values()]
    if sum(priors.values()) != 1 or any(not 0 <= p <= 1 for p in [*priors.values(), *all_shares]):
        raise ModelError("given probabilities must be from 0 to 1, the priors must sum to 1, and so must the values")
    whole = lcm(*(p.denominator for p in priors.values())) * lcm(*(p.denominator for p in all_shares))
    if whole > MOST_DOCUMENTS:
        raise ModelError("the given probabilities have too many digits; round them")
    documents = {label: int(p * whole) for label, p in priors.items()}
    yield from (f"{json.dumps(line, ensure_ascii=False)}\n".encode() for line in _lines(documents, shares))


def _completed(values: Mapping[str, Mapping[str, Any]], labels: list[str]) -> dict[str, dict[str, Fraction]]:
    """The probabilities of all values, the missing rest included."""
    found = {value: {label: Fraction(own[label]) for label in labels} for value, own in values.items()}
    rest: dict[str, Fraction] = {label: Fraction(1) - sum(own[label] for own in found.values()) for label in labels}
    return {**found, REST: rest} if any(rest.values()) else found


def _lines(documents: Mapping[str, int], shares: Shares) -> Iterator[dict[str, Any]]:
    settings = {
        **Analysis(reader="csv", fields=Fields(category=tuple(shares)).spec()).plain(),
        **Hyperparameters(alpha=ALPHA).plain(),
    }
    del settings["weights"]
    yield {"nbtext": 1, **settings, "track": False}
    yield from (
        {"class": label, "documents": count, "tokens": count * len(shares)} for label, count in documents.items()
    )
    rows = {
        attribute_token(ATTRIBUTE + quoted(name), value): own
        for name, values in shares.items()
        for value, own in values.items()
    }
    for token, own in sorted(rows.items()):
        counts = {label: int(p * documents[label]) for label, p in own.items()}
        yield {"token": token, "counts": {label: [n, n] for label, n in counts.items() if n}}
    yield {"calibration": {"calibrated_on": 0, "t": None}}
    yield {"corpora": []}
