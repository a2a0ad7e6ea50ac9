"""Text from bytes that name their charset, as mail programs and browsers understand the name.

Names are looked up in this order: Python's own, with the larger charset that programs really use under the name of a
smaller one; the labels of browsers (the WHATWG's Encoding Standard), by the package `webencodings`; names only in mail.
Messages in ASCII, seven of eight in the SpamAssassin corpus, need none of this: see `evidence`.

A bad character affects only itself, unless so many are bad that the name must be wrong.
"""

import codecs
import re
from functools import lru_cache

from ..decoding import Decode, scrubbed

# The larger charset that mail programs use under the name of a smaller one, by Python's names.
WIDER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "iso8859-9": "cp1254",
    "iso8859-1": "cp1252",
    "ascii": "",  # all bytes are meant to be read
    "utf-8": "",
}
# Never charsets of mail, though Python knows them: malicious input takes quadratic time, or they interpret escapes.
REFUSED = {"idna", "punycode", "raw-unicode-escape", "unicode-escape"}
LONGEST_NAME = 100  # characters of a charset's name: longer ones are ignored, so that caches stay small
SEVEN_BIT = ("hz", "iso2022", "utf-7", "utf-16", "utf-32")  # their bytes may look like ASCII, but are not
# Names that neither Python nor browsers know, without x- before and _charset after them
OF_MAIL = {
    "chinesebig5": "big5",
    "cn-gb": "gb2312",
    "cp50220": "iso2022_jp",
    "cp50221": "iso2022_jp",
    "cp50222": "iso2022_jp",
    "cp51932": "euc_jp",
    "euc": "euc_jp",
    "eucjp-ms": "euc_jp",
    "eucjp-win": "euc_jp",
    "eucjpms": "euc_jp",
    "iso-2022-jp-ms": "iso2022_jp",
    "mac-ce": "mac_latin2",
    "mac-centraleurroman": "mac_latin2",
    "mac-japanese": "cp932",
    "unicode-1-1-utf-7": "utf-7",
    "unicode-2-0-utf-7": "utf-7",
}
CODE_PAGE = r"(?:ms|microsoft|windows|win|dos|ibm|cp|codepage)?[-_ ]*(?:cp)?[-_ ]*(\d{3,5})"
ISO_8859 = r"(?:iso)?[-_ ]*8859[-_ ]*(\d\d?)\b.*"
STATED = rb"""(?i)<(?:meta\b[^>]*?\bcharset|\?xml\b[^>]*?\bencoding)\s*=\s*["']?\s*([\w.:-]{1,100})"""
HEAD_BYTES = 2048  # of a page that are searched for a charset; browsers search half of this
MOST_BAD = 4  # one bad character per so many good ones beyond ASCII is tolerated

JAPANESE_ESCAPE = rb"\x1b(\$[@B]|\([BHIJ])"
KANJI, KATAKANA = (b"$@", b"$B"), b"(I"
HIGH = bytes(range(0x21)) + bytes(range(0xA1, 0xFF)) + bytes(range(0x7F, 0x100))


def decoded(body: bytes, charset: str, decode: Decode) -> str:
    """The text of bytes that name their charset. Valid UTF-8 is read as UTF-8 whatever the name.

    charset  the name as it is written, or "" if there is none
    decode   for bytes whose charset is not known

    Characters that cannot be read become U+FFFD.

    >>> decoded(b"caf\\x82", "cp850", bytes.decode), decoded(b"caf\\xc3\\xa9", "latin-1", bytes.decode)
    ('café', 'café')
    """
    codec = codec_of(charset)
    if not codec and b"\x1b$" in body:
        codec = "iso2022_jp"  # only this charset has such escapes
    if not codec.startswith(SEVEN_BIT) and _is_utf_8(body):
        return decode(body)
    text = _mostly(body, codec) if codec else None
    if text is None or codec == "cp1252":  # any charset is sent under these names
        text = _mostly(body, "utf-8") or text
    return decode(body) if text is None else text


def is_eight_bit(charset: str) -> bool:
    """Whether a charset's name is known, and ASCII has its usual bytes in it."""
    codec = codec_of(charset)
    return bool(codec) and not codec.startswith(SEVEN_BIT)


