"""The command line as a whole: help, status, streams, signals, completion. In process, but for pipes and signals."""

import os
import signal
import subprocess
import sys
import time
from textwrap import dedent

import pytest

from nbtext import __version__, cli
from nbtext.engines import _sharing
from nbtext.kernel import NATIVE
from nbtext.plugins import names

from ..shell import ROOT, SECONDS, pinned

COMMANDS = names(cli)
CORPUS = {
    "ham/1.txt": "lunch with anna at noon",
    "ham/2.txt": "minutes of the meeting at noon",
    "spam/1.txt": "win cash now",
    "spam/2.txt": "win a free prize now",
}
STATUS_OF = {
    "no such command": (["frobnicate"], 2, "nbtext: No such command 'frobnicate'; see: nbtext --help\n"),
    "no such option": (["show", "--frob"], 2, "nbtext: No such option '--frob'; see: nbtext show --help\n"),
    "an argument missing": (["learn"], 2, "nbtext: Missing argument 'LABEL'; see: nbtext learn --help\n"),
    "an empty label": (["learn", ""], 2, "label cannot be empty; see: nbtext learn --help\n"),
    "no such label": (["generate", "eggs"], 2, "nbtext: no class 'eggs' in model.nbtext; there are: ham, spam\n"),
    "an empty path": (["import", ""], 2, "a path cannot be empty"),
    "no such event model": (["classify", "--event-model", "x"], 2, "nbtext: no event model 'x'; there are: bernoulli"),
    "no such reader": (["classify", "--reader", "x"], 2, "nbtext: no reader 'x'; there are: bytes, csv"),
    "no such event model to train": (
        ["train", "corpus", "--event-model", "x"],
        2,
        "no event model 'x'; there are: bern",
    ),
    "no such prior to train": (["train", "corpus", "--prior", "x"], 2, "nbtext: prior 'x': 'x' should be 'learned', "),
    "alpha of zero": (["classify", "--alpha", "0"], 2, "nbtext: alpha 0 is refused: "),
    "another tokenizer": (
        ["classify", "--tokenizer", "split"],
        2,
        "was trained with --tokenizer words, not split; see: ",
    ),
    "other n-grams": (["tokens", "--ngrams", "2"], 2, "nbtext: the model was trained with --ngrams 1, not 2; see: "),
    "another encoding": (
        ["explain", "--encoding", "koi8-r"],
        2,
        "was trained with --encoding windows-1252, not koi8-r",
    ),
    "a reader of another kind": (
        ["classify", "--reader", "mail"],
        2,
        "with --reader text; mail reads another kind of document",
    ),
    "two readers": (
        ["classify", "--lines", "--reader", "csv"],
        2,
        "--lines means --reader lines, which contradicts --reader csv",
    ),
    "rank and is": (["classify", "--rank", "ham", "--is", "ham"], 2, "--rank cannot be combined with --is or --top"),
    "no such list": (["classify", "--files-from", "gone"], 2, "nbtext: --files-from gone: No such file or directory"),
    "one input twice": (["classify", "-", "--files-from", "-"], 2, "cannot be both a document and the list"),
    "no such document": (["classify", "gone.txt"], 3, "nbtext: gone.txt: No such file or directory\n"),
    "no model": (
        ["show", "-m", "gone"],
        3,
        "nbtext: no model at gone; make one with: nbtext train FOLDER --model gone\n",
    ),
    "a device as model": (
        ["show", "-m", os.devnull],
        3,
        "nbtext: /dev/null: a pipe, device or endless link, not a model; ",
    ),
    "another file as model": (["show", "-m", "corpus/ham/1.txt"], 3, "corpus/ham/1.txt: not a model of nbtext"),
    "no such folder": (["train", "gone"], 3, "nbtext: gone: no such folder; "),
    "a single class": (
        ["train", "one"],
        3,
        "a single class, 'ham', leaves nothing to distinguish; was the parent folder",
    ),
    "no folder for the model": (["train", "corpus", "-m", "gone/m"], 3, "nbtext: gone/m: cannot be opened"),
    "a page that cannot be written": (
        ["explain", "--html", "gone/x"],
        3,
        "nbtext: gone/x: No such file or directory\n",
    ),
}


