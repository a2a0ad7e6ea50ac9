"""Charsets by the names of mail and browsers, and what is bad in a text spoils only itself."""

import pytest

from tests.mail.messages import text


def body(charset, written):
    return text(f"Content-Type: text/plain; charset={charset}\n\n".encode() + written)


@pytest.mark.parametrize(
    ("name", "codec", "written"),
    [
        ("windows-874", "cp874", "ราคาถูก"),
        ("tis-620", "cp874", "ราคาถูก"),
        ("iso-8859-8-i", "iso8859-8", "שלום"),
        ("iso-8859-8-e", "iso8859-8", "שלום"),
        ("logical", "iso8859-8", "שלום"),
        ("windows-31j", "cp932", "昼食①"),
        ("x-sjis", "cp932", "昼食①"),
        ("ms932", "cp932", "昼食①"),
        ("x-ms-cp932", "cp932", "昼食①"),
        ("x-euc-jp", "euc_jp", "昼食"),
        ("x-euc", "euc_jp", "昼食"),
        ("eucJP-ms", "euc_jp", "昼食"),
        ("x-gbk", "gbk", "免费"),
        ("cn-gb", "gbk", "免费"),
        ("gb2312_charset", "gbk", "免费"),
        ("cn-big5", "big5", "免費"),
        ("chinesebig5", "big5", "免費"),
        ("ks_c_5601-1987", "cp949", "무료똠"),
        ("windows-949", "cp949", "무료똠"),
        ("x-cp1251", "cp1251", "обед"),
        ("win-1251", "cp1251", "обед"),
        ("windows1251", "cp1251", "обед"),
        ("x-mac-cyrillic", "mac_cyrillic", "обед"),
        ("koi", "koi8-r", "обед"),
        ("dos-866", "cp866", "обед"),
        ("ISO8859_5", "iso8859-5", "обед"),
        ("x-mac-ce", "mac_latin2", "oběd"),
        ("latin2", "iso8859-2", "oběd"),
        ("unicode-1-1-utf-7", "utf-7", "café"),
    ],
)
def test_a_charset_is_known_by_the_names_of_mail_and_browsers(name, codec, written):
    assert body(name, written.encode(codec)) == written
    assert body(name.upper(), written.encode(codec)) == written


@pytest.mark.parametrize(
    ("charset", "written", "expected"),
    [
        ("iso-2022-jp", b"\x1b$B2q0w-!EPO?\x1b(B", "会員①登録"),
        ("iso-2022-jp", b"\x1b$B-j|q\x1b(B and \x1b(I1\x1b(J.", "㈱ⅰ and ｱ."),  # NEC's row 13, IBM's row 92
        ("iso-2022-jp", b"\x1b$B2q0w\nno escape back", "会員"),
        ("iso-2022-jp", b"\x1b$@2q\x1b(B", "会"),
        ("", b"\x1b$B2q0w\x1b(B", "会員"),
        ("us-ascii", b"\x1b$B2q0w\x1b(B", "会員"),
        ("euc-jp", b"\xb2\xf1\xb0\xf7\xad\xa1\x8e\xb1", "会員①ｱ"),
        ("shift_jis", b"\x89\xef\x87\x40", "会①"),
        ("cp50221", b"\x1b$B2q0w-!\x1b(B", "会員①"),
    ],
)
def test_vendors_characters_of_japanese_are_read(charset, written, expected):
    assert body(charset, written).startswith(expected)


@pytest.mark.parametrize(
    ("codec", "word"),
    [
        ("utf-8", "昼食"),
        ("euc_jp", "昼食"),
        ("iso2022_jp", "昼食"),
        ("cp949", "무료"),
        ("gb18030", "免费"),
        ("big5", "免費"),
    ],
)
def test_one_bad_character_spoils_only_itself(codec, word):
    before, after = f"{word * 4} ".encode(codec), f" {word * 4} lunch".encode(codec)
    assert body(codec, before + b"\xff" + after) == f"{word * 4} {word * 4} lunch"


@pytest.mark.parametrize("charset", ["", "utf-8", "iso-8859-1", "x-unknown"])
def test_a_character_cut_in_two_leaves_the_rest_in_utf_8(charset):
    assert body(charset, "Grüße aus Köln, schöne Grü".encode() + b"\xc3") == "Grüße aus Köln, schöne Grü"


@pytest.mark.parametrize("charset", ["big5", "utf-8", "euc-jp", "utf-7"])
def test_where_most_is_bad_the_name_is_wrong(charset):
    assert body(charset, "Grüße für Zoë".encode("latin-1")) == "Grüße für Zoë"


@pytest.mark.parametrize(
    ("kind", "page"),
    [
        ("", b'<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">'),
        ("", b"<META CHARSET='windows-1251' />"),
        ("", b'<?xml version="1.0" encoding="windows-1251"?>'),
        ("; charset=us-ascii", b"<meta charset=windows-1251>"),
        ("; charset=x-unknown", b"<meta charset=windows-1251>"),
        ("; charset=windows-1251", b"<meta charset=utf-8>"),
        ("; charset=windows-1251", b"<meta charset=koi8-r>"),
    ],
)
def test_a_page_may_state_its_charset_where_the_header_is_silent(kind, page):
    written = b"<html><head>" + page + b"</head><p>" + "обед".encode("cp1251")
    assert text(f"Content-Type: text/html{kind}\n\n".encode() + written) == "обед"


@pytest.mark.parametrize("stated", [b"utf-16", b"iso-2022-jp", b"no-such", b""])
def test_a_page_cannot_state_what_it_could_not_be_read_in(stated):
    written = b"<meta charset=" + stated + b"><p>caf\xe9"
    assert text(b"Content-Type: text/html\n\n" + written) == "café"
