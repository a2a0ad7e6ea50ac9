"""How the tokenizer treats each character, found by calling it: a table that is right for any version of Unicode.

The tokenizer gets each character between others, and the resulting tokens show the kind of the character. A character
whose treatment depends on more than its kind and the kinds of its neighbours is marked `ASK`: then the tokenizer itself
is called with the text around it, from white space to white space.

An entry of the table has 8 bytes: the folded character in UTF-8 (4 bytes, filled with zeros), its number of bytes and
of characters, the kind, and the canonical combining class.
"""

from functools import cache
from itertools import chain, pairwise
from struct import pack
from unicodedata import category, combining, is_normalized, normalize

from ..tokenizers import Rules

PAGE = 256  # code points handled in one call of the tokenizer

# The kinds. `_indexer.pyx` has the same list.
SEPARATOR = 0  # between words
SPACE = 1  # a separator across which characters never affect each other
WORD = 2  # part of a word
MARK = 3  # part of a word, or of the character before it in a script without spaces
UNSPACED = 4  # of a script without spaces
UNSPACED_MARK = 5  # the same, and part of the character before it
SYMBOL = 6  # a token by itself
IGNORABLE = 7
JOINER = 8  # ignorable, but not after a character with `JOINS`
APOSTROPHE = 9  # part of a word if it is between two characters of words
ASK = 10
JOINS = 16  # added to a kind: a joiner after it may matter

_BETWEEN = "zzz"  # a word that no tokenizer cuts, and that none of the texts gives
# What a tokenizer that folds makes of the characters of Latin-1 for which it has to load more than for all others
_KNOWN = {**{chr(code): ["a", "a"] for code in range(0x80, 0xA0)}, "µ": ["aμa"]}


@cache
def page(rules: Rules, number: int) -> bytes:
    """The entries of the code points from 256 * number to 256 * number + 255, in order.

    >>> from nbtext.tokenizers import rules_of, words
    >>> page(rules_of(words.make()), 0)[8 * ord("A"):][:8]
    b'a\\x00\\x00\\x00\\x01\\x01\\x02\\x00'
    """
    characters = "".join(map(chr, range(PAGE * number, PAGE * (number + 1))))
    if rules.folds and {*map(category, characters)} == {"Lo"} and (kind := _kind_of_all(rules, characters)):
        size = len(characters[0].encode())  # the same for all of a page
        rest = bytes(4 - size) + bytes((size, 1, kind, 0))
        return b"".join([each.encode() + rest for each in characters])
    if number == 0 and rules.folds:
        answers = _answers(rules, ["" if each in _KNOWN else f"a{each}a" for each in characters])
        return b"".join(map(_latin, characters, map(_KNOWN.get, characters, answers)))
    inside = [f"a{each}a" for each in characters]
    if not rules.folds:
        return b"".join(map(_plain, characters, _answers(rules, inside)))
    behind_unspaced = [f"世界{each}\u200ca" for each in characters]
    twice = [f"!{each}{each}" for each in characters]
    return b"".join(map(_folding, characters, *(_answers(rules, texts) for texts in (inside, behind_unspaced, twice))))


def _kind_of_all(rules: Rules, letters: str) -> int | None:
    """The kind of letters that are folded to themselves, if all have the same; it takes only a few calls."""
    rows = [letters[at : at + 32] for at in range(0, len(letters), 32)]  # so that they form no over-long words
    tokens = rules.tokenize(" ".join("世" + "\u200c".join(row) for row in rows))
    if tokens == [a + b for row in rows for a, b in pairwise("世" + row)]:
        return UNSPACED
    return WORD if tokens == [token for row in rows for token in ("世", row)] else None


def _answers(rules: Rules, texts: list[str]) -> list[list[str]]:
    """The tokens of each text, from one call of the tokenizer for all."""
    tokens = rules.tokenize(f" {_BETWEEN} ".join(texts))
    parts: list[list[str]] = [[]]
    for token in tokens:
        if token == _BETWEEN:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _plain(character: str, inside: list[str]) -> bytes:
    """The entry, if no character depends on its neighbours."""
    if inside == ["a", "a"]:
        return _packed("", SPACE if character.isspace() else SEPARATOR)
    return _packed(character, WORD) if inside == [f"a{character}a"] else _packed("", ASK)


