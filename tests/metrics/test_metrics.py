"""Measures: worked examples first, then properties, then equality with scikit-learn."""

import math
import random
import warnings
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

import pytest
import sklearn.metrics as sk
from hypothesis import given
from hypothesis import strategies as st

from nbtext.metrics import Prediction
from nbtext.metrics.answers import (
    ClassCounts,
    accuracy,
    balanced_accuracy,
    class_counts,
    confusion,
    kappa,
    largest_class,
    macro,
    matthews,
    micro,
    prior_guessing,
    weighted,
)
from nbtext.metrics.averages import deviation, mean, ratio, weighted_mean
from nbtext.metrics.comparison import holm, mcnemar, wilson
from nbtext.metrics.mail import COSTS, MailCounts, mail_counts
from nbtext.metrics.posteriors import (
    Bin,
    Coverage,
    brier,
    coverage_curve,
    expected_calibration_error,
    log_loss,
    reliability,
    risk_coverage_area,
    top_k_accuracy,
)
from nbtext.metrics.ranking import (
    Cut,
    Pair,
    average_precision,
    cut_within,
    cuts,
    macro_area,
    one_against_rest,
    precision_recall_points,
    roc_area,
    roc_points,
    tail_threshold,
)


def predicted(truth: str, **posteriors: float) -> Prediction:
    """A prediction whose answer is the argmax, the first in sorted order if several tie."""
    answer = min(posteriors, key=lambda label: (-posteriors[label], label))
    return Prediction("", truth, answer, posteriors)


# Ten documents to check by hand. Of 6 ham 5 are right, of 3 spam 2; the model does not know "news".
TEN = [
    predicted("ham", ham=1.0, spam=0.0),
    predicted("ham", ham=0.9, spam=0.1),
    predicted("ham", ham=0.9, spam=0.1),
    predicted("ham", ham=0.8, spam=0.2),
    predicted("ham", ham=0.6, spam=0.4),
    predicted("ham", ham=0.3, spam=0.7),
    predicted("spam", ham=0.0, spam=1.0),
    predicted("spam", ham=0.2, spam=0.8),
    predicted("spam", ham=0.6, spam=0.4),
    predicted("news", ham=0.1, spam=0.9),
]
TABLE = {  # truth -> answer -> documents
    "ham": {"ham": 5, "news": 0, "spam": 1},
    "news": {"ham": 0, "news": 0, "spam": 1},
    "spam": {"ham": 1, "news": 0, "spam": 2},
}
CLASSES = [ClassCounts(5, 6, 6), ClassCounts(0, 0, 1), ClassCounts(2, 4, 3)]
ONE_CLASS = [predicted("ham", ham=1.0)] * 3


# Answers


def test_accuracy_counts_an_unknown_class_as_wrong() -> None:
    assert accuracy(TEN) == 7 / 10


def test_confusion_has_every_truth_and_every_answer_in_sorted_order() -> None:
    assert confusion(TEN) == TABLE
    assert [list(row) for row in confusion(TEN).values()] == [["ham", "news", "spam"]] * 3


def test_confusion_of_nothing_is_empty() -> None:
    assert confusion([]) == {}


def test_class_counts_are_diagonal_column_and_row() -> None:
    assert class_counts(TABLE) == dict(zip(["ham", "news", "spam"], CLASSES, strict=True))


@pytest.mark.parametrize(
    ("counts", "precision", "recall", "f1"),
    [
        (ClassCounts(5, 6, 6), 5 / 6, 5 / 6, 5 / 6),
        (ClassCounts(2, 4, 3), 2 / 4, 2 / 3, 4 / 7),  # harmonic mean of 1/2 and 2/3
        (ClassCounts(0, 0, 1), None, 0, 0),  # never answered: nothing to be precise about
        (ClassCounts(0, 2, 0), 0, None, 0),  # no documents: nothing to find
        (ClassCounts(0, 0, 0), None, None, None),
    ],
)
def test_ratios_of_a_class(counts: ClassCounts, precision: float, recall: float, f1: float) -> None:
    assert (counts.precision, counts.recall, counts.f1) == (precision, recall, f1)


def test_macro_counts_each_class_once_and_the_undefined_as_zero() -> None:
    assert macro(CLASSES) == pytest.approx(((5 / 6 + 0 + 2 / 4) / 3, (5 / 6 + 0 + 2 / 3) / 3, (5 / 6 + 0 + 4 / 7) / 3))


def test_weighted_counts_each_class_by_its_documents() -> None:
    assert weighted(CLASSES) == pytest.approx(((5 + 0 + 3 * 2 / 4) / 10, 7 / 10, (5 + 0 + 3 * 4 / 7) / 10))


