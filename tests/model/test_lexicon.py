"""What a model knows of tokens: counts, probabilities, the most telling ones; texts drawn from it."""

from collections import Counter
from fractions import Fraction
from math import isclose, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import Analysis, ChoiceError, Document, Hyperparameters, Model, ModelError, train_documents
from nbtext.model.generating import generated
from nbtext.model.lexicon import Lexicon
from nbtext.model.overview import overview
from nbtext.training.learning import learn, unlearn

PETS = {
    "cat": ["purr purr milk", "milk fish"],
    "dog": ["bark bone", "bark milk bark"],
}  # 5 types; cat 5, dog 5 positions

labelled_words = st.dictionaries(
    st.sampled_from("xyz"), st.lists(st.text("abc ", min_size=1).filter(str.strip), min_size=1), min_size=2
)


def pets(**settings: object) -> Model:
    return train_documents(PETS, hyperparameters=Hyperparameters(**settings))  # type: ignore[arg-type]


def test_entry_of_a_token():
    entry = Lexicon(pets()).entry("milk")
    assert entry.occurrences == {"cat": 2, "dog": 1}
    assert entry.documents == {"cat": 2, "dog": 1}
    assert entry.probabilities == pytest.approx({"cat": 3 / 10, "dog": 2 / 10})


@pytest.mark.parametrize(
    ("token", "settings", "occurrences"),
    [
        ("zebra", {}, {"cat": 0, "dog": 0}),
        ("milk", {"stopwords": frozenset({"milk"})}, {"cat": 2, "dog": 1}),
        ("fish", {"min_count": 2}, {"cat": 1, "dog": 0}),
        ("bark", {"drop_top": 1}, {"cat": 0, "dog": 3}),
    ],
)
def test_token_outside_the_vocabulary_has_counts_but_no_probability(token, settings, occurrences):
    entry = Lexicon(pets(**settings)).entry(token)
    assert (entry.vocabulary, entry.occurrences, entry.probabilities) == (False, occurrences, {})


def test_event_model_decides_what_probabilities_are_of():
    assert Lexicon(pets(event_model="binary")).entry("purr").probabilities["cat"] == pytest.approx(2 / (4 + 5))
    assert Lexicon(pets(event_model="multinomial")).entry("purr").probabilities["cat"] == pytest.approx(3 / (5 + 5))


@pytest.mark.parametrize(
    ("word", "tokens"),
    [
        ("Milk", ["milk"]),
        ("milk, fish!", ["milk", "fish", "milk fish"]),
        ("title:milk", ["title:milk"]),
        ("title:fish", ["title", "fish", "title fish"]),
        ("...", []),
    ],
)
def test_word_goes_through_the_tokenizer_unless_the_model_has_it_as_it_stands(word, tokens):
    documents = [Document([("title", "milk"), ("", "fish")], "a"), Document([("", "bone")], "b")]
    assert Lexicon(train_documents(documents, analysis=Analysis(ngrams=2))).cut(word) == tokens


def test_most_telling_tokens_are_frequent_here_and_rare_elsewhere():
    telling = Lexicon(pets()).keywords(2)
    assert [token.token for token in telling["cat"]] == ["purr", "fish"]
    token, nats, inside, elsewhere = telling["dog"][0]
    assert (token, inside, elsewhere) == ("bark", 3, 0)
    assert nats == pytest.approx(4 / 10 * log(4 / 10 / (1 / 10)))


def test_equally_telling_tokens_come_in_sorted_order():
    model = train_documents({"a": ["d b c a"], "b": ["x y"]})
    assert [token.token for token in Lexicon(model).keywords(3)["a"]] == ["a", "b", "c"]


def test_lexicon_follows_what_others_learn_meanwhile(tmp_path):
    path = str(tmp_path / "pets.nbtext")
    train_documents(PETS, path).close()
    lexicon = Lexicon(Model.open(path))
    learn(Model.open(path, writable=True), "bird", [Document([("", "tweet milk")])])
    assert lexicon.entry("milk").occurrences == {"cat": 2, "dog": 1, "bird": 1}
    assert [token.token for token in lexicon.keywords(1)["bird"]] == ["tweet"]


