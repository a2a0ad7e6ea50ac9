"""The model file: same bytes for the same corpus, damage found, replaced whole or not at all, shared by processes."""

import os
import random
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import Analysis, Classifier, Decision, Document, Hyperparameters, Model, ModelError, train, train_documents
from nbtext.counting import runs
from nbtext.counting.rows import Row, text
from nbtext.model.arrays import load
from nbtext.model.exchange import exported, fingerprint, imported
from nbtext.model.verifying import verify
from nbtext.storage import opening
from nbtext.storage.blocks import BLOCK, in_parts
from nbtext.storage.opening import folder_locked, open_store
from nbtext.storage.replacing import create_store
from nbtext.storage.sample import bag_of
from nbtext.storage.schema import APPLICATION_ID, VERSION
from nbtext.storage.store import Store
from nbtext.training.learning import LEARNED, learn

from ..fault.flips import wrong_answers
from ..shell import ROOT, pinned
from ..small import EXAMPLES

SMALL = {"ham": ["lunch at noon", "see you at the lunch"], "spam": ["win cash now win"], "zoo": ["the lion"]}
QUESTIONS = ["lunch win zebra the", "at cash now", "noon lion", "", "unheard of aardvark zzz"]
READING = Hyperparameters(stopwords=frozenset(["the"]))

fork = get_context("fork")


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A small model's file."""
    path = str(tmp_path / "model")
    train_documents(SMALL, path, hyperparameters=READING).close()
    return path


def answers(path: str, questions: list[str] = QUESTIONS) -> list[Decision]:
    """What the model in the file says, by an event model that reads positions and one that reads the spread."""
    with closing(Model.open(path)) as model:
        readings = [model.hyperparameters._replace(event_model=name) for name in ("multinomial", "bernoulli")]
        return [Classifier(model, reading)(question) for reading in readings for question in questions]


def text_file(path: str) -> None:
    Path(path).write_text("hello\n" * 100)


def append(path: str) -> None:
    with open(path, "ab") as file:
        file.write(b"more")


def sql(*statements: str) -> Callable[[str], None]:
    def change(path: str) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            for statement in statements:
                connection.execute(statement)

    return change


def another_database(path: str) -> None:
    os.unlink(path)
    sql("CREATE TABLE setting (name, value)")(path)


# The same file


def test_a_corpus_gives_the_same_bytes_in_any_order_of_files_locale_and_hash_seed(tmp_path: Path):
    texts = {(label, f"{n}.txt"): f"{label} w{n} w{n * n} éa" for label in ("ham", "späm") for n in range(30)}
    models = []
    for order, environment in enumerate(
        [{}, {"PYTHONHASHSEED": "7", "LC_ALL": "C"}, {"PYTHONHASHSEED": "8", "LC_ALL": "tr_TR.UTF-8"}]
    ):
        for label, name in sorted(texts, reverse=order % 2 > 0):
            file = tmp_path / str(order) / "corpus" / label / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(texts[label, name])
        subprocess.run(
            [sys.executable, "-c", "import nbtext; nbtext.train('corpus', 'model')"],
            cwd=tmp_path / str(order),
            env=pinned() | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"} | environment,
            check=True,
        )
        models.append((tmp_path / str(order) / "model").read_bytes())
    assert models[0] == models[1] == models[2]


def test_a_model_read_again_answers_to_the_last_digit(path: str):
    assert answers(path)[: len(QUESTIONS)] == [
        Classifier(train_documents(SMALL, hyperparameters=READING))(question) for question in QUESTIONS
    ]


@pytest.mark.parametrize(
    "label", ["not spam", "-rf", "--help", "日本", "a:b|c", "NA", "01", "1", "\udcff", "a\nb\tc", "'\"", "None"]
)
def test_any_folder_name_is_a_label(label: str, tmp_path: Path):
    for folder, word in ((label, "red"), ("other", "blue")):
        (tmp_path / "corpus" / folder).mkdir(parents=True)
        (tmp_path / "corpus" / folder / "1.txt").write_text(word)
    path = str(tmp_path / "model")
    train(str(tmp_path / "corpus"), path).close()
    with closing(Model.open(path, writable=True)) as model:
        learn(model, label, [Document([("", "red sky")])])
        assert Classifier(model)("red").label == label


