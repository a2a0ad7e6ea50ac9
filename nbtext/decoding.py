"""Bytes to text, never failing: a byte order mark decides, else UTF-8 if the bytes are valid, else a fallback encoding.

The fallback is named by the user, or with "auto" detected from the bytes by chardet (the extra `nbtext[detect]`).

Bytes that cannot be decoded become spaces, never U+FFFD: a replacement character would be counted as if it were in the
text. Recognising binary data is here too; skipping them is left to the readers. `Rejoined` is for looking at the
beginning of a stream.
"""

import codecs
import io
import re
from collections.abc import Callable
from typing import BinaryIO, NamedTuple

from .errors import ChoiceError

UTF_8, UTF_16, UTF_32, FALLBACK = "UTF-8", "UTF-16", "UTF-32", "fallback"
# UTF-32 first: its little-endian mark begins with that of UTF-16
WIDE = ((UTF_32, (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)), (UTF_16, (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)))

USUAL_FALLBACK = "windows-1252"
AUTO = "auto"
SAMPLE_BYTES = 1 << 18  # bytes from which an encoding is detected,
PLAIN_BYTES = 1 << 10  # beginning this many before the first that is not ASCII

SKIP, READ = "skip", "read"
CONTROLS_ALLOWED = 2  # a text may have this many control characters,
CONTROL_SHARE = 50  # or one in this many bytes: compressed data have one in ten, programs more
# All bytes but the control characters that no text needs: those of terminals and of ISO-2022 occur in texts too
ORDINARY = bytes({*range(256)} - {*range(8), *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F})

DOCUMENT_BYTES = 256_000_000

Decode = Callable[[bytes], str]


class Limits(NamedTuple):
    """Which documents are refused.

    binary          "skip" refuses binary data, "read" reads them as text
    document_bytes  the largest size of a document, unpacked
    strict          whether reading stops at the first broken input
    """

    binary: str = SKIP
    document_bytes: int = DOCUMENT_BYTES
    strict: bool = False


class Decoder:
    r"""Turns the bytes of a document into text, and remembers which encoding it used. It can be pickled.

    fallback  the encoding for bytes that are not UTF-8, or AUTO; bytes undefined in it are read as Latin-1
    limits    which documents its readers refuse

    >>> decode = Decoder()
    >>> decode("naïve".encode()), decode.taken()
    ('naïve', 'UTF-8')
    >>> decode("naïve".encode("latin-1")), decode.taken(), decode.taken()
    ('naïve', 'fallback', 'UTF-8')
    """

    __slots__ = ("_sampled", "encoding", "fallback", "limits")

    def __init__(self, fallback: str = USUAL_FALLBACK, limits: Limits = Limits()) -> None:
        self.fallback = fallback
        self.limits = limits
        self.encoding = UTF_8
        self._sampled = ""

    def __call__(self, data: bytes | bytearray) -> str:
        """The text of the bytes, which are all of a document, or of a line or field of it."""
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return self._not_utf_8(data)
        return text.removeprefix("\ufeff").replace("\ufffd", " ")  # neither copies where there is nothing to do

    @property
    def detects(self) -> bool:
        """Whether encodings are detected from the bytes."""
        return self.fallback == AUTO

    def sample(self, beginning: bytes) -> None:
        """Use the encoding of these bytes for all that is not UTF-8: single lines are too short to detect it."""
        self._sampled = "" if beginning.isascii() or _is_utf_8(beginning) else detected(beginning)

    def taken(self) -> str:
        """How the bytes since the last call were read: UTF_8, UTF_16, UTF_32, or FALLBACK if any are none of these."""
        encoding, self.encoding = self.encoding, UTF_8
        return encoding

    def refuses(self, data: bytes | bytearray) -> bool:
        """Whether the bytes of a document, line or record are binary, and binary data are to be skipped."""
        return 0 in data and self.limits.binary == SKIP and is_binary(data)

    def _not_utf_8(self, data: bytes | bytearray) -> str:
        encoding = marked(data)
        if self.encoding != FALLBACK:
            self.encoding = encoding or FALLBACK
        if encoding:
            return data.decode(encoding, "replace").replace("\ufffd", " ")
        if data.startswith(codecs.BOM_UTF8):
            return data[3:].decode("utf-8", "replace").replace("\ufffd", " ")
        fallback = self._sampled or detected(data) if self.detects else self.fallback
        return scrubbed(data.decode(fallback, _LATIN_1))  # some encodings can encode lone surrogates


