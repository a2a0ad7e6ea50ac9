"""The oracle against values worked by hand, then against the laws of probability. Nothing of nbtext is tested here."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import compress, product
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from .oracle import (
    EVENT_MODELS,
    Corpus,
    EventModel,
    Settings,
    best,
    binary,
    leave_one_out,
    mcnemar,
    multinomial,
    posterior,
    prior,
    probability,
    vocabulary,
)

DEFAULT = Settings()
UNIFORM = Settings(priors="uniform")


def labelled(**classes: str) -> Corpus:
    """A corpus written down short: documents of a class are parted by a slash, tokens by blanks."""
    return [(label, text.split()) for label, texts in classes.items() for text in texts.split("/")]


def fractions(values: Mapping[str, str]) -> dict[str, Fraction]:
    """A table of fractions written down short."""
    return {key: Fraction(value) for key, value in values.items()}


COLOURS = labelled(a="red", b="blue blue blue blue")
STOPPED = labelled(a="red red the", b="blue the the the")
OFFERS = labelled(spam="win cash win / win win prize / win now", ham="lunch noon win")
LETTERS = labelled(a="x x y", b="y z", c="z z")
TIED = labelled(b="y", a="x", B="z")


# Training by hand


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (Settings(), "cash lunch noon now prize win"),  # Table 6.2: every token there is
        (Settings(stopwords=frozenset({"win", "mars"})), "cash lunch noon now prize"),  # unknown stopwords are no fault
        (Settings(drop_top=1), "cash lunch noon now prize"),  # win, 6 times
        (Settings(drop_top=2), "lunch noon now prize"),  # five tie for the second place: cash sorts first
        (Settings(stopwords=frozenset({"win"}), drop_top=1), "lunch noon now prize"),  # a stopword takes no place
        (Settings(drop_top=99), ""),
        (Settings(min_count=2), "win"),  # over the whole corpus
        (Settings(min_count=6), "win"),  # exactly as often is often enough
        (Settings(min_count=7), ""),
        (Settings(min_docs=4), "win"),
        (Settings(min_docs=5), ""),
    ],
)
def test_vocabulary_by_hand(settings: Settings, expected: str) -> None:
    assert vocabulary(OFFERS, settings) == set(expected.split())


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (
            Settings(drop_top=1, min_docs=2),
            "y",
        ),  # x is dropped for being frequent, so y stays; the other way it would go
        (Settings(min_docs=2), "y"),  # x is frequent, but in one document only
        (Settings(min_count=2), "x y"),  # y once in each of two classes is twice in the corpus
    ],
)
def test_filters_work_on_the_whole_corpus_and_in_order(settings: Settings, expected: str) -> None:
    assert vocabulary(labelled(a="x x x x y", b="y z"), settings) == set(expected.split())


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (Settings(), {"dislike": "7/10", "like": "3/10"}),
        (Settings(priors="uniform"), {"dislike": "1/2", "like": "1/2"}),
        (Settings(priors=fractions({"like": "9/10", "dislike": "1/10"})), {"dislike": "1/10", "like": "9/10"}),
        (Settings(stopwords=frozenset({"fun"})), {"dislike": "7/10", "like": "3/10"}),  # emptied later is still counted
    ],
)
def test_prior_of_300_liked_and_700_disliked_documents(settings: Settings, expected: dict[str, str]) -> None:
    reviews = [("like", ["fun"])] * 300 + [("dislike", ["dull"])] * 700
    assert prior(reviews, settings) == fractions(expected)


def test_a_document_without_a_token_is_not_counted() -> None:
    assert prior(labelled(a="x / ", b="y", c=" / "), DEFAULT) == fractions({"a": "1/2", "b": "1/2"})


@pytest.mark.parametrize(
    ("token", "label", "alpha", "expected"),
    [
        ("red", "a", "1", "2/3"),  # (1 + 1) / (1 + 2)
        ("red", "b", "1", "1/6"),  # (0 + 1) / (4 + 2)
        ("blue", "a", "1", "1/3"),  # (0 + 1) / (1 + 2)
        ("blue", "b", "1", "5/6"),  # (4 + 1) / (4 + 2)
        ("red", "a", "1/2", "3/4"),  # the m-estimate with m = 1, p = 1/2: (1 + 1/2) / (1 + 1), so alpha = m / 2
        ("red", "b", "1/2", "1/10"),  # (0 + 1/2) / (4 + 1)
        ("red", "b", "3", "3/10"),  # (0 + 3) / (4 + 6)
    ],
)
def test_probability_by_hand(token: str, label: str, alpha: str, expected: str) -> None:
    assert probability(COLOURS, token, label, Settings(alpha=Fraction(alpha))) == Fraction(expected)


def test_probability_of_tokens_never_seldom_and_often_seen() -> None:
    """Laplace's rule on 1000 positions and 3 tokens: 0, 990 and 10 occurrences give 1, 991 and 11 of 1003."""
    wines = [("red", ["dry"] * 990 + ["sweet"] * 10), ("white", ["brut"])]
    expected = fractions({"brut": "1/1003", "dry": "991/1003", "sweet": "11/1003"})
    assert {w: probability(wines, w, "red", DEFAULT) for w in vocabulary(wines, DEFAULT)} == expected


