"""Pages: what they show, what they keep from the eye, and that no page can take longer than its size allows."""

import random
from email import message_from_bytes
from html import escape, unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from nbtext import Classifier, Model
from nbtext.classification.filtering import document
from nbtext.mail import evidence
from nbtext.mail.colours import attribute_colour, styled_colour
from nbtext.mail.pages import page
from nbtext.mail.tags import unescaped
from tests.fuzz.fuzz_mail import decode
from tests.mailroom import MAIL, mail_model

from ..timing import seconds


def read(html, most=6000):
    """The text that is shown, and the text that is hidden."""
    return page(html, most)[:2]


HIDING = [
    "display:none",
    "DISPLAY : None !important",
    "display:block;display:none",
    "display:/**/none",
    "d\\69splay:none",
    "visibility:hidden",
    "visibility:collapse",
    "opacity:0",
    "opacity:.05",
    "opacity:0%",
    "filter:opacity(0)",
    "mso-hide:all",
    "content-visibility:hidden",
    "font-size:0",
    "font-size:1px",
    "font-size:.1em",
    "font-size:5%",
    "font:0px/1 serif",
    "font:italic bold 1px/30px Georgia,serif",
    "height:0;overflow:hidden",
    "max-height:0",
    "width:1px;height:1px;overflow:hidden",
    "max-width:0;overflow-x:hidden",
    "position:absolute;left:-9999px",
    "position:fixed;top:-100em",
    "position:absolute;clip:rect(0,0,0,0)",
    "position:absolute;clip:rect(1px 1px 1px 1px)",
    "clip-path:inset(50%)",
    "text-indent:-999em",
    "margin-left:-5000px",
    "margin:0 0 0 -5000px",
    "transform:scale(0)",
    "transform:translateX(-9999px)",
    "color:transparent",
    "color:white",
    "color:#FFF",
    "color:#fefefe",
    "color:#ffffffff",
    "color:rgb(255,255,255)",
    "color:rgb(100% 100% 100%)",
    "color:rgba(0,0,0,0)",
    "color:rgba(0, 0, 0, .02)",
    "color:hsl(0,0%,100%)",
    "color:snow",
    "-webkit-text-fill-color:transparent",
    "background:#336699;color:#369",
    "background:url(x.gif) black;color:#010101",
    "background-color:red;color:rgb(255,0,0)",
]
SHOWING = [
    "",
    "display:block",
    "display:none;display:block",
    "display:block!important;display:none",
    "visibility:visible",
    "opacity:1",
    "opacity:0.5",
    "font-size:12px",
    "font:bold 10pt serif",
    "font-size:0.9em",
    "font-size:5",
    "height:0",
    "height:20px;overflow:hidden",
    "width:0",
    "left:-9999px",
    "position:relative;left:-5px",
    "position:absolute;left:0;top:0",
    "margin:-1px",
    "text-indent:2em",
    "color:black",
    "color:#888",
    "color:rgba(0,0,0,.5)",
    "color:white;background:#000",
    "background:url(white.gif);color:#333",
    "background:transparent",
    "content:'display:none'",
    "font-family:'x;display:none'",
    "x-display:none",
    "/*display:none*/",
    "color:inherit",
    "color:no-such-colour",
]


@pytest.mark.parametrize("style", HIDING)
def test_a_style_that_hides_its_text_hides_it(style):
    assert read(f'<p>a<p style="{style}">b<p>c') == ("a c", "b")
    assert read(f"<style>.q{{{style}}}</style><p>a<p class=q>b<p>c") == ("a c", "b")


@pytest.mark.parametrize("style", SHOWING)
def test_a_style_that_does_not_hide_its_text_shows_it(style):
    assert read(f'<p>a<p style="{style}">b<p>c') == ("a b c", "")
    assert read(f"<style>.q{{{style}}}</style><p>a<p class=q>b<p>c") == ("a b c", "")


