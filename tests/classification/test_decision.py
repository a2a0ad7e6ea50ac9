"""From a document to a label: worked examples, ties, long documents, what is unsure and what is empty."""

from collections.abc import Mapping, Sequence
from math import exp, fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import (
    ChoiceError,
    Classifier,
    CorpusError,
    Decision,
    Document,
    Hyperparameters,
    Model,
    ModelError,
    event_models,
    train_documents,
)
from nbtext.classification.decision import ANSWER, EMPTY, UNKNOWN, UNSURE
from nbtext.inference.posteriors import answer, softmax
from nbtext.inference.priors import log_priors
from nbtext.plugins import names
from nbtext.training.learning import learn

from .. import oracle
from ..small import few

Texts = Mapping[str, Sequence[str]]

COLOURS = {"a": ["red"], "b": ["blue blue blue blue"]}
OFFERS = {"spam": ["win cash win", "win win prize", "win now"], "ham": ["lunch noon win"]}
STOPPED = {"a": ["red red the"], "b": ["blue the the the"]}


def decided(texts: Texts, question: str, hyperparameters: Hyperparameters | None = None, **options) -> Decision:
    return Classifier(train_documents(texts), hyperparameters, raw=True, **options)(question)


# Worked by hand


@pytest.mark.parametrize(
    ("texts", "question", "hyperparameters", "label", "posterior"),
    [
        (COLOURS, "red", Hyperparameters(), "a", 4 / 5),  # 1/2 2/3 against 1/2 1/6
        (
            STOPPED,
            "red",
            Hyperparameters(prior="uniform", stopwords=frozenset(["the"])),
            "a",
            9 / 13,
        ),  # 3/4 against 1/3
        (OFFERS, "win win win lunch noon", Hyperparameters(), "spam", 0.690),
        (OFFERS, "win win win lunch noon", Hyperparameters("bernoulli"), "ham", 1 - 0.191),
        (COLOURS, "mars", Hyperparameters(), "a", 1 / 2),  # unknown words are skipped, the tie goes to the first label
        (COLOURS, "red mars venus", Hyperparameters(), "a", 4 / 5),
        ({"a": ["x"], "b": ["y"]}, "x y", Hyperparameters(), "a", 1 / 2),
        ({"b": ["x y"], "a": ["x y"]}, "x y", Hyperparameters(prior="b=0.9"), "b", 0.9),
        ({"b": ["x y"], "a": ["x y"]}, "x y", Hyperparameters("complement", prior="b=0.9"), "b", 0.9),
    ],
)
def test_worked_examples(texts: Texts, question: str, hyperparameters: Hyperparameters, label: str, posterior: float):
    decision = decided(texts, question, hyperparameters)
    assert decision.label == label
    assert decision.posterior == pytest.approx(posterior, abs=5e-4)


def test_likelihoods_of_table_6_2():
    classify = Classifier(train_documents(COLOURS))
    _, bias, terms, *_ = classify.explain("red")
    assert {label: exp(term) for label, term in terms[0].terms.items()} == pytest.approx({"a": 2 / 3, "b": 1 / 6})
    assert {label: exp(term) for label, term in bias.items()} == pytest.approx({"a": 1 / 2, "b": 1 / 2})
    assert (terms[0].occurrences, terms[0].frequency) == ({"a": 1, "b": 0}, {"a": 1, "b": 0})


def test_priors_are_shares_of_documents():
    documents = {"like": ["song"] * 300, "dislike": ["song"] * 700}
    decision = decided(documents, "mars")
    assert decision.posteriors == pytest.approx({"dislike": 0.7, "like": 0.3})


def test_a_thousand_positions_among_three_words():
    model = train_documents({"a": [" ".join(["is"] * 990 + ["rare"] * 10)], "b": ["never"]})
    terms = Classifier(model).explain("never is rare").terms
    assert {term.token: exp(term.terms["a"]) for term in terms} == pytest.approx(
        {"never": 1 / 1003, "is": 991 / 1003, "rare": 11 / 1003}, rel=1e-12
    )


def test_an_impossible_word_is_not_heard():
    decision = decided(
        {"ham": ["lunch with anna at noon"] * 50, "spam": ["cheap pills now"] * 50}, "lunch with anna at noon qzxv now"
    )
    assert decision.label == "ham"
    assert all(abs(score) < float("inf") for score in decision.scores.values())


