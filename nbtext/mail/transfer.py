"""Decoding bodies from base64 and uuencode, alone and among text. `binascii` decodes quoted-printable.

Text that cannot be decoded is not changed: someone may have added it. Every loop goes forward.
"""

import re
from binascii import Error, a2b_base64, a2b_uu

NO_BASE64 = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
# Whole lines, and a last one with padding: after the padding another text in base64 may begin, even on the same line
BASE64 = re.compile(
    rb"\s*+(?:[A-Za-z0-9+/]++[ \t]*+(?:\n\s*+|\Z))*+(?:[A-Za-z0-9+/]++={1,3}+(?:[ \t]*+(?:\n|\Z)|(?=[A-Za-z0-9+/])))?"
)
LONG_LINE = re.compile(rb"(?m)^[A-Za-z0-9+/]{40,}+={0,2}+[ \t]*+$")  # no normal text looks like this
BEGIN = re.compile(rb"(?m)^begin [0-7]{3,4} ([^\n]+)\n")


def from_base64(written: bytes) -> bytes:
    """The bytes of one text in base64, padded or not.

    >>> from_base64(b"bHVu Y2g")
    b'lunch'
    """
    letters = written.translate(None, NO_BASE64)
    odd = len(letters) % 4 == 1  # a single last letter is less than a byte
    return a2b_base64(letters[: len(letters) - odd] + b"==")


def base64_decoded(body: bytes) -> bytes:
    r"""A body with its texts in base64 decoded, one after the other, and the text between or after them unchanged.

    Programs that add a footer encode it separately, and put it after the padding of the existing text. After the first,
    a text counts only if it is complete, since a word of a footer in plain text has the same letters.

    >>> base64_decoded(b"bHVuY2g=\nIGF0IG5vb24=\n-- \nthe list\n")
    b'lunch at noon-- \nthe list\n'
    """
    decoded, at, expected = bytearray(), 0, True
    while at < len(body):
        end = BASE64.match(body, at).end()  # type: ignore[union-attr]  # it matches anything
        run = body[at:end]
        if run and (expected or _is_whole(run)):
            decoded += from_base64(run)
            at, expected = end, False
        else:  # text, up to a line that can only be base64
            again = LONG_LINE.search(body, at)
            end = again.start() if again else len(body)
            decoded += body[at:end]
            at, expected = end, True
    return bytes(decoded)


def _is_whole(written: bytes) -> bool:
    """Whether letters of base64 with their padding form groups of four."""
    return bool(written.strip()) and len(b"".join(written.split())) % 4 == 0


def uu_decoded(body: bytes) -> bytes:
    r"""The body of an entity marked as uuencoded: its files, and the text around them unchanged.

    >>> uu_decoded(b"begin 644 a.txt\n%;'5N8V@ \n`\nend\n")
    b'lunch\n'
    """
    text, files = uu_files(body)
    if not files:  # no line begins a file
        data, end = _uu_lines(body, 0)
        return data + body[end:]
    return b"\n".join([*(data for _, data in files), text])


def uu_files(body: bytes) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    r"""The text around the uuencoded files in a body, and the files, each a name and its bytes.

    >>> uu_files(b"see\nbegin 644 a.txt\n%;'5N8V@ \n`\nend\nbye\n")
    (b'see\nbye\n', [(b'a.txt', b'lunch')])
    """
    text, files, at = bytearray(), [], 0
    for begin in BEGIN.finditer(body):
        if begin.start() >= at:
            data, end = _uu_lines(body, begin.end())
            if data:
                text += body[at : begin.start()]
                files.append((begin[1].strip(), data))
                at = end
    return bytes(text + body[at:]), files


def _uu_lines(body: bytes, at: int) -> tuple[bytes, int]:
    """The bytes in the uuencoded lines at a position, and where these end: after `end`, or at any other line."""
    data = bytearray()
    while at < len(body):
        end = body.find(b"\n", at) + 1 or len(body)
        line = body[at:end].rstrip(b"\n")
        if line == b"end":
            return bytes(data), end
        letters = ((line[0] - 32) % 64 + 2) // 3 * 4 if line else 0  # announced for this line
        if not line or not letters // 2 < len(line) <= letters + 2:  # spaces at its end may be lost
            break
        try:
            piece = a2b_uu(line)
        except Error:
            break
        data += piece
        at = end
    return bytes(data), at
