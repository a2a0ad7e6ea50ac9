"""The bench's arithmetic, parsing and tables; the corpus it draws; how it measures. No rival is installed or run."""

import doctest
import json
import math
import sys
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from .bench import (
    accuracy,
    choices,
    clock,
    contender,
    corpora,
    records,
    rounds,
    splits,
    statistics,
    synthetic,
    tables,
    targets,
)
from .bench.contender import Commands, Contender
from .bench.contenders import contenders
from .bench.contenders.bogofilter import Bogofilter
from .bench.contenders.ifile import Ifile
from .bench.contenders.nbtext import Nbtext, Tuned
from .bench.contenders.vowpal_wabbit import VowpalWabbit
from .bench.corpora import Corpus
from .bench.records import Measurement, Results
from .bench.scenario import MEMORY, Bound, Scenario, Side, rounds_of
from .bench.scripts import convert
from .bench.statistics import Filtering, Prediction
from .bench.synthetic import Recipe
from .bench.targets import MAIL_TARGETS

KINDS = contenders()
MAIL = {"spam/1": "spam", "spam/2": "spam", "ham/1": "ham", "ham/2": "ham"}


@pytest.mark.parametrize(
    "module",
    [accuracy, choices, corpora, records, splits, statistics, synthetic, tables],
    ids=lambda module: module.__name__,
)
def test_examples_in_docstrings_hold(module):
    result = doctest.testmod(module)
    assert (result.failed, result.attempted > 0) == (0, True)


# The drawn corpus


def digest(recipe: Recipe) -> str:
    whole = sha256()
    for text in synthetic.texts(recipe):
        whole.update(f"{text.label}/{text.number}\n".encode() + text.content)
    return whole.hexdigest()[:16]


def test_same_seed_gives_the_same_bytes_on_every_machine():
    assert digest(Recipe(200_000, vocabulary=100_000, classes=3, seed="a")) == "3fbd7c753d525467"


@pytest.mark.parametrize("change", [{"seed": "b"}, {"vocabulary": 99_999}, {"classes": 4}, {"share": 0.5}])
def test_every_setting_changes_the_bytes(change):
    recipe = Recipe(20_000, vocabulary=100_000, classes=3, seed="a")
    assert digest(recipe._replace(**change)) != digest(recipe)


def test_documents_are_drawn_one_at_a_time_however_large_the_corpus():
    texts = synthetic.texts(Recipe(10**15, vocabulary=5_000_000, classes=20))
    assert len(list(islice(texts, 10))) == 10


def test_size_is_reached_by_the_last_document():
    sizes = [len(text.content) for text in synthetic.texts(Recipe(50_000))]
    assert sum(sizes[:-1]) < 50_000 <= sum(sizes)


@pytest.mark.parametrize("size", [1, 2, 3, 50, 1000, 5_000_000])
def test_ranks_stay_within_the_vocabulary(size):
    drawn = list(islice(synthetic.ranks(Random(1).random, size), 2000))
    assert 0 <= min(drawn) <= max(drawn) < size
    assert next(synthetic.ranks(lambda: 0.0, size)) == 0
    assert next(synthetic.ranks(lambda: math.nextafter(1, 0), size)) == size - 1


def test_ranks_follow_zipfs_law():
    drawn = Counter(islice(synthetic.ranks(Random(1).random, 1000), 100_000))
    for low, high in (1, 10), (10, 100), (100, 1000):
        share = sum(drawn[rank] for rank in range(low - 1, high - 1)) / 100_000
        assert share == pytest.approx(math.log(high / low) / math.log(1001), rel=0.03)


def test_every_rank_has_a_spelling_of_its_own():
    around = [*range(30_000), *range(1_000_000, 1_020_000), *range(4_990_000, 5_000_000)]
    spelled = {synthetic.word(rank) for rank in around}
    assert len(spelled) == len(around)
    assert all(word.isascii() and word.isalpha() and word.islower() for word in spelled)


