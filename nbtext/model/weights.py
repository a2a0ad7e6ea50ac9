"""Fitted weights in a model file: settings in JSON.

weighting  `Weighting.plain`
kinds      for each kind of token, in order, totals of the vocabulary: the number of tokens, and for each class their
           occurrences, and the documents that contain them
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..errors import ChoiceError
from ..inference.vocabulary import Totals
from ..inference.weighting import Weighting


def settings_of(weighting: Weighting, totals: Iterable[Totals]) -> list[tuple[str, str]]:
    """The settings for fitted weights, and for the totals of the kinds of tokens."""
    kinds = [[each.vocabulary, each.sizes["occurrences"], each.sizes["frequency"]] for each in totals]
    return [("kinds", json.dumps(kinds)), ("weighting", json.dumps(weighting.plain()))]


def weights_of(settings: Mapping[str, Any], documents: Sequence[int]) -> tuple[Weighting, list[Totals]]:
    """The inverse of `settings_of`.

    documents  their number in each class

    Raises: ChoiceError, KeyError, TypeError or ValueError for other settings.
    """
    weighting = Weighting.of(json.loads(settings["weighting"]))
    found = []
    for vocabulary, *sizes in json.loads(settings["kinds"]):
        totals = Totals(documents)
        totals.vocabulary = vocabulary
        totals.sizes["occurrences"], totals.sizes["frequency"] = sizes
        numbers = [vocabulary, *sizes[0], *sizes[1]]
        if not all(type(n) is int and n >= 0 for n in numbers) or {len(size) for size in sizes} != {len(documents)}:
            raise ChoiceError("the totals of its kinds of tokens are impossible")
        found.append(totals)
    if len(found) != len(weighting.kinds):
        raise ChoiceError("the totals of some kinds of tokens are missing")
    return weighting, found