@pytest.fixture
def trained(corpus, run):
    """A run in a folder that has a corpus and its model."""
    corpus(CORPUS)
    assert run("train", "corpus").status == 0
    return run


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_ends_with_an_example_to_paste(command, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = run(command, "--help")
    assert (text.err, text.status) == ("", 0)
    assert text.out.startswith(f"Usage: nbtext {command} ")
    last = text.out.splitlines()[-1]  # in one line, or it could not be pasted
    assert last.startswith("  Example: ")
    assert f"nbtext {command}" in last
    assert run(command, "-h") == text


@pytest.mark.parametrize("command", COMMANDS)
def test_summary_of_every_command_fits_its_line(command, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    (line,) = (line for line in run("--help").out.splitlines() if line.startswith(f"  {command} "))
    assert line.endswith(".")
    assert not line.endswith("...")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_itself_is_the_last_of_the_options(command, run):
    *_, last = (line for line in run(command, "--help").out.splitlines() if line.startswith("  -"))
    assert last.split() == ["-h,", "--help", "Show", "this", "message", "and", "exit."]


def test_help_says_what_statuses_mean_and_how_to_complete(run):
    text = run("--help").out
    for part in (
        "Exit status: 0 done",
        "130 interrupted",
        "_NBTEXT_COMPLETE=bash_source nbtext",
        "Example: nbtext train",
    ):
        assert part in text


def test_nothing_asked_for_is_answered_with_the_help(run):
    bare = run()
    assert (bare.out, bare.status) == ("", 2)
    assert bare.err == run("--help").out


def test_version(run):
    kernel = "the compiled kernel" if NATIVE else "its kernel in plain Python"
    assert run("--version").out == f"nbtext, version {__version__}, with {kernel}\n"


@pytest.mark.parametrize(("args", "status", "message"), STATUS_OF.values(), ids=STATUS_OF)
def test_failure_has_its_status_and_one_line(args, status, message, trained, corpus):
    corpus({"ham/1.txt": "lunch"}, name="one")
    failed = trained(*args, stdin="lunch")
    assert (failed.out, failed.status) == ("", status)
    assert message in failed.err
    assert failed.err.startswith("nbtext: ")
    assert failed.err.count("\n") == 1


def test_bug_shows_where_and_has_its_own_status(trained, monkeypatch):
    monkeypatch.setattr("nbtext.classification.decision.answer", lambda *_: 1 // 0)
    failed = trained("classify", stdin="lunch")
    assert (failed.out, failed.status) == ("", 70)
    assert failed.err.startswith("nbtext: a bug in nbtext 0")
    assert failed.err.endswith("ZeroDivisionError: integer division or modulo by zero\n")


def test_want_of_memory_is_trouble_with_a_way_out(trained, monkeypatch):
    def full(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("nbtext.classification.decision.answer", full)
    failed = trained("classify", stdin="lunch")
    assert (failed.out, failed.status) == ("", 3)
    assert failed.err == "nbtext: not enough memory; train needs less with --jobs 1 and with a smaller --memory\n"


def test_what_is_named_cannot_drive_the_terminal(trained):
    assert trained("classify", "./\x1b[31mred\n").err == r"nbtext: ./\x1b[31mred\n: No such file or directory" + "\n"


# Standard streams that are closed, full, or go away: real processes


@pytest.fixture
def sh(trained, shell):
    """A shell in a folder that has a corpus and its model."""
    return shell


@pytest.mark.parametrize(
    ("command", "result"),
    [
        ("nbtext classify <&-", ("", "nothing to read: standard input is closed; name a file", 2)),
        ("nbtext import -m new <&-", ("", "nothing to read: standard input is closed; name a file", 2)),
        ("nbtext classify --files-from - <&-", ("", "nothing to read: standard input is closed; name a file", 2)),
        ("nbtext classify corpus/ham/1.txt <&- | cut -f 1,3", ("ham\tcorpus/ham/1.txt\n", "", 0)),
        ("echo win | nbtext classify >&-", ("", "standard output is closed", 3)),
        ("echo win | nbtext classify >/dev/full", ("", "standard output: No space left on device", 3)),
        ("seq 9999 | nbtext classify --lines >/dev/full", ("", "standard output: No space left on device", 3)),
        ("nbtext --help >/dev/full", ("", "standard output: No space left on device", 3)),
        ("nbtext classify gone 2>/dev/full", ("", "", 3)),
        ("nbtext classify gone 2>&-", ("", "", 3)),
        ("nbtext frobnicate 2>&-", ("", "", 2)),
        ("yes win | head -c 3000000 | nbtext classify --lines | head -1 | cut -f 1", ("spam\n", "", 0)),
        ("nbtext export | head -1 | cut -c 1-9", ('{"nbtext"\n', "", 0)),
        ("nbtext export | true; echo ${PIPESTATUS[0]}", ("141\n", "", 0)),
        ("echo café | LC_ALL=C nbtext tokens --no-model", ("café\n", "", 0)),
        ("echo café | LC_ALL=xx_YY.UTF-8 nbtext tokens --no-model", ("café\n", "", 0)),
        ("echo café | LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 nbtext tokens --no-model", ("café\n", "", 0)),
        ("echo café | env -u LC_ALL LANG= nbtext tokens --no-model", ("café\n", "", 0)),
        ("echo win | env -u HOME nbtext classify --is spam", ("", "", 0)),
        ("nbtext train corpus -m m 2>log >out; cat log; wc -l <out", ("6\n", "", 0)),
    ],
)
def test_stream(command, result, sh):
    out, message, status = result
    found = sh(command)
    assert (found.out, found.status) == (out, status)
    assert message in found.err
    assert bool(message) == bool(found.err)


def test_answer_comes_before_the_next_line_is_written(sh, tmp_path):
    command = [sys.executable, "-m", "nbtext", "classify", "--lines"]
    environment = pinned() | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line, label in ("win cash\n", "spam"), ("\n", "(empty)"), ("lunch\n", "ham"):
            process.stdin.write(line)
            process.stdin.flush()
            assert process.stdout.readline().partition("\t")[0] == label
        process.stdin.close()
        assert process.wait(SECONDS) == 0


def test_nobody_waits_for_the_model_while_documents_to_learn_are_awaited(sh, tmp_path):
    command = [sys.executable, "-m", "nbtext", "learn", "ham"]
    environment = pinned() | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as waiting:
        assert waiting.stdin is not None
        waiting.stdin.write("dinner ")
        waiting.stdin.flush()
        assert sh("echo supper | nbtext learn ham").out == "learned\t-\n"
        assert waiting.communicate("at eight", timeout=SECONDS)[0] == "learned\t-\n"
    assert sh("nbtext verify").out == "model.nbtext: sound, 2 classes, 6 documents, 23 tokens\n"


@pytest.mark.parametrize(("before", "returncode"), [("SIG_IGN", 0), ("default_int_handler", -signal.SIGINT)])
def test_an_interrupt_while_the_command_is_still_loading_says_nothing(before, returncode):
    script = f"""
        import os, signal, sys
        from nbtext import __main__

        signal.signal(signal.SIGINT, signal.{before})
        sys.argv = ["nbtext", "--version"]
        __main__.put_off = lambda *_: os.kill(os.getpid(), signal.SIGINT)
        __main__.main()
        """
    done = subprocess.run([sys.executable, "-c", dedent(script)], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (returncode, "")


@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_two_signals_at_once_end_a_command_without_a_word(first, second, sh, tmp_path):
    command = [sys.executable, "-m", "nbtext", "classify", "--lines"]
    environment = pinned() | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as waiting:
        assert waiting.stdin is not None
        assert waiting.stdout is not None
        waiting.stdin.write(b"lunch\n")
        waiting.stdin.flush()
        waiting.stdout.readline()
        for number in (first, second):
            waiting.send_signal(number)
        _, err = waiting.communicate(timeout=SECONDS)
    assert err == b""
    assert waiting.returncode in {128 + first, 128 + second}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_leaves_the_old_model_and_no_litter(number, sh, tmp_path):
    os.mkfifo(tmp_path / "endless")  # training waits on it, so the signal surely comes in time
    before = (tmp_path / "model.nbtext").read_bytes()
    command = [sys.executable, "-m", "nbtext", "train", "--reader", "csv", "endless"]
    environment = pinned() | {"PYTHONPATH": str(ROOT)}
    files = sorted(os.listdir(tmp_path))
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with process, open(tmp_path / "endless", "wb") as rows:
        rows.write(b"label,text\nham,lunch\n")
        rows.flush()
        time.sleep(0.05)
        process.send_signal(number)
        out, err = process.communicate(timeout=SECONDS)
    assert (out, err, process.returncode) == (b"", b"", 128 + number)
    assert (tmp_path / "model.nbtext").read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == files


def test_learning_at_once_loses_nothing(sh):
    sh("for i in $(seq 8); do echo word$i | nbtext learn ham & done; wait")
    assert sh("nbtext verify").out == "model.nbtext: sound, 2 classes, 12 documents, 27 tokens\n"


# Machines without comforts


@pytest.mark.parametrize(
    "lacking", [OSError(38, "Function not implemented"), OSError(2, "No such file"), ImportError()]
)
def test_without_semaphores_one_process_does_the_work(lacking, monkeypatch):
    class Semaphore:
        SEM_VALUE_MAX = 1

        def __init__(self, *_: object) -> None:
            raise lacking

    monkeypatch.setattr("_multiprocessing.SemLock", Semaphore)
    assert not _sharing.processes_are_possible()
    with _sharing.team(None, 2, worth=True) as workers:
        assert workers is None
    assert list(_sharing.results(workers, str, [1, 2])) == ["1", "2"]


def test_with_semaphores_processes_do_the_work():
    assert _sharing.processes_are_possible()


@pytest.mark.parametrize("command", ["", "classify", "filter", "import"])
def test_help_is_the_same_where_docstrings_are_taken_out(command, shell):
    helped = shell(f"nbtext {command} --help")
    assert shell(f"PYTHONOPTIMIZE=2 nbtext {command} --help") == helped
    assert helped.status == 0


@pytest.mark.parametrize("command", ["classify --lines", "explain", "tokens", "learn spam", "classify --is spam"])
def test_answers_are_the_same_where_assertions_are_taken_out(command, sh):
    answered = sh(f"cp model.nbtext copy; nbtext {command} -m copy", stdin="win cash")
    assert sh(f"cp model.nbtext copy; PYTHONOPTIMIZE=2 nbtext {command} -m copy", stdin="win cash") == answered
    assert answered.status == 0


@pytest.mark.parametrize(
    "unlucky",
    [
        "PYTHONIOENCODING=utf8mb4 nbtext classify --is spam",  # Python cannot start
        "nbtext classify --is spam < corpus",
        "PYTHONHOME=/gone nbtext classify --is spam",
        "nbtext-is-not-installed classify --is spam",
        "nbtext classify --is spam -m gone",
        "nbtext classify --is spam --bogus",
        "nbtext classify --is spam gone",
        "nbtext classify --is eggs",
    ],
)
def test_no_failure_has_the_status_of_an_answer(unlucky, sh):
    yes, no = (sh("nbtext classify --is spam", stdin=text).status for text in ("win cash", "lunch"))
    assert (yes, no) == (0, 4)
    assert sh(unlucky, stdin="win cash").status not in {yes, no}


@pytest.mark.parametrize("encoding", ["ascii", "utf-16", "latin-1", "utf-8:strict"])
def test_answers_are_utf_8_whatever_encoding_is_wished_for(encoding, sh):
    assert sh(f"echo café | PYTHONIOENCODING={encoding} nbtext tokens --no-model").out == "café\n"


@pytest.mark.parametrize("page", ["explain --html /dev/full", "evaluate corpus --folds 2 --report /dev/full"])
def test_a_page_that_finds_no_room_is_named(page, sh):
    if "report" in page:
        pytest.importorskip("matplotlib", reason="the extra report is not installed")
    full = sh(f"nbtext {page}", stdin="win cash")
    assert (full.out, full.err, full.status) == ("", "nbtext: /dev/full: No space left on device\n", 3)


# Standard input as a corpus


@pytest.mark.parametrize("options", ["train -m new.nbtext", "evaluate --folds 2", "check"])
def test_a_corpus_can_come_on_standard_input(options, sh, tmp_path):
    table = "text,label\nwin cash,spam\nlunch at noon,ham\nwin a prize,spam\nthe meeting,ham\n"
    (tmp_path / "table").write_text(table)
    from_file = sh(f"nbtext {options} --reader csv table")
    assert (from_file.err, from_file.status) == ("", 0)
    for source in "cat table | nbtext", "nbtext < table", "(nbtext) < table":
        command, _, rest = source.partition("nbtext")
        (tmp_path / "new.nbtext").unlink(missing_ok=True)
        answered = sh(f"{command}nbtext {options} --reader csv - {rest}")
        assert answered._replace(out=answered.out.replace("/dev/stdin", "table").replace(", replaced", "")) == from_file


# Completion


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("nbtext s", "plain,show\n"),
        ("nbtext learn ", "plain,ham\nplain,spam\n"),
        ("nbtext learn s", "plain,spam\n"),
        ("nbtext classify --is h", "plain,ham\n"),
        ("nbtext classify -m other --is ", "plain,left\nplain,right\n"),
        ("nbtext classify -m gone --is ", "\n"),
        ("nbtext explain --event-model b", "plain,bernoulli\nplain,binary\n"),
        ("nbtext train --reader t", "plain,text\nplain,tsv\n"),
        ("nbtext train --tokenizer w", "plain,words\nplain,words-chars\n"),
        ("nbtext classify corp", "file,corp\n"),
        ("nbtext classify --un", "plain,--unsure-below\n"),
    ],
)
def test_completion(words, found, trained, corpus, monkeypatch):
    corpus({"left/1": "a", "right/1": "b"}, name="sides")
    trained("train", "sides", "-m", "other")
    monkeypatch.setenv("_NBTEXT_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))
    assert trained().out == found


@pytest.mark.parametrize("model", [["-m", "other"], ["-mother"], ["-m=other"], ["--model", "other"], ["--model=other"]])
def test_an_option_is_taken_however_its_value_is_joined_to_it(model, trained, corpus):
    corpus({"left/1": "a", "right/1": "b"}, name="sides")
    trained("train", "sides", *model, "-qj1")
    assert trained("verify", *model).out.startswith("other: sound")


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_completion_for_each_shell_has_its_script(name, run, monkeypatch):
    monkeypatch.setenv("_NBTEXT_COMPLETE", f"{name}_source")
    script = run()
    assert script.status == 0
    assert f"_NBTEXT_COMPLETE={name}_complete" in script.out
