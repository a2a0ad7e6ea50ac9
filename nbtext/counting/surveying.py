"""What is asked of counts before they are written: rows of some tokens, and what all tokens add up to, in one pass.

Stretches of the tokens are surveyed apart, in any process; as no token is in two of them their surveys just add up.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Set
from itertools import compress
from typing import NamedTuple

from ..inference.reading import Totals
from . import packing
from .counts import Row, is_of_one_document
from .packing import Columns


class Survey(NamedTuple):
    """What was found.

    rows    of the tokens that were looked up and that stand in more than one document
    totals  of all tokens
    """

    rows: dict[str, Row]
    totals: Totals

    def extend(self, other: "Survey") -> None:
        """Add what was found among other tokens of the same documents."""
        self.rows.update(other.rows)
        self.totals.extend(other.totals)


def surveyed(columns: Columns, wanted: Set[str], documents: Mapping[str, int]) -> Survey:
    """The survey of a stretch.

    wanted     tokens to look up
    documents  label -> how many; the place of a class among them is its number

    >>> survey = surveyed({"ham": (["at", "noon"], ["3,2", "1,1"])}, {"at", "noon"}, {"ham": 2, "spam": 1})
    >>> survey.rows, survey.totals.positions
    ({'at': [0, 3, 2]}, [4, 0])
    """
    rows: defaultdict[str, Row] = defaultdict(list)
    totals = Totals(list(documents.values()))
    totals.vocabulary = len(set().union(*(tokens for tokens, _ in columns.values())))
    for index, label in enumerate(documents):
        if label in columns:
            tokens, cells = columns[label]
            _enter(totals, index, Counter(cells))
            for token, cell in compress(zip(tokens, cells, strict=True), map(wanted.__contains__, tokens)):
                rows[token] += (index, *packing.numbers(cell))
    # The rest need no row: leave-one-out takes a token without one for a token of a single document
    return Survey({token: row for token, row in rows.items() if not is_of_one_document(row)}, totals)


def _enter(totals: Totals, index: int, tally: Mapping[str, int]) -> None:
    """Cells of a class are added, each as often as the tally says."""
    for cell, tokens in tally.items():
        occurrences, presences = packing.numbers(cell)
        totals.positions[index] += occurrences * tokens
        totals.presences[index] += presences * tokens
        if totals.spread is not None:
            totals.spread[index][presences] += tokens