@pytest.mark.parametrize(
    ("rules", "element"),
    [
        ("p{display:none}", "<p>"),
        ("P.Q{display:none}", "<p class='x q'>"),
        (".x.q{display:none}", "<p class='q x'>"),
        ("#n{display:none}", "<p id=N>"),
        ("*{display:none}", "<p>"),
        ("div p{display:none}", "<div><p>"),
        ("div>p{display:none}", "<div><p>"),
        ("hr~p{display:none}", "<hr><p>"),
        ("h1, .q, h2{display:none}", "<p class=q>"),
        ("[class=q]{display:none}", "<p class=q>"),
        ("p[class*='q']{display:none}", "<p class=q>"),
        ("a:link{color:#fff}", "<a href=x>"),
        (":link{color:#fff}", "<a href=x>"),
        ("p :any-link{color:#fff}", "<p><a href=x>"),
        ("@media screen{.q{display:none}}", "<p class=q>"),
        ("@media (min-width:300px){.q{display:none}}", "<p class=q>"),
        ("@media only screen and (max-width:9999px){.q{display:none}}", "<p class=q>"),
        ("@supports (display:block){.q{display:none}}", "<p class=q>"),
        ("@font-face{font-family:x} .q{display:none}", "<p class=q>"),
        ("@charset 'x'; .q{display:none}", "<p class=q>"),
        ("<!-- .q{display:none} -->", "<p class=q>"),
        ("/* } */ .q{display:none", "<p class=q>"),
        (".\\71{display:none}", "<p class=q>"),
        (".q{display:none}", "<p class=q style='color:red'>"),
        (".q{display:none!important}", "<p class=q style='display:block'>"),
        (".q{display:block}.q{display:none}", "<p class=q>"),
        ("p.q{display:none}.q{display:block}", "<p class=q>"),
        (".q::before{content:'}'} .q{display:none}", "<p class=q>"),
    ],
)
def test_a_rule_hides_what_it_is_about_wherever_it_is_written(rules, element):
    assert read(f"<style>{rules}</style><p>a".replace("<p>a", "") + f"{element}b") == ("", "b")
    assert read(f"{element}b<style>{rules}</style>") == ("", "b")


@pytest.mark.parametrize(
    ("rules", "element"),
    [
        (".q{display:none}", "<p class=qq>"),
        (".q.x{display:none}", "<p class=q>"),
        ("div .q{display:none}", "<p class=q>"),
        ("div .q{display:none}", "<div></div><p class=q>"),
        ("hr~p{display:none}", "<p>"),
        ("p:hover{display:none}", "<p>"),
        ("p :link{display:none}", "<p>"),
        *((f"{selectors}{{display:none}}", "<p>") for selectors in ("", "p,", ",p", "p, ,b", "*>", "~")),
        ("@media print{p{display:none}}", "<p>"),
        ("@media (max-width:600px){p{display:none}} p{color:black}", "<p>"),
        ("@media (prefers-color-scheme:dark){p{color:white}}", "<p>"),
        ("@keyframes x{from{display:none}}", "<p>"),
        ("p{display:none}", "<p style='display:block'>"),
        (".q{display:none}.q{display:block}", "<p class=q>"),
        (".q{display:none}p.q{display:block}", "<p class=q>"),
        ("p{display:none}#n{display:block}", "<p id=n>"),
        ("p{content:'}p{display:none}'}", "<p>"),
    ],
)
def test_a_rule_that_is_about_something_else_or_outranked_hides_nothing(rules, element):
    assert read(f"<style>{rules}</style>{element}b") == ("b", "")


def test_a_sheet_in_a_comment_or_for_paper_is_none():
    assert read("<!-- <style>p{display:none}</style> --><p>a") == ("a", "")
    assert read("<style media=print>p{display:none}</style><p>a") == ("a", "")
    assert read("<style media='screen, print'>p{display:none}</style><p>a") == ("", "a")


@pytest.mark.parametrize("selectors", ["", ",", "b,", ",,b", ":link", " :any-link , b"])
def test_an_empty_selector_applies_to_nothing(selectors):
    assert read(f"<style>{selectors}{{display:none}}</style><p>a") == ("a", "")


@pytest.mark.parametrize("letter", ["\u017f", "\u212a", "\u0130", "\u0131"])
def test_a_tag_begins_with_a_letter_of_ascii_not_with_one_that_is_folded_to_it(letter):
    assert read(f"<p>a <{letter}> b") == (f"a <{letter}> b", "")


