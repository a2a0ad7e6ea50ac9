"""Distinct tokens in sorted order: that of their texts, for words, tagged words and n-grams."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext.analysis import Analysis
from nbtext.counting.tokens import Terms, Tokens
from nbtext.kernel import Indexer
from nbtext.readers import Document

LONG = [f"{head}{end}" for head in ("abcdefgh", "abcdefghijklmnop") for end in ("", "\0", "q", "é", "\U0001f600")]
WORDS = st.sampled_from(["a", "ab", "a!", "b", "title:a", "é", "\U0001f600", "\uffee", "a\xa0b", *LONG]) | st.text(
    max_size=3
)
PARTS = st.lists(st.tuples(st.sampled_from(["", "title", "a"]), st.lists(WORDS, max_size=6).map(" ".join)), max_size=4)


@given(PARTS, st.sampled_from(["words", "tokens", "split"]), st.integers(1, 3))
def test_tokens_are_in_the_order_of_their_texts(parts: list[tuple[str, str]], tokenizer: str, ngrams: int):
    analysis = Analysis(tokenizer=tokenizer, ngrams=ngrams)
    indexer = Indexer(analysis.tokenize(), ngrams)
    batch = indexer.add([[part] for part in parts])
    tokens = Tokens(Terms.of(indexer))
    expected = [analysis.tokens()(Document([part])) for part in parts]
    texts = tokens.texts()
    assert texts == sorted(set(texts))
    numbers = tokens.numbers(np.asarray(batch.terms, np.int64)).tolist()
    assert {texts[number] for number in numbers} == set().union(*expected)  # some words only stand in n-grams
    for start, end, found in zip(batch.starts, batch.starts[1:], expected, strict=False):
        assert {texts[number] for number in numbers[start:end]} == set(found)
    assert tokens.texts(np.arange(len(tokens))[::-1]) == texts[::-1]
    chosen = set(texts[::2]) | {"unheard of"}
    assert [texts[number] for number in tokens.find(chosen)] == texts[::2]


@pytest.mark.parametrize(("ngrams", "single"), [(1, "be or to"), (3, "be or to")])
def test_single_tokens_are_those_without_others_behind(ngrams: int, single: str):
    indexer = Indexer(Analysis().tokenize(), ngrams)
    indexer.add([[("", "to be or")]])
    tokens = Tokens(Terms.of(indexer))
    assert tokens.texts(np.flatnonzero(tokens.lengths == 1)) == single.split()
    assert [text.count(" ") + 1 for text in tokens.texts()] == tokens.lengths.tolist()
    assert len(tokens) == 3 * ngrams - (ngrams > 1) * ngrams


def test_no_terms_are_no_tokens():
    tokens = Tokens(Terms(b"", [], [], []))
    assert (len(tokens), tokens.texts(), tokens.find({"a"}).tolist()) == (0, [], [])
