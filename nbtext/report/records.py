"""Records written back as they were read, with the answer as two more fields: label and posterior.

If a record has fields of these names, the new ones are nbtext_label and nbtext_posterior. A document that is not a
record is written with its name. An outcome that is not an answer is written like (unknown), as in the text output.

A table has the columns of its first record. Only records with other columns are refused: JSON Lines can hold them.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, count
from typing import Any

from ..classification.decision import Decision
from ..decoding import scrubbed
from ..errors import DocumentError
from ..escaping import OUTCOME_NAMES, number
from ..metrics import Prediction
from ..readers._row import Row

FORMATS = ("csv", "tsv", "jsonl")
ANSWER_FIELDS = ("label", "posterior")

Record = Row | str | None
Write = Callable[[Record, str, Decision], list[str]]  # the lines for a record, the name of its document, the decision


def writer(format: str, loads: Callable[[str], Any] = json.loads) -> Write:  # noqa: A002  # what it is
    """The function that makes the lines in one of FORMATS; the first record decides the columns of a table.

    loads  reads JSON

    The function raises DocumentError for a record that does not fit into the table.

    >>> from nbtext import Classifier, train_documents
    >>> decision = Classifier(train_documents({"a": ["red"], "b": ["blue"]}))("red")
    >>> writer("csv")(Row(["id", "text"], ["7", "red"], ";"), "x.csv:2", decision)
    ['id;text;label;posterior', '7;red;a;0.666667']
    >>> writer("jsonl")('{"n": 1.50}', "x.jsonl:1", decision)
    ['{"n": 1.50, "label": "a", "posterior": 0.666667}']
    """
    if format == "jsonl":
        return partial(_json_lines, loads)
    return _Table("\t" if format == "tsv" else "", loads).lines


def prediction_lines(predictions: Iterable[Prediction], format: str) -> Iterator[str]:  # noqa: A002
    """The id (or name), truth, answer and posterior of each tested document.

    format  one of FORMATS

    >>> list(prediction_lines([Prediction("t.csv:2", "a", "b", {"b": 0.75, "a": 0.25}, id="7")], "csv"))
    ['id,truth,answer,posterior', '7,a,b,0.75']
    """
    columns = ["id", "truth", "answer", "posterior"]
    table = _Table("\t" if format == "tsv" else ",", json.loads)
    if format != "jsonl":
        yield table.line(columns)
    for each in predictions:
        own = [each.name if each.id is None else each.id, each.truth, each.answer, number(each.confidence)]
        if format == "jsonl":
            yield json.dumps({**dict(zip(columns, own, strict=True)), "posterior": each.confidence}, ensure_ascii=False)
        else:
            yield table.line(own)


class _Table:
    """A table whose columns are those of the first record."""

    def __init__(self, delimiter: str, loads: Callable[[str], Any]) -> None:
        self._delimiter = delimiter  # empty to use that of the first record
        self._loads = loads
        self._columns: list[str] | None = None
        self._record: Record = None  # the first

    def lines(self, record: Record, name: str, decision: Decision) -> list[str]:
        """The line of a record; before the first a header, unless the record comes from a table without header.

        Raises: DocumentError if it has columns that the first does not have.
        """
        row = _row(record, name, self._loads)
        lines = []
        if self._columns is None:
            self._columns, self._record = list(row.columns), record
            self._delimiter = self._delimiter or row.delimiter
            if row.header:
                lines.append(self.line([*row.columns, *_new_fields(row.columns)]))
        cells = row.cells if row.columns == self._columns else self._in_order(row, record, name)
        return [*lines, self.line([*cells, *_answer(decision)])]

    def _in_order(self, row: Row, record: Record, name: str) -> list[str]:
        """The cells of a row that has other columns than the first, or in another order."""
        columns = self._columns or []
        if (record is None) != (self._record is None):
            raise _foreign(name, "no record" if record is None else "a record, after a document that is none")
        if more := [column for column in row.columns if column not in columns]:
            raise _foreign(name, f"{more[0]!r} is no column of the first record")
        values = dict(zip(row.columns, row.cells, strict=True))
        if len(values) < len(row.cells) or len({*columns}) < len(columns):
            twice = "a column is named twice, in another order than in the first record"
            raise DocumentError(f"{name}: {twice}, so not written; rename it", "other columns")
        return [values.get(column, "") for column in columns]

    def line(self, cells: Sequence[str]) -> str:
        """A line of these cells."""
        if self._delimiter == "\t":
            return "\t".join(cell.replace("\t", " ").replace("\n", " ").replace("\r", " ") for cell in cells)
        text = io.StringIO()
        csv.writer(text, delimiter=self._delimiter, lineterminator="\r\n").writerow(cells)  # so that both are quoted
        return text.getvalue().removesuffix("\r\n")


def _foreign(name: str, why: str) -> DocumentError:
    """The error for a record that does not fit into a table."""
    return DocumentError(f"{name}: {why}, so not written into the table; --to jsonl writes all", "other columns")


def _row(record: Record, name: str, loads: Callable[[str], Any]) -> Row:
    if isinstance(record, Row):
        return record
    fields: dict[str, Any] = {"name": name} if record is None else loads(record)
    texts = [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in fields.values()]
    return Row(list(map(scrubbed, fields)), list(map(scrubbed, texts)), ",")  # halves of surrogate pairs: no text


def _json_lines(loads: Callable[[str], Any], record: Record, name: str, decision: Decision) -> list[str]:
    label, posterior = _answer(decision)
    if isinstance(record, str) and "\n" not in record:
        own, text = loads(record), record.strip()
    else:
        own = {"name": name} if record is None else loads(record) if isinstance(record, str) else _object(record)
        text = json.dumps(own, ensure_ascii=False)
    first, second = _new_fields(list(own))
    new = f'"{first}": {json.dumps(label, ensure_ascii=False)}, "{second}": {posterior}'
    return [f"{text[:-1]}, {new}}}" if own else f"{{{new}}}"]


def _object(row: Row) -> dict[str, str]:
    """The cells by their columns; if several have the same name, the second is NAME_2, and so on.

    >>> _object(Row(["a", "a", "b"], ["1", "2", "3"], ","))
    {'a': '1', 'a_2': '2', 'b': '3'}
    """
    found: dict[str, str] = {}
    for column, cell in zip(row.columns, row.cells, strict=True):
        others = (f"{column}_{number}" for number in count(2))
        found[next(name for name in chain([column], others) if name not in found)] = cell
    return found


def _new_fields(columns: Sequence[str]) -> list[str]:
    taken = any(column.strip().lower() in ANSWER_FIELDS for column in columns)
    return [f"nbtext_{field}" if taken else field for field in ANSWER_FIELDS]


def _answer(decision: Decision) -> list[str]:
    return [OUTCOME_NAMES.get(decision.outcome, decision.label), number(decision.posterior)]
