"""Encoded words in header values (RFC 2047), as programs write them.

Python's `email.header.decode_header` wants each word to be whole text of its charset, ends a word at a question mark
that was not encoded, and drops the space between a word and what follows it; so it is not used.
"""

import re
from binascii import a2b_qp
from collections.abc import Iterator

from ..decoding import Decode
from .charsets import decoded
from .transfer import from_base64

# A question mark within a word is taken unless it ends the word or begins the next one. Possessive, so that a value
# full of beginnings takes linear time.
WORD = re.compile(r"=\?([^?\s]{1,100})\?([bBqQ])\?([^?]*+(?:(?<!=)\?(?!=)[^?]*+)*+)\?=")


def unencoded(value: str, decode: Decode) -> str:
    """A header value with its encoded words decoded; one that is broken stays as it is.

    Words of one charset that follow each other are joined as bytes before they are decoded: programs cut text where a
    word is full, in the middle of a character too.

    >>> unencoded("=?utf-8?q?M=C3?= =?utf-8?q?=BCll?= and", bytes.decode)
    'Müll and'
    """
    return "".join(run if isinstance(run, str) else decoded(run[1], run[0], decode) for run in _runs(value))


def _runs(value: str) -> Iterator[str | tuple[str, bytes]]:
    """The value in pieces: text as it is, or (charset, bytes) of adjacent words of one charset."""
    charset, written = "", bytearray()
    end = 0
    for word in WORD.finditer(value):
        between = value[end : word.start()]
        own = word[1].partition("*")[0].lower()  # a language may follow (RFC 2231, section 5)
        adjacent = bool(written) and not between.strip()
        if not adjacent or own != charset:
            if written:
                yield charset, bytes(written)
                written.clear()
            if not adjacent:
                yield between
        charset = own
        written += _word_bytes(word[2], word[3])
        end = word.end()
    if written:
        yield charset, bytes(written)
    yield value[end:]


def _word_bytes(encoding: str, text: str) -> bytes:
    content = text.encode(errors="replace")
    return a2b_qp(content, header=True) if encoding in "qQ" else from_base64(content)
