"""Words in the usual sense, folded so that spelling variants are equal. The default tokenizer; `chars` cuts its words.

Don't and DON’T are one word, İstanbul, istanbul and ISTANBUL are one, so are Straße and STRASSE, and café in either
of its encodings. A hyphen, a point or a slash separates words, so 3.14 is 3 and 14. An apostrophe separates words
unless it is directly between two word characters. 世界杯 is 世界 and 界杯. A word of more than 64 characters becomes
a marker of its length.

`_western` handles the common texts and `_unicode` all others, with equal results. `_unicode` defines words.
"""

from . import Tokenize
from ._words import words_of


def make(*, nfkc: int = 0) -> Tokenize:
    """The function from a text to its words.

    nfkc  1 folds compatibility characters as well: full width, superscripts, ligatures of presentation forms

    Raises: ValueError if nfkc is neither 0 nor 1.

    >>> make()("Rock'n'roll won’t die; ’tis 3.14!")
    ["rock'n'roll", "won't", 'die', 'tis', '3', '14']
    >>> make(nfkc=1)("ＦＲＥＥ")
    ['free']
    """
    return words_of(nfkc)
