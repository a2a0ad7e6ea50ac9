"""The bench's corpora, arithmetic and parsing; how it measures. No rival is installed or run."""

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
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from .bench import accuracy, choices, clock, contender, corpora, records, rounds, splits, statistics, synthetic, tables
from .bench.contender import Commands, Contender
from .bench.contenders import contenders
from .bench.contenders.bogofilter import Bogofilter
from .bench.contenders.ifile import Ifile
from .bench.contenders.nbtext import Nbtext, Tuned
from .bench.contenders.vowpal_wabbit import VowpalWabbit
from .bench.corpora import Corpus
from .bench.scripts import convert
from .bench.statistics import Filtering, Prediction
from .bench.synthetic import Recipe

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


@pytest.mark.parametrize(("size", "seeds"), [(115, 6), (200, 3), (600, 1), (6000, 1)])
def test_small_corpora_are_parted_until_enough_documents_are_tested(corpus, monkeypatch, size, seeds):
    monkeypatch.setattr(corpora, "TESTED", 150)
    assert corpora.seeds(corpus({f"a/{number}": "x" for number in range(size)}, "whole")) == seeds


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