@pytest.mark.parametrize(
    "name", ["model", "a b", "100%", "what?", "#1", "mödel", "\udcff", "-", "file:x?mode=memory", "'"]
)
def test_any_file_name_is_a_place(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    train_documents(SMALL, name, hyperparameters=READING).close()
    assert [file.name for file in tmp_path.iterdir()] == [name]
    assert answers(name)[0].label == "ham"


def test_bags_survive():
    assert bag_of("10 1\n1 free offer\n2 win") == {"1": 10, "free offer": 1, "win": 2}


# What is no model

NO_MODEL = {
    "missing": (os.unlink, "no model at .*; make one with: nbtext train"),
    "empty": (lambda path: os.truncate(path, 0), r"damaged \(the file is empty\)"),
    "text": (text_file, "not a model of nbtext .another kind of file.; was another path meant"),
    "cut off in its head": (lambda path: os.truncate(path, 60), "damaged"),
    "cut off by a page": (lambda path: os.truncate(path, os.path.getsize(path) - 4096), "damaged"),
    "another database": (another_database, "not a model of nbtext .another SQLite database."),
    "newer": (sql("PRAGMA user_version = 3"), r"made by a newer nbtext \(format 3; this one reads 2\); upgrade"),
    "older": (
        sql("PRAGMA user_version = 1"),
        r"made by an older nbtext \(format 1; this one reads 2\); train it again, or export it with",
    ),
    "a table more": (sql("CREATE TABLE more (x)"), "its tables are not those of a model"),
    "a table less": (sql("DROP TABLE learned"), "its tables are not those of a model"),
    "a view instead": (sql("DROP TABLE learned", "CREATE VIEW learned AS SELECT 1, 2, 3"), "its tables are not those"),
    "a trigger": (
        sql("CREATE TRIGGER t AFTER INSERT ON block BEGIN DELETE FROM class; END"),
        "its tables are not those",
    ),
    "an index": (sql("CREATE INDEX i ON class (label)"), "its tables are not those"),
    "something after its end": (append, r"damaged \(there are bytes after its end\)"),
    "a class less": (sql("DELETE FROM class WHERE id = 2"), "rows are missing"),
    "a stopword less": (sql("DELETE FROM excluded"), "rows are missing"),
    "a setting less": (sql("DELETE FROM setting WHERE name = 'alpha'"), "damaged .setting 'alpha'"),
    "a changed setting": (sql("UPDATE setting SET value = 2.0 WHERE name = 'alpha'"), "does not match its checksum"),
}  # fmt: skip


@pytest.mark.parametrize("writable", [False, True])
@pytest.mark.parametrize(("change", "reason"), NO_MODEL.values(), ids=NO_MODEL)
def test_what_is_no_model_is_refused_in_a_sentence(
    change: Callable[[str], None], reason: str, writable: bool, path: str
):
    change(path)
    with pytest.raises(ModelError, match=reason) as refusal:
        Model.open(path, writable=writable)
    assert path in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_folder_is_no_model(tmp_path: Path):
    with pytest.raises(ModelError, match="Is a directory"):
        Model.open(str(tmp_path))


@pytest.mark.parametrize(("block", "token"), [(0, "w000"), (1, "w040"), (1, "never seen w040"), (3, "zebra")])
def test_a_lost_block_is_damage_and_its_tokens_are_not_unknown(block: int, token: str, tmp_path: Path):
    path = stored(tmp_path, {f"w{n:03}": [0, 1, 1] for n in range(4 * BLOCK)})
    sql(f"DELETE FROM block WHERE first = (SELECT first FROM block ORDER BY first LIMIT 1 OFFSET {block})")(path)
    with closing(open_store(path)) as store:
        with pytest.raises(ModelError, match=r"damaged .* missing"):
            store.rows(token.split())
        with pytest.raises(ModelError, match=r"damaged .* missing"):
            list(store.tokens())


def test_a_lost_row_of_the_spread_is_damage(path: str):
    sql("DELETE FROM spread WHERE class = 1")(path)
    with pytest.raises(ModelError, match="its totals do not add up"):
        answers(path)


# Blocks of tokens

TOKENS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=3)
ROWS = st.dictionaries(TOKENS, st.integers(1, 9).map(lambda count: [0, count, 1]), max_size=3 * BLOCK)
NUMBERED = {f"w{n:03}": [0, n, 1] for n in range(1, 5 * BLOCK)}


