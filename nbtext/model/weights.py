"""Fitted weights in a model file: settings in JSON.

weighting  `Weighting.plain`
kinds      for each kind of token, in order, totals of the vocabulary: the number of tokens, and for each class their
           occurrences, and the documents that contain them
"""

import json
from collections.abc import Iterable, Sequence

from ..errors import ChoiceError
from ..inference.vocabulary import Totals
from ..inference.weighting import Weighting


def weighting_text(weighting: Weighting) -> str:
    """The weights as text."""
    return json.dumps(weighting.plain())


def weighting_of(text: str) -> Weighting:
    """The inverse of `weighting_text`.

    Raises: ChoiceError for any other text.
    """
    return Weighting.of(json.loads(text))


def totals_text(totals: Iterable[Totals]) -> str:
    """The totals of all kinds as text."""
    return json.dumps([[each.vocabulary, each.sizes["occurrences"], each.sizes["frequency"]] for each in totals])


def totals_of(text: str, documents: Sequence[int], kinds: int) -> list[Totals]:
    """The inverse of `totals_text`.

    documents  their number in each class
    kinds      the number of kinds

    Raises: ChoiceError for any other text.
    """
    found = []
    for vocabulary, *sizes in json.loads(text):
        totals = Totals(documents)
        totals.vocabulary = vocabulary
        totals.sizes["occurrences"], totals.sizes["frequency"] = sizes
        numbers = [vocabulary, *sizes[0], *sizes[1]]
        if not all(type(n) is int and n >= 0 for n in numbers) or {len(size) for size in sizes} != {len(documents)}:
            raise ChoiceError("the totals of its kinds of tokens are impossible")
        found.append(totals)
    if len(found) != kinds:
        raise ChoiceError("the totals of some kinds of tokens are missing")
    return found
