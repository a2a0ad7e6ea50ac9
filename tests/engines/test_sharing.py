"""Work shared out: who does it, in which parts and when changes nothing; whoever dies is missed."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import CorpusError, train
from nbtext.analysis import Analysis
from nbtext.corpus import batches as batches_
from nbtext.corpus.sources import Note, Skipped, Source
from nbtext.engines import _sharing
from nbtext.model import exchange
from nbtext.storage.leftovers import delete_leftovers

from ..conftest import Corpus
from ..shell import with_nbtext

WORDS = ["red", "green", "blue", "sea", "lunch", "noon", "win", "cash", "über", "世界", "naïve", "don't"]
SECONDS = 30  # then something hangs


def text(seed: int) -> str:
    """A few words, the same for the same seed; empty now and then."""
    dice = random.Random(seed)
    return " ".join(dice.choices(WORDS, k=dice.randrange(30)) + [f"w{dice.randrange(500)}"] * (seed % 7 > 0))


@pytest.fixture
def large(corpus: Corpus) -> Path:
    """A corpus worth sharing out, a class of which is split over batches; with documents of one text in two classes."""
    sizes = {"ham": 1100, "spam": 300, "tiny": 3}
    files = {f"{label}/{n}.txt": text(n) for label, size in sizes.items() for n in range(size)}
    return corpus({**files, "ham/binary": b"\0\1\2", "loose.txt": "no class", "spam/broken.gz": b"\x1f\x8b\x08nothing"})


class Here(Executor):
    """Runs nothing before its result is asked for, and then as a stranger would: after pickling there and back."""

    def submit(self, fn, /, *args):  # type: ignore[override]  # no keywords are ever given
        import pickle

        result = pickle.loads(pickle.dumps(fn))(*pickle.loads(pickle.dumps(args)))
        return ThreadPoolExecutor(1).submit(pickle.loads, pickle.dumps(result))


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_model_and_report_are_the_same_for_any_number_of_workers(large: Path, tmp_path: Path, jobs: int):
    reported: list[Skipped | Note] = []
    expected: list[Skipped | Note] = []
    train(str(large), str(tmp_path / "one"), jobs=1, report=expected.append)
    train(str(large), str(tmp_path / "many"), jobs=jobs, report=reported.append)
    assert (tmp_path / "many").read_bytes() == (tmp_path / "one").read_bytes()
    assert reported == expected
    assert {item.reason for item in reported if isinstance(item, Skipped)} == {
        "binary",
        "damaged",
        "empty",
        "loose file",
    }


def test_any_executor_will_do(large: Path, tmp_path: Path):
    train(str(large), str(tmp_path / "one"), jobs=1)
    train(str(large), str(tmp_path / "other"), executor=Here())
    assert (tmp_path / "other").read_bytes() == (tmp_path / "one").read_bytes()


@pytest.mark.parametrize(
    ("reader", "record"),
    [
        ("jsonl", '{{"text": "{}", "label": "{}"}}\n'),
        ("csv", '"{}","{}"\n'),
    ],
)
def test_files_that_bring_their_labels_are_shared_out(corpus: Corpus, monkeypatch, reader: str, record: str):
    monkeypatch.setattr(batches_, "WORTH_SHARING_BYTES", 0)
    monkeypatch.setattr(batches_, "MOST_BYTES", 100)
    head = "text,label\n" if reader == "csv" else ""
    files = {
        f"{part}.{reader}": head
        + "".join(record.format(text(n) or "empty", f"class{n % 3}") for n in range(part, 90, 5))
        for part in range(5)
    }
    folder = corpus(files)
    models = [train(str(folder), analysis=Analysis(reader=reader), jobs=jobs) for jobs in (1, 2, 3)]
    assert len({exchange.fingerprint(model) for model in models}) == 1
    assert sum(models[0].documents) == 90


sources = st.lists(
    st.sampled_from([Source("x", "a", "x"), Source("y", "b", "y"), Skipped("z", "litter", "z")]), max_size=40
)


@given(sources, st.integers(1, 5), st.integers(0, 5))
def test_batches_are_the_sources_in_order(found, fewest: int, more: int):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches_, "FEWEST", fewest)
        patch.setattr(batches_, "MOST", fewest + more)
        batches = list(batches_.batches(found))
    assert [source for batch in batches for source in batch] == found
    assert all(1 <= len(batch) <= fewest + more for batch in batches)


def test_after_the_first_sources_one_size_stands_for_several(tmp_path, monkeypatch):
    paths = [tmp_path / str(number) for number in range(64)]
    for path in paths:
        path.write_bytes(b"x" * 100)
    looked_at: list[str] = []
    monkeypatch.setattr(batches_, "SIZED", 16)
    monkeypatch.setattr(batches_, "MOST_BYTES", 1000)

    def size_of(source: Source) -> int:
        looked_at.append(source.path)
        return os.stat(source.path).st_size

    monkeypatch.setattr(batches_, "size_of", size_of)
    batches = list(batches_.batches(Source(str(path), "a", str(path)) for path in paths))
    assert looked_at == [str(path) for path in (*paths[:16], paths[16], paths[32], paths[48])]
    assert [len(batch) for batch in batches] == [10, 10, 10, 10, 10, 10, 4]


def double(number: int) -> int:
    return 2 * number


def die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_results_come_in_order_and_work_is_not_begun_long_before():
    begun = []

    def work() -> Iterator[int]:
        for number in range(20):
            begun.append(number)
            yield number

    with _sharing.processes(2) as team:
        results = team.results(double, work())
        assert next(results) == 0
        assert len(begun) == _sharing.AHEAD * 2
        assert list(results) == list(range(2, 40, 2))


@pytest.mark.parametrize("error", [RuntimeError("can't start new thread"), BlockingIOError(11, "try again")])
def test_workers_that_cannot_be_started_are_an_error_that_says_what_to_do(monkeypatch, error: Exception):
    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(ProcessPoolExecutor, "submit", refuse)
    told = r"worker processes cannot be started \(.*(new thread|try again)\); try --jobs 1"
    with pytest.raises(CorpusError, match=told), _sharing.processes(2):
        pass


def test_worker_that_dies_is_an_error():
    with pytest.raises(CorpusError, match="a worker process was killed"), _sharing.processes(2) as team:
        list(team.results(die, range(5)))


# Real processes, ended from outside in the middle of work that takes for ever


@pytest.fixture
def running(corpus: Corpus, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """`nbtext train` in its own session, its workers at work that takes for ever."""
    large = corpus({"ham/1.txt": "lunch " * 400_000, "spam/1.txt": "win " * 500_000})
    (tmp_path / "tools").mkdir()
    environment = with_nbtext(tmp_path / "tools")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "model.nbtext").write_bytes(b"old")
    script = "from nbtext.__main__ import main; from tests.engines.test_sharing import endless; endless(); main()"
    process = subprocess.Popen(
        [sys.executable, "-c", script, "train", large, "--jobs", "2"],
        cwd=tmp_path / "work",
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        until(lambda: len(children(process.pid)) == 2)
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def endless() -> None:
    """Make reading take for ever, and an interrupt be one even where the tests run in the background of a shell."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    from nbtext.corpus import reading
    from nbtext.counting import collection

    def opened(*args, **settings):
        yield from reading.opened(*args, **settings)
        time.sleep(1000)

    collection.opened = opened  # type: ignore[attr-defined]


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    tasks = Path(f"/proc/{pid}/task")
    found = []
    for task in tasks.iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has just ended
            found += [int(child) for child in (task / "children").read_text().split()]
    return found


