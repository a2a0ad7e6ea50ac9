"""The corpus on disk: what is walked, what is skipped and why, and what compression and archives hold."""

import bz2
import errno
import gzip
import inspect
import io
import lzma
import os
import pickle
import random
import socket
import sys
import tarfile
import tracemalloc
import zipfile
from collections import deque
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from nbtext.corpus import reading
from nbtext.corpus.reading import documents
from nbtext.corpus.sources import Note, Skipped, Source
from nbtext.corpus.tar import entries
from nbtext.corpus.walking import labelled, unlabelled
from nbtext.decoding import READ, Limits, decoder
from nbtext.errors import CorpusError, DocumentError
from nbtext.readers import Document, jsonl, lines, text

from ..small import EXAMPLES
from ..timing import seconds

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
decode = decoder()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(files):
    """Writes files, as in {"corpus/spam/1.txt": b"..."}; a path that ends in a slash is a folder."""
    for path, data in files.items():
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        if not path.endswith("/"):
            with open(path, "wb") as file:
                file.write(data)


def sources(found):
    return [(source.label, source.path) for source in found if isinstance(source, Source)]


def skipped(found):
    return [(each.reason, each.name) for each in found if isinstance(each, Skipped)]


def read(path, reader=text, label=None, classes=False):
    return list(documents(Source(path, label, path, classes), reader.read, decode))


def texts(found):
    """(label, name, text) of each document of one part."""
    return [(each.label, each.name, each.parts[0][1]) for each in found if isinstance(each, Document)]


def learned(root, reader=text, *, loose=False):
    """All that comes of a corpus, both steps of it."""
    found: list[Source | Document | Skipped | Note] = []
    for each in labelled(root, loose=loose):
        found.extend(documents(each, reader.read, decode) if isinstance(each, Source) else [each])
    return found


# Labels and layout


def test_a_label_is_the_first_folder_and_the_order_is_that_of_the_names(folder):
    put({"c/spam/2.txt": b"", "c/spam/10.txt": b"", "c/ham/2024/b/x.txt": b"", "c/ham/2024/a": b"", "c/ham/z": b""})
    found = list(labelled("c"))
    assert found == [
        Source("c/ham/2024/a", "ham", "c/ham/2024/a"),
        Source("c/ham/2024/b/x.txt", "ham", "c/ham/2024/b/x.txt"),
        Source("c/ham/z", "ham", "c/ham/z"),
        Source("c/spam/10.txt", "spam", "c/spam/10.txt"),
        Source("c/spam/2.txt", "spam", "c/spam/2.txt"),
    ]
    assert pickle.loads(pickle.dumps(found)) == found


def test_the_order_on_disk_does_not_matter(folder, monkeypatch):
    put({f"c/{label}/{number}": b"" for label in "ba" for number in range(9)})
    usual = list(labelled("c"))
    scandir = os.scandir

    class Shuffled:
        def __init__(self, path):
            with scandir(path) as entries:
                self.entries = random.Random(1).sample(found := list(entries), len(found))

        def __enter__(self):
            return iter(self.entries)

        def __exit__(self, *error):
            pass

    monkeypatch.setattr(os, "scandir", Shuffled)
    assert list(labelled("c")) == usual


@pytest.mark.parametrize(
    "name", ["not spam", "-rf", "--help", "日本", "a:b|c", "NA", "01", "\udcff", "two\nlines\tand a tab", " "]
)
def test_a_name_is_kept_exactly(folder, name):
    put({f"c/{name}/{name}": b"words"})
    assert texts(learned("c")) == [(name, f"c/{name}/{name}", "words")]


def test_names_that_are_canonically_equivalent_meet_in_one_class(folder):
    put({"c/cafe\u0301/1": b"", "c/café/2": b"", "c/the\u0301/3": b""})
    found = list(labelled("c"))
    assert {label for label, _ in sources(found)} == {"café", "thé"}
    assert [each.name for each in found if isinstance(each, Note)] == ["c/café"]
    assert len(found) == 4


def test_loose_files_are_reported_or_carry_their_own_labels(folder):
    put({"c/all.jsonl": b'{"text": "a", "label": "x"}', "c/y/b.jsonl": b'{"text": "b"}\n{"text": "c", "label": "z"}'})
    assert skipped(labelled("c")) == [("loose file", "c/all.jsonl")]
    assert texts(learned("c", jsonl, loose=True)) == [
        ("x", "c/all.jsonl:1", "a"),
        ("y", "c/y/b.jsonl:1", "b"),
        ("z", "c/y/b.jsonl:2", "c"),
    ]
    assert sources(labelled("c/all.jsonl", loose=True)) == [(None, "c/all.jsonl")]


