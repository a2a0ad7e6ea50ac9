"""Bytes to text: what decides, what never happens, and what is no text at all."""

import codecs
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext.decoding import READ, WIDE, Decoder, Limits, decoder, is_binary, scrubbed
from nbtext.errors import ChoiceError

TEXTS = [  # bytes, text, kind
    (b"", "", "nothing"),
    (b"plain words", "plain words", "ASCII"),
    ("naïve café 日本".encode(), "naïve café 日本", "UTF-8"),
    (b"caf\xe9 cr\xe8me", "café crème", "Latin-1"),
    (b"\x93curly\x94 \x80 5", "“curly” € 5", "Windows-1252"),
    (b"hole \x81 \xe9", "hole \x81 é", "a byte that Windows-1252 leaves undefined"),
    (codecs.BOM_UTF8 + "é".encode(), "é", "a mark before UTF-8"),
    (codecs.BOM_UTF8 * 2 + b"a", "\ufeffa", "a mark is removed once"),
    (codecs.BOM_UTF8 + b"a\xe9b", "a b", "a mark decides, even where a byte is wrong"),
    ("né".encode("utf-16"), "né", "UTF-16 with a mark"),
    (codecs.BOM_UTF16_LE + "né".encode("utf-16-le"), "né", "UTF-16, little end first"),
    (codecs.BOM_UTF16_BE + "né".encode("utf-16-be"), "né", "UTF-16, big end first"),
    (codecs.BOM_UTF16_LE + b"a\0b", "a ", "UTF-16 that ends in the middle of a character"),
    (codecs.BOM_UTF16_LE + b"a\0\x00\xd8b\0", "a b", "half a surrogate pair in UTF-16"),
    (codecs.BOM_UTF16_BE, "", "a mark alone"),
    ("né".encode("utf-32"), "né", "UTF-32 with a mark"),
    (codecs.BOM_UTF32_LE + "né 😀".encode("utf-32-le"), "né 😀", "UTF-32, little end first: it begins like UTF-16"),
    (codecs.BOM_UTF32_BE + "né".encode("utf-32-be"), "né", "UTF-32, big end first"),
    (codecs.BOM_UTF32_LE + b"a\0\0\0\xff\xff\xff\xff", "a ", "UTF-32 with what is no character"),
    ("a\ufffdb".encode(), "a b", "a replacement character written out"),
    (b"\xed\xa0\x80", "í\xa0€", "a surrogate in UTF-8 is not UTF-8"),
    (b"good\0morning", "good\0morning", "a NUL, which the tokenizers take for a space"),
]


@pytest.mark.parametrize(("data", "text"), [case[:2] for case in TEXTS], ids=[case[2] for case in TEXTS])
def test_text_of_bytes(data, text):
    assert decoder()(data) == text


@pytest.mark.parametrize(
    ("fallback", "data", "text"),
    [
        ("windows-1254", b"\xfe\xfd\xf0\xdd", "şığİ"),
        ("koi8-r", b"\xd4\xc5\xcb\xd3\xd4", "текст"),
        ("shift_jis", "日本".encode("shift_jis") + b"\xff", "日本ÿ"),
        ("utf-8", b"ok \xe9", "ok é"),
        ("ascii", b"ok \xe9", "ok é"),
        ("utf-7", b"+2AA- \xe9", "  é"),
    ],
)
def test_the_fallback_reads_what_is_not_utf_8(fallback, data, text):
    assert decoder(fallback)(data) == text


def test_the_fallback_is_not_asked_for_utf_8():
    assert decoder("windows-1254")("é".encode()) == "é"


@pytest.mark.parametrize("fallback", ["no-such", "", "hex", "rot13", "undefined", "idna", "utf-8\0", "\udcff"])
def test_a_fallback_that_is_no_text_encoding_is_refused_with_what_to_type(fallback):
    with pytest.raises(ChoiceError, match=r"no encoding .*; type .* utf-8"):
        decoder(fallback)


def test_a_decoder_travels_to_another_process():
    assert pickle.loads(pickle.dumps(decoder("koi8-r")))(b"\xd4") == "т"


@pytest.mark.parametrize(
    ("data", "binary"),
    [
        (b"", False),
        (b"words", False),
        (b"win cash now\0", False),  # NULs at the end fill up a block
        (b"win cash now" + bytes(500), False),
        (b"red\0apple", False),
        (b"red\0apple\0pear", False),
        (b"word " * 50 + b"\0\0\0\0", False),
        (b"word " * 50 + b"\0\0\0\0word", False),  # 4 of 258 bytes
        (b"word " * 50 + bytes(6) + b"word", True),  # 6 of 260
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", True),
        (b"\x1b[1mcolours\x1b[0m \x01\x02\x03", False),  # no NUL
        (b"a" * 200_000 + bytes(4001) + b"a", False),
        (b"a" * 200_000 + bytes(4081) + b"a", False),
        (b"a" * 200_000 + bytes(4082) + b"a", True),
        (bytes(4082) + b"a" * 200_000, True),
        (bytes(9), True),
        ("words".encode("utf-16"), False),
        ("words".encode("utf-32"), False),
        (codecs.BOM_UTF16_BE + b"\0a", False),
        ("words".encode("utf-16-le"), True),
    ],
)
def test_binary_is_a_share_of_control_characters_with_a_nul_among_them(data, binary):
    assert is_binary(data) is binary


def test_binary_data_are_refused_unless_they_are_to_be_read():
    assert Decoder().refuses(bytes(9))
    assert not Decoder(limits=Limits(binary=READ)).refuses(bytes(9))
    assert not Decoder().refuses(b"words")


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ([b"plain"], "UTF-8"),
        (["naïve".encode("utf-16")], "UTF-16"),
        (["naïve".encode("utf-32")], "UTF-32"),
        ([b"caf\xe9", b"plain"], "fallback"),
        (["é".encode("utf-16"), b"caf\xe9"], "fallback"),
    ],
)
def test_a_decoder_remembers_how_bytes_were_read(data, encoding):
    decode = decoder()
    for piece in data:
        decode(piece)
    assert (decode.taken(), decode.taken()) == (encoding, "UTF-8")


@given(st.binary(), st.sampled_from(["windows-1252", "utf-8", "gb18030", "shift_jis", "utf-16", "cp037"]))
def test_any_bytes_are_text_that_can_be_written_again(data, fallback):
    for start in (b"", codecs.BOM_UTF8, *(mark for _, marks in WIDE for mark in marks)):
        text = decoder(fallback)(start + data)
        assert "\ufffd" not in text
        assert text.encode().decode() == text


@given(st.text(st.characters(codec="utf-8", exclude_characters="\ufffd")))
def test_text_in_unicode_comes_back(text):
    assert decoder()(codecs.BOM_UTF8 + text.encode()) == text
    assert decoder()(codecs.BOM_UTF16_BE + text.encode("utf-16-be")) == text
    assert decoder()(codecs.BOM_UTF32_LE + text.encode("utf-32-le")) == text
    assert scrubbed(text) == text
