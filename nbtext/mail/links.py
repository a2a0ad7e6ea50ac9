"""Hosts and links as words: the target of a link as a browser reads it, and the hosts that header fields name.

Nearly all links are written plainly, and one pattern splits them. Others (with a user, a port, backslashes, an address
in brackets or in odd numbers, letters beyond ASCII) are first rewritten as a browser would do it, then read by Python's
own parser, which takes four milliseconds to load. In 6,046 messages of 2002 these are 2 links in a hundred.
"""

import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import TypeVar

from ..decoding import Decode
from . import compiled

Made = TypeVar("Made")

NO_WORD = r"\W"
HOST = r"(?<![\w.-])[\w-]{1,63}+(?:\.[\w-]{1,63}+){1,20}+"
# Where a link in text ends: at white space, a bracket or a quote, or a full stop and the like of Chinese and Japanese.
# Only the scheme ignores case, and ASCII texts have a simpler pattern, because patterns are compiled at each start.
END = r"""\s<>"')\]"""
URL = re.compile(rf"(?i:https?://|ftp://|mailto:|www\.)[^{END}]+")
CLOSING = ".,:;!?*'}-"  # at the end of a link, these belong to the sentence around it
PLAIN = re.compile(
    r"(?:(?i:https?|ftp)://|(?=(?i:www)\.))([A-Za-z0-9][A-Za-z0-9.-]*[A-Za-z0-9])(?![^/?#])(.*)", re.DOTALL
)
# Compiled by `re` when they are first used, as few links need them
WIDE_URL = rf"(?i:https?://|ftp://|mailto:|www\.)[^{END}、。，．：；！？（）【】「」『』《》“”‘’…]+"
ABSOLUTE = r"(?i)(?:(?:https?|ftp|wss?):[/\\]*|[/\\]{2,}|(?=www\.))"  # a browser accepts any number of slashes
PERCENT = rb"%([0-9A-Fa-f]{2})"
UNREAD = r"[\t\n\r]"  # a browser removes these from a link
BLANK = "".join(map(chr, range(33)))  # and these from its ends
NUMBERS = r"(?:0x[0-9a-f]*|[0-9]+)(?:\.(?:0x[0-9a-f]*|[0-9]+)){0,3}\.?"
LONGEST_REMEMBERED = 200  # characters of cached values: with longer ones a sender could fill the memory
LONGEST_WAY = 1000  # characters of a Received field that are read, so that the cache stays small
LONGEST_HOST = 255  # characters, as in the domain name system
LONGEST_LINK = 2_000  # characters of a link that are read: its host comes first
LABELS = 8  # of a host name that are read: longer names are faked
LONGEST_PATH = 30  # characters of a link's path that are read: longer ones hardly ever repeat


def remembering(make: Callable[[str], Made]) -> Callable[[str], Made]:
    """The same function with a cache for short texts, as messages have many equal ones."""
    remembered = lru_cache(maxsize=1024)(make)
    return lambda text: remembered(text) if len(text) <= LONGEST_REMEMBERED else make(text)


def plain_as_word(value: str) -> str:
    """A value as one word for any tokenizer.

    >>> plain_as_word("/Win.html?x=1")
    '_win_html_x_1'
    """
    return re.sub(NO_WORD, "_", value.lower())


as_word = compiled("as_word", plain_as_word)


# --- hosts ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def host_words(name: str) -> str:
    """A host as a word, then each domain that contains it; a network address and each network that contains it.

    >>> host_words("my-mail.example.org"), host_words("192.0.2.1"), host_words("[2001:db8::1]")
    ('my_mail_example_org example_org org', '192_0_2_1 192_0_2 192_0 192', 'ipv6_2001_db8__1')
    """
    if name.startswith("["):
        return "ipv6_" + as_word(name.strip("[]"))
    labels = name.lower().replace("-", "_").split(".")[-LABELS:]
    if labels[-1].isdigit():
        return " ".join("_".join(labels[:end]) for end in range(len(labels), 0, -1))
    return " ".join("_".join(labels[start:]) for start in range(len(labels)))


def plain_hosts(text: str) -> tuple[str, ...]:
    """The hosts in a text, in lower case.

    >>> plain_hosts("by MX.example.org (192.0.2.1) with")
    ('mx.example.org', '192.0.2.1')
    """
    dotted = " ".join([word for word in text.lower().split() if "." in word])  # every host has a dot, and few words do
    return tuple(re.findall(HOST, dotted))


hosts = compiled("hosts", plain_hosts)


def relays(value: str) -> str:
    """The hosts in a Received field in a row, so that pairs show the way of the message, then each as `host_words`.

    >>> relays("from a.example.org (a.example.org) by b.example.org with ESMTP")
    'a_example_org b_example_org a_example_org example_org org b_example_org example_org org'
    """
    if len(value) > LONGEST_WAY:
        value = " ".join(value[:LONGEST_WAY].split()[:-1])  # the last word may be cut off
    return _way(hosts(value))


