"""nbtext filter: the verdict on a mail as a header field, and the mail whole whatever happens."""

import os
import random
import re
import sqlite3
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import Analysis, Classifier, Document, Model, train_documents
from nbtext.classification.decision import UNKNOWN, Decision
from nbtext.classification.filtering import LONGEST_NAME, Thresholds, filtered, plain, verdict
from nbtext.mail.verdict import without
from nbtext.readers import digest, mail
from nbtext.storage import opening

from ..conftest import Run
from ..mailroom import HAM, HARD, SPAM, mail_model
from ..shell import ROOT, pinned

SAMPLE, SEED = 250, 20260101
ADDED = re.compile(rb"X-Nbtext: (?:spam|ham|unsure), [^\r\n]*(?:\r?\n[ \t][^\r\n]*)*")


@pytest.fixture(scope="module")
def classify(tmp_path_factory: pytest.TempPathFactory) -> Classifier:
    path = tmp_path_factory.mktemp("model") / "mail.nbtext"
    path.write_bytes(mail_model())
    return Classifier(Model.open(str(path)))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.nbtext"
    path.write_bytes(mail_model())
    return path


def field(message: bytes) -> str:
    found = ADDED.search(message)
    assert found, message[:1000]
    return found[0].decode("ascii")


# what the field says


def made(outcome: str, label: str, posterior: float = 0.75) -> Decision:
    return Decision(outcome, label, {label: posterior}, {label: -1.0}, 1, 1, 1.0)


VERDICTS = {
    "an answer": (made("answer", "spam", 0.99871234), "spam, 0.998712"),
    "certainty": (made("answer", "ham", 1.0), "ham, 1"),
    "not sure": (made("unsure", "ham"), "unsure, 0.75; likeliest=ham"),
    "a message without tokens": (made("empty", "ham"), "unsure, 0.75; likeliest=ham"),
    "a label that would look unsure": (made("answer", "unsure"), r"\x75nsure, 0.75"),
    "a label that would look like an answer": (made("answer", "spam, 1; x"), r"spam\x2c 1\x3b x, 0.75"),
    "a label that would start a field": (made("answer", "a\r\nSubject: b"), r"a\r\nSubject: b, 0.75"),
    "a label that mail programs would decode": (made("answer", "=?utf-8?q?a?="), r"\x3d?utf-8?q?a?=, 0.75"),
    "a label in other letters": (made("answer", "café тест"), r"caf\xe9 \u0442\u0435\u0441\u0442, 0.75"),
    "a label of blanks": (made("answer", " "), r"\x20, 0.75"),
}  # fmt: skip


@pytest.mark.parametrize(("decision", "expected"), VERDICTS.values(), ids=VERDICTS.keys())
def test_the_verdict(decision: Decision, expected: str):
    assert verdict(decision) == expected


@given(st.text() | st.text(min_size=LONGEST_NAME))
def test_any_text_is_made_safe_for_a_header(text: str):
    shown = plain(text)
    assert shown.isascii()
    assert shown == "" or shown.isprintable()
    assert len(shown) <= LONGEST_NAME
    assert not {",", ";"} & set(shown)
    assert "=?" not in shown


def test_the_field_tells_the_model_by_its_state(classify):
    assert field(filtered(SPAM, classify)).endswith(f"; model={classify.model.state}")


def test_show_tells_the_state(run: Run, model: Path):
    assert f"\nstate: {Model.open(str(model)).state}\n" in run("show").out


def test_the_state_of_a_model_changes_with_each_document_and_comes_back():
    from nbtext.training.learning import learn, unlearn

    def documents() -> list[Document]:
        return [Document([("", "win cash")], "spam"), Document([("", "lunch")], "ham")]

    model, twin = train_documents(documents()), train_documents(reversed(documents()))
    first = model.state
    assert first == twin.state
    learn(model, "ham", [Document([("", "dinner")])])
    assert model.state != first
    unlearn(model, "ham", [Document([("", "dinner")])])
    assert model.state == first
    assert train_documents(documents(), analysis=Analysis(ngrams=2)).state != first


