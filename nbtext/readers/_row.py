"""A row of a table."""

from collections.abc import Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """A row of a table, as it was written.

    columns    their names
    cells      their values
    delimiter  what separates them
    header     whether the table names its columns; else their names are numbers, or label and text
    """

    columns: Sequence[str]
    cells: Sequence[str]
    delimiter: str
    header: bool = True