def test_classes_differ_in_the_probabilities_of_words():
    by_class: dict[str, Counter[str]] = {}
    for text in synthetic.texts(Recipe(300_000, vocabulary=100_000, classes=2, share=0.5)):
        by_class.setdefault(text.label, Counter()).update(text.content.decode().replace(".", "").split())
    first, second = by_class["class-001"], by_class["class-002"]
    assert any(first[word] > 20 * (second[word] + 1) for word in first)


def test_written_corpus_has_a_folder_per_class(tmp_path):
    documents = synthetic.write(tmp_path, Recipe(30_000, vocabulary=500, classes=3))
    files = corpora.files(tmp_path)
    assert len(files) == documents
    assert {file.label for file in files} == {"class-001", "class-002", "class-003"}


@pytest.mark.parametrize("size", ["", "M", "many", "1T", "1 GB"])
def test_sizes_that_are_none_are_refused(size):
    with pytest.raises(ValueError):  # noqa: PT011
        synthetic.size_of(size)


# The corpora


def test_split_is_three_quarters_of_each_class_and_always_the_same(corpus, tmp_path):
    whole = corpus({f"{label}/{number}": str(number) for label in ("ham", "spam") for number in range(8)}, "whole")
    for name in "once", "again":
        corpora.split(whole, tmp_path / name, seed=1)
    once = [file.path.relative_to(tmp_path / "once") for file in corpora.files(tmp_path / "once")]
    again = [file.path.relative_to(tmp_path / "again") for file in corpora.files(tmp_path / "again")]
    assert once == again
    assert Counter(path.parts[:2] for path in once) == {
        ("train", "ham"): 6,
        ("train", "spam"): 6,
        ("test", "ham"): 2,
        ("test", "spam"): 2,
    }
    assert {path.parts[1:] for path in once} == {(file.label, file.path.name) for file in corpora.files(whole)}


def test_another_seed_makes_another_split(corpus, tmp_path):
    whole = corpus({f"ham/{number}": "x" for number in range(40)}, "whole")
    for seed in corpora.SEEDS:
        corpora.split(whole, tmp_path / str(seed), seed)
    tested = {
        frozenset(file.path.name for file in corpora.files(tmp_path / str(seed) / "test")) for seed in corpora.SEEDS
    }
    assert len(tested) == len(corpora.SEEDS)


def test_sample_is_of_the_median_size(corpus):
    folder = corpus({"train/a/1": "x", "test/a/1": "x", "test/a/2": "x" * 500, "test/b/3": "x" * 20})
    assert Corpus("three", folder).sample.key == "b/3"


def test_missing_archive_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("NBTEXT_BENCH", str(tmp_path / "cache"))
    monkeypatch.setattr(corpora, "SHARED", tmp_path)
    with pytest.raises(corpora.UnavailableError, match=r"r8: there is no .*r8\.tar\.xz"):
        corpora.unpacked("r8")


def test_half_made_folder_is_never_there(tmp_path):
    def interrupted() -> None:
        with corpora.made(tmp_path / "new") as folder:
            (folder / "half").touch()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not (tmp_path / "new").exists()


# Statistics


def test_document_without_an_answer_is_wrong():
    assert statistics.accuracy({"a/1": "a", "a/2": "a"}, [Prediction("a/1", "a"), Prediction("z/9", "a")]) == 0.5


