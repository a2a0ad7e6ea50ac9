"""Words, and the character n-grams within them as evidence of another kind: short texts, rich endings, misspellings.

Each word of `words` is a token, followed by its n-grams, as `chars` cuts them with edges. An n-gram ends with a mark,
so that it never equals a word: `<ca⋯` is the beginning of cat. Adjacent words are joined to n-grams as usual, character
n-grams are not. Fitted weights treat character n-grams as a kind of their own (`chars`), as they repeat the words.
"""

from . import Rules, Tokenize, ruled
from ._grams import grams_of
from ._lengths import MARK, piece
from ._words import words_of


def make(*, n: int = 4, min: int = 2, nfkc: int = 0) -> Tokenize:  # noqa: A002  # users spell it so
    """The function from a text to its words, each followed by its character n-grams.

    n     characters in the longest, 1 to 64; < and > are characters too
    min   characters in the shortest, 1 to n; 0 is n: one size only
    nfkc  1 folds compatibility characters as well, as in `words`

    Raises: ValueError if an option is out of its range.

    >>> make(n=3)("a cat")
    ['a', '<a⋯', 'a>⋯', '<a>⋯', 'cat', '<c⋯', 'ca⋯', 'at⋯', 't>⋯', '<ca⋯', 'cat⋯', 'at>⋯']
    """
    grams = grams_of(n, min, edges=True)
    words = words_of(nfkc)

    def tokens(text: str) -> list[str]:
        found: list[str] = []
        for word in words(text):
            found.append(word)
            if not word.startswith(MARK):
                found += map(piece, grams(word))
        return found

    return ruled(tokens, Rules(words, sizes=range(min or n, n + 1), edges=True, whole=True))
