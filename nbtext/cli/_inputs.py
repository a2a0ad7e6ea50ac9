"""The documents that a command is given: files, folders, lists of files, standard input."""

import os
import sys
from collections.abc import Iterator
from itertools import chain

import click

from .. import corpus
from ..corpus import Note, Skipped, Source
from ..model import Model
from ..readers import Decode, Document, Reader

STANDARD_INPUT = "-"


class Inputs:
    """What was named on the command line, read by one reader.

    paths       files, folders, or "-" for standard input; nothing at all is standard input too
    files_from  a file of further paths, one a line, or NUL-separated if there is a NUL in it; "-" reads them from
                standard input
    """

    def __init__(self, reader: Reader, decode: Decode, paths: tuple[str, ...], files_from: str | None = None) -> None:
        if not paths and not files_from:
            paths = (STANDARD_INPUT,)
        if (STANDARD_INPUT in paths or files_from == STANDARD_INPUT) and (sys.stdin is None or sys.stdin.closed):
            raise click.UsageError("nothing to read: standard input is closed; name a file")
        self.reader = reader
        self.decode = decode
        self.live = STANDARD_INPUT in paths or files_from == STANDARD_INPUT  # each answer is awaited: let it go at once
        self.paths = chain(paths, _listed(files_from) if files_from else ())

    def __iter__(self) -> Iterator[Document | Skipped | Note]:
        for path in self.paths:
            if path == STANDARD_INPUT:
                yield from corpus.streamed(sys.stdin.buffer, STANDARD_INPUT, None, self.reader.read, self.decode)
                continue
            for source in corpus.unlabelled([path]):
                if isinstance(source, Source):
                    yield from corpus.documents(source, self.reader.read, self.decode)
                else:
                    yield source


def reader_of(model: Model, name: str | None, encoding: str | None = None) -> tuple[Reader, Decode]:
    """The reader asked for, by default the model's, with the model's way to decode.

    Raises: UsageError if it does not make the documents that the model was trained on.
    """
    own, decode = model.analysis.input()
    if encoding is not None and encoding != model.analysis.encoding:
        raise click.UsageError(f"the model was trained with --encoding {model.analysis.encoding}, not {encoding}")
    if name is None:
        return own, decode
    other = model.analysis._replace(reader=name).input().reader
    if other.KIND != own.KIND:
        raise click.UsageError(
            f"the model was trained with --reader {model.analysis.reader}; {name} reads other documents"
        )
    return other, decode


def _listed(path: str) -> Iterator[str]:
    """The paths in a list, as they come."""
    try:
        stream = sys.stdin.buffer if path == STANDARD_INPUT else open(path, "rb")  # noqa: SIM115
    except OSError as error:
        raise click.UsageError(f"--files-from {path}: {error.strerror}") from None
    with stream:
        first = stream.readline()
        if b"\0" in first:
            yield from map(os.fsdecode, filter(None, (first + stream.read()).split(b"\0")))
        else:
            yield from (os.fsdecode(line.rstrip(b"\r\n")) for line in chain([first], stream) if line.strip())
