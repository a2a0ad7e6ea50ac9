"""Standard streams of every kind: each command reads to the end and writes to the end, or fails and says so.

Kinds: pipes and sockets that never wait (as Node and ssh leave them), with a sender that comes late and a reader that
is slow; files; a full device; an end that is closed. Real processes, all of them.
"""

import os
import random
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from textwrap import dedent

import pytest

from nbtext import cli, train_documents
from nbtext.plugins import names

from ..mailroom import HAM, SPAM, mail_model
from ..shell import ROOT, SECONDS, pinned

LATE_SECONDS = 0.3
LINES = b"win cash now\nlunch at noon\nzebra\n\n"
TABLE = b"text,label\nwin cash,spam\nlunch at noon,ham\nprize money,spam\nthe meeting,ham\n"

# What each command is given: its arguments and its standard input, or None if it does not read that
COMMANDS: dict[str, tuple[list[str], bytes | None]] = {
    "check": (["--reader", "csv", "-"], TABLE),
    "classify": (["--lines", "--top", "2"], LINES),
    "evaluate": (["--reader", "csv", "--folds", "2", "-"], TABLE),
    "explain": ([], LINES),
    "export": ([], None),
    "filter": (["-m", "mail.nbtext"], SPAM),
    "generate": (["spam", "-n", "99", "--seed", "1"], None),
    "import": (["-m", "new.nbtext", "--json"], b""),
    "learn": (["spam"], b"a prize for you"),
    "merge": (["model.nbtext", "model.nbtext", "-m", "new.nbtext"], None),
    "show": ([], None),
    "tokens": ([], LINES),
    "train": (["--reader", "csv", "-", "-m", "new.nbtext"], TABLE),
    "tune": (["-m", "weighted.nbtext"], None),
    "unlearn": (["ham"], b"lunch at noon"),
    "verify": ([], None),
}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A model of texts, one of mail, and the text of the first, by the names of their files."""
    folder = tmp_path_factory.mktemp("models")
    train_documents(
        {"spam": ["win cash", "prize money"], "ham": ["lunch at noon", "the meeting"]}, str(folder / "model")
    )
    exported = ran(folder, ["export", "-m", "model"]).stdout
    weighted = ["--weights", "fitted", "-m", "weighted.nbtext"]
    ran(folder, ["train", str(ROOT / "corpora/topics"), *weighted]).check_returncode()
    return {
        "model.nbtext": (folder / "model").read_bytes(),
        "mail.nbtext": mail_model(),
        "weighted.nbtext": (folder / "weighted.nbtext").read_bytes(),
        "text": exported,
    }


@pytest.fixture
def folder(tmp_path: Path, models: dict[str, bytes]) -> Path:
    for name, content in models.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def started(folder: Path, arguments: list[str], **settings) -> "subprocess.Popen[bytes]":
    environment = pinned() | {"PYTHONPATH": str(ROOT)} | settings.pop("environment", {})
    return subprocess.Popen([sys.executable, "-P", "-m", "nbtext", *arguments], cwd=folder, env=environment, **settings)


def ran(folder: Path, arguments: list[str], stdin: bytes = b"", **settings) -> "subprocess.CompletedProcess[bytes]":
    """What the command does with pipes as they usually are."""
    with started(
        folder, arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **settings
    ) as process:
        out, err = process.communicate(stdin, timeout=SECONDS)
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


def given(command: str, folder: Path) -> tuple[list[str], bytes]:
    """The arguments of a command, its name included, and what it reads."""
    arguments, stdin = COMMANDS[command]
    return [command, *arguments], (folder / "text").read_bytes() if command == "import" else stdin or b""


def pipe() -> tuple[int, int]:
    """The ends to read from and to write to."""
    return os.pipe()


def sockets() -> tuple[int, int]:
    reading, writing = socket.socketpair()
    return reading.detach(), writing.detach()


KINDS = {"pipe": pipe, "socket": sockets}


def filled(writing: int) -> int:
    """How many bytes it took until there was no room left for a single one."""
    os.set_blocking(writing, False)
    size = 0
    for step in 4096, 1:
        while True:
            try:
                size += os.write(writing, b"\0" * step)
            except BlockingIOError:
                break
    return size


def read_all(reading: int, pause_seconds: float = 0.0) -> bytes:
    """All that comes until the end."""
    pieces = []
    while piece := os.read(reading, 1 << 16):
        pieces.append(piece)
        time.sleep(pause_seconds)
    return b"".join(pieces)


def test_every_command_is_tried():
    assert sorted(COMMANDS) == sorted(names(cli))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_late_sender_and_a_slow_reader_change_nothing(command: str, kind: str, folder: Path):
    """Both ends never wait: at first there is nothing to read, and no room to write."""
    arguments, stdin = given(command, folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    expected = ran(folder, arguments, stdin)
    assert expected.returncode == 0, expected.stderr
    for path in folder.iterdir():
        path.unlink()
    for name, content in before.items():
        (folder / name).write_bytes(content)

    (their_reading, writing), (reading, their_writing) = KINDS[kind](), KINDS[kind]()
    before_ours = filled(their_writing)
    os.set_blocking(their_reading, False)
    process = started(folder, arguments, stdin=their_reading, stdout=their_writing, stderr=subprocess.PIPE)
    os.close(their_reading)
    os.close(their_writing)
    time.sleep(LATE_SECONDS)
    with open(writing, "wb") as sender, open(reading, "rb", buffering=0), process:
        if COMMANDS[command][1] is not None:
            sender.write(stdin)
            sender.close()
        out = read_all(reading)[before_ours:]
        _, err = process.communicate(timeout=SECONDS)
    assert (out, err, process.returncode) == (expected.stdout, b"", 0)


@pytest.mark.parametrize("command", COMMANDS)
def test_files_are_read_and_written_like_pipes(command: str, folder: Path, tmp_path_factory: pytest.TempPathFactory):
    arguments, stdin = given(command, folder)
    other = tmp_path_factory.mktemp("other")
    for path in folder.iterdir():
        (other / path.name).write_bytes(path.read_bytes())
    (folder / "in").write_bytes(stdin)
    with open(folder / "in", "rb") as source, open(folder / "out", "wb") as target:
        status = started(folder, arguments, stdin=source, stdout=target).wait(SECONDS)
    assert status == 0
    assert (folder / "out").read_bytes() == ran(other, arguments, stdin).stdout


@pytest.mark.parametrize(
    ("redirection", "message", "status"),
    [
        (">/dev/full", "nbtext: standard output: No space left on device\n", 3),
        (">&-", "nbtext: standard output is closed\n", 3),
        (">&$broken", "", 141),
    ],
)
@pytest.mark.parametrize("command", COMMANDS)
def test_an_answer_that_cannot_leave_is_a_failure(
    command: str, redirection: str, message: str, status: int, folder: Path
):
    arguments, stdin = given(command, folder)
    broken = "exec {broken}> >(exec true); wait $!; "  # nobody reads there any more
    words = " ".join([sys.executable, "-P", "-m", "nbtext", *arguments])
    done = subprocess.run(
        ["bash", "-c", f"{broken}{words} {redirection}"],
        cwd=folder,
        env=pinned() | {"PYTHONPATH": str(ROOT)},
        input=stdin,
        capture_output=True,
        timeout=SECONDS,
    )
    assert (done.stdout, done.stderr.decode(), done.returncode) == (b"", message, status)


@pytest.mark.parametrize("command", [name for name, (_, stdin) in COMMANDS.items() if stdin is not None])
def test_without_standard_input_there_is_nothing_to_read(command: str, folder: Path):
    arguments, _ = given(command, folder)
    words = " ".join([sys.executable, "-P", "-m", "nbtext", *arguments])
    done = subprocess.run(
        ["bash", "-c", f"{words} <&-"], cwd=folder, env=pinned() | {"PYTHONPATH": str(ROOT)}, capture_output=True
    )
    message = b"nbtext: nothing to read: standard input is closed; name a file"
    assert (done.stdout, done.stderr.strip().partition(b"; see")[0], done.returncode) == (b"", message, 2)


# Much to write


def slow_answer(folder: Path, arguments: list[str], stdin: bytes, **environment: str) -> tuple[bytes, int]:
    """What comes out of a pipe that never waits, with a slow reader, and the status."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    process = started(folder, arguments, stdin=subprocess.PIPE, stdout=writing, environment=environment)
    os.close(writing)
    assert process.stdin is not None
    sender = threading.Thread(target=lambda: (process.stdin.write(stdin), process.stdin.close()))  # type: ignore[union-attr]
    sender.start()
    with process, open(reading, "rb", buffering=0):
        time.sleep(LATE_SECONDS)
        out = read_all(reading, pause_seconds=0.001)
        sender.join()
        return out, process.wait(SECONDS)


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_every_line_is_answered_though_the_reader_is_slow(unbuffered: str, folder: Path):
    lines = b"win cash now\n" * 12_000
    out, status = slow_answer(folder, ["classify", "--lines"], lines, PYTHONUNBUFFERED=unbuffered)
    assert status == 0
    assert [line.split(b"\t")[2] for line in out.splitlines()] == [b"-:%d" % number for number in range(1, 12_001)]


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("size", [1, 65_536, 1_000_003])
@pytest.mark.parametrize("options", [[], ["--bogus"], ["-m", "gone"]])
def test_a_mail_comes_out_whole_though_the_reader_is_slow(options: list[str], size: int, unbuffered: str, folder: Path):
    message = HAM + random.Random(size).randbytes(size)
    arguments = ["filter", "-m", "mail.nbtext", *options]
    out, status = slow_answer(folder, arguments, message, PYTHONUNBUFFERED=unbuffered)
    assert (out, status) == (
        ran(folder, arguments, message).stdout,
        {"": 0, "--bogus": 2, "-m": 3}["".join(options[:1])],
    )
    assert len(out) == len(message) or options == []


