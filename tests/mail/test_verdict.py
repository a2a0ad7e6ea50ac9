"""The header of a message as bytes: where our field goes in, how it comes out, and that nothing else changes."""

from email import message_from_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext.mail.verdict import extended, original, tagged, without

from ..timing import seconds

FIELD = b"X-Nbtext: ham, 1"

PLACED = {
    "last in the header": (b"A: b\nC: d\n\ntext\n", b"A: b\nC: d\nX-Nbtext: ham, 1\n\ntext\n"),
    "lines ending in CRLF": (b"A: b\r\n\r\ntext\r\n", b"A: b\r\nX-Nbtext: ham, 1\r\n\r\ntext\r\n"),
    "after a folded field": (b"A: b\n\tc\n d\n\ntext", b"A: b\n\tc\n d\nX-Nbtext: ham, 1\n\ntext"),
    "after a fold that looks blank": (b"A: b\n \n\ntext", b"A: b\n \nX-Nbtext: ham, 1\n\ntext"),
    "an envelope line": (b"From a@example.org\nA: b\n\n", b"From a@example.org\nA: b\nX-Nbtext: ham, 1\n\n"),
    "an envelope line with other ends": (b"From a\nA: b\r\n\r\n", b"From a\nA: b\r\nX-Nbtext: ham, 1\r\n\r\n"),
    "only an envelope line": (b"From a\n\ntext", b"From a\nX-Nbtext: ham, 1\n\ntext"),
    "an empty message": (b"", b"X-Nbtext: ham, 1\n"),
    "no header": (b"\ntext", b"X-Nbtext: ham, 1\n\ntext"),
    "neither header nor blank line": (b"text\n", b"X-Nbtext: ham, 1\ntext\n"),
    "no blank line": (b"A: b\n", b"A: b\nX-Nbtext: ham, 1\n"),
    "no final newline": (b"A: b", b"A: b\nX-Nbtext: ham, 1"),
    "no final newline after CRLF": (b"A: b\r\nC: d", b"A: b\r\nC: d\r\nX-Nbtext: ham, 1"),
    "a bare CR at the end": (b"A: b\r", b"A: b\r\r\nX-Nbtext: ham, 1"),
    "before a stray line": (b"A: b\nstray line\nC: d\n\n", b"A: b\nX-Nbtext: ham, 1\nstray line\nC: d\n\n"),
    "not where text would continue it": (b" A\ntext\n", b" A\nX-Nbtext: ham, 1\ntext\n"),
    "NUL and eight-bit bytes": (b"A: \0\xff\n\n\0\xfe", b"A: \0\xff\nX-Nbtext: ham, 1\n\n\0\xfe"),
    "a field without a name": (b"A: b\n: c\n\n", b"A: b\nX-Nbtext: ham, 1\n: c\n\n"),
    "a field with a space before the colon": (b"A : b\n\n", b"A : b\nX-Nbtext: ham, 1\n\n"),
}


@pytest.mark.parametrize(("message", "expected"), PLACED.values(), ids=PLACED.keys())
def test_the_field_goes_where_the_header_ends(message: bytes, expected: bytes):
    assert extended(message, b"ham, 1") == expected
    assert without(expected) == message


