"""Encoded words in header values (RFC 2047), as programs really write them.

Python's `email.header.decode_header` is not used: it needs complete characters in each word, ends a word at a question
mark that was not encoded, and drops the space between a word and the text after it.
"""

import re
from binascii import a2b_qp
from collections.abc import Iterator

from ..decoding import Decode
from .charsets import decoded
from .transfer import from_base64

# A question mark inside a word belongs to it unless it ends the word or begins the next one. Possessive, so that a
# value full of such beginnings takes linear time.
WORD = re.compile(r"=\?([^?\s]{1,100})\?([bBqQ])\?([^?]*+(?:(?<!=)\?(?!=)[^?]*+)*+)\?=")


def unencoded(value: str, decode: Decode) -> str:
    """A header value with its encoded words decoded; a broken word is not changed.

    Adjacent words of the same charset are joined as bytes before they are decoded: programs cut text when a word is
    full, even inside a character.

    >>> unencoded("=?utf-8?q?M=C3?= =?utf-8?q?=BCll?= and", bytes.decode)
    'Müll and'
    """
    return "".join(run if isinstance(run, str) else decoded(run[1], run[0], decode) for run in _runs(value))


def _runs(value: str) -> Iterator[str | tuple[str, bytes]]:
    """The value in pieces: unchanged text, or (charset, bytes) of adjacent words of the same charset."""
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
