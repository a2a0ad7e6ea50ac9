"""An mbox: where one message ends, and that it comes out as it went in."""

import io
import re
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext.errors import DocumentError
from nbtext.mail import evidence
from nbtext.readers import mbox
from tests.fuzz.fuzz_mail import LINES, decode

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


def test_a_message_too_large_is_refused_after_those_before_it(monkeypatch):
    monkeypatch.setattr(mbox, "LARGEST_BYTES", 200)
    found = mbox.read(io.BytesIO(FROM + ONE + b"\n" + FROM + b"x" * 201), "box", decode)
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
