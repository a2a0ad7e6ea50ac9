"""What becomes of each character, learned from the tokenizer itself: a table that holds for any version of Unicode.

The tokenizer is shown each character between others, and what it makes of that tells what kind of character it is. A
character whose meaning depends on more than its kind and the kinds of its neighbours is marked `ASK`: the tokenizer
itself is then asked about the stretch of text around it, from white space to white space.

An entry of the table is 8 bytes: what the character is folded to in UTF-8 (4 bytes, zeros behind), how many bytes
and how many characters that is, the kind, and the canonical combining class.
"""

from collections.abc import Iterator
from functools import cache
from itertools import chain
from struct import pack
from unicodedata import category, combining, is_normalized, normalize

from ..tokenizers import Rules

PAGE = 256  # code points that are asked about together

# The kinds. `_native.pyx` has the same list.
SEPARATOR = 0  # of words
SPACE = 1  # a separator across which characters never affect each other
WORD = 2  # part of a word
MARK = 3  # part of a word, or of the character before it in a script without spaces
UNSPACED = 4  # of a script without spaces
UNSPACED_MARK = 5  # the same, and part of the character before it
SYMBOL = 6  # a token by itself
IGNORABLE = 7
JOINER = 8  # ignorable, but not behind a character with `JOINS`
APOSTROPHE = 9  # part of a word if between two characters of words
ASK = 10
JOINS = 16  # added to a kind: a joiner may mean something behind it

_Probes = tuple[str, str]  # what is put before a character, and what behind it

_AFTER_UNSPACED: _Probes = "世界", "\u200ca"
_INSIDE: _Probes = "a", "a"
_TWICE: _Probes = "!", ""
_BETWEEN = "zz"


@cache
def page(rules: Rules, number: int) -> bytes:
    """The entries of code points 256 * number to 256 * number + 255, in order.

    >>> from nbtext.tokenizers import rules_of, words
    >>> page(rules_of(words.make()), 0)[8 * ord("A"):][:8]
    b'a\\x00\\x00\\x00\\x01\\x01\\x02\\x00'
    """
    characters = [chr(code) for code in range(PAGE * number, PAGE * (number + 1))]
    entry = _folding if rules.folds else _plain
    return b"".join(map(entry, characters, *_answers(rules, characters)))


def _answers(rules: Rules, characters: list[str]) -> Iterator[list[list[str]]]:
    """What the tokenizer makes of each character in each surrounding."""
    for before, behind in _AFTER_UNSPACED, _INSIDE:
        yield _parted(rules.tokenize(f" {_BETWEEN} ".join(before + each + behind for each in characters)))
    twice = rules.tokenize(f" {_BETWEEN} ".join(f"!{each}{each}" for each in characters))
    yield _parted(twice)


def _parted(tokens: list[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for token in tokens:
        if token == _BETWEEN:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _plain(character: str, _: list[str], inside: list[str], __: list[str]) -> bytes:
    """The entry, if no character depends on its neighbours."""
    if inside == ["a", "a"]:
        return _packed("", SPACE if character.isspace() else SEPARATOR)
    return _packed(character, WORD) if inside == [f"a{character}a"] else _packed("", ASK)


def _folding(character: str, behind_unspaced: list[str], inside: list[str], twice: list[str]) -> bytes:
    """The entry, if text is normalised and folded before it is cut."""
    if character in _composing() or category(character) == "Cn" or character in "\u200c\u200d":
        return _packed("", JOINER if character in "\u200c\u200d" else ASK)
    kept = any("\u200c" in token for token in behind_unspaced)
    joins = JOINS if kept or combining(character) == 9 else 0
    behind = [token.replace("\u200c", "") for token in behind_unspaced]
    fold, kind = _meaning(character, behind, inside, twice)
    return _packed(fold, kind + joins, combining(character)) if _alone(character, fold) else _packed("", ASK)


def _meaning(character: str, behind: list[str], inside: list[str], twice: list[str]) -> tuple[str, int]:
    """What a character is folded to, and its kind."""
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
    """Whether what a character is folded to never changes with its neighbours."""
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
    """The characters that unite with one before them in canonical composition."""
    # Not looked through: Han, Hangul syllables, and planes without decompositions into two
    codes = chain(range(0x3400), range(0xA000, 0xAC00), range(0xFB00, 0xFC00), range(0x10000, 0x20000))
    composed = (normalize("NFD", each) for each in map(chr, codes) if is_normalized("NFC", each))
    jamo = map(chr, chain(range(0x1161, 0x1176), range(0x11A8, 0x11C3)))
    return frozenset(chain(jamo, *(each[1:] for each in composed)))
