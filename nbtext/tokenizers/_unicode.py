"""Words, and symbols if wanted, of any text. It imports `regex`, so it is itself imported only when it is needed.

A word is a maximal run of letters, marks, numbers and connector punctuation. Letters are those that Unicode calls
alphabetic, including circled ones. Before words are searched, these are folded:

- canonical forms (NFC, or NFKC on request), case (full folding: ß is ss, ς is σ), and the dot that folding leaves
  on the i of İSTANBUL;
- the apostrophes ' ’ and ʼ, which are one character;
- default-ignorable characters (zero-width space, soft hyphen, variation selectors) and the frame of a keycap, which
  are removed. The joiners ZWJ and ZWNJ are letters to some scripts and stay there: both after a virama, ZWNJ after a
  letter that joins to the next one, if a letter follows. With symbols, ZWJ stays between two emoji as well.

Scripts without spaces give overlapping pairs of characters, each with its marks; a single character is one token.
"""

from collections.abc import Iterable
from functools import cache
from operator import add
from typing import Literal
from unicodedata import combining, is_normalized, normalize

import regex

from . import Tokenize
from ._lengths import capped

_Form = Literal["NFC", "NFKC"]

_SCRIPT_JOINER = r"\p{ccc=Virama}\u200D | [\p{ccc=Virama}\p{Joining_Type=Dual_Joining}]\u200C(?=\p{L})"
_EMOJI = r"[\p{ExtPict}--[\w\p{No}]]"  # a few pictures, such as ℹ, are letters or numbers
_EMOJI_JOINER = rf"{_EMOJI}[\p{{Emoji_Modifier}}\uFE0F]?\u200D(?={_EMOJI})"
_IGNORABLE = r"[\p{Default_Ignorable_Code_Point}\u20E3]"

_WORD = r"[\w\p{No}]+ (?: ' [\w\p{No}]+ )*"  # in `regex`, \w does not include ½ and the like
# A flag, or a symbol with the parts of a joined emoji. \X would be shorter, but takes quadratic time on a row of flags.
_SYMBOL = rf"\p{{RI}}{{2}} | [\p{{P}}\p{{S}}] \p{{Emoji_Modifier}}? (?: \u200D {_EMOJI} \p{{Emoji_Modifier}}? )*"

# The single letters after the scripts are shared by several scripts, so Unicode assigns them to none.
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}〆〼ーｰﾞﾟ"
_RUN = rf"([{_UNSPACED}][{_UNSPACED}\p{{M}}]*)"
_REST = rf"[^{_UNSPACED}'\ ]+ (?: ' [^{_UNSPACED}'\ ]+ )*"


def _compiled(pattern: str) -> "regex.Pattern[str]":
    return regex.compile(pattern, regex.VERBOSE | regex.VERSION1)


_mark_rows = _compiled(r"\P{ccc=0}{30,}").sub
_dotted_i = _compiled(r"i\u0307+").sub
_characters = _compiled(r".\p{M}*").findall
_beyond_spaces = _compiled(r"[^\0-\u0DFF]").search  # the first script without spaces is Thai, at U+0E00


def _pairs(run: str) -> Iterable[str]:
    """The overlapping pairs of characters in a run of scripts without spaces."""
    characters = run if run.isalpha() else _characters(run)  # without marks, each is one code point
    return map(add, characters, characters[1:]) if len(characters) > 1 else characters


def _normal(form: _Form, text: str) -> str:
    """The text in a normal form, in time proportional to its length."""
    if is_normalized(form, text):
        return text
    # `normalize` sorts a row of marks by insertion, which is fast if they are in order already.
    return normalize(form, _mark_rows(lambda row: "".join(sorted(row[0], key=combining)), text))


@cache
def tokenizer(form: _Form, symbols: bool) -> Tokenize:
    """The function from any text to its words, and symbols if wanted, in order.

    >>> tokenizer("NFC", symbols=False)("Straße zum Café: iPhoneを買う")
    ['strasse', 'zum', 'café', 'iphone', 'を買', '買う']
    """
    joiner = f"{_SCRIPT_JOINER} | {_EMOJI_JOINER}" if symbols else _SCRIPT_JOINER
    without_ignorable = _compiled(f"{_IGNORABLE} (?<! {joiner} )").sub
    found = _compiled(f"{_WORD} | {_SYMBOL}" if symbols else _WORD).findall
    pieces = _compiled(f"{_RUN} | ( {_REST} | ' )" if symbols else f"{_RUN} | ( {_REST} )").findall

    def folded(text: str) -> str:
        text = without_ignorable("", _normal(form, text).casefold())
        for character, fold in ("’", "'"), ("ʼ", "'"), ("\ufffd", " "):
            text = text.replace(character, fold)
        if "i\u0307" in text:
            text = _dotted_i("i", text)
        return _normal(form, text)

    def tokens(text: str) -> list[str]:
        whole = found(folded(text))
        spaced = " ".join(whole)
        if not _beyond_spaces(spaced):
            return capped(whole)
        parts: list[str] = []
        for run, rest in pieces(spaced):
            parts.extend(_pairs(run) if run else (rest,))
        return capped(parts)

    return tokens
