"""Tokens of a new model and their rows, with what they are checked by: made anywhere, written down by `store`."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple
from zlib import crc32

from ..counting.counts import Row, text
from .store import SEPARATOR

SIGNED = 1000  # tokens signed at a time


class SignedRows(NamedTuple):
    """Tokens, sorted, with their rows and what they are checked by.

    Each column is one object, which travels between processes much faster than a list.

    tokens  a line each
    counts  their rows as text, a line each
    crcs    the checksum of each row
    links   what the row after each keeps of it
    """

    tokens: str
    counts: str
    crcs: "array[int]"
    links: "array[int]"

    @classmethod
    def of(cls, tokens: Sequence[str], counts: Sequence[str]) -> "SignedRows":
        """Tokens and their rows, signed."""
        lines, rows = "\n".join(tokens), "\n".join(counts)
        links = array("I", map(crc32, lines.encode().split(b"\n")))
        rests = f"{SEPARATOR}{rows}".replace("\n", f"\n{SEPARATOR}")  # a checksum goes on from that of the token alone
        return cls(lines, rows, array("I", map(crc32, rests.encode().split(b"\n"), links)), links)


def signed_rows(rows: Iterable[tuple[str, Row]]) -> Iterator[SignedRows]:
    """Tokens and their rows, sorted, signed part by part."""
    rest = iter(rows)
    while part := list(islice(rest, SIGNED)):
        yield SignedRows.of([token for token, _ in part], [text(row) for _, row in part])
