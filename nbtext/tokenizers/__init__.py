"""Tokenizers: one a file, from text to tokens. No input or output here, and no classes.

A new one is one new file that defines `make`; its name is the value of `--tokenizer`, its keyword-only defaults are
its options (`chars:n=4`).
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol

Tokenize = Callable[[str], list[str]]


class Rules(NamedTuple):
    """What a faster implementation must know of a tokenizer, so that it can give the same tokens.

    The rest it learns by asking `tokenize` what becomes of each character: one call answers for many.

    tokenize  what cuts a text into words (for `chars`, before they are cut further)
    folds     normal forms and case are folded, so that a character can depend on its neighbours
    symbols   punctuation and symbols are tokens too
    sizes     the sizes of the n-grams that words are cut into; none if they stay whole
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
    """The same function, which from now on carries its rules as an attribute."""
    tokenize.rules = rules  # type: ignore[attr-defined]  # functions have no declared attributes
    return tokenize


def rules_of(tokenize: Tokenize) -> Rules | None:
    """The rules that a tokenizer carries; None if nothing is known of it."""
    return getattr(tokenize, "rules", None)


class Tokenizer(Protocol):
    """What a module of this package is. The tokens hold no white space, control character or U+FFFD."""

    @staticmethod
    def make() -> Tokenize:
        """The function from a text to its tokens, in order, repeats included.

        Raises: ValueError for option values that make no sense.
        """
