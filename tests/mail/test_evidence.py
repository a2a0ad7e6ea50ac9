"""Mail: what is read from a message, and that no message can stop it."""

import base64
import io
import subprocess
import sys
import tracemalloc
from binascii import b2a_uu
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbtext import Document
from nbtext.decoding import Decoder, Limits
from nbtext.errors import DocumentError
from nbtext.mail import evidence
from nbtext.mail.dates import written
from nbtext.readers import mail, mbox
from tests.fuzz.fuzz_mail import FIELDS, LINES, decode, flaws
from tests.mail.messages import mime, parts, text

from ..timing import seconds

# header fields


@pytest.mark.parametrize(
    ("field", "tag", "expected"),
    [
        (b"Subject: lunch at noon", "subject", "lunch at noon"),
        (b"SUBJECT :lunch", "subject", "lunch"),
        (b"Subject: lunch\n at\n\tnoon", "subject", "lunch at noon"),
        (b"Subject: =?iso-8859-1?Q?caf=E9_cr=E8me?=", "subject", "café crème"),
        (b"Subject: =?utf-8?B?Y2Fmw6k=?= =?utf-8?B?IGNyw6htZQ==?=", "subject", "café crème"),
        (b"Subject: =?utf-8?B?Y2Fmw6k?= unpadded", "subject", "café unpadded"),
        (b"Subject: =?utf-8?B?bHV and no end", "subject", "=?utf-8?B?bHV and no end"),
        (b"Subject: =?no-such-set?Q?caf=C3=A9?=", "subject", "café"),
        (b"Subject: caf\xe9", "subject", "café"),
        (b"Subject: =?utf-8?Q?CAF=C3=89?= for 12 Euro, iPhone4U", "shape", "XXXa a 9 Xa, aXa9X"),
        (b"From: Ann <ann@example.org>", "from", "Ann <ann@example.org> ann_example_org example_org org"),
        (b"Reply-To: ann@example.org", "reply-to", "ann@example.org ann_example_org example_org org"),
        (b"To: (c):;", "to", "(c):;"),
        (b"Cc: ben@example.com", "to", "ben@example.com ben_example_com example_com com"),
        (b"X-Mailer: Pigeon 2", "mailer", "Pigeon 2"),
        (b"Message-ID: <1.2@mail.example.org>", "message-id", "mail_example_org example_org org"),
        (
            b"Received: from a.example.org ([192.0.2.1])\n by b; Thu, 1 Jan 2026 09:00:00 +0000",
            "received",
            "a_example_org 192_0_2_1 a_example_org example_org org 192_0_2_1 192_0_2 192_0 192",
        ),
        (b"Content-Type: text/plain; charset=UTF-8", "content-type", "type_text_plain charset_utf_8"),
        (b"Content-Transfer-Encoding: 8bit", "content-type", "encoding_8bit"),
    ],
)
def test_a_field_is_read_under_its_tag(field, tag, expected):
    assert text(field + b"\n\nbody\n", tag) == expected
    assert text(field + b"\n\nbody\n") == "body"


@pytest.mark.parametrize(
    ("sender", "expected"),
    [
        ("Ann <ann.b@example.org>", "_an ann nn_ n_b _b_"),
        ("X7@example.org, ben@example.com", "_x7 x7_"),
        ("=?utf-8?q?ann=40example=2Eorg?=", "_an ann nn_"),
        ("a", ""),
    ],
)
def test_the_letters_of_the_first_sender_are_read_three_by_three(sender, expected):
    assert text(f"From: {sender}\n\nbody\n".encode(), "account") == expected


def test_a_host_that_a_server_names_twice_is_read_once():
    message = b"Received: from a.example.org (A.example.org [192.0.2.1])\n\nbody\n"
    assert text(message, "received") == text(message.replace(b"A.example.org", b""), "received")


def test_the_first_server_on_the_way_is_read_as_the_origin():
    message = b"Received: by b.example.com\nReceived: from a.example.org; Thu, 1 Jan 2026 09:00:00 +0000\n\nbody\n"
    assert text(message, "origin") == "a_example_org a_example_org example_org org"


