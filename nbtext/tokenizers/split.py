"""Split: the pieces between white space, unchanged: for text that is tokenized already, log lines, identifiers.

Nothing is folded. Besides white space, the characters that no token may contain separate tokens: control characters,
lone surrogates, U+FFFD, and the mark that over-long tokens begin with. A token that contains a colon gets one more at
its beginning: otherwise a text could forge the tokens of a tagged part, as in `title:win`.
"""

import re

from . import Rules, Tokenize, ruled
from ._lengths import MARK, capped

_separators = re.compile(rf"[\0-\x1F\x7F-\x9F\uD800-\uDFFF\uFFFD{MARK}]+").sub


def make() -> Tokenize:
    """The function from a text to the pieces between its white space.

    >>> make()("GET /index.html 200")
    ['GET', '/index.html', '200']
    >>> make()("Host: example.org:80")
    [':Host:', ':example.org:80']
    """
    return ruled(_tokens, Rules(_tokens, folds=False))


def _tokens(text: str) -> list[str]:
    tokens = capped(_separators(" ", text).split())
    return [f":{token}" if ":" in token else token for token in tokens] if ":" in text else tokens
