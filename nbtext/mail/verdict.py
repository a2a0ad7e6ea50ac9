"""The header of a mail message as bytes: adding and removing the field X-Nbtext, without changing any other byte.

This works for every message, however broken. Lines end in LF, with or without CR; the fields may follow an envelope
line (`From ann@example.org ...`), lack the blank line after them or the newline at their end, or be missing. The module
`filtering` makes the value of the field.

    the fields   the lines from the first, envelope lines aside, as long as all are fields: the new field goes to their
                 end, so that every program that reads the header sees it
    the head     everything before the first blank line, including stray lines: old fields are removed from it, since
                 some programs read fields after a stray line, and a sender may know that. If a bare CR puts such a
                 field into another one, the CR is replaced by a space: then no program sees it as a field, and nothing
                 is moved
"""

import re

NAME = b"X-Nbtext"

# `re` compiles and caches these when they are first used, as most tasks on messages do not need them
FIELDS = rb"(?:>?From [^\n]*(?:\n|\Z))*+(?:(?:[!-9;-~]++[ \t]*+:|[ \t])[^\n]*(?:\n|\Z))*+"
BLANK = rb"(?m)^\r*\n"
OURS = rb"(?im)^X-Nbtext[ \t]*:[^\n]*(?:\n|\Z)(?:[ \t][^\n]*(?:\n|\Z))*+"
AFTER_CR = rb"(?i)\r(?=X-Nbtext[ \t]*:)"  # some programs begin a new line after a CR, most do not
SUBJECT = rb"(?im)^Subject[ \t]*:(?=([ \t\r\n]*+))"
TAG = rb';\s*tag="([^"\r\n]{1,40})"'


def extended(message: bytes, value: bytes) -> bytes:
    r"""A message with the field X-Nbtext after the last of its fields, and no other field of that name.

    value  of the field, in lines separated by LF; each but the first begins with white space

    >>> extended(b"Subject: lunch\r\n\r\nat noon", b"ham, 0.98")
    b'Subject: lunch\r\nX-Nbtext: ham, 0.98\r\n\r\nat noon'
    """
    message = without(message)
    end = _end_of_fields(message)
    fields, rest = message[:end], message[end:]
    line_end = _line_end(message, end)
    field = NAME + b": " + value.replace(b"\n", line_end)
    if fields and not fields.endswith(b"\n"):  # nothing follows: then nothing follows the new field either
        return fields + line_end + field
    return fields + field + line_end + rest


def without(message: bytes) -> bytes:
    r"""A message without any field X-Nbtext: the inverse of `extended`, byte for byte.

    >>> without(b"x-NBTEXT : ham,\n 1.0\nSubject: lunch\n\nat noon")
    b'Subject: lunch\n\nat noon'
    """
    end = end_of_head(message)
    head = message[:end]
    kept = re.sub(OURS, b"", re.sub(AFTER_CR, b" ", head) if b"\r" in head else head)
    if kept.endswith(b"\n") and not head.endswith(b"\n"):  # the field was last, and the newline before it belongs to it
        kept = kept[: -1 - kept.endswith(b"\r\n")]
    return kept + message[end:]


def tagged(message: bytes, tag: bytes) -> bytes:
    """A message with a tag before its Subject; not changed if it has the tag already, or has no Subject.

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
    r"""A message as it was before `nbtext filter`: without its field, and without the Subject tag that the field names.

    A sender who writes such a field can hide up to 40 characters of the Subject from users of this function. `filter`
    does not use it, and removes the field.

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
    """The line end at the end of the fields, else after it; never LF after a bare CR, which would become CR LF."""
    at = message.rfind(b"\n", 0, end)
    if at < 0:
        at = message.find(b"\n")
    return b"\r\n" if message[:end].endswith(b"\r") or (at > 0 and message[at - 1 : at] == b"\r") else b"\n"


def _subject(message: bytes) -> re.Match[bytes] | None:
    return re.compile(SUBJECT).search(message, 0, _end_of_fields(message))