@pytest.mark.parametrize(
    "field",
    [b"Date: Thu, 1 Jan 2026 09:00:00 +0000", b"X-Spam-Flag: YES", b"X-Nbtext: spam", b"X-Nbtext: spam\n folded"],
)
def test_a_date_or_a_verdict_is_no_evidence(field):
    assert parts(field + b"\nSubject: lunch\n\nbody\n") == parts(b"Subject: lunch\n\nbody\n")
    assert parts(b"Subject: lunch\n" + field + b"\n\nbody\n") == parts(b"Subject: lunch\n\nbody\n")


@pytest.mark.parametrize(
    "message",
    [
        b"Content-Type: text/plain; name*\n\nbody\n",
        b"To: (c):\n\nbody\n",
        b"Subject: =?utf-8?B?\n\nbody\n",
        b"From: <\n\nbody\n",
        b"Content-Type\n\nbody\n",
        b"Content-Type: ;;;=;\"\n\nbody\n",
        b"Content-Transfer-Encoding: telepathy\n\nbody\n",
    ],
)  # fmt: skip
def test_a_broken_field_costs_its_evidence_only(message):
    assert text(message) in {"body", "Content-Type body"}


def test_text_where_a_field_should_be_is_read():
    assert text(b"Subject: lunch\nat noon, says\nFrom: ann@example.org\n\nbody\n") == "at noon, says body"


# time


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (b"Date: Thu, 1 Jan 2026 09:00:00 +0000", 1767258000),
        (b"DATE :Thu, 01 Jan 2026 09:00:00 +0000", 1767258000),
        (b"Date:\r\n Thu, 1 Jan 2026\r\n 04:00:00 -0500 (EST)", 1767258000),
        (b"Date: 1 January 2026 14:30 +0530", 1767258000),
        (b"Date: Thursday, 01-Jan-26 09:00:00 GMT", 1767258000),
        (b"Date: Thu, 1 Jan 98 09:00:00", 883645200),
        (b"Date: Wed, 31 Dec 1969 23:59:59 +0000", -1),
        (b"From ann@example.org Thu Jan  1 09:00:00 2026\nDate: 1 Jan 2026 09:00:00 +0000", 1767258000),
        (b"Date: Thu, Jan 1 2026 09:00:00 +0000", 1767258000),
        (b"Date: Thu, 1 Jan 2026 09:00:00 EST", 1767276000),
        (b"Date: Thu, 1 Jan 2026 09:00:00 XYZ", 1767258000),
        (b"Date: Wed, 31 Dec 2025 23:59:60 +0000", 1767225600),
        (b"X-Date: Thu, 1 Jan 2026 09:00:00 +0000", None),
        (b"Date:\n\n1 Jan 2026 09:00:00 +0000", None),
        (b"date: 1 Jan 2026 09:00:00 +0000\nDate: 32 Jan 2026 09:00:00 +0000", 1767258000),
        (b"Subject: s\n\nDate: Thu, 1 Jan 2026 09:00:00 +0000", None),
        (b"Date: Thu, 32 Jan 2026 09:00:00 +0000", None),
        (b"Date: Thu, 1 Jan 2026 29:00:00 +0000", None),
        (b"Date: Thu, 1 Foo 2026 09:00:00 +0000", None),
        (b"Date: Thu, 1 Jan 2026 09:00:00 +9900", None),
        (b"Date: tomorrow", None),
        (b"Subject: s", None),
    ],
)
def test_a_message_was_written_when_it_says_so(field, expected):
    [document] = mail.read(io.BytesIO(field + b"\n\nbody\n"), "m.eml", decode)
    [boxed] = mbox.read(io.BytesIO(field + b"\n\nbody\n"), "box", decode)
    assert isinstance(boxed, Document)
    assert document.time == boxed.time == expected


@given(st.datetimes(datetime(1900, 1, 1)), st.integers(-23 * 60, 23 * 60))  # noqa: DTZ001  # it gets one below
def test_any_date_is_read_as_it_was_written(moment, minutes):
    moment = moment.replace(microsecond=0, tzinfo=timezone(timedelta(minutes=minutes)))
    assert written(f"Date: {format_datetime(moment)}\n\nbody\n".encode()) == moment.timestamp()


# charsets


