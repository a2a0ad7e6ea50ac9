"""An mbox: where one message ends, and that it comes out as it went in."""

import io
import re
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext.decoding import Decoder, Limits
from nbtext.errors import DocumentError
from nbtext.mail import evidence
from nbtext.mail.boxes import messages
from nbtext.readers import Skipped, mbox
from tests.fuzz.fuzz_mail import LINES, decode

from ..timing import seconds

FROM = b"From ann@example.org Thu Jan  1 09:00:00 2026\n"
ONE = b"Subject: one\n\nat noon\n"
TWO = b"Subject: two\n\nat ten\n"


def documents(box):
    return list(mbox.read(io.BytesIO(box), "box", decode))


def bodies(box):
    return ["".join(text for tag, text in document.parts if not tag) for document in documents(box)]


def subjects(box):
    return [dict(document.parts).get("subject") for document in documents(box)]


def test_a_box_gives_its_messages_in_order_and_numbered():
    found = documents(FROM + ONE + b"\n" + FROM + TWO)
    assert [(document.name, document.label) for document in found] == [("box:1", None), ("box:2", None)]
    assert [document.parts for document in found] == [evidence.parts(ONE, decode), evidence.parts(TWO, decode)]


@pytest.mark.parametrize("empty", [b"", b"\n", b"\r\n\n"])
def test_an_empty_box_has_no_messages(empty):
    assert documents(empty) == []


@pytest.mark.parametrize(
    "line",
    [
        b"From ann@example.org Thu Jan  1 09:00:00 2026",
        b"From ann@example.org  Thu Jan 01 09:00 2026",
        b"From - Thu Jan  1 09:00:00 2026",
        b"From MAILER-DAEMON Thu Jan  1 09:00:00 2026",
        b"From ann@example.org Thu Jan  1 09:00:00 CET 2026",
        b"From ann@example.org Thu Jan  1 09:00:00 +0100 2026",
        b"From ann@example.org Thu Jan  1 09:00:00 2026 +0100",
        b'From "Ann Ames"@example.org Thu Jan  1 09:00:00 2026',
        b"From ann@example.org Thu Jan  1 09:00:00 2026 remote from example",
    ],
)
def test_a_from_line_after_a_blank_line_begins_a_message(line):
    assert subjects(FROM + ONE + b"\n" + line + b"\n" + TWO) == ["one", "two"]


@pytest.mark.parametrize(
    "line",
    [
        b"From now on we meet at ten.",
        b"From Thu Jan  1 09:00:00 2026",
        b"From ann@example.org",
        b"From ann@example.org 2026",
        b" From ann@example.org Thu Jan  1 09:00:00 2026",
        b"from ann@example.org Thu Jan  1 09:00:00 2026",
        b"From: ann@example.org Thu Jan  1 09:00:00 2026",
    ],
)
def test_another_line_does_not(line):
    assert bodies(FROM + ONE + b"\n" + line + b"\n") == ["at noon\n\n" + line.decode() + "\n"]


def test_a_from_line_within_a_paragraph_does_not():
    assert bodies(FROM + ONE + FROM) == ["at noon\n" + FROM.decode()]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b">From quoted", "From quoted"),
        (b">>From quoted twice", ">From quoted twice"),
        (b"> From a reply", "> From a reply"),
        (b">Fromage", ">Fromage"),
    ],
)
def test_quoting_is_undone_once(line, expected):
    assert bodies(FROM + b"Subject: s\n\n" + line + b"\n") == [expected + "\n"]


def test_carriage_returns_change_nothing():
    box = FROM + ONE + b"\nFrom now on\n\n" + FROM + b"Subject: two\n\n>From quoted\n"
    found, expected = (
        [each._replace(dated=None) for each in documents(written)] for written in (box.replace(b"\n", b"\r\n"), box)
    )
    assert found == expected


def test_a_file_without_a_from_line_is_one_message():
    assert subjects(ONE) == ["one"]


def test_a_message_may_be_empty():
    assert [document.parts for document in documents(FROM + b"\n" + FROM + ONE)] == [[], evidence.parts(ONE, decode)]


def test_a_message_too_large_is_refused_after_those_before_it():
    small = Decoder(limits=Limits(document_bytes=200))
    found = mbox.read(io.BytesIO(FROM + ONE + b"\n" + FROM + b"x" * 201), "box", small)
    assert next(found).name == "box:1"
    with pytest.raises(DocumentError, match=r"^box: a message over 200 bytes") as caught:
        next(found)
    assert caught.value.reason == "too large"


class Box(io.BytesIO):
    """A hundred messages of ten kilobytes, made when they are asked for."""

    lines = (line for _ in range(100) for line in [FROM, ONE, *[b"word " * 19 + b"\n"] * 100, b"\n"])

    def readline(self, _=-1, /):
        return next(self.lines, b"")


def test_memory_holds_one_message_at_a_time():
    evidence.parts(ONE, decode)
    tracemalloc.start()
    count = len([document.name for document in mbox.read(Box(), "box", decode)])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (count, peak < 300_000) == (100, True)


MESSAGES = st.lists(
    st.lists(st.sampled_from(LINES), max_size=8).map(lambda lines: b"Subject: s\n\n" + b"\n".join(lines) + b"\nend\n"),
    max_size=4,
)


@given(MESSAGES)
def test_messages_put_into_a_box_come_out_of_it(messages):
    box = b"".join(FROM + re.sub(rb"^(>*From )", rb">\1", message, flags=re.MULTILINE) + b"\n" for message in messages)
    assert [document.parts for document in documents(box)] == [evidence.parts(message, decode) for message in messages]