@given(
    st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1),
    st.lists(st.sampled_from([0.0, 0.25, 1.0]), min_size=1),
)
def test_roc_area_is_the_chance_to_rank_a_pair_rightly(positive, negative):
    wins = sum((p > n) + (p == n) / 2 for p in positive for n in negative)
    assert statistics.roc_area(positive, negative) == pytest.approx(wins / (len(positive) * len(negative)))


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (
            [("spam/1", "spam", 1.0), ("spam/2", "ham", 0.7), ("ham/1", "ham", 0.1), ("ham/2", "ham", 0.6)],
            [Filtering("own", 1, 0.0, 0.5, 1.0), Filtering("0.5", 1, 0.5, 1.0, 1.0)],
        ),
        (
            [("spam/1", "spam", 1.0), ("spam/2", "spam", 0.5), ("ham/1", "ham", 0.1), ("ham/2", "spam", 0.6)],
            [Filtering("own", 1, 0.5, 1.0, 0.75)],
        ),
        (
            [("spam/1", "spam", None), ("spam/2", "spam", None), ("ham/1", "spam", None), ("ham/2", "ham", None)],
            [Filtering("own", 1, 0.5, 1.0, None)],
        ),
        ([("spam/1", "spam", 0.9)], [Filtering("own", 1, 0.0, 0.5, None)]),
    ],
    ids=["unsure counts as ham, but not at 0.5", "0.5 is its own cutoff", "without scores", "without answers"],
)
def test_mail_is_judged_by_errors_ham_lost_and_spam_caught(answers, expected):
    assert statistics.filterings(MAIL, [Prediction(*answer) for answer in answers]) == expected


# Contenders


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_contender_says_what_is_fair_and_what_is_not(kind):
    starts = [line.split(":")[0].strip() for line in (kind.__doc__ or "").splitlines()]
    assert {"Fair", "Unfair"} <= set(starts)


@pytest.mark.parametrize(
    ("named", "series"),
    [({contender for contender, _ in splits.ROWS}, corpora.SPLITS), (set(accuracy.COLUMNS), corpora.ACCURACY)],
    ids=["splits", "accuracy"],
)
def test_tables_name_contenders_that_exist(named, series):
    assert named <= {name for name, kind in KINDS.items() if series in kind.series}


Entered = Callable[[type[Contender]], Contender]


@pytest.fixture
def entered(corpus, tmp_path) -> Entered:
    folder = corpus({"train/ham/1": "a", "train/spam/1": "b", "test/ham/1": "c", "test/spam/2": "d"})

    def of(kind: type[Contender]) -> Contender:
        return kind(Corpus("small", folder, corpora.MAIL), tmp_path / "work", Path(sys.executable))

    return of


@pytest.mark.parametrize(
    ("kind", "printed", "expected"),
    [
        (
            Contender,
            "spam\t0.9\t/c/test/spam/2\nham\t0.75\t/c/test/ham/1\nham\t\t/c/test/ham/3\n",
            [Prediction("spam/2", "spam", 0.9), Prediction("ham/1", "ham", 0.25), Prediction("ham/3", "ham")],
        ),
        (VowpalWabbit, "2\n1\n", [Prediction("ham/1", "spam"), Prediction("spam/2", "ham")]),
        (
            Bogofilter,
            "/a b/test/ham/1 0.98\n/a b/test/spam/2 0.99\n",
            [Prediction("ham/1", "ham", 0.98), Prediction("spam/2", "spam", 0.99)],
        ),
        (Ifile, "/a b/test/ham/1 spam\n", [Prediction("ham/1", "spam")]),
    ],
    ids=["tabs", "Vowpal Wabbit's numbers", "bogofilter's scores", "ifile's labels"],
)
def test_answers_are_read(entered, tmp_path, kind, printed, expected):
    (tmp_path / "answers").write_text(printed)
    assert list(entered(kind).predictions(tmp_path / "answers")) == expected


def test_names_that_nbtext_shows_escaped_are_recognised(corpus, tmp_path):
    folder = corpus({"train/ham/1": "a", "test/ham/odd\udc8d": "b"})
    (tmp_path / "answers").write_text("ham\t0.9\t/c/test/ham/odd\\x8d\n")
    entrant = Nbtext(Corpus("odd", folder), tmp_path / "work", Path(sys.executable))
    assert [answer.key for answer in entrant.predictions(tmp_path / "answers")] == ["ham/odd\udc8d"]