def test_labels_in_records_meet_those_of_folders(folder):
    put({"c/all.jsonl": '{"text": "a", "label": "cafe\u0301"}'.encode()})
    assert texts(learned("c", jsonl, loose=True)) == [("café", "c/all.jsonl:1", "a")]


def test_a_class_without_a_file_is_noted(folder):
    put({"c/empty/deep/": b"", "c/litter/.hidden": b"", "c/spam/1": b""})
    notes = [each.name for each in labelled("c") if isinstance(each, Note)]
    assert notes == ["c/empty", "c/litter"]


@pytest.mark.parametrize(("root", "message"), [("missing", "missing: no such folder"), ("file", "file: not a folder")])
def test_what_is_no_corpus_is_refused(folder, root, message):
    (folder / "file").write_bytes(b"")
    with pytest.raises(CorpusError, match=message):
        list(labelled(root))


def test_folders_deeper_than_the_stack_are_walked(folder):
    path = "c/" + "deeper/" * 200 + "x"
    put({path: b""})
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 100)
    try:
        assert sources(labelled("c")) == [("deeper", path)]
    finally:
        sys.setrecursionlimit(limit)


# Litter, links, special files, permissions


def test_litter_is_never_read(folder):
    litter = [".DS_Store", ".git/config", "._1.txt", "Thumbs.db", "desktop.ini", "1.txt~", "1.bak", "#1#", "a.swp"]
    put({f"c/{place}{name}": b"" for name in [*litter, "__MACOSX/1"] for place in ("", "ham/")} | {"c/ham/1.txt": b""})
    found = list(labelled("c"))
    assert sources(found) == [("ham", "c/ham/1.txt")]
    assert [reason for reason, _ in skipped(found)] == ["litter"] * 20


def test_links_that_lead_back_up_are_not_followed_others_are(folder):
    put({"c/a/1": b"", "else/where/2": b"", "file": b""})
    os.symlink("..", "c/a/loop")
    os.symlink(".", "c/a/self")
    os.symlink(folder, "c/up")
    os.symlink("../else", "c/b")
    os.symlink("..", "else/where/out")
    os.symlink("../../file", "c/a/linked")
    os.symlink("nowhere", "c/a/dangling")
    os.symlink("round", "c/a/round")
    found = list(labelled("c"))
    assert sources(found) == [("a", "c/a/1"), ("a", "c/a/linked"), ("b", "c/b/where/2")]
    assert skipped(found) == [
        ("dangling link", "c/a/dangling"),
        ("loop", "c/a/loop"),
        ("unreadable", "c/a/round"),
        ("loop", "c/a/self"),
        ("loop", "c/b/where/out"),
        ("loop", "c/up"),
    ]


def test_special_files_are_not_read(folder):
    put({"c/a/1": b""})
    os.mkfifo("c/a/pipe")
    os.symlink("pipe", "c/a/to-pipe")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("c/a/socket")
        found = list(labelled("c"))
    assert sources(found) == [("a", "c/a/1")]
    assert skipped(found) == [("special file", f"c/a/{name}") for name in ("pipe", "socket", "to-pipe")]


def test_an_unreadable_folder_is_reported_and_the_rest_is_read(folder, monkeypatch):
    put({"c/a/1": b"", "c/a/closed/2": b"", "c/b/3": b""})
    scandir = os.scandir

    def refusing(path):
        if path == "c/a/closed":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    found = list(labelled("c"))
    assert sources(found) == [("a", "c/a/1"), ("b", "c/b/3")]
    assert found[1] == Skipped("c/a/closed", "unreadable", "c/a/closed: Permission denied")


def test_a_file_that_cannot_be_opened_or_read_is_skipped(folder):
    assert read("vanished") == [Skipped("vanished", "unreadable", "vanished: No such file or directory")]
    assert [each.reason for each in (*read("."), *read("nul\0"))] == ["unreadable", "unreadable"]

    def failing(stream, name, decode):
        yield Document((("", "first"),), None, name)
        raise OSError(errno.EIO, "Input/output error")

    put({"x": b"words"})
    found = list(documents(Source("x", None, "x"), failing, decode))
    assert found[1:] == [Skipped("x", "unreadable", "x: Input/output error")]