def stored(folder: Path, rows: dict[str, Row], part: int = 1000) -> str:
    """The file of a model of these tokens, written in parts of some size, that has no class."""
    path = str(folder / f"tokens-{part}")
    tokens = sorted(rows)
    with create_store(path) as store:
        store.add_tokens(
            ("".join(f"{token}\n" for token in some), "".join(f"{text(rows[token])}\n" for token in some))
            for start in range(0, len(tokens), part)
            if (some := tokens[start : start + part])
        )
    return path


def in_memory(rows: dict[str, Row]) -> Store:
    with create_store(None) as store:
        store.add_tokens(in_parts((token, text(rows[token])) for token in sorted(rows)))
    return store


def block_sizes(store: Store) -> list[int]:
    return [tokens.count("\n") for tokens, _ in store.parts()]


@pytest.mark.parametrize("count", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK + 5])
def test_tokens_are_kept_in_the_same_bytes_whatever_parts_they_come_in(count: int, tmp_path: Path):
    rows = dict(islice(NUMBERED.items(), count))
    files = [Path(stored(tmp_path, rows, part)).read_bytes() for part in (1, 7, BLOCK, 1000)]
    assert files.count(files[0]) == len(files)
    with closing(open_store(str(tmp_path / "tokens-1"))) as store:
        assert list(store.tokens()) == list(rows.items())
        assert block_sizes(store) == [BLOCK] * (count // BLOCK) + [count % BLOCK] * (count % BLOCK > 0)


@given(rows=ROWS, changes=ROWS, gone=st.sets(TOKENS), data=st.data())
def test_changed_tokens_are_found_and_all_others_are_unknown(rows, changes, gone, data):
    store = in_memory(rows)
    gone |= set(data.draw(st.lists(st.sampled_from(sorted(rows))))) if rows else set()
    store.change_tokens([*changes.items(), *((token, []) for token in gone - set(changes))])
    expected = {token: row for token, row in (rows | changes).items() if token not in gone - set(changes)}
    assert list(store.tokens()) == sorted(expected.items())
    assert store.rows([*rows, *changes, *gone, "unknown"]) == expected
    store.integrity()


def test_a_block_that_grows_beyond_twice_its_size_is_split():
    store = in_memory({"a": [0, 1, 1], "z": [0, 1, 1]})
    store.change_tokens(islice(NUMBERED.items(), 2 * BLOCK - 2))
    assert block_sizes(store) == [2 * BLOCK]
    store.change_tokens([("y", [0, 1, 1])])
    assert block_sizes(store) == [BLOCK, BLOCK, 1]


def test_a_block_goes_with_its_last_token_unless_it_is_the_first():
    store = in_memory(NUMBERED)
    for token in list(NUMBERED)[: 3 * BLOCK]:
        store.change_tokens([(token, [])])
    assert block_sizes(store) == [BLOCK, BLOCK - 1]
    assert store.connection.execute("SELECT first, length(tokens) FROM block ORDER BY first LIMIT 1").fetchall() == [
        ("", 0)
    ]
    store.change_tokens((token, []) for token in NUMBERED)
    assert block_sizes(store) == []
    assert store.rows(NUMBERED) == {}


def test_a_token_with_a_line_break_is_no_token():
    with pytest.raises(ValueError, match="a line break"):
        in_memory({"at\nnoon": [0, 1, 1]})


@pytest.mark.parametrize("token", ["", "at\0noon", "at\rnoon", "\x85", "\x7f", "\ud800", "\n"])
def test_an_empty_token_or_one_with_a_control_character_is_no_token(token: str):
    store = in_memory({"at": [0, 1, 1]})
    with pytest.raises(ValueError, match="no tokenizer may make"):
        store.change_tokens([(token, [0, 1, 1])])
    for tokens in [{token: [0, 1, 1]}, {token: [0, 1, 1], "\ue000": [0, 1, 1]}, {"!": [0, 1, 1], token: [0, 1, 1]}]:
        with pytest.raises(ValueError, match="no tokenizer may make"):
            in_memory(tokens)


@pytest.mark.parametrize("token", ["\u2028", "\u202eat", "\ufeff", "\u0378", "\U0010ffff", "a b", "\xad"])
def test_any_other_token_is_stored_exactly(token: str):
    store = in_memory({token: [0, 2, 1]})
    assert [*store.tokens()] == [(token, [0, 2, 1])]
    store.change_tokens([(token, []), (f"{token}x", [0, 1, 1])])
    assert store.rows([token, f"{token}x"]) == {f"{token}x": [0, 1, 1]}


IMPOSSIBLE = {
    "tokens not sorted": (("", "noon\nat", "0,1,1\n0,1,1", None), "are not sorted"),
    "a token twice": (("", "at\nat", "0,1,1\n0,1,1", None), "are not sorted"),
    "a token after the last of its own": (("", "at\nnoon", "0,1,1\n0,1,1", "lunch"), "are not sorted"),
    "fewer counts than tokens": (("", "at\nnoon", "0,1,1", None), "2 tokens have 1 counts"),
    "a next block that is not there": (("", "at", "0,1,1", "lunch"), "from 'lunch' on are missing"),
    "no first block": (("at", "at", "0,1,1", None), "from '' on are missing"),
    "counts that are not numbers": (("", "at", "0,one,1", None), "the counts of 'at' are not numbers"),
    "half a row of counts": (("", "at", "0,1", None), "the counts of 'at' are impossible"),
    "more documents than occurrences": (("", "at", "0,1,2", None), "the counts of 'at' are impossible"),
    "a number with a space": (("", "at", "0, 1,1", None), "the counts of 'at' are not numbers"),
    "a number in digits of another script": (("", "at", "0,\uff11,1", None), "the counts of 'at' are not numbers"),
    "tokens that are bytes": (("", b"at", "0,1,1", None), "a row that is not text"),
    "counts that are bytes": (("", "at", b"0,1,1", None), "a row that is not text"),
}


@pytest.mark.parametrize(("block", "reason"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_block_that_cannot_be_is_damage_though_its_checksum_is_right(
    block: tuple[str | bytes | None, ...], reason: str
):
    store = with_blocks(block)
    with pytest.raises(ModelError, match=reason):
        list(store.tokens())
    with pytest.raises(ModelError, match="damaged"):
        load(store, [9])


def test_a_block_whose_next_is_bytes_is_damage():
    store = with_blocks(("", "at", "0,1,1", b"lunch"), ("lunch", "noon", "0,1,1", None))
    for read in (lambda: list(store.tokens()), lambda: load(store, [9]), lambda: store.rows(["at"])):
        with pytest.raises(ModelError, match="a row that is not text"):
            read()


def test_a_block_without_tokens_has_none_however_it_is_read():
    store = with_blocks(("", "at", "0,1,1", "lunch"), ("lunch", "", "", None))
    assert store.rows(["at", "noon"]) == dict(store.tokens()) == {"at": [0, 1, 1]}
    assert load(store, [9]).tokens == ["at"]


def with_blocks(*blocks: tuple[str | bytes | None, ...]) -> Store:
    store = in_memory({})
    store.delete("block")
    store.put("block", blocks)
    return store


# Damage


@pytest.mark.parametrize("heads", [False, True])
def test_after_a_flipped_bit_every_command_answers_as_before_or_says_that_the_model_is_damaged(heads: bool):
    counts: Counter[str] = Counter()
    assert list(wrong_answers(EXAMPLES, 1, counts, heads=heads)) == []
    assert counts["classify: as before"] > counts["classify: damaged"] > 0


def test_every_flipped_bit_of_a_row_is_found_by_a_check_of_all(path: str):
    whole = Path(path).read_bytes()
    start = whole.index(b"at\ncash\n")
    end = whole.index(b"1,1,1", start) + 5
    for at in range(start, end):
        flipped = bytearray(whole)
        flipped[at] ^= 4
        Path(path).write_bytes(flipped)
        assert_damaged(path)


def assert_damaged(path: str) -> None:
    with pytest.raises(ModelError, match="damaged"), closing(Model.open(path)) as model:
        model.store.integrity()


def test_no_cut_off_file_gives_a_wrong_answer(path: str):
    whole = Path(path).read_bytes()
    for length in range(0, len(whole), 256):
        Path(path).write_bytes(whole[:length])
        with pytest.raises(ModelError):
            Model.open(path)


# Replaced whole, or not at all


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt, GeneratorExit])
def test_a_failure_leaves_the_old_file_and_no_litter(failure: type[BaseException], path: str, tmp_path: Path):
    def fail() -> None:
        with create_store(path) as store:
            store.add_tokens([("red\n", "0,1,1\n")])
            raise failure

    before = Path(path).read_bytes()
    with pytest.raises(failure):
        fail()
    assert (Path(path).read_bytes(), list(tmp_path.iterdir())) == (before, [Path(path)])


def test_a_link_stays_a_link_to_the_new_file(path: str, tmp_path: Path):
    link = tmp_path / "elsewhere" / "link"
    link.parent.mkdir()
    link.symlink_to("../model")
    train_documents({"new": ["red"], "old": ["blue"]}, str(link)).close()
    assert os.readlink(link) == "../model"
    assert [entry.label for entry in open_store(path).classes()] == ["new", "old"]
    assert [file.name for file in link.parent.iterdir()] == ["link"]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(ModelError, match=r"cannot be opened.*does the folder exist"):
        train_documents(SMALL, str(tmp_path / "no" / "model"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_keeps_its_model(path: str, tmp_path: Path):
    before = Path(path).read_bytes()
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(ModelError, match="cannot be opened"):
            train_documents(SMALL, path)
        assert (Path(path).read_bytes(), list(tmp_path.iterdir())) == (before, [Path(path)])
        assert answers(path)[0].label == "ham"
    finally:
        tmp_path.chmod(0o755)


def train_on_a_full_disk(path: str, conversation) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
    many = {label: [f"{label} w{n} v{n}" for n in range(3000)] for label in "ab"}
    for attempt in (
        lambda: train_documents(many, path),
        lambda: learn(
            Model.open(path, writable=True), "ham", [Document([("", many["a"][n] * 9)]) for n in range(3000)]
        ),
    ):
        try:
            attempt()
            conversation.send("written")
        except ModelError as error:
            conversation.send(str(error))


def test_a_full_disk_leaves_the_old_model(path: str, tmp_path: Path):
    right = answers(path)
    ours, theirs = fork.Pipe()
    child = fork.Process(target=train_on_a_full_disk, args=(path, theirs))
    child.start()
    for _ in range(2):
        assert ours.poll(30)
        assert "is there room on the disk and permission to write?" in ours.recv()
    child.join()
    assert (answers(path), list(tmp_path.iterdir())) == (right, [Path(path)])


# Shared by processes


def learn_one(path: str, n: int) -> None:
    with closing(Model.open(path, writable=True)) as model:
        (outcome,) = learn(model, "ham", [Document([("", f"at noon w{n}")])])
    sys.exit(outcome.what != LEARNED)


def read_on(path: str, stop) -> None:
    with closing(Model.open(path)) as model:
        classify = Classifier(model)
        while not stop.is_set():
            assert sum(classify("at noon w7").posteriors.values()) == pytest.approx(1)
            answers(path)


def test_twenty_learners_at_once_are_all_counted_while_readers_read(path: str):
    stop = fork.Event()
    readers = [fork.Process(target=read_on, args=(path, stop)) for _ in range(3)]
    learners = [fork.Process(target=learn_one, args=(path, n)) for n in range(20)]
    for process in readers + learners:
        process.start()
    for process in learners:
        process.join(60)
    stop.set()
    for process in readers:
        process.join(60)
    assert [process.exitcode for process in readers + learners] == [0] * 23
    expected = {**SMALL, "ham": [*SMALL["ham"], *(f"at noon w{n}" for n in range(20))]}
    assert fingerprint_of(path) == fingerprint(train_documents(expected, hyperparameters=READING))


def fingerprint_of(path: str) -> str:
    with closing(Model.open(path)) as model:
        model.store.integrity()
        return fingerprint(model)


def learn_without_end(path: str, start: int) -> None:
    with closing(Model.open(path, writable=True)) as model:
        for n in range(start, start + 10**6):
            learn(model, "ham", [Document([("", f"document {n} of many"), ("subject", f"w{n}")])])


def test_killed_learners_leave_whole_models(path: str):
    chance = random.Random(3)
    for attempt in range(5):
        child = fork.Process(target=learn_without_end, args=(path, attempt * 10**6))
        child.start()
        time.sleep(0.03 + chance.random() * 0.05)
        assert child.pid is not None
        os.kill(child.pid, signal.SIGKILL)
        child.join()
        with closing(Model.open(path)) as model:
            model.store.integrity()
            learned = sum(times for _, _, times in model.store.learned())
            assert (sum(model.documents), model.store.rows(["many"]).get("many", [0, 0, 0])[1:]) == (
                learned,
                [learned - 4] * 2,
            )
            positions = [0] * len(model.labels)
            for _, row in model.store.tokens():
                for index, occurrences in zip(row[::3], row[1::3], strict=True):
                    positions[index] += occurrences
            assert positions == [entry.positions for entry in model.classes]


def die_half_way(path: str) -> None:
    store = open_store(path, writable=True)
    store.connection.execute("PRAGMA cache_size = 1")  # changed pages go to the file before all is done
    with store.transaction():
        store.change_tokens((f"w{n}", [0, 1, 1]) for n in range(1000))
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def half_way(path: str) -> str:
    """A model whose learner was killed while writing, so that its journal is still there, and half of the changes."""
    child = fork.Process(target=die_half_way, args=(path,))
    child.start()
    child.join()
    assert os.path.getsize(path + "-journal") > 0
    return path


def test_a_reader_finds_the_model_as_it_was_before_the_learner_was_killed(half_way: str, tmp_path: Path):
    assert fingerprint_of(half_way) == fingerprint(train_documents(SMALL, hyperparameters=READING))
    assert list(tmp_path.iterdir()) == [Path(half_way)]


def test_a_journal_does_not_outlive_the_model_it_belongs_to(half_way: str, tmp_path: Path):
    other = {"new": ["red"], "old": ["blue"]}
    train_documents(other, half_way).close()
    assert list(tmp_path.iterdir()) == [Path(half_way)]
    assert fingerprint_of(half_way) == fingerprint(train_documents(other))


def test_a_journal_left_where_the_model_was_deleted_harms_no_new_one(half_way: str):
    os.unlink(half_way)
    other = {"new": ["red"], "old": ["blue"]}
    train_documents(other, half_way).close()
    assert fingerprint_of(half_way) == fingerprint(train_documents(other))


def test_a_learner_of_a_model_that_was_replaced_learns_into_the_one_in_its_place(path: str):
    other = {"new": ["red"], "old": ["blue"]}
    with closing(Model.open(path, writable=True)) as model:
        train_documents(other, path).close()
        assert learn(model, "new", [Document([("", "red sky")])])[0].what == LEARNED
    assert fingerprint_of(path) == fingerprint(train_documents({"new": ["red", "red sky"], "old": ["blue"]}))


def test_a_learner_of_a_model_that_now_reads_otherwise_is_told(path: str):
    with closing(Model.open(path, writable=True)) as model:
        train_documents({"new": ["red"], "old": ["blue"]}, path, Analysis("mail")).close()
        before = Path(path).read_bytes()
        with pytest.raises(ModelError, match="replaced meanwhile by a model that reads documents differently"):
            learn(model, "new", [Document([("", "red sky")])])
    assert Path(path).read_bytes() == before


def test_learners_beside_retraining_all_succeed(path: str):
    learners = [fork.Process(target=learn_one, args=(path, n)) for n in range(12)]
    for process in learners:
        process.start()
        train_documents(SMALL, path, hyperparameters=READING).close()
    for process in learners:
        process.join(60)
    assert [process.exitcode for process in learners] == [0] * len(learners)
    assert fingerprint_of(path)


def test_a_reader_of_a_model_that_was_replaced_leaves_the_journal_of_the_other_alone(path: str):
    """A hot journal is known by the name of its file alone: the old file would be rolled back by it."""
    with closing(Model.open(path)) as reader:
        train_documents({"new": ["red"], "old": ["blue"]}, path).close()
        child = fork.Process(target=die_half_way, args=(path,))
        child.start()
        child.join()
        assert Classifier(reader)("lunch").label == "ham"
        reader.store.integrity()
    assert fingerprint_of(path) == fingerprint(train_documents({"new": ["red"], "old": ["blue"]}))


# Nobody waits for a reader


def test_a_reader_that_pauses_holds_up_no_learner(path: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(opening, "LONGEST_WAIT_SECONDS", 0)
    with closing(Model.open(path)) as reader, closing(Model.open(path, writable=True)) as learner:
        before = fingerprint(reader)
        lines = exported(reader)
        first = next(lines)
        assert learn(learner, "ham", [Document([("", "red sky")])])[0].what == LEARNED
        text_before = [first, *lines]
        assert fingerprint(imported([f"{line}\n".encode() for line in text_before], None)) == before
        assert fingerprint(reader) == fingerprint(learner) != before


def test_a_model_in_memory_is_copied_by_being_itself():
    model = train_documents(SMALL)
    with model.copied() as copy:
        assert copy.store is model.store


# Write-ahead logs, which nbtext does not make and others may


def log(path: str) -> list[str]:
    return sorted(file.name for file in Path(path).parent.iterdir())


def test_a_model_with_a_write_ahead_log_is_read_learned_copied_and_replaced(path: str):
    sql("PRAGMA journal_mode = WAL")(path)
    with closing(Model.open(path, writable=True)) as model, closing(Model.open(path)) as reader:
        learn(model, "ham", [Document([("", "red sky")])])
        assert fingerprint(reader) == fingerprint(model)
        verify(reader)
        train_documents(SMALL, path, hyperparameters=READING).close()
        assert log(path) == ["model"]
    assert log(path) == ["model"]
    assert fingerprint_of(path) == fingerprint(train_documents(SMALL, hyperparameters=READING))


def die_with_a_log(path: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    model = Model.open(path, writable=True)
    learn(model, "ham", [Document([("", " ".join(f"w{n}" for n in range(1000)))])])
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_log_left_by_a_killed_learner_is_part_of_its_model_and_of_no_other(path: str):
    backup = Path(path).read_bytes()
    child = fork.Process(target=die_with_a_log, args=(path,))
    child.start()
    child.join()
    assert os.path.getsize(f"{path}-wal")
    left = {name: Path(f"{path}{name}").read_bytes() for name in ("", "-wal")}
    with closing(Model.open(path)) as model:
        assert model.store.rows(["w7"]) == {"w7": [0, 1, 1]}

    def killed_again() -> None:
        for name, content in left.items():
            Path(f"{path}{name}").write_bytes(content)

    killed_again()
    train_documents(SMALL, path, hyperparameters=READING).close()
    assert log(path) == ["model"]
    killed_again()
    Path(path).write_bytes(backup)  # a copy restored
    assert fingerprint_of(path) == fingerprint(train_documents(SMALL, hyperparameters=READING))
    assert log(path) == ["model"]


# What belongs to the file: its rights; and what killed processes leave


@pytest.mark.parametrize("mode", [0o600, 0o660, 0o644, 0o640])
def test_a_new_model_has_the_mode_of_the_one_it_replaces(mode: int, path: str):
    os.chmod(path, mode)
    train_documents(SMALL, path).close()
    assert stat.S_IMODE(os.stat(path).st_mode) == mode


def test_the_first_model_has_the_mode_that_the_user_wants(tmp_path: Path):
    before = os.umask(0o027)
    train_documents(SMALL, str(tmp_path / "model")).close()
    os.umask(before)
    assert stat.S_IMODE((tmp_path / "model").stat().st_mode) == 0o640


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_a_new_model_has_the_owner_and_group_of_the_one_it_replaces(path: str):
    os.chown(path, 1234, 5678)
    train_documents(SMALL, path).close()
    assert (os.stat(path).st_uid, os.stat(path).st_gid) == (1234, 5678)


def test_a_group_that_cannot_be_kept_leaves_its_rights_to_no_other(path: str, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "fchown", refuse)
    os.chmod(path, 0o660)
    train_documents(SMALL, path).close()
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def die_half_written(path: str) -> None:
    with runs.RunFolder(path) as folder, create_store(path) as store:
        runs.write_run(folder.made(), [], [], 1)
        store.add_tokens([("red\n", "0,1,1\n")])
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("writing", ["train", "learn"])
def test_what_a_killed_process_has_left_is_deleted_by_the_next_that_writes(writing: str, path: str):
    child = fork.Process(target=die_half_written, args=(path,))
    child.start()
    child.join()
    assert len(log(path)) == 3
    if writing == "train":
        train_documents(SMALL, path).close()
    else:
        Model.open(path, writable=True).close()
    assert log(path) == ["model"]


def test_what_another_process_is_still_writing_is_left_alone(path: str):
    other = {"new": ["red"], "old": ["blue"]}
    with runs.RunFolder(path) as folder, create_store(path) as store:
        store.add_tokens([("red\n", "0,1,1\n")])
        run = runs.write_run(folder.made(), [], [], 1)
        train_documents(other, path).close()
        assert len(log(path)) == 3
        assert os.path.exists(run.path)


NOBODY = 65534


def open_as_nobody(path: str, conversation) -> None:
    if os.geteuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    try:
        Model.open(path)
        conversation.send("opened")
    except ModelError as error:
        conversation.send(str(error))


def test_an_interrupted_change_that_cannot_be_undone_says_so(tmp_path_factory: pytest.TempPathFactory):
    folder = Path(tempfile.mkdtemp())  # others may not enter those of pytest
    try:
        path = str(folder / "model")
        train_documents(SMALL, path, hyperparameters=READING).close()
        child = fork.Process(target=die_half_way, args=(path,))
        child.start()
        child.join()
        folder.chmod(0o555)
        ours, theirs = fork.Pipe()
        reader = fork.Process(target=open_as_nobody, args=(path, theirs))
        reader.start()
        assert ours.poll(30)
        assert "an interrupted change must be undone first" in ours.recv()
        reader.join()
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_model_opened_for_reading_cannot_be_changed(path: str):
    before = Path(path).read_bytes()
    with closing(Model.open(path)) as model, pytest.raises(ModelError, match="permission to write"):
        learn(model, "ham", [Document([("", "red sky")])])
    assert Path(path).read_bytes() == before


def test_a_change_that_fails_is_undone(path: str):
    def fail(store: Store) -> None:
        with store.transaction():
            store.delete("block")
            raise RuntimeError

    before = Path(path).read_bytes()
    with closing(open_store(path, writable=True)) as store, pytest.raises(RuntimeError):
        fail(store)
    assert Path(path).read_bytes() == before


def test_the_file_says_what_it_is(path: str):
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
        first = connection.execute("SELECT first, substr(tokens, 1, 8), substr(counts, 1, 11), next FROM block")
        assert first.fetchall() == [("", "at\ncash\n", "0,2,2\n1,1,1", None)]


def test_no_model_is_replaced_while_a_change_of_the_old_one_begins(path: str):
    """A journal is found by its name: that of a change to the new file would be rolled back into the old one."""
    before = os.stat(path).st_ino
    trainer = threading.Thread(target=train_documents, args=(SMALL, path))
    with folder_locked(path):
        trainer.start()
        trainer.join(0.5)
        assert (trainer.is_alive(), os.stat(path).st_ino) == (True, before)
    trainer.join(60)
    assert os.stat(path).st_ino != before


def retrain(path: str) -> None:
    for _ in range(12):
        train_documents(SMALL, path).close()


def learn_some(path: str, start: int) -> None:
    for n in range(start, start + 12):
        with closing(Model.open(path, writable=True)) as model:
            (outcome,) = learn(model, "ham", [Document([("", f"at noon w{n}")])])
            assert outcome.what == LEARNED


def test_learners_beside_several_retrainings_meet_no_journal_of_another_model(path: str):
    workers = [fork.Process(target=retrain, args=(path,)) for _ in range(3)]
    workers += [fork.Process(target=learn_some, args=(path, 100 * k)) for k in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    assert [worker.exitcode for worker in workers] == [0] * len(workers)
    fingerprint_of(path)  # which looks at every page