def stated(page: bytes) -> str:
    """The charset that an HTML page names, or "".

    >>> stated(b'<meta http-equiv=Content-Type content="text/html; charset=koi8-r">')
    'koi8-r'
    """
    found = re.search(STATED, page[:HEAD_BYTES])
    name = found[1].decode("ascii", "replace") if found else ""
    return "" if codec_of(name).startswith(SEVEN_BIT[2:]) else name  # in such a charset the name could not be read


def codec_of(charset: str) -> str:
    """Python's codec for a charset's name; none for UTF-8, which is always tried, and for an unknown name.

    >>> codec_of("x-sjis"), codec_of("windows-874"), codec_of("ISO-8859-8-I"), codec_of("x-unknown")
    ('cp932', 'cp874', 'iso8859-8', '')
    """
    return _codec(charset[:LONGEST_NAME].strip("\"' ").lower())


@lru_cache(maxsize=256)
def _codec(name: str) -> str:
    codec = _pythons(name)
    if codec is None:
        from webencodings import lookup

        encoding = lookup(name)
        codec = _pythons(encoding.codec_info.name) if encoding else _mails(name)
    return codec or ""


def _pythons(name: str) -> str | None:
    """Python's codec of that name, or the larger one that is meant; "" for UTF-8, None if there is none for text."""
    try:
        found = codecs.lookup(name)
        bytes(4).decode(name)
    except (LookupError, ValueError):  # ValueError: not even a name
        return None
    return None if found.name in REFUSED else WIDER.get(found.name, found.name)


def _mails(name: str) -> str | None:
    name = name.removeprefix("x-").removesuffix("_charset")
    if name in OF_MAIL:
        return _pythons(OF_MAIL[name])
    if page := re.fullmatch(CODE_PAGE, name):
        return _pythons(f"cp{page[1]}")
    if part := re.fullmatch(ISO_8859, name):
        return _pythons(f"iso8859-{part[1]}")
    return _pythons(name) or _pythons(name.replace("-", "_"))


def _is_utf_8(body: bytes) -> bool:
    """Whether bytes are valid UTF-8."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _mostly(body: bytes, codec: str) -> str | None:
    """The text of bytes in a charset, with U+FFFD for bad characters; None if too many are bad."""
    if codec == "iso2022_jp":
        text = _iso_2022_jp(body)
    else:
        try:
            text = body.decode(codec, JAPANESE if codec == "euc_jp" else "replace")
        except (LookupError, UnicodeError):  # such as UTF-16 that is cut off inside its mark
            return None
    bad = text.count("\ufffd")
    beyond = len(text) - len(text.encode("ascii", "ignore"))
    if bad * (MOST_BAD + 1) > beyond:
        return None
    return scrubbed(text) if codec == "utf-7" else text  # it can encode lone surrogates


def _iso_2022_jp(body: bytes) -> str:
    """Text in ISO-2022-JP with the extensions of vendors: each run after an escape is decoded separately.

    >>> _iso_2022_jp(b"\\x1b$B2q0w-!\\x1b(B, \\x1b(I1\\x1b(B")
    '会員①, ｱ'
    """
    plain, *runs = re.split(JAPANESE_ESCAPE, body)
    texts = [plain.decode("ascii", "replace")]
    for escape, run in zip(runs[::2], runs[1::2], strict=True):
        if escape in KANJI:
            texts.append(run.translate(HIGH).decode("euc_jp", JAPANESE))
        elif escape == KATAKANA:
            texts.append(run.translate(HIGH).decode("cp932", "replace"))
        else:
            texts.append((b"\x1b(B" + run).decode("iso2022_jp_ext", "replace"))
    return "".join(texts)


def _vendors_character(error: UnicodeError) -> tuple[str, int]:
    """Characters that NEC and IBM added in free rows of JIS X 0208, by Microsoft's Shift_JIS, for bytes in EUC-JP.

    Source: the conversion between the two is that of JIS X 0208, appendix 1.
    """
    assert isinstance(error, UnicodeDecodeError)
    row, cell = (each - 0xA0 for each in (*error.object[error.start : error.start + 2], 0, 0)[:2])
    if not (0 < row <= 94 and 0 < cell <= 94):
        return "\ufffd", error.start + 1
    lead = (row + 1) // 2 + (0x80 if row <= 62 else 0xC0)
    trail = cell + (0x3F + (cell > 63) if row % 2 else 0x9E)
    return bytes((lead, trail)).decode("cp932", "replace")[:1], error.start + 2


JAPANESE = "nbtext.japanese"
codecs.register_error(JAPANESE, _vendors_character)