@pytest.mark.parametrize("token", ["green", "the"])  # never seen; filtered out
def test_a_token_outside_the_vocabulary_has_no_probability(token: str) -> None:
    with pytest.raises(KeyError):
        probability(STOPPED, token, "a", Settings(stopwords=frozenset({"the"})))


def test_an_inexact_alpha_is_refused() -> None:
    with pytest.raises(TypeError):
        multinomial(COLOURS, ["red"], DEFAULT._replace(alpha=0.1))  # type: ignore[arg-type]


# Classifying by hand


class Case(NamedTuple):
    """A question to an event model and the joints that come out by hand."""

    event_model: str
    corpus: Corpus
    document: str
    settings: Settings
    expected: dict[str, str]


CASES = {
    # 1/2 * 2/3 and 1/2 * 1/6
    "one token": Case("multinomial", COLOURS, "red", DEFAULT, {"a": "1/3", "b": "1/12"}),
    # 1/2 * (2/3)^2 * 1/3 and 1/2 * (1/6)^2 * 5/6
    "repeats count": Case("multinomial", COLOURS, "red red blue", DEFAULT, {"a": "2/27", "b": "5/432"}),
    "unknown tokens are skipped": Case("multinomial", COLOURS, "green red 7", DEFAULT, {"a": "1/3", "b": "1/12"}),
    "no known token: priors": Case("multinomial", OFFERS, "mars", DEFAULT, {"spam": "3/4", "ham": "1/4"}),
    "no token at all: priors": Case("complement", OFFERS, "", DEFAULT, {"spam": "3/4", "ham": "1/4"}),
    # vocabulary red, blue: a has 2 + 0 positions, b has 0 + 1, so 1/2 * (2 + 1)/(2 + 2) and 1/2 * (0 + 1)/(1 + 2)
    "stopwords leave every count": Case(
        "multinomial",
        STOPPED,
        "the red",
        Settings(stopwords=frozenset({"the"}), priors="uniform"),
        {"a": "3/8", "b": "1/6"},
    ),
    # spam has 8 positions, ham 3, the vocabulary 6: 3/4 * (6/14)^3 * (1/14)^2 and 1/4 * (2/9)^5
    "five positions": Case(
        "multinomial", OFFERS, "win win win lunch noon", DEFAULT, {"spam": "81/268912", "ham": "8/59049"}
    ),
    # documents containing: spam win 3, cash, prize, now 1 each, 6 in all; ham 3 in all
    # 3/4 * 4/12 * (1/12)^2 and 1/4 * (2/9)^3
    "twice is once": Case("binary", OFFERS, "win win win lunch noon", DEFAULT, {"spam": "1/576", "ham": "2/729"}),
    # spam: win 4/5, lunch, noon 1/5 each; cash, prize, now absent, 3/5 each: 3/4 * 4/125 * 27/125
    # ham: win, lunch, noon 2/3 each; cash, prize, now absent, 2/3 each: 1/4 * (2/3)^6
    "absence counts": Case(
        "bernoulli", OFFERS, "win win win lunch noon", DEFAULT, {"spam": "81/15625", "ham": "16/729"}
    ),
    # all absent: spam 3/4 * 1/5 * (3/5)^3 * (4/5)^2, ham 1/4 * (1/3)^3 * (2/3)^3
    "silence is evidence": Case("bernoulli", OFFERS, "mars", DEFAULT, {"spam": "324/15625", "ham": "2/729"}),
    # m = 1 document: (1 + 1/2) / (1 + 1) and (0 + 1/2) / (1 + 1), both for red's presence and blue's absence
    "alpha of both outcomes": Case(
        "bernoulli", COLOURS, "red", Settings(alpha=Fraction(1, 2)), {"a": "9/32", "b": "1/32"}
    ),
    # two equivalent observations of red, two of blue: 1/2 * 3/5, 1/2 * 2/8
    "multinomial by an m-estimate": Case(
        "multinomial", COLOURS, "red", Settings(m=Fraction(4)), {"a": "3/10", "b": "1/8"}
    ),
    # the other classes of a say y z z z, of b x x y z z, of c x x y y z; alpha |Vocabulary| = 3
    # 1/3 / (1/7 * (4/7)^2), 1/3 / (3/8 * (3/8)^2), 1/3 / (3/8 * (2/8)^2)
    "complement": Case("complement", LETTERS, "x z z", DEFAULT, {"a": "343/48", "b": "512/81", "c": "128/9"}),
    # in documents: a against y 1, z 2; b against x, y, z 1 each; c against x 1, y 2, z 1
    # 1/3 / (1/6 * 3/6), 1/3 / (2/6 * 2/6), 1/3 / (2/7 * 2/7)
    "complement twice is once": Case(
        "complement-binary", LETTERS, "x z z", DEFAULT, {"a": "4", "b": "3", "c": "49/12"}
    ),
    # without y: a against z 3, so 1/5 and 4/5; b against x 2, z 2, so 3/6 each; c against x 2, z 1, so 3/5 and 2/5
    "complement of what is left": Case(
        "complement", LETTERS, "x y", Settings(stopwords=frozenset({"y"})), {"a": "5/3", "b": "2/3", "c": "5/9"}
    ),
    # equal words, 1/2 each: the given priors decide, 9/10 / (1/2) and 1/10 / (1/2)
    "complement hears priors": Case(
        "complement",
        labelled(a="x y", b="x y"),
        "x",
        Settings(priors=fractions({"a": "1/10", "b": "9/10"})),
        {"a": "1/5", "b": "9/5"},
    ),
    "a class without a counted document": Case(
        "multinomial", labelled(a="x", b="y", c=" "), "x", DEFAULT, {"a": "1/3", "b": "1/6"}
    ),
    "a single class": Case("complement", labelled(only="x x y"), "x", DEFAULT, {"only": "2"}),  # 1 / (1/2): no others
    "no vocabulary left": Case("bernoulli", OFFERS, "win", Settings(min_count=7), {"spam": "3/4", "ham": "1/4"}),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_joints_by_hand(case: Case) -> None:
    joints = EVENT_MODELS[case.event_model](case.corpus, case.document.split(), case.settings)
    assert joints == fractions(case.expected)


@pytest.mark.parametrize(
    ("case", "label", "expected", "rounded"),
    [
        ("one token", "a", "4/5", 0.8),
        ("stopwords leave every count", "a", "9/13", 0.692),
        ("five positions", "spam", "4782969/6934265", 0.690),
        ("twice is once", "spam", "81/209", 0.388),
        ("absence counts", "spam", "59049/309049", 0.191),
        ("a single class", "only", "1", 1.0),
    ],
)
def test_posterior_by_hand(case: str, label: str, expected: str, rounded: float) -> None:
    answer = posterior(fractions(CASES[case].expected))[label]
    assert (answer, round(float(answer), 3)) == (Fraction(expected), rounded)


@pytest.mark.parametrize(
    ("joints", "expected"),
    [
        ({"b": "1/3", "a": "1/6"}, "b"),  # the largest
        ({"b": "1/3", "a": "1/3"}, "a"),  # a tie: the first in sorted order, not in the order given
        ({"a": "1/3", "b": "1/3", "B": "1/3"}, "B"),  # sorted by code point: capitals come first
        ({"a": "1/3", "b": "33333333333333333334/100000000000000000000"}, "b"),  # a hair's breadth is no tie
    ],
)
def test_best_by_hand(joints: dict[str, str], expected: str) -> None:
    assert best(fractions(joints)) == expected


@pytest.mark.parametrize("event_model", EVENT_MODELS)
def test_a_document_of_all_classes_alike_is_an_exact_tie(event_model: str) -> None:
    joints = EVENT_MODELS[event_model](TIED, ["z", "y", "x"], DEFAULT)
    assert len(set(joints.values())) == 1
    assert best(joints) == "B"


@pytest.mark.parametrize(
    ("index", "settings", "expected"),
    [
        # red, left with a: red blue and b: blue; 1/2 * 2/4 and 1/2 * 1/3
        (0, DEFAULT, {"a": "1/4", "b": "1/6"}),
        # red blue, left with a: red and b: blue; 1/2 * 2/3 * 1/3 for both
        (1, DEFAULT, {"a": "1/9", "b": "1/9"}),
        # blue, left with a: red, red blue; b is gone with its only document; 1 * (1 + 1) / (3 + 2)
        (2, DEFAULT, {"a": "2/5"}),
        (2, UNIFORM, {"a": "2/5"}),  # uniform over the one class left
        (0, Settings(min_docs=2), {"a": "1/2", "b": "1/2"}),  # red falls out of the vocabulary: priors
    ],
)
def test_leave_one_out_by_hand(index: int, settings: Settings, expected: dict[str, str]) -> None:
    assert leave_one_out(multinomial, labelled(a="red / red blue", b="blue"), index, settings) == fractions(expected)


def test_leave_one_out_shrinks_the_vocabulary() -> None:
    """Green is the document's own: without it the vocabulary is red, blue and green is unknown.

    1/2 * 2/3 and 1/2 * 1/3; a vocabulary that kept green would make it 1/2 * 2/4 * 1/4 for a.
    """
    joints = leave_one_out(multinomial, labelled(a="red / red green", b="blue"), 1, DEFAULT)
    assert joints == fractions({"a": "1/3", "b": "1/6"})


@pytest.mark.parametrize(
    ("won", "lost", "expected"),
    [
        (0, 0, "1"),  # nothing differs
        (2, 2, "1"),  # even
        (2, 1, "1"),  # 2 * (1 + 3) / 8
        (5, 0, "1/16"),  # 2 * 1 / 32
        (0, 5, "1/16"),  # two-sided
        (9, 1, "11/512"),  # 2 * (1 + 10) / 1024
    ],
)
def test_mcnemar_by_hand(won: int, lost: int, expected: str) -> None:
    assert mcnemar(won, lost) == Fraction(expected)


# Laws

TOKENS = "stuvw"
LABELS = "abc"

texts = st.text(TOKENS, max_size=5).map(list)
corpora = st.lists(st.tuples(st.sampled_from(LABELS), texts), min_size=1, max_size=6).filter(
    lambda documents: any(tokens for _, tokens in documents)
)
positive = st.fractions(Fraction(1, 100), 10, max_denominator=100)
smoothings = positive.map(Settings)
filters = st.builds(
    Settings,
    alpha=positive,
    m=st.none() | positive,
    stopwords=st.frozensets(st.sampled_from(TOKENS), max_size=2),
    drop_top=st.integers(0, 2),
    min_count=st.integers(1, 3),
    min_docs=st.integers(1, 2),
    priors=st.sampled_from(["learned", "uniform"]) | st.fixed_dictionaries(dict.fromkeys(LABELS, positive)),
)
event_models = st.sampled_from(list(EVENT_MODELS.values()))


@given(event_models, corpora, texts, filters)
def test_posteriors_sum_to_one(
    event_model: EventModel, corpus: Corpus, document: list[str], settings: Settings
) -> None:
    assert sum(posterior(event_model(corpus, document, settings)).values()) == 1


@given(event_models, corpora, texts, filters)
def test_best_has_the_largest_posterior(
    event_model: EventModel, corpus: Corpus, document: list[str], settings: Settings
) -> None:
    joints = event_model(corpus, document, settings)
    assert posterior(joints)[best(joints)] == max(posterior(joints).values())


@given(corpora, filters)
def test_probabilities_of_the_vocabulary_sum_to_one_for_every_class(corpus: Corpus, settings: Settings) -> None:
    words = vocabulary(corpus, settings)
    assume(words)
    assert {sum(probability(corpus, w, v, settings) for w in words) for v in prior(corpus, settings)} == {1}


@given(corpora, filters, st.integers(0, 3))
def test_multinomial_is_a_distribution_over_all_documents_of_a_length(
    corpus: Corpus, settings: Settings, length: int
) -> None:
    words = vocabulary(corpus, settings)
    assume(words)
    joints = [multinomial(corpus, document, settings) for document in product(sorted(words), repeat=length)]
    assert {v: sum(joint[v] for joint in joints) for v in joints[0]} == prior(corpus, settings)


@given(corpora, filters)
def test_bernoulli_is_a_distribution_over_all_sets_of_tokens(corpus: Corpus, settings: Settings) -> None:
    words = sorted(vocabulary(corpus, settings))
    subsets = [list(compress(words, bits)) for bits in product([0, 1], repeat=len(words))]
    joints = [EVENT_MODELS["bernoulli"](corpus, subset, settings) for subset in subsets]
    assert {v: sum(joint[v] for joint in joints) for v in joints[0]} == prior(corpus, settings)


@given(event_models, corpora, texts, filters, st.randoms(use_true_random=False))
def test_order_changes_nothing(
    event_model: EventModel, corpus: Corpus, document: list[str], settings: Settings, random: Random
) -> None:
    shuffled = [(label, random.sample(tokens, len(tokens))) for label, tokens in random.sample(corpus, len(corpus))]
    asked = random.sample(document, len(document))
    assert event_model(shuffled, asked, settings) == event_model(corpus, document, settings)


@given(event_models, corpora, texts, filters)
def test_the_corpus_twice_with_twice_the_smoothing_is_the_same(
    event_model: EventModel, corpus: Corpus, document: list[str], settings: Settings
) -> None:
    doubled = settings._replace(
        alpha=2 * settings.alpha,
        m=settings.m and 2 * settings.m,
        min_count=2 * settings.min_count,
        min_docs=2 * settings.min_docs,
    )
    assert event_model([*corpus, *corpus], document, doubled) == event_model(corpus, document, settings)


@given(event_models, corpora, texts, filters)
def test_unknown_tokens_change_nothing(
    event_model: EventModel, corpus: Corpus, document: list[str], settings: Settings
) -> None:
    known = [a for a in document if a in vocabulary(corpus, settings)]
    assert event_model(corpus, [*document, "mars"], settings) == event_model(corpus, known, settings)


@given(event_models, corpora, texts, filters, st.sampled_from([*LABELS, "new"]))
def test_empty_documents_change_nothing(
    event_model: EventModel, corpus: Corpus, document: list[str], settings: Settings, label: str
) -> None:
    assert event_model([(label, []), *corpus], document, settings) == event_model(corpus, document, settings)


@given(event_models, corpora, texts, filters)
def test_labels_are_only_names(
    event_model: EventModel, corpus: Corpus, document: list[str], settings: Settings
) -> None:
    assume(isinstance(settings.priors, str))
    renamed = [(label.swapcase(), tokens) for label, tokens in corpus]
    joints = event_model(corpus, document, settings)
    assert event_model(renamed, document, settings) == {v.swapcase(): joint for v, joint in joints.items()}


@given(event_models, corpora, smoothings, st.data())
def test_learning_a_document_of_known_tokens_never_makes_its_class_less_likely(
    event_model: EventModel, corpus: Corpus, settings: Settings, data: st.DataObject
) -> None:
    label = data.draw(st.sampled_from(sorted(prior(corpus, settings))))
    document = data.draw(st.lists(st.sampled_from(sorted(vocabulary(corpus, settings))), min_size=1, max_size=5))
    before, after = (
        posterior(event_model(documents, document, settings))[label]
        for documents in (corpus, [*corpus, (label, document)])
    )
    assert after >= before


@given(corpora, texts, smoothings)
def test_binary_is_multinomial_where_nothing_is_said_twice(
    corpus: Corpus, document: list[str], settings: Settings
) -> None:
    once = [(label, sorted(set(tokens))) for label, tokens in corpus]
    assert binary(corpus, document, settings) == multinomial(once, sorted(set(document)), settings)


@pytest.mark.parametrize("suffix", ["", "-binary"])
@given(corpus=corpora, document=texts, settings=filters)
def test_of_two_classes_each_is_the_complement_of_the_other(
    suffix: str, corpus: Corpus, document: list[str], settings: Settings
) -> None:
    """P(a) / L(b) is to P(b) / L(a) as P(a) L(a) is to P(b) L(b)."""
    assume(len(prior(corpus, settings)) == 2)
    plain, complemented = EVENT_MODELS[suffix[1:] or "multinomial"], EVENT_MODELS["complement" + suffix]
    assert posterior(complemented(corpus, document, settings)) == posterior(plain(corpus, document, settings))


@given(event_models, corpora, filters, st.data())
def test_a_class_left_without_a_document_cannot_be_an_answer(
    event_model: EventModel, corpus: Corpus, settings: Settings, data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(corpus) - 1))
    left = {label for i, (label, tokens) in enumerate(corpus) if tokens and i != index}
    assert leave_one_out(event_model, corpus, index, settings).keys() == left


@given(event_models, corpora, texts, filters, st.sampled_from(LABELS))
def test_the_document_left_out_has_no_say(
    event_model: EventModel, corpus: Corpus, document: list[str], settings: Settings, label: str
) -> None:
    assert leave_one_out(event_model, [*corpus, (label, document)], len(corpus), settings) == event_model(
        corpus, document, settings
    )


@given(st.integers(0, 6), st.integers(0, 6))
def test_mcnemar_is_the_share_of_coin_tosses_at_least_as_uneven(won: int, lost: int) -> None:
    assume(won + lost <= 10)
    gaps = [abs(sum(tosses)) for tosses in product([1, -1], repeat=won + lost)]
    assert mcnemar(won, lost) == Fraction(sum(gap >= abs(won - lost) for gap in gaps), len(gaps))