@pytest.mark.parametrize(
    ("html", "shown", "hidden"),
    [
        ("<p hidden>a</p>b", "b", "a"),
        ("<p hidden style='display:block'>a", "a", ""),
        ("<template>a</template>b", "b", "a"),
        ("<dialog>a</dialog><dialog open>b</dialog>", "b", "a"),
        ("<b style='display:none'>a</b>b", "b", "a"),
        ("<div style='visibility:hidden'>a<p style='visibility:visible'>b</div>", "b", "a"),
        ("<div style='font-size:0'>a<p style='font-size:12px'>b<p style='font-size:200%'>c</div>", "b", "a c"),
        ("<div style='display:none'>a<p style='display:block'>b</div>c", "c", "a b"),
        ("<table bgcolor=black><tr><td><font color=white>a</font><td><font color=#000>b", "a", "b"),
        ("<body bgcolor=#ffffff text=#fffffe>a<p style='color:red'>b", "b", "a"),
        ("<font color=white>a<a href=x>b</a><a name=x>c</a></font>", "b", "a c"),
        ("<div style='background:rgba(0,0,0,.9);color:#fff'>a</div>", "a", ""),
        ("<div style='background:#000'><p style='background:transparent;color:#fff'>a", "a", ""),
    ],
)
def test_what_is_around_an_element_hides_it_or_not(html, shown, hidden):
    assert read(html) == (shown, hidden)


@pytest.mark.parametrize(
    ("html", "shown", "hidden"),
    [
        ("<p hidden>a<p>b", "b", "a"),
        ("<ul><li hidden>a<li>b</ul>", "b", "a"),
        ("<ul><li hidden>a<ul><li>b</ul>c<li>d</ul>", "d", "a b c"),
        ("<dl><dt hidden>a<dd>b</dl>", "b", "a"),
        ("<table><tr><td hidden>a<td>b<tr hidden><td>c<tr><td>d</table>e", "b d e", "a c"),
        ("<table><tr><td hidden>a<table><tr><td>b<td>c</table>d<td>e</table>", "e", "a b c d"),
        ("<div hidden><table><tr><td>a</div>b</table>c</div>d", "d", "a b c"),
        ("<div hidden>a</p></span></td></center>b</div>c", "c", "a b"),
        ("<span hidden>a<div>b</span>c</div></span>d", "d", "a bc"),
        ("<p><span hidden>a</p>b", "b", "a"),
        ("<td><font color=white>a</td>b", "b", "a"),
        ("<div hidden>a<br>b<img src=x>c</div>d", "d", "a b c"),
        ("<div hidden>a</DIV >b", "b", "a"),
        ("</body></html>a", "a", ""),
        ("<div hidden>a</body>b", "", "a b"),
    ],
)
def test_an_element_ends_where_the_standard_ends_it(html, shown, hidden):
    assert read(html) == (shown, hidden)


def test_hidden_text_is_one_token_a_word():
    html = "<div hidden>lunch<br>meeting</div><table hidden><tr><td>agenda</td><td>minutes</td></tr></table>"
    assert read(html) == ("", "lunch meeting agenda minutes")
    assert read("V<!-- x -->I<b>A</b>G<x-y>R</x-y>A<span hidden>x<br>y</span>") == ("VIAGRA", "x y")


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("a<!-->b", "ab"),
        ("a<!--->b", "ab"),
        ("a<!-- > -- b --!>c", "ac"),
        ("a<!-- b", "a"),
        ("a<![if !mso]>b<![endif]>c", "abc"),
        ("a<?xml b>c</ d>e", "ace"),
        ("a < b <3 c", "a < b <3 c"),
        ("<p title='>'>a", "a"),
        ('<p title=">" x=\'"\'>a', "a"),
        ("<p title=it's>a<p>b's", "a b's"),
        ("<p title='a<p>b", ""),
        ("<style>a</style ><script>'</scr'</script>b<noscript>c</noscript>", "b c"),
        ("<title>a&amp;<b>c</title>d", "a&<b>c d"),
        ("<iframe>a</iframe>b<plaintext>c</plaintext>", "b c</plaintext>"),
        ("&#86;&#x69;&#00000097;&shy;gra&nbsp;&lt;&amp;lt;", "Viagra <&lt;"),
        ("a&zwnj;&nbsp;\u200b \u034f b", "a b"),
        (f"&#{'9' * 9000}; &#x{'f' * 9000}; a", "\ufffd \ufffd a"),
    ],
)
def test_markup_is_told_from_text_as_the_standard_does(html, shown):
    assert read(html)[0] == shown


