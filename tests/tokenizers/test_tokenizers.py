"""Tokenizers: cases as data, then what fast and slow path owe each other, then the contract of all."""

import json
import subprocess
import sys
import unicodedata
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nbtext import plugins, tokenizers
from nbtext.errors import ChoiceError
from nbtext.tokenizers import Tokenize, _western
from nbtext.tokenizers._unicode import tokenizer

from ..shell import ROOT
from ..timing import seconds


def tokenize_as(spec: str) -> Tokenize:
    return plugins.made(tokenizers, spec)  # type: ignore[return-value]


# Cases -------------------------------------------------------------------------------------------------------------

CASES = [
    pytest.param(
        case,
        id=f"{path.stem.removeprefix('tokens-')}: {case['label']}",
        marks=[pytest.mark.xfail(strict=True)] if case["expect"] == "fail" else [],
    )
    for path in sorted((ROOT / "tests/cases").glob("tokens-*.json"))
    for case in json.loads(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("case", CASES)
def test_case(case: dict[str, Any]) -> None:
    assert tokenize_as(case["tokenizer"])(case["input"]) == case["expected"]


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("chars:n=0", "n should be 1 to 64, not 0"),
        ("chars:n=65", "n should be 1 to 64, not 65"),
        ("chars:n=3,min=4", "min should be 0 to n, which is 3, not 4"),
        ("chars:min=-1", "min should be 0 to n"),
        ("chars:edges=2", "edges should be 0 or 1, not 2"),
        ("chars:nfkc=2", "nfkc should be 0 or 1, not 2"),
        ("words:nfkc=2", "nfkc should be 0 or 1, not 2"),
        ("tokens:nfkc=2", "nfkc should be 0 or 1, not 2"),
        ("split:nfkc=1", "no option 'nfkc'; there are: none"),
    ],
)
def test_option_refused(spec: str, complaint: str) -> None:
    with pytest.raises(ChoiceError, match=complaint):
        tokenize_as(spec)


# The fast path equals the slow one -----------------------------------------------------------------------------------

ASCII = "".join(map(chr, range(128)))
WESTERN = bytes(range(256)).decode("cp1252", "ignore")
BORDERS = ["'", "''", "' '", "_", "0", "A", "x" * 63, "x" * 64, "x" * 65, "x" * 32 + "'" + "x" * 32, " ", "\n", "\0"]


def texts(characters: str) -> st.SearchStrategy[str]:
    """Texts of any of the characters, and texts of what is likely to go wrong at the borders of words."""
    return st.text(characters) | st.lists(st.sampled_from([*BORDERS, "’", "ß", "é", "\xad"])).map("".join)


@given(texts(ASCII).filter(str.isascii))
def test_ascii_tokens_need_no_pattern(text: str) -> None:
    for name, symbols in ("words", False), ("tokens", True):
        assert tokenize_as(name)(text) == tokenizer("NFC", symbols)(text)
        assert tokenize_as(f"{name}:nfkc=1")(text) == tokenizer("NFKC", symbols)(text)


@given(texts(WESTERN))
@example(WESTERN)
@example(" ".join(WESTERN))
@example("'".join(WESTERN))
@example("0" * 63 + "ß")
def test_western_words_need_no_pattern(text: str) -> None:
    assert tokenize_as("words")(text) == tokenizer("NFC", symbols=False)(text)


def test_western_text_is_recognised() -> None:
    assert _western.encoded("déjà vu, “naïve” – 5 €") is not None
    assert _western.encoded("Łódź") is None


def test_regex_is_not_imported_for_western_text() -> None:
    script = """if True:
        import sys
        from nbtext import plugins, tokenizers
        for spec, text in ("words", "It’s a café"), ("tokens", "It's fine!"), ("chars", "Größe"), ("split", "日本"):
            plugins.made(tokenizers, spec)(text)
        assert "regex" not in sys.modules
        plugins.made(tokenizers, "words")("日本")
        assert "regex" in sys.modules
    """
    subprocess.run([sys.executable, "-c", script], check=True)


