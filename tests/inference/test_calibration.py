"""Temperatures: the likeliest one, found whatever the order, and none where there is none to find."""

from math import fsum, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import Classifier, Hyperparameters, train_documents
from nbtext.counting import SAMPLE
from nbtext.inference import tempering
from nbtext.inference.calibration import FEWEST
from nbtext.inference.posteriors import Scores, softmax, temperature
from nbtext.inference.tempering import OUTLIERS

from ..small import EVENT_MODELS, few

Cases = list[tuple[list[float], int]]

CASES = st.integers(2, 3).flatmap(
    lambda classes: st.lists(
        st.tuples(st.lists(st.floats(-20, 20), min_size=classes, max_size=classes), st.integers(0, classes - 1)),
        min_size=1,
        max_size=20,
    )
)


def likelihood(cases: Cases, t: float) -> float:
    """Log-likelihood of the true classes, a tenth of the errors' share being anybody's guess."""
    if all(z[y] == max(z) for z, y in cases):
        return 0.0  # see below
    outliers = OUTLIERS * sum(z[y] < max(z) for z, y in cases) / len(cases)
    chances = [(1 - outliers) * softmax(z, t)[y] + outliers / len(z) for z, y in cases]
    return fsum(log(p) if p else float("-inf") for p in chances)


def fitted(cases: Cases) -> float | None:
    """The temperature of (z, y) pairs."""
    z = np.array([z for z, _ in cases] or np.empty((0, 2)))
    return tempering.fitted(tempering.Cases(z, np.array([y for _, y in cases], np.int64)))


# The fit


@pytest.mark.parametrize(
    ("right", "wrong", "gap"), [(2, 1, 1.0), (3, 1, 1.0), (3, 1, 250.0), (60, 1, 1000.0), (60, 1, 1e-3)]
)
def test_temperature_of_two_classes_by_hand(right: int, wrong: int, gap: float):
    """The likelihood is that of a coin: (1 - e) p + e/2 is the share of right ones, and p has log odds gap / t."""
    share = right / (right + wrong)
    outliers = OUTLIERS * (1 - share)
    odds = (share - outliers / 2) / (1 - share - outliers / 2)
    t = fitted([([gap, 0.0], 0)] * right + [([gap, 0.0], 1)] * wrong)
    assert t == pytest.approx(gap / log(odds), rel=1e-9)