def test_addresses_are_those_of_links_images_and_forms():
    html = (
        "<a href='x?a=1&amp;b=2&copy=3'><img src=i><form action=f><td background=b><a HREF=y href=z><a name=n href=''>"
    )
    assert page(html, 99).links == ["x?a=1&b=2&copy=3", "i", "f", "b", "y"]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("red", (255, 0, 0, 1)),
        ("#F00", (255, 0, 0, 1)),
        ("rebeccapurple", (102, 51, 153, 1)),
        ("#ff000000", (255, 0, 0, 0)),
        ("rgb(300,-5,0)", (255, 0, 0, 1)),
        ("hsl(120,100%,50%)", (0, 255, 0, 1)),
        ("#ff", None),
        ("rgb(1,2)", None),
    ],
)
def test_a_colour_is_read_as_style_sheets_write_it(written, expected):
    assert styled_colour(written.lower()) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [("FFFFFF", (255, 255, 255, 1)), ("#fff", (255, 255, 255, 1)), ("fff", (15, 15, 15, 1)), ("", None),
     ("White ", (255, 255, 255, 1)), ("transparent", None), ("#ffff", (255, 255, 0, 1)), ("crap", (192, 160, 0, 1))],
)  # fmt: skip
def test_a_colour_is_read_as_attributes_write_it(written, expected):
    assert attribute_colour(written) == expected


# a parser of the standard as an oracle

TAGS = ["div", "p", "span", "b", "ul", "li", "table", "tr", "td", "h1", "a", "br", "img", "blockquote", "font"]
PIECES = st.sampled_from(
    [
        *(f"<{tag}>" for tag in TAGS),
        *(f"</{tag}>" for tag in TAGS),
        *("one ", "two", " ", "<!-- c -->", "&amp;", "<p title='>'>", "<style>s</style>", "<x-y>"),
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join))
@settings(max_examples=300)
def test_all_text_is_read_that_a_parser_of_the_standard_reads(html):
    tree = LexborHTMLParser(f"<!doctype html><body>{html}")
    for element in tree.css("style"):
        element.decompose()
    expected = "".join((tree.body.text() if tree.body else "").split())
    assert sorted("".join(read(html)[0].split())) == sorted(expected)  # out of a table text moves before it


NESTED = ["div", "span", "p", "ul", "li", "blockquote"]
BLOCKS = st.sampled_from(
    [*(f"<{tag}{more}>" for tag in NESTED for more in ("", " hidden")), *(f"</{tag}>" for tag in NESTED), "x", "y "]
)


@given(st.lists(BLOCKS, max_size=20).map("".join))
@settings(max_examples=500)
def test_what_is_hidden_is_what_the_tree_of_the_standard_has_in_hidden_elements(html):
    tree = LexborHTMLParser(f"<!doctype html><body>{html}")
    for element in tree.css("[hidden]"):
        element.decompose()
    expected = "".join((tree.body.text() if tree.body else "").split())
    assert "".join(read(html)[0].split()) == expected


REFERENCES = st.sampled_from(
    ["&", "#", "x", "amp", "lt;", ";", "65", "128", "0", "COPY", "notit", " ", "eacute;", "d800"]
)


@given(st.lists(REFERENCES, max_size=8).map("".join))
def test_references_stand_for_what_python_says(text):
    assert unescaped(text) == unescape(text)


# as far as it is read


def test_of_what_is_shown_and_of_what_is_hidden_as_much_is_read():
    html = "<p hidden>" + "poem " * 100 + "</p>" + "  \n&nbsp;" * 100 + "<p>" + "win " * 100
    shown, hidden = read(html, 40)
    assert (shown, hidden) == ("win " * 10, "poem " * 8)