def test_in_a_maildir_only_messages_are_read(folder):
    own = ["subscriptions", "courierimapuiddb", "dovecot.sieve", "dovecot.mailbox.log", "tmp/1"]
    put({f"c/ham/{place}": b"" for place in [*own, "cur/1:2,S", "new/2"]} | {"c/spam/1": b""})
    found = list(labelled("c"))
    assert [item.name for item in found if isinstance(item, Source)] == ["c/ham/cur/1:2,S", "c/ham/new/2", "c/spam/1"]
    assert len(skipped(found)) == 5


def test_a_maildir_may_have_lost_its_empty_folders(folder):
    put({"c/ham/subscriptions": b"", "c/ham/cur/1:2,S": b"", "c/spam/notes": b"", "c/spam/cur/1": b""})
    assert sources(labelled("c")) == [("ham", "c/ham/cur/1:2,S"), ("spam", "c/spam/cur/1"), ("spam", "c/spam/notes")]


def test_an_empty_folder_of_a_maildir_goes_without_a_word(folder):
    put({"c/ham/cur/1": b"", "c/ham/new/2": b"", "c/ham/tmp/": b"", "c/spam/tmp/1": b""})
    assert [item.name for item in labelled("c")] == ["c/ham/cur/1", "c/ham/new/2", "c/spam/tmp/1"]


def test_sources_carry_the_limits_of_their_walk(folder):
    put({"c/ham/1": PNG, "c/ham/2": b"words of more than twenty bytes", "c/ham/3": b"words"})
    limits = Limits(binary=READ, document_bytes=20)
    for found in (labelled("c", limits=limits), unlabelled(["c"], limits)):
        read = [item for each in found if isinstance(each, Source) for item in documents(each, text.read, decode)]
        assert [each for _, _, each in texts(read)] == [decode(PNG), "words"]
        assert skipped(read) == [("too large", "c/ham/2")]


@pytest.mark.parametrize(
    ("name", "data"),
    [("c/ham/1.gz", b"nothing"), ("c/ham/1.jsonl", b'{"text": "a"}\nbroken\n{"text": "b"}'), ("c/ham/1.tar", b"none")],
)
def test_what_is_strict_ends_at_the_first_thing_that_is_broken(folder, name, data):
    put({name: data, "c/ham/2.jsonl": b'{"text": "c"}', "c/spam/.hidden": b"", "c/spam/3.jsonl": b'{"text": "d"}'})
    strict = [each for each in labelled("c", limits=Limits(strict=True)) if isinstance(each, Source)]
    with pytest.raises(DocumentError, match=name) as caught:
        [item for each in strict for item in documents(each, jsonl.read, decode)]
    assert caught.value.reason == "damaged"
    assert texts(item for each in strict[1:] for item in documents(each, jsonl.read, decode))


def test_a_walk_that_is_strict_ends_at_a_link_to_nothing(folder):
    put({"c/ham/1": b""})
    os.symlink("nowhere", "c/ham/2")
    with pytest.raises(DocumentError, match="a broken link"):
        list(labelled("c", limits=Limits(strict=True)))


# Unlabelled


def test_paths_keep_their_order_and_folders_are_walked(folder):
    put({"z.txt": b"", "d/b": b"", "d/a/1": b"", "d/.hidden": b"", ".rc": b"", "old~": b""})
    os.symlink(".rc", "link")
    found = list(unlabelled(["z.txt", "missing", "d", "link", ".rc", "old~", "z.txt", "n\0"]))
    assert [path for _, path in sources(found)] == ["z.txt", "d/a/1", "d/b", "link", ".rc", "old~", "z.txt"]
    assert skipped(found) == [("unreadable", "missing"), ("litter", "d/.hidden"), ("unreadable", "n\0")]
    assert found[1] == Skipped("missing", "unreadable", "missing: No such file or directory")
    assert {label for label, _ in sources(found)} == {None}


# Reading


