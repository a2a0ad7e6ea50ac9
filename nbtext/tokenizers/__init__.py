"""Tokenizers: one a file, from text to tokens. No input or output here, and no classes.

A new one is one new file that defines `make`; its name is the value of `--tokenizer`, its keyword-only defaults are
its options (`chars:n=4`).
"""

from collections.abc import Callable
from typing import Protocol

Tokenize = Callable[[str], list[str]]


class Tokenizer(Protocol):
    """What a module of this package is. The tokens hold no white space, control character or U+FFFD."""

    @staticmethod
    def make() -> Tokenize:
        """The function from a text to its tokens, in order, repeats included.

        Raises: ValueError for option values that make no sense.
        """
