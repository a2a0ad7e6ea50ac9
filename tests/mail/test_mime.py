"""The structure of messages and the encoding of bodies, as programs write them."""

import base64
import subprocess
import sys
from binascii import b2a_uu

import pytest

from nbtext.errors import DocumentError
from nbtext.mail import evidence
from tests.fuzz.fuzz_mail import decode
from tests.mail.messages import mime, parts, text

from ..timing import seconds

LUNCH = b"Subject: lunch\nFrom: ann@example.org\nContent-Transfer-Encoding: base64\n\nYXQgbm9vbg==\n"

# before the header


@pytest.mark.parametrize(
    "before",
    [
        b"",
        b"\n\n",
        b"From ann@example.org Thu Jan  1 09:00:00 2026\n",
        b">From ann@example.org Thu Jan  1 09:00:00 2026\n",
        b"+OK 120 octets\n",
        b"Microsoft Mail Internet Headers Version 2.0\n",
        b" the end of a field that is lost\n",
        b"\ta fold\n and another\n",
        b"From ann@example.org Thu Jan  1 09:00:00 2026\n+OK\n",
    ],
)
def test_a_stray_line_before_the_header_is_passed_over(before):
    assert parts(before + LUNCH) == parts(LUNCH)
    assert parts((before + LUNCH).replace(b"\n", b"\r\n")) == parts(LUNCH)


def test_apples_message_ends_before_its_property_list():
    assert parts(b"%d\n%s<?xml version='1.0'?>\n<plist/>\n" % (len(LUNCH), LUNCH)) == parts(LUNCH)
    assert text(b"1\n\nlunch <?xml version='1.0'?>") == "1 lunch <?xml version='1.0'?>"


@pytest.mark.parametrize("message", [b"Dear Ann:\n\nlunch", b"Dear Ann,\nFrom: me\n\nlunch", b"12\nat noon: lunch\n"])
def test_a_text_without_a_header_is_all_text(message):
    assert "lunch" in text(message)
    assert text(message, "from") == ""


def test_lines_may_end_in_cr_alone():
    assert parts(LUNCH.replace(b"\n", b"\r")) == parts(LUNCH)
    assert parts(mime(LUNCH, b"\ntwo").replace(b"\n", b"\r")) == parts(mime(LUNCH, b"\ntwo"))
    assert text(b"Subject: a\rFrom: b\n\nbody", "subject") == "a From: b"


# multiparts and messages


def test_parts_of_a_digest_are_messages():
    digest = (
        b"Content-Type: multipart/digest; boundary=x\n\n--x\n\n%s--x\nContent-Type: text/plain\n\nby\n--x\n\nno\n--x--"
    )
    assert text(digest % LUNCH, "subject") == "lunch"
    assert text(digest % LUNCH) == "at noon by no"


@pytest.mark.parametrize("kind", [b"message/rfc822", b"message/global", b"message/news", b"message/partial; number=1"])
def test_a_message_within_is_read_as_one(kind):
    assert text(mime(b"Content-Type: " + kind + b"\n\n" + LUNCH)) == "at noon"
    assert text(mime(b"Content-Type: " + kind + b"\n\n>From ann@example.org\n" + LUNCH)) == "at noon"


PAGE = b"Content-Type: text/html\n\n<p>lu<b></b>nch"


@pytest.mark.parametrize("encoding", [b"base64", b"quoted-printable", b"BASE64 (all of it)"])
@pytest.mark.parametrize(
    ("kind", "inner"),
    [
        (b"multipart/mixed; boundary=x", b"--x\n" + PAGE + b"\n--x--\n"),
        (b"multipart/mixed; boundary=x", b"--x\r\n" + PAGE.replace(b"\n", b"\r\n") + b"\r\n--x--\r\n"),
        (b"message/rfc822", PAGE),
    ],
)
@pytest.mark.parametrize("outer", [bytes, lambda entity: mime(entity, b"\nand bread", boundary=b"y")])
def test_a_multipart_or_a_message_may_itself_be_encoded(encoding, kind, inner, outer):
    quoted = encoding == b"quoted-printable"
    written = inner.replace(b"-", b"=2D") if quoted else base64.encodebytes(inner)
    message = outer(b"Content-Type: " + kind + b"\nContent-Transfer-Encoding: " + encoding + b"\n\n" + written)
    assert text(message).split()[0] == "lunch"
    assert text(message).endswith("and bread") == (outer is not bytes)


