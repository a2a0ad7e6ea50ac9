"""The entities of a mail message and their decoded bodies. `evidence` interprets them.

Nothing here fails: broken structure is read in the most sensible way, and named in `Entity.defect`. Every loop goes
forward through the bytes with the open multiparts on a stack, so that time is linear in the size of the message,
whatever it claims to be. Python's `email` splits messages too, but compares each line with each open multipart: its
time is quadratic in the depth of nesting, and it fails at a few hundred levels.

The quick path and the thorough one: rare structure (a stray first line, lines that end in CR only, a multipart or
message that is itself encoded) is checked here, where this costs almost nothing; the 6,046 messages of the SpamAssassin
corpus have none. Rare values of fields go from `fields` to `oddities` (5 messages), bodies in base64 and uuencode to
`transfer` (93), texts beyond ASCII or with unusual charset names to `charsets` (754).
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..decoding import Decode
from .fields import FIELD, Fields, content_type, first, parsed


class Entity(NamedTuple):
    """A part of a message that is read in one way: a body with its own header fields.

    fields   its header fields, in order
    body     its bytes, in their transfer encoding, lines ending in LF
    outside  whether it is before or after the parts of a multipart, where no mail program shows it
    defect   a word for broken structure, or ""
    """

    fields: Fields
    body: bytes
    outside: bool = False
    defect: str = ""


# --- splitting --------------------------------------------------------------------------------------------------------

# Patterns that are strings here are compiled by `re` when they are first used: not every message needs them
LINE_END = rb"(?<!\r)\r+\n"
BLANK_IN_CR = rb"(?<!\r)\r\r++(?!\n)"
ENVELOPE = b"From ", b">From "  # the beginning of an envelope line left from a mailbox
# A line of a server, a mail program or a broken fold, before text that can only be a header
STRAY = rb"""(?ix) [^\n]*\n (?:[ \t][^\n]*\n)*+
    (?=(?:received|return-path|delivered-to|from|to|subject|date|message-id|mime-version|content-type|x-[\w-]+)[ \t]*:
       [^\n]*\n (?:[!-9;-~]+[ \t]*:|[ \t]))"""
EMLX = rb"\s*(\d{1,10})[ \t]*\r?\n"  # Apple's: the size of the message before it, a property list after it
HEAD_END = re.compile(rb"\n(?=\n)|\n--[^\n]*")
DASHES = re.compile(rb"\n--[^\n]*")
MESSAGES = {"message/rfc822", "message/global", "message/news", "message/partial"}
UNENCODED = {"", "7bit", "8bit", "binary"}
MOST_WRAPPED = 8  # nested levels of encoded multiparts and messages that are decoded: more is malicious


class Cut(NamedTuple):
    """A delimiter line: where it starts, where the next line starts, and its kind."""

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
    raw = b"\n" + plain_lines(message)  # so that every line has a line end before it
    return _split(raw, _message_start(raw, 1), decode)


def has_header(message: bytes) -> bool:
    """Whether a message begins with header fields, perhaps after an envelope or a stray line."""
    raw = b"\n" + plain_lines(message)
    return FIELD.match(raw, _message_start(raw, 1)) is not None


def _split(raw: bytes, at: int, decode: Decode, given: Fields | None = None, depth: int = 0) -> Iterator[Entity]:
    """The entities in lines from a position on.

    given  the header fields of the first, if they are known already
    depth  the number of encoded multiparts and messages around these lines
    """
    inside: dict[bytes, bool] = {}  # the delimiters of the open multiparts, outermost first, and whether of a digest
    closed, default = False, ""
    while True:
        if given is not None:
            fields, given = given, None
        else:
            fields, at = ([], at) if closed else _head(raw, at, inside, decode)
        kind, parameters = content_type(fields, decode)
        kind = kind or default
        default = ""
        multipart = kind.startswith("multipart/")
        wraps = (multipart or kind in MESSAGES) and depth < MOST_WRAPPED
        encoding = transfer_encoding(fields) if wraps else ""
        quoted = encoding == "quoted-printable"  # quoted-printable leaves fields nearly unchanged
        if kind in MESSAGES and not quoted and FIELD.match(raw, start := _message_start(raw, at)):
            yield Entity(fields, b"")
            at = start
            continue
        own = b"--" + parameters.get("boundary", "").encode(errors="replace").rstrip() if multipart else b""
        if encoding:
            cut = _cut(raw, at, inside, guess=False) if inside else None
            body = raw[at : cut.start if cut else len(raw)]
            if not multipart or own not in body:
                yield from _unwrapped(fields, body, encoding, multipart, decode, depth + 1)
                if not cut:
                    return
                default = _enter(cut, inside)
                at, closed = cut.after, cut.closes
                continue
        if multipart and own != b"--":
            inside.setdefault(own, kind == "multipart/digest")
        cut = _cut(raw, at, inside, guess=multipart) if inside or multipart else None
        if not cut:
            yield Entity(fields, raw[at:], closed, "unparted" if multipart else "unclosed" if inside else "")
            return
        parted = multipart and (cut.delimiter == own or not cut.declared)
        if not cut.declared:
            inside.pop(own, None)  # the declared delimiter is a different line
        yield Entity(fields, raw[at : cut.start], closed or parted, "" if cut.declared else "undeclared")
        default = _enter(cut, inside)
        at, closed = cut.after, cut.closes


def _unwrapped(
    fields: Fields, body: bytes, encoding: str, multipart: bool, decode: Decode, depth: int
) -> Iterator[Entity]:
    """The entities in a multipart or a message that is itself encoded: no standard allows this, some programs do it."""
    raw = b"\n" + plain_lines(transfer_decoded(body, encoding))
    if multipart:
        yield from _split(raw, 1, decode, fields, depth)
    elif FIELD.match(raw, start := _message_start(raw, 1)):
        yield Entity(fields, b"")
        yield from _split(raw, start, decode, None, depth)
    else:
        yield Entity(fields, body)


def after_head(message: bytes) -> bytes:
    """All that follows the first blank line of a message."""
    return plain_lines(message).partition(b"\n\n")[2]


def plain_lines(message: bytes) -> bytes:
    """A message from its first line that is not blank, with LF line ends instead of CR LF, CR CR LF or CR."""
    if message[:1].isdigit() and (size := re.match(EMLX, message)):
        end = size.end() + int(size[1])
        if message[end : end + 100].lstrip().startswith(b"<?xml"):
            message = message[size.end() : end]
    if b"\r" in message:
        message = message.replace(b"\r\n", b"\n")
        if b"\r" in message:
            message = re.sub(LINE_END, b"\n", message)
            blank = re.search(BLANK_IN_CR, message)
            if blank and message.find(b"\n", 0, blank.start()) < 0:
                message = message.replace(b"\r", b"\n")
    return message.lstrip(b"\n")


def _message_start(raw: bytes, at: int) -> int:
    """Where a message's first field starts: after its envelope, and after a stray line if a header follows it."""
    while raw.startswith(ENVELOPE, at) and (end := raw.find(b"\n", at)) >= 0:
        at = end + 1
    if not FIELD.match(raw, at) and (stray := re.compile(STRAY).match(raw, at)):
        return stray.end()
    return at