@pytest.mark.parametrize("charset", [b"uft-8", b"cp-850", b"unknown", b'"utf-8 euq1"', b"", b"1", b"\xff", b"base64"])
def test_an_unknown_charset_is_recovered_and_told(charset):
    message = b"Content-Type: text/plain; charset=" + charset + b"\n\ncaf\xc3\xa9\n"
    assert text(message) == "café"
    assert ("charset_" in text(message, "content-type")) == bool(charset)


@pytest.mark.parametrize(
    ("charset", "body", "expected"),
    [
        ("koi8-r", "обед".encode("koi8-r"), "обед"),
        ("iso-2022-jp", "昼食".encode("iso-2022-jp"), "昼食"),
        ("utf-7", b"caf+AOk-", "café"),
        ("utf-7", b"half a pair +2AA-", "half a pair"),
        ("gb2312", "餐鎔".encode("gb18030"), "餐鎔"),
        ("utf-16", "café".encode("utf-16"), "café"),
        ("big5", b"caf\xe9", "café"),
        ("us-ascii", b"caf\xe9", "café"),
        ("iso-8859-1", b"\x93caf\xe9\x94", "“café”"),
        ("iso-8859-1", "café".encode(), "café"),
        ("punycode", b"caf-dma", "caf-dma"),
        ("unicode-escape", rb"caf\xe9", r"caf\xe9"),
        ("utf-8", b"lunch \xef\xbf\xbd noon", "lunch noon"),
    ],
)
def test_a_body_is_read_in_its_charset_if_it_can_be(charset, body, expected):
    assert text(f"Content-Type: text/plain; charset={charset}\n\n".encode() + body) == expected


# transfer encodings


@pytest.mark.parametrize(
    ("encoding", "body", "expected"),
    [
        ("quoted-printable", b"=53=50=41=4D\nlunch", "SPAM lunch"),
        ("quoted-printable", b"informa=\r\r\ntion", "information"),
        ("quoted-printable", b"informa= \r\ntion", "information"),
        ("quoted-printable", b"=ZZ = lunch=", "=ZZ = lunch"),
        ("base64", base64.b64encode(b"lunch at noon " * 300), "lunch at noon " * 299 + "lunch at noon"),
        ("BASE64 ", b"bHVuY2g=", "lunch"),
        ("base64", b"bHVuY2", "lunc"),
        ("base64", b"bHVuY2ggY", "lunch"),
        ("base64", b"bHVu\n\nY2g=\n", "lunch"),
        ("base64", b"=hello", "=hello"),
        ("base64", b"at noon, as ever", "at noon, as ever"),
        ("base64", b"bHVuY2g=\n_____\nTo leave the list, write to us\n", "lunch_____ To leave the list, write to us"),
        ("base64", b"bHVuY2gg\nTo leave the list, write to us\n", "lunch To leave the list, write to us"),
        ("x-uuencode", b"begin 644 a.txt\n" + b2a_uu(b"lunch") + b" \nend\n", "lunch"),
        ("telepathy", b"lunch", "lunch"),
    ],
)
def test_what_decodes_is_decoded_and_the_rest_is_text(encoding, body, expected):
    assert text(f"Content-Transfer-Encoding: {encoding}\n\n".encode() + body) == expected


def test_base64_that_decodes_to_no_text_leaves_no_replacement_character():
    message = b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" + b"vfvf" * 19 + b"\n"
    assert "\ufffd" not in text(message * 600)


# parts