def test_documents_of_any_encoding_are_read_and_binaries_skipped(folder):
    put({
        "c/fr/1": b"caf\xe9 cr\xe8me", "c/fr/2": "café crème".encode(), "c/fr/3": "café crème".encode("utf-16"),
        "c/fr/x.txt": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "c/fr/empty": b"",
    })  # fmt: skip
    found = learned("c")
    assert [each for _, _, each in texts(found)] == ["café crème"] * 3 + [""]
    assert skipped(found) == [("binary", "c/fr/x.txt")]


def test_a_broken_record_is_reported_in_its_place_and_the_others_are_read(folder):
    put({"x.jsonl": b'{"text": "a"}\nbroken\n{"text": "b"}'})
    first, broken, third = read("x.jsonl", jsonl, label="ham")
    assert texts([first, third]) == [("ham", "x.jsonl:1", "a"), ("ham", "x.jsonl:3", "b")]
    assert skipped([broken]) == [("damaged", "x.jsonl:2")]
    assert broken.message.startswith("x.jsonl:2: not JSON")


# Compression


def zst(data):
    return pytest.importorskip("zstandard").ZstdCompressor(write_checksum=True).compress(data)


PACKED: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("x.gz", gzip.compress),
    ("x.BZ2", bz2.compress),
    ("x.xz", lzma.compress),
    ("x.zst", zst),
]
packed = pytest.mark.parametrize(("name", "pack"), PACKED, ids=[name for name, _ in PACKED])
LONG = "".join(f"{number} bottles of beer\n" for number in range(8_000)).encode()


@packed
@pytest.mark.parametrize("data", [b"", b"words", LONG, bytes(random.Random(1).choices(range(32, 127), k=200_000))])
def test_compressed_files_are_read_through(folder, name, pack, data):
    put({name: pack(data)})
    assert texts(read(name, label="ham")) == [("ham", name, data.decode())]


@packed
@pytest.mark.parametrize("padding", [0, 1, 5000])
def test_all_members_are_read(folder, name, pack, padding):
    put({name: pack(b"one\n") + pack(LONG) + bytes(padding) + pack(b"three") + bytes(padding)})
    assert texts(read(name)) == [(None, name, f"one\n{LONG.decode()}three")]
    assert len(texts(read(name, lines))) == 8_002


