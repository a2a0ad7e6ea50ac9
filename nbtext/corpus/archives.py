"""Archives, read as folders: the members of tar and zip files as streams. Nothing is ever extracted to the disk.

Empty, `.` and `..` parts of a member's name are dropped. Links inside an archive are not followed.
"""

import io
import lzma
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import BinaryIO, NamedTuple, NoReturn, cast

from ..errors import DocumentError
from . import tar
from .compression import plain
from .decompression import FREE_BYTES, MOST_TIMES, unpacks_too_far

# Errors that reading a member's stream can raise, beside OSError and DocumentError, when the archive is damaged.
DAMAGE = (tar.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError)


class Member(NamedTuple):
    """A file in an archive.

    path  its parts joined by slashes, as in "spam/1.txt"
    open  gives its stream; read it before asking for the next member

    Opening raises: DocumentError if the member is not a file that can be read.
    """

    path: str
    open: Callable[[], BinaryIO]


def members(stream: BinaryIO, name: str) -> Iterator[Member]:
    """The files in an archive: of a tar in its own order, reading it once; of a zip in the order of their names.

    stream  the archive; for a zip it must be seekable
    name    of the archive: its suffix distinguishes tar and zip, and errors name it

    Raises: DocumentError if the archive is damaged or cut short, after the undamaged members before.
    """
    try:
        yield from _zipped(stream, name) if name.lower().endswith(".zip") else _tarred(plain(stream, name), name)
    except (*DAMAGE, ValueError, NotImplementedError) as error:
        raise DocumentError(f"{name}: damaged archive ({error}); only undamaged files were read", "damaged") from None


def _tarred(stream: BinaryIO, name: str) -> Iterator[Member]:
    for entry in tar.entries(stream):
        place = f"{name}: {entry.path}"
        yield Member(
            _path(entry.path), partial(io.BufferedReader, entry.content) if entry.is_file else partial(_no_file, place)
        )


def _zipped(stream: BinaryIO, name: str) -> Iterator[Member]:
    size, total = stream.seek(0, io.SEEK_END), 0
    with zipfile.ZipFile(stream) as archive:
        for info in sorted(archive.infolist(), key=lambda info: info.filename):
            total += info.file_size
            if total > max(FREE_BYTES, MOST_TIMES * size):
                raise DocumentError(f"{name}: {unpacks_too_far()}", "too large")
            if not info.filename.endswith("/"):  # is_dir fails for an empty name
                yield Member(_path(info.filename), partial(_open_zipped, archive, info, f"{name}: {info.filename}"))


def _open_zipped(archive: zipfile.ZipFile, info: zipfile.ZipInfo, place: str) -> BinaryIO:
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
        _no_file(place)
    try:
        return cast(BinaryIO, archive.open(info))
    except (RuntimeError, ValueError) as error:  # a password is needed, or the compression method is unknown
        raise DocumentError(f"{place}: {error}; unpack the archive first", "unreadable") from None


def _path(name: str) -> str:
    return "/".join(part for part in name.split("/") if part not in ("", ".", ".."))


def _no_file(place: str) -> NoReturn:
    raise DocumentError(
        f"{place}: a link, device or sparse file in an archive: not read; unpack the archive first", "special file"
    )
