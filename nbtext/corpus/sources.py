"""What is on disk, as documents: folders walked in sorted order, labels from folders, each file through a reader.

Finding and reading are two steps, so that what is found can be shared out among workers: a walk gives sources, and
`documents` reads one. Both also give what they do not read (`Skipped`) and what is odd (`Note`), each in its place:
nothing is lost in silence. Compression is read through, archives count as folders. What is in a file, a reader knows.

A label is a folder's name, kept exactly but for canonical equivalence (NFC), so that a name typed on one system is
the same class on another.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from io import BufferedReader, BytesIO
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from ..analysis import Analysis
from ..decoding import FALLBACK, Decode, Watched
from ..errors import CorpusError, DocumentError
from ..readers import FAILURES as FAILURES  # noqa: PLC0414  # so that those who read sources find them here
from ..readers import Document, Read
from ..readers import Skipped as Skipped  # noqa: PLC0414
from . import compression

if TYPE_CHECKING:
    from .archives import Member

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".tar.zst", ".tzst")
LITTER_STARTS = (".", ",", "dovecot.index", "dovecot.list.index", "dovecot-uid", "dovecot-keywords", "dovecot-acl")
LITTER_ENDS = ("~", ".bak", ".swp")
LITTER_NAMES = ("thumbs.db", "desktop.ini", "__macosx", "maildirfolder", "maildirsize")
BUFFER_BYTES = 1 << 16
MOST_AHEAD = 1000  # documents that are read at a time,
CHARACTERS_AHEAD = 4_000_000  # unless they are longer than this in all,
PART_CHARACTERS = 60  # where the least part takes as much memory as these


class Range(NamedTuple):
    """A part of a file of lines.

    start, end    its bytes
    lines_before  how many lines the file has before them
    """

    start: int
    end: int
    lines_before: int


class Lines(BytesIO):
    """A range of a file's lines, as a stream that knows how many are before it."""

    def __init__(self, stream: BinaryIO, part: Range) -> None:
        stream.seek(part.start)
        super().__init__(stream.read(part.end - part.start))
        self.lines_before = part.lines_before


class Source(NamedTuple):
    """A file to be read: one document, many, or an archive of files. It can be pickled.

    path     where it is
    label    the class that all its documents belong to, or None
    name     what to call it when speaking to people; its end tells archives and compression
    classes  whether it is an archive whose first-level folders are the classes
    range    the lines to be read, if not all
    """

    path: str
    label: str | None
    name: str
    classes: bool = False
    range: Range | None = None


class Note(NamedTuple):
    """Something odd about what is read, nothing of which is lost.

    name     where it is
    message  a line for people, which begins with the place
    told     whether that line is worth printing; else it is enough to count such places
    """

    name: str
    message: str
    told: bool = True


Aside = Skipped | Note  # what gives no document
Found = Source | Aside  # what a walk gives


def labelled(root: str, *, loose: bool = False) -> Iterator[Found]:
    """The files of a corpus: a folder with a folder for each class, files at any depth below it.

    root   the folder, or an archive of such folders, or with `loose` a file
    loose  whether files beside the class folders are read, since their format carries labels

    Two folders whose names are canonically equivalent are one class, and noted; so is a folder without a file.

    Raises: CorpusError if there is no such folder.
    """
    if not os.path.isdir(root):
        yield _lone_source(root, loose)
        return
    labels: dict[str, str] = {}  # folder's name -> label
    for found in _entries((root,)):
        if isinstance(found, Skipped):
            yield found
        elif found.is_dir():
            name = os.fsencode(found.name).decode("utf-8", "surrogateescape")  # the same label in every locale
            yield from _noted(name, labels, found.path)
            yield from _class_sources(found.path, labels[name], root)
        elif loose or _is_archive(found.name):
            yield Source(found.path, None, found.path, classes=_is_archive(found.name))
        else:
            yield _loose_file(found.path)


def unlabelled(paths: Iterable[str]) -> Iterator[Source | Skipped]:
    """The files to classify: those named, whatever they are, and those below the folders named.

    Paths keep their order, folders are walked in the order of their names.
    """
    for path in paths:
        try:
            os.stat(path)
        except (OSError, ValueError) as error:
            yield _unreadable(path, error)
            continue
        if not os.path.isdir(path):
            yield Source(path, None, path)
            continue
        for found in _files((path,)):
            yield found if isinstance(found, Skipped) else Source(found.path, None, found.path)


def documents(source: Source, read: Read, decode: Decode) -> Iterator[Document | Aside]:
    """The documents in a source, with labels and names.

    read    the `read` of a reader
    decode  from bytes to text, as of `decoding.decoder`

    A file that cannot be read to its end is skipped: wholly if it is one document, else from the record at fault on.
    """
    try:
        stream = open(source.path, "rb")  # noqa: SIM115  # only the failure to open is caught here
    except (OSError, ValueError) as error:
        yield _unreadable(source.name, error)
        return
    with stream:
        if _is_archive(source.name):
            yield from _archived(stream, source, read, decode)
        elif source.range:
            yield from streamed(Lines(stream, source.range), source.name, source.label, read, decode)
        else:
            yield from streamed(stream, source.name, source.label, read, decode)