def test_a_page_is_read_no_further_than_its_text_counts():
    html = "<p>lunch <b>at</b> noon</p>\n" * 1_000_000  # 28 million characters
    assert seconds(page, html, 6000) < 0.5


LONG = {
    "paragraphs": "<p>x",
    "hidden paragraphs": "<p hidden>x",
    "open elements": "<div>",
    "open spans": "<span>",
    "cells": "<table><td>",
    "lists": "<ul><li>",
    "end tags": "</div>",
    "attributes": " a='b'",
    "quotes": "<a b='",
    "tags cut off": "<a ",
    "signs": "<",
    "comments": "<!--",
    "references": "&#",
    "digits": "&#9",
    "entities": "&am",
    "style sheets": "<style>p{color:red}</style>",
    "sheets cut off": "<style>",
    "spaces": " ",
    "classes": "<p class='q r s'>",
}
SHEETS = {
    "rules": ".q{display:none}",
    "selectors": ".q .r,",
    "a selector": ".q>",
    "braces": "{",
    "ends": "}",
    "strings": "'",
    "brackets": "(",
    "comments": "/*",
    "at": "@media{",
    "declarations": ";color:",
    "escapes": "\\",
    "colons": ":",
}


HOSTILE = {
    **{name: ("<p>", piece, "") for name, piece in LONG.items()},
    **{f"sheet of {name}": ("<style>", piece, "</style>" + "<p class=q>x" * 9000) for name, piece in SHEETS.items()},
    **{f"style of {name}": ('<p style="', piece, '">x') for name, piece in SHEETS.items()},
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_time_is_linear_in_size(kind):
    """Four times the size takes sixteen times as long where time is quadratic; half of that is refused."""
    before, piece, after = HOSTILE[kind]

    small, large = (before + piece * (size // len(piece)) + after for size in (50_000, 200_000))
    taken = seconds(page, large, 1 << 30, times=2)
    assert taken < 0.05 or taken < 8 * seconds(page, small, 1 << 30, times=2)


# as evidence


@pytest.fixture(scope="module")
def classify(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "mail.nbtext"
    path.write_bytes(mail_model())
    return Classifier(Model.open(str(path)))


def ham_words(characters):
    """Words of the ham in corpora/mail, as many characters, in no order."""
    words = [
        word
        for path in sorted((MAIL / "ham").iterdir())
        for tag, text in evidence.parts(path.read_bytes(), decode)
        if not tag
        for word in text.split()
    ]
    random.Random(1).shuffle(words)
    return escape(" ".join(words)[:characters])


def as_page(message, padding):
    """A message with its text as a page, the padding on top."""
    header = message_from_bytes(message)
    text = " ".join(text for tag, text in evidence.parts(message, decode) if not tag)
    fields = "".join(f"{name}: {header[name]}\n" for name in ("From", "To", "Subject") if header[name])
    return f"{fields}Content-Type: text/html; charset=utf-8\n\n<html><body>{padding}<p>{escape(text)}".encode()


PADDED = {
    "class": "<style>.q{display:none}</style><p class=q>%s</p>",
    "off screen": "<div style='position:absolute;left:-9999px'>%s</div>",
    "transparent": "<p style='color:transparent'>%s</p>",
    "white": "<p style='color:rgb(255,255,255)'>%s</p>",
    "no height": "<div style='max-height:0;overflow:hidden'>%s</div>",
}


@pytest.mark.parametrize("way", PADDED)
def test_spam_padded_with_good_words_that_nobody_sees_stays_spam(way, classify):
    spam = [path.read_bytes() for path in sorted((MAIL / "spam").iterdir())]
    padding = ham_words(6500)

    def missed(top):
        messages = [as_page(message, top) for message in spam]
        return sum(classify(document(message, classify.model)).label != "spam" for message in messages)

    assert missed(f"<p>{padding}</p>") > len(spam) // 2  # where they are seen, they tell
    assert missed(PADDED[way] % padding) <= len(spam) // 20
