"""What a function makes of keys, made once: as a dictionary, at whose speed `map(memo.__getitem__, keys)` runs."""

from collections.abc import Callable
from math import inf
from typing import TypeVar

Key = TypeVar("Key")
Made = TypeVar("Made")


class Memo(dict[Key, Made]):
    """A dictionary that makes what it does not have.

    most  entries; when there are so many all are forgotten, and made again as they are needed

    >>> squares = Memo(lambda n: n * n, most=2)
    >>> list(map(squares.__getitem__, [1, 2, 2, 3])), squares
    ([1, 4, 4, 9], {3: 9})
    """

    def __init__(self, make: Callable[[Key], Made], most: float = inf) -> None:
        super().__init__()
        self.make = make
        self.most = most

    def __missing__(self, key: Key) -> Made:
        made = self.make(key)
        if len(self) >= self.most:
            self.clear()
        self[key] = made
        return made
