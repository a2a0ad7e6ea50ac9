"""Words without a pattern, for text in the repertoire of Windows-1252: ASCII and the languages of Western Europe.

There every character is one byte and has no combining marks, so a table says it all, and everything is done by a few
passes over bytes. It gives what `_unicode` gives at several times the speed, and spares the import of `regex`.
"""

from ._lengths import LONGEST, marked

CODEC = "cp1252"

# Its characters: those of Latin-1 but for one row. Written here, since many a start need not load the codec
_OWN = "€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ"
_CHARACTERS = bytes(range(128)).decode("ascii") + _OWN + bytes(range(160, 256)).decode("latin-1")
# What each byte becomes: a letter lower-case, an apostrophe straight, what belongs to no word a space
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
        # What is left after these stands between two word characters. Doubled ones go first, lest the second
        # of a pair be taken for an inner one.
        folded = folded.replace(b"''", b"  ").replace(b" '", b"  ").replace(b"' ", b"  ").strip(b"'")
    if folded.isascii():  # the usual case, told apart for speed alone
        tokens = folded.decode("ascii").split()
    else:
        folded = folded.replace("ß".encode(CODEC), b"ss")  # which may make a word too long
        tokens = folded.decode(CODEC).split()
    # A search for one long run is much cheaper than asking every token for its length.
    return marked(tokens) if _TOO_LONG in folded.translate(_FILLED) else tokens
