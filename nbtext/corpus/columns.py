"""Finding out what the columns of a table hold, from its first records."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from ..analysis import Analysis
from ..decoding import Limits
from ..errors import CorpusError, DocumentError
from ..fields import Fields, decimal
from ..readers import Document
from ..readers._advice import guessed
from ..readers._fields import MISSING, Taken, named, taken_if_known
from ..readers._row import Row
from .reading import opened
from .sources import Source
from .walking import labelled

RECORDS = 1000  # records looked at
MOST_VALUES = 50  # different values of a category,
REPEATS = 2  # each occurring at least this often on average
LONGEST_VALUE = 40  # characters of a category's value
FEWEST_NUMBERS = 10  # more different whole numbers than this are a number, not a category


class Table(NamedTuple):
    """The beginning of a table.

    columns  their names, in lower case where a header gives them
    rows     values of all columns
    header   whether its first row names the columns
    """

    columns: list[str]
    rows: list[Sequence[str]]
    header: bool = True

    def by_column(self) -> Iterator[tuple[str, list[str]]]:
        """Each column with its values that are not missing."""
        for place, column in enumerate(self.columns):
            yield column, [row[place] for row in self.rows if row[place].strip().lower() not in MISSING]

    def guessed(self) -> tuple[str, str]:
        """The columns that look most like a text and a label."""
        return guessed(self.columns, self.rows)


def seen_table(corpora: Iterable[str], analysis: Analysis) -> Table | None:
    """The beginning of the first table among some corpora; None if no record of it can be read."""
    columns: dict[str, None] = {}
    header = True
    records: list[dict[str, str]] = []
    for document in islice(_documents(corpora, analysis), RECORDS):
        if isinstance(document.record, Row):
            record = dict(zip(named(document.record.columns), document.record.cells, strict=True))
            header = document.record.header
        else:
            record = _flat(json.loads(document.record or "{}"))
        columns.update(dict.fromkeys(record))
        records.append(record)
    names = list(columns)
    rows: list[Sequence[str]] = [[record.get(name, "") for name in names] for record in records]
    return Table(names, rows, header) if records else None


def _documents(corpora: Iterable[str], analysis: Analysis) -> Iterable[Document]:
    for root in corpora:
        try:
            for source in labelled(root, loose=True, limits=Limits()):
                if isinstance(source, Source):
                    yield from (item for item in opened([source], analysis) if isinstance(item, Document))
                    return
        except (CorpusError, DocumentError):
            return  # reading it will report the error


def _flat(record: dict[str, object], prefix: str = "") -> dict[str, str]:
    """The values of an object and of the objects inside it, by their paths."""
    flat: dict[str, str] = {}
    for name, value in record.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = value if isinstance(value, str) else json.dumps(value)
    return flat


def with_attributes(table: Table, fields: Fields) -> Fields:
    """The fields with all other columns that look like categories or numbers.

    A number has more than ten different values, or a fraction; a category has few different short values. Columns
    whose values are all different say nothing, and are left out.
    """
    chosen = taken_if_known(fields, table.columns) or Taken((), None, None)  # attributes alone are enough
    label = chosen.label or fields.label or table.guessed()[1]
    used = {*chosen.columns, label}
    categories, numbers = list(fields.category), list(fields.number)
    for column, values in table.by_column():
        different = set(values)
        if column in used or len(different) < 2:
            continue
        decimals = {decimal(value) for value in different}
        if None not in decimals and (len(different) > FEWEST_NUMBERS or any("." in str(each) for each in decimals)):
            numbers.append(column)
        elif (
            len(different) <= MOST_VALUES
            and len(different) * REPEATS <= len(values)
            and max(map(len, different)) <= LONGEST_VALUE
        ):
            categories.append(column)
    return fields._replace(label=label, category=tuple(categories), number=tuple(numbers))
