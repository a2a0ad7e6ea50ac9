"""An explanation as a page: whole, safe, and honest about what its shades mean."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import Analysis, Classifier, Document, Hyperparameters, train_documents
from nbtext.fields import ATTRIBUTE
from nbtext.report.explanation_page import page

TEXTS = {"ham": ["lunch at noon", "lunch <b>"], "spam": ["win cash now", "win & win"]}
ALLOWED = {"html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "p", "strong", "mark", "div",
           "details", "summary", "section", "table", "tr", "th", "td"}  # fmt: skip


class Parsed(HTMLParser):
    """The tags of a page, the text of its marks, and that of its text boxes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.within: list[str] = []
        self.text = ""
        self.marks: list[tuple[str, str]] = []  # (class, text)
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "meta":
            self.within.append(tag)
        if tag == "mark" and "div" in self.within:
            self.marks.append((dict(attrs)["class"], ""))

    def handle_endtag(self, tag):
        if tag in self.within:
            while self.within.pop() != tag:
                pass

    def handle_data(self, data):
        if "div" in self.within:
            self.text += data
            if "mark" in self.within:
                side, text = self.marks[-1]
                self.marks[-1] = side, text + data


def shown(document, event_model="multinomial", **settings):
    reading = Hyperparameters(event_model=event_model)
    model = train_documents(TEXTS, analysis=Analysis(**settings), hyperparameters=reading)
    document = document if isinstance(document, Document) else Document([("", document)], name="letter")
    return "\n".join(page([(document, Classifier(model).explain(document))], model.analysis))


def test_tokens_are_shaded_by_what_they_speak_for():
    assert Parsed(shown("Win, win at lunch; zebra!")).marks == [
        ("for", "Win"),
        ("for", "win"),
        ("against", "at"),
        ("against", "lunch"),
    ]


@pytest.mark.parametrize("event_model", ["multinomial", "binary", "bernoulli", "complement"])
def test_shades_of_a_token_add_up_to_its_term(event_model):
    html = shown("win win win", event_model)
    shares = [float(share) for share in re.findall(r'title="win ([+-][\d.]+)"', html)]
    (term,) = re.findall(r"<td>([+-][\d.]+)</td><td>win</td>", html)
    assert sum(shares) == pytest.approx(float(term), abs=0.01)
    assert len(shares) == 3


def test_pairs_are_shaded_where_they_start():
    html = shown("win & win", ngrams=2)
    assert [text for _, text in Parsed(html).marks] == ["win", "win"]
    first, second = re.findall(r'title="([^"]*)"', html)
    assert ("win win" in first, "win win" in second) == (True, False)


def test_text_that_cannot_be_cut_is_listed_only(monkeypatch):
    monkeypatch.setattr(Analysis, "tokenize", lambda _: lambda text: sorted(text.split(), reverse=True))
    html = shown("lunch win")
    assert Parsed(html).marks == []
    assert "does not say where its tokens are in the text" in html
    assert "<td>win</td>" in html


def test_parts_are_headed_by_their_tags():
    html = shown(Document([("subject", "lunch"), ("", "win")], name="m"))
    assert html.index("<h2>subject</h2>") < html.index("lunch") < html.index('<div class="text" dir="auto"><mark')


def test_terms_in_the_table_add_up():
    *terms, whole = (float(nats) for nats in re.findall(r"<tr><t[dh]>([+-][\d.]+)<", shown("win win at lunch")))
    assert sum(terms) == pytest.approx(whole, abs=1e-3)


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("&amp;", "&amp;amp;"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\u202eb", "a\\u202eb"),
        ("\udcff", "\\xff"),
        ("क\u094d\u200dष", "क\u094d\u200dष"),
        ("q\\x\ny\tz", "q\\x\ny\tz"),
    ],
)
def test_text_is_escaped(text, escaped):
    assert f">{escaped}</div>" in shown(text)


def test_name_label_and_token_are_escaped():
    model = train_documents({'"><i>': ["<b> red"], "'b'": ["blue"]}, analysis=Analysis(tokenizer="split"))
    document = Document([("<tag>", "x"), ("", "<b> red")], name="<name>")
    html = "\n".join(page([(document, Classifier(model).explain(document))], model.analysis))
    assert set(Parsed(html).tags) <= ALLOWED
    assert '"><i>' not in html


@given(st.text(), st.text().filter(lambda tag: tag.isprintable() and " " not in tag and tag[:1] != ATTRIBUTE))
def test_any_document_makes_a_page_of_known_tags_that_shows_its_text(text, tag):
    parsed = Parsed(shown(Document([(tag, "win"), ("", text)], name=text)))
    assert set(parsed.tags) <= ALLOWED
    assert parsed.attributes <= {
        "lang",
        "charset",
        "id",
        "scope",
        "tabindex",
        "aria-label",
        "http-equiv",
        "content",
        "name",
        "class",
        "style",
        "title",
        "dir",
        "open",
    }
    if text.isascii() and text.isprintable():
        assert parsed.text == "win" + text


def test_page_stands_alone():
    html = shown("win at lunch")
    assert "default-src 'none'" in html
    assert not re.search(r"<script|<link|<img|url\(|https?:", html)
    assert "color-scheme: light dark" in html


def test_command_writes_the_page(corpus, run, tmp_path):
    corpus({"ham/1": "lunch", "spam/1": "win"})
    run("train", "corpus")
    assert run("explain", "--html", "why.html", stdin="win") == ("", "", 0)
    written = (tmp_path / "why.html").read_text(encoding="utf-8")
    assert written.startswith("<!DOCTYPE html>")
    assert written.endswith("</html>\n")
    assert run("explain", "--html", "-", stdin="win").out == written


def test_command_keeps_the_old_page_if_nothing_can_be_explained(corpus, run, tmp_path):
    corpus({"ham/1": "lunch", "spam/1": "win"})
    (tmp_path / "why.html").write_text("old")
    assert run("explain", "--html", "why.html", stdin="win").status == 3
    assert (tmp_path / "why.html").read_text() == "old"