def opened(sources: Iterable[Found], analysis: Analysis, *, encodings: bool = False) -> Iterator[Document | Aside]:
    """The documents of the sources, in order, and what was skipped or odd on the way.

    encodings  whether to note which texts are not UTF-8; mail names its encodings
    """
    reader, decode = analysis.input()
    watched = Watched(decode)
    watch = encodings and reader.KIND == "text"
    for source in sources:
        if not isinstance(source, Source):
            yield source
            continue
        for item in documents(source, reader.read, watched if watch else decode):
            yield item
            if watch and isinstance(item, Document) and watched.taken() == FALLBACK:
                yield Note(item.name, f"{item.name}: not UTF-8, read as {analysis.encoding}", told=False)


def read_ahead(found: Iterable[Document | Aside]) -> Iterator[Document | Aside]:
    """The same documents and asides, many read before the first is given; the documents have lost their time.

    To read many and then to count or to weigh them takes a tenth less time than to go to and fro with each. Not for
    what is still being written: whoever waits for an answer would wait for more documents.
    """
    ahead: list[Document | Aside] = []
    room = CHARACTERS_AHEAD
    for item in found:
        if isinstance(item, Document):
            room -= sum(map(len, map(itemgetter(1), item.parts)), len(item.parts) * PART_CHARACTERS)
            ahead.append(item._replace(dated=None))  # for it may hold on to a whole message, attachments and all
        else:
            ahead.append(item)
        if room < 0 or len(ahead) == MOST_AHEAD:
            yield from ahead
            ahead, room = [], CHARACTERS_AHEAD
    yield from ahead


def _is_archive(name: str) -> bool:
    return name.lower().endswith(ARCHIVES)


def _is_compressed(name: str) -> bool:
    return name.lower().endswith(compression.SUFFIXES)


def _is_litter(name: str) -> bool:
    return (
        name.startswith(LITTER_STARTS)  # a comma is what MH puts before the number of a message it removes
        or name.endswith(LITTER_ENDS)
        or (name.startswith("#") and name.endswith("#"))
        or name.lower() in LITTER_NAMES
    )


# Walking


def _entries(within: tuple[str, ...]) -> Iterator[os.DirEntry[str] | Skipped]:
    """The files and folders of a folder in the order of their names, or why one is not to be read.

    within  the folders walked into, from the root to the folder itself
    """
    try:
        with os.scandir(within[-1]) as entries:
            ordered = sorted(entries, key=attrgetter("name"))
    except OSError as error:
        yield _unreadable(within[-1], error)
        return
    maildir = _is_maildir(ordered)
    for entry in ordered:
        if maildir and (entry.name == "tmp" or not entry.is_dir()):  # unfinished messages, and what programs keep there
            if not _is_empty_folder(entry):
                yield _litter(entry.path)
        else:
            yield _obstacle(entry, within) or entry


def _is_maildir(entries: Sequence[os.DirEntry[str]]) -> bool:
    """Whether a folder's entries are those of a Maildir; of its own folders a copy may lack those that were empty."""
    folders = {entry.name: entry.path for entry in entries if entry.name in ("cur", "new") and entry.is_dir()}
    return len(folders) == 2 or ("cur" in folders and any(":2," in name for name in os.listdir(folders["cur"])))


def _is_empty_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir() and not os.listdir(entry.path)
    except OSError:
        return False


def _files(within: tuple[str, ...]) -> Iterator[os.DirEntry[str] | Skipped]:
    """The files at any depth below a folder. Not recursive: folders can be deeper than Python's stack."""
    levels = [_entries(within)]
    while levels:
        for found in levels[-1]:
            if isinstance(found, Skipped) or found.is_file():
                yield found
            else:
                within = (*within, found.path)
                levels.append(_entries(within))
                break
        else:
            levels.pop()
            within = within[:-1]


def _class_sources(folder: str, label: str, root: str) -> Iterator[Found]:
    empty = True
    for found in _files((root, folder)):
        if isinstance(found, Skipped):
            yield found
        else:
            empty = False
            yield Source(found.path, label, found.path)
    if empty:
        yield Note(folder, f"{folder}: no file in it to learn from, so it is no class")


def _lone_source(root: str, loose: bool) -> Source:
    if not os.path.exists(root):
        raise CorpusError(f"{root}: no such folder; name one that has a folder of texts for each class")
    if not (loose or _is_archive(root)):
        raise CorpusError(
            f"{root}: not a folder with a folder for each class; a file whose records have labels needs a reader that "
            "knows them, as in --reader csv, and others go into the folder of their class"
        )
    return Source(root, None, root, classes=_is_archive(root))