REMOVED = {
    "ours": (b"A: b\nX-Nbtext: spam, 1\n\ntext", b"A: b\n\ntext"),
    "in any case, first": (b"x-NBTEXT: ham\nA: b\n\n", b"A: b\n\n"),
    "folded": (b"X-Nbtext: ham,\r\n\t1;\r\n more\r\nA: b\r\n\r\n", b"A: b\r\n\r\n"),
    "several": (b"X-Nbtext: ham\nA: b\nX-Nbtext: ham\nX-Nbtext:\n\n", b"A: b\n\n"),
    "with space before the colon": (b"X-Nbtext \t: ham\n\n", b"\n"),
    "hidden behind a stray line": (b"A: b\nstray\nX-Nbtext: ham\n\n", b"A: b\nstray\n\n"),
    "hidden behind an envelope line": (b"A: b\n>From x\nX-Nbtext: ham\n\n", b"A: b\n>From x\n\n"),
    "at the very end": (b"A: b\nX-Nbtext: ham", b"A: b"),
    "alone": (b"X-Nbtext: ham", b""),
    "not in the text": (b"A: b\n\nX-Nbtext: ham\n", b"A: b\n\nX-Nbtext: ham\n"),
    "not a longer name": (b"X-Nbtext-Version: 1\nXX-Nbtext: 1\n\n", b"X-Nbtext-Version: 1\nXX-Nbtext: 1\n\n"),
    "not within a field": (b"A: X-Nbtext: ham\n X-Nbtext: ham\n\n", b"A: X-Nbtext: ham\n X-Nbtext: ham\n\n"),
}


@pytest.mark.parametrize(("message", "expected"), REMOVED.values(), ids=REMOVED.keys())
def test_a_field_of_our_name_is_removed(message: bytes, expected: bytes):
    assert without(message) == expected


HARMLESS = {
    "in a field": (b"A: b\rX-Nbtext: ham\nC: d\n\n", b"A: b X-Nbtext: ham\nC: d\n\n"),
    "in any case, among CRLF": (b"A: b\rx-nbtext : ham\r\nC: d\r\n\r\n", b"A: b x-nbtext : ham\r\nC: d\r\n\r\n"),
    "after several": (b"A: b\r\rX-Nbtext: ham\n\n", b"A: b\r X-Nbtext: ham\n\n"),
    "two": (b"A: b\rX-Nbtext: ham\rX-Nbtext: ham\n\n", b"A: b X-Nbtext: ham X-Nbtext: ham\n\n"),
    "in a folded line": (b"A: b\n c\rX-Nbtext: ham\n\n", b"A: b\n c X-Nbtext: ham\n\n"),
    "in a line of its own": (b"A: b\n\rX-Nbtext: ham\nC: d\n\n", b"A: b\n X-Nbtext: ham\nC: d\n\n"),
    "in a stray line": (b"A: b\nstray\rX-Nbtext: ham\n\n", b"A: b\nstray X-Nbtext: ham\n\n"),
    "in an envelope line": (b"From a\rX-Nbtext: ham\nA: b\n\n", b"From a X-Nbtext: ham\nA: b\n\n"),
    "in one of ours": (b"A: b\nX-Nbtext: spam\rX-Nbtext: ham\n\n", b"A: b\n\n"),
    "after one of ours": (b"A: b\nX-Nbtext: spam\n\rX-Nbtext: ham\n\n", b"A: b\n\n"),
    "not in the text": (b"A: b\n\nc\rX-Nbtext: ham\n", b"A: b\n\nc\rX-Nbtext: ham\n"),
    "not another field": (b"A: b\rX-Nbtext-Version: 1\rC: d\n\n", b"A: b\rX-Nbtext-Version: 1\rC: d\n\n"),
}


@pytest.mark.parametrize(("message", "expected"), HARMLESS.values(), ids=HARMLESS.keys())
def test_a_field_of_our_name_after_a_bare_cr_is_a_field_to_no_program(message: bytes, expected: bytes):
    """Python's own parser is one of those that begin a line after any CR."""
    assert without(message) == expected
    assert message_from_bytes(without(message)).get_all("X-Nbtext") is None
    assert message_from_bytes(extended(message, b"spam, 1")).get_all("X-Nbtext") == ["spam, 1"]