# reasons


def test_the_tokens_that_decided_are_named_one_a_line(classify):
    lines = field(filtered(SPAM, classify, explained=3)).split("\n")
    expected = [
        f"\t{plain(term.token)} {term.terms['spam'] - term.terms['ham']:+.3g}"
        for term in classify.explain(next(mail.read(BytesIO(SPAM), "", classify.model.analysis.input().decode))).terms[
            :3
        ]
    ]
    assert [line.rstrip(";") for line in lines[1:]] == expected


HOSTILE = [
    "\r\nX-Evil: 1",
    "\n\nbody",
    "=?utf-8?q?=0AX-Evil:_1?=",
    "a\x1b[31m",
    "é" * 3000,
    "a\0",
    "\u2028X-Evil: 1",
    '; tag="a"',
]


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("tokenizer", ["split", "chars:n=4", "tokens"])
def test_no_token_and_no_label_gets_out_of_the_field(hostile: str, tokenizer: str):
    texts = [Document([("", hostile)], f"spam{hostile}"), Document([("", "lunch")], "ham")]
    classify = Classifier(train_documents(texts, analysis=Analysis(reader="mail", tokenizer=tokenizer)))
    message = b"A: b\n\n" + hostile.encode()
    longer = filtered(message, classify, explained=50)
    added = longer[len(b"A: b\n") : len(longer) - len(message) + len(b"A: b\n")]
    first, *rest = added.rstrip(b"\n").split(b"\n")
    assert first.startswith((b"X-Nbtext: spam", b"X-Nbtext: ham"))
    assert all(line.startswith(b"\t") and line[1:].strip() for line in rest)
    assert all(len(line) < 998 and line.strip(b"\t").decode("ascii").isprintable() for line in (first, *rest))
    assert without(longer) == message


# the rest of the message

PIECES = [
    b"Subject: ",
    b"Content-Type: text/html\n",
    b"X-Nbtext: ",
    b"From ",
    b"\n",
    b"\r\n",
    b"<b>",
    b"=?utf-8?q?",
    b"\xff",
]


@pytest.mark.parametrize("message", HARD.values(), ids=HARD.keys())
def test_a_message_comes_through_byte_for_byte(message: bytes, classify: Classifier):
    answer = filtered(message, classify, explained=5)
    field(answer)
    assert without(answer) == message


@given(message=st.binary() | st.lists(st.sampled_from(PIECES)).map(b"".join))
def test_any_bytes_come_through(message: bytes, classify: Classifier):
    assert without(filtered(message, classify)) == without(message)


def test_real_mail_comes_through_byte_for_byte(real, classify):
    files = sorted(file for file in real("spamassassin").rglob("*") if file.is_file())
    for file in random.Random(SEED).sample(files, SAMPLE):
        message = file.read_bytes()
        longer = filtered(message, classify)
        at = longer.index(b"X-Nbtext: ")
        line = longer[at : longer.index(b"\n", at) + 1]
        assert longer.replace(line, b"", 1) == message, file


# the same document after the filter

CHANGED = {
    "": lambda message: message,
    "CRLF": lambda message: message.replace(b"\n", b"\r\n"),
    "an envelope line": lambda message: b"From ann@example.org Thu Jan  1 09:00:00 2026\n" + message,
    "filtered again": None,
}


@pytest.mark.parametrize("change", CHANGED.values(), ids=CHANGED.keys())
@pytest.mark.parametrize("message", HARD.values(), ids=HARD.keys())
def test_a_filtered_message_is_the_same_document(message: bytes, change, classify: Classifier):
    decode = classify.model.analysis.input().decode
    again = change or (lambda message: filtered(message, classify, subject_tag="[SPAM]", explained=2))
    longer = again(filtered(message, classify, subject_tag="[SPAM]"))
    before, after = (mail.document(each, "", decode) for each in (message, longer))
    assert digest(after) == digest(before)


