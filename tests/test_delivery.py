"""Real processes side by side: mail is delivered while others learn, are killed, or have no room on the disk."""

import os
import random
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nbtext import Model
from nbtext.mail.verdict import without
from nbtext.model.verifying import verify

from .mailroom import HARD, SPAM, mail_model
from .shell import with_nbtext

DELIVERIES, AT_ONCE, KILLS, SEED = 16, 8, 4, 20260101  # `make faults` tries more

# Learns messages one by one until it is killed, and says how many it has behind it
LEARNER = """
import sys, time
from nbtext import Document, Model
from nbtext.training.learning import learn
model = Model.open(sys.argv[1], writable=True)
for number in range(100_000):
    learn(model, "spam", [Document([("", f"win {number} {sys.argv[2]}")])])
    print(number + 1, flush=True)
    time.sleep(float(sys.argv[3]))
"""

Done = subprocess.CompletedProcess[bytes]
Command = Callable[..., Done]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.nbtext"
    path.write_bytes(mail_model())
    return path


@pytest.fixture
def nbtext(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Command:
    """nbtext("filter", stdin=message) runs a process in tmp_path."""
    environment = with_nbtext(tmp_path_factory.mktemp("tools"))

    def ran(*args: str, stdin: bytes = b"", before: Callable[[], None] | None = None, wait: float = 60) -> Done:
        return subprocess.run(
            ["nbtext", *args],
            cwd=tmp_path,
            env=environment,
            input=stdin,
            capture_output=True,
            timeout=wait,
            preexec_fn=before,
        )

    return ran


def documents(path: Path) -> int:
    """How many documents a sound model has counted."""
    model = Model.open(str(path))
    verify(model)
    model.close()
    return sum(model.documents)


def learner(path: Path, word: str = "cash", pause_seconds: float = 0) -> "subprocess.Popen[bytes]":
    """A process that goes on learning, once it has learned its first message."""
    process = subprocess.Popen(
        [sys.executable, "-c", LEARNER, str(path), word, str(pause_seconds)], stdout=subprocess.PIPE
    )
    assert process.stdout
    process.stdout.readline()
    return process


def killed(process: "subprocess.Popen[bytes]") -> int:
    """How many messages the learner said it had learned after its first, before it was killed."""
    process.kill()
    out, _ = process.communicate()
    return len(out.splitlines())


@pytest.fixture
def learning(model: Path) -> Iterator[None]:
    process = learner(model, pause_seconds=0.02)
    yield
    assert process.poll() is None, "the learner met an error"
    killed(process)


@pytest.mark.usefixtures("learning")
def test_mail_is_delivered_whole_while_others_learn(nbtext: Command, model: Path):
    messages = (list(HARD.values()) * DELIVERIES)[:DELIVERIES]
    with ThreadPoolExecutor(AT_ONCE) as deliveries:
        answers = list(deliveries.map(lambda message: nbtext("filter", stdin=message), messages))
    assert [(answer.stderr, answer.returncode) for answer in answers] == [(b"", 0)] * DELIVERIES
    assert all(b"X-Nbtext: " in answer.stdout for answer in answers)
    assert [without(answer.stdout) for answer in answers] == messages


def test_learners_take_turns(nbtext: Command, model: Path):
    before = documents(model)
    with ThreadPoolExecutor(AT_ONCE) as learners:
        texts = [f"Subject: offer {number}\n\nwin".encode() for number in range(AT_ONCE)]
        answers = list(learners.map(lambda text: nbtext("learn", "spam", stdin=text), texts))
    assert [(answer.stdout, answer.stderr) for answer in answers] == [(b"learned\t-\n", b"")] * AT_ONCE
    assert documents(model) == before + AT_ONCE


def test_a_killed_learner_leaves_a_sound_model_with_all_that_it_said_it_learned(nbtext: Command, model: Path):
    moments = random.Random(SEED)
    before = documents(model)
    for kill in range(KILLS):
        process = learner(model, f"word{kill}")
        time.sleep(moments.uniform(0, 0.05))
        learned = 1 + killed(process)
        now = documents(model)
        assert now - before in (learned, learned + 1)  # the last may be counted and not yet said
        before = now
        if kill % 4 == 0:
            assert without(nbtext("filter", stdin=SPAM).stdout) == SPAM


def test_an_export_that_nobody_reads_holds_up_no_mail(nbtext: Command, model: Path, tmp_path_factory):
    environment = with_nbtext(tmp_path_factory.mktemp("other tools"))
    with subprocess.Popen(
        ["nbtext", "export"], cwd=model.parent, env=environment, stdout=subprocess.PIPE, bufsize=0
    ) as export:
        assert export.stdout
        assert export.stdout.read(1) == b"{"
        learn = nbtext("learn", "spam", stdin=b"Subject: offer\n\nwin", wait=10)
        answer = nbtext("filter", stdin=SPAM, wait=10)
        assert (learn.returncode, answer.returncode) == (0, 0)
        assert export.poll() is None, "the model is too small for the test"
        export.stdout.read()
    assert export.returncode == 0


def test_with_no_room_for_the_model_learning_fails_and_mail_goes_on(nbtext: Command, model: Path):
    size = model.stat().st_size
    message = b"Subject: new\n\n" + b" ".join(b"word%d" % number for number in range(20_000))
    full = nbtext("learn", "spam", stdin=message, before=lambda: limit_files(size))
    assert full.returncode == 3
    assert full.stderr.startswith(b"nbtext: model.nbtext: ")
    assert full.stderr.count(b"\n") == 1
    assert model.read_bytes() == mail_model()
    assert without(nbtext("filter", stdin=SPAM, before=lambda: limit_files(0)).stdout) == SPAM


def limit_files(size: int) -> None:
    """In a process to be: no file may grow beyond the size."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read any file")
def test_an_unreadable_model_leaves_the_mail_as_it_is(nbtext: Command, model: Path):
    model.chmod(0)
    answer = nbtext("filter", stdin=SPAM)
    assert (answer.stdout, answer.returncode) == (SPAM, 3)
    assert answer.stderr == b"nbtext: model.nbtext: cannot be read (Permission denied)\n"


def test_a_model_that_may_only_be_read_is_read(nbtext: Command, model: Path):
    model.chmod(0o444)
    model.parent.chmod(0o555)
    answer = nbtext("filter", stdin=SPAM)
    model.parent.chmod(0o755)
    assert (answer.returncode, answer.stderr) == (0, b"")


def opened(path: Path, pid: int) -> bool:
    """Whether the process has the file open."""
    return any(link.exists() and link.samefile(path) for link in Path(f"/proc/{pid}/fd").iterdir())


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no /proc, which tells what files a process has open")
def test_a_filter_asked_to_stop_lets_the_message_go_first(nbtext: Command, model: Path, tmp_path_factory):
    writer = sqlite3.connect(model, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    environment = with_nbtext(tmp_path_factory.mktemp("other tools"))
    with subprocess.Popen(
        ["nbtext", "filter"], cwd=model.parent, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        process.stdin.write(SPAM)
        process.stdin.close()
        while not opened(model, process.pid):
            time.sleep(0.01)
        process.terminate()
        time.sleep(0.1)
        writer.close()
        assert process.stdout
        assert process.stdout.read() == SPAM
    assert process.returncode == 143
