"""Where in a document its tokens stand: all of the text, all tokens of the model, whatever the tokenizer."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import Analysis, Document, tokenizers
from nbtext.plugins import names
from nbtext.report.locating import located

ALPHABET = "aéßİi \n.,'’-_\u0301\u200b9世界ไท👍🏽\u200d⋯\t"


@pytest.mark.parametrize(
    ("text", "analysis", "pieces"),
    [
        ("Stop, now!", Analysis(), [("Stop", ("stop",)), (",", ()), (" ", ()), ("now", ("now",)), ("!", ())]),
        ("a b", Analysis(ngrams=2), [("a", ("a", "a b")), (" ", ()), ("b", ("b",))]),
        ("rock'n'roll", Analysis(), [("rock'n'roll", ("rock'n'roll",))]),
        ("go: 世界杯", Analysis(), [("go", ("go",)), (":", ()), (" ", ()), ("世界杯", ("世界", "界杯"))]),
        ("tea time", Analysis(tokenizer="chars:n=3"), [("tea", ("tea",)), (" ", ()), ("time", ("tim", "ime"))]),
        ("a!b", Analysis(tokenizer="split"), [("a!b", ("a!b",))]),
        ("", Analysis(), [("", ())]),
    ],
)
def test_token_stands_in_the_smallest_piece_that_gives_it(text, analysis, pieces):
    assert [(piece, tokens) for _, piece, tokens in located(Document([("", text)]), analysis)] == pieces


def test_tagged_part_has_tagged_tokens():
    document = Document([("subject", "Win now"), ("", "win")])
    assert [(p.tag, p.text, p.tokens) for p in located(document, Analysis(ngrams=2)) if p.tokens] == [
        ("subject", "Win", ("subject:win", "subject:win now")),
        ("subject", "now", ("subject:now",)),
        ("", "win", ("win",)),
    ]


def test_tokenizer_that_sees_across_all_cuts_leaves_the_text_whole(monkeypatch):
    monkeypatch.setattr(Analysis, "tokenize", lambda _: lambda text: list(reversed(text.split())))
    assert [(p.text, p.tokens) for p in located(Document([("", "one\ntwo three")]), Analysis())] == [
        ("one\ntwo three", ("three", "two", "one"))
    ]


@pytest.mark.parametrize("tokenizer", names(tokenizers))
@given(
    parts=st.lists(st.tuples(st.sampled_from(["", "subject"]), st.text(ALPHABET)), max_size=3), ngrams=st.integers(1, 3)
)
def test_pieces_are_the_whole_text_and_have_all_tokens(tokenizer, parts, ngrams):
    analysis, document = Analysis(tokenizer=tokenizer, ngrams=ngrams), Document(parts)
    pieces = located(document, analysis)
    assert "".join(piece.text for piece in pieces) == "".join(text for _, text in parts)
    assert Counter(token for piece in pieces for token in piece.tokens) == Counter(analysis.tokens()(document))


def test_long_text_without_spaces_is_located_in_linear_time():
    (piece,) = located(Document([("", "a.b-" * 50_000)]), Analysis())
    assert len(piece.tokens) == 100_000
