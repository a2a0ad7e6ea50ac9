"""The positions of tokens in a document, found without help from the tokenizer.

A tokenizer is a function from a text to tokens, and does not give positions. But if a text can be cut in two so that
the tokens of the pieces are those of the whole, in order, every token is in the piece that gives it. So a text is cut
into lines, lines into runs without white space, and these into words and the text between them. A cut that would change
any token is not made, and the text stays one piece. This works for every tokenizer; if tokens reach across all cuts,
the text stays whole, and there are no positions.
"""

import re
from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple

from ..analysis import Analysis, joined
from ..fields import attribute_token
from ..readers import Document
from ..tokenizers import Tokenize

LARGEST_RUN = 1000  # a longer run of characters without white space is not cut

_lines = re.compile(r"[^\n]*\n|[^\n]+").findall
_runs = re.compile(r"\s+|\S+").findall
_words = re.compile(r"\w+|\W").findall


class Piece(NamedTuple):
    """A piece of a document.

    tag     of its part
    text    unchanged; the texts of a part's pieces together are that part's text
    tokens  those that start in it, as in the model: an n-gram starts where its first token does
    """

    tag: str
    text: str
    tokens: tuple[str, ...]


def located(document: Document, analysis: Analysis) -> list[Piece]:
    """The document in pieces, as small as possible.

    Their tokens together are those of `Analysis.tokens`, with n-grams in another order.

    >>> [(text, tokens) for _, text, tokens in located(Document([("", "Don't panic!")]), Analysis(ngrams=2))]
    [("Don't", ("don't", "don't panic")), (' ', ()), ('panic', ('panic',)), ('!', ())]
    """
    tokenize = analysis.tokenize()
    joins = joined(tokenize)
    found: list[Piece] = []
    for tag, text in document.parts:
        pieces = _pieces(text, tokenize(text), tokenize, (_lines, _runs, _words))
        whole = [token for _, own in pieces for token in own if joins(token)]
        prefix = f"{tag}:" if tag else ""
        start = 0
        for piece, own in pieces:
            stop = start + sum(map(joins, own))
            grams = [
                " ".join(whole[first : first + n])
                for first in range(start, stop)
                for n in range(2, min(analysis.ngrams, len(whole) - first) + 1)
            ]
            found.append(Piece(tag, piece, tuple(f"{prefix}{token}" for token in chain(own, grams))))
            start = stop
    for name, value in document.attributes:
        found.append(Piece(name, str(value), (attribute_token(name, value),)))
    return found


def _pieces(
    text: str, tokens: Sequence[str], tokenize: Tokenize, cuts: Sequence[Callable[[str], list[str]]]
) -> list[tuple[str, Sequence[str]]]:
    """The (text, tokens) of pieces: cut by the first cut that changes no token, and further by those after it."""
    if not tokens or not cuts or (cuts[0] is _words and len(text) > LARGEST_RUN):
        return [(text, tokens)]
    parts = cuts[0](text)
    if len(parts) == 1:
        return _pieces(text, tokens, tokenize, cuts[1:])
    own = [tokenize(part) for part in parts]
    if [token for some in own for token in some] != list(tokens):
        return _pieces(text, tokens, tokenize, cuts[1:])
    pieces = (_pieces(part, some, tokenize, cuts[1:]) for part, some in zip(parts, own, strict=True))
    return [piece for found in pieces for piece in found]
