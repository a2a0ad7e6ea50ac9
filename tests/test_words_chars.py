"""Words with the character n-grams within them: tokens of their own kind, from training to explanation."""

import pytest

from nbtext import Analysis, Classifier, Document, Hyperparameters, train
from nbtext.counting.tokens import Shapes
from nbtext.inference.weighting import Kinds

ANALYSIS = Analysis(tokenizer="words-chars:n=3", ngrams=2)


def test_pairs_are_of_words_alone():
    tokens = ANALYSIS.tokens()(Document([("", "no cat")]))
    pieces = [token for token in tokens if token.endswith("⋯")]
    assert [token for token in tokens if token not in pieces] == ["no", "cat", "no cat"]
    assert pieces[:5] == ["<n⋯", "no⋯", "o>⋯", "<no⋯", "no>⋯"]


def test_a_tag_is_before_the_whole_token():
    tokens = ANALYSIS.tokens()(Document([("subject", "no")]))
    assert tokens == ["subject:no", "subject:<n⋯", "subject:no⋯", "subject:o>⋯", "subject:<no⋯", "subject:no>⋯"]


def test_an_over_long_word_has_no_pieces():
    assert ANALYSIS.tokens()(Document([("", "x" * 65)])) == ["⋯128"]


@pytest.mark.parametrize(
    ("token", "kind"),
    [("cat", "word"), ("<ca⋯", "chars"), ("no cat", "pair"), ("⋯128", "word"), ("⋯", "word"), ("a ⋯", "pair")],
)
def test_character_n_grams_are_a_kind(token: str, kind: str):
    kinds = Kinds(["word", "pair", "chars"], tagged=False)
    assert kinds.names[kinds(token)] == kind
    (shape,) = Shapes.of([token]).found
    assert kinds.names[kinds.number(*shape)] == kind


def test_a_model_explains_by_them_and_survives_export(corpus, tmp_path):
    texts = {"en": "the thing thinks thus", "de": "schon scheint schnell", "fr": "beaux eaux nouveaux"}
    files = {f"{label}/{n}.txt": f"{text} {n % 7}{label}" for label, text in texts.items() for n in range(30)}
    folder = corpus(files)
    weighted = Hyperparameters(event_model="complement-binary", weights="fitted")
    with train(str(folder), str(tmp_path / "m.nbtext"), ANALYSIS, weighted) as model:
        assert model.kinds
        assert model.kinds.names == ["chars", "word", "pair"]
        answer = Classifier(model)("schoenes")
        assert answer.label == "de"
