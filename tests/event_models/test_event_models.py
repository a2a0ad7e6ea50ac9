"""What every event model computes, held to exact fractions; every file of the folder is tested."""

from collections import Counter
from fractions import Fraction
from math import exp, fsum, log

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from nbtext import Classifier, CorpusError, Document, Hyperparameters, Model, event_models
from nbtext.event_models import FRACTION_BITS, fixed_log, nats
from nbtext.inference.leave_one_out import LeftOut
from nbtext.inference.priors import IMPOSSIBLE
from nbtext.plugins import module
from nbtext.training.learning import learn

from .. import oracle
from ..small import EVENT_MODELS, LABELS, QUESTIONS, TEXTS, Case, cases, few, learned_one_by_one, matrix, trained

every = pytest.mark.parametrize("event_model", EVENT_MODELS)
some = st.sampled_from(EVENT_MODELS)


def joint(name: str) -> bool:
    return bool(module(event_models, name).JOINT)


def of_oracle(name: str) -> oracle.EventModel:
    return oracle.EVENT_MODELS[name]


def model_of(case: Case) -> Model:
    """The model of a case, by whichever way of making it the draw prefers; a case without vocabulary is no case."""
    assume(oracle.vocabulary(case.corpus, case.settings))
    return trained(case.corpus, hyperparameters=case.hyperparameters)


def assert_posteriors(posteriors: dict[str, float], joints: oracle.Joints) -> None:
    expected = oracle.posterior(joints)
    assert posteriors.keys() == expected.keys()
    for label, posterior in posteriors.items():
        assert abs(Fraction(posterior) - expected[label]) <= Fraction(1, 10**12) * expected[label]


def test_every_event_model_has_an_oracle():
    missing = set(EVENT_MODELS) - oracle.EVENT_MODELS.keys()
    assert not missing, (
        f"write down in tests/oracle.py, in exact fractions, what {', '.join(sorted(missing))} must compute"
    )


@every
def test_an_event_model_says_what_it_is(event_model):
    chosen = module(event_models, event_model)
    assert chosen.STATISTIC in {"occurrences", "frequency"}
    assert chosen.VALUES in {None, 2}
    assert type(chosen.REPEATS) is type(chosen.OUTSIDE) is type(chosen.JOINT) is bool


@every
@given(st.sampled_from([1 / 1024, 0.1, 1.0, 2.0]), st.integers(1, 50), st.data())
def test_parts_of_weights_are_whole_units(event_model, alpha, documents, data):
    chosen = module(event_models, event_model)
    sizes, vocabulary = data.draw(st.tuples(st.lists(st.integers(0, 10**6)), st.integers(0, 10**6)))
    statistic = data.draw(st.integers(0, documents if chosen.STATISTIC == "frequency" else 10**6))
    parts = [chosen.present(alpha, documents), chosen.absent(alpha, documents)]
    shared = chosen.shared(alpha, sizes, vocabulary)
    assert len(shared) == len(sizes)
    assert {type(units) for units in [*shared, *(part(statistic) for part in parts if part)]} == {int}


@given(st.floats(1e-300, 1e300))
def test_a_logarithm_in_units_is_the_nearest_to_the_float(value):
    assert abs(Fraction(fixed_log(value), 2**FRACTION_BITS) - Fraction(log(value))) <= Fraction(
        1, 2 ** (FRACTION_BITS + 1)
    )
    assert nats(fixed_log(value)) == pytest.approx(log(value), rel=0, abs=2.0**-45)


@every
@few
@given(data=st.data())
def test_posteriors_and_label_are_those_of_exact_fractions(event_model, data):
    case = data.draw(cases(event_model))
    question = data.draw(QUESTIONS)
    model = model_of(case)
    decision = Classifier(model, raw=True)(" ".join(question))
    joints = of_oracle(event_model)(case.corpus, question, case.settings)
    assert_posteriors(dict(decision.posteriors), joints)
    assert decision.label == oracle.best(joints)