@pytest.mark.parametrize("event_model", oracle.EVENT_MODELS)
def test_two_hundred_thousand_words_of_which_51_percent_are_of_one_class(event_model: str):
    ours, theirs = ([f"{letter}{n}" for n in range(2000)] for letter in "yz")
    decision = decided(
        {"z": [" ".join(theirs)], "y": [" ".join(ours)]},
        " ".join(theirs * 51 + ours * 49),
        Hyperparameters(event_model),
    )
    repeats = event_model in {"multinomial", "complement"}  # to the others all words are there, so it is a tie
    assert decision.label == ("z" if repeats else "y")
    assert fsum(decision.posteriors.values()) == pytest.approx(1, abs=1e-9)
    assert all(abs(score) < float("inf") for score in decision.scores.values())


@pytest.mark.parametrize(
    ("alpha", "reason"),
    [
        (0, "rule the class out"),
        (-1, "rule the class out"),
        (float("nan"), "alpha nan"),
        (float("inf"), "alpha inf"),
        (1e10, "above 1e"),
    ],
)
def test_alpha_out_of_range_is_refused_with_the_reason(alpha: float, reason: str):
    with pytest.raises(ChoiceError, match=reason):
        decided(COLOURS, "red", Hyperparameters(alpha=alpha))


# Ties


def test_exact_ties_go_to_the_first_label_also_if_it_was_learned_last():
    model = train_documents({"c": ["x y"], "b": ["x y"]})
    learn(model, "a", [Document([("", "y x")])])
    assert model.labels == ["b", "c", "a"]
    assert Classifier(model)("x x y").label == "a"


@few
@given(st.integers(0, 99), st.integers(0, 99), st.integers(1, 50), st.sampled_from(list(oracle.EVENT_MODELS)))
def test_equal_classes_of_any_size_tie(n: int, m: int, times: int, event_model: str):
    texts = {"b": [f"x {'y ' * n} {'z ' * m}"], "a": [f"{'z ' * m} x {'y ' * n}"]}
    assert decided(texts, "x " * times + "y z", Hyperparameters(event_model)).label == "a"


def test_a_tie_in_complement_survives_scores_near_zero():
    # c is what both a and b are scored against: log 1/2 + log 2 is zero, however it was rounded
    texts = {"b": ["x x x y y y"], "a": ["x y"]}
    joints = oracle.complement([("b", list("xxxyyy")), ("a", list("xy"))], ["x"], oracle.Settings())
    assert joints["a"] == joints["b"] == 1
    assert decided(texts, "x", Hyperparameters("complement")).label == "a"


@pytest.mark.parametrize(
    ("values", "labels", "expected"),
    [
        ([-1.0, -2.0], ["b", "a"], 0),
        ([-1.0, -1.0], ["b", "a"], 1),
        ([-1.0, -1.0 - 1e-15], ["b", "a"], 1),  # rounding
        ([-1.0, -1.0 - 1e-12], ["b", "a"], 0),  # a difference
        ([1e-16, 0.0], ["b", "a"], 1),
        ([float("-inf"), -1e9], ["a", "b"], 1),
    ],
)
def test_answer(values: Sequence[float], labels: Sequence[str], expected: int):
    assert answer(values, labels) == expected


# What the outcome is


def test_a_document_without_a_token_is_empty():
    decision = Classifier(train_documents(COLOURS))(" \n ")
    assert (decision.outcome, decision.tokens, decision.known, decision.posteriors) == (
        EMPTY,
        0,
        0,
        {"a": 0.5, "b": 0.5},
    )
    assert not decision.says("a")


@pytest.mark.parametrize("event_model", names(event_models))
def test_a_document_without_a_known_word_is_no_answer_however_sure_the_prior_is(event_model: str):
    model = train_documents({"a": ["red"] * 99, "b": ["blue"]}, hyperparameters=Hyperparameters(event_model))
    decision = Classifier(model)("green grey")
    assert (decision.outcome, decision.tokens, decision.known) == (UNKNOWN, 2, 0)
    assert not decision.says("a")


@pytest.mark.parametrize(("threshold", "outcome"), [(0.0, ANSWER), (0.79, ANSWER), (0.81, UNSURE), (1.0, UNSURE)])
def test_an_answer_needs_the_posterior_asked_for(threshold: float, outcome: str):
    decision = decided(COLOURS, "red", unsure_below=threshold)
    assert (decision.outcome, decision.label, decision.says("a")) == (outcome, "a", outcome == ANSWER)


def test_likeliest_comes_first():
    decision = decided({"a": ["x"], "b": ["y"], "c": ["y y y"]}, "y")
    assert list(decision.posteriors) == list(decision.scores) == ["c", "b", "a"]