def test_micro_is_the_accuracy_over_all_classes_only() -> None:
    everything = micro(CLASSES)
    assert everything.precision == everything.recall == everything.f1 == accuracy(TEN)
    known = micro([CLASSES[0], CLASSES[2]])
    assert (known.precision, known.recall) == (7 / 10, 7 / 9)


def test_balanced_accuracy_is_the_mean_recall_of_classes_with_documents() -> None:
    assert balanced_accuracy([*CLASSES, ClassCounts(0, 3, 0)]) == pytest.approx((5 / 6 + 0 + 2 / 3) / 3)


@pytest.mark.parametrize(
    ("classes", "correlation", "agreement"),
    [
        ([ClassCounts(4, 5, 5), ClassCounts(4, 5, 5)], 0.6, 0.6),
        ([ClassCounts(20, 30, 25), ClassCounts(15, 20, 25)], 500 / math.sqrt(1250 * 1200), 0.4),  # Cohen's layout
        ([ClassCounts(3, 3, 3), ClassCounts(2, 2, 2), ClassCounts(1, 1, 1)], 1, 1),
        ([ClassCounts(0, 5, 5), ClassCounts(0, 5, 5)], -1, -1),
        ([ClassCounts(3, 6, 3), ClassCounts(0, 0, 3)], None, 0),  # one answer to everything
        ([ClassCounts(3, 3, 6), ClassCounts(0, 3, 0)], None, 0),  # one truth behind everything
        ([ClassCounts(3, 3, 3)], None, None),  # a single class
        ([], None, None),
    ],
)
def test_matthews_and_kappa(classes: list[ClassCounts], correlation: float | None, agreement: float | None) -> None:
    assert matthews(classes) == (correlation if correlation is None else pytest.approx(correlation))
    assert kappa(classes) == (agreement if agreement is None else pytest.approx(agreement))


@pytest.mark.parametrize(
    ("train_counts", "truths", "by_largest", "by_priors"),
    [
        ({"ham": 9, "spam": 1}, ["ham", "ham", "spam"], 2 / 3, (0.9 + 0.9 + 0.1) / 3),
        ({"spam": 5, "ham": 5}, ["ham", "spam", "spam"], 1 / 3, 0.5),  # equal: the first in sorted order
        ({"ham": 1, "spam": 3}, ["news"], 0, 0),  # unknown in training
        ({"ham": 4}, ["ham"], 1, 1),
    ],
)
def test_baselines(train_counts: dict[str, int], truths: list[str], by_largest: float, by_priors: float) -> None:
    assert largest_class(train_counts, truths) == by_largest
    assert prior_guessing(train_counts, truths) == pytest.approx(by_priors)


# Ranking


# Positives at 0.9, 0.5 and 0.5; negatives at 0.7, 0.5 and 0.1.
SIX = [(0.9, True), (0.5, True), (0.5, True), (0.7, False), (0.5, False), (0.1, False)]


def test_cuts_call_equal_scores_together() -> None:
    expected = [Cut(math.inf, 0, 0), Cut(0.9, 1, 0), Cut(0.7, 1, 1), Cut(0.5, 3, 2), Cut(0.1, 3, 3)]
    assert cuts(SIX) == expected
    assert [cut.called for cut in expected] == [0, 1, 2, 5, 6]


def test_roc_by_hand() -> None:
    assert roc_points(SIX) == [(0, 0), (0, 1 / 3), (1 / 3, 1 / 3), (2 / 3, 1), (1, 1)]
    # Of 9 pairs of a positive and a negative: 3 + 1 + 1 in order, 2 tied.
    assert roc_area(SIX) == (5 + 2 / 2) / 9


def test_precision_and_recall_by_hand() -> None:
    assert precision_recall_points(SIX) == [(1 / 3, 1), (1 / 3, 1 / 2), (1, 3 / 5), (1, 3 / 6)]
    assert average_precision(SIX) == pytest.approx(1 / 3 * 1 + 2 / 3 * 3 / 5)


@pytest.mark.parametrize(
    ("pairs", "area", "precision"),
    [
        ([(2.0, True), (1.0, False)], 1, 1),  # perfect
        ([(2.0, False), (1.0, True)], 0, 1 / 2),  # upside down
        ([(1.0, True), (1.0, False), (1.0, False)], 1 / 2, 1 / 3),  # all tied: chance
        ([(2.0, True), (1.0, True)], None, 1),  # no negatives
        ([(2.0, False), (1.0, False)], None, None),  # no positives
        ([], None, None),
    ],
)
def test_areas_at_the_extremes(pairs: list[Pair], area: float | None, precision: float | None) -> None:
    assert roc_area(pairs) == area
    assert bool(roc_points(pairs)) == (area is not None)
    assert average_precision(pairs) == precision
    assert bool(precision_recall_points(pairs)) == (precision is not None)


