"""What is found in files and folders: sources of documents, skipped files with the reason, and oddities.

Finding and reading are two steps, so that workers can share the sources: `walking` finds them, `reading` turns a source
into documents. Both also report what they skip (`Skipped`) and what is odd (`Note`), in order, so that nothing
disappears unnoticed.

A label is a folder's name, unchanged but for Unicode normalisation (NFC), so that a name typed on one system is the
same class on another.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ..decoding import Limits
from ..errors import DocumentError
from ..readers import FAILURES as FAILURES  # noqa: PLC0414  # so that users of sources can import them from here
from ..readers import Skipped as Skipped  # noqa: PLC0414

if TYPE_CHECKING:
    from .ranges import Range

EMPTY = "empty"  # the reason for leaving out a document without tokens
NO_LABEL = "no label"  # the reason for leaving out a document without a label


class Source(NamedTuple):
    """A file to be read: one document, many, or an archive of files. It can be pickled.

    path     where it is
    label    the class that all its documents belong to, or None
    name     its name in messages; the suffix shows archives and compression
    classes  whether it is an archive whose first-level folders are the classes
    range    the lines to be read, if not all
    limits   which of its documents are refused
    """

    path: str
    label: str | None
    name: str
    classes: bool = False
    range: "Range | None" = None
    limits: Limits = Limits()


class Note(NamedTuple):
    """Something odd in the input that is read all the same.

    name     where it is
    message  a line for people, which begins with the place
    told     whether that line is worth printing; else such places are only counted
    """

    name: str
    message: str
    told: bool = True


Aside = Skipped | Note  # reports beside the documents
Found = Source | Aside  # results of a walk

Item = TypeVar("Item")


def label_of(name: str) -> str:
    """The label of a folder of this name."""
    if name.isascii():
        return name
    from unicodedata import normalize  # imported here, as most starts do not need it

    return normalize("NFC", name)


def strictly(found: Iterable[Item | Aside]) -> Iterator[Item | Aside]:
    """The same, up to the first thing that is broken.

    Raises: DocumentError, with its message.
    """
    for item in found:
        if isinstance(item, Skipped) and item.failed:
            raise DocumentError(item.message, item.reason)
        yield item


class Labels:
    """The labels of class folders; folders whose names are canonically equivalent share one."""

    def __init__(self) -> None:
        self._of: dict[str, str] = {}
        self._given: set[str] = set()

    def get(self, folder: str) -> str | None:
        """The label of a folder that has been added."""
        return self._of.get(folder)

    def add(self, folder: str, place: str) -> Iterator[Note]:
        """Give a folder its label; yield a note if another folder has the same label already."""
        if folder not in self._of:
            label = self._of[folder] = label_of(folder)
            if label in self._given:
                yield Note(place, f"{place}: same class as another folder, whose name differs only in its Unicode form")
            self._given.add(label)


def damaged(name: str, found: str) -> Skipped:
    """A broken input."""
    return Skipped(name, "damaged", f"{name}: {found}")


def without_label(name: str) -> Skipped:
    """A document without a label from its reader or folder."""
    return Skipped(name, NO_LABEL, f"{name}: the document has no label")


def without_token(name: str, label: str | None) -> Skipped:
    """A document in which the tokenizer finds nothing."""
    return Skipped(name, EMPTY, f"{name}: no token in it", label)


def litter(path: str) -> Skipped:
    """A file or folder that is never read."""
    return Skipped(path, "litter", f"{path}: a hidden file, backup or system file, never read")


def loop(path: str) -> Skipped:
    """A link to a folder that contains it."""
    return Skipped(path, "loop", f"{path}: a link to a folder that contains it, not followed")


def loose_file(path: str) -> Skipped:
    """A file beside the class folders."""
    return Skipped(path, "loose file", f"{path}: beside the class folders, so it has no label; move it into one")


def unreadable(path: str, error: OSError | ValueError, label: str | None = None) -> Skipped:
    """A file or folder that cannot be read because of an error of the system."""
    words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Skipped(path, "unreadable", f"{path}: {words}", label)
