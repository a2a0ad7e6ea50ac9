"""Words with the character n-grams within them: tokens of their own kind, from training to explanation."""

import random

import pytest

from nbtext import Analysis, Classifier, Document, Hyperparameters, train
from nbtext.classification.bulk import BulkScorer, Plan
from nbtext.counting.indexed import IndexedCorpus
from nbtext.counting.shards import index_documents
from nbtext.counting.tokens import Shapes
from nbtext.evaluation.evaluate import Method, evaluate
from nbtext.inference.weighting import Kinds
from nbtext.training.choosing import PIECES
from nbtext.training.pieces import is_short, with_pieces
from nbtext.training.tuning import Standing

ANALYSIS = Analysis(tokenizer="words-chars:n=3", ngrams=2)
WEIGHTED = Hyperparameters(event_model="complement-binary", weights="fitted")


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
    with train(str(folder), str(tmp_path / "m.nbtext"), ANALYSIS, WEIGHTED) as model:
        _, kinds = model.weights
        assert kinds.names == ["chars", "word", "pair"]
        classify = Classifier(model)
        answer = classify("schoenes")
        assert answer.label == "de"
        [among_many] = BulkScorer(model, Plan.of(classify)).answered([Document([("", "schoenes")])]).decisions()
        assert among_many == answer


# --- what tuning makes of them ---

SYLLABLES = {"a": ["ka", "ko", "ku"], "b": ["mi", "mo", "mu"]}


def made_up(size: int) -> list[Document]:
    """Short documents of words that hardly ever come again, made of syllables that say the class."""
    dice = random.Random(1)
    found = []
    for number in range(size):
        label = "ab"[number % 2]
        words = ["".join(dice.choice(SYLLABLES[label] + ["la", "lo"]) for _ in range(4)) for _ in range(3)]
        found.append(Document([("", " ".join(words))], label))
    return found


def indexed(analysis: Analysis, documents: list[Document]) -> IndexedCorpus:
    corpus = IndexedCorpus(analysis)
    corpus.add(index_documents(documents, analysis))
    return corpus


@pytest.mark.parametrize("options", ["", ":nfkc=1"])
def test_a_counted_corpus_gets_the_n_grams_that_reading_it_would_give(options: str):
    documents = [*made_up(20), Document([("", "Banana BANANA ﬁn x" + "y" * 70)], "a"), Document([("", "世界杯")], "b")]
    words = Analysis(tokenizer=f"words{options}", ngrams=2)
    made = with_pieces(indexed(words, documents))
    read = indexed(Analysis(tokenizer=f"words-chars{options}", ngrams=2), documents)
    assert made.analysis == read.analysis
    assert made.tokens.texts() == read.tokens.texts()
    assert [dict(zip(*bag, strict=True)) for bag in made.matrix.bags()] == [
        dict(zip(*bag, strict=True)) for bag in read.matrix.bags()
    ]
    assert made.matrix.digests.tolist() == read.matrix.digests.tolist()
    assert made.counts.rows(range(len(made.tokens))) == read.counts.rows(range(len(read.tokens)))


def test_tuning_tries_them_on_short_texts_and_the_model_is_that_of_the_tokenizer(corpus, tmp_path):
    documents = made_up(300)
    folder = corpus({f"{each.label}/{at}.txt": each.parts[0][1] for at, each in enumerate(documents)})
    tables: list[list[Standing]] = []
    train(str(folder), str(tmp_path / "tuned.nbtext"), tune=tables.append).close()
    assert tables[0][0].setting == PIECES
    train(str(folder), str(tmp_path / "asked.nbtext"), Analysis(tokenizer="words-chars", ngrams=2), WEIGHTED).close()
    assert (tmp_path / "tuned.nbtext").read_bytes() == (tmp_path / "asked.nbtext").read_bytes()


def test_evaluation_tries_them_inside_each_part(corpus):
    documents = made_up(300)
    folder = corpus({f"{each.label}/{at}.txt": each.parts[0][1] for at, each in enumerate(documents)})
    found = evaluate(str(folder), method=Method(folds=3), tune=True).evaluation
    assert {held.chosen.setting for held in found.held if held.chosen} == {
        "complement-binary, alpha 1, n-grams 2, fitted weights, character n-grams"
    }


@pytest.mark.parametrize(
    ("analysis", "text", "short"),
    [
        (Analysis(ngrams=2), "red rose", True),
        (Analysis(ngrams=2), "red rose " * 30, False),
        (Analysis("mail", ngrams=2), "red rose", False),
        (Analysis(tokenizer="tokens", ngrams=2), "red rose", False),
        (Analysis(tokenizer="words-chars", ngrams=2), "red rose", False),
    ],
)
def test_only_short_texts_cut_into_words_are_tried_with_them(analysis: Analysis, text: str, short: bool):
    found = indexed(analysis, [Document([("", f"{text} {label}")], label) for label in "ab"])
    assert is_short(found, found.matrix) == short