# dialects


def boxed(line, blank=b"\n"):
    return blank.join(line + b"\n" + message for message in (ONE, TWO, b"Subject: three\n\nat two\n"))


@pytest.mark.parametrize(
    "line",
    [
        b"From ",
        b"From",
        b"From ann@example.org",
        b"From - ",
        b"From ann@example.org 2026-01-01 09:00:00",
        b"From ???@??? Thu Jan 01 09:00:00 2026",
        b"From ann@example.org Thu, 1 Jan 2026 09:00:00 +0000",
    ],
)
def test_a_box_may_begin_its_messages_with_another_line(line):
    assert subjects(boxed(line)) == ["one", "two", "three"]
    assert subjects(boxed(line).replace(b"\n", b"\r\n")) == ["one", "two", "three"]


def test_a_dated_line_before_a_header_begins_a_message_without_a_blank_line():
    assert subjects(boxed(FROM.rstrip(), b"")) == ["one", "two", "three"]
    assert bodies(FROM + ONE + FROM + b"a log says so\n") == ["at noon\n" + FROM.decode() + "a log says so\n"]


@pytest.mark.parametrize("line", [b"From ", b"From ann@example.org", b"From: ann@example.org"])
def test_an_undated_line_begins_none_in_a_box_of_dated_ones(line):
    assert subjects(FROM + ONE + b"\n" + line + b"\nSubject: two\n") == ["one"]


def test_an_undated_line_before_text_begins_none():
    assert bodies(b"From \n" + ONE + b"\nFrom \nnow on\n") == ["at noon\n\nFrom \nnow on\n"]


# Content-Length


LOG = b"at noon\n\n" + FROM + b"a line of a log\n"


def measured(length, body=LOG, blank=b"\n"):
    return FROM + b"Subject: one\nContent-Length: %d\n\n" % length + body + blank + FROM + TWO


@pytest.mark.parametrize("blank", [b"\n", b"", b"\n\n"])
def test_a_content_length_that_fits_is_believed(blank):
    assert bodies(measured(len(LOG), blank=blank))[0].strip() == LOG.decode().strip()
    assert subjects(measured(len(LOG), blank=blank)) == ["one", "two"]
    assert subjects(measured(len(LOG)).partition(FROM + TWO)[0]) == ["one"]


@pytest.mark.parametrize("length", [0, 1, len(LOG) - 2, len(LOG) + 5, 10_000, 10**11])
def test_one_that_does_not_fit_is_not(length):
    assert len(subjects(measured(length))) == 3
    assert len(subjects(measured(length) * 3)) == 9


def test_a_content_length_in_the_text_counts_for_nothing():
    assert len(subjects(FROM + b"Subject: one\n\nContent-Length: %d\n\n" % len(LOG) + LOG + b"\n" + FROM + TWO)) == 3


@pytest.mark.parametrize("length", [20_000, 100_000, 30_000_000])
def test_wrong_lengths_take_linear_time(length):
    def count(box):
        assert sum(1 for _ in messages(io.BytesIO(box), 1 << 30))

    box = b"".join(measured(length + number, b"x\n") for number in range(8_000))
    small, large = (seconds(count, each, times=2) for each in (box[: len(box) // 8], box))
    assert large < 0.05 or large < 24 * small


# messages that nobody has


@pytest.mark.parametrize(
    ("field", "deleted"),
    [
        (b"X-Mozilla-Status: 0001", False),
        (b"X-Mozilla-Status: 0009", True),
        (b"X-Mozilla-Status: 8008", True),
        (b"x-mozilla-status : 000B", True),
        (b"X-Mozilla-Status2: 00200000", True),
        (b"X-Mozilla-Status2: 00800000", False),
        (b"X-Mozilla-Status: nonsense", False),
        (b"Subject: X-Mozilla-Status: 0009", False),
    ],
)
def test_a_message_that_is_deleted_is_named_and_not_read(field, deleted):
    found = documents(FROM + field + b"\n" + ONE + b"\n" + FROM + TWO)
    assert [each.name for each in found] == ["box:1", "box:2"]
    assert [isinstance(each, Skipped) for each in found] == [deleted, False]
    assert not deleted or found[0].reason == "deleted"


def test_a_message_that_tells_of_a_deleted_one_is_read():
    assert len(subjects(FROM + b"Subject: one\n\nX-Mozilla-Status: 0009\n")) == 1


def test_what_a_mail_program_keeps_about_the_box_is_no_message():
    own = FROM + b"Subject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA\nX-IMAP: 1 2\n\nThis is no message.\n\n"
    found = documents(own + FROM + ONE)
    assert found[0] == Skipped("box:1", "internal data", f"box:1: {mbox.WHY['internal data']}, not read")
    assert found[1].name == "box:2"


def test_deleted_messages_are_counted_and_not_learned(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for label, box in {
        "ham": FROM + ONE + b"\n" + FROM + b"X-Mozilla-Status: 0009\nSubject: win\n\ncash\n",
        "spam": FROM + b"Subject: win\n\ncash\n",
    }.items():
        (tmp_path / "boxes" / label).mkdir(parents=True)
        (tmp_path / "boxes" / label / "box").write_bytes(box)
    done = run("train", "boxes", "--reader", "mbox")
    assert done.status == 0
    assert "skipped, deleted: 1 (boxes/ham/box:2)" in done.out
    classified = run("classify", "boxes/ham/box", "--reader", "mbox")
    assert (classified.status, classified.err, len(classified.out.splitlines())) == (0, "", 1)