@packed
def test_a_file_cut_short_is_not_half_learned(folder, name, pack):
    whole = pack(LONG)
    for data in (whole[:-4], whole[: len(whole) // 2], whole[:3], b"", whole + whole[:-4]):
        put({name: data})
        (only,) = read(name)
        assert (only.reason, only.message) == ("damaged", f"{name}: the compressed data is cut off; get it again")


@packed
def test_a_damaged_file_is_not_half_learned(folder, name, pack):
    whole = pack(LONG)
    middle = len(whole) // 2
    flipped = bytes((whole[middle] ^ 0xFF,))
    for data in (whole[:middle] + flipped + whole[middle + 1 :], b"not compressed", LONG):
        put({name: data})
        (only,) = read(name)
        assert only.reason == "damaged"
        assert only.message.startswith(f"{name}: the compressed data ")


@packed
@pytest.mark.parametrize("garbage", [b"x", b"\0\0 and more", b"garbage" * 1000])
def test_what_follows_the_end_is_noted(folder, name, pack, garbage):
    put({name: pack(b"words") + garbage})
    document, note = read(name)
    assert texts([document]) == [(None, name, "words")]
    assert isinstance(note, Note)
    assert note.name == name


class Counted(io.FileIO):
    """A file that counts what is read of it."""

    taken = 0

    def readinto(self, buffer):
        size = super().readinto(buffer)
        self.taken += size
        return size


@packed
@pytest.mark.parametrize("reader", [text, lines])
@pytest.mark.parametrize("filler", [b"\0", b"a"])
def test_ten_gigabytes_of_the_same_are_refused_by_their_start(folder, name, pack, reader, filler):
    put({name: pack(filler * 10_000_000) * 1000})
    with Counted(name) as file, io.BufferedReader(file) as stream:
        last = deque(reading.streamed(stream, name, None, reader.read, decode), 1).pop()
        assert isinstance(last, Skipped)
        assert (last.reason, last.name) == ("too large", name)
        assert "more than 1000 times its size" in last.message
        assert 0 < file.taken < 100_000


@packed
def test_a_bomb_of_text_stops_at_the_limit(folder, name, pack):
    put({name: pack(LONG * 20)})
    small = Limits(document_bytes=1 << 20)
    tracemalloc.start()
    (only,) = documents(Source(name, None, name, limits=small), text.read, decode)
    assert isinstance(only, Skipped)
    assert (only.reason, only.name) == ("too large", name)
    assert only.message.startswith(f"{name}: a document of over 1,048,576 bytes; split it, leave it out, or raise")
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


@packed
def test_what_is_compressed_is_told_by_its_bytes_whatever_its_name(folder, name, pack):
    put({"c/ham/1.M5P2,S=9": pack(b"lunch"), "c/ham/2.gz": pack(b"at noon"), "c/ham/3": pack(LONG)})
    assert [each for _, _, each in texts(learned("c"))] == ["lunch", "at noon", LONG.decode()]


@pytest.mark.parametrize("data", [b"BZh", b"BZh9 is a name", b"B", b"\x1f\x8b", b"\xfd", b"(", b"(\xb5 is not all"])
def test_what_only_begins_like_compressed_data_is_text(folder, data):
    put({"x": data})
    assert texts(read("x")) == [(None, "x", decode(data))]


@packed
def test_a_pipe_is_decompressed_too_and_its_lines_leave_as_they_come(folder, name, pack):
    data = pack(b"one\ntwo\n")
    for step in (1, 3, 1000):
        pieces = [data[start : start + step] for start in range(0, len(data), step)]
        stream = io.BufferedReader(Piecewise(pieces))
        assert [each for _, _, each in texts(reading.streamed(stream, "-", None, lines.read, decode))] == ["one", "two"]


def test_a_pipe_of_text_is_not_kept_waiting_to_tell_whether_it_is_compressed(folder):
    pieces = [b"one\n", b"two\n"]
    found = reading.streamed(io.BufferedReader(Piecewise(pieces)), "-", None, lines.read, decode)
    assert texts([next(found)]) == [(None, "-:1", "one")]
    assert pieces == [b"two\n"]


class Piecewise(io.RawIOBase):
    """A pipe out of which pieces come one by one."""

    def __init__(self, pieces):
        self.pieces = pieces

    def readable(self):
        return True

    def readinto(self, buffer):
        piece = self.pieces.pop(0) if self.pieces else b""
        buffer[: len(piece)] = piece
        return len(piece)


def test_zstandard_without_its_package_says_what_to_install(folder, monkeypatch):
    for module in ("zstandard", "compression", "compression.zstd"):
        monkeypatch.setitem(sys.modules, module, None)
    put({"x.zst": b""})
    (only,) = read("x.zst")
    assert only == Skipped("x.zst", "unreadable", "x.zst: Zstandard needs another package: pip install 'nbtext[zst]'")


def test_zstandard_frames_that_are_to_be_skipped_are(folder):
    frame = b"\x53*M\x18\x04\0\0\0note"
    put({"x.zst": frame + zst(b"one ") + frame + zst(b"two") + frame})
    assert texts(read("x.zst")) == [(None, "x.zst", "one two")]


# Archives


def tar(files, pack=bytes, form=tarfile.PAX_FORMAT):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as archive:
        for name, data in files.items():
            info = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return pack(out.getvalue())


def zipped(files, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


ARCHIVES: list[tuple[str, Callable[[dict[str, bytes]], bytes]]] = [
    ("a.tar", tar),
    ("a.tar.gz", lambda files: tar(files, gzip.compress)),
    ("a.TGZ", lambda files: tar(files, gzip.compress)),
    ("a.tar.bz2", lambda files: tar(files, bz2.compress)),
    ("a.tar.xz", lambda files: tar(files, lzma.compress)),
    ("a.tar.zst", lambda files: tar(files, zst)),
    ("a.zip", zipped),
]
archived = pytest.mark.parametrize(("name", "made"), ARCHIVES, ids=[name for name, _ in ARCHIVES])
MAILDIR_PACKED = {  # as Dovecot compresses, without a sign of it in the name
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "zstd": zst,
}


@pytest.mark.parametrize("compress", MAILDIR_PACKED.values(), ids=MAILDIR_PACKED.keys())
def test_compressed_messages_in_a_maildir_are_read(compress: Callable[[bytes], bytes], corpus, run):
    messages = {
        "spam": b"From: shop@example.org\nSubject: cheap pills\n\nwin now\n",
        "ham": b"From: ann@example.org\nSubject: lunch\n\nat noon\n",
    }
    files: dict[str, bytes] = {}
    for label, message in messages.items():
        files |= {
            f"{label}/cur/17000000{n}.M{n}P1.host,S=55,W=58:2,S": compress(message.replace(b"now", b"now %d" % n))
            for n in range(3)
        }
        files[f"{label}/new/1700000009.M9P1.host"] = message + b"plain\n"
    folder = corpus(files)
    trained = run("train", folder, "--reader", "mail", "-m", "m")
    assert (trained.err, trained.status) == ("", 0)
    assert [line.split()[:2] for line in trained.out.splitlines()[1:3]] == [["ham", "4"], ["spam", "4"]]
    assert "subject:cheap" in run("show", "-m", "m", "--word", "subject:cheap").out
    classified = run("classify", "-m", "m", f"{folder}/spam", f"{folder}/ham").out.splitlines()
    assert [line.split("\t")[0] for line in classified] == ["spam"] * 4 + ["ham"] * 4
    assert run("check", folder, "--reader", "mail").err == ""


FILES = {"ham/1": b"one", "ham/deep/2": LONG, "spam/3": b"three", "spam/4.gz": gzip.compress(b"four"), "readme": b"?"}


@archived
@pytest.mark.parametrize("root", [True, False])
def test_an_archive_is_a_folder_of_class_folders(folder, name, made, root):
    put({f"c/{name}": made(FILES), "c/ham/0": b"zero"})
    found = learned(f"c/{name}" if root else "c")
    assert [each for each in texts(found) if each[1] != "c/ham/0"] == [
        ("ham", f"c/{name}/ham/1", "one"),
        ("ham", f"c/{name}/ham/deep/2", LONG.decode()),
        ("spam", f"c/{name}/spam/3", "three"),
        ("spam", f"c/{name}/spam/4.gz", "four"),
    ]
    assert skipped(found) == [("loose file", f"c/{name}/readme")]


@archived
def test_all_members_of_an_archive_in_a_class_are_of_that_class(folder, name, made):
    put({f"c/news/deep/{name}": made(FILES)})
    assert {label for label, _, _ in texts(learned("c"))} == {"news"}
    assert len(texts(learned("c"))) == 5
    (source,) = unlabelled(["c"])
    assert {label for label, _, _ in texts(read(source.name))} == {None}


@archived
def test_names_in_archives_are_only_names(folder, name, made):
    files = {"../ham/1": b"1", "/spam/./2": b"2", "ham//../3": b"3", ".git/4": b"4", "ham/b.tar": b"5", "ham/6~": b"6"}
    put({name: made(files)})
    found = learned(name)
    assert sorted(texts(found)) == [
        ("ham", f"{name}/ham/1", "1"),
        ("ham", f"{name}/ham/3", "3"),
        ("spam", f"{name}/spam/2", "2"),
    ]
    assert sorted(skipped(found)) == [
        ("archive", f"{name}/ham/b.tar"),
        ("litter", f"{name}/.git/4"),
        ("litter", f"{name}/ham/6~"),
    ]
    assert os.listdir() == [name]


@archived
def test_equivalent_names_meet_in_an_archive_and_binaries_are_skipped(folder, name, made):
    put({name: made({"cafe\u0301/1": b"1", "cafe\u0301/2": b"\0", "café/3": b"3", "café/4": b"4"})})
    found = learned(name)
    assert [label for label, _, _ in texts(found)] == ["café"] * 3
    assert [each.name for each in found if isinstance(each, Note)] == [f"{name}/café"]
    assert skipped(found) == [("binary", f"{name}/cafe\u0301/2")]


@archived
def test_a_damaged_archive_is_reported_at_whatever_byte_it_ends(folder, name, made):
    files = {"ham/1": b"one", "spam/2": LONG, "spam/3": b"three"}
    whole = made(files)
    told = len(whole.rstrip(b"\0"))  # a tar ends in zeros, of which a part is enough
    for cut in {*range(0, min(told, 2000), 97), *range(max(0, told - 2000), told, 97)}:
        put({name: whole[:cut]})
        found = learned(name)
        assert all(files["/".join(place.split("/")[-2:])] == data.encode() for _, place, data in texts(found))
        assert "damaged" in {reason for reason, _ in skipped(found)}


def test_links_in_archives_are_not_followed(folder):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for number, kind in enumerate((tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE)):
            info = tarfile.TarInfo(f"ham/{number}")
            info.type, info.linkname = kind, "/etc/hostname"
            archive.addfile(info)
        archive.addfile(tarfile.TarInfo("ham/4"))
    link = zipfile.ZipInfo("ham/0")
    link.external_attr = 0o120777 << 16
    put({"a.tar": out.getvalue(), "a.zip": zipped({link: b"/etc/hostname"})})
    assert skipped(learned("a.tar")) == [("special file", f"a.tar/ham/{number}") for number in range(4)]
    assert texts(learned("a.tar")) == [("ham", "a.tar/ham/4", "")]
    assert skipped(learned("a.zip")) == [("special file", "a.zip/ham/0")]


def test_a_sparse_file_in_a_tar_is_not_read(folder):
    info = tarfile.TarInfo("ham/1")
    info.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0"}
    put({"a.tar": tar({info: b"1\n0\n5\n", "ham/2": b"words"})})
    assert skipped(learned("a.tar")) == [("special file", "a.tar/ham/1")]
    assert texts(learned("a.tar")) == [("ham", "a.tar/ham/2", "words")]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=300), st.binary()
    ),
    st.sampled_from([tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT]),
)
@example(files={"named like a folder/": b""}, form=tarfile.PAX_FORMAT)
def test_tars_of_all_formats_are_read_as_python_reads_them(folder, files, form):
    try:
        data = tar(files, form=form)
    except ValueError:  # the name is too long for ustar
        return
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        expected = [(info.name.rstrip("/"), contents(archive, info)) for info in archive if info.isfile()]
    assert [(entry.path.rstrip("/"), entry.content.read()) for entry in entries(io.BytesIO(data))] == expected