@lru_cache(maxsize=4096)  # many messages take the same way
def _way(names: tuple[str, ...]) -> str:
    once = dict.fromkeys(names)
    return " ".join((" ".join(once).replace(".", "_").replace("-", "_"), *map(host_words, once)))


# --- links ------------------------------------------------------------------------------------------------------------


def links_in(written: str) -> list[str]:
    """The links in a text, without the punctuation of the sentence around them.

    >>> links_in("see http://example.net/win. or www.example.org, 读http://example.net/win。谢谢")
    ['http://example.net/win', 'www.example.org', 'http://example.net/win']
    """
    found = URL.findall(written) if written.isascii() else re.findall(WIDE_URL, written)
    return [link.rstrip(CLOSING) for link in found]


def link_words(url: str, decode: Decode) -> str:
    r"""The host of an absolute link, as `host_words`, then its user and its path as one word each; else nothing.

    >>> link_words("http://bank@my-shop.example.org/%63%61sh?x=1", bytes.decode)
    'my_shop_example_org example_org org bank@ _cash_x_1'
    >>> link_words("http:\\\\0xC0.0.2.1:80\\a", bytes.decode), link_words("/a", bytes.decode)
    ('192_0_2_1 192_0_2 192_0 192 _a', '')
    """
    return _remembered(url) if "%" not in url else _link_words(url[:LONGEST_LINK], partial(_unquoted, decode=decode))


def _link_words(url: str, unquoted: Callable[[str], str]) -> str:
    plain = PLAIN.match(url)
    if plain and not plain[1][-1].isdigit():
        return _words(plain[1], "", unquoted(plain[2]))
    host, user, path = map(unquoted, _split(url))
    return _words(_host(host), user and f"{user}@", path)


@remembering
def _remembered(url: str) -> str:
    """The same for a link without percent signs."""
    return _link_words(url[:LONGEST_LINK], str)


def _unquoted(written: str, decode: Decode) -> str:
    """A piece of a link without percent signs."""
    return decode(re.sub(PERCENT, lambda found: bytes([int(found[1], 16)]), written.encode(errors="replace")))


def _words(host: str, user: str, path: str) -> str:
    return " ".join(filter(None, (host and host_words(host[-LONGEST_HOST:]), user, as_word(path[:LONGEST_PATH]))))


def _split(url: str) -> tuple[str, str, str]:
    """The host, the user and the rest of a link; empty if it is not absolute, or no browser would follow it."""
    url = re.sub(UNREAD, "", url.strip(BLANK))
    if url[:7].lower() == "mailto:":
        user, _, host = url[7:].partition("?")[0].rpartition("@")
        return host, user, ""
    begin = re.match(ABSOLUTE, url)
    if not begin:
        return "", "", ""
    from urllib.parse import urlsplit

    site, mark, rest = re.match(r"([^?#]*)([?#]?)(.*)", url[begin.end() :], re.DOTALL).groups()  # type: ignore[union-attr]
    try:
        pieces = urlsplit(f"http://{site.replace(chr(92), '/')}{mark}{rest}")
        host = pieces.netloc.rpartition("@")[2]
        host = host.partition("]")[0] + "]" if host.startswith("[") else host.partition(":")[0]
    except ValueError:
        return "", "", ""
    user = pieces.netloc.rpartition("@")[0]
    return host, user, pieces._replace(scheme="", netloc="").geturl()


@remembering
def _host(written: str) -> str:
    """A host in the form that a browser gives it, however it is written."""
    host = written.strip(".").lower()
    if host.startswith("["):
        from ipaddress import ip_address  # imported here, as such hosts are rare

        try:
            return f"[{ip_address(host.strip('[]'))}]"
        except ValueError:
            return host
    if not host.isascii():
        try:
            host = host[:LONGEST_HOST].encode("idna").decode("ascii")
        except UnicodeError:  # no browser can resolve it
            return host
    return _dotted(host) if re.fullmatch(NUMBERS, host) else host


def _dotted(numbers: str) -> str:
    """A network address in four decimal numbers, from one to four numbers of any base; the last one fills the rest."""
    *first, last = (_number(number) for number in numbers.split("."))
    if max(first, default=0) > 255 or last >= 256 ** (4 - len(first)):
        return numbers
    return ".".join(map(str, (*first, *last.to_bytes(4 - len(first), "big"))))


def _number(written: str) -> int:
    """A number: hexadecimal with 0x before it, octal with 0 before it, else decimal."""
    digits = written[:20]
    if digits.startswith("0x"):
        return int(digits[2:] or "0", 16)
    return int(digits, 8 if digits.startswith("0") and not set("89") & set(digits) else 10)