def test_class_without_documents_tells_nothing():
    model = train_documents({"a": ["red"], "b": ["blue"], "c": ["green"]})
    unlearn(model, "c", [Document([("", "green")])])
    assert Lexicon(model).keywords(1).keys() == Lexicon(model).entry("red").occurrences.keys() == {"a", "b"}


@given(labelled_words, st.sampled_from([0.01, 1.0, 3.0]))
def test_telling_is_the_divergence_token_by_token(texts, alpha):
    counts = {label: Counter(" ".join(found).split()) for label, found in texts.items()}
    vocabulary = set().union(*counts.values())
    telling = Lexicon(train_documents(texts, hyperparameters=Hyperparameters(alpha=alpha))).keywords(len(vocabulary))
    for label, own in counts.items():
        others = sum((c for other, c in counts.items() if other != label), Counter[str]())

        def p(token, found):
            return (found[token] + alpha) / (found.total() + alpha * len(vocabulary))

        nats = {w: p(w, own) * log(p(w, own) / p(w, others)) for w in own}
        found = {token: value for token, value, *_ in telling[label]}
        assert all(isclose(found.get(w, 0.0), max(0.0, value), abs_tol=1e-12) for w, value in nats.items())
        assert [value for _, value, *_ in telling[label]] == sorted(found.values(), reverse=True)


def test_generated_tokens_are_the_same_for_a_seed_and_others_for_another():
    model = pets()
    assert (
        generated(model, "cat", 50, seed=1)
        == generated(model, "cat", 50, seed=1)
        != generated(model, "cat", 50, seed=2)
    )


def test_more_generated_tokens_begin_with_the_fewer():
    model = pets()
    assert generated(model, "cat", 50, seed=1)[:20] == generated(model, "cat", 20, seed=1)


@pytest.mark.parametrize("alpha", [0.001, 1.0, 100.0])
def test_generated_tokens_are_as_frequent_as_probable(alpha):
    size = 20_000
    found = Counter(generated(pets(alpha=alpha), "cat", size, seed=3))
    for token, n in {"purr": 2, "milk": 2, "fish": 1, "bark": 0, "bone": 0}.items():
        p = float(Fraction(n) + Fraction(alpha)) / (5 + 5 * alpha)
        assert abs(found[token] - size * p) < 5 * (size * p * (1 - p)) ** 0.5 + 1


def test_generated_tokens_are_of_the_vocabulary_only():
    assert set(generated(pets(stopwords=frozenset({"milk", "purr"})), "cat", 500, seed=1)) == {"fish", "bark", "bone"}


@pytest.mark.parametrize("size", [0, 1])
def test_so_many_tokens_are_generated(size):
    assert len(generated(pets(), "cat", size)) == size


def test_no_text_is_generated_for_a_class_that_is_not_there_or_has_no_documents():
    with pytest.raises(ChoiceError, match=r"no class 'bird'.*there are: cat, dog"):
        generated(pets(), "bird", 1)
    model = train_documents({"a": ["red"], "b": ["blue"], "c": ["green"]})
    unlearn(model, "b", [Document([("", "blue")])])
    with pytest.raises(ModelError, match="b has no documents left"):
        generated(model, "b", 1)


def test_overview_of_a_model(tmp_path):
    path = str(tmp_path / "pets.nbtext")
    seen = overview(train_documents(PETS, path, hyperparameters=Hyperparameters(prior="cat=0.9")))
    assert [(c.label, c.documents, c.tokens, round(c.prior, 9)) for c in seen.classes] == [
        ("cat", 2, 5, 0.9),
        ("dog", 2, 5, 0.1),
    ]
    assert (seen.documents, seen.tokens, seen.vocabulary, seen.remembered) == (4, 10, 5, 4)
    assert seen.bytes == (tmp_path / "pets.nbtext").stat().st_size
    assert (
        seen.fingerprint
        == overview(train_documents(PETS, hyperparameters=Hyperparameters(prior="cat=0.9"))).fingerprint
    )


def test_overview_says_whether_documents_are_remembered():
    assert overview(train_documents(PETS, track=False)).remembered is None
