"""When a message was written, by its own word.

The field is read by Python's `email.utils`, which is loaded when the first date is asked for: it takes as long to load
as the rest of a start, and only tasks in the order of time ask.
"""

import re

from .mime import plain_lines

DATE = rb"(?im)^date[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*+)"
MOST_DATES = 10  # fields of that name that are read: more are made up
LONGEST_DATE = 200  # bytes of the field that are read


class Dated:
    """What tells when a message was written, if it is called; equal for equal messages."""

    def __init__(self, message: bytes) -> None:
        self.message = message

    def __call__(self) -> float | None:
        """The time, as `written` has it."""
        return written(self.message)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dated) and self.message == other.message

    def __hash__(self) -> int:
        return hash(self.message)


def written(message: bytes) -> float | None:
    r"""The time in the Date field of a message, in seconds since 1970; None if it has none that makes sense.

    A zone that is missing or unknown counts as Greenwich.

    Source: RFC 5322, sections 3.3 and 4.3.

    >>> written(b"Date: Thu, 1 Jan 1970 03:00:30 +0200\n\nlunch")
    3630.0
    """
    lines = plain_lines(message)
    end = lines.find(b"\n\n")
    for number, field in enumerate(re.compile(DATE).finditer(lines, 0, end if end >= 0 else len(lines))):
        if number == MOST_DATES:
            break
        if (seconds := _seconds(field[1][:LONGEST_DATE].decode("latin-1"))) is not None:
            return seconds
    return None


def _seconds(date: str) -> float | None:
    """The time that a date in the form of mail says, or None."""
    from datetime import UTC, datetime, timedelta
    from email.utils import parsedate_tz

    try:
        found = parsedate_tz(date.replace("\n", " "))
        if not found:
            return None
        year, month, day, hour, minute, second, *_, east = found
        leap = second == 60
        moment = datetime(year, month, day, hour, minute, second - leap, tzinfo=UTC)
        zone = timedelta(seconds=east or 0)
        return (moment - zone).timestamp() + leap if abs(zone) < timedelta(days=1) else None
    except (ValueError, OverflowError, TypeError, IndexError):  # no such day, or what the parser does not expect
        return None