@pytest.mark.parametrize(
    ("message", "expected", "defect"),
    [
        (mime(b"\none", b"\ntwo"), "one two", ""),
        (mime(b"one without header or blank line", b"Subject: s\n\ntwo"), "one without header or blank line two", ""),
        (b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\nno closing line\n", "no closing line", "unclosed"),
        (b"Content-Type: multipart/mixed; boundary=x\n\nnever used\n", "never used", "unparted"),
        (b"Content-Type: multipart/mixed\n\nno boundary at all\n", "no boundary at all", "unparted"),
        (b"Content-Type: multipart/mixed\n\n--y\ncontent-type: a/b\n\nin part\n--y--\n", "in part", "undeclared"),
        (
            b"Content-Type: multipart/mixed; boundary=x\nX: boundary=y\n\n"
            b"--y\nContent-Type: text/html\n\n<p>in part\n--y--\n",
            "in part",
            "undeclared",
        ),
        (
            b"Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: multipart/mixed; boundary=y\n\n"
            b"--y\n\ninner\n--x\n\nouter\n--x--\n",
            "inner outer",
            "",
        ),
        (mime(b"Content-Type: message/rfc822\n\nSubject: s\nContent-Type: text/html\n\n<p>within"), "within", ""),
        (b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x \r\n\r\none\r\n--x--\r\n", "one", ""),
        (b"From ann@example.org Thu Jan  1 09:00:00 2026\nSubject: s\n\nbody\n", "body", ""),
        (b"no header, only text\n\nand more\n", "no header, only text and more", ""),
        (b"\n\nbody after blank lines\n", "body after blank lines", ""),
    ],
)
def test_no_text_is_lost(message, expected, defect):
    assert text(message) == expected
    defects = [word for word in text(message, "content-type").split() if word.startswith("defect_")]
    assert defects == ([f"defect_{defect}"] if defect else [])


def test_what_stands_around_the_parts_is_read_only_where_there_is_no_other_text():
    message = mime(b"\nbody").replace(b"\n--x\n", b"\nbefore\n--x\n", 1) + b"after\n"
    assert parts(message) == parts(mime(b"\nbody"))
    assert text(mime(b"") + b"after\n") == "--x --x-- after"


def test_a_message_within_gives_its_fields_too():
    message = b"Subject: outer\n" + mime(b"Content-Type: message/rfc822\n\nSubject: inner\n\nbody")
    assert text(message, "subject") == "outer inner"


def test_a_thousand_multiparts_in_one_another_are_read_to_the_middle():
    message = b"middle\n"
    for depth in range(1000):
        message = mime((b"\n" if depth == 0 else b"") + message, boundary=b"b%d" % depth)
    assert text(message) == "middle"


def test_an_attachment_is_named_and_not_read():
    picture = b'Content-Type: image/png; name="=?utf-8?q?caf=C3=A9.png?="\n\niVBORw0K'
    notes = b"Content-Type: text/plain\nContent-Disposition: attachment; filename=notes.txt\n\nnot for reading"
    message = mime(b"\nbody", picture, notes)
    assert (text(message), text(message, "attachment")) == ("body", "café.png notes.txt")
    assert text(message, "content-type").split().count("type_image_png") == 1
    assert text(mime(picture)) == ""


def test_an_attached_text_is_read_where_there_is_no_other():
    assert text(b"Content-Disposition: attachment\n\nbody\n") == "body"


def test_without_any_text_all_that_follows_the_first_blank_line_is_read():
    assert text(b"Content-Type: multipart/mixed; boundary=x\n\n--x--\n") == "--x--"


# text


@pytest.mark.parametrize(
    ("html", "shown", "hidden"),
    [
        (
            "<style>pills</style><script>var win</script><p style='display:none'>poem</p>"
            "V<!-- x -->IA<b></b>GRA &#x66;ree $<!-- -->90",
            "VIAGRA free $90",
            "poem",
        ),
        ("<p>one<p>two<br>three<td>four", "one two three four", ""),
        ("<p>one</p>two<div>three</div>four", "one two three four", ""),
        ("o<span>n</span>e <a href='/'>t</a>w<font size=1>o", "one two", ""),
        (
            "<p hidden>a</p>b<i style='Visibility : hidden'>c</i><div style='font-size:0px'>d<p>e</div>f",
            "b f",
            "a c d e",
        ),
        ("<body bgcolor='#ffffff'>a<font color=white>b</font><p style='color:#FFF'>c</p>d", "a d", "b c"),
        ("<table bgcolor=black><tr><td><font color=white>a", "a", ""),
        ("<script>never closed <p>a", "", ""),
        ("a<!-- never closed <p>b", "a", ""),
        ("<!doctype html><title>a</title>b", "a b", ""),
        ("&#xD800;&#0;&nosuch; &amp;", "&nosuch; &", ""),
        pytest.param("one two " * 9_000, "one two " * 8_999 + "one two", "", id="a long text"),
        pytest.param("<td>one<td>two" * 3_000, "one two " * 2_999 + "one two", "", id="a long table"),
    ],
)
def test_a_page_is_what_it_shows(html, shown, hidden, monkeypatch):
    monkeypatch.setattr(evidence, "LONGEST_TEXT", 1 << 20)
    message = b"Content-Type: text/html\n\n" + html.encode()
    assert (text(message), text(message, "hidden")) == (shown, hidden)


def test_how_each_text_begins_is_read_once_more():
    assert text(mime(b"\n" + b"one two " * 10, b"\nlunch at noon"), "begin") == "one two " * 5 + "lunch at noon"


@pytest.mark.parametrize("kind", ["plain", "html"])
def test_of_each_long_text_the_beginning_is_read(kind):
    entity = f"Content-Type: text/{kind}\n\n{'one two ' * 1_000}".encode()
    assert 700 < text(mime(entity, b"\nlunch")).count("one two") <= 750
    assert text(mime(entity, b"\nlunch")).endswith(" lunch")


def test_a_page_that_does_not_say_so_is_one():
    assert text(b"Subject: s\n\n <HTML><p>body") == "body"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://shop.example.org/buy?x=1", "shop_example_org example_org org _buy_x_1"),
        ("http://203.0.113.7/%63%61sh?x=1", "203_0_113_7 203_0_113 203_0 203 _cash_x_1"),
        ("https://bank.example@example.org", "example_org org bank.example@"),
        ("mailto:ann@example.org", "example_org org ann@"),
        ("www.example.org.", "www_example_org example_org org"),
    ],
)
def test_a_link_is_read_whole_and_in_parts_in_text_and_in_a_page(url, expected):
    assert text(f"\nsee {url}".encode(), "url") == expected
    assert text(f"Content-Type: text/html\n\n<a href='{url}'>here".encode(), "url") == expected


