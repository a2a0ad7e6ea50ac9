"""The documents that a command reads: files, folders, lists of files, standard input."""

import os
from collections.abc import Iterable, Iterator
from io import BufferedReader, BytesIO
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import click

from ..analysis import Analysis
from ..classification.decision import Classifier, Decision
from ..corpus.reading import opened, reader_by_suffix, streamed
from ..corpus.sources import Aside, Found, Note, Skipped
from ..corpus.walking import unlabelled
from ..decoding import Decoder, Limits, Rejoined, decoder
from ..errors import DocumentError
from ..readers import Document, Read
from . import TROUBLE, _columns, _file_list, _options
from ._aside import Complaints
from ._output import complain
from ._standard_input import STANDARD_INPUT, standard_input, stream

if TYPE_CHECKING:
    from ..classification.bulk import Answered, Named

Item = TypeVar("Item")

LONGEST_FIRST_LINE = 1 << 20  # bytes of a stream that are looked at
FIXED = "tokenizer", "ngrams", "encoding"  # by the model; any reader of the same kind can be used
_HOW_TO_PASS_TEXT = "; to classify a text, pipe it in: echo 'some text' | nbtext ..."
# Reasons for which something in a folder or a mailbox is left out without a message
NEVER_READ = {"litter", "loop", "special file", "deleted", "internal data"}


class Inputs:
    """The documents that the command line names. Unreadable ones are reported, and set the exit status.

    paths       files, folders, or "-" for standard input; none means standard input too
    files_from  a file of further paths, see `_file_list`; "-" reads them from standard input
    recursive   whether folders in that list are read too: by default a stray "." in a list must not mean all files
    limits      which documents are refused
    recognise   whether the name or beginning of a file or stream decides how it is read
    """

    def __init__(
        self,
        analysis: Analysis,
        paths: tuple[str, ...],
        files_from: str | None = None,
        *,
        recursive: bool = False,
        limits: Limits = Limits(),
        recognise: bool = False,
    ) -> None:
        self.status = 0
        self.many = False  # answered at a time
        if not paths and not files_from:
            paths = (STANDARD_INPUT,)
        self.live = STANDARD_INPUT in (*paths, files_from)  # someone waits for each answer: print it at once
        if self.live:
            standard_input()
        if STANDARD_INPUT in paths and files_from == STANDARD_INPUT:
            raise click.UsageError("standard input cannot be both a document and the list of --files-from")
        self.analysis = analysis
        self.recognise = recognise
        self.by_id = bool(analysis.columns.id)
        self.listing = bool(files_from)
        self.analyses = [
            recognised(analysis, path) if recognise and path != STANDARD_INPUT else analysis for path in paths
        ]
        self.limits = limits
        # Whether all can be looked over before the first is answered
        self.at_hand = not self.live and (files_from is None or os.path.isfile(files_from))
        listed = _listed(files_from) if files_from else iter(())
        self.named = self.paths = paths
        self.listed = unlabelled(listed, limits) if recursive else _files(listed, limits)

    def __iter__(self) -> Iterator[Document]:
        return self._documents(self._found())

    def decided(
        self, classify: Classifier, jobs: int | None, *, records: bool = False
    ) -> "Iterator[tuple[Document | Named, Decision]]":
        """Each document (or a `Named`) with the decision on it, in order; many at a time if that is faster.

        records  whether to keep their records
        """
        if bulk := self.bulk(classify, jobs, records=records):
            return chain.from_iterable(some.decided() for some in bulk)
        return ((document, classify(document)) for document in self)

    def shown_name(self, named: "Document | Named") -> str:
        """The name of a document in text output: its identifier, if a column of identifiers was named."""
        return named.id if self.by_id and named.id is not None else named.name

    def bulk(self, classify: Classifier, jobs: int | None, *, records: bool = False) -> "Iterator[Answered] | None":
        """The documents answered many at a time, in order; None if there are too few, or each answer is awaited."""
        first, *others = [*self.analyses, *([self.analysis] if self.listing else [])]
        if not self.at_hand or any(other != first for other in others):
            return None
        from ..corpus.batches import weighed

        found, worth = weighed(chain(unlabelled(self.paths, self.limits), self.listed))
        if not worth:
            self.paths, self.listed, self.analysis = (), found, first
            return None
        from ..classification.bulk import answer_sources  # imported here, as it takes long to load

        self.many = True
        return self._documents(answer_sources(classify, found, first, jobs, records=records))

    def _documents(self, found: Iterable[Item | Aside]) -> Iterator[Item]:
        """The documents found; report everything else."""
        complaints = Complaints()
        for item in found:
            if not isinstance(item, Aside):
                yield item
            elif isinstance(item, Note) or item.reason not in NEVER_READ:
                hint = _HOW_TO_PASS_TEXT if self._may_be_text(item.name) else ""
                if self.live or hint:  # someone waits for each answer, so say at once that one does not come
                    complain(item.message + hint)
                else:
                    complaints.add(item)
                self.status = TROUBLE if isinstance(item, Skipped) else self.status
        complaints.end()

    def _may_be_text(self, name: str) -> bool:
        """Whether a name without a file was probably meant as a text to classify."""
        looks_like_text = " " in name or not {".", "/"} & set(name)
        return looks_like_text and name in self.named and name != STANDARD_INPUT and not os.path.lexists(name)

    def _found(self) -> Iterator[Document | Aside]:
        for path, analysis in zip(self.paths, self.analyses, strict=False):
            if path == STANDARD_INPUT:
                _, decode, read = analysis.input(self.limits)
                if self.recognise:
                    read = recognising_reader(analysis)
                yield from streamed(standard_input(), STANDARD_INPUT, None, read, decode)
            else:
                yield from opened(unlabelled([path], self.limits), analysis)
        yield from opened(self.listed, self.analysis)


