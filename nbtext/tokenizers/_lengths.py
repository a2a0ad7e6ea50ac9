"""Over-long tokens: a base64 block or a line of dashes becomes a marker with its length.

The marker begins with a character that no tokenizer here puts into a longer token: it is neither a letter nor a number,
so `words` and `chars` drop it, `tokens` makes it a token by itself, and `split` splits at it. So `⋯128` always means a
long token, whatever the text contains.
"""

LONGEST = 64  # characters; longer ones are blobs, not words
MARK = "⋯"


def marker(length: int) -> str:
    """The token that replaces a token of this many characters: it has the next power of two.

    >>> marker(65), marker(128), marker(129)
    ('⋯128', '⋯128', '⋯256')
    """
    return f"{MARK}{1 << (length - 1).bit_length()}"


def piece(gram: str) -> str:
    """The token for a character n-gram if words are tokens too: no other token ends with the mark."""
    return gram + MARK


def is_piece(token: str) -> bool:
    """Whether a token is such an n-gram, whatever tag it begins with.

    >>> list(map(is_piece, ["<ca⋯", "subject:<ca⋯", "cat", "⋯", "subject:⋯", "⋯128"]))
    [True, True, False, False, False, False]
    """
    return token[-1:] == MARK and token[-2:-1] not in ("", ":") and " " not in token


def order(token: str) -> int:
    """The number of words in a token; 0 for a character n-gram beside words."""
    return 0 if is_piece(token) else token.count(" ") + 1


def marked(tokens: list[str]) -> list[str]:
    """The tokens, with a marker for each that is too long."""
    return [token if len(token) <= LONGEST else marker(len(token)) for token in tokens]


def capped(tokens: list[str]) -> list[str]:
    """The same, but faster if no token is too long."""
    return marked(tokens) if max(map(len, tokens), default=0) > LONGEST else tokens
