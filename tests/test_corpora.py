"""The shipped corpora are what corpora/README.md says: every number in its tables is counted again here.

The standard library does the counting, so that no reader of nbtext vouches for the documents it is tested with.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.message import Message
from email.utils import parsedate_to_datetime
from functools import cache
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import NamedTuple

import pytest

CORPORA = Path(__file__).resolve().parent.parent / "corpora"
RESERVED_DOMAIN = re.compile(r"(?:.+\.)?example\.(?:com|net|org)")  # RFC 2606
RESERVED_NETWORKS = [ip_network(net) for net in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24")]  # RFC 5737
SENTENCE_END = re.compile(r"[.!?][\")]*(?=\s|$)")
ADDRESS = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b")
DOMAIN = re.compile(
    r"(?:(?<=@)|(?<=://))[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b"  # what follows @ or :// whatever it ends in
    r"|\b[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|edu|gov|info|biz|eu|de|fr|uk|ru|io)\b",
    re.IGNORECASE,
)


class Cell(NamedTuple):
    """One number of a table: in this corpus and class, so many documents or bytes of which this is true."""

    corpus: str
    label: str
    fact: str
    number: int


def cells(readme: str) -> Iterator[Cell]:
    """The numbers in all tables whose head row is a corpus and its classes.

    >>> list(cells("| mail | ham |\\n|---|---|\\n| bytes | 1,200 |\\n"))
    [Cell(corpus='mail', label='ham', fact='bytes', number=1200)]
    """
    for table in re.findall(r"(?:^\|.*\n)+", readme, re.MULTILINE):
        (corpus, *labels), _, *rows = (line.strip("| ").split(" | ") for line in table.splitlines())
        for fact, *numbers in rows:
            for label, number in zip(labels, numbers, strict=True):
                yield Cell(corpus, label, fact, int(number.replace(",", "")))


STATED = list(cells((CORPORA / "README.md").read_text(encoding="utf-8")))


@cache
def documents(corpus: str, label: str = "*") -> dict[str, bytes]:
    """The bytes of each document, by its path below the corpora."""
    files = sorted((CORPORA / corpus).glob(f"{label}/*"))
    return {file.relative_to(CORPORA).as_posix(): file.read_bytes() for file in files}


def is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def head(raw: bytes) -> bytes:
    return re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0]


def leaves(raw: bytes) -> list[Message]:
    return [part for part in message_from_bytes(raw).walk() if not part.is_multipart()]


def texts(raw: bytes) -> list[Message]:
    return [part for part in leaves(raw) if part.get_content_maintype() == "text"]


def bodies(raw: bytes) -> list[str]:
    """The text parts of a message, decoded strictly: a wrong charset or transfer encoding is an error."""
    payloads = [(part.get_payload(decode=True), part.get_content_charset("us-ascii")) for part in texts(raw)]
    return [payload.decode(charset) for payload, charset in payloads if isinstance(payload, bytes)]


def is_encoded_as(encoding: str) -> Callable[[bytes], bool]:
    return lambda raw: any(part.get("Content-Transfer-Encoding", "").lower() == encoding for part in texts(raw))


def is_written_in(charset: str) -> Callable[[bytes], bool]:
    return lambda raw: any(part.get_content_charset() == charset for part in texts(raw))


COUNTED: dict[str, Callable[[bytes], int]] = {
    "documents": lambda _: 1,
    "bytes": len,
    "not ASCII": lambda raw: not raw.isascii(),
    "not UTF-8": lambda raw: not is_utf8(raw),
    "CRLF line ends": lambda raw: b"\r\n" in raw,
    "From_ line": lambda raw: raw.startswith(b"From "),
    "multipart": lambda raw: message_from_bytes(raw).is_multipart(),
    "attachment": lambda raw: any(part.get_content_disposition() == "attachment" for part in leaves(raw)),
    "base64 text": is_encoded_as("base64"),
    "quoted-printable text": is_encoded_as("quoted-printable"),
    "8-bit text": is_encoded_as("8bit"),
    "HTML only": lambda raw: {part.get_content_subtype() for part in texts(raw)} == {"html"},
    "encoded subject": lambda raw: "=?" in str(message_from_bytes(raw)["Subject"]),
    "8-bit header": lambda raw: not head(raw).isascii(),
    "mailing list": lambda raw: "List-Id" in message_from_bytes(raw),
    "charset utf-8": is_written_in("utf-8"),
    "charset iso-8859-1": is_written_in("iso-8859-1"),
    "charset windows-1252": is_written_in("windows-1252"),
    "charset koi8-r": is_written_in("koi8-r"),
}


@pytest.mark.parametrize("cell", STATED, ids=lambda cell: f"{cell.corpus}-{cell.label}-{cell.fact}")
def test_number_in_the_readme(cell: Cell) -> None:
    assert sum(map(COUNTED[cell.fact], documents(cell.corpus, cell.label).values())) == cell.number


def test_readme_knows_every_file_and_every_fact() -> None:
    found = {file.relative_to(CORPORA).parent.as_posix() for file in CORPORA.rglob("*") if file.is_file()}
    assert found == {".", "tables"} | {f"{cell.corpus}/{cell.label}" for cell in STATED}
    assert [file.name for file in CORPORA.iterdir() if file.is_file()] == ["README.md"]
    assert {cell.fact for cell in STATED if cell.corpus == "mail"} == set(COUNTED)


def test_no_document_is_repeated() -> None:
    copies = Counter((documents("topics") | documents("mail")).values())
    assert [raw for raw, times in copies.items() if times > 1] == []


def test_topic_is_a_short_text_of_a_few_sentences() -> None:
    for name, raw in documents("topics").items():
        assert 25 <= len(raw.split()) <= 80, name
        assert 2 <= len(SENTENCE_END.findall(raw.decode())) <= 5, name


@pytest.mark.parametrize("label", ["ham", "spam"])
def test_mail_is_dated_in_every_month_of_one_year(label: str) -> None:
    dates = [parsedate_to_datetime(message_from_bytes(raw)["Date"]) for raw in documents("mail", label).values()]
    assert {(date.year, date.month) for date in dates} == {(2024, month) for month in range(1, 13)}


def test_mail_has_what_every_delivered_message_has() -> None:
    for name, raw in documents("mail").items():
        message = message_from_bytes(raw)
        assert {"Received", "From", "To", "Subject", "Date", "Message-ID"} <= set(message.keys()), name
        assert [part.defects for part in message.walk() if part.defects] == [], name
    identifiers = [message_from_bytes(raw)["Message-ID"] for raw in documents("mail").values()]
    assert len(set(identifiers)) == len(identifiers)


def test_mail_decodes_in_the_charset_it_names() -> None:
    for name, raw in documents("mail").items():
        assert bodies(raw), name
        assert all(text.strip() for text in bodies(raw)), name


def places() -> Iterator[tuple[str, str]]:
    """Every document by name with all its text that can name a host."""
    for name, raw in documents("topics").items():
        yield name, raw.decode()
    for name, raw in documents("mail").items():
        yield name, "\n".join([head(raw).decode("latin-1"), *bodies(raw)])


def test_every_host_and_address_is_reserved_for_examples() -> None:
    hosts = {(name, host) for name, text in places() for host in DOMAIN.findall(text)}
    addresses = {(name, address) for name, text in places() for address in ADDRESS.findall(text)}
    assert len(hosts) > 400  # else the patterns find nothing, and prove nothing
    assert len(addresses) > 200
    assert {(name, host) for name, host in hosts if not RESERVED_DOMAIN.fullmatch(host.lower())} == set()
    assert {pair for pair in addresses if not any(ip_address(pair[1]) in net for net in RESERVED_NETWORKS)} == set()