def recognised(analysis: Analysis, path: str) -> Analysis:
    """How to read a file: by its suffix, else by its first line; a folder is read as for the model."""
    if analysis.input().reader.KIND != "text" or not os.path.isfile(path):
        return analysis
    if reader := reader_by_suffix(path):
        return analysis._replace(reader=reader, fields=analysis.columns._replace(labelled=False).spec())
    if not _has_records(analysis):
        return analysis
    try:
        with open(path, "rb") as stream:
            return _by_first_line(stream.readline(LONGEST_FIRST_LINE), analysis)
    except OSError:  # reading it will report the error
        return analysis


def recognising_reader(analysis: Analysis) -> Read:
    """The `read` for a stream: by its first line if the model was trained on records, else as for the model."""
    if not _has_records(analysis):
        return analysis.input().read

    def read(stream: BinaryIO, name: str, decode: Decoder) -> Iterator[Document | Skipped]:
        first = stream.readline(LONGEST_FIRST_LINE)
        yield from _by_first_line(first, analysis).input().read(BufferedReader(Rejoined(first, stream)), name, decode)

    return read


def _has_records(analysis: Analysis) -> bool:
    return analysis.reader == "fasttext" or analysis.has_columns


def _by_first_line(first: bytes, analysis: Analysis) -> Analysis:
    """How to read a stream that begins with this line: as records if it looks like one, else as text."""
    if b"\0" in first or _begins_records(first, analysis):
        return analysis
    if analysis.has_columns and _is_object(first):
        return analysis._replace(reader="jsonl")
    return analysis._replace(reader="text", fields=analysis.columns.without_columns().spec())


def _is_object(first: bytes) -> bool:
    """Whether a line is a JSON object, whatever the format of the model's corpus."""
    if not first.lstrip().startswith(b'{"'):
        return False
    import json

    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _begins_records(first: bytes, analysis: Analysis) -> bool:
    """Whether a first line can begin the records that the reader reads."""
    columns = analysis.columns
    text = decoder(analysis.encoding)(first)
    if analysis.reader == "jsonl":
        return text.lstrip()[:1] in ("{", "[")
    if analysis.reader == "fasttext":
        return "__label__" in text
    if text.lower()[:4] == "sep=":
        return True
    if not columns.header:
        return _is_row(text, analysis)
    try:
        found = next(iter(analysis.input().read(BytesIO(first), "", decoder(analysis.encoding))), None)
    except DocumentError:
        return False
    return found is None if analysis.reader == "csv" else "\t" in text


def _is_row(text: str, analysis: Analysis) -> bool:
    """Whether a line can be a row of a table without header: it has all columns, and none begins with a blank."""
    from ..readers.csv import DELIMITERS, separated

    columns = analysis.columns
    delimiters = columns.delimiter or ("\t" if analysis.reader == "tsv" else DELIMITERS)
    _, cells = separated(text.rstrip("\r\n"), delimiters, columns)
    needed = [int(column) for column in (*columns.text, *columns.category, *columns.number) if column.isdecimal()]
    return len(cells) >= max([2, *needed]) and not any(cell.startswith(" ") for cell in cells)


def inputs(analysis: Analysis, files: tuple[str, ...], settings: dict[str, Any]) -> Inputs:
    """The documents that the `input_options` name, read by the model's analysis, or by the reader that is given.

    Raises: UsageError if that contradicts the model.
    """
    _options.refuse_contradiction(_options.given(settings, FIXED), analysis)
    asked = settings["reader"]
    if settings["lines"]:
        if asked not in (None, "lines"):
            raise click.UsageError(f"--lines means --reader lines, which contradicts --reader {asked}")
        asked = "lines"
    fields = _columns.fields_of(settings, analysis.columns)
    chosen = analysis._replace(reader=asked or analysis.reader, fields=fields.spec())
    if chosen.has_columns:
        chosen = chosen._replace(fields=fields._replace(labelled=False).spec())
    elif asked:
        chosen = chosen._replace(fields=fields.without_columns().spec())
    if chosen.input().reader.KIND != analysis.input().reader.KIND:
        raise click.UsageError(
            f"the model was trained with --reader {analysis.reader}; {asked} reads another kind of document"
        )
    limits = _options.limits_of(settings)
    return Inputs(
        chosen, files, settings["files_from"], recursive=settings["recursive"], limits=limits, recognise=asked is None
    )


def _files(paths: Iterable[str], limits: Limits) -> Iterator[Found]:
    """The files at the paths; folders are refused."""
    for path in paths:
        if os.path.isdir(path):
            message = f"{path}: a folder, not a file; add --recursive to read the files below it"
            yield Skipped(path, "folder", message)
        else:
            yield from unlabelled([path], limits)


def _listed(path: str) -> Iterator[str]:
    """The paths in a list, one by one.

    Raises: UsageError, at once, if the list cannot be read, or is not a list.
    """
    try:
        names = _file_list.names(stream(path))
        first = next(names, b"")  # before any document is read
    except OSError as error:
        raise click.UsageError(f"--files-from {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise click.UsageError(f"--files-from {path}: {error.reason}; write the list as UTF-8") from None
    return (os.fsdecode(name) for name in chain([first], names) if name)
