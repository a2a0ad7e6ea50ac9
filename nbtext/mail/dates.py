"""When a message was written, by its Date field.

The field is read by Python's `email.utils`, which is loaded for the first date: it takes as long to load as the rest of
a start, and only tasks that sort by time need it.
"""

import re

from .mime import plain_lines

DATE = rb"(?im)^date[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*+)"
MOST_DATES = 10  # fields of that name that are read
LONGEST_DATE = 200  # bytes of the field that are read


class Dated:
    """A function that gives the time of a message; two are equal if their messages are."""

    def __init__(self, message: bytes) -> None:
        self.message = message

    def __call__(self) -> float | None:
        """The time: see `written`."""
        return written(self.message)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dated) and self.message == other.message

    def __hash__(self) -> int:
        return hash(self.message)


def written(message: bytes) -> float | None:
    r"""The time in the Date field of a message, in seconds since 1970; None without a valid date.

    A zone that is missing or unknown counts as UTC.

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
    """The time of a date in the format of mail, or None."""
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
    except (ValueError, OverflowError, TypeError, IndexError):  # no such day, or input that the parser does not expect
        return None