def test_what_evaluate_finds_is_how_mail_was_sorted(entered, tmp_path):
    counts = {"spam": 4, "ham": 10, "misses": 1, "false_alarms": 2}
    found = {
        "figures": {"accuracy": {"value": 0.8}, "roc_area": {"value": 0.9}, "calibration_error": {"value": 0.02}},
        "mail": {"counts": counts, "ceiling": {"counts": counts | {"misses": 3, "false_alarms": 0}}},
    }
    (tmp_path / "answers").write_text(json.dumps(found))
    judged = entered(Tuned).judged(tmp_path / "answers")
    assert (judged.accuracy, judged.calibration_error) == (0.8, 0.02)
    assert judged.filterings == [Filtering("own", 3, 0.2, 0.75, 0.9), Filtering("chosen", 3, 0.0, 0.25, 0.9)]


def test_environment_is_as_old_as_what_it_was_made_from(corpus):
    folder = corpus({"nbtext/a.py": "1", "pyproject.toml": ""})
    before = contender.fingerprint((str(folder), "numpy<2"))
    assert contender.fingerprint((str(folder), "numpy<2")) == before
    (folder / "nbtext" / "a.py").write_text("2")
    assert contender.fingerprint((str(folder), "numpy<2")) != before


def test_texts_are_converted_to_lines(corpus, tmp_path):
    folder = corpus({"b/1": "Now: a|b,\n__C__ 9", "a/2": "caf\u00e9".encode("latin-1")})
    convert.main("vw", folder, tmp_path / "vw", "--unlabelled")
    assert (tmp_path / "vw").read_text(encoding="utf-8").splitlines() == ["| caf\u00e9", "| now a b __c__ 9"]
    convert.main("fasttext", folder, tmp_path / "ft")
    lines = (tmp_path / "ft").read_text(encoding="utf-8").splitlines()
    assert sorted(lines) == ["__label__a caf\u00e9", "__label__b now a b __c__ 9"]


# Measuring

HOLD = "import time; held = b'x' * 60_000_000; time.sleep(0.1)"


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc, which is not here")
def test_memory_of_grandchildren_counts(tmp_path):
    commands = [["sh", "-c", '"$0" -c "$1"; true', sys.executable, HOLD], ["true"]]
    took = clock.measured(commands, tmp_path, tmp_path / "out", {})
    assert 60_000_000 < took.memory < 120_000_000
    assert 0 < took.cpu < took.seconds
    assert took.seconds > 0.1


def test_failure_says_what_the_command_complained(tmp_path):
    commands = [["sh", "-c", "echo first >&2; echo no such model >&2; exit 3"]]
    with pytest.raises(clock.CommandError, match=r"^sh ended with status 3: no such model$"):
        clock.measured(commands, tmp_path, tmp_path / "out", {})
    clock.measured(commands, tmp_path, tmp_path / "out", {}, successes=(0, 3))


class Steady(Contender):
    """Writes a model, answers with it, changes only the copy of it."""

    name = "steady"
    packages: ClassVar = ()

    def train(self) -> Commands:
        return [["sh", "-c", "echo 1 > model"]]

    def bulk(self) -> Commands:
        test = self.corpus.test
        return [["printf", r"spam\t1\t%s\n", *(test / name for name in ("ham/1", "spam/2"))]]

    def cold(self) -> Commands:
        return [["cat", "model"]]

    def learn(self) -> Commands:
        return [["sh", "-c", "echo 2 >> copy; wc -l < copy; exec cat model"]]


class Failing(Steady):
    """Cannot classify."""

    name = "failing"

    def bulk(self) -> Commands:
        return [["false"]]


class Slow(Steady):
    """One round is enough."""

    name = "slow"
    most = 1


