"""Tokens: the words of `words`, and every punctuation mark and symbol between them as a token of its own.

The "words and other tokens" of Mitchell, Machine Learning (1997), Table 6.2. A flag is one token, and so is an emoji
with its skin tone or joined from several. An apostrophe that is not inside a word becomes a straight one.
"""

import re
from functools import cache

from . import Rules, Tokenize, ruled
from ._lengths import capped

_ascii_tokens = re.compile(r"[a-z0-9_]+(?:'[a-z0-9_]+)*|[!-~]").findall


def make(*, nfkc: int = 0) -> Tokenize:
    """The function from a text to its words and symbols.

    nfkc  1 folds compatibility characters as well, as in `words`

    Raises: ValueError if nfkc is neither 0 nor 1.

    >>> make()("Don't panic: only $9.90!")
    ["don't", 'panic', ':', 'only', '$', '9', '.', '90', '!']
    """
    if nfkc not in (0, 1):
        raise ValueError(f"nfkc should be 0 or 1, not {nfkc}")
    return _tokens_of(nfkc)


@cache  # the kernel keeps what it learned about characters with the function
def _tokens_of(nfkc: int) -> Tokenize:
    def tokens(text: str) -> list[str]:
        if text.isascii():
            return capped(_ascii_tokens(text.lower()))
        from ._unicode import tokenizer  # imports `regex`, which takes longer than classifying a message

        return tokenizer("NFKC" if nfkc else "NFC", symbols=True)(text)

    return ruled(tokens, Rules(tokens, symbols=True))