def test_scores_tell_apart_what_posteriors_round_together() -> None:
    scores = [(60.0, True), (50.0, False)]
    posteriors = [(1 / (1 + math.exp(-score)), positive) for score, positive in scores]
    assert (roc_area(scores), roc_area(posteriors)) == (1, 1 / 2)


def test_macro_area_leaves_out_classes_without_one() -> None:
    assert macro_area([0.5, None, 1.0]) == 0.75
    assert macro_area([None]) is None


def test_one_against_rest_gives_a_label_the_model_does_not_know_no_score() -> None:
    assert one_against_rest(TEN[-2:], "spam") == [(0.4, True), (0.9, False)]
    assert one_against_rest(TEN[-2:], "news") == [(0.0, False), (0.0, True)]


@pytest.mark.parametrize(
    ("pairs", "ceiling", "cut"),
    [
        (SIX, 0.0, Cut(0.9, 1, 0)),
        (SIX, 1 / 3, Cut(0.7, 1, 1)),  # exactly at the ceiling is within it
        (SIX, 0.5, Cut(0.7, 1, 1)),  # the next would take two of three negatives at once
        (SIX, 1.0, Cut(0.1, 3, 3)),
        ([(2.0, False), (1.0, True)], 0.1, None),  # the highest score is already a false alarm
        ([(2.0, True), (1.0, True)], 0.0, Cut(1.0, 2, 0)),  # no negatives: nothing to fear
        ([(float(n), n >= 10) for n in range(20)], 0.1, Cut(9.0, 10, 1)),  # 1 / 10 is not above 0.1
        ([], 0.5, None),
    ],
)
def test_cut_within_a_ceiling(pairs: list[Pair], ceiling: float, cut: Cut | None) -> None:
    assert cut_within(pairs, ceiling) == cut


def test_one_in_a_thousand_is_told_from_two_hundred_by_their_tail() -> None:
    """Of log odds that fall off exponentially, exp(-t) reach t. The highest of 200 is reached by one in 201."""
    chance = random.Random(1)
    samples = [[chance.expovariate(1) for _ in range(200)] for _ in range(1000)]
    tails = [tail_threshold(sample, 0.001) for sample in samples]
    assert mean([math.exp(-tail) for tail in tails if tail is not None]) == pytest.approx(0.0018, rel=0.1)
    assert mean([math.exp(-max(sample)) for sample in samples]) == pytest.approx(1 / 201, rel=0.1)


@pytest.mark.parametrize(
    ("negatives", "ceiling"),
    [
        ([float(n) for n in range(99)], 0.01),  # too few to have a tail
        ([float(n) for n in range(100)], 0.0),  # no tail ends
        ([float(n) for n in range(100)], 0.1),  # ten may pass: the eleventh tells
        ([1.0] * 100, 0.01),
        ([math.inf, *([1.0] * 99)], 0.01),
        ([1.0, *([-math.inf] * 99)], 0.01),
    ],
)
def test_where_negatives_have_no_tail_there_is_no_threshold(negatives: list[float], ceiling: float) -> None:
    assert tail_threshold(negatives, ceiling) is None


def test_tail_by_hand() -> None:
    """The ten highest of 100 are 99 to 90, 5.5 above 89 on average; one in 100 is there less than ten."""
    assert tail_threshold([float(n) for n in range(100)], 0.01) == pytest.approx(89 + 5.5 * math.log(10))


# Posteriors


def test_log_loss_by_hand() -> None:
    sure = -math.log(1 - 2**-52)
    known = 2 * sure - 2 * math.log(0.9) - 2 * math.log(0.8) - math.log(0.6) - math.log(0.3) - math.log(0.4)
    assert log_loss(TEN[:-1]) == pytest.approx(known / 9)


def test_log_loss_of_the_impossible_is_large_but_finite() -> None:
    assert (
        log_loss([predicted("news", ham=1.0)]) == log_loss([predicted("spam", ham=1.0, spam=0.0)]) == 52 * math.log(2)
    )


@pytest.mark.parametrize(
    ("prediction", "expected"),
    [
        (predicted("ham", ham=0.75, spam=0.25), 2 / 16),  # two errors of 1/4
        (predicted("c", a=0.5, b=0.25, c=0.25), 4 / 16 + 1 / 16 + 9 / 16),
        (predicted("spam", ham=1.0, spam=0.0), 2),  # as wrong as can be
        (predicted("news", ham=0.5, spam=0.5), 1 / 4 + 1 / 4 + 1),  # unknown truth
        (predicted("ham", ham=1.0), 0),
    ],
)
def test_brier_by_hand(prediction: Prediction, expected: float) -> None:
    assert brier([prediction]) == expected


