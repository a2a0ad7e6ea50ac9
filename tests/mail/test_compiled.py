"""The compiled loops give what those in plain Python give, on any text."""

import os
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext.mail import compiled
from nbtext.mail.evidence import plain_survey
from nbtext.mail.fields import plain_fields_of
from nbtext.mail.links import plain_as_word, plain_hosts
from nbtext.mail.pages import PlainReader, Rules
from nbtext.mail.sheets import sheet
from nbtext.mail.tags import plain_pieces, plain_tags, style_sheets

native: Any = pytest.importorskip("nbtext.mail._native", reason="not compiled here")

# Characters that matter to some loop, wide ones, and those that `str` methods treat specially
ODD = st.sampled_from("\n \t\r\x1c\x85\xa0\u2003\x00Ééǅ𝔸ſ\u212a世")


def texts(*pieces: str) -> st.SearchStrategy[str]:
    """Texts with many of these pieces."""
    return st.lists(st.sampled_from(pieces) | ODD | st.text(max_size=3)).map("".join)


@given(texts("Subject", ":", "\n ", "\n\t", "To : a", "x y:", "::"), st.integers(1, 4), st.integers(0, 9))
def test_fields(head, most, longest):
    assert native.fields_of(head, most, longest) == plain_fields_of(head, most, longest)


@given(texts("FREE", "Free", "!", "!!", "$", "www.", "W.", "http:", ".", "abcd ", "ABCD "), st.integers(0, 3))
def test_survey(text, first):
    assert native.survey(text, first, "a_") == plain_survey(text, first, "a_")


@given(texts("a.", "b-", ".", "9", "_", "a" * 62, "a.b" * 19))
def test_hosts(text):
    assert native.hosts(text) == plain_hosts(text)


@given(texts("a", "A", "_", "-", "9", "²"))
def test_as_word(text):
    assert native.as_word(text) == plain_as_word(text)


NAMES = ("p", "b", "a", "td", "tr", "table", "li", "ul", "font", "br", "IMG", "div", "title", "style", "textarea")
MARKUP = texts(
    *(f"<{name}>" for name in NAMES),
    *(f"</{name}>" for name in NAMES),
    *(f"<{name} " for name in NAMES),
    *(
        "<",
        "</",
        "<!",
        "<!--",
        "-->",
        "--!>",
        "--",
        ">",
        "/>",
        "<?",
        "=",
        "= '",
        '="',
        "'",
        '"',
        "&lt;",
        "&#65",
        "text",
    ),
    *("href=x", "class=c>", "id='i' ", "style='display:none'>", "color=white>", "size=1>", "hidden>"),
    *("<style>.c{color:#fff}</style>", "<style media=screen>p b,#i,td+td{display:none}</style>"),
)


@given(MARKUP)
def test_tags(html):
    assert [*native.Tags(html)] == [*plain_tags(html)]


@given(MARKUP)
def test_pieces(html):
    for start, character in enumerate(html):
        if character == "<":
            told = html[start:], {"href", "class", "style"}, str.swapcase
            assert native.pieces(*told) == plain_pieces(*told)


@given(MARKUP, st.integers(0, 20), st.booleans())
def test_pages(html, most, styled):
    readers = []
    for reader_of in (native.Reader, PlainReader):
        found = [*islice(plain_tags(html), 1000)]
        reader = reader_of(Rules(sheet(style_sheets(found))) if styled else None, most)
        reader.read(found)
        readers.append((reader.shown, reader.hidden, reader.links))
    assert readers[0] == readers[1]


@pytest.mark.skipif(os.environ.get("NBTEXT_KERNEL") == "plain", reason="plain loops were chosen")
@pytest.mark.parametrize("name", ["fields_of", "survey", "hosts", "as_word", "pieces", "Tags", "Reader"])
def test_the_compiled_loops_are_those_in_use(name):
    assert compiled(name, None) is getattr(native, name)
