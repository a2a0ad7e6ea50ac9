"""One document as a bag: the same whether its texts are short enough for a list of tokens or not."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import Document
from nbtext.analysis import Analysis
from nbtext.counting import bags

ANALYSES = [Analysis(), Analysis(ngrams=3), Analysis(tokenizer="chars:n=3"), Analysis(tokenizer="split", ngrams=2)]
TEXTS = st.text("aä ßİ界:'-\n", max_size=40)


@pytest.mark.parametrize("analysis", ANALYSES)
@given(parts=st.lists(st.tuples(st.sampled_from(["", "subject", "url"]), TEXTS), max_size=4))
def test_a_long_document_has_the_tokens_of_its_list(analysis: Analysis, parts: list[tuple[str, str]]) -> None:
    document = Document(parts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bags, "LONG", 0)
        assert bags.bags(analysis)(document) == Counter(analysis.tokens()(document))


def test_a_long_document_keeps_its_attributes(monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document([("", "be red")], attributes=[("colour", "red")])
    short = bags.bags(Analysis())(document)
    monkeypatch.setattr(bags, "LONG", 0)
    assert bags.bags(Analysis())(document) == short
    assert len(short) == 3
