"""Header fields: parameters and encoded words as programs write them."""

import tracemalloc

import pytest

from nbtext.mail import fields
from nbtext.mail.evidence import parts as evidence
from tests.fuzz.fuzz_mail import decode
from tests.mail.messages import mime, text

# parameters


def name_of(disposition):
    return text(
        mime(b"\nbody", b"Content-Type: image/png\nContent-Disposition: " + disposition + b"\n\nx"), "attachment"
    )


@pytest.mark.parametrize(
    ("disposition", "expected"),
    [
        (b"attachment; filename=plan.png", "plan.png"),
        (b'attachment; filename="my plan.png"', "my plan.png"),
        (b'attachment; filename="=?utf-8?q?caf=C3=A9.png?="', "café.png"),
        (b"attachment; filename*=utf-8''caf%C3%A9.png", "café.png"),
        (b"attachment; filename*=iso-8859-1'fr'caf%E9.png", "café.png"),
        (b"attachment; filename*=windows-874''%C3%D2%A4%D2.png", "ราคา.png"),
        (b"attachment;\n filename*0*=utf-8''caf%C3;\n filename*1*=%A9%20cr;\n filename*2=eme.exe", "café creme.exe"),
        (b'attachment; filename*1="b.png"; filename*0="a"', "ab.png"),
        (b"attachment; filename=plain.png; filename*=utf-8''caf%C3%A9.png", "café.png"),
        (b'attachment; filename="say \\"hi\\".png"', 'say "hi".png'),
        (b'attachment; filename="C:\\Photos\\a.png"', "C:\\Photos\\a.png"),
        (b'attachment (enclosed); filename="a (1).png" (a plan)', "a (1).png"),
        (b"attachment, filename=a.png", "a.png"),
        (b"attachment;;; filename = a.png", "a.png"),
        (b"attachment; filename*0*=x; filename*=y; filename*a=z; filename*99999999999999999999=q", ""),
    ],
)
def test_a_file_is_named_as_it_is_meant(disposition, expected):
    assert name_of(disposition) == expected


@pytest.mark.parametrize(
    "value",
    [
        b"text/html charset=koi8-r",
        b"text/html; charset=koi8-r",
        b"text/html (a page); charset=koi8-r (Russian)",
        b"text/html; charset = \"koi8-r\"; ;",
        b"text/html; format=\"a;b\" charset=koi8-r",
        b"Text/HTML;charset*=us-ascii'en'koi8-r",
        b'"text/html"; charset=koi8-r',
    ],
)  # fmt: skip
def test_the_type_and_the_charset_are_found(value):
    message = b"Content-Type: " + value + b"\n\n<p>" + "обед".encode("koi8-r")
    assert text(message) == "обед"
    assert text(message, "content-type").startswith("type_text_html charset_koi8_r")


def test_of_parameters_the_beginning_is_read():
    value = "text/plain" + '; a="b"' * 10_000 + "; charset=koi8-r"
    assert fields.content_type([("content-type", value)], decode) == ("text/plain", {"a": "b"})


# encoded words


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (b"=?utf-8?q?M=C3?= =?utf-8?q?=BCll?=", "Müll"),
        (b"=?utf-8?B?TcM=?= =?UTF-8?b?vGxs?=", "Müll"),
        (b"=?utf-8?q?M=C3?=\n =?utf-8?b?vGxs?=", "Müll"),
        (b"=?euc-kr?B?seY=?= =?euc-kr?B?tb8=?=", "길동"),
        (b"=?euc-kr?Q?=B1?= =?euc-kr?Q?=E6=B5=BF?=", "길동"),
        (b"=?big5?Q?=A4?= =?big5?Q?=A4?=", "中"),
        (b"=?iso-2022-jp?B?GyRCQ2s=?= =?iso-2022-jp?B?PykbKEI=?=", "昼食"),
        (b"=?utf-8?q?caf=C3?= =?iso-8859-1?q?=E9?=", "cafÃé"),
        (b"=?utf-8*fr?q?caf=C3?= =?utf-8*fr?q?=A9?=", "café"),
        (b"=?utf-8?q?one?= two =?utf-8?q?three?= =?utf-8?q?four?=", "one two threefour"),
        (b"=?utf-8?q?one?==?utf-8?q?two?=", "onetwo"),
        (b"=?UTF-8?Q?Caf=C3=A9: are you reading? [ask]?=", "Café: are you reading? [ask]"),
        (b"=?utf-8?q?why??= =?utf-8?q?_so?=", "why? so"),
        (b"=?x-sjis?Q?=92=8B=90H?=", "昼食"),
        (b"a =? b ?= c", "a =? b ?= c"),
        (b"=?utf-8?x?one?=", "=?utf-8?x?one?="),
    ],
)
@pytest.mark.parametrize(("field", "tag"), [(b"Subject", "subject"), (b"From", "from"), (b"X-Mailer", "mailer")])
def test_encoded_words_are_decoded_in_each_field(field, tag, value, expected):
    assert text(field + b": " + value + b"\n\nbody\n", tag) == expected


# raw bytes


def test_each_field_is_decoded_for_itself():
    message = "From: Jörg <joerg@example.org>\n".encode("latin-1") + "Subject: Prüfung für Öl\n\nbody\n".encode()
    assert text(message, "subject") == "Prüfung für Öl"
    assert text(message, "from").startswith("Jörg <")


def test_a_field_of_raw_bytes_is_in_the_charset_of_the_body():
    message = "Subject: обед\nContent-Type: text/plain; charset=koi8-r\n\nв полдень\n".encode("koi8-r")
    assert (text(message, "subject"), text(message)) == ("обед", "в полдень")


def test_a_field_of_raw_bytes_is_no_seven_bit_text():
    message = "Subject: café\nContent-Type: text/plain; charset=utf-7\n\nbody\n".encode("latin-1")
    assert text(message, "subject") == "café"


def test_a_raw_escape_begins_japanese():
    assert text("Subject: 昼食\n\nbody\n".encode("iso-2022-jp"), "subject") == "昼食"


# bounds


@pytest.mark.parametrize(
    "message",
    [
        b"Subject: a\n" * 100_000,
        b"Subject: " + b"ab " * 350_000,
        b"To: " + b"a@b.c " * 175_000,
        b"Subject: " + b"=?q?q?a?= " * 100_000,
        b'Content-Type: text/plain; name="' + b"\\a" * 500_000,
        b"Content-Type: text/plain" + b";a=b" * 250_000,
        b"Content-Type: text/plain" + b';a*0="b"' * 125_000,
        b"Content-Disposition: " + b"(" * 1_000_000,
        b"Content-Transfer-Encoding: " + b"(a) " * 250_000,
        b"\n" + b"ab\r\n" * 250_000,
        mime(*[b"Subject:a\n\nb"] * 50_000),
        b"Content-Transfer-Encoding: base64\n\n" + b"YQ==\n" * 200_000,
        b"Content-Transfer-Encoding: x-uuencode\n\n" + b'!80  \n' * 175_000,
        b"Content-Type: text/calendar\n\n" + b"\\na" * 350_000,
    ],
    ids=lambda message: repr(message[-20:]),
)  # fmt: skip
def test_memory_is_at_most_a_multiple_of_the_message(message):
    """Forty times: most of it for evidence in many small parts; a message of usual parts takes four times its size."""
    evidence(b"Content-Transfer-Encoding: x\nContent-Type: a/b;\n\nloads what is needed", decode)
    tracemalloc.start()
    try:
        evidence(message, decode)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 40 * len(message) + 2_000_000
