"""Bytes to text, without fail. A byte order mark decides, else UTF-8 if it is valid, else a fallback encoding.

What cannot be text becomes a space, never U+FFFD: a replacement character would be counted as if someone wrote it.
Telling binary files from text is here too; skipping them is left to the readers.
"""

import codecs
from collections.abc import Callable
from functools import partial

from .errors import ChoiceError

HEAD_BYTES = 8192  # where is_binary looks
UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
UTF_8, UTF_16, FALLBACK = "UTF-8", "UTF-16", "fallback"

Decode = Callable[[bytes], str]


def decoder(fallback: str = "windows-1252") -> Callable[[bytes], str]:
    r"""The function from the bytes of a document to its text. It can be pickled.

    fallback  the encoding for bytes that are not UTF-8; bytes it leaves undefined are read as Latin-1

    Raises: ChoiceError for a name that is no text encoding.

    >>> text = decoder()
    >>> text("naïve".encode()), text("naïve".encode("latin-1")), text("naïve".encode("utf-16"))
    ('naïve', 'naïve', 'naïve')
    >>> decoder("windows-1254")(b"\xfe\xfd\xf0")
    'şığ'
    """
    try:
        bytes(range(256)).decode(fallback, _LATIN_1)
    except (LookupError, ValueError):
        raise ChoiceError(
            f"no encoding {fallback!r}; type one that Python knows, as in utf-8, latin-1, windows-1254, koi8-r, gb18030"
        ) from None
    return partial(_text, fallback=fallback)


class Watched:
    """A way to decode that remembers how the bytes of the document at hand had to be read.

    >>> watched = Watched(decoder())
    >>> watched(b"plain"), watched("naïve".encode("latin-1")), watched.taken(), watched.taken()
    ('plain', 'naïve', 'fallback', 'UTF-8')
    """

    def __init__(self, decode: Callable[[bytes], str]) -> None:
        self.decode = decode
        self.encoding = UTF_8

    def __call__(self, data: bytes) -> str:
        if self.encoding == UTF_8:
            self.encoding = _encoding(data)
        return self.decode(data)

    def taken(self) -> str:
        """How the bytes since the last call were read: UTF_8, UTF_16, or FALLBACK if any of them are neither."""
        encoding, self.encoding = self.encoding, UTF_8
        return encoding


def _encoding(data: bytes) -> str:
    if data.isascii():
        return UTF_8
    if data.startswith(UTF_16_MARKS):
        return UTF_16
    try:
        data.decode()
    except UnicodeDecodeError:
        return FALLBACK
    return UTF_8


def is_binary(data: bytes) -> bool:
    r"""Whether bytes are no text: a NUL among the first 8192, and no UTF-16 byte order mark.

    >>> is_binary(b"\x7fELF\x02\x01\x01\x00"), is_binary("text".encode("utf-16")), is_binary(b"text")
    (True, False, False)
    """
    return data.find(0, 0, HEAD_BYTES) >= 0 and not data.startswith(UTF_16_MARKS)


def scrubbed(text: str) -> str:
    r"""The text with a space for each U+FFFD and each half of a surrogate pair that stands alone.

    >>> scrubbed("a\ufffdb\ud800c")
    'a b c'
    """
    valid = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return valid.replace("\ufffd", " ")


def _text(data: bytes, *, fallback: str) -> str:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return _text_not_in_utf_8(data, fallback)
    return text.removeprefix("\ufeff").replace("\ufffd", " ")  # neither costs a copy where there is nothing to do


def _text_not_in_utf_8(data: bytes, fallback: str) -> str:
    if data.startswith(UTF_16_MARKS):  # never valid UTF-8, so it can be looked for here, off the usual path
        return data.decode("utf-16", "replace").replace("\ufffd", " ")
    if data.startswith(codecs.BOM_UTF8):
        return data[3:].decode("utf-8", "replace").replace("\ufffd", " ")
    return scrubbed(data.decode(fallback, _LATIN_1))  # some encodings can spell lone surrogates


def _latin_1(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


_LATIN_1 = "nbtext.latin-1"
codecs.register_error(_LATIN_1, _latin_1)