def until(true: Callable[[], bool]) -> None:
    """Wait for something to become true."""
    end = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def assert_old_model_stands_alone(folder: Path) -> None:
    assert [file.name for file in folder.iterdir()] == ["model.nbtext"]
    assert (folder / "model.nbtext").read_bytes() == b"old"


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
@pytest.mark.parametrize("group", [False, True])
def test_all_end_when_the_first_is_ended(running, tmp_path: Path, number: signal.Signals, status: int, group: bool):
    workers = children(running.pid)
    (os.killpg if group else os.kill)(running.pid, number)
    out, err = running.communicate(timeout=SECONDS)
    assert (running.returncode, out, err.strip()) == (status, b"", b"")
    until(lambda: not any(map(is_alive, workers)))
    if number == signal.SIGKILL:  # of which nobody hears: the next training clears up
        delete_leftovers(str(tmp_path / "work" / "model.nbtext"))
    assert_old_model_stands_alone(tmp_path / "work")


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_worker_ended_from_outside_is_told(running, tmp_path: Path):
    os.kill(children(running.pid)[0], signal.SIGKILL)
    out, err = running.communicate(timeout=SECONDS)
    assert (running.returncode, out) == (3, b"")
    assert err == b"nbtext: a worker process was killed, perhaps because memory ran out; try --jobs 1\n"
    assert_old_model_stands_alone(tmp_path / "work")


FAILS_AMID_AN_ANSWER = """
import os, struct, sys, time
from nbtext import __main__, cli
from nbtext.engines import _sharing

ready, tell = os.pipe()

def half_an_answer(_):
    frame = sys._getframe()
    while "result_queue" not in frame.f_locals:
        frame = frame.f_back
    frame.f_locals["result_queue"]._writer._send(struct.pack("!i", 1000) + b"half")
    os.write(tell, b".")
    time.sleep(60)

def status(_):
    try:
        with _sharing.processes(2) as team:
            team.executor.submit(half_an_answer, 0)
            os.read(ready, 1)
            time.sleep(0.1)
            raise OSError("no room")
    except OSError:
        return cli.TROUBLE

cli._status = status
__main__.main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a pipe is inherited")
def test_command_that_fails_while_a_worker_answers_ends_all_the_same(tmp_path: Path):
    command = [sys.executable, "-c", FAILS_AMID_AN_ANSWER]
    done = subprocess.run(command, env=with_nbtext(tmp_path), capture_output=True, timeout=SECONDS, check=False)
    assert (done.returncode, done.stderr) == (3, b"")