def contents(archive, info):
    return archive.extractfile(info).read()


def member(name, size, kind=b"0"):
    """A header of a tar."""
    block = bytearray(512)
    block[: len(name)], block[124 : 124 + len(size)], block[148:156], block[156:157] = name, size, b" " * 8, kind
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def test_sizes_in_base_256_and_the_folders_of_old_programs_are_read(folder):
    words = b"words" + bytes(507)
    put(
        {
            "a.tar": member(b"ham/", b"0", b"\0")
            + member(b"ham/1", b"\x80" + bytes(10) + b"\5", b"\0")
            + words
            + bytes(1024)
        }
    )
    assert texts(learned("a.tar")) == [("ham", "a.tar/ham/1", "words")]


def test_a_member_that_claims_to_be_endless_is_damaged_and_takes_no_time(folder):
    whole = tar({"ham/0": b"zero"})[:1024]
    put({"a.tar": whole + member(b"ham/1", b"\x80\0\0\0\x7f" + b"\xff" * 7) + b"words" + bytes(507)})
    put({"a.tgz": gzip.compress(whole + member(b"ham/1", b"\x80" + b"\xff" * 11) + b"words" + bytes(507))})
    for name in ("a.tar", "a.tgz"):
        found = learned(name)
        assert texts(found) == [("ham", f"{name}/ham/0", "zero")]
        assert skipped(found) == [("damaged", f"{name}/ham/1"), ("damaged", name)]