@pytest.mark.parametrize(
    ("prediction", "rank"),
    [
        (predicted("a", a=0.5, b=0.3, c=0.2), 1),
        (predicted("c", a=0.5, b=0.3, c=0.2), 3),
        (predicted("b", a=0.5, b=0.25, c=0.25), 2),  # a tie goes to the first in sorted order
        (predicted("c", a=0.5, b=0.25, c=0.25), 3),
        (Prediction("", "b", "b", {"a": 0.5, "b": 0.5}), 1),  # scores knew better than rounded posteriors
        (predicted("d", a=0.5, b=0.3, c=0.2), 4),  # unknown to the model: in no list of three
    ],
)
def test_top_k_finds_the_truth_from_its_rank_on(prediction: Prediction, rank: int) -> None:
    assert [top_k_accuracy([prediction], k) for k in (1, 2, 3)] == [rank <= k for k in (1, 2, 3)]


def test_reliability_by_hand() -> None:
    # Bins end at 0.5, 0.6, ... 1.0; a confidence on the edge belongs to the bin it ends.
    expected = [(0.5, 0.6, 2, 0.6, 1 / 2), (0.6, 0.7, 1, 0.7, 0), (0.7, 0.8, 2, 0.8, 1)]
    expected += [(0.8, 0.9, 3, 0.9, 2 / 3), (0.9, 1.0, 2, 1.0, 1)]
    assert [tuple(row) for row in reliability(TEN, bins=10)] == [pytest.approx(row) for row in expected]
    error = (2 * 0.1 + 1 * 0.7 + 2 * 0.2 + 3 * (0.9 - 2 / 3) + 0) / 10
    assert expected_calibration_error(TEN, bins=10) == pytest.approx(error)


def test_a_confidence_rounded_to_above_one_is_in_the_last_bin() -> None:
    assert reliability([predicted("ham", ham=math.nextafter(1, 2))], bins=2) == [
        Bin(0.5, 1.0, 1, math.nextafter(1, 2), 1)
    ]


def test_coverage_by_hand() -> None:
    assert coverage_curve(TEN, [0.0, 0.8, 0.95, 1.1]) == [
        Coverage(0.0, 1.0, 7 / 10),
        Coverage(0.8, 0.7, 6 / 7),  # at the threshold is answered
        Coverage(0.95, 0.2, 1.0),
        Coverage(1.1, 0.0, None),
    ]


@pytest.mark.parametrize(
    ("rights", "confidences", "area"),
    [
        ([True, True, False], [0.9, 0.8, 0.7], (0 + 0 + 1 / 3) / 3),  # the error comes last
        ([False, True, True], [0.9, 0.8, 0.7], (1 + 1 / 2 + 1 / 3) / 3),  # the error comes first
        ([True, True, False], [0.8, 0.8, 0.8], 1 / 3),  # no order: the error rate throughout
        ([True, True], [0.9, 0.8], 0),
        ([False, False], [0.9, 0.8], 1),
    ],
)
def test_risk_coverage_area_by_hand(rights: list[bool], confidences: list[float], area: float) -> None:
    predictions = [
        predicted("a" if right else "b", a=confidence, b=1 - confidence)
        for right, confidence in zip(rights, confidences, strict=True)
    ]
    assert risk_coverage_area(predictions) == pytest.approx(area)


# Mail


def test_mail_counts_by_hand() -> None:
    assert mail_counts(TEN) == MailCounts(spam=3, ham=7, misses=1, false_alarms=2)  # "news" is not spam
    assert mail_counts(TEN, threshold=0.9) == MailCounts(spam=3, ham=7, misses=2, false_alarms=1)
    assert mail_counts(TEN, spam="news") == MailCounts(spam=1, ham=9, misses=1, false_alarms=0)


@pytest.mark.parametrize(
    ("counts", "cost_ratios", "accuracies"),
    [  # at costs 1, 9 and 999
        (MailCounts(48, 240, 9, 1), (48 / 10, 48 / 18, 48 / 1008), (278 / 288, 2190 / 2208, 238800 / 239808)),
        (MailCounts(48, 240, 48, 0), (1, 1, 1), (240 / 288, 2160 / 2208, 239760 / 239808)),  # no filter
        (MailCounts(48, 240, 0, 0), (None, None, None), (1, 1, 1)),  # no error
        (MailCounts(0, 10, 0, 1), (0, 0, 0), (9 / 10, 9 / 10, 9 / 10)),  # no spam to stop: only harm
        (MailCounts(0, 0, 0, 0), (None, None, None), (None, None, None)),
    ],
)
def test_costs_of_a_filter(
    counts: MailCounts, cost_ratios: tuple[float | None, ...], accuracies: tuple[float | None, ...]
) -> None:
    assert tuple(counts.total_cost_ratio(cost) for cost in COSTS) == cost_ratios
    assert tuple(counts.weighted_accuracy(cost) for cost in COSTS) == accuracies


