"""The entities of a mail message, the text of their bodies and of their header fields. What they mean is `mail`'s.

Nothing here fails: what is broken is read as the nearest thing that makes sense and named in `Entity.defect`. Every
loop goes forward through the bytes with the open multiparts on a stack, so that time is linear in the size of the
message, whatever it claims to be.
"""

import re
from codecs import lookup
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ..decoding import Decode

Fields = list[tuple[str, str]]  # header fields in order: (name in lower case, unfolded value); no name: a stray line


class Entity(NamedTuple):
    """A stretch of a message that is read in one way: a body with its own header fields.

    fields   its header fields, in order
    body     its bytes, in their transfer encoding, lines ending in LF
    outside  whether it stands before or after the parts of a multipart, where no mail program shows it
    defect   what is broken here, in a word, or ""
    """

    fields: Fields
    body: bytes
    outside: bool = False
    defect: str = ""


# --- splitting --------------------------------------------------------------------------------------------------------

# Patterns that are plain text here are compiled by `re` when they are first used: not every message needs them
LINE_END = rb"(?<!\r)\r+\n"
ENVELOPE = b"From ", b">From "  # so begins what the mailbox left that a message was taken from
FIELD = re.compile(rb"[!-9;-~]+[ \t]*:")
FOLD = re.compile(r"\n(?=[ \t])")
HEAD_END = re.compile(rb"\n(?=\n)|\n--[^\n]*")
DASHES = re.compile(rb"\n--[^\n]*")


class Cut(NamedTuple):
    """A delimiter line: where it starts, where what follows starts, and what kind it is."""

    start: int
    after: int
    delimiter: bytes
    closes: bool
    declared: bool = True


def entities(message: bytes, decode: Decode) -> Iterator[Entity]:
    r"""The entities of a message in order, at least one: itself, its parts, the messages among them and their parts.

    >>> [entity.body for entity in entities(b"Subject: one\r\n\r\ntwo\r\n", bytes.decode)]
    [b'two\n']
    """
    raw = b"\n" + _lines(message)  # so that every line has a line end before it
    inside: dict[bytes, None] = {}  # the delimiters of the open multiparts, outermost first
    at, closed = 1, False
    while True:
        fields, at = ([], at) if closed else _head(raw, at, inside, decode)
        kind, parameters = content_type(fields)
        if kind == "message/rfc822" and FIELD.match(raw, at):
            yield Entity(fields, b"")
            continue
        multipart = kind.startswith("multipart/")
        own = b"--" + parameters.get("boundary", "").encode(errors="replace").rstrip()
        if multipart and own != b"--":
            inside.setdefault(own)
        cut = _cut(raw, at, inside, guess=multipart) if inside or multipart else None
        if not cut:
            yield Entity(fields, raw[at:], closed, "unparted" if multipart else "unclosed" if inside else "")
            return
        parted = multipart and (cut.delimiter == own or not cut.declared)
        if not cut.declared:
            inside.pop(own, None)  # what was declared is another line
        yield Entity(fields, raw[at : cut.start], closed or parted, "" if cut.declared else "undeclared")
        _enter(cut, inside)
        at, closed = cut.after, cut.closes


def after_head(message: bytes) -> bytes:
    """All that follows the first blank line of a message."""
    return _lines(message).partition(b"\n\n")[2]


def _lines(message: bytes) -> bytes:
    """A message without its envelope, its lines ending in LF, however many CR went before."""
    lines = re.sub(LINE_END, b"\n", message) if b"\r" in message else message
    start = len(lines) - len(lines.lstrip(b"\n"))
    while lines.startswith(ENVELOPE, start) and (end := lines.find(b"\n", start)) >= 0:
        start = end + 1
    return lines[start:]


def _cut(raw: bytes, at: int, inside: dict[bytes, None], guess: bool) -> Cut | None:
    """The next delimiter line of an open multipart; at a guess also dashes that a Content- field follows."""
    for line in DASHES.finditer(raw, at - 1):
        dashes, start, after = line[0][1:].rstrip(), max(at, line.start()), line.end() + 1
        if dashes in inside:
            return Cut(start, after, dashes, closes=False)
        if dashes[-2:] == b"--" and dashes[:-2] in inside:
            return Cut(start, after, dashes[:-2], closes=True)
        if guess and raw[after : after + 8].lower() == b"content-":
            return Cut(start, after, dashes, closes=False, declared=False)
    return None


def _enter(cut: Cut, inside: dict[bytes, None]) -> None:
    """Leave the multiparts that a delimiter line ends, innermost first, or enter the one it reveals."""
    inside.setdefault(cut.delimiter)
    while next(reversed(inside)) != cut.delimiter:
        inside.popitem()
    if cut.closes:
        inside.popitem()


def _head(raw: bytes, at: int, inside: dict[bytes, None], decode: Decode) -> tuple[Fields, int]:
    """The header fields at a place, and where the body starts; without a first field, all is body."""
    if not FIELD.match(raw, at):
        return [], at + (raw[at : at + 1] == b"\n")
    for line in HEAD_END.finditer(raw, at):
        dashes = line[0][1:].rstrip()
        if not dashes:
            end, body = line.start(), line.end() + 1
            break
        if dashes in inside or dashes.removesuffix(b"--") in inside:
            end, body = line.start(), line.start() + 1
            break
    else:
        end = body = len(raw)
    return [_field(line) for line in FOLD.sub("", decode(raw[at:end])).split("\n")], body