def test_a_multipart_that_only_says_that_it_is_encoded_is_read_as_it_is():
    message = b"Content-Transfer-Encoding: base64\n" + mime(b"\nlunch at noon")
    assert text(message) == "lunch at noon"


def test_messages_encoded_in_one_another_are_read_to_a_depth():
    message = b"\nlunch\n"
    for _ in range(8):
        message = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + base64.encodebytes(
            b"X: y\n" + message
        )
    assert text(message) == "lunch"


# transfer encodings


@pytest.mark.parametrize(
    ("encoding", "written", "expected"),
    [
        (b"base64 (my mailer)", b"bHVuY2g=", "lunch"),
        (b'"base64"', b"bHVuY2g=", "lunch"),
        (b"base64;", b"bHVuY2g=", "lunch"),
        (b"base-64", b"bHVuY2g=", "lunch"),
        (b"bse64", b"bHVuY2g=", "lunch"),
        (b"quoted-pintable", b"sch=C3=B6n", "schön"),
        (b"quoted-printable (QP)", b"sch=C3=B6n", "schön"),
        (b"quotedprintable", b"sch=C3=B6n", "schön"),
        (b"8bits", b"=C3", "=C3"),
        (b"7-bit", b"=C3", "=C3"),
        (b"none", b"bHVuY2g=", "bHVuY2g="),
        # texts after one another
        (b"base64", b"bHVuY2g=\nIGF0IG5vb24=\n", "lunch at noon"),
        (b"base64", b"bHVuY2g=IGF0IG5vb24=", "lunch at noon"),
        (b"base64", b"bHVu\nY2g=\n\nIGF0\nIG5vb24=\n-- \nthe list\n", "lunch at noon-- the list"),
        (b"base64", b"bHVuY2g=\nthanks\nAnn\n", "lunchthanks Ann"),
        (b"base64", b"!\n" + base64.b64encode(b"lunch " * 6) + b"\n", "! lunch lunch lunch lunch lunch lunch"),
        # uuencode
        (b"x-uuencode", b"begin 644 a.txt\n" + b2a_uu(b"lunch") + b"`\nend\n", "lunch"),
        (b"uuencode", b"see\nbegin 644 a.txt\n" + b2a_uu(b"lunch") + b"`\nend\nbye\n", "lunch see bye"),
        (b"x-uue", b2a_uu(b"lunch"), "lunch"),
        (b"x-uuencode", b"lunch at noon", "lunch at noon"),
    ],
)  # fmt: skip
def test_an_encoding_is_taken_as_it_is_meant(encoding, written, expected):
    assert text(b"Content-Transfer-Encoding: " + encoding + b"\n\n" + written) == expected


FILE = b"begin 644 cat.gif\n" + b"".join(b2a_uu(bytes(range(at, at + 45))) for at in range(0, 180, 45)) + b"`\nend\n"


def test_a_uuencoded_file_in_a_text_is_named_and_not_read():
    message = b"\nsee the picture\n" + FILE + b"bye\n"
    assert (text(message), text(message, "attachment")) == ("see the picture bye", "cat.gif")


def test_a_picture_alone_is_no_text():
    assert text(b"\n" + FILE) == ""
    assert text(b"Content-Type: text/html\n\n<img src=http://example.org/a.gif>") == ""


@pytest.mark.parametrize("end", [b"", b"`\n", b"end\n"])
def test_a_uuencoded_file_may_be_cut_short(end):
    message = b"\nsee\n" + FILE[: FILE.index(b"`\nend")] + end + b"\nbye for now\n"
    assert text(message) == "see bye for now"