def test_rounds_are_interleaved_and_who_fails_is_left_out(entered, tmp_path):
    field = {kind.name: entered(kind) for kind in (Steady, Failing, Slow)}
    for name, who in field.items():
        who.folder = tmp_path / name
        who.model, who.copy = who.folder / "model", who.folder / "copy"
    said: list[str] = []
    found = list(rounds.interleaved(field["steady"].corpus, field, 2, said.append))
    order = [(m.measure, m.round, m.contender) for m in found]
    assert order[:4] == [("train", 0, "steady"), ("train", 0, "failing"), ("train", 0, "slow"), ("train", 1, "steady")]
    assert Counter((m.contender, m.measure) for m in found) == {
        ("steady", "train"): 2,
        ("steady", "bulk"): 2,
        ("steady", "cold"): 8,
        ("steady", "learn"): 8,
        ("failing", "train"): 2,
        ("slow", "train"): 1,
        ("slow", "bulk"): 1,
        ("slow", "cold"): 1,
        ("slow", "learn"): 1,
    }
    assert "failing is left out of small: false ended with status 1: it said nothing" in said
    assert (tmp_path / "steady" / "learn.out").read_text() == "2\n1\n", "learning began with a fresh copy of the model"
    bulk = next(m for m in found if m.measure == "bulk")
    assert (bulk.accuracy, bulk.documents, bulk.filterings[0].ham_lost) == (0.5, 2, 1.0)
    assert next(m for m in found if m.measure == "train").model == 2


# Records and tables


def results(*figures: tuple[str, str, str, float]) -> Results:
    """Measurements of (corpus, contender, measure, seconds), each with half the time on the processor and 200 MB."""
    return Results(
        {},
        [
            Measurement(corpus, contender, measure, 0, seconds, seconds / 2, 200_000_000, 10, 1000)
            for corpus, contender, measure, seconds in figures
        ],
    )


def cells(printed: str) -> list[list[str]]:
    """The heads and the rows of a table."""
    heads, _, *rows = printed.splitlines()
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in (heads, *rows)]


def test_kept_run_is_read_back(tmp_path):
    whole = Measurement("c", "vw", "bulk", 1, 0.25, 0.5, 5, 2, 9, None, 0.5, [Filtering("own", 1, 0.0, 0.5, None)])
    kept = [whole, Measurement("c", "vw", "train", 0, 1.5, 1.0, 7, 2, 9, 1000)]
    lines = [records.line({"commit": "0"}), *map(records.line, kept)]
    (tmp_path / "run.jsonl").write_text("\n".join(lines) + "\n")
    again = records.read(tmp_path / "run.jsonl")
    assert (again.about, again.measurements[0]) == ({"commit": "0"}, whole)
    assert again.measurements[1]._replace(filterings=()) == kept[1]


def test_run_says_nothing_that_names_the_machine():
    about = records.about({"vw": "9"}, 5)
    assert about.keys() == {"time", "commit", "rounds", "machine", "load", "versions"}
    assert about["machine"].keys() == {"cpu", "cores", "memory", "system", "python"}


def test_median_of_rounds_and_highest_memory():
    several = results(*(("c", "vw", "train", seconds) for seconds in (3.0, 1.0, 2.0)))
    assert several.seconds("c", "vw", "train") == 2.0
    assert several.seconds("c", "vw", "bulk") is None
    assert several.memory("c", "vw") == 200_000_000


def side(name: str, script: str, **more: Any) -> Side:
    return Side(name, [["sh", "-c", script]], **more)


def test_scenario_is_measured_beside_all_that_bound_it(monkeypatch, tmp_path):
    monkeypatch.setenv("NBTEXT_BENCH", str(tmp_path))
    said: list[str] = []
    task = Scenario(
        "copy",
        side("nbtext", 'test "$KERNEL" = plain && cat ready', environment={"KERNEL": "plain"}),
        [
            Bound(2, side("cp", "cat ready")),
            Bound(1.5, side("cp", "cat ready"), MEMORY),
            Bound(1, side("broken", "exit 3")),
            Bound(1, side("picky", "exit 3", successes=(0, 3))),
            Bound(1, Side("a minute", took=clock.Took(60, 60, 0))),
        ],
        before=[["touch", "ready"]],
    )
    found = list(rounds_of(task, 2, said.append))
    assert [(m.contender, m.measure, m.round, m.limit) for m in found[:5]] == [
        ("nbtext", "clock", 0, None),
        ("cp", "clock", 0, 2),
        ("cp", "memory", 0, 1.5),
        ("picky", "clock", 0, 1),
        ("a minute", "clock", 0, 1),
    ]
    assert found[1].seconds == found[2].seconds, "a side is run once a round, however many bounds it gives"
    assert [m.round for m in found[5:]] == [1] * 5
    assert "copy: broken is left out: sh ended with status 3: it said nothing" in said


