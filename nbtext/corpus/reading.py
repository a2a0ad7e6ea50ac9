"""Reading sources: each file with a reader, decompressed if needed, and archives like folders."""

import io
import os
import stat
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from ..analysis import Analysis
from ..decoding import FALLBACK, Decoder, read_as
from ..errors import DocumentError
from ..readers import Document, Read
from . import compression
from .sources import (
    Aside,
    Found,
    Labels,
    Note,
    Skipped,
    Source,
    damaged,
    label_of,
    litter,
    loose_file,
    strictly,
    unreadable,
)
from .walking import is_archive, is_litter

if TYPE_CHECKING:
    from .archives import Member

BUFFER_BYTES = 1 << 16
READERS = {
    ".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl"
}  # fmt: skip


def reader_by_suffix(path: str) -> str | None:
    """The reader for the suffix of a file's name, before that of a compression; None if the suffix says nothing.

    >>> reader_by_suffix("tickets.CSV.gz"), reader_by_suffix("letter.txt")
    ('csv', None)
    """
    name = compression.without_suffix(path).lower()
    return READERS.get(name[name.rfind(".") :])


def opened(sources: Iterable[Found], analysis: Analysis, *, encodings: bool = False) -> Iterator[Document | Aside]:
    """The documents of the sources, in order, and in between what was skipped or odd.

    encodings  whether to note which texts are not UTF-8; mail names its encodings
    """
    reader, decode, read = analysis.input()
    watch = encodings and reader.KIND == "text"
    for source in sources:
        if not isinstance(source, Source):
            yield source
            continue
        for item in documents(source, read, decode):
            yield item
            if watch and decode.encoding == FALLBACK and isinstance(item, Document):
                decode.taken()
                yield Note(item.name, f"{item.name}: not UTF-8, read as {read_as(analysis.encoding)}", told=False)


def documents(source: Source, read: Read, decode: Decoder) -> Iterator[Document | Aside]:
    """The documents in a source, with labels and names; what cannot be read is skipped.

    read    the `read` of a reader
    decode  from bytes to text; it gets the limits of the source

    Raises: DocumentError for anything broken, if the limits are strict.
    """
    decode.limits = source.limits
    found = _found(source, read, decode)
    return strictly(found) if source.limits.strict else found


def _found(source: Source, read: Read, decode: Decoder) -> Iterator[Document | Aside]:
    try:
        stream = open_stream(source.path)
    except (OSError, ValueError) as error:
        yield unreadable(source.name, error, source.label)
        return
    with stream:
        if is_archive(source.name):
            yield from _archived(stream, source, read, decode)
        elif source.range:
            from .ranges import Lines

            yield from _documents(Lines(stream, source.range), source.name, source.label, read, decode)
        else:
            yield from _streamed(stream, source.name, source.label, read, decode)


def open_stream(path: str) -> BinaryIO:
    """The bytes of a file. Small files are read into memory at once, which is faster than a buffer.

    Raises: OSError if there is no such file or it cannot be read.
    """
    number = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        status = os.fstat(number)
        if stat.S_ISREG(status.st_mode) and 0 < status.st_size < BUFFER_BYTES:
            return io.BytesIO(os.read(number, BUFFER_BYTES))
        stream = open(number, "rb", BUFFER_BYTES)  # noqa: SIM115  # the caller closes it
        number = -1
        return stream
    finally:
        if number >= 0:
            os.close(number)


def streamed(stream: BinaryIO, name: str, label: str | None, read: Read, decode: Decoder) -> Iterator[Document | Aside]:
    """The documents in a stream, decompressed if needed; those without a label get this one.

    Raises: DocumentError for anything broken, if the limits of the decoder are strict.
    """
    found = _streamed(stream, name, label, read, decode)
    return strictly(found) if decode.limits.strict else found


def _streamed(
    stream: BinaryIO, name: str, label: str | None, read: Read, decode: Decoder
) -> Iterator[Document | Aside]:
    try:
        plain = compression.plain(stream, name)
        yield from _documents(plain, name, label, read, decode)
        if getattr(plain, "garbage", False):  # after the compressed data
            yield Note(name, f"{name}: more bytes follow the compressed data; they were not read")
    except DocumentError as error:
        yield Skipped(name, error.reason, str(error), label)
    except OSError as error:
        yield unreadable(name, error, label)


def _documents(
    stream: BinaryIO, name: str, label: str | None, read: Read, decode: Decoder
) -> Iterator[Document | Aside]:
    for item in read(stream, name, decode):
        if isinstance(item, Document):
            own = label if item.label is None else label_of(item.label)
            yield item if own is item.label else item._replace(label=own)
        else:
            yield item._replace(label=label)


def _archived(stream: BinaryIO, source: Source, read: Read, decode: Decoder) -> Iterator[Document | Aside]:
    """The documents in the files of an archive."""
    from . import archives  # imported here: the modules for zip take longer to import than all others

    labels = Labels()
    try:
        for member in archives.members(stream, source.name):
            folder = member.path.partition("/")[0] if "/" in member.path else ""
            if source.classes and folder and not is_litter(folder):
                yield from labels.add(folder, f"{source.name}/{folder}")
            name, label = f"{source.name}/{member.path}", labels.get(folder) if source.classes else source.label
            try:
                for found in _member_documents(member, name, label, read, decode):
                    if source.classes and isinstance(found, Document) and found.label is None:
                        yield loose_file(name)
                        break
                    yield found
            except archives.DAMAGE as error:
                yield damaged(name, f"damaged ({error}); get the archive again")
    except DocumentError as error:
        yield Skipped(source.name, error.reason, str(error))
    except OSError as error:
        yield unreadable(source.name, error)


def _member_documents(
    member: "Member", name: str, label: str | None, read: Read, decode: Decoder
) -> Iterator[Document | Aside]:
    if any(map(is_litter, member.path.split("/"))):
        yield litter(name)
    elif is_archive(name):
        yield Skipped(name, "archive", f"{name}: an archive in an archive, not read; unpack the outer one")
    else:
        try:
            stream = member.open()
        except DocumentError as error:
            yield Skipped(name, error.reason, str(error))
            return
        with stream:
            yield from _streamed(stream, name, label, read, decode)
