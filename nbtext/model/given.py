"""A model of probabilities that are given instead of counted, as in exercises.

    {"priors": {LABEL: P, ...}, "given": {ATTRIBUTE: {VALUE: {LABEL: P, ...}, ...}, ...}}

with P(label), and P(value | label) of each value of an attribute, as 0.25 or "1/6". If the values of an attribute sum
to less than 1, the rest is the probability of the value "no". Every probability becomes a share of whole documents,
as many as the denominators need; the pseudo-count is too small to have an effect.
"""

import json
import re
import reprlib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from ..analysis import Analysis
from ..errors import ModelError
from ..fields import Fields, attribute_token
from ..settings import Hyperparameters

ALPHA = 1e-9
REST = "no"
MOST_DOCUMENTS = 10**15
NUMBER = r"(?a)[+-]?(\d{1,20}(\.\d{0,20})?|\.\d{1,20})([eE]-?\d{1,2})?|[+-]?\d{1,20}/(?P<divisor>\d{1,20})"

Shares = Mapping[str, Mapping[str, Mapping[str, Fraction]]]  # attribute -> value -> label -> P(value | label)


def is_given(line: bytes) -> bool:
    """Whether a first line begins given probabilities, not an exported model.

    >>> is_given(b'{"priors": {"cancer": 0.008}'), is_given(b"{"), is_given(b'{"nbtext": 1}')
    (True, True, False)
    """
    return re.match(rb'\s*\{\s*("priors"|"given"|$)', line) is not None


def canonical_text(text: bytes) -> Iterator[bytes]:
    """The lines of the exported model that has these probabilities.

    Raises: ModelError if the text does not describe such probabilities.
    """
    try:
        given = json.loads(text, parse_float=str, parse_int=str)
        priors = {label: _probability(p, f"P({label})") for label, p in sorted(given["priors"].items())}
        shares = {name: _completed(name, values, list(priors)) for name, values in given["given"].items()}
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise ModelError(f"not a description of given probabilities ({error}); see docs/by-hand.md") from None
    if impossible := [label for label, p in priors.items() if not p]:
        raise ModelError(f"P({impossible[0]}) is 0: a class that never occurs is no answer; leave it out")
    if sum(priors.values()) != 1:
        raise ModelError(f"the priors sum to {_text(sum(priors.values()))}; they should sum to 1")
    denominators = [p.denominator for values in shares.values() for own in values.values() for p in own.values()]
    whole = lcm(*(p.denominator for p in priors.values())) * lcm(*denominators)
    if whole > MOST_DOCUMENTS:
        raise ModelError("the given probabilities have too many digits; round them")
    documents = {label: int(p * whole) for label, p in priors.items()}
    yield from (f"{json.dumps(line, ensure_ascii=False)}\n".encode() for line in _lines(documents, shares))


def _probability(given: Any, what: str) -> Fraction:
    """A probability as it is written: a decimal number, or a text such as 1/6."""
    written = re.fullmatch(NUMBER, given.strip()) if isinstance(given, str) else None
    if not written or (written["divisor"] and not int(written["divisor"])):
        raise ModelError(f'{what} is {reprlib.repr(given)}, which is not a number; write it as 0.25 or "1/6"')
    p = Fraction(given.strip())
    if not 0 <= p <= 1:
        raise ModelError(f"{what} is {given}; a probability is from 0 to 1")
    return p


def _completed(name: str, values: Mapping[str, Mapping[str, Any]], labels: list[str]) -> dict[str, dict[str, Fraction]]:
    """The probabilities of all values of an attribute, including the missing rest."""
    found: dict[str, dict[str, Fraction]] = {}
    for value, own in values.items():
        if missing := [label for label in labels if label not in own]:
            raise ModelError(f"P({name}={value} | {missing[0]}) is missing; give one for each class")
        if unknown := own.keys() - set(labels):
            raise ModelError(f"P({name}={value} | {min(unknown)}) is given, but {min(unknown)} has no prior; add one")
        found[value] = {label: _probability(own[label], f"P({name}={value} | {label})") for label in labels}
    rest = {label: Fraction(1) - sum(own[label] for own in found.values()) for label in labels}
    for label, lack in rest.items():
        if lack < 0 or (lack and REST in found):
            raise ModelError(f"the values of {name} sum to {_text(1 - lack)} in {label}; they should sum to 1")
    return {**found, REST: rest} if any(rest.values()) else found


def _text(number: Fraction | int) -> str:
    """A sum, to print.

    >>> _text(Fraction(1, 2) + Fraction(1, 4)), _text(Fraction(1, 3))
    ('0.75', '1/3')
    """
    return f"{float(number):g}" if Fraction(f"{float(number):g}") == number else str(number)


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
    rows = {attribute_token(name, value): own for name, values in shares.items() for value, own in values.items()}
    for token, own in sorted(rows.items()):
        counts = {label: int(p * documents[label]) for label, p in own.items()}
        yield {"token": token, "counts": {label: [n, n] for label, n in counts.items() if n}}
    yield {"calibration": {"calibrated_on": 0, "t": None}}
    yield {"corpora": []}