# What every tokenizer owes -------------------------------------------------------------------------------------------

EVERY = plugins.names(tokenizers)
FOLDING = [name for name in EVERY if name != "split"]
HARD = "aÉßİıǰﬃΣς’'ʼ_1½²\u0301\u0307\u0338\u0345\u0323हि्\u200c\u200d\u200b\u00ad\ufe0f\u20e3ی世を゙ーﾞที่ຳ❤👍🏽🇩🇪!"
HARD += "⋯\ufffd\0\x1b\x85\ud800\u2028 "

any_text = st.text(st.characters()) | st.text(HARD)


@pytest.mark.parametrize("name", EVERY)
@given(text=any_text)
def test_tokens_are_clean(name: str, text: str) -> None:
    for token in tokenize_as(name)(text):
        assert token
        assert len(token) <= 64
        assert not any(character.isspace() or character == "\ufffd" for character in token)
        assert not any(unicodedata.category(character) in ("Cc", "Cs") for character in token)


@pytest.mark.parametrize("name", EVERY)
@given(text=any_text)
def test_white_space_always_separates(name: str, text: str) -> None:
    tokenize = tokenize_as(name)
    assert tokenize(f"{text}\n{text}") == tokenize(text) * 2 == tokenize_as(name)(text) * 2


@pytest.mark.parametrize("name", FOLDING)
@given(text=any_text)
def test_canonical_forms_meet(name: str, text: str) -> None:
    tokenize = tokenize_as(name)
    assert (
        tokenize(unicodedata.normalize("NFD", text)) == tokenize(unicodedata.normalize("NFC", text)) == tokenize(text)
    )


@given(text=any_text)
def test_tokens_are_the_words_and_symbols(text: str) -> None:
    words = tokenize_as("words")(text)
    assert [token for token in tokenize_as("tokens")(text) if token in words] == words


@given(text=any_text, n=st.integers(1, 5))
def test_ngrams_are_of_the_words(text: str, n: int) -> None:
    words = [word for word in tokenize_as("words")(text) if len(word) <= 64 and word[0] != "⋯"]
    grams = tokenize_as(f"chars:n={n}")(text)
    assert len([gram for gram in grams if gram[0] != "⋯"]) == sum(max(1, len(word) - n + 1) for word in words)


@given(st.text(sorted(set(HARD) - {"\u200c", "\u200d"})))
def test_words_are_stable(text: str) -> None:
    """A word tokenized again is itself, but for the marker of an over-long one or a joiner that lost its letter."""
    for word in tokenize_as("words")(text):
        assert word.startswith("⋯") or tokenize_as("words")(word) == [word]


# Hostile texts take linear time

HOSTILE = {
    "letter": "a",
    "letter beyond Latin": "я",
    "circumflex": "^",
    "apostrophes": "'",
    "letters and apostrophes": "a'",
    "curly apostrophes": "’я",
    "marks": "\u0301",
    "two marks in the wrong order": "\u0301\u0323",
    "viramas and joiners": "\u094d\u200d",
    "emoji and joiners": "👍\u200d",
    "joiners": "\u200d",
    "flags": "🇩",
    "Han": "世",
    "Han and apostrophes": "世'",
    "Thai marks": "ท\u0e35\u0e48",
    "Thai, marks only": "\u0e35",
    "Arabic, joiners": "ی\u200c",
}


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE.keys())
def test_time_grows_with_length(name: str, unit: str) -> None:
    tokenize = tokenize_as(name)

    tokenize(unit)  # compiles the patterns
    short, long = ((unit * length)[:length] for length in (50_000, 200_000))
    # Four times the length may take four times as long; what is quadratic takes sixteen times.
    assert seconds(tokenize, long) < 9 * seconds(tokenize, short) + 0.05
