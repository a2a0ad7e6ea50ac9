"""The documents that a command is given: files, folders, lists of files, standard input."""

import os
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO, TypeVar

import click

from ..analysis import Analysis
from ..classification.bulk import Decided, decided
from ..classification.decision import Classifier
from ..corpus.reading import opened, streamed
from ..corpus.sources import Aside, Note, Skipped
from ..corpus.walking import unlabelled
from ..readers import Document
from . import TROUBLE, _options, complain

Item = TypeVar("Item")

STANDARD_INPUT = "-"
FIXED = "tokenizer", "ngrams", "encoding"  # by the model; a reader of the same kind will do
NEVER_READ = {"litter", "loop", "special file"}  # why something below a folder is left out without a word


def standard_input() -> BinaryIO:
    """The bytes of standard input.

    Raises: UsageError if it is closed.
    """
    if sys.stdin is None or sys.stdin.closed:
        raise click.UsageError("nothing to read: standard input is closed; name a file")
    return sys.stdin.buffer


def stream(path: str) -> BinaryIO:
    """The bytes of a file, or of standard input.

    Raises: OSError if it cannot be opened; UsageError if that is closed.
    """
    return standard_input() if path == STANDARD_INPUT else open(path, "rb")


class Inputs:
    """The documents in what the command line names. What cannot be read is complained of, and makes the status.

    paths       files, folders, or "-" for standard input; nothing at all is standard input too
    files_from  a file of further paths, one a line, or NUL-separated if there is a NUL in it; "-" reads them from
                standard input
    """

    def __init__(self, analysis: Analysis, paths: tuple[str, ...], files_from: str | None = None) -> None:
        self.status = 0
        if not paths and not files_from:
            paths = (STANDARD_INPUT,)
        self.live = STANDARD_INPUT in (*paths, files_from)  # each answer is awaited: let it go at once
        if self.live:
            standard_input()
        if STANDARD_INPUT in paths and files_from == STANDARD_INPUT:
            raise click.UsageError("standard input cannot be both a document and the list of --files-from")
        self.analysis = analysis
        # Whether all can be looked over before the first is answered
        self.at_hand = not self.live and (files_from is None or os.path.isfile(files_from))
        self.paths = chain(paths, _listed(files_from) if files_from else ())

    def __iter__(self) -> Iterator[Document]:
        return self._told(self._found())

    def decided(self, classify: Classifier, jobs: int | None) -> Iterator[Decided]:
        """The decisions on the documents, in order; by several processes if there are so many that it pays."""
        if self.at_hand:
            return self._told(decided(classify, unlabelled(self.paths), self.analysis, jobs))
        return (Decided(document.name, classify(document)) for document in self)

    def _told(self, found: Iterable[Item | Aside]) -> Iterator[Item]:
        """What was found, without what is complained of."""
        for item in found:
            if not isinstance(item, Aside):
                yield item
            elif isinstance(item, Note) or item.reason not in NEVER_READ:
                complain(item.message)
                self.status = TROUBLE if isinstance(item, Skipped) else self.status

    def _found(self) -> Iterator[Document | Aside]:
        reader, decode = self.analysis.input()
        for path in self.paths:
            if path == STANDARD_INPUT:
                yield from streamed(standard_input(), STANDARD_INPUT, None, reader.read, decode)
            else:
                yield from opened(unlabelled([path]), self.analysis)


def inputs(analysis: Analysis, files: tuple[str, ...], settings: dict[str, Any]) -> Inputs:
    """What the `input_options` ask for, read as the analysis of a model says, by another reader if one is named.

    Raises: UsageError if that does not make the documents that the model was trained on.
    """
    _options.refuse_contradiction(_options.given(settings, FIXED), analysis)
    asked = settings["reader"]
    if settings["lines"]:
        if asked not in (None, "lines"):
            raise click.UsageError(f"--lines is --reader lines, which is not --reader {asked}")
        asked = "lines"
    reading = analysis._replace(reader=asked or analysis.reader)
    if reading.input().reader.KIND != analysis.input().reader.KIND:
        raise click.UsageError(f"the model was trained with --reader {analysis.reader}; {asked} reads other documents")
    return Inputs(reading, files, settings["files_from"])


def _listed(path: str) -> Iterator[str]:
    """The paths in a list, as they come.

    Raises: UsageError, at once, if the list cannot be opened.
    """
    try:
        return _entries(stream(path))
    except OSError as error:
        raise click.UsageError(f"--files-from {path}: {error.strerror}") from None


def _entries(lines: BinaryIO) -> Iterator[str]:
    with lines:
        first = lines.readline()
        if b"\0" in first:
            yield from map(os.fsdecode, filter(None, (first + lines.read()).split(b"\0")))
        else:
            yield from (os.fsdecode(line.rstrip(b"\r\n")) for line in chain([first], lines) if line.strip())