def test_a_uuencoded_text_is_read_where_there_is_no_other():
    message = b"\nbegin 644 a.txt\n" + b2a_uu(b"lunch") + b"`\nend\n"
    assert (text(message), text(message, "attachment")) == ("lunch", "a.txt")
    assert text(b"\nsee\n" + message) == "see"


@pytest.mark.parametrize("line", [b"begin 644 again", b"begin 7 at noon", b"to begin 644 a.txt"])
def test_a_text_that_begins_is_text(line):
    assert text(b"\n" + line + b"\n\nlunch, and more\n") == line.decode() + " lunch, and more"


# types


@pytest.mark.parametrize(
    ("parameters", "written", "expected"),
    [
        ("; format=flowed; delsp=yes", "世 \n界 super \nmarket", "世界 supermarket"),
        ("; DelSp=Yes; Format=Flowed", "super \nmarket", "supermarket"),
        ("; format=flowed; delsp=yes", "> super \n> market\n-- \nAnn", "> supermarket -- Ann"),
        ("; format=flowed; delsp=yes", "super \n market", "supermarket"),
        ("; format=flowed", "super \nmarket", "super market"),
        ("", "super \nmarket", "super market"),
    ],
)
def test_broken_lines_are_joined_as_the_type_says(parameters, written, expected):
    assert text(f"Content-Type: text/plain; charset=utf-8{parameters}\n\n{written}".encode()) == expected


@pytest.mark.parametrize("kind", ["text/calendar", "text/vcard", "text/x-vcard"])
def test_a_calendar_or_a_card_is_unfolded(kind):
    message = f"Content-Type: {kind}\r\n\r\nSUMMARY:lu\r\n nch\\nat noon\\, or\r\n\tone\\Nten\\;\\\\".encode()
    assert text(message) == "SUMMARY:lunch at noon, orone ten;\\"


@pytest.mark.parametrize(
    ("kind", "written", "expected"),
    [
        (b"application/octet-stream; name=note.txt", b"lunch at noon", "lunch at noon"),
        (b"application/octet-stream", b"lunch at noon", "lunch at noon"),
        (b"application/octet-stream; charset=koi8-r", "обед".encode("koi8-r"), "обед"),
        (b"application/octet-stream", b"<html><p>lu<b></b>nch", "lunch"),
        (b"application/octet-stream; name=note.txt", b"\x89PNG\0\0\0\x01lunch", ""),
        (b"application/xhtml+xml", b"<p>lu<b></b>nch", "lunch"),
        (b"image/png", b"lunch at noon", ""),
    ],
)
def test_text_that_calls_itself_any_bytes_is_read_where_there_is_no_other(kind, written, expected):
    message = b"Content-Type: " + kind + b"\nContent-Transfer-Encoding: base64\n\n" + base64.b64encode(written)
    assert text(message) == expected
    if not kind.endswith(b"xml"):
        assert text(mime(b"\nbody", message)) == "body"


# files that are no mail


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06",
        b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01",
    ],
)
def test_a_binary_file_is_no_mail(data):
    with pytest.raises(DocumentError, match=r"^m\.eml: binary, not mail") as caught:
        parts(data)
    assert caught.value.reason == "binary"


@pytest.mark.parametrize("message", [b"Subject: lunch\n\nat noon\0", b"Subject: lunch\0\n\nat \0\0\0\0\0\0\0noon"])
def test_a_message_with_null_bytes_is_mail(message):
    assert "noon" in text(message)


# what a common message costs


COMMON = (
    b"From ann@example.org Thu Jan  1 09:00:00 2026\nReceived: from a.example.org by b.example.org; 1 Jan 2026\n"
    b"From: Ann <ann@example.org>\nSubject: lunch\nContent-Type: text/plain; charset=\"UTF-8\"; format=flowed\n"
    b"Content-Transfer-Encoding: 8bit\n\nat noon\n"
)  # fmt: skip


