"""A row of a table."""

from collections.abc import Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """A row of a table, as it was written.

    columns    their names
    cells      their values
    delimiter  their separator
    header     whether the table has a header; else the names are numbers, or label and text
    """

    columns: Sequence[str]
    cells: Sequence[str]
    delimiter: str
    header: bool = True