def test_mail_rates_need_something_to_be_a_rate_of() -> None:
    assert MailCounts(0, 4, 0, 1).miss_rate is None
    assert MailCounts(0, 4, 0, 1).false_alarm_rate == 1 / 4
    assert MailCounts(4, 0, 1, 0).miss_rate == 1 / 4
    assert MailCounts(4, 0, 1, 0).false_alarm_rate is None


# Comparison


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [  # Newcombe, Two-sided confidence intervals for the single proportion (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_equals_the_published_table(successes: int, n: int, low: float, high: float) -> None:
    assert [round(end, 4) for end in wilson(successes, n)] == [low, high]


def test_wilson_at_the_ends_of_the_scale_is_exact() -> None:
    assert {wilson(0, n)[0] for n in range(1, 200)} == {0.0}
    assert {wilson(n, n)[1] for n in range(1, 200)} == {1.0}


@pytest.mark.parametrize(
    ("won", "lost", "p_value"),
    [
        (0, 0, 1),  # nothing in dispute
        (4, 4, 1),  # even: both tails overlap
        (5, 0, 2 * 1 / 2**5),
        (1, 8, 2 * (1 + 9) / 2**9),
        (3, 9, 2 * (1 + 12 + 66 + 220) / 2**12),
        (5000, 0, 0),  # 2^-4999 is below the smallest float
    ],
)
def test_mcnemar_by_hand(won: int, lost: int, p_value: float) -> None:
    assert mcnemar(won, lost) == mcnemar(lost, won) == p_value


def test_mcnemar_of_thousands_nears_the_normal_approximation() -> None:
    won, lost = 4900, 5100
    z = (abs(won - lost) - 1) / math.sqrt(won + lost)  # with the continuity correction
    assert mcnemar(won, lost) == pytest.approx(math.erfc(z / math.sqrt(2)), rel=1e-3)


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        ([], []),
        ([0.04], [0.04]),
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),  # times 3, 1, 2, 4; 0.04 may not undercut 0.06
        ([0.5, 0.9], [1.0, 1.0]),
        ([0.02, 0.02], [0.04, 0.04]),
    ],
)
def test_holm_by_hand(p_values: list[float], adjusted: list[float]) -> None:
    assert holm(p_values) == pytest.approx(adjusted)


@pytest.mark.parametrize(
    ("values", "centre", "spread"),
    [
        ([0.8], 0.8, None),  # one fold has no spread
        ([3.0, 3.0, 3.0], 3, 0),
        ([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0], 5, math.sqrt(32 / 7)),
    ],
)
def test_mean_and_deviation_over_folds(values: list[float], centre: float, spread: float | None) -> None:
    assert mean(values) == centre
    assert deviation(values) == (spread if spread is None else pytest.approx(spread))


# Nothing to measure, and nonsense


