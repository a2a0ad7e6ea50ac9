"""Character n-grams within words: for short texts, many languages, misspellings. The words are those of `words`.

A word shorter than the shortest n-gram is one token, and so is the marker of an over-long word. The n-grams of a word
come in order of size, shorter ones first, then of position.

Edges make the n-grams at the borders of a word differ from those inside it. Measured with multinomial naive Bayes on
sentences in 75 languages (7,500 to test, alpha 1), share right without and with edges:

    n=3 0.948 0.956    n=4 0.956 0.961    n=4,min=2 0.938 0.957    n=4,min=1 0.922 0.944
"""

from itertools import chain

from . import Rules, Tokenize, ruled
from ._grams import grams_of
from ._words import words_of


def make(*, n: int = 4, min: int = 0, edges: int = 0, nfkc: int = 0) -> Tokenize:  # noqa: A002  # users spell it so
    """The function from a text to the character n-grams of its words.

    n      characters in the longest, 1 to 64
    min    characters in the shortest, 1 to n; 0 is n: one size only
    edges  1 cuts up <word> instead of word: < and > are never part of words
    nfkc   1 folds compatibility characters as well, as in `words`

    Raises: ValueError if an option is out of its range.

    >>> make(n=3)("a large cat")
    ['a', 'lar', 'arg', 'rge', 'cat']
    >>> make(n=3, min=2)("large")
    ['la', 'ar', 'rg', 'ge', 'lar', 'arg', 'rge']
    >>> make(n=4, edges=1)("a cat")
    ['<a>', '<cat', 'cat>']
    """
    if edges not in (0, 1):
        raise ValueError(f"edges should be 0 or 1, not {edges}")
    grams, words = grams_of(n, min, edges=bool(edges)), words_of(nfkc)

    def tokens(text: str) -> list[str]:
        return list(chain.from_iterable(map(grams, words(text))))

    return ruled(tokens, Rules(words, sizes=range(min or n, n + 1), edges=bool(edges)))
