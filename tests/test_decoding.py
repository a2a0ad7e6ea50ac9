"""Bytes to text: what decides, what never happens, and what is no text at all."""

import codecs
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext.decoding import decoder, is_binary, scrubbed
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
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", True),
        (b"a" * 8191 + b"\0", True),
        (b"a" * 8192 + b"\0", False),
        ("words".encode("utf-16"), False),
        (codecs.BOM_UTF16_BE + b"\0a", False),
        ("words".encode("utf-16-le"), True),
    ],
)
def test_binary_is_a_nul_in_the_head_without_a_utf_16_mark(data, binary):
    assert is_binary(data) is binary


@given(st.binary(), st.sampled_from(["windows-1252", "utf-8", "gb18030", "shift_jis", "utf-16", "cp037"]))
def test_any_bytes_are_text_that_can_be_written_again(data, fallback):
    for start in (b"", codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        text = decoder(fallback)(start + data)
        assert "\ufffd" not in text
        assert text.encode().decode() == text


@given(st.text(st.characters(codec="utf-8", exclude_characters="\ufffd")))
def test_text_in_unicode_comes_back(text):
    assert decoder()(codecs.BOM_UTF8 + text.encode()) == text
    assert decoder()(codecs.BOM_UTF16_LE + text.encode("utf-16-le")) == text
    assert scrubbed(text) == text