def test_an_explanation_begins_with_what_weighs_most():
    texts = {"ham": ["at noon at lunch"], "spam": ["win at noon win win"]}
    assert [term.token for term in Classifier(train_documents(texts)).explain("noon win lunch qzxv at").terms] == [
        "win",  # 1/8 against 4/9
        "lunch",  # 2/8 against 1/9
        "at",  # 3/8 against 2/9
        "noon",  # 2/8 against 2/9
    ]


def test_a_single_class_is_certain_if_allowed():
    with pytest.raises(CorpusError, match=r"a single class, 'only'.*allow_single_class=True"):
        train_documents({"only": ["word"]})
    model = train_documents({"only": ["word"]}, allow_single_class=True)
    for event_model in oracle.EVENT_MODELS:
        assert Classifier(model, Hyperparameters(event_model))("word").posteriors == {"only": 1.0}


def test_words_dropped_by_every_filter_are_named_with_numbers():
    corpus = {"q": ["where are we"], "s": ["it is what it is"]}
    stopwords = frozenset(["where", "are", "we", "it", "is", "what"])
    with pytest.raises(CorpusError, match="6 tokens, 0 after stopwords"):
        train_documents(corpus, hyperparameters=Hyperparameters(stopwords=stopwords))
    with pytest.raises(CorpusError, match="6 tokens, 5 after stopwords, 3 after drop-top, 0 after min-count"):
        train_documents(
            corpus, hyperparameters=Hyperparameters(stopwords=frozenset(["where"]), drop_top=2, min_count=2)
        )
    with pytest.raises(ModelError, match="the filters leave no token"):
        Classifier(train_documents(corpus), Hyperparameters(min_docs=2))


@pytest.mark.parametrize(
    "hyperparameters",
    [
        Hyperparameters("polynomial"),
        Hyperparameters("../os"),
        Hyperparameters(prior="x=0.5"),
        Hyperparameters(drop_top=-1),
        Hyperparameters(min_docs=0),
    ],
)
def test_hyperparameters_that_do_not_exist_are_refused(hyperparameters: Hyperparameters):
    with pytest.raises(ChoiceError):
        Classifier(train_documents(COLOURS), hyperparameters)


# Priors


@pytest.mark.parametrize(
    ("spec", "documents", "expected"),
    [
        ("learned", [3, 1, 0], [0.75, 0.25, 0]),
        ("uniform", [3, 1, 0], [0.5, 0.5, 0]),
        ("a=0.6", [3, 1, 0], [0.6, 0.4, 0]),  # a class without documents has no share of the rest
        ("a=0.6", [3, 1, 1], [0.6, 0.2, 0.2]),
        ("a=0.5,c,=0.25", [1, 1, 1], [0.5, 0.25, 0.25]),  # a comma in a label
        ("a=0.25,b=0.25,c,=0.5", [1, 1, 0], [0.5, 0.5, 0]),
    ],
)
def test_priors(spec: str, documents: Sequence[int], expected: Sequence[float]):
    assert list(map(exp, log_priors(spec, ["a", "b", "c,"], documents))) == pytest.approx(expected)


@pytest.mark.parametrize(
    "spec", ["", "a", "a=", "a=x", "a=nan", "a=0", "a=-1", "a=1", "a=1.5", "d=0.5", "a=0.5 b=0.5", "a=0.5,b=0.5"]
)
def test_priors_that_are_no_distribution_are_refused(spec: str):
    with pytest.raises(ChoiceError, match="prior"):
        log_priors(spec, ["a", "b", "c"], [1, 1, 1])


# Posteriors


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.floats(1e-6, 1e6))
def test_posteriors_are_a_distribution_in_the_order_of_the_scores(values: list[float], temperature: float):
    found = softmax(values, temperature)
    assert fsum(found) == pytest.approx(1, abs=1e-9)
    assert found[values.index(max(values))] == max(found)


def test_what_others_learn_meanwhile_is_seen_at_once(tmp_path):
    path = str(tmp_path / "model")
    train_documents(COLOURS, path).close()
    reader, writer = Model.open(path), Model.open(path, writable=True)
    late = Model.open(path)
    classify = Classifier(reader)
    assert classify("green").known == 0
    learn(writer, "new", [Document([("", "green")])])
    assert classify("green").label == "new"
    assert Classifier(late, Hyperparameters(min_count=1, drop_top=1))("green").label == "new"
    for model in (reader, writer, late):
        model.close()
