"""Walking folders in sorted order: their files as sources, with labels from the folders.

Files with the name of an archive count as folders; their members are left to `reading`. Litter is never read: hidden
files, backups, and internal files of operating systems and mail servers.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping

from ..decoding import Limits
from ..errors import CorpusError
from ..readers._streams import SPREADSHEET, SPREADSHEETS
from .sources import Found, Labels, Note, Skipped, Source, label_of, litter, loop, loose_file, strictly, unreadable

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".tar.zst", ".tzst")
MAILBOX = rb"From \S+ .*\r?\n[A-Za-z-]+:"  # how one begins
LITTER_STARTS = (".", ",", "dovecot.index", "dovecot.list.index", "dovecot-uid", "dovecot-keywords", "dovecot-acl")
LITTER_ENDS = ("~", ".bak", ".swp")
LITTER_NAMES = ("thumbs.db", "desktop.ini", "__macosx", "maildirfolder", "maildirsize")


def labelled(root: str, *, loose: bool = False, limits: Limits = Limits()) -> Iterator[Found]:
    """The files of a corpus: a folder with a folder for each class, files at any depth below it.

    root    the folder, or an archive of such folders, or with `loose` a file
    loose   whether files beside the class folders are read, because their format has labels
    limits  which documents are refused

    Two folders whose names are canonically equivalent are one class, with a note. A folder without a file gives a note.

    Raises: CorpusError if there is no such folder; DocumentError for anything broken, if the limits are strict.
    """
    return _limited(_labelled(root, loose), limits)


def unlabelled(paths: Iterable[str], limits: Limits = Limits()) -> Iterator[Found]:
    """The files to classify: all that are named, of any kind, and those below the folders named.

    limits  which documents are refused

    Paths keep their order, folders are walked in the order of their names.

    Raises: DocumentError for anything broken, if the limits are strict.
    """
    return _limited(_unlabelled(paths), limits)


def mail_reader(corpora: Iterable[str]) -> str | None:
    """The reader for the first file of some corpora if its name or beginning shows that it is mail; else None."""
    found = (item for root in corpora for item in _labelled(root, True) if isinstance(item, Source))
    first = next(found, None)
    if first is None or not os.path.isfile(first.path):
        return None
    if first.path.lower().endswith(".eml"):
        return "mail"
    try:
        with open(first.path, "rb") as file:
            return "mbox" if re.match(MAILBOX, file.read(1000)) else None
    except OSError:
        return None


def _limited(found: Iterable[Found], limits: Limits) -> Iterator[Found]:
    if limits == Limits():
        return iter(found)
    limited = (item._replace(limits=limits) if isinstance(item, Source) else item for item in found)
    return strictly(limited) if limits.strict else limited


def _labelled(root: str, loose: bool) -> Iterator[Found]:
    if not os.path.isdir(root):
        yield _lone_source(root, loose)
        return
    labels = Labels()
    for found in _entries((root,)):
        if isinstance(found, Skipped):
            yield found
        elif found.is_dir():
            name = os.fsencode(found.name).decode("utf-8", "surrogateescape")  # the same label in every locale
            yield from labels.add(name, found.path)
            yield from _class_sources(found.path, label_of(name), root)
        elif loose or is_archive(found.name):
            yield Source(found.path, None, found.path, classes=is_archive(found.name))
        else:
            yield loose_file(found.path)


def _unlabelled(paths: Iterable[str]) -> Iterator[Found]:
    for path in paths:
        try:
            os.stat(path)
        except (OSError, ValueError) as error:
            yield unreadable(path, error)
            continue
        if not os.path.isdir(path):
            yield Source(path, None, path)
            continue
        for found in _files((path,)):
            yield found if isinstance(found, Skipped) else Source(found.path, None, found.path)


class File:
    """A plain file in a folder, like an entry of `os.scandir`, in a quarter of the memory."""

    __slots__ = "name", "path"

    def __init__(self, name: str, path: str) -> None:
        self.name = name
        self.path = path

    def is_file(self) -> bool:
        """Whether it is a file, or a link to one."""
        return True

    def is_dir(self) -> bool:
        """Whether it is a folder, or a link to one."""
        return False

    def is_symlink(self) -> bool:
        """Whether it is a link."""
        return False


Entry = os.DirEntry[str] | File


def is_archive(name: str) -> bool:
    """Whether a file of this name is an archive."""
    return name.lower().endswith(ARCHIVES)


def is_litter(name: str) -> bool:
    """Whether a file or folder of this name is never read."""
    return (
        name.startswith(LITTER_STARTS)  # MH puts a comma before the number of a deleted message
        or name.endswith(LITTER_ENDS)
        or (name.startswith("#") and name.endswith("#"))
        or name.lower() in LITTER_NAMES
    )


def _entries(within: tuple[str, ...]) -> Iterator[Entry | Skipped]:
    """The files and folders of a folder in the order of their names; for one that is not read, the reason.

    within  the folders walked into, from the root to the folder itself
    """
    try:
        names, others = _listed(within[-1])
    except OSError as error:
        yield unreadable(within[-1], error)
        return
    maildir = _is_maildir(others)
    for name in names:
        entry = others.get(name) or File(name, os.path.join(within[-1], name))
        if maildir and (entry.name == "tmp" or not entry.is_dir()):  # unfinished messages, and files of mail programs
            if not _is_empty_folder(entry):
                yield litter(entry.path)
        else:
            yield _obstacle(entry, within) or entry


def _listed(folder: str) -> tuple[list[str], dict[str, os.DirEntry[str]]]:
    """The names in a folder, sorted, and the entries of all but plain files, of which a mailbox has many."""
    names: list[str] = []
    others: dict[str, os.DirEntry[str]] = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            names.append(entry.name)
            if not entry.is_file(follow_symlinks=False):
                others[entry.name] = entry
    names.sort()
    return names, others


def _is_maildir(entries: Mapping[str, os.DirEntry[str]]) -> bool:
    """Whether a folder's entries are those of a Maildir; a copy of one may lack the subfolders that were empty."""
    folders = {name: entries[name].path for name in ("cur", "new") if name in entries and entries[name].is_dir()}
    return len(folders) == 2 or ("cur" in folders and any(":2," in name for name in os.listdir(folders["cur"])))