def test_scenario_in_which_nbtext_fails_ends(monkeypatch, tmp_path):
    monkeypatch.setenv("NBTEXT_BENCH", str(tmp_path))
    assert not list(rounds_of(Scenario("copy", side("nbtext", "exit 1"), [Bound(1, side("cp", "true"))]), 2, print))


def test_bounds_are_medians_of_the_ratios_of_rounds():
    def run(contender: str, number: int, seconds: float, limit: float | None = None) -> Measurement:
        return Measurement("copy", contender, "clock", number, seconds, seconds, 100, 0, 0, limit=limit)

    slow_minute = 100.0  # in which both are slow
    found = Results(
        {},
        [
            *(run("nbtext", 0, 1.0), run("cp", 0, 2.0, 0.75), run("2 s", 0, 2.0, 1.0)),
            *(run("nbtext", 1, slow_minute), run("cp", 1, 2 * slow_minute, 0.75), run("2 s", 1, 2.0, 1.0)),
            *(run("nbtext", 2, 3.0), run("cp", 2, 2.0, 0.75), run("2 s", 2, 2.0, 1.0)),
        ],
    )
    assert cells(tables.scenarios(found))[1:] == [
        ["copy", "3.00", "cp", "0.75", "0.500", "0.500", "1.00"],
        ["copy", "3.00", "2 s", "1", "1.50", "1.50", "1.00"],
    ]
    assert (found.corpora(), found.scenarios()) == ([], ["copy"])


def sorted_mail(contender: str, split: int, *filterings: Filtering) -> Measurement:
    """How a contender sorted the hundred messages of a split."""
    return Measurement(f"splits-{split}", contender, "bulk", 0, 1.0, 1.0, 1, 100, 1000, filterings=filterings)


SORTED = [
    sorted_mail("bogofilter", 0, Filtering("own", 4, 0.0, 0.92, 0.99), Filtering("0.5", 2, 0.02, 0.98, 0.99)),
    sorted_mail("nbtext-tuned", 0, Filtering("own", 0, 0.0, 1.0, 1.0), Filtering("chosen", 2, 0.0, 0.96, 1.0)),
    sorted_mail("bogofilter", 1, Filtering("own", 2, 0.0, 0.96, 0.98), Filtering("0.5", 1, 0.02, 1.0, 0.98)),
    sorted_mail("nbtext-tuned", 1, Filtering("own", 3, 0.02, 0.96, 0.9998), Filtering("chosen", 4, 0.0, 0.92, 0.9998)),
]


def test_splits_are_summed_up():
    _, *rows = cells(tables.splits(Results({}, SORTED)))
    assert [[row[0], *row[2:5]] for row in rows] == [
        ["bogofilter, default cutoffs", "6 (4, 2)", "97.00 ±1.41", "0.00 ±0.00"],
        ["bogofilter, 0.5", "3 (2, 1)", "98.50 ±0.71", "2.00 ±0.00"],
        ["nbtext, tuned", "3 (0, 3)", "98.50 ±2.12", "1.00 ±1.41"],
        ["nbtext, tuned, threshold chosen", "6 (2, 4)", "97.00 ±1.41", "0.00 ±0.00"],
    ]
    assert [(row[1], *row[5:]) for row in rows[1:3]] == [
        ("2", "99.00 ±1.41", "0.98500 ±0.00707"),
        ("2", "98.00 ±2.83", "0.99990 ±0.00014"),
    ]