@few
@given(event_model=some, data=st.data())
def test_hyperparameters_chosen_later_are_as_good_as_those_trained_with(event_model, data):
    case = data.draw(cases(event_model))
    question = " ".join(data.draw(QUESTIONS))
    model = model_of(case)
    plain = trained(case.corpus)
    assert Classifier(plain, case.hyperparameters, raw=True)(question) == Classifier(model, raw=True)(question)


@few
@given(event_model=some, data=st.data())
def test_classes_met_in_any_order_give_the_same_label(event_model, data):
    corpus = data.draw(st.lists(st.tuples(LABELS, TEXTS), min_size=2, max_size=6))
    question = data.draw(QUESTIONS)
    model = learned_one_by_one(corpus, hyperparameters=Hyperparameters(event_model), track=False)
    decision = Classifier(model, raw=True)(" ".join(question))
    joints = of_oracle(event_model)(corpus, question, oracle.Settings())
    assert_posteriors(dict(decision.posteriors), joints)
    assert decision.label == oracle.best(joints)


@every
@few
@given(data=st.data())
def test_leaving_one_out_is_training_without_it(event_model, data):
    case = data.draw(cases(event_model))
    model = model_of(case)
    documents = matrix(case.corpus, model.loaded().tokens, model.labels)
    left_out = model.estimator().leave_one_out(documents)
    for index, (_, tokens) in enumerate(case.corpus):
        values, length, heard = left_out.of(index)
        rest = [*case.corpus[:index], *case.corpus[index + 1 :]]
        if case.settings.priors not in ("learned", "uniform"):  # they are stated for the classes that are left
            left = [name for name in model.labels if any(name == other for other, _ in rest)]
            if len(left) < len(model.labels):
                continue
        joints = oracle.leave_one_out(of_oracle(event_model), case.corpus, index, case.settings)
        scored = {name: value for name, value in zip(model.labels, values, strict=True) if value > IMPOSSIBLE}
        assert scored.keys() == joints.keys()
        for name, value in scored.items():
            assert value == pytest.approx(float(log_of(joints[name])), rel=1e-12, abs=1e-12)
        known = oracle.vocabulary(rest, case.settings)
        kept = [token for token in tokens if token in known]
        assert length == len(kept if module(event_models, event_model).REPEATS else set(kept))
        assert heard == (length > 0 or event_model == "bernoulli")


@few
@given(name=some, data=st.data())
def test_what_is_left_without_a_document_serves_every_event_model(name, data):
    case = data.draw(cases(name))
    model = model_of(case)
    documents = matrix(case.corpus, model.loaded().tokens, model.labels)
    left_out = LeftOut(model.estimator().filtered, documents)
    for event_model in EVENT_MODELS:
        other = case.hyperparameters._replace(event_model=event_model)
        found = left_out.scores(model.estimator().under(other))
        expected = trained(case.corpus, hyperparameters=other).estimator().leave_one_out(documents)
        assert [found.of(d) for d in range(documents.size)] == [expected.of(d) for d in range(documents.size)]


def log_of(joint: Fraction) -> float:
    return log(joint.numerator) - log(joint.denominator)


@few
@given(event_model=some, data=st.data())
def test_no_order_of_tokens_or_documents_changes_a_bit(event_model, data):
    case = data.draw(cases(event_model))
    question = data.draw(QUESTIONS)
    model = model_of(case)
    again = trained(data.draw(st.permutations(case.corpus)), hyperparameters=case.hyperparameters)
    one = Classifier(model)(" ".join(question))
    other = Classifier(again)(" ".join(data.draw(st.permutations(question))))
    assert (one, list(one.posteriors), list(one.scores)) == (other, list(other.posteriors), list(other.scores))