def test_a_common_message_loads_none_of_the_thorough_path():
    program = (
        f"import sys; from nbtext.mail import evidence; evidence.parts({COMMON!r}, bytes.decode); print(*sys.modules)"
    )
    loaded = set(
        subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout.split()
    )
    thorough = {f"nbtext.mail.{name}" for name in ("charsets", "encoded_words", "oddities", "transfer")}
    assert thorough.isdisjoint(loaded)
    assert {"email", "email.message", "webencodings", "binascii", "difflib"}.isdisjoint(loaded)


# any size

HOSTILE = {
    "stray lines": lambda size: b" a\n" * (size // 3),
    "envelopes": lambda size: b"From a\n" * (size // 7),
    "lines in CR": lambda size: b"Subject: a\r" * (size // 11) + b"\r",
    "pairs of CR": lambda size: b"\r\ra" * (size // 3),
    "encoded multiparts": lambda size: (
        b"Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\n" * (size // 76)
    ),
    "encoded parts": lambda size: mime(
        *[b"Content-Type: multipart/a; boundary=y\nContent-Transfer-Encoding: base64\n\nYQ=="] * (size // 90)
    ),
    "digests": lambda size: b"Content-Type: multipart/digest; boundary=x\n\n" + b"--x\n\nA: b\n" * (size // 10),
    "odd parameters": lambda size: mime(*[b"Content-Type: a/b" + b';a*0="b"' * 500 + b"\n\n"] * (size // 4_030)),
    "odd quotes": lambda size: mime(*[b'Content-Type: a/b;a="' + b";" * 3_900 + b"\n\n"] * (size // 3_930)),
    "odd comments": lambda size: mime(*[b"Content-Type: a/b " + b"(a " * 1_300 + b"\n\n"] * (size // 3_930)),
    "odd encodings": lambda size: mime(*[b"Content-Transfer-Encoding: " + b"base6" * 50 + b"\n\n"] * (size // 290)),
    "question marks": lambda size: b"Subject: " + b"=?a?q?b?" * (size // 8),
    "encoded words": lambda size: mime(*[b"Subject: " + b"=?a?q?b?= " * 1_000 + b"\n"] * (size // 10_000)),
    "chunks of base64": lambda size: b"Content-Transfer-Encoding: base64\n\n" + b"YQ==" * (size // 4),
    "base64 and text": lambda size: (
        b"Content-Transfer-Encoding: base64\n\n" + (b"a b\n" + b"YWFh" * 10 + b"\n") * (size // 45)
    ),
    "long base64 in vain": lambda size: b"Content-Transfer-Encoding: base64\n\n!" + b"a" * size + b"!",
    "beginnings": lambda size: b"\n" + b"begin 644 a\n" * (size // 12),
    "uuencoded lines": lambda size: b"\nbegin 644 a\n" + b"!80  \n" * (size // 6),
    "soft breaks": lambda size: b"Content-Type: text/plain; format=flowed; delsp=yes\n\n" + b"> \n" * (size // 3),
    "meta": lambda size: b"Content-Type: text/html\n\n" + b"<meta " * (size // 6) + b"\xff",
    "bad characters": lambda size: b"Content-Type: a/b; charset=euc-jp\n\n" + b"\xb2\xf1\xad\xa1\xff" * (size // 5),
    "escapes": lambda size: b"Content-Type: text/plain; charset=iso-2022-jp\n\n" + b"\x1b$B-!" * (size // 5),
    "raw fields": lambda size: b"Subject: \xff\n" * (size // 11),
    "dates": lambda size: b"Date: \n" + b" 1 Jan" * (size // 6),
}  # fmt: skip


def test_a_message_of_millions_of_parts_is_read_as_far_as_a_person_would():
    message = b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\n\n" * 2_000_000
    assert seconds(evidence.parts, message, decode) < 2


@pytest.mark.parametrize("kind", HOSTILE)
def test_time_is_linear_in_size(kind):
    """Eight times the size takes sixty-four times as long where time is quadratic; half of that is refused."""
    small, large = (seconds(evidence.parts, HOSTILE[kind](size), decode, times=2) for size in (40_000, 320_000))
    assert large < 2
    assert large < 0.05 or large < 32 * small