@pytest.mark.parametrize(
    "measure",
    [
        lambda: accuracy([]),
        lambda: largest_class({}, ["ham"]),
        lambda: largest_class({"ham": 1}, []),
        lambda: prior_guessing({"ham": 0}, ["ham"]),
        lambda: prior_guessing({"ham": 1}, []),
        lambda: macro([]),
        lambda: weighted([]),
        lambda: weighted([ClassCounts(0, 1, 0)]),
        lambda: balanced_accuracy([]),
        lambda: log_loss([]),
        lambda: brier([]),
        lambda: top_k_accuracy([], 1),
        lambda: top_k_accuracy(TEN, 0),
        lambda: reliability(TEN, 0),
        lambda: expected_calibration_error([]),
        lambda: coverage_curve([], [0.5]),
        lambda: risk_coverage_area([]),
        lambda: wilson(0, 0),
        lambda: wilson(3, 2),
        lambda: wilson(-1, 2),
        lambda: mcnemar(-1, 2),
        lambda: mean([]),
        lambda: weighted_mean([1.0], [0.0]),
        lambda: deviation([]),
    ],
)
def test_what_has_no_value_and_no_none_is_a_value_error(measure: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        measure()


def test_a_single_class_measures_as_perfect_or_undefined() -> None:
    classes = class_counts(confusion(ONE_CLASS)).values()
    assert accuracy(ONE_CLASS) == balanced_accuracy(classes) == macro(classes).f1 == top_k_accuracy(ONE_CLASS, 3) == 1
    assert log_loss(ONE_CLASS) == pytest.approx(0, abs=1e-15)
    assert brier(ONE_CLASS) == expected_calibration_error(ONE_CLASS) == risk_coverage_area(ONE_CLASS) == 0
    assert matthews(classes) is kappa(classes) is roc_area(one_against_rest(ONE_CLASS, "ham")) is None


# Properties


@st.composite
def predictions(draw: st.DrawFn) -> list[Prediction]:
    """One to twelve predictions of up to four classes, full of ties; "?" is a class unknown to the model."""
    labels = "abcd"[: draw(st.integers(1, 4))]
    weights = st.lists(st.integers(0, 3), min_size=len(labels), max_size=len(labels)).filter(any)
    documents = draw(st.lists(st.tuples(st.sampled_from([*labels, "?"]), weights), min_size=1, max_size=12))
    return [
        predicted(truth, **{label: w / sum(weight) for label, w in zip(labels, weight, strict=True)})
        for truth, weight in documents
    ]


PAIRS = st.lists(st.tuples(st.integers(0, 5).map(float), st.booleans()), max_size=15)


@given(predictions())
def test_the_confusion_cells_sum_to_the_number_tested(tested: list[Prediction]) -> None:
    table = confusion(tested)
    assert sum(sum(row.values()) for row in table.values()) == len(tested)
    total = micro(class_counts(table).values())
    assert total.answered == total.support == len(tested)
    assert total.right / len(tested) == accuracy(tested)


@given(predictions())
def test_measures_keep_to_their_ranges(tested: list[Prediction]) -> None:
    classes = class_counts(confusion(tested)).values()
    shares = [accuracy(tested), balanced_accuracy(classes), *macro(classes), *weighted(classes)]
    shares += [expected_calibration_error(tested), risk_coverage_area(tested), brier(tested) / 2]
    assert all(-1e-12 <= share <= 1 + 1e-12 for share in shares)
    assert all(value is None or -1 - 1e-12 <= value <= 1 + 1e-12 for value in (matthews(classes), kappa(classes)))
    assert 0 <= log_loss(tested) <= 52 * math.log(2)


@given(predictions(), st.randoms())
def test_the_order_of_documents_changes_no_measure(tested: list[Prediction], chance: random.Random) -> None:
    shuffled = chance.sample(tested, len(tested))
    for measure in (accuracy, log_loss, brier, expected_calibration_error, risk_coverage_area, confusion):
        assert measure(shuffled) == measure(tested)
    assert cuts(one_against_rest(shuffled, "a")) == cuts(one_against_rest(tested, "a"))


@given(predictions())
def test_top_k_starts_at_the_accuracy_and_grows_to_the_share_of_known_truths(tested: list[Prediction]) -> None:
    curve = [top_k_accuracy(tested, k) for k in range(1, 6)]
    assert curve[0] == accuracy(tested)
    assert curve == sorted(curve)
    assert curve[-1] == mean(each.truth in each.posteriors for each in tested)


@given(predictions(), st.integers(1, 20))
def test_every_prediction_is_in_one_bin_that_holds_its_confidence(tested: list[Prediction], bins: int) -> None:
    table = reliability(tested, bins)
    assert sum(row.documents for row in table) == len(tested)
    assert all(before.high <= after.low for before, after in pairwise(table))
    for row in table:
        inside = [each for each in tested if row.low < each.confidence <= row.high]
        assert (row.documents, row.accuracy) == (len(inside), accuracy(inside))


@given(predictions(), st.integers(2, 20))
def test_gaps_in_bins_cannot_cancel_out_as_they_do_in_one(tested: list[Prediction], bins: int) -> None:
    gap = abs(accuracy(tested) - mean(each.confidence for each in tested))
    assert expected_calibration_error(tested, bins=1) == pytest.approx(gap)
    assert expected_calibration_error(tested, bins) >= gap - 1e-12


@given(predictions())
def test_risk_coverage_is_the_mean_error_at_each_documents_own_confidence(tested: list[Prediction]) -> None:
    accuracies = [row.accuracy for row in coverage_curve(tested, [each.confidence for each in tested])]
    assert risk_coverage_area(tested) == pytest.approx(mean(1 - share for share in accuracies if share is not None))


@given(PAIRS)
def test_the_roc_area_is_the_chance_that_a_positive_scores_above_a_negative(pairs: list[Pair]) -> None:
    contests = [
        Fraction((won > lost) + (won >= lost), 2)
        for won, is_positive in pairs
        for lost, is_other in pairs
        if is_positive and not is_other
    ]
    assert roc_area(pairs) == (float(sum(contests) / len(contests)) if contests else None)


@given(PAIRS)
def test_the_roc_area_lies_under_the_roc_points(pairs: list[Pair]) -> None:
    area = sum((x2 - x1) * (y1 + y2) / 2 for (x1, y1), (x2, y2) in pairwise(roc_points(pairs)))
    assert (roc_area(pairs) or 0) == pytest.approx(area)


@given(PAIRS)
def test_a_ranking_upside_down_has_the_area_that_was_missing(pairs: list[Pair]) -> None:
    area = roc_area(pairs)
    reverse = roc_area([(-score, positive) for score, positive in pairs])
    assert reverse == (None if area is None else pytest.approx(1 - area))


@given(PAIRS, st.floats(0, 1))
def test_no_lower_threshold_keeps_within_the_ceiling(pairs: list[Pair], ceiling: float) -> None:
    def rate(threshold: float) -> float:
        negatives = [score for score, positive in pairs if not positive]
        return ratio(sum(score >= threshold for score in negatives), len(negatives)) or 0

    fitting = [score for score, _ in pairs if rate(score) <= ceiling]
    cut = cut_within(pairs, ceiling)
    assert (cut and cut.threshold) == (min(fitting) if fitting else None)


@given(predictions(), st.floats(0.5, 1000))
def test_the_cost_ratio_compares_the_weighted_errors_without_and_with_the_filter(
    tested: list[Prediction], cost: float
) -> None:
    counts = mail_counts(tested, spam="a")
    accuracy_with = counts.weighted_accuracy(cost)
    accuracy_without = counts._replace(misses=counts.spam, false_alarms=0).weighted_accuracy(cost)
    advantage = counts.total_cost_ratio(cost)
    assert accuracy_with is not None
    assert accuracy_without is not None
    assert (advantage is None) == (counts.misses == counts.false_alarms == 0)
    if advantage is not None:
        assert advantage * (1 - accuracy_with) == pytest.approx(1 - accuracy_without)


@given(st.integers(1, 1000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_wilson_ends_are_where_the_share_is_just_z_deviations_off(sample: tuple[int, int]) -> None:
    successes, n = sample
    low, high = wilson(successes, n, z=2.0)
    assert 0 <= low <= successes / n <= high <= 1
    assert wilson(n - successes, n, z=2.0) == pytest.approx((1 - high, 1 - low))
    for end in (low, high):
        assert (successes / n - end) ** 2 == pytest.approx(2.0**2 * end * (1 - end) / n)


@given(st.integers(0, 300), st.integers(0, 300))
def test_mcnemar_is_the_binomial_sum(won: int, lost: int) -> None:
    tail = sum(math.comb(won + lost, i) for i in range(min(won, lost) + 1))
    assert mcnemar(won, lost) == float(min(Fraction(1), Fraction(2 * tail, 2 ** (won + lost))))


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_lies_between_the_p_values_and_bonferroni_and_keeps_their_order(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    for p_value, value in zip(p_values, adjusted, strict=True):
        assert p_value <= value <= min(1, len(p_values) * p_value)
    assert [value for _, value in sorted(zip(p_values, adjusted, strict=True))] == sorted(adjusted)
    assert holm(p_values[::-1]) == adjusted[::-1]


# Equality with scikit-learn, on random predictions full of ties and zeros


class Sample:
    """Random predictions of a number of classes, and the same as scikit-learn takes them."""

    def __init__(self, classes: int, documents: int, seed: int) -> None:
        chance = random.Random(seed)
        self.labels = [f"c{number:02}" for number in range(classes)]
        self.predictions = [self.prediction(chance) for _ in range(documents)]
        self.truths = [each.truth for each in self.predictions]
        self.answers = [each.answer for each in self.predictions]
        self.posteriors = [[each.posteriors[label] for label in self.labels] for each in self.predictions]
        self.counts = class_counts(confusion(self.predictions))

    def prediction(self, chance: random.Random) -> Prediction:
        weights = [chance.randrange(5) for _ in self.labels]
        weights[chance.randrange(len(weights))] += 1
        posteriors = {label: w / sum(weights) for label, w in zip(self.labels, weights, strict=True)}
        return predicted(chance.choices(self.labels, [w + 0.5 for w in weights])[0], **posteriors)


# The few documents for twenty classes leave many classes without a document or an answer.
SIZES = [(2, 80), (3, 80), (20, 300), (20, 12)]


@pytest.fixture(
    params=[(*size, seed) for size in SIZES for seed in range(4)], ids=lambda size: "-".join(map(str, size))
)
def sample(request: pytest.FixtureRequest) -> Sample:
    return Sample(*request.param)


def close(expected: object) -> object:
    return pytest.approx(expected, rel=0, abs=1e-9, nan_ok=True)


def none_as_nan(values: Sequence[float | None]) -> list[float]:
    return [math.nan if value is None else value for value in values]


def test_answers_equal_scikit_learn(sample: Sample) -> None:
    truths, answers, classes = sample.truths, sample.answers, sample.counts.values()
    assert accuracy(sample.predictions) == close(sk.accuracy_score(truths, answers))
    table = [list(row.values()) for row in confusion(sample.predictions).values()]
    assert table == sk.confusion_matrix(truths, answers).tolist()
    assert matthews(classes) == close(sk.matthews_corrcoef(truths, answers))
    assert kappa(classes) == close(sk.cohen_kappa_score(truths, answers))
    with warnings.catch_warnings(action="ignore"):  # it warns of classes that are answered but have no documents
        assert balanced_accuracy(classes) == close(sk.balanced_accuracy_score(truths, answers))


def test_ratios_of_each_class_equal_scikit_learn(sample: Sample) -> None:
    precision, recall, f1, support = sk.precision_recall_fscore_support(
        sample.truths, sample.answers, zero_division=math.nan
    )
    classes = sample.counts.values()
    assert none_as_nan([each.precision for each in classes]) == close(list(precision))
    assert none_as_nan([each.recall for each in classes]) == close(list(recall))
    assert none_as_nan([each.f1 for each in classes]) == close(list(f1))
    assert [each.support for each in classes] == list(support)


@pytest.mark.parametrize("average", [macro, micro, weighted])
def test_means_over_classes_equal_scikit_learn(sample: Sample, average: Callable[..., ClassCounts]) -> None:
    ours = average(sample.counts.values())
    *theirs, _ = sk.precision_recall_fscore_support(
        sample.truths, sample.answers, average=average.__name__, zero_division=0
    )
    assert (ours.precision, ours.recall, ours.f1) == close(tuple(theirs))


def test_posterior_measures_equal_scikit_learn(sample: Sample) -> None:
    truths, posteriors, labels = sample.truths, sample.posteriors, sample.labels
    assert log_loss(sample.predictions) == close(sk.log_loss(truths, posteriors, labels=labels))
    theirs = sk.brier_score_loss(truths, posteriors, labels=labels, scale_by_half=False)
    assert brier(sample.predictions) == close(theirs)


def test_brier_of_two_classes_is_twice_scikit_learns_default() -> None:
    sample = Sample(classes=2, documents=80, seed=9)
    positives = [row[1] for row in sample.posteriors]
    assert brier(sample.predictions) == close(2 * sk.brier_score_loss(sample.truths, positives, pos_label="c01"))


@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize(("classes", "documents"), [(6, 80), (20, 300)])
def test_top_k_equals_scikit_learn(classes: int, documents: int, k: int) -> None:
    sample = Sample(classes, documents, seed=k)
    # Labels numbered backwards, because scikit-learn lets the last of equal classes win.
    truths = [classes - 1 - sample.labels.index(truth) for truth in sample.truths]
    posteriors = [row[::-1] for row in sample.posteriors]
    theirs = sk.top_k_accuracy_score(truths, posteriors, k=k, labels=range(classes))
    assert top_k_accuracy(sample.predictions, k) == close(theirs)


def test_ranking_of_each_class_equals_scikit_learn(sample: Sample) -> None:
    for label in set(sample.truths):
        pairs = one_against_rest(sample.predictions, label)
        scores, positives = zip(*pairs, strict=True)
        assert roc_area(pairs) == close(sk.roc_auc_score(positives, scores))
        assert average_precision(pairs) == close(sk.average_precision_score(positives, scores))
        falses, trues, _ = sk.roc_curve(positives, scores, drop_intermediate=False)
        assert [*zip(*roc_points(pairs), strict=True)] == [close(tuple(falses)), close(tuple(trues))]
        precision, recall, _ = sk.precision_recall_curve(positives, scores)
        points = precision_recall_points(pairs)[::-1]
        assert [*zip(*points, strict=True)] == [close(tuple(recall[:-1])), close(tuple(precision[:-1]))]


@pytest.mark.parametrize(("classes", "documents"), [(3, 80), (20, 400)])
def test_the_macro_roc_area_equals_scikit_learn(classes: int, documents: int) -> None:
    sample = Sample(classes, documents, seed=1)
    areas = [roc_area(one_against_rest(sample.predictions, label)) for label in sample.labels]
    assert macro_area(areas) == close(sk.roc_auc_score(sample.truths, sample.posteriors, multi_class="ovr"))
