"""What is evidence in a message, each kind under a tag of its own.

Kept is what helps, measured on 6,046 messages (binary naive Bayes over word pairs, alpha 0.01, splits of 75/25): hosts
in Received and Message-ID, the way from relay to relay, the first server on it once more, addresses whole, the letters
of the sender's name in his, the path of a link as one word, how a text begins, shouting, how the words of a subject are
written. Forty splits give 99.5 % right and a ROC area of 0.9999. The sender's letters, the beginning and the path as
one word matter where no ham may be lost: at a threshold chosen for one false alarm in a thousand the three together
catch 97.3 % of the spam, not 96.7, at 0.12 % of the ham lost with and without them.

Of a long text only the beginning is kept: its words repeat one another's evidence, so that a long message taken wrongly
is taken so with more certainty than any short one. Without the limit that area is 0.9991. It has a price: what a sender
puts below so much else is not heard.

Left out because it does not help: Return-Path, Sender, list fields, names and order of the fields, the other words of
Received, replies and zones, elements and attributes of HTML, words in capitals, what stands around the parts of a
multipart. Left out because it names one mailbox or one year: Date, Delivered-To, and what mail servers and filters add
(X-Spam-*, X-Nbtext and the tag it tells of), so that a message stays the same document after they saw it. Received
names the reader's own servers too: in one mailbox they stand in every message and tell nothing, but a corpus put
together from several is a little easier for them than life is.

Splitting is `mime`'s, header values are `fields`', charsets `charsets`', HTML is `pages`'.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TypeVar

from ..decoding import Decode
from .fields import Fields, content_type, first, unencoded
from .mime import Entity, after_head, content, entities
from .verdict import original

Part = tuple[str, str]
Made = TypeVar("Made")

TEXTS = {"subject": "subject", "x-mailer": "mailer", "user-agent": "mailer"}  # field to tag
ADDRESSES = {"from": "from", "reply-to": "reply-to", "to": "to", "cc": "to"}
PAGES = {"text/html", "application/xhtml+xml"}
UNSPECIFIC = {"application/octet-stream", "application/text", "application/txt", "application/plain"}
BINARY = ("application/", "audio/", "font/", "image/", "model/", "video/")  # whatever else it claims to be is text

NO_WORD = re.compile(r"\W")
NUMBER = re.compile(r"\d+")
SMALL = re.compile(r"[^\W\d_A-Z]+")
CAPITAL = re.compile(r"[A-Z]")
HOST = re.compile(r"(?<![\w.-])[\w-]{1,63}+(?:\.[\w-]{1,63}+){1,20}+")
ADDRESS = re.compile(r"(?<![\w.+=-])[\w.+=-]{1,64}@([\w-]+(?:\.[\w-]+)*)")
URL = re.compile(r"""(?:https?://|ftp://|mailto:|www\.)[^\s<>"')\]]+""", re.IGNORECASE)
PIECES = re.compile(r"(?i)(?:(?:(?:https?|ftp):)?//+|mailto:|(?=www\.))([^/?#@]*@)?([^/:?#]*)(.*)", re.DOTALL)
PERCENT = rb"%([0-9A-Fa-f]{2})"  # compiled by `re` when it is first used: few links have any
HTML_START = r"(?i)\s*<(?:!doctype html|html)\b"  # the same: few texts begin with a tag
LONGEST_REMEMBERED = 200  # characters of a value: with longer ones a sender could fill the memory
LONGEST_TEXT = 6000  # characters shown that are read of each text; 3,000 to 12,000 do about as well
LONGEST_FACT = 100  # characters of how a part is made, and those
LONGEST_WAY = 1000  # of a Received field that are read: more is made up, and what is remembered must be small
LONGEST_HOST = 255  # characters, as in the name system
LABELS = 8  # of a host name that are read: more are made up, and make ever longer words
LONGEST_PATH = 30  # characters of a link's path that are read: a longer one is hardly ever met again
BEGINNING = 10  # words; 5 to 20 do about as well


def _remembering(make: Callable[[str], Made]) -> Callable[[str], Made]:
    """The same function, which remembers what it made of short texts: messages repeat one another's."""
    remembered = lru_cache(maxsize=1024)(make)
    return lambda text: remembered(text) if len(text) <= LONGEST_REMEMBERED else make(text)


def parts(message: bytes, decode: Decode) -> list[Part]:
    """The evidence in a message, entity by entity: its header fields, its form, its text.

    Attachments are named, not read. But a message without any other text is read from an attached text, whatever type
    it is said to have, and one that holds no text at all, nor an attachment, from all that follows its first blank
    line.
    """
    message = original(message)
    evidence: list[Part] = []
    attached: list[Part] = []
    disguised: list[Entity] = []  # of no type in particular: it may be text
    binary = False
    for entity in entities(message, decode):
        kind, parameters = content_type(entity.fields, decode)
        disposition, named = content_type(entity.fields, decode, "content-disposition")
        charset, encoding = parameters.get("charset", ""), first(entity.fields, "content-transfer-encoding")
        if entity.fields:
            evidence += _header(entity.fields, decode)
        facts = (fact[:LONGEST_FACT] for fact in (kind, charset, encoding, disposition, entity.defect))
        evidence.append(("content-type", _form(*facts)))
        if name := named.get("filename") or parameters.get("name"):
            evidence.append(("attachment", unencoded(name, decode)))
        if kind.startswith(BINARY) and kind not in PAGES:
            binary = True
            if kind in UNSPECIFIC:
                disguised.append(entity)
        elif entity.body and not (entity.outside or entity.body.isspace()):
            into = attached if disposition == "attachment" else evidence
            body = content(entity)
            if b"begin " in body:
                body = _without_files(body, evidence, attached, decode)
            into += _text(_shown(body, kind, parameters, decode), kind in PAGES, decode)
    if not _readable(evidence):
        for entity in disguised:
            attached += _disguised_text(entity, decode)
        evidence += attached if attached or binary else _text(decode(after_head(message)), False, decode)
    return [(tag, text.replace("\ufffd", " ")) for tag, text in evidence if text]


def _readable(evidence: list[Part]) -> bool:
    """Whether there is any text but that of header fields."""
    return any(tag in ("", "hidden") and not text.isspace() for tag, text in evidence)


# --- header fields ----------------------------------------------------------------------------------------------------


def _header(fields: Fields, decode: Decode) -> Iterator[Part]:
    """The evidence in header fields; a stray line among them may be text of a message that lacks its blank line."""
    relays = ""
    for field, value in fields:
        if field in TEXTS:
            text = unencoded(value, decode)
            yield TEXTS[field], text
            if field == "subject":
                yield "shape", _shapes(text)
                yield "mark", _marks(text, text.split(), "subject_")
        elif field in ADDRESSES:
            written = unencoded(value, decode)
            yield ADDRESSES[field], _addresses(written)
            if field == "from":
                yield "account", _account(written)
        elif field == "received":
            relays = _relays(value.rpartition(";")[0] or value)  # after it stands the date
            yield "received", relays
        elif field == "message-id":
            yield "message-id", " ".join(map(_host, _hosts(value.rpartition("@")[2])))
        elif not field:
            yield "", value
    yield "origin", relays


@lru_cache(maxsize=256)  # most parts are made in one of few ways
def _form(kind: str, charset: str, encoding: str, disposition: str, defect: str) -> str:
    """How an entity is made, a word for each fact."""
    facts = (
        ("type", kind),
        ("charset", charset),
        ("encoding", encoding),
        ("disposition", disposition),
        ("defect", defect),
    )
    return " ".join(f"{name}_{_word(value)}" for name, value in facts if value)


@_remembering
def _addresses(value: str) -> str:
    """A field of addresses as written, then each address as one word and its host from the most to the least exact."""
    found = (f"{_word(address[0])} {_host(address[1][:LONGEST_HOST])}" for address in ADDRESS.finditer(value))
    return " ".join((value, *found))


@_remembering
def _account(value: str) -> str:
    """The first address's name before the @ in runs of three characters: names made up by a program look alike.

    >>> _account("Ann <ann.b@example.org>")
    '_an ann nn_ n_b _b_'
    """
    address = ADDRESS.search(value)
    name = f"_{_word(address[0].partition('@')[0])}_" if address else ""
    return " ".join(map("".join, zip(name, name[1:], name[2:], strict=False)))


def _relays(value: str) -> str:
    """The hosts in a Received field in a row, so that pairs of them tell the way taken, then each as `_host` has it.

    >>> _relays("from a.example.org (a.example.org) by b.example.org with ESMTP")
    'a_example_org b_example_org a_example_org example_org org b_example_org example_org org'
    """
    if len(value) > LONGEST_WAY:
        value = " ".join(value[:LONGEST_WAY].split()[:-1])  # the last word may be cut in two
    before, _, own = value.partition(" id ")  # what comes before it many messages have alike
    return _way(_hosts_met(before) + (_hosts(own) if "." in own else ()))


def _hosts(value: str) -> tuple[str, ...]:
    """The hosts in a text, in lower case."""
    dotted = " ".join([word for word in value.lower().split() if "." in word])  # as every host is, and few words are
    return tuple(HOST.findall(dotted))


_hosts_met = _remembering(_hosts)


@lru_cache(maxsize=4096)  # message after message takes the same way
def _way(hosts: tuple[str, ...]) -> str:
    once = dict.fromkeys(hosts)
    return " ".join((" ".join(once).replace(".", "_").replace("-", "_"), *map(_host, once)))


@lru_cache(maxsize=4096)
def _host(name: str) -> str:
    """A host as a word, then each domain around it; a network address and each network around it.

    >>> _host("mail.example.org"), _host("192.0.2.1")
    ('mail_example_org example_org org', '192_0_2_1 192_0_2 192_0 192')
    """
    labels = name.lower().split(".")[-LABELS:]
    if labels[-1].isdigit():
        return " ".join("_".join(labels[:end]) for end in range(len(labels), 0, -1))
    return " ".join("_".join(labels[start:]) for start in range(len(labels)))


def _word(value: str) -> str:
    """A value as one word of any tokenizer."""
    return NO_WORD.sub("_", value.lower())


# --- bodies -----------------------------------------------------------------------------------------------------------

USUAL = {"", "us-ascii", "utf-8", "iso-8859-1", "windows-1252"}  # in lower case; what is valid UTF-8 is so under each
CARDS = {"text/calendar", "text/vcard", "text/x-vcard", "text/x-vcalendar", "text/directory"}
NO_TEXT = bytes(set(range(32)) - set(b"\t\n\f\r\x1b")) + b"\x7f"
HEAD_BYTES = 8192  # of a body that are looked at to tell whether it is text


def _shown(body: bytes, kind: str, parameters: dict[str, str], decode: Decode) -> str:
    """The text of a body by what its type and parameters say of it."""
    text = _decoded(body, parameters.get("charset", ""), kind in PAGES, decode)
    if "delsp" in parameters and parameters["delsp"].lower() == "yes":
        return _flowed(text)
    return _unfolded(text) if kind in CARDS else text


def _decoded(body: bytes, charset: str, page: bool, decode: Decode) -> str:
    """The text of a body. What is ASCII or UTF-8 by a usual name, as nearly all is, is read without more ado."""
    usual = charset.lower() in USUAL
    if usual and body.isascii() and b"\x1b" not in body:
        return decode(body)
    from . import charsets

    if page and (usual or not charsets.codec_of(charset)):
        charset = charsets.stated(body) or charset
    return charsets.decoded(body, charset, decode)


def _flowed(text: str) -> str:
    """A text with its broken lines joined, less the space each was broken after (RFC 3676, format=flowed; delsp=yes).

    >>> _flowed("super \\nmarket\\n> is \\n> it?\\n-- \\nAnn")
    'supermarket\\n> isit?\\n-- \\nAnn'
    """
    return re.sub(r"(?m)(?<!^--) \n(?:>+ ?| (?! ))?", "", text)


def _unfolded(text: str) -> str:
    """The text of a calendar or a card: folded lines joined, escapes taken for what they stand for (RFC 5545, 6350).

    >>> _unfolded("SUMMARY:Win a pri\\n ze\\\\, today\\\\nClick")
    'SUMMARY:Win a prize, today\\nClick'
    """
    text = re.sub(r"\n[ \t]", "", text)
    return re.sub(r"\\(.)", lambda escape: "\n" if escape[1] in "nN" else escape[1], text)


def _without_files(body: bytes, evidence: list[Part], attached: list[Part], decode: Decode) -> bytes:
    """A body less the uuencoded files in it, which are named and kept as attachments are."""
    from .transfer import uu_files

    text, files = uu_files(body)
    for name, data in files:
        evidence.append(("attachment", decode(name)))
        if _is_text(data):
            attached += _text(_decoded(data, "", False, decode), False, decode)
    return text


def _disguised_text(entity: Entity, decode: Decode) -> Iterator[Part]:
    """The text of an entity that is said to be any bytes, if it is text."""
    body = content(entity)
    if _is_text(body):
        charset = content_type(entity.fields, decode)[1].get("charset", "")
        yield from _text(_decoded(body, charset, False, decode), False, decode)


def _is_text(body: bytes) -> bool:
    """Whether bytes are text: what is packed or a picture has control characters soon."""
    head = body[:HEAD_BYTES]
    return bool(head) and len(head.translate(None, NO_TEXT)) == len(head)


# --- text -------------------------------------------------------------------------------------------------------------


def _text(text: str, html: bool, decode: Decode) -> Iterator[Part]:
    """A body's text: what is shown, how it begins, what is hidden, what it links to, how loud it is."""
    if html or (text.lstrip().startswith("<") and re.match(HTML_START, text)):
        from .pages import page  # its patterns alone take as long as all of this module

        shown, hidden, links = page(text)
        yield "hidden", hidden
    else:
        shown, links = text, []
    shown = shown[:LONGEST_TEXT]
    yield "", shown
    words = shown.split()
    yield "begin", " ".join(words[:BEGINNING])
    yield "mark", _marks(shown, words)
    # Links have one of these, and few words have even a point
    addresses = " ".join([word for word in words if ":" in word or ("." in word and ("w." in word or "W." in word))])
    yield "url", " ".join(_link(link, decode) for link in (*links, *URL.findall(addresses)))


def _link(url: str, decode: Decode) -> str:
    """The host of an absolute address, as `_host` has it, then its other pieces, a word each; of another, nothing.

    >>> _link("http://bank@example.org/%63%61sh?x=1", bytes.decode)
    'example_org org bank@ _cash_x_1'
    """
    plain = url if "%" not in url else decode(re.sub(PERCENT, lambda found: bytes([int(found[1], 16)]), url.encode()))
    return _pieces(plain)


@_remembering
def _pieces(url: str) -> str:
    pieces = PIECES.match(url)
    if not pieces:
        return ""
    user, host, path = pieces.groups()
    return f"{_host(host[:LONGEST_HOST].strip('.'))} {user or ''} {_word(path[:LONGEST_PATH])}"


def _marks(text: str, words: Sequence[str], prefix: str = "") -> str:
    """How loud a text of these words is: exclamation, money, and the share of words in capitals, a word each."""
    long = [word for word in words if len(word) > 3]
    capitals = sum(map(str.isupper, long)) * 10 // len(long) if long else 0
    facts = {"bang": "!" in text, "bangs": "!!" in text, "dollar": "$" in text, f"capitals_{capitals}": long}
    return " ".join(prefix + fact for fact, holds in facts.items() if holds)


def _shapes(text: str) -> str:
    """How the words of a text are written: X for each capital, a for a run of other letters, 9 for a number.

    >>> _shapes("Re: FREE offer 4U")
    'Xa: XXXX a 9X'
    """
    return CAPITAL.sub("X", SMALL.sub("a", NUMBER.sub("9", text)))
