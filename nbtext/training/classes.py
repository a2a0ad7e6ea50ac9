"""Whether there are classes to train on; if not, what the user may have meant."""

import os
from collections.abc import Sequence

from ..errors import CorpusError
from ..escaping import OUTCOME_NAMES


def check_classes(labels: Sequence[str], corpora: Sequence[str], allow_single_class: bool) -> None:
    """Check that there are classes to distinguish.

    Raises: CorpusError if there are not; the message names the likely cause.
    """
    place = ", ".join(corpora) or "the documents"
    if reserved := next((label for label in labels if label in OUTCOME_NAMES.values()), None):
        raise CorpusError(
            f"{place}: the label {reserved} is reserved for documents without an answer; rename the class"
        )
    folder = bool(corpora) and os.path.isdir(corpora[0])
    if not labels:
        hint = (
            "a corpus is a folder with one folder of texts per class, or records that have a label, as in --reader csv"
        )
        if corpora and os.path.isfile(corpora[0]):
            empty = not os.path.getsize(corpora[0])
            hint = "the file is empty" if empty else "each of its records needs a text and a label"
        if folder and not _folders(corpora[0]) and len(_folders(_parent(corpora[0]))) > 1:
            hint = f"it contains no class folders: was the parent folder meant, {_parent(corpora[0])}?"
        raise CorpusError(f"{place}: no document to learn from; {hint}")
    if len(labels) == 1 and not allow_single_class:
        hint = f"was the parent folder meant, {_parent(corpora[0])}?" if folder else "add others"
        raise CorpusError(
            f"{place}: a single class, {labels[0]!r}, leaves nothing to distinguish; {hint} "
            f"({'--allow-single-class' if corpora else 'allow_single_class=True'} trains anyway)"
        )


def _parent(folder: str) -> str:
    """The parent of a folder, written in the same way, relative or absolute."""
    return os.path.normpath(os.path.join(folder, os.pardir))


def _folders(path: str) -> list[str]:
    """The folders in a folder, hidden ones aside; none in anything else."""
    return [name for name in next(os.walk(path), ("", [], []))[1] if not name.startswith(".")]