@pytest.mark.parametrize("kind", [b"x", b"g", b"L", b"K", b"X"])
def test_an_extended_header_has_a_limit(folder, kind):
    size = 200_000
    put({"a.tar": tar({"ham/0": b"zero"})[:1024] + member(b"pax", b"%011o" % size, kind) + bytes(size) + bytes(1504)})
    found = learned("a.tar")
    assert texts(found) == [("ham", "a.tar/ham/0", "zero")]
    assert skipped(found) == [("damaged", "a.tar")]
    assert "an extended header of 200,000 bytes; at most 65,536 are read" in found[-1].message


@pytest.mark.parametrize(
    "records", [b"7 a=b\n", b"-9 path=x\n", b"0 path=x\n", b"99999999999999999999 a=b\n", b"nothing"]
)
def test_an_extended_header_that_is_none_is_damaged(folder, records):
    block = records + bytes(-len(records) % 512)
    put({"a.tar": member(b"pax", b"%011o" % len(records), b"x") + block + tar({"ham/1": b"one"})})
    found = learned("a.tar")
    assert {reason for reason, _ in skipped(found)} <= {"damaged"}
    assert found


def test_a_zip_that_unpacks_to_a_thousand_times_its_size_is_refused(folder):
    files = {f"ham/{number:02}": b"a" * 1_000_000 for number in range(100)}
    put({"a.zip": zipped(files, zipfile.ZIP_BZIP2)})
    found = learned("a.zip")
    assert len(texts(found)) == 16
    assert skipped(found) == [("too large", "a.zip")]
    assert "more than 1000 times its size" in found[-1].message