def test_a_link_within_a_page_is_none():
    assert text(b"Content-Type: text/html\n\n<a href='#top'><img src='cid:1@example.org'>", "url") == ""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("lunch at noon", "capitals_0"),
        ("BUY it NOW!! only $5", "bang bangs dollar capitals_5"),
        ("WIN CASH TODAY", "capitals_10"),
        ("a b", ""),
    ],
)
def test_shouting_is_marked(body, expected):
    assert text(f"\n{body}".encode(), "mark") == expected


# any bytes


def test_an_empty_stream_is_a_document_without_parts():
    assert parts(b"") == []


def test_only_a_page_loads_the_reader_of_pages_and_nothing_loads_that_of_mail():
    program = "import sys; from nbtext.mail import evidence; evidence.parts(b'\\nx', bytes.decode); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout.split()
    assert {"nbtext.mail.pages", "email", "html", "urllib.parse"}.isdisjoint(loaded)


def test_a_message_too_large_is_refused():
    small = Decoder(limits=Limits(document_bytes=20))
    assert list(mail.read(io.BytesIO(b"\n" + b"x" * 19), "m.eml", small))
    with pytest.raises(DocumentError, match=r"^m\.eml: a message over 20 bytes") as caught:
        list(mail.read(io.BytesIO(b"\n" + b"x" * 20), "m.eml", small))
    assert caught.value.reason == "too large"


def test_a_message_longer_than_a_step_is_read_to_its_end(monkeypatch):
    monkeypatch.setattr(mail, "STEP_BYTES", 4)
    assert text(b"\nlunch at noon") == "lunch at noon"


PIECES = st.sampled_from([*FIELDS, *LINES]) | st.binary(max_size=8)


@given(st.lists(PIECES, max_size=30), st.sampled_from([b"\n", b"\r\n"]))
@settings(max_examples=300)
def test_any_bytes_keep_the_promises(lines, line_end):
    assert flaws(line_end.join(lines)) == []


WRITTEN = st.text(st.characters(codec="utf-8", exclude_characters="\r\ufffd\ufeff")).filter(
    lambda written: written.strip()
)


@given(WRITTEN, st.sampled_from(["base64", "8bit"]))
def test_a_text_comes_back(written, encoding):
    body = base64.encodebytes(written.encode()) if encoding == "base64" else written.encode()
    message = f"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: {encoding}\n\n".encode() + body
    assert text(message) == " ".join(written.split())


