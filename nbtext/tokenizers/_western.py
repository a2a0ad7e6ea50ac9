"""Words without a pattern, for text with the characters of Windows-1252: ASCII and the languages of Western Europe.

There every character is one byte and there are no combining marks, so a table and a few passes over the bytes are
enough. The tokens are those of `_unicode`, at several times the speed and without importing `regex`.
"""

from ._lengths import LONGEST, marked

CODEC = "cp1252"

# Its characters: those of Latin-1, except for 32. They are listed here because most starts need not load the codec
_OWN = "€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ"
_CHARACTERS = bytes(range(128)).decode("ascii") + _OWN + bytes(range(160, 256)).decode("latin-1")
# The result for each byte: letters in lower case, straight apostrophes, and a space for all that is not part of words
_FOLDED = bytes(
    _CHARACTERS.find(character.lower())
    if character.isalnum() or character == "_"
    else ord("'" if character in "'’" else " ")
    for character in _CHARACTERS
)
_FILLED = bytes(byte if byte == ord(" ") else ord("x") for byte in range(256))
_TOO_LONG = b"x" * (LONGEST + 1)


def encoded(text: str) -> bytes | None:
    """The text in one byte a character, or None if it has characters that the table cannot fold."""
    if text.isascii():
        return text.encode("ascii")
    if "µ" in text:  # folds to a Greek letter
        return None
    try:
        return text.replace("\N{SOFT HYPHEN}", "").encode(CODEC)
    except UnicodeEncodeError:
        return None


def words(text: bytes) -> list[str]:
    """The words of an encoded text.

    >>> words(b"Don't 'PANIC', 42_x")
    ["don't", 'panic', '42_x']
    """
    folded = text.translate(_FOLDED)
    if b"'" in folded:
        # The apostrophes left after this are between two word characters. Pairs are removed first, so that the second
        # of a pair does not seem to be inside a word.
        folded = folded.replace(b"''", b"  ").replace(b" '", b"  ").replace(b"' ", b"  ").strip(b"'")
    if folded.isascii():  # the usual case, treated separately only for speed
        tokens = folded.decode("ascii").split()
    else:
        folded = folded.replace("ß".encode(CODEC), b"ss")  # this may make a word too long
        tokens = folded.decode(CODEC).split()
    # A search for one long run is much faster than checking the length of every token.
    return marked(tokens) if _TOO_LONG in folded.translate(_FILLED) else tokens