TAGGED = {
    "": (b"Subject: win\n\n", b"Subject: [SPAM] win\n\n"),
    "no space after the colon": (b"subject:win\n\n", b"subject: [SPAM] win\n\n"),
    "an encoded word": (b"Subject: =?utf-8?q?win?=\n\n", b"Subject: [SPAM] =?utf-8?q?win?=\n\n"),
    "folded at once": (b"Subject:\r\n win\r\n\r\n", b"Subject: [SPAM]\r\n win\r\n\r\n"),
    "empty": (b"Subject:\n\n", b"Subject: [SPAM]\n\n"),
    "the first of two": (b"Subject: a\nSubject: b\n\n", b"Subject: [SPAM] a\nSubject: b\n\n"),
    "tagged already": (b"Subject: [SPAM] win\n\n", b"Subject: [SPAM] win\n\n"),
    "none": (b"A: b\n\nSubject: win\n", b"A: b\n\nSubject: win\n"),
}


@pytest.mark.parametrize(("message", "expected"), TAGGED.values(), ids=TAGGED.keys())
def test_the_subject_is_tagged_once(message: bytes, expected: bytes):
    assert tagged(message, b"[SPAM]") == expected
    assert tagged(expected, b"[SPAM]") == expected


def test_the_tag_comes_off_only_where_our_field_tells_of_it():
    tagged_by_us = b'Subject: [SPAM] win\nX-Nbtext: spam, 1; model=2-a;\n\ttag="[SPAM]"\n\n'
    assert original(tagged_by_us) == b"Subject: win\n\n"
    assert original(b"Subject: [SPAM] win\nX-Nbtext: spam, 1\n\n") == b"Subject: [SPAM] win\n\n"
    assert original(b'Subject: lunch\nX-Nbtext: spam, 1; tag="[SPAM]"\n\n') == b"Subject: lunch\n\n"
    assert original(b"Subject: win\n\nX-Nbtext\n") == b"Subject: win\n\nX-Nbtext\n"


PIECES = [b"From a b\n", b">From ", b"Subject: x", b"A: b", b"\n", b"\r\n", b"\r", b" ", b"\t", b"x", b"\0", b"\xff"]
OWN = [b"X-Nbtext: a", b"\rX-Nbtext: b", b"x-nbtext", b":", b"X-Nbtext:", b"\n\n", b"subject:"]
messages = st.lists(st.sampled_from(PIECES + OWN), max_size=14).map(b"".join) | st.binary(max_size=30)
values = st.sampled_from([b"ham, 1", b"spam, 1;\n\twin +1;\n\tcash +1"])


@given(messages, values)
def test_taking_the_field_out_gives_the_message_back_byte_for_byte(message: bytes, value: bytes):
    plain = without(message)
    assert without(extended(message, value)) == plain == without(plain)
    if b"x-nbtext" not in message.lower():
        assert plain == message


@given(messages, values)
def test_a_message_filtered_twice_is_as_if_filtered_once(message: bytes, value: bytes):
    once = extended(message, b"other, 0.5")
    assert extended(once, value) == extended(message, value)


@given(messages)
def test_the_original_of_a_tagged_message_is_the_message(message: bytes):
    plain = without(message)
    marked = extended(tagged(plain, b"[TAG]"), b'spam, 1; tag="[TAG]"')
    assert original(marked).replace(b" ", b"") == plain.replace(b" ", b"")


@given(messages)
def test_only_bytes_of_the_field_and_its_line_end_are_added(message: bytes):
    longer = extended(without(message), b"ham, 1")
    assert len(longer) - len(without(message)) - len(FIELD) in (1, 2)
    assert FIELD in longer


@pytest.mark.parametrize(
    "piece",
    [
        b"\rX-Nbtext: a",
        b"A: b\n",
        b"\tc\n",
        b"stray\n",
        b"X-Nbtext: a\n",
        b"X-Nbtext",
        b"\r",
        b" ",
        b"From a\n",
        b"A" * 9,
    ],
)
def test_time_is_linear_in_the_message(piece: bytes):
    message = piece * (2_000_000 // len(piece))
    assert seconds(lambda: tagged(original(extended(message, b"ham, 1")), b"[SPAM]")) < 3