def _latin(character: str, inside: list[str]) -> bytes:
    """The entry of a character of Latin-1, where there are no marks, no joiners and no scripts without spaces."""
    match inside:
        case ["a", "a"]:
            fold, kind = "", SPACE if character.isspace() else SEPARATOR
        case ["aa"]:
            fold, kind = "", IGNORABLE
        case ["a'a"]:
            fold, kind = "'", APOSTROPHE
        case [word]:
            fold, kind = word[1:-1], WORD
        case ["a", fold, "a"]:
            kind = SYMBOL
        case _:
            fold, kind = "", ASK
    return _packed(fold, kind)


def _folding(character: str, inside: list[str], behind_unspaced: list[str], twice: list[str]) -> bytes:
    """The entry, if text is normalised and folded before it is cut."""
    if character in _composing() or category(character) == "Cn" or character in "\u200c\u200d":
        return _packed("", JOINER if character in "\u200c\u200d" else ASK)
    kept = any("\u200c" in token for token in behind_unspaced)
    joins = JOINS if kept or combining(character) == 9 else 0
    behind = [token.replace("\u200c", "") for token in behind_unspaced]
    fold, kind = _meaning(character, inside, behind, twice)
    return _packed(fold, kind + joins, combining(character)) if _alone(character, fold) else _packed("", ASK)


def _meaning(character: str, inside: list[str], behind: list[str], twice: list[str]) -> tuple[str, int]:
    """The folded character and its kind."""
    match inside:
        case ["a", "a"] if behind == ["世界", "a"]:
            return "", SPACE if character.isspace() else SEPARATOR
        case ["aa"] if behind == ["世界", "a"]:
            return "", IGNORABLE
        case ["a'a"]:
            return "'", APOSTROPHE
        case [word] if behind == ["世界", word[1:]]:
            return word[1:-1], WORD
        case [word] if behind == [f"世界{word[1:-1]}", "a"]:
            return word[1:-1], MARK
        case ["a", fold, "a"] if behind == ["世界", f"界{fold}", "a"]:
            return fold, UNSPACED
        case ["a", fold, "a"] if behind == [f"世界{fold}", "a"]:
            return fold, UNSPACED_MARK
        case ["a", fold, "a"] if behind == ["世界", fold, "a"] and twice == ["!", fold, fold]:
            return fold, SYMBOL
    return "", ASK


def _alone(character: str, fold: str) -> bool:
    """Whether the folded form of a character never depends on its neighbours."""
    if fold == "'":
        return combining(character) == 0
    if "'" in fold or any(each in _composing() for each in fold):
        return False
    return [combining(character)] == [*map(combining, fold)] or not any(map(combining, character + fold))


def _packed(fold: str, kind: int, combining_class: int = 0) -> bytes:
    encoded = fold.encode()
    if len(encoded) > 4:
        return _packed("", ASK)
    return pack("=4s4B", encoded, len(encoded), len(fold), kind, combining_class)


@cache
def _composing() -> frozenset[str]:
    """The characters that combine with one before them in canonical composition."""
    # Without Han, Hangul syllables, and planes that have no decompositions into two
    starts = chain(range(0, 0x3400, PAGE), range(0xA000, 0xAC00, PAGE), [0xFB00], range(0x10000, 0x20000, PAGE))
    pages = ("".join(map(chr, range(start, start + PAGE))) for start in starts)
    changing = chain.from_iterable(each for each in pages if normalize("NFD", each) != each)  # few pages do
    composed = (normalize("NFD", each) for each in changing if is_normalized("NFC", each))
    jamo = map(chr, chain(range(0x1161, 0x1176), range(0x11A8, 0x11C3)))
    return frozenset(chain(jamo, *(each[1:] for each in composed)))