def test_a_member_too_large_is_skipped_and_the_others_are_read(folder):
    files = {"ham/1": b"one", "ham/2": LONG, "ham/3": b"three"}
    small = Limits(document_bytes=1000)
    for name, made in ARCHIVES:
        put({name: made(files)})
        found = list(documents(Source(name, "ham", name, limits=small), text.read, decode))
        assert [each for _, _, each in texts(found)] == ["one", "three"]
        assert skipped(found) == [("too large", f"{name}/ham/2")]


def test_a_zip_member_that_needs_a_password_is_skipped_alone(folder):
    data = bytearray(zipped({"ham/1": b"secret", "ham/2": b"open"}))
    data[6] |= 1  # the flag of encryption, in the member's own header
    data[data.index(b"PK\x01\x02") + 8] |= 1  # and in the directory
    put({"a.zip": bytes(data)})
    found = learned("a.zip")
    assert texts(found) == [("ham", "a.zip/ham/2", "open")]
    assert skipped(found) == [("unreadable", "a.zip/ham/1")]


def test_a_loose_file_named_like_a_class_has_no_label(folder):
    put({"a.tar": tar({"ham/1": b"one", "ham": b"loose"})})
    assert skipped(learned("a.tar")) == [("loose file", "a.tar/ham")]


def test_a_zip_member_without_a_name_is_a_loose_file(folder):
    put({"a.zip": zipped({"x": b"words"}).replace(b"x", b"\0")})
    assert skipped(learned("a.zip")) == [("loose file", "a.zip/")]


# Properties

SEEDS = [pack(b"words") for _, pack in PACKED[:3]] + [made(FILES) for name, made in ARCHIVES if name != "a.tar.zst"]


@pytest.mark.parametrize("name", ["x", *(name for name, _ in [*PACKED[:3], *ARCHIVES] if name != "a.tar.zst")])
@settings(max_examples=EXAMPLES // 5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_bytes_give_documents_notes_or_reasons(folder, name, data):
    seed = data.draw(st.sampled_from([b"", *SEEDS]))
    start = data.draw(st.integers(0, len(seed)))
    put({name: seed[:start] + data.draw(st.binary(max_size=600)) + seed[start + data.draw(st.integers(0, 9)) :]})
    for reader in (text, jsonl):
        for each in read(name, reader, classes=True):
            assert isinstance(each, Document | Skipped | Note)
            assert each.name.startswith(name)


# Time

N = 2000
GROWING = {
    "members of gzip": ("x.gz", lambda n: gzip.compress(b"") * n),
    "padding of gzip": ("x.gz", lambda n: gzip.compress(b"words") + bytes(1000 * n)),
    "a tar": ("x.tar", lambda n: tar({f"ham/{number}": b"words" for number in range(n)})),
    "a packed tar": ("x.tgz", lambda n: tar({f"ham/{number}": b"words" for number in range(n)}, gzip.compress)),
    "a tar of extended headers": ("x.tar", lambda n: member(b"pax", b"0", b"x") * n + bytes(1024)),
    "a tar of global headers": ("x.tar", lambda n: (member(b"pax", b"777", b"g") + bytes(512)) * n + bytes(1024)),
    "a tar of folders": ("x.tar", lambda n: tar({f"{number}/x": b"words" for number in range(n)})),
    "a zip": ("x.zip", lambda n: zipped({f"ham/{number}": b"words" for number in range(n)})),
}


@pytest.mark.parametrize("kind", GROWING)
def test_time_grows_no_faster_than_the_input(folder, kind):
    """Eight times the size takes about eight times as long; where time is quadratic, sixty-four times."""
    name, made = GROWING[kind]
    taken = []
    for size in (N // 8, N):
        put({name: made(size)})
        taken.append(seconds(_all_of, Source(name, None, name, classes=True), times=3))
    assert taken[1] < max(0.01, 20 * taken[0]), taken


def _all_of(source):
    deque(documents(source, text.read, decode), 0)