def _obstacle(entry: os.DirEntry[str], within: tuple[str, ...]) -> Skipped | None:
    """Why an entry is not to be read, or None."""
    path = entry.path
    if _is_litter(entry.name):
        return _litter(path)
    try:
        if entry.is_file():
            return None
        if entry.is_dir():
            return _loop(path) if entry.is_symlink() and _leads_up(path, within) else None
        if entry.is_symlink() and not os.path.exists(path):
            return Skipped(path, "dangling link", f"{path}: a link to nothing; mend or remove it")
    except OSError as error:
        return _unreadable(path, error)
    return Skipped(path, "special file", f"{path}: a pipe, socket or device, not read; name it to read it")


def _leads_up(link: str, within: tuple[str, ...]) -> bool:
    """Whether a link's folder is one of those walked into, or one that any of these really lies in."""
    target = os.stat(link)
    return any(os.path.samestat(target, os.stat(folder)) for inner in within for folder in _upwards(inner))


def _upwards(folder: str) -> Iterator[str]:
    path, inner = os.path.realpath(folder), ""
    while path != inner:
        yield path
        path, inner = os.path.dirname(path), path


# Reading


def streamed(stream: BinaryIO, name: str, label: str | None, read: Read, decode: Decode) -> Iterator[Document | Aside]:
    """The documents in a stream, decompressed if its name says so, with the label where they have none."""
    try:
        if not _is_compressed(name):
            yield from _with_label(read(stream, name, decode), label)
            return
        plain = compression.Plain(stream, name)
        yield from _with_label(read(BufferedReader(plain, BUFFER_BYTES), name, decode), label)
        if plain.garbage:
            yield Note(name, f"{name}: something follows the end of the compressed data, and was not read")
    except DocumentError as error:
        yield Skipped(name, error.reason, str(error))
    except OSError as error:
        yield _unreadable(name, error)


def _with_label(found: Iterable[Document | Skipped], label: str | None) -> Iterator[Document | Skipped]:
    for document in found:
        if isinstance(document, Skipped):
            yield document
            continue
        own = label if document.label is None else label_of(document.label)
        yield document._replace(label=own)


def _archived(stream: BinaryIO, source: Source, read: Read, decode: Decode) -> Iterator[Document | Aside]:
    """The documents in the files of an archive."""
    from . import archives  # the modules for tar and zip take longer to import than all the rest

    labels: dict[str, str] = {}  # folder's name -> label
    try:
        if _is_compressed(source.name):
            stream = BufferedReader(compression.Plain(stream, source.name), BUFFER_BYTES)
        for member in archives.members(stream, source.name):
            folder = member.path.partition("/")[0] if "/" in member.path else ""
            if source.classes and folder and not _is_litter(folder):
                yield from _noted(folder, labels, f"{source.name}/{folder}")
            name, label = f"{source.name}/{member.path}", labels.get(folder) if source.classes else source.label
            try:
                for found in _member_documents(member, name, label, read, decode):
                    if source.classes and isinstance(found, Document) and found.label is None:
                        yield _loose_file(name)
                        break
                    yield found
            except archives.DAMAGE as error:
                yield Skipped(name, "damaged", f"{name}: damaged ({error}); get the archive again")
    except DocumentError as error:
        yield Skipped(source.name, error.reason, str(error))
    except OSError as error:
        yield _unreadable(source.name, error)


def _member_documents(
    member: "Member", name: str, label: str | None, read: Read, decode: Decode
) -> Iterator[Document | Aside]:
    if any(map(_is_litter, member.path.split("/"))):
        yield _litter(name)
    elif _is_archive(name):
        yield Skipped(name, "archive", f"{name}: an archive in an archive, not read; unpack the outer one")
    else:
        try:
            stream = member.open()
        except DocumentError as error:
            yield Skipped(name, error.reason, str(error))
            return
        with stream:
            yield from streamed(stream, name, label, read, decode)


# What is said of labels and of files not read


def label_of(name: str) -> str:
    """The label that a folder of this name stands for."""
    if name.isascii():
        return name
    from unicodedata import normalize  # most starts can do without it

    return normalize("NFC", name)


def _noted(folder: str, labels: dict[str, str], place: str) -> Iterator[Note]:
    """Gives a folder its label, with a note if another folder has the same already."""
    if folder not in labels:
        label = label_of(folder)
        if label in labels.values():
            yield Note(place, f"{place}: one class with another folder, whose name differs only in its Unicode form")
        labels[folder] = label


def without_label(name: str) -> Skipped:
    """A document that a reader or folder gives no label."""
    return Skipped(name, "no label", f"{name}: the document has no label")


def without_token(name: str) -> Skipped:
    """A document in which the tokenizer finds nothing."""
    return Skipped(name, "empty", f"{name}: no token in it")


def _litter(path: str) -> Skipped:
    return Skipped(path, "litter", f"{path}: hidden, a backup or a system's own file, never read")


def _loop(path: str) -> Skipped:
    return Skipped(path, "loop", f"{path}: a link back up to a folder it lies in, not followed")


def _loose_file(path: str) -> Skipped:
    return Skipped(path, "loose file", f"{path}: beside the class folders, so without a label; move it into one")


def _unreadable(path: str, error: OSError | ValueError) -> Skipped:
    words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Skipped(path, "unreadable", f"{path}: {words}")