def _cut(raw: bytes, at: int, inside: dict[bytes, bool], guess: bool) -> Cut | None:
    """The next delimiter line of an open multipart; as a guess also a line of dashes before a Content- field."""
    for line in DASHES.finditer(raw, at - 1):
        dashes, start, after = line[0][1:].rstrip(), max(at, line.start()), line.end() + 1
        if dashes in inside:
            return Cut(start, after, dashes, closes=False)
        if dashes[-2:] == b"--" and dashes[:-2] in inside:
            return Cut(start, after, dashes[:-2], closes=True)
        if guess and raw[after : after + 8].lower() == b"content-":
            return Cut(start, after, dashes, closes=False, declared=False)
    return None


def _enter(cut: Cut, inside: dict[bytes, bool]) -> str:
    """Leave the multiparts that a delimiter line ends, innermost first, or enter the one that it reveals.

    Returns the default type of the next part: a message in a digest, else "".
    """
    inside.setdefault(cut.delimiter, False)
    while next(reversed(inside)) != cut.delimiter:
        inside.popitem()
    if not cut.closes:
        return "message/rfc822" if inside[cut.delimiter] else ""
    inside.popitem()
    return ""


def _head(raw: bytes, at: int, inside: dict[bytes, bool], decode: Decode) -> tuple[Fields, int]:
    """The header fields at a position, and where the body starts; without a first field, everything is body."""
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
    return parsed(raw[at:end], decode), body


# --- bodies -----------------------------------------------------------------------------------------------------------

# One text in base64, and nothing else: true for all but 6 texts in base64 in the SpamAssassin corpus
BASE64 = rb"\s*(?:[A-Za-z0-9+/]+[ \t]*(?:\n\s*|\Z))*+(?:[A-Za-z0-9+/]+={1,2}\s*)?"
SOFT_LINE_END = rb"=[ \t]+\n"


def transfer_encoding(fields: Fields) -> str:
    """The encoding of a body: base64, quoted-printable, x-uuencode, or "" for none or an unknown one."""
    encoding = first(fields, "content-transfer-encoding").lower()
    if encoding in UNENCODED:
        return ""
    if encoding not in {"base64", "quoted-printable"}:
        from .oddities import transfer_encoding

        encoding = transfer_encoding(encoding[:100])
    return "" if encoding in UNENCODED else encoding


def content(entity: Entity) -> bytes:
    """The decoded body of an entity; text that cannot be decoded is not changed."""
    encoding = transfer_encoding(entity.fields)
    return transfer_decoded(entity.body, encoding) if encoding else entity.body


def transfer_decoded(body: bytes, encoding: str) -> bytes:
    """Bytes decoded from a transfer encoding, by the name from `transfer_encoding`."""
    if encoding == "quoted-printable":
        from binascii import a2b_qp  # imported here, as most messages have nothing encoded

        return a2b_qp(re.sub(SOFT_LINE_END, b"=\n", body))
    from . import transfer

    if encoding == "x-uuencode":
        return transfer.uu_decoded(body)
    return transfer.from_base64(body) if re.fullmatch(BASE64, body) else transfer.base64_decoded(body)
