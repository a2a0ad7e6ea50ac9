"""The summary of a new model: its classes, and the documents left out."""

from collections.abc import Sequence

from .. import report
from ..escaping import escaped
from ..model.model import Model


def lines(model: Model, path: str, replaces: bool, notes: Sequence[str] = ()) -> list[str]:
    """A table of classes, the size of the vocabulary, the notes, the file.

    replaces  whether another file had that name before
    """
    rows = [("class", "documents", "tokens")]
    rows += [(escaped(c.label), str(c.documents), str(c.positions)) for c in model.classes]
    rows += [("total", str(sum(model.documents)), str(sum(model.positions)))]
    table = report.table(rows, "<>>")
    return [
        *table,
        f"vocabulary: {model.size} tokens",
        *notes,
        f"model: {escaped(path)}{', replaced' if replaces else ''}",
    ]


def record(model: Model, path: str) -> dict[str, object]:
    """The same as a dictionary for JSON; the keys are a promise."""
    classes = [{"label": c.label, "documents": c.documents, "tokens": c.positions} for c in model.classes]
    return {
        "model": path,
        "classes": classes,
        "documents": sum(model.documents),
        "tokens": sum(model.positions),
        "vocabulary": model.size,
    }