def _is_empty_folder(entry: Entry) -> bool:
    try:
        return entry.is_dir() and not os.listdir(entry.path)
    except OSError:
        return False


def _files(within: tuple[str, ...]) -> Iterator[Entry | Skipped]:
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
        yield Note(folder, f"{folder}: no file in it to learn from, so it is left out")


def _lone_source(root: str, loose: bool) -> Source:
    if not os.path.exists(root):
        raise CorpusError(f"{root}: no such folder; name a folder that contains one folder of texts per class")
    if root.lower().endswith(SPREADSHEETS):
        raise CorpusError(f"{root}: {SPREADSHEET}")
    if not (loose or is_archive(root)):
        raise CorpusError(
            f"{root}: not a folder with a folder for each class; for a file of records with labels name the format, "
            "as in --reader csv, and put any other file into the folder of its class"
        )
    return Source(root, None, root, classes=is_archive(root))


def _obstacle(entry: Entry, within: tuple[str, ...]) -> Skipped | None:
    """The reason why an entry is not read, or None."""
    path = entry.path
    if is_litter(entry.name):
        return litter(path)
    try:
        if entry.is_file():
            return None
        if entry.is_dir():
            return loop(path) if entry.is_symlink() and _leads_up(path, within) else None
        if entry.is_symlink() and not os.path.exists(path):
            return Skipped(path, "dangling link", f"{path}: a broken link; fix or remove it")
    except OSError as error:
        return unreadable(path, error)
    return Skipped(path, "special file", f"{path}: a pipe, socket or device, not read; name it to read it")


def _leads_up(link: str, within: tuple[str, ...]) -> bool:
    """Whether a link leads to a folder that was walked into, or that contains one of these."""
    target = os.stat(link)
    return any(os.path.samestat(target, os.stat(folder)) for inner in within for folder in _upwards(inner))


def _upwards(folder: str) -> Iterator[str]:
    path, inner = os.path.realpath(folder), ""
    while path != inner:
        yield path
        path, inner = os.path.dirname(path), path