HOSTILE = {
    "fields": lambda size: b"Subject: a\n" * (size // 11),
    "folds": lambda size: b"Subject: a\n" + b" fold\n" * (size // 6),
    "encoded words without end": lambda size: b"Subject: " + b"=?utf-8?q?a" * (size // 11),
    "parameters": lambda size: b"Content-Type: a/b" + b';a="' * (size // 4),
    "addresses": lambda size: b"To: " + b"a@" * (size // 2),
    "nested parts": lambda size: b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(size // 60)
    ),
    "parts": lambda size: mime(*[b""] * (size // 5)),
    "multiparts without boundary": lambda size: mime(*[b"X: y\nContent-Type: multipart/a\n"] * (size // 36)),
    "messages in messages": lambda size: b"Content-Type: message/rfc822\n\n" * (size // 30),
    "base64 lines": lambda size: b"Content-Transfer-Encoding: base64\n\n" + b"a \n" * (size // 3) + b"!",
    "carriage returns": lambda size: b"\n" + b"\r" * size,
    "open elements": lambda size: b"\n<html>" + b"<div>" * (size // 5),
    "formatting": lambda size: b"\n<html>" + (b"<font a=%d>" * 500 % (*range(500),) + b"<p>x" * 1000) * (size // 9_390),
    "dates": lambda size: b"Date: 1 Jan 2026 " * (size // 17) + b"\nDate:" * (size // 17),
    "attributes": lambda size: b"\n<html><a " + b" ".join(b"a%d" % n for n in range(size // 7)),
    "comments": lambda size: b"\n<html>" + b"<!--" * (size // 4),
    "entities": lambda size: b"\n<html>" + b"&#" * (size // 2),
}


def test_a_host_that_is_cut_off_with_its_field_is_not_read():
    field = f"Received: from {'x' * 980} (mail.example.org.long) by b.example.org"
    assert "mail_example" not in " ".join(text for tag, text in parts(field.encode()) if tag == "received").split()


def test_a_word_longer_than_what_is_read_of_received_is_no_host():
    assert text(b"Received: " + b"a.b" * 400 + b"\n\nbody\n", "received") == ""


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (" \n<HTML><p>lunch", "lunch"),
        ("<!DOCTYPE html><p>lunch", "lunch"),
        ("<html", ""),
        ("<htmlarea> lunch", "<htmlarea> lunch"),
        ("<!doctype html5_or_so> lunch", "<!doctype html5_or_so> lunch"),
        ("< html> lunch", "< html> lunch"),
    ],
)
def test_a_text_that_begins_as_a_page_does_is_read_as_one(body, shown):
    assert text(f"Content-Type: text/plain\n\n{body}\n".encode()).strip() == shown


def test_equal_messages_are_equal_documents():
    first, again, other = (
        next(mail.read(io.BytesIO(message), "-", decode)) for message in (b"a: b\n\nc", b"a: b\n\nc", b"a: b\n\nc\n")
    )
    assert first == again != other
    assert len({Document((), dated=each.dated) for each in (first, again, other)}) == 2


def read_and_dated(message):
    evidence.parts(message, decode)
    written(message)


@pytest.mark.parametrize("kind", HOSTILE)
def test_time_is_linear_in_size(kind):
    """Eight times the size takes sixty-four times as long where time is quadratic; half of that is refused."""
    small, large = (seconds(read_and_dated, HOSTILE[kind](size), times=2) for size in (40_000, 320_000))
    assert large < 0.05 or large < 32 * small


@pytest.mark.parametrize(
    "field",
    [
        "Received: from %s",
        "Message-ID: <a@%s>",
        "From: %s@example.org",
        "From: a@%s",
        "To: %s",
        "Content-Type: %s",
        "Content-Type: text/plain; charset=%s",
        "Content-Transfer-Encoding: %s",
        "Content-Disposition: %s",
        'Content-Type: text/html\n\n<a href="http://%s">link</a>',
        'Content-Type: text/html\n\n<p style="%s">styled',
    ],
)
def test_little_is_remembered_of_long_fields(field):
    tracemalloc.start()
    try:
        for number in range(20):
            evidence.parts(
                (field % " ".join(f"a{n}.b{number}.example" for n in range(5000)) + "\n\nbody").encode(), decode
            )
            evidence.parts((field % (f"a{number}." * 20_000) + "\n\nbody").encode(), decode)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 1_000_000  # of some 4 MB that were read