def _field(line: str) -> tuple[str, str]:
    """The name and the value of a header field; a line that is none has no name."""
    name, colon, value = line.partition(":")
    name = name.rstrip()
    return (name.lower(), value.strip()) if colon and " " not in name and "\t" not in name else ("", line)


# --- header values ----------------------------------------------------------------------------------------------------

PARAMETER = re.compile(r""";\s*([\w-]+)(?:\*\d*\*?)?\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))""")
BETWEEN_WORDS = r"(?<=\?=)\s+(?==\?)"
ENCODED_WORD = r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?="


def first(fields: Fields, name: str) -> str:
    """The value of the first header field of that name, or ""."""
    for field, value in fields:
        if field == name:
            return value
    return ""


def content_type(fields: Fields, name: str = "content-type") -> tuple[str, dict[str, str]]:
    """The type and the parameters of a Content-Type field (or the like), in lower case but for the values.

    >>> content_type([("content-type", 'Text/HTML; charset="utf-8"')])
    ('text/html', {'charset': 'utf-8'})
    """
    value = first(fields, name)
    parameters: dict[str, str] = {}
    for key, quoted, bare in PARAMETER.findall(value):
        parameters.setdefault(key.lower(), quoted or bare)
    return value.partition(";")[0].strip().lower(), parameters


def unencoded(value: str, decode: Decode) -> str:
    """A header value with its encoded words decoded; one that is broken stays as it is.

    >>> unencoded("=?iso-8859-1?Q?caf=E9?= =?utf-8?b?IQ==?=", bytes.decode)
    'café!'
    """
    if "=?" not in value:
        return value
    from binascii import a2b_qp  # only here and below, for most messages have nothing encoded

    def word(found: re.Match[str]) -> str:
        charset, encoding, written = found.groups()
        content = written.encode(errors="replace")
        if encoding in "qQ":
            return decoded(a2b_qp(content.replace(b"_", b" ")), charset, decode)
        return decoded(_base64(content), charset, decode)

    return re.sub(ENCODED_WORD, word, re.sub(BETWEEN_WORDS, "", value))


# --- bodies -----------------------------------------------------------------------------------------------------------

BASE64 = rb"\s*(?:[A-Za-z0-9+/]+[ \t]*(?:\n\s*|\Z))*+(?:[A-Za-z0-9+/]+={1,2}[ \t]*(?:\n|\Z))?"
NO_BASE64 = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
SOFT_LINE_END = rb"=[ \t]+\n"

# What mail programs write under the name of a smaller set.
WIDER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "iso8859-9": "cp1254",
    "iso8859-1": "cp1252",
    "ascii": "",  # nobody means to send less than he wrote
    "utf-8": "",
}
# No charset of any mail, though Python knows them: made-up input takes them quadratic time, or they read escapes.
REFUSED = {"idna", "punycode", "raw-unicode-escape", "unicode-escape"}
LONGEST_NAME = 100  # characters of a charset's: a longer one is none, and what is remembered of them must be small
SEVEN_BIT = ("hz", "iso2022", "utf-7", "utf-16", "utf-32")  # their bytes may look like ASCII, and are not


def content(entity: Entity) -> bytes:
    """The body of an entity out of its transfer encoding: what decodes decoded, the rest as it is."""
    encoding = first(entity.fields, "content-transfer-encoding").strip().lower()
    if encoding == "quoted-printable":
        from binascii import a2b_qp

        return a2b_qp(re.sub(SOFT_LINE_END, b"=\n", entity.body))
    if encoding == "base64":
        end = re.match(BASE64, entity.body).end()  # type: ignore[union-attr]  # it matches anything
        return _base64(entity.body[:end]) + entity.body[end:]
    if encoding in {"x-uuencode", "uuencode", "x-uue", "uue"}:
        return b"".join(map(_uudecoded, entity.body.splitlines()))
    return entity.body


def _base64(written: bytes) -> bytes:
    """The bytes of a base64 text, padded or not."""
    from binascii import a2b_base64

    letters = written.translate(None, NO_BASE64)
    odd = len(letters) % 4 == 1  # a last letter alone holds no whole byte
    return a2b_base64(letters[: len(letters) - odd] + b"==")


def _uudecoded(line: bytes) -> bytes:
    """The bytes of a uuencoded line, or the line itself."""
    from binascii import Error, a2b_uu

    try:
        return a2b_uu(line)
    except Error:
        return line + b"\n"


def decoded(body: bytes, charset: str, decode: Decode) -> str:
    """The text of bytes that name their charset. Valid UTF-8 is UTF-8 whatever it is called, for that is no accident.

    >>> decoded(b"caf\\x82", "cp850", bytes.decode), decoded(b"caf\\xc3\\xa9", "latin-1", bytes.decode)
    ('café', 'café')
    """
    codec = _codec(charset[:LONGEST_NAME])
    if codec and (codec.startswith(SEVEN_BIT) or not _is_utf_8(body)):
        try:
            return body.decode(codec).encode(errors="ignore").decode()  # UTF-7 can spell half a surrogate pair
        except (LookupError, UnicodeError):  # LookupError: a codec that does not give text, such as rot13
            pass
    return decode(body)


def _is_utf_8(body: bytes) -> bool:
    """Whether bytes are valid UTF-8."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


@lru_cache(maxsize=256)
def _codec(charset: str) -> str:
    """The codec for a charset's name; none for UTF-8, which is tried anyway, and for a name that means nothing."""
    try:
        name = lookup(charset.strip("\"' ")).name
    except (LookupError, ValueError):  # ValueError: not even a name
        return ""
    return "" if name in REFUSED else WIDER.get(name, name)
