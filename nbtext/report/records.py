"""Records written back as they were read, with the answer as two more fields: label and posterior.

Where a record has fields of these names, the new ones are nbtext_label and nbtext_posterior. A document that is no
record is written with its name. An outcome that is no answer is written like (unknown), as in the text output.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ..classification.decision import Decision
from ..decoding import scrubbed
from ..escaping import number
from ..metrics import Prediction
from ..readers import Row
from . import OUTCOME_NAMES

FORMATS = ("csv", "tsv", "jsonl")
ANSWER_FIELDS = ("label", "posterior")

Record = Row | str | None
Write = Callable[[Record, str, Decision], list[str]]  # the lines for a record, the name of its document, the decision


def writer(format: str) -> Write:  # noqa: A002  # what it is
    """What makes the lines of one of FORMATS; the first record tells the columns of a table.

    >>> from nbtext import Classifier, train_documents
    >>> decision = Classifier(train_documents({"a": ["red"], "b": ["blue"]}))("red")
    >>> writer("csv")(Row(["id", "text"], ["7", "red"], ";"), "x.csv:2", decision)
    ['id;text;label;posterior', '7;red;a;0.666667']
    >>> writer("jsonl")('{"n": 1.50}', "x.jsonl:1", decision)
    ['{"n": 1.50, "label": "a", "posterior": 0.666667}']
    """
    return _json_lines if format == "jsonl" else _Table("\t" if format == "tsv" else "").lines


def prediction_lines(predictions: Iterable[Prediction], format: str) -> Iterator[str]:  # noqa: A002
    """The id, truth, answer and posterior of each tested document; without an id its name.

    format  one of FORMATS

    >>> list(prediction_lines([Prediction("t.csv:2", "a", "b", {"b": 0.75, "a": 0.25}, id="7")], "csv"))
    ['id,truth,answer,posterior', '7,a,b,0.75']
    """
    columns = ["id", "truth", "answer", "posterior"]
    table = _Table("\t" if format == "tsv" else ",")
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

    def __init__(self, delimiter: str) -> None:
        self._delimiter = delimiter  # empty for that of the first record
        self._columns: list[str] | None = None

    def lines(self, record: Record, name: str, decision: Decision) -> list[str]:
        """The line of a record; before the first that of the columns."""
        columns, cells, delimiter = _row(record, name)
        lines = []
        if self._columns is None:
            self._columns = list(columns)
            self._delimiter = self._delimiter or delimiter
            lines.append(self.line([*columns, *_new_fields(columns)]))
        if columns != self._columns:  # records of several files, or whose fields are not all there
            values = dict(zip(columns, cells, strict=True))
            cells = [values.get(column, "") for column in self._columns]
        return [*lines, self.line([*cells, *_answer(decision)])]

    def line(self, cells: Sequence[str]) -> str:
        """A line of these cells."""
        if self._delimiter == "\t":
            return "\t".join(cell.replace("\t", " ").replace("\n", " ").replace("\r", " ") for cell in cells)
        text = io.StringIO()
        csv.writer(text, delimiter=self._delimiter, lineterminator="").writerow(cells)
        return text.getvalue()


def _row(record: Record, name: str) -> tuple[Sequence[str], Sequence[str], str]:
    if isinstance(record, Row):
        return record
    fields: dict[str, Any] = {"name": name} if record is None else json.loads(record)
    texts = [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in fields.values()]
    return list(map(scrubbed, fields)), list(map(scrubbed, texts)), ","  # halves of surrogate pairs cannot be written


def _json_lines(record: Record, name: str, decision: Decision) -> list[str]:
    label, posterior = _answer(decision)
    if isinstance(record, str) and "\n" not in record:
        own, text = json.loads(record), record.strip()
    else:
        own = {"name": name} if record is None else _object(record)
        text = json.dumps(own, ensure_ascii=False)
    first, second = _new_fields(list(own))
    new = f"{json.dumps(first)}: {json.dumps(label, ensure_ascii=False)}, {json.dumps(second)}: {posterior}"
    return [f"{text[:-1]}, {new}}}" if own else f"{{{new}}}"]


def _object(record: Row | str) -> dict[str, Any]:
    if isinstance(record, str):
        found: dict[str, Any] = json.loads(record)
        return found
    return dict(zip(record.columns, record.cells, strict=True))


def _new_fields(columns: Sequence[str]) -> list[str]:
    taken = any(column.strip().lower() in ANSWER_FIELDS for column in columns)
    return [f"nbtext_{field}" if taken else field for field in ANSWER_FIELDS]


def _answer(decision: Decision) -> list[str]:
    return [OUTCOME_NAMES.get(decision.outcome, decision.label), number(decision.posterior)]