def test_a_message_learned_before_the_filter_is_known_after_it(run: Run, model: Path):
    message = b"Subject: cheap pills, win cash\n\nviagra viagra\n"
    tagged = run("filter", "--subject-tag", "[SPAM]", stdin=message).out
    assert "Subject: [SPAM] cheap" in tagged
    assert run("learn", "spam", stdin=message).out == "learned\t-\n"
    assert run("learn", "spam", stdin=tagged).out == "already learned\t-\n"
    assert run("learn", "ham", "--was", "spam", stdin=tagged).out == "learned\t-\n"
    assert run("learn", "ham", stdin=message).out == "already learned\t-\n"


# the command


def test_filter_adds_one_field(run: Run, model: Path):
    result = run("filter", stdin=SPAM)
    assert re.search(r"\nX-Nbtext: spam, 0\.\d+; model=156-[0-9a-f]{8}\n\n", result.out)
    assert without(result.out.encode("utf-8", "surrogateescape")) == SPAM
    assert (result.err, result.status) == ("", 0)


def test_filter_can_be_unsure(run: Run, model: Path):
    assert "\nX-Nbtext: unsure, " in run("filter", "--unsure-below", "1", stdin=SPAM).out


THRESHOLDS = {  # of a message with a posterior of spam of about 0.6
    "spam below its threshold": (["--spam-above", "0.7"], "unsure"),
    "spam above it": (["--spam-above", "0.55"], "spam"),
    "one that nothing reaches": (["--spam-above", "1", "--ham-above", "1"], "unsure"),
    "ham from less than even odds on": (["--spam-above", "0.9", "--ham-above", "0.2"], "ham"),
    "both reached": (["--spam-above", "0.2", "--ham-above", "0.2"], "spam"),
    "only that of ham is given": (["--ham-above", "0.9"], "spam"),
    "ham called spam": (["--spam-label", "ham", "--spam-above", "0.3"], "ham"),
}


@pytest.mark.parametrize(("options", "answer"), THRESHOLDS.values(), ids=THRESHOLDS.keys())
def test_two_thresholds(options: list[str], answer: str, run: Run, tmp_path: Path):
    texts = [Document([("", "win cash")], "spam"), Document([("", "lunch at noon")], "ham")]
    train_documents(texts, str(tmp_path / "model.nbtext"), Analysis(reader="mail")).close()
    message = "A: b\n\ncash\n"
    assert "\nX-Nbtext: spam, 0.6" in run("filter", "-m", str(tmp_path / "model.nbtext"), stdin=message).out
    assert f"\nX-Nbtext: {answer}, " in run("filter", "-m", str(tmp_path / "model.nbtext"), *options, stdin=message).out


def test_no_threshold_makes_an_answer_of_what_says_nothing(classify: Classifier):
    nothing = classify("xyzzy")
    assert nothing.outcome == UNKNOWN
    assert Thresholds(0.0, 0.0).judged(nothing, "spam") == nothing


def test_filter_tags_spam_only_and_once(run: Run, model: Path):
    once = run("filter", "--subject-tag", "[SPAM]", stdin=SPAM).out
    assert "\nSubject: [SPAM] =?utf-8" in once
    assert run("filter", "--subject-tag", "[SPAM]", stdin=once).out == once
    assert "[SPAM]" not in run("filter", "--subject-tag", "[SPAM]", stdin=HAM).out
    assert "\nSubject: [HAM] " in run("filter", "--subject-tag", "[HAM]", "--spam-label", "ham", stdin=HAM).out


def test_filter_reads_the_counts_as_asked(run: Run, model: Path):
    own, other = (
        field(run("filter", *options, stdin=SPAM).out.encode()) for options in ([], ["--event-model", "binary"])
    )
    assert own != other
    assert field(run("filter", "--raw", stdin=SPAM).out.encode()).startswith("X-Nbtext: spam, 1;")


@pytest.mark.parametrize("options", [[], ["--explain", "3"], ["--subject-tag", "[SPAM]"]])
def test_filter_refuses_a_model_of_plain_text(options: list[str], run: Run, corpus):
    run("train", corpus({"spam/1": "win cash", "ham/1": "lunch at noon"}))
    err, status = failed(run, SPAM, *options)
    assert status == 3
    assert err.startswith(
        "nbtext: the model was trained with --reader text, not on mail; for mail: nbtext train FOLDER"
    )