def detected(data: bytes | bytearray) -> str:
    """The likeliest encoding of bytes that are not UTF-8, or the usual fallback."""
    import chardet

    first = re.search(rb"[^\x00-\x7f]", data)
    start = max(0, first.start() - PLAIN_BYTES) if first else 0
    found = chardet.detect(bytes(data[start : start + SAMPLE_BYTES]))["encoding"] or USUAL_FALLBACK
    try:
        b"a".decode(found)
    except LookupError:  # chardet knows it, but Python does not
        return USUAL_FALLBACK
    return found


def read_as(fallback: str) -> str:
    """The words after "read as" in messages about texts that are not UTF-8."""
    return "detected" if fallback == AUTO else fallback


def _is_utf_8(beginning: bytes) -> bool:
    """Whether the bytes are UTF-8, perhaps cut off inside the last character."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(beginning)
    except UnicodeDecodeError:
        return False
    return True


def decoder(fallback: str = USUAL_FALLBACK, limits: Limits = Limits()) -> Decoder:
    r"""The decoder of documents.

    fallback  the encoding for bytes that are not UTF-8, or AUTO

    >>> text = decoder()
    >>> text("naïve".encode()), text("naïve".encode("latin-1")), text("naïve".encode("utf-16"))
    ('naïve', 'naïve', 'naïve')
    >>> decoder("windows-1254")(b"\xfe\xfd\xf0")
    'şığ'

    Raises: ChoiceError for a name that is not a text encoding, or for AUTO if chardet is not installed.
    """
    if fallback == AUTO:
        from importlib.util import find_spec

        if not find_spec("chardet"):
            raise ChoiceError("--encoding auto needs a package that is not installed: pip install 'nbtext[detect]'")
        return Decoder(fallback, limits)
    try:
        if fallback != USUAL_FALLBACK:  # whose codec most starts need not load
            bytes(range(256)).decode(fallback, _LATIN_1)
    except (LookupError, ValueError):
        raise ChoiceError(
            f"no encoding {fallback!r}; type one that Python knows, as in utf-8, latin-1, koi8-r, gb18030; or auto"
        ) from None
    return Decoder(fallback, limits)


def marked(data: bytes | bytearray) -> str:
    r"""UTF_16 or UTF_32 if the bytes begin with its byte order mark, else "".

    >>> marked("text".encode("utf-16")), marked("text".encode("utf-32")), marked(b"text")
    ('UTF-16', 'UTF-32', '')
    """
    return next((encoding for encoding, marks in WIDE if data.startswith(marks)), "")


def is_binary(data: bytes | bytearray) -> bool:
    r"""Whether bytes are binary, not text: they have a NUL, and too many control characters.

    Too many means more than CONTROLS_ALLOWED and more than one in CONTROL_SHARE bytes. NULs at the end do not count
    unless there is nothing else. Bytes with the mark of UTF-16 or UTF-32 are never binary.

    >>> is_binary(b"\x7fELF\x02\x01\x01\x00\x03"), is_binary(b"good\0morning"), is_binary(b"good morning\0\0\0")
    (True, False, False)
    """
    rest = data.rstrip(b"\0")
    if marked(data) or 0 not in (rest or data):
        return False
    return not rest or len(rest.translate(None, ORDINARY)) > max(CONTROLS_ALLOWED, len(rest) // CONTROL_SHARE)


def scrubbed(text: str) -> str:
    r"""The text with a space for each U+FFFD and each lone surrogate.

    >>> scrubbed("a\ufffdb\ud800c")
    'a b c'
    """
    valid = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return valid.replace("\ufffd", " ")


def _latin_1(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


_LATIN_1 = "nbtext.latin-1"
codecs.register_error(_LATIN_1, _latin_1)


class Rejoined(io.RawIOBase):
    r"""The bytes already read from a stream and the rest of it, as one stream; closing it is left to the caller.

    >>> rest = io.BytesIO(b"two\n")
    >>> io.BufferedReader(Rejoined(b"one\n", rest)).readlines()
    [b'one\n', b'two\n']
    """

    def __init__(self, start: bytes, rest: BinaryIO) -> None:
        self._start = memoryview(start)
        self._rest = rest

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # BufferedReader passes this type
        """Fill the buffer with the bytes that have arrived; their number, 0 at the end."""
        piece = self._start[: len(buffer)] or self._read(len(buffer))
        self._start = self._start[len(buffer) :]
        buffer[: len(piece)] = piece
        return len(piece)

    def _read(self, size: int) -> bytes:
        """Only bytes that have arrived, if the stream can read so."""
        read = getattr(self._rest, "read1", self._rest.read)
        return bytes(read(size) or b"")