@few
@given(event_model=some, data=st.data())
def test_posteriors_sum_to_one_and_no_number_is_infinite(event_model, data):
    case = data.draw(cases(event_model))
    decision = Classifier(model_of(case))(" ".join(data.draw(QUESTIONS)))
    assert fsum(decision.posteriors.values()) == pytest.approx(1, abs=1e-12)
    assert all(abs(score) < float("inf") for score in decision.scores.values())
    assert list(decision.posteriors) == list(decision.scores)


@few
@given(event_model=some, data=st.data())
def test_terms_and_bias_are_the_score_but_for_rounding(event_model, data):
    case = data.draw(cases(event_model))
    text = " ".join(data.draw(QUESTIONS))
    classify = Classifier(model_of(case))
    decision, bias, terms, *_ = classify.explain(text)
    assert decision == classify(text)
    for label, score in decision.scores.items():
        parts = [bias[label], *(term.terms[label] for term in terms)]
        assert fsum(parts) == pytest.approx(score, rel=0, abs=1e-15 * (1 + sum(map(abs, parts))))
    assert sum(term.value for term in terms) == decision.known


@every
@few
@given(data=st.data())
def test_learning_a_document_of_known_tokens_never_makes_its_class_less_likely(event_model, data):
    corpus = data.draw(st.lists(st.tuples(LABELS, TEXTS), min_size=1, max_size=8))
    known = sorted({token for _, tokens in corpus for token in tokens})
    tokens = data.draw(st.lists(st.sampled_from(known), min_size=1, max_size=6))
    label = data.draw(st.sampled_from(sorted({label for label, _ in corpus})))
    model = trained(corpus, hyperparameters=Hyperparameters(event_model), track=False)
    text = " ".join(tokens)
    before = Classifier(model, raw=True)(text).posteriors[label]
    learn(model, label, [Document([("", text)])])
    assert Classifier(model, raw=True)(text).posteriors[label] >= before - 1e-12


@few
@given(event_model=some, data=st.data())
def test_without_a_known_token_only_priors_and_absences_speak(event_model, data):
    case = data.draw(cases(event_model))
    model = model_of(case)
    decision = Classifier(model)("unheard of")
    if event_model == "bernoulli":  # the one that hears absences
        decision = Classifier(model, raw=True)("unheard of")
        assert_posteriors(dict(decision.posteriors), of_oracle(event_model)(case.corpus, [], case.settings))
    else:
        priors = oracle.prior(case.corpus, case.settings)
        assert decision.posteriors == pytest.approx({label: float(prior) for label, prior in priors.items()}, rel=1e-12)


@few
@given(data=st.data())
def test_probabilities_of_the_vocabulary_sum_to_one(data):
    case = data.draw(cases(data.draw(st.sampled_from(["multinomial", "binary"]))))
    scorer = model_of(case).scorer()
    totals = scorer.linear.totals
    vocabulary = oracle.vocabulary(case.corpus, case.settings)
    weighted = scorer.weighted(Counter(vocabulary))
    assert {entry.token for entry in weighted} == vocabulary
    for by_class in zip(*(entry.weights for entry in weighted), strict=True):
        assert fsum(map(exp, by_class)) == pytest.approx(1, rel=1e-12)
    for index, label in enumerate(sorted(oracle.prior(case.corpus, case.settings))):
        inside = oracle.inside(case.corpus, label)
        assert totals.sizes["occurrences"][index] == sum(oracle.occurrences(inside)[token] for token in vocabulary)
        assert totals.sizes["frequency"][index] == sum(oracle.containing(inside)[token] for token in vocabulary)


@few
@given(
    event_model=some, filters=st.sampled_from([{"drop_top": 99}, {"min_count": 999}, {"min_docs": 99}]), data=st.data()
)
def test_filters_that_leave_nothing_are_refused(event_model, filters, data):
    case = data.draw(cases(event_model))
    assert not oracle.vocabulary(case.corpus, case.settings._replace(**filters))
    with pytest.raises(CorpusError, match="the filters leave no vocabulary"):
        trained(case.corpus, hyperparameters=case.hyperparameters._replace(**filters))