def test_who_reads_only_after_all_is_sent_is_not_waited_for(folder: Path):
    """Where the output never waits, input is read on while there is no room for answers; a blocking pipe would lock."""
    lines = b"win cash now\n" * 12_000
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    process = started(folder, ["classify", "--lines"], stdin=subprocess.PIPE, stdout=writing)
    os.close(writing)
    assert process.stdin is not None
    with process, open(reading, "rb", buffering=0):
        process.stdin.write(lines)
        process.stdin.close()
        assert read_all(reading).count(b"\n") == 12_000
        assert process.wait(SECONDS) == 0


@pytest.mark.parametrize("command", ["show", "verify"])
def test_what_a_command_does_not_read_is_left_to_others(command: str, folder: Path):
    (folder / "lines").write_bytes(LINES)
    reading, writing = os.pipe()
    before_ours = filled(writing)
    with open(folder / "lines", "rb") as source, open(reading, "rb", buffering=0):
        process = started(folder, [command], stdin=source, stdout=writing)
        os.close(writing)
        with process:
            time.sleep(LATE_SECONDS)
            assert len(read_all(reading)) > before_ours
        assert os.read(source.fileno(), 100) == LINES


# Little at a time


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("command", ["classify", "explain", "tokens"])
def test_each_answer_comes_before_the_next_line_is_sent(command: str, kind: str, folder: Path):
    (their_reading, writing), (reading, their_writing) = KINDS[kind](), KINDS[kind]()
    for end in their_reading, their_writing:
        os.set_blocking(end, False)
    process = started(folder, [command, "--lines", "--json"], stdin=their_reading, stdout=their_writing)
    os.close(their_reading)
    os.close(their_writing)
    with process, open(reading, "rb", buffering=0) as answers, open(writing, "wb", buffering=0) as sender:
        for number, line in enumerate([b"win\n", b"cash\n", b"lunch\n"], 1):
            sender.write(line[:2])
            time.sleep(0.02)
            sender.write(line[2:])
            assert select.select([answers], [], [], SECONDS)[0]
            assert b'"-:%d"' % number in os.read(reading, 1 << 16)
        sender.close()
        assert process.wait(SECONDS) == 0


