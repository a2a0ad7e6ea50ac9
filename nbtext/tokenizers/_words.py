"""Words for all tokenizers that begin with words: from `_western` or, for other text, `_unicode`."""

from functools import cache

from . import Rules, Tokenize, _western, ruled


@cache  # the kernel keeps what it learned about characters with the function
def words_of(nfkc: int) -> Tokenize:
    """The function from a text to its words.

    nfkc  1 folds compatibility characters as well

    Raises: ValueError if nfkc is neither 0 nor 1.
    """
    if nfkc not in (0, 1):
        raise ValueError(f"nfkc should be 0 or 1, not {nfkc}")

    def words(text: str) -> list[str]:
        if text.isascii() or not nfkc:  # no ASCII character has a compatibility form
            encoded = _western.encoded(text)
            if encoded is not None:
                return _western.words(encoded)
        from ._unicode import tokenizer  # imports `regex`, which takes longer than classifying a message

        return tokenizer("NFKC" if nfkc else "NFC", symbols=False)(text)

    return ruled(words, Rules(words))
