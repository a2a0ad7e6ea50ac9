"""The header of a mail message as bytes: our field put in and taken out again, every other byte left alone.

No message is too broken for this. Lines end in LF, with or without CR; the fields may follow an envelope line
(`From ann@example.org ...`), lack the blank line after them or the newline at their end, or not be there at all. What
the field says is `filtering`'s, what a message holds is the mail reader's.

    the fields   from the first line, envelope lines aside, to the last before which all lines are fields: there ours
                 goes in, so that whoever reads the header at all reads it
    the head     all that comes before the first blank line, stray lines included: from there ours is taken out, since
                 some programs read fields after a stray line, and a sender may know it. Where a bare CR
                 puts one into another field, a space takes the place of the CR: then it is a field to no program,
                 and nothing has moved
"""

import re

NAME = b"X-Nbtext"

# Compiled when they are first used, by `re`, which keeps them: most who read messages have no use for them
FIELDS = rb"(?:>?From [^\n]*(?:\n|\Z))*+(?:(?:[!-9;-~]++[ \t]*+:|[ \t])[^\n]*(?:\n|\Z))*+"
BLANK = rb"(?m)^\r*\n"
OURS = rb"(?im)^X-Nbtext[ \t]*:[^\n]*(?:\n|\Z)(?:[ \t][^\n]*(?:\n|\Z))*+"
AFTER_CR = rb"(?i)\r(?=X-Nbtext[ \t]*:)"  # where some programs begin a line, and most do not
SUBJECT = rb"(?im)^Subject[ \t]*:(?=([ \t\r\n]*+))"
TAG = rb';\s*tag="([^"\r\n]{1,40})"'


def extended(message: bytes, value: bytes) -> bytes:
    r"""A message with our field, and no other of its name, after the last of its fields.

    value  what the field says, in lines ending in LF but for the last, each but the first beginning with white space

    >>> extended(b"Subject: lunch\r\n\r\nat noon", b"ham, 0.98")
    b'Subject: lunch\r\nX-Nbtext: ham, 0.98\r\n\r\nat noon'
    """
    message = without(message)
    end = _end_of_fields(message)
    fields, rest = message[:end], message[end:]
    line_end = _line_end(message, end)
    field = NAME + b": " + value.replace(b"\n", line_end)
    if fields and not fields.endswith(b"\n"):  # nothing follows: then nothing follows ours either
        return fields + line_end + field
    return fields + field + line_end + rest


def without(message: bytes) -> bytes:
    r"""A message without any field of our name: the inverse of `extended`, byte for byte.

    >>> without(b"x-NBTEXT : ham,\n 1.0\nSubject: lunch\n\nat noon")
    b'Subject: lunch\n\nat noon'
    """
    end = end_of_head(message)
    head = message[:end]
    kept = re.sub(OURS, b"", re.sub(AFTER_CR, b" ", head) if b"\r" in head else head)
    if kept.endswith(b"\n") and not head.endswith(b"\n"):  # the last line was ours, begun by the newline before it
        kept = kept[: -1 - kept.endswith(b"\r\n")]
    return kept + message[end:]


def tagged(message: bytes, tag: bytes) -> bytes:
    """A message with a tag before its Subject; one that has it already, or has no Subject, as it is.

    >>> tagged(b"Subject: win", b"[SPAM]")
    b'Subject: [SPAM] win'
    """
    subject = _subject(message)
    if not subject or message.startswith(tag, subject.end(1)):
        return message
    return message[: subject.end()] + b" " + tag + (b"" if subject[1] else b" ") + message[subject.end() :]


def untagged(message: bytes, tag: bytes) -> bytes:
    """A message without the tag before its Subject, if it is there.

    >>> untagged(b"Subject: [SPAM] win", b"[SPAM]")
    b'Subject: win'
    """
    subject = _subject(message)
    if not subject or not message.startswith(tag, subject.end(1)):
        return message
    return message[: subject.end()] + message[subject.end(1) + len(tag) :]


def original(message: bytes) -> bytes:
    r"""A message as it was before `nbtext filter` saw it: without our field, and the tag that the field tells of.

    A sender who writes such a field himself hides up to 40 characters of his Subject from whoever asks for the
    original. `filter` does not, and takes the field out.

    >>> original(b'Subject: [SPAM] win\nX-Nbtext: spam, 0.99; tag="[SPAM]"\n\nnow')
    b'Subject: win\n\nnow'
    """
    if NAME not in message:
        return message
    ours = re.compile(OURS).search(message, 0, _end_of_fields(message))
    tag = re.search(TAG, ours[0]) if ours else None
    return untagged(without(message), tag[1]) if tag else without(message)


def end_of_head(message: bytes) -> int:
    """Where the first blank line of a message starts; where it ends, if there is none."""
    blank = re.search(BLANK, message)
    return blank.start() if blank else len(message)


def _end_of_fields(message: bytes) -> int:
    fields = re.match(FIELDS, message)
    assert fields  # it matches nothing at all, too
    return fields.end()


def _line_end(message: bytes, end: int) -> bytes:
    """The line end in use at the end of the fields, else after it; never LF after a bare CR, for that would join it."""
    at = message.rfind(b"\n", 0, end)
    if at < 0:
        at = message.find(b"\n")
    return b"\r\n" if message[:end].endswith(b"\r") or (at > 0 and message[at - 1 : at] == b"\r") else b"\n"


def _subject(message: bytes) -> re.Match[bytes] | None:
    return re.compile(SUBJECT).search(message, 0, _end_of_fields(message))