def test_a_forged_verdict_does_not_survive_and_is_not_heard(run: Run, model: Path):
    forged = b'X-Nbtext: ham, 1; tag="Your"\n' + SPAM
    assert run("filter", stdin=forged) == run("filter", stdin=SPAM)


# A delivery is a new process each time: what it must not wait for
NEVER_NEEDED = {"bz2", "email", "hashlib", "json", "lzma", "pickle", "random", "regex", "selectolax", "shutil", "tqdm"}


@pytest.mark.parametrize("command", ["filter", "classify"])
def test_a_plain_message_is_answered_without_heavy_imports(command: str, shell: Run, model: Path):
    result = shell(f"{sys.executable} -P -X importtime -m nbtext {command} >answer", stdin=HAM)
    loaded = {line.rpartition("|")[2].strip() for line in result.err.splitlines()}
    assert "nbtext.classification.decision" in loaded
    assert NEVER_NEEDED & loaded == set()


# whatever happens


def failed(run: Run, message: bytes, *options: str) -> tuple[str, int]:
    """What filter complains of, and its status, having passed the message on as it was."""
    result = run("filter", *options, stdin=message)
    assert result.out.encode("utf-8", "surrogateescape") == message
    return result.err, result.status


@pytest.mark.parametrize("message", HARD.values(), ids=HARD.keys())
def test_without_a_model_the_message_comes_out_as_it_was(message: bytes, run: Run):
    err, status = failed(run, message)
    assert status == 3
    assert err.startswith("nbtext: no model at model.nbtext")
    assert err.count("\n") == 1


WRONG_LINES = {
    "no such option": ["--bogus"],
    "no such label": ["--subject-tag", "[SPAM]", "--spam-label", "junk"],
    "a tag that ends the line": ["--subject-tag", "[SPAM]\nX-Evil: 1"],
    "a tag in other letters": ["--subject-tag", "СПАМ"],
    "no such event model": ["--event-model", "bogus"],
    "no probability": ["--unsure-below", "2"],
    "no threshold": ["--spam-above", "x"],
    "two kinds of thresholds": ["--spam-above", "0.9", "--unsure-below", "0.9"],
    "no such label of a threshold": ["--ham-above", "0.9", "--spam-label", "junk"],
}


@pytest.mark.parametrize("options", WRONG_LINES.values(), ids=WRONG_LINES.keys())
def test_if_the_command_line_is_wrong_the_message_comes_out_as_it_was(options: list[str], run: Run, model: Path):
    err, status = failed(run, SPAM, *options)
    assert status == 2
    assert err.startswith("nbtext: ")
    assert err.count("\n") == 1


def test_at_a_terminal_a_wrong_command_line_waits_for_no_message():
    controller, terminal = os.openpty()
    command = [sys.executable, "-P", "-m", "nbtext", "filter", "message.eml"]
    environment = pinned() | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, stdin=terminal, capture_output=True, env=environment, timeout=60)
    os.close(terminal)
    os.close(controller)
    assert (done.stdout, done.returncode) == (b"", 2)


