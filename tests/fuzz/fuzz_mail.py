"""Messages that nobody would send, for seconds on end: `python -m tests.fuzz.fuzz_mail --seconds 60 --seed 1`.

Each is put together from pieces that break parsers. What must hold for any bytes is `flaws`; the first message with
a flaw is printed as a Python literal, whole, so that it can become a test.
"""

import io
import random
import re
import sys
import time

from nbtext.decoding import Decoder
from nbtext.mail import evidence
from nbtext.readers import Document, mbox

from . import fuzz

# A header: it starts with a field, after From_ lines if any, and a blank line ends it.
HEAD = re.compile(rb"\n*(?:>?From [^\n]*\n)*[!-9;-~]+[ \t]*:(?:[^\n]|\n(?!\n))*(?=\n\n)")

FIELDS = [
    b"Subject: lunch at noon",
    b"Subject: =?utf-8?B?bHVuY2g=?= =?iso-8859-1?q?_at_noon?=",
    b"Subject: =?utf-8?B?bHV",
    b"Subject: =?x?q?=ZZ?= =?",
    b"Subject:",
    b"From: Ann <ann@example.org>",
    b"To: (c):;@<>,",
    b"Received: from a.example.org ([192.0.2.1]) by b.example.org; Thu, 1 Jan 2026 09:00:00 +0000",
    b"Message-ID: <1@example.org>",
    b"Content-Type: text/plain; name*",
    b"Content-Type: text/html",
    b"Content-Type: multipart/mixed",
    b'Content-Type: multipart/mixed; boundary="x"',
    b"Content-Type: multipart/alternative; boundary=y; boundary=x",
    b'Content-Type: multipart/mixed; boundary="--"',
    b"Content-Type: multipart/digest; boundary=x y",
    b"Content-Type: message/rfc822",
    b"Content-Type: image/png; name=\"=?utf-8?q?p.png?=\"",
    b"Content-Disposition: attachment; filename*0=a; filename*1=b",
    b"Content-Transfer-Encoding: base64",
    b"Content-Transfer-Encoding: quoted-printable",
    b"Content-Transfer-Encoding: x-uuencode",
    b"Content-Transfer-Encoding: 8bit",
    *(
        b"Content-Type: text/plain; charset=" + charset
        for charset in (
            b"uft-8", b"utf-7", b"utf-16", b"iso-2022-jp", b"hz", b"big5", b"gb2312", b"cp037", b"base64", b"rot13",
            b"idna", b"punycode", b"unicode-escape", b"undefined", b'"', b"", b"1", b"\xff", b"../os", b"a\0b",
        )
    ),
    b"Content-Type: text/html charset=utf-8",
    b"Content-Type: text/plain (c; \"; charset=utf-8",
    b"Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes",
    b"Content-Type: text/calendar",
    b"Content-Type: application/octet-stream; name=a.txt",
    b"Content-Type: message/global",
    b"Content-Disposition: attachment; filename*0*=utf-8''a%20; filename*1*=%C3%BC; filename*=x; filename*a*=1",
    b"Content-Transfer-Encoding: base64 (c)",
    b"Content-Transfer-Encoding: quoted-pintable",
    b"Subject: =?UTF-8?Q?a? b =C3?= =?UTF-8?Q?=BC?=?= =?iso-2022-jp*ja?B?GyRCLSEbKEI=?=",
    b"X-Mozilla-Status: 0009",
    b"Content-Length: 20",
    b"+OK message follows",
    b"X-Spam-Flag: YES",
    b" folded",
    b"\tfolded",
    b"no field at all",
    b": no name",
    b"From ann@example.org Thu Jan  1 09:00:00 2026",
    b">From ann",
    b"Caf\xe9: \xe9\xff",
]  # fmt: skip
LINES = [
    b"",
    b"",
    b"--x",
    b"--x--",
    b"--y",
    b"--y--",
    b"----",
    b"--",
    b"-- ",
    b"words of text",
    b"caf\xe9 caf\xc3\xa9 \xef\xbf\xbd \xed\xa0\x80",
    b"From ann@example.org Thu Jan  1 09:00:00 2026",
    b"From now on",
    b">From now on",
    b"bHVuY2ggYXQgbm9vbg==",
    b"vfvfvfvf",
    b"=hello",
    b"informa=",
    b"= ",
    b"=C3=A9=ZZ=",
    b"+2AA- +AGE-",
    b'\x1b$B$"\x1b(B',
    b"#86%T",
    b"begin 644 a.txt",
    b"%;'5N8V@ ",
    b"`",
    b"bHVuY2g=IGF0",
    b"bHVuY2ggYXQgbm9vbiBsdW5jaCBhdCBub29uIGx1bmNo",
    b"LS14CgpsdW5jaAotLXgtLQo=",
    b"\x1b$B-!\x1b(I1\x1b(J",
    b"<meta charset=koi8-r>\xcf\xc2\xc5\xc4",
    b"SUMMARY:a\\nb\\",
    b"From ",
    b"12",
    b"end",
    b"http://ann@%65xample.org/%ff%zz?x=1 www. mailto:a@b.",
    b"<p>V<!-- x -->IA<b></b>GRA &#x66;ree &#xD800;&#0;&#99999999999; $<!-- -->90",
    b"<style>pills</style><script>var win</script><p style='display:none'>poem</p>",
    b"<html><body bgcolor=white><font color=#fff>ghost</font><a href='http://example.org/'>",
    b'<!-- <script> <style> <a href="',
    b"<div hidden style='font-size:0'><template><svg><math><table><select>",
    b"</p></div></table></a></x>",
    b"\0\x01\x7f\x80\xfe",
    b"\r",
    b"\r\r",
    b"a\rb",
    b"x" * 300,
]