def test_mail_targets_are_bounds_on_the_means():
    values = [target.value(Results({}, SORTED)) for target in MAIL_TARGETS]
    assert values == pytest.approx([1.5, 0.0001, 0.0, 6.0, 0.5, 1.0])
    assert [target.value(Results({}, SORTED[::2])) for target in MAIL_TARGETS] == [None] * len(MAIL_TARGETS)


def answered(corpus: str, contender: str, documents: int, **more: Any) -> Measurement:
    """How a contender answered a split."""
    return Measurement(f"accuracy-{corpus}", contender, "bulk", 0, 1.0, 1.0, 1, documents, 1000, **more)


def test_accuracy_is_the_mean_over_splits_and_of_mail_at_even_odds():
    careful = [Filtering("own", 40, 0.0, 0.2, 0.99), Filtering("0.5", 1, 0.0, 0.98, 0.99)]
    found = Results(
        {},
        [
            answered("film-reviews-0", "nbtext", 500, accuracy=0.8),
            answered("film-reviews-1", "nbtext", 500, accuracy=0.7),
            answered("film-reviews-0", "nbtext-tuned", 500, accuracy=0.9, calibration_error=0.03),
            answered("film-reviews-1", "nbtext-tuned", 500, accuracy=0.88, calibration_error=0.04),
            answered("mail-0", "bogofilter", 100, accuracy=0.6, filterings=careful),
        ],
    )
    reviews, mail = (dict(zip(accuracy.HEADS, row, strict=True)) for row in accuracy.rows(found))
    empty = dict.fromkeys(accuracy.HEADS, "")
    assert reviews == empty | {
        "right, %": "film-reviews",
        "tested": "1,000",
        "nbtext": "75.0",
        "nbtext --tune": "89.0",
        "calibration error of --tune": "0.035",
    }
    assert mail == empty | {"right, %": "mail", "tested": "100", "bogofilter": "99.0"}


@pytest.mark.parametrize(("size", "seeds"), [(115, 6), (200, 3), (600, 1), (6000, 1)])
def test_small_corpora_are_parted_until_enough_documents_are_tested(corpus, monkeypatch, size, seeds):
    monkeypatch.setattr(corpora, "TESTED", 150)
    assert corpora.seeds(corpus({f"a/{number}": "x" for number in range(size)}, "whole")) == seeds


def test_choice_is_shown_beside_the_best_with_what_chance_does():
    found = choices.Choice("news", "binary", 0.5, "complement", 0.75, (-0.1, 0.25, 0.6))
    assert found.row == ["news", "binary", "0.5000", "complement", "0.7500", "0.2500", "-0.1000 to 0.6000"]
    assert found._replace(behind=(0.0, 0.0, 0.0)).row[-2:] == ["0.0000", ""]


def test_every_figure_is_beside_accuracy_and_documents():
    measured = results(("c", "vw", "train", 3.0), ("c", "nbtext", "train", 1.5), ("c", "bare", "cold", 0.03))
    heads, *rows = cells(tables.figures(measured, "c"))
    assert [dict(zip(heads, row, strict=True)) for row in rows] == [
        dict.fromkeys(heads, "") | {"contender": "bare", "cold ms": "30.0", "documents": "1", "rounds": "1"},
        *(
            dict.fromkeys(heads, "")
            | {
                "contender": name,
                "train s": wall,
                "train CPU s": cpu,
                "peak MB": "200",
                "documents": "10",
                "rounds": "1",
            }
            for name, wall, cpu in (("nbtext", "1.50", "0.750"), ("vw", "3.00", "1.50"))
        ),
    ]
    assert heads[-3:] == ["accuracy %", "documents", "rounds"]


def test_ratios_are_to_the_bounds_and_to_nbtext():
    measured = results(("c", "vw", "train", 3.0), ("c", "nbtext", "train", 1.5), ("c", targets.PASS, "train", 0.5))
    _, *rows = cells(tables.ratios(measured, "c"))
    assert [[row[0], row[1], row[4]] for row in rows] == [
        ["physical-pass", "1.00", "0.333"],
        ["nbtext", "3.00", "1.00"],
        ["vw", "6.00", "2.00"],
    ]
