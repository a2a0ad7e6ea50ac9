"""Tokenizers: one file each, from text to tokens. They do no input or output, and know nothing of classes.

A new one is one new file that defines `make`; its name is the value of `--tokenizer`, and the keyword-only arguments of
`make` are its options (`chars:n=4`).
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol

Tokenize = Callable[[str], list[str]]


class Rules(NamedTuple):
    """The facts about a tokenizer that a faster implementation needs, so that it can give the same tokens.

    It learns the rest by calling `tokenize` on characters, many in one call.

    tokenize  cuts a text into words (for `chars`, before these are cut further)
    folds     normal forms and case are folded, so that the result for a character can depend on its neighbours
    symbols   punctuation and symbols are tokens too
    sizes     the sizes of the n-grams that words are cut into; empty if words stay whole
    edges     words are enclosed in < and > before they are cut
    whole     words are tokens too, and their n-grams end with a mark
    """

    tokenize: Tokenize
    folds: bool = True
    symbols: bool = False
    sizes: range = range(0)
    edges: bool = False
    whole: bool = False


def ruled(tokenize: Tokenize, rules: Rules) -> Tokenize:
    """The same function, with its rules as an attribute."""
    tokenize.rules = rules  # type: ignore[attr-defined]  # functions have no declared attributes
    return tokenize


def rules_of(tokenize: Tokenize) -> Rules | None:
    """The rules of a tokenizer; None if it has none."""
    return getattr(tokenize, "rules", None)


class Tokenizer(Protocol):
    """A module of this package. Its tokens contain no white space, control characters or U+FFFD."""

    @staticmethod
    def make() -> Tokenize:
        """The function from a text to its tokens, in order, repeats included.

        Raises: ValueError for option values that make no sense.
        """
