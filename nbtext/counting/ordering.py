"""Sorting many texts as arrays, without Python strings."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .documents import Integers

NEWLINE, SPACE = b"\n "
STEP = 7  # bytes compared at a time; the eighth byte of a key is the number of bytes in it
MORE = STEP + 1
LENGTH = np.uint64(0xFF)
KEPT = np.array(
    [~((1 << 8 * (MORE - n)) - 1) & ~0xFF & (1 << 64) - 1 for n in range(MORE)] + [~0xFF & (1 << 64) - 1], np.uint64
)
LARGEST = np.iinfo(np.int32).max


class Lines:
    """Texts in UTF-8, each followed by a newline.

    text    uint8, all texts
    starts  int64 of each text: where it begins
    ends    int64 of each text: where it ends, before the newline
    """

    def __init__(self, text: bytes) -> None:
        self.text = np.frombuffer(text, np.uint8)
        self.ends = np.flatnonzero(self.text == NEWLINE)
        self.starts = np.concatenate([np.zeros(1, np.int64), self.ends + 1])[:-1]

    def where(self, chosen: NDArray[np.bool_]) -> bytes:
        """The chosen texts, each with its newline."""
        return self.text[np.repeat(chosen, np.diff(self.edges))].tobytes()

    def __len__(self) -> int:
        return len(self.ends)

    @cached_property
    def edges(self) -> Integers:
        """Where the texts begin, and where the last one ends, with its newline."""
        return np.append(self.starts, len(self.text))

    def __getitem__(self, number: int) -> bytes:
        return self.text[self.starts[number] : self.ends[number]].tobytes()

    def texts(self) -> list[str]:
        """All texts."""
        return self.text.tobytes().decode().split("\n")[:-1]

    def cut(self, start: int, end: int) -> bytes:
        """The texts from one number up to another."""
        return self.text[self.edges[start] : self.edges[end]].tobytes()

    def some(self, numbers: Integers) -> bytes:
        """The texts with these numbers, in this order, each with its newline."""
        return gathered(self.text, self.starts[numbers], self.ends[numbers] + 1).tobytes()


def gathered(text: NDArray[np.uint8], starts: Integers, ends: Integers) -> NDArray[np.uint8]:
    """Stretches of a text, one after the other.

    >>> gathered(np.frombuffer(b"abcd", np.uint8), np.array([2, 0]), np.array([4, 1])).tobytes()
    b'cda'
    """
    lengths = ends - starts
    before = np.cumsum(lengths) - lengths
    size = np.int32 if len(text) <= LARGEST else np.int64  # a number for each byte: half the memory, and faster
    places = np.repeat((starts - before).astype(size), lengths)
    places += np.arange(len(places), dtype=size)
    return np.asarray(text[places])


def sorted_order(text: NDArray[np.uint8], starts: Integers, ends: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    """The numbers of texts in sorted order, and whether each differs from the one before it.

    Bytes of UTF-8 have the same order as characters.

    >>> lines = Lines(b"to\\nbe\\nto\\n")
    >>> [each.tolist() for each in sorted_order(lines.text, lines.starts, lines.ends)]
    [[1, 0, 2], [True, True, False]]
    """
    padded = _padded(text)
    keys = _keys(padded, starts, ends)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    differs = np.ones(len(order) + 1, np.bool_)
    differs[1:-1] = keys[1:] != keys[:-1]
    alike = np.flatnonzero(_undecided(keys, differs[:-1], differs[1:]))
    behind = STEP
    while len(alike):
        some = order[alike]
        keys = _keys(padded, starts[some] + behind, ends[some])
        within = np.lexsort([keys, np.cumsum(differs[alike])])
        order[alike], keys = some[within], keys[within]
        differs[alike[1:]] |= keys[1:] != keys[:-1]
        alike = alike[_undecided(keys, differs[alike], differs[alike + 1])]
        behind += STEP
    return order, differs[:-1]


def inverse(order: Integers) -> NDArray[np.int64]:
    """The place of each number in an order of all of them.

    >>> inverse(np.array([2, 0, 1])).tolist()
    [1, 2, 0]
    """
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return places


def _undecided(
    keys: NDArray[np.uint64], differs: NDArray[np.bool_], next_differs: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Whether each text in order equals a neighbour so far and continues."""
    return np.asarray((keys & LENGTH == MORE) & ~(differs & next_differs))


def _padded(text: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.concatenate([text, np.zeros(MORE, np.uint8)])


def _keys(padded: NDArray[np.uint8], starts: Integers, ends: Integers) -> NDArray[np.uint64]:
    """The next bytes of texts as numbers in the same order, a shorter text before a longer one.

    padded  the text, followed by as many bytes as a key has
    """
    windows = np.ndarray(len(padded) - MORE + 1, ">u8", padded, strides=(1,))
    left = np.minimum(ends - starts, MORE)
    return np.asarray((windows[starts].astype(np.uint64) & KEPT[left]) | left.astype(np.uint64))
