"""When a message was written, by its own word.

The field is read as far as it is bytes of the usual form, which neither loads a module nor decodes anything.
"""

import re

from .verdict import end_of_head

MONTHS = b"jan feb mar apr may jun jul aug sep oct nov dec".split()
# Compiled when it is first used: few tasks ask, and it takes as long as to read a message
DATE = rb"""(?imx) ^date[ \t]*:\s{0,9} (?:[a-z]{3,9}\s{0,9},?\s{0,9})?  # the day of the week may be missing
         (?P<day>\d\d?)[\s-]{1,9}(?P<month>[a-z]{3})[a-z]{0,6}[\s-]{1,9}(?P<year>\d{2,4})\s{1,9}
         (?P<hour>\d\d?):(?P<minute>\d\d)(?::(?P<second>\d\d))?
         (?:\s{1,9}(?P<zone>[+-]\d{4}))?"""
LAST_CENTURY = 50  # from here on, years of two digits are those of the last century


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

    A zone that is not given in figures counts as Greenwich.

    Source: RFC 5322, sections 3.3 and 4.3; Fliegel and Van Flandern, A Machine Algorithm for Processing Calendar
    Dates (1968), for days told from dates.

    >>> written(b"Date: Thu, 1 Jan 1970 03:00:30 +0200\n\nlunch")
    3630.0
    """
    end = end_of_head(message)
    usual = message.find(b"\nDate:", 0, end) + 1  # as most write it; to look for that takes a tenth of the time
    date = re.compile(DATE)
    seconds = _seconds(date.match(message, usual, end))
    return _seconds(date.search(message, 0, end)) if seconds is None else seconds


def _seconds(found: re.Match[bytes] | None) -> float | None:
    if not found or found["month"].lower() not in MONTHS:
        return None
    day, year, hour, minute, second = (int(found[part] or 0) for part in ("day", "year", "hour", "minute", "second"))
    month, zone = MONTHS.index(found["month"].lower()) + 1, int(found["zone"] or 0)
    if not (1 <= day <= 31 and hour < 24 and minute < 60 and second <= 60 and abs(zone) < 2400):
        return None
    if len(found["year"]) < 4:
        year += 2000 if year < LAST_CENTURY else 1900
    east = (abs(zone) // 100 * 60 + abs(zone) % 100) * (1 if zone > 0 else -1)
    return float(((_days(year, month, day) * 24 + hour) * 60 + minute - east) * 60 + second)


def _days(year: int, month: int, day: int) -> int:
    """The days from the first of 1970 to a date.

    >>> _days(1970, 1, 1), _days(2000, 3, 1), _days(1969, 12, 31)
    (0, 11017, -1)
    """
    since_march = (month - 3) % 12  # so that the odd day ends a year
    year -= month < 3
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * since_march + 2) // 5 + day - 719_469