DAMAGES = {
    "emptied": lambda content: content[:0],
    "cut off": lambda content: content[: len(content) // 2],
    "another kind of file": lambda content: b"not a model\n" + content,
    "overwritten": lambda content: content[:4096] + os.urandom(len(content) - 4096),
    "a flipped bit in every page": lambda content: bytes(
        byte ^ (number % 4096 > 100 and number % 512 == 0) for number, byte in enumerate(content)
    ),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_with_a_damaged_model_the_message_comes_out_as_it_was(damage, run: Run, model: Path):
    model.write_bytes(damage(model.read_bytes()))
    err, status = failed(run, SPAM)
    assert status == 3
    assert err.startswith("nbtext: model.nbtext: ")
    assert err.count("\n") == 1


def test_with_a_locked_model_the_message_comes_out_as_it_was(run: Run, model: Path, monkeypatch):
    monkeypatch.setattr(opening, "LONGEST_WAIT_SECONDS", 0.05)
    writer = sqlite3.connect(model, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    err, status = failed(run, SPAM)
    writer.close()
    assert status == 3
    assert "locked" in err


FAULTS = {
    MemoryError(): (3, "nbtext: not enough memory"),
    RuntimeError("a wrong turn"): (70, "nbtext: a bug in nbtext"),
    RecursionError(): (70, "nbtext: a bug in nbtext"),
    OSError(5, "Input/output error"): (3, "nbtext: "),
}


@pytest.mark.parametrize(("fault", "expected"), FAULTS.items(), ids=map(repr, FAULTS))
def test_whatever_is_raised_the_message_comes_out_as_it_was(fault, expected, run: Run, model: Path, monkeypatch):
    def broken(*args: object) -> None:
        raise fault

    monkeypatch.setattr(Classifier, "__call__", broken)
    err, status = failed(run, SPAM)
    assert status == expected[0]
    assert err.startswith(expected[1])


@pytest.mark.parametrize("redirection", [">/dev/full", ">&-", "| true"])
@pytest.mark.parametrize("size", [1, 1_000_000])
def test_a_message_that_could_not_be_written_is_a_failure(redirection: str, size: int, shell: Run, model: Path):
    script = f"set -o pipefail; (sleep .2; nbtext filter; echo $? >status) {redirection}; cat status"
    result = shell(script, stdin=b"Subject: win\n\n" + b"x" * size)
    assert result.out.strip() in {"3", "141"}
    assert result.err.count("\n") == (result.out.strip() == "3")


def test_nothing_is_answered_before_all_is_read(shell: Run, model: Path):
    writer = "(printf 'Subject: win\\n\\nnow'; sleep 1; kill -9 $(cat pid))"
    assert shell(f"{writer} | (echo $BASHPID >pid; exec nbtext filter) | wc -c").out.strip() == "0"


# other commands on mail


def test_classify_is_spam_answers_scripts(run: Run, model: Path):
    spam, ham = (run("classify", "--is", "spam", stdin=message) for message in (SPAM, HAM))
    assert (spam, ham) == (("", "", 0), ("", "", 4))


def test_classify_answers_each_message_of_a_box(run: Run, model: Path, tmp_path: Path):
    box = b"".join(
        b"From ann@example.org Thu Jan  1 09:00:00 2026\n" + message + b"\n" for message in (SPAM, HAM, SPAM)
    )
    (tmp_path / "box").write_bytes(box)
    lines = run("classify", "--reader", "mbox", "box").out.splitlines()
    assert [line.split("\t")[::2] for line in lines] == [["spam", "box:1"], ["ham", "box:2"], ["spam", "box:3"]]


def test_classify_reads_maildir(run: Run, model: Path, corpus):
    folder = corpus(
        {
            "cur/1700000000.M1P1.host:2,S": SPAM,
            "new/1700000001.M1P1.host": HAM,
            "tmp/1700000002.M1P1.host": b"half a mess",
            "dovecot.index.log": b"\0\1",
            "dovecot-uidlist": b"3 V1 N1\n",
            "maildirfolder": b"",
            "cur/dovecot.index.cache": b"\0",
        },
        "Maildir",
    )
    lines = run("classify", folder)
    assert [line.split("\t")[0] for line in lines.out.splitlines()] == ["spam", "ham"]
    assert (lines.err, lines.status) == ("", 0)


def test_a_folder_named_tmp_that_is_no_maildir_s_is_read(run: Run, model: Path, corpus):
    assert run("classify", corpus({"tmp/1": SPAM}, "folder")).out.startswith("spam\t")


def test_classify_reads_mh_folders(run: Run, model: Path, corpus):
    folder = corpus({"1": SPAM, "2": HAM, ".mh_sequences": "unseen: 1-2\n", ",3": SPAM, "4~": SPAM}, "inbox")
    assert [line.split("\t")[0] for line in run("classify", folder).out.splitlines()] == ["spam", "ham"]