def message(chance: random.Random) -> bytes:
    """Some bytes that begin like a message, most of the time, and go on like parts of one."""
    lines: list[bytes] = []
    for _ in range(chance.randint(1, 6)):
        lines += chance.choices(FIELDS, k=chance.randint(0, 5))
        lines += [b""] * chance.randint(0, 2)
        lines += chance.choices(LINES, k=chance.randint(0, 8))
    written = bytearray(chance.choice([b"\n", b"\n", b"\r\n"]).join(lines))
    for _ in range(chance.choice([0, 0, 0, 1, 5])):
        at = chance.randint(0, len(written))
        written[at : at + chance.randint(0, 3)] = chance.randbytes(chance.randint(0, 3))
    return bytes(written)


decode = Decoder("latin-1")


def flaws(written: bytes) -> list[str]:
    """What is wrong with how some bytes are read, a sentence each."""
    parts = evidence.parts(written, decode)
    unix = re.sub(rb"\r+\n", b"\n", written)
    found = mbox.read(io.BytesIO(written), "box", decode)
    boxed = [part for document in found if isinstance(document, Document) for part in document.parts]
    texts = [text for _, text in [*parts, *boxed]]
    promises = {
        "a part is empty": all(texts),
        "a text holds U+FFFD": not any("\ufffd" in text for text in texts),
        "a text is not Unicode": all(text == text.encode(errors="ignore").decode() for text in texts),
        "lines ending in CR LF are read otherwise": evidence.parts(unix.replace(b"\n", b"\r\n"), decode) == parts,
        "a verdict added to the header is read": evidence.parts(judged(unix), decode) == parts,
    }
    return [flaw for flaw, holds in promises.items() if not holds]


def judged(written: bytes) -> bytes:
    """A message with a verdict as its last header field, if it has a header."""
    head = HEAD.match(written)
    return written[: head.end()] + b"\nX-Nbtext: spam" + written[head.end() :] if head else written


def _flaws_in_time(written: bytes, _: random.Random) -> list[str]:
    """The same, an exception or more than a second being flaws too."""
    before = time.process_time()
    try:
        found = flaws(written)
    except Exception as error:  # noqa: BLE001  # whatever it is, it is the find
        found = [repr(error)]
    return [*found, "it takes over a second"] if time.process_time() - before > 1 else found


if __name__ == "__main__":
    sys.exit(fuzz(__doc__, message, _flaws_in_time))
