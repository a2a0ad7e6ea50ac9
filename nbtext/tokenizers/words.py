"""Words: what people would call so, folded until spelling variants meet. The default, and what `chars` cuts up.

Don't and DON’T are one word, İstanbul, istanbul and ISTANBUL are one, so are Straße and STRASSE, and café in either
of its encodings. A hyphen, a point or a slash separates, so that 3.14 is 3 and 14. An apostrophe separates unless it
stands directly between two word characters. 世界杯 is 世界 and 界杯. Over 64 characters a word is its length class.

`_western` does the common texts and `_unicode` the rest, with equal results. What is a word is written down there.
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