# Nothing is lost, nothing comes twice, wherever a write stops


def test_pieces_of_any_size_go_through_a_pipe_that_never_waits():
    chance = random.Random(1)
    pieces = [chance.randbytes(chance.choice([0, 1, 80, 5000, 8192, 9000, 70_000, 200_000])) for _ in range(300)]
    script = """
        import sys
        from nbtext.cli import _output, _streams
        _streams.prepare()
        while size := sys.stdin.buffer.read(4):
            _output.write_bytes(sys.stdin.buffer.read(int.from_bytes(size, "big")))
            if size[3] % 2:
                _output.flush()
        _output.flush()
        """
    for stop in "", "import os; os.set_blocking(1, False)":
        process = subprocess.Popen(
            [sys.executable, "-c", f"{stop}\n{dedent(script)}"],
            env=pinned() | {"PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        with process:
            out, _ = process.communicate(b"".join(len(piece).to_bytes(4, "big") + piece for piece in pieces), SECONDS)
        assert out == b"".join(pieces)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_while_there_is_no_room_leaves_a_beginning_of_the_answers(number: int, folder: Path):
    lines = b"win cash now\n" * 12_000
    whole = ran(folder, ["classify", "--lines"], lines).stdout
    reading, writing = os.pipe()
    (folder / "lines").write_bytes(lines)
    with open(folder / "lines", "rb") as source:
        process = started(folder, ["classify", "--lines"], stdin=source, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    with process, open(reading, "rb", buffering=0):
        time.sleep(2 * LATE_SECONDS)
        process.send_signal(number)
        time.sleep(0.05)
        out = read_all(reading)
        _, err = process.communicate(timeout=SECONDS)
    assert whole.startswith(out)
    assert (err, process.returncode) == (b"", 128 + number)


# The last instant

LAST_INSTANT = """
    import os, signal, sys
    import nbtext.cli as cli

    def ended(number, moment):
        "The status of a command that hears the signal at that moment of its end, what it said, and whether it came."
        said, saying = os.pipe()
        child = os.fork()
        if child:
            os.close(saying)
            with open(said, "rb") as complaints:
                return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), complaints.read()
        os.dup2(saying, 2)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # as in the process nbtext
        passed = 0

        def trace(frame, event, _):
            nonlocal passed
            if frame.f_code.co_filename == cli.__file__ and frame.f_code.co_name in {"run", "_answer", "_written"}:
                frame.f_trace_opcodes = True
                if event == "opcode":
                    passed += 1
                    if passed == moment:
                        os.kill(os.getpid(), number)
                return trace

        sys.settrace(trace)
        status = cli.run(["--version"])
        sys.settrace(None)
        os._exit(status if passed >= moment else 99)

    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for number in signal.SIGTERM, signal.SIGINT:
        moment = 1
        while (end := ended(number, moment))[0] != 99:
            assert end in [(0, b""), (128 + number, b""), (-number, b"")], (number, moment, end)
            moment += int(sys.argv[1])
        print(moment, file=sys.stderr)
    """


@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.thorough), 4])
def test_a_signal_at_any_instant_of_the_end_makes_no_traceback_and_no_other_status(step: int):
    done = subprocess.run(
        [sys.executable, "-c", dedent(LAST_INSTANT), str(step)],
        env=pinned() | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert all(int(moments) > 50 for moments in done.stderr.split())


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_bug_is_reported_with_its_traceback(unbuffered: str, folder: Path):
    """The process ends without clean-up, so nothing may be left in a buffer."""
    program = (
        "import sys; from nbtext import Model; from nbtext.__main__ import main; "
        "Model.open = lambda path: 1 / 0; sys.argv = ['nbtext', 'classify']; main()"
    )
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env=environment, input=b"", capture_output=True, check=False
    )
    assert ended.returncode == 70
    assert ended.stderr.splitlines()[-1] == b"ZeroDivisionError: division by zero"