@pytest.mark.parametrize("gap", [1e-3, 0.1, 1.0, 3.0, 1e3])
@pytest.mark.parametrize("right", [2, 8, 120])
def test_what_is_told_apart_without_error_is_as_sure_as_its_number_allows(gap: float, right: int):
    """As if one more had been wrong."""
    cases = [([gap, 0.0], 0), ([0.0, gap], 1)] * (right // 2)
    assert fitted(cases) == fitted([*cases, ([gap, 0.0], 1)])


def test_without_error_the_narrowest_decides():
    narrow = [([1.0, 0.0], 0)] * 30
    wide = fitted([*narrow, *[([99.0, 0.0], 0)] * 30])
    assert wide == pytest.approx(fitted(narrow), rel=0.03)


def test_without_error_impossible_classes_do_not_count():
    three = [([1.0, 0.0, float("-inf")], 0)] * 20
    assert fitted(three) == pytest.approx(fitted([([1.0, 0.0], 0)] * 20), rel=1e-9)


@given(CASES)
def test_no_temperature_near_by_makes_the_truth_likelier(cases: Cases):
    t = fitted(cases)
    if t is None:
        return  # as it should where nothing or everything is told apart: see below
    near = [t * (1 + step) for step in (-0.01, -0.001, 0.001, 0.01)]

    best = likelihood(cases, t)
    assert all(likelihood(cases, other) <= best + 1e-9 * (1 + abs(best)) for other in near)


def test_one_outlier_decides_nothing():
    """Of 200 documents one is like no other; without allowing for it the temperature would double."""
    cases: Cases = [([2.0, 0.0], 0)] * 170 + [([2.0, 0.0], 1)] * 29
    assert fitted([*cases, ([50.0, 0.0], 1)]) == pytest.approx(fitted(cases), rel=0.05)


@given(CASES, st.randoms(use_true_random=False))
def test_the_order_of_cases_changes_no_bit_of_it(cases: Cases, random):
    shuffled = cases.copy()
    random.shuffle(shuffled)
    assert fitted(shuffled) == fitted(cases)


@pytest.mark.parametrize(
    "cases",
    [
        [],
        [([1.0, 1.0], 0)],  # nothing is told apart
        [([1.0, 0.0], 1)],  # all of it wrong: the hotter the better
        [([1.0, 0.0], 0), ([1.0, 0.0], 1)],  # no better than a coin
    ],
)
def test_scores_that_tell_nothing_have_no_temperature(cases: Cases):
    assert fitted(cases) is None


# In a model


def mixed(documents: int) -> dict[str, list[str]]:
    """Classes that overlap, so that there is a temperature to find."""
    return {
        label: [f"{'ab'[(n * n + shift) % 2]} {'cde'[n % 3]} {label if n % 4 else 'q'} w{n}" for n in range(documents)]
        for shift, label in enumerate("pq")
    }


@pytest.mark.parametrize("event_model", EVENT_MODELS)
def test_the_temperature_of_a_model_is_the_likeliest_on_brute_force_leave_one_out_scores(event_model: str):
    texts = mixed(30)
    model = train_documents(texts, hyperparameters=Hyperparameters(event_model))
    corpus = [(label, text.split()) for label, of_label in texts.items() for text in of_label]
    t = model.calibration.t
    assert (t is not None, model.calibration.documents) == (True, 60)
    cases = []
    for index, (label, _) in enumerate(corpus):
        rest = [*corpus[:index], *corpus[index + 1 :]]
        found = Classifier(
            train_documents(
                {v: [" ".join(d) for w, d in rest if w == v] for v in texts},
                hyperparameters=Hyperparameters(event_model),
            ),
            raw=True,
        )
        decision = found(" ".join(corpus[index][1]))
        scale = temperature(Scores([], decision.known, heard=True), 1.0)
        cases.append(([decision.scores[v] / scale for v in sorted(texts)], sorted(texts).index(label)))
    assert t == pytest.approx(fitted(cases), rel=1e-9)


def test_tempered_posteriors_are_the_softmax_of_scores_over_t_root_of_length_plus_one():
    model = train_documents(mixed(30))
    decision = Classifier(model)("a b w3 unheard of p")
    assert decision.known == 4
    assert model.calibration.t is not None
    expected = softmax(list(decision.scores.values()), temperature(Scores([], 4, heard=True), model.calibration.t))
    assert list(decision.posteriors.values()) == expected
    assert decision.posterior < Classifier(model, raw=True)("a b w3 unheard of p").posterior


@few
@given(
    st.sampled_from(EVENT_MODELS), st.lists(st.sampled_from(["a", "b", "c", "w1", "w2", "p", "q", "zz"]), max_size=9)
)
def test_tempering_never_changes_the_label(event_model: str, tokens: list[str]):
    hyperparameters, text = Hyperparameters(event_model), " ".join(tokens)
    tempered, raw = (Classifier(MODEL, hyperparameters, raw=raw)(text) for raw in (False, True))
    assert (tempered.label, tempered.scores, list(tempered.posteriors)) == (raw.label, raw.scores, list(raw.posteriors))
    assert tempered.posterior == pytest.approx(max(tempered.posteriors.values()), rel=1e-9)


MODEL = train_documents(mixed(30))


def test_hyperparameters_other_than_the_default_are_calibrated_by_themselves():
    hyperparameters = Hyperparameters("bernoulli", 0.5)
    expected = train_documents(mixed(30), hyperparameters=hyperparameters).calibration
    assert Classifier(MODEL, hyperparameters).calibration == expected != MODEL.calibration


@pytest.mark.parametrize(("documents", "calibrated"), [(FEWEST // 2 - 1, False), (FEWEST // 2, True)])
def test_too_few_documents_have_no_temperature(documents: int, calibrated: bool):
    assert (train_documents(mixed(documents)).calibration.t is not None) == calibrated


def test_documents_alone_in_their_class_do_not_count_for_it():
    texts = mixed(10) | {f"single{n}": [f"a b w{n}"] for n in range(FEWEST)}
    calibration = train_documents(texts).calibration
    assert (calibration.t, calibration.documents) == (None, 20)


def test_known_classes_without_error_are_not_over_sure():
    model = train_documents({label: [f"{label} w{n}" for n in range(30)] for label in "pq"})
    assert model.calibration.documents == 60
    raw = Classifier(model, raw=True)
    left_out = model.estimator().leave_one_out(model.loaded().documents(model.store.sample()))
    for values, known in zip(left_out.values.tolist(), left_out.known.tolist(), strict=True):
        divisor = temperature(Scores(values, known, heard=True), model.calibration.t)
        assert max(softmax(values, divisor)) == pytest.approx(60 / 61, abs=0.001)
    long = " ".join(["p"] * 999)
    assert Classifier(model)(long).log_odds("p") < raw(long).log_odds("p") / 5


def test_no_known_token_gives_back_the_prior():
    texts = mixed(30)
    texts["p"] = texts["p"][:25]
    decision = Classifier(train_documents(texts))("unheard of")
    assert decision.posteriors == pytest.approx({"p": 25 / 55, "q": 30 / 55})


def test_the_sample_is_bounded():
    model = train_documents({label: [f"{label} w{n}" for n in range(SAMPLE)] for label in "pq"})
    assert len(list(model.store.sample())) == SAMPLE
