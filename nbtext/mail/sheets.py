"""The rules in the <style> elements of a page that can hide text, or show text that others hide.

This is a reader of style sheets of our own, since the common one (tinycss2) takes longer to load than reading a page
takes, and only two dozen properties matter here. Its time is linear in the size of the sheet. In selectors it knows
names, classes, ids, elements around and elements before; a rule with any other condition (:hover, :nth-child) is left
out, and so are media queries that a window of WIDTH pixels on a light screen does not meet.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import count, islice
from typing import NamedTuple

from .styles import PIECE, Declaration, as_number, declaration, plain_style

WIDTH = 1024  # pixels of the window
MOST_RULES = 2_000
SIMPLE = r"[a-z*][\w-]*|[.#][\w-]+"
ATTRIBUTE = r"""\[\s*(class|id)\s*[~|^$*]?=\s*["']?([\w-]+)["']?\s*\]"""
ALWAYS = r":(?:any-)?link\b"  # true for all links of a page
QUERY = r"(m(?:ax|in))-(?:device-)?width\s*:\s*([\d.]+)\s*(px|r?em)?"
NEVER = r"\b(?:not|print|speech|aural|braille|embossed|handheld|projection|tty|tv)\b|prefers-color-scheme\s*:\s*dark"
COMBINATORS = (">", "+", "~")
SIBLING = ("+", "~")


class Rule(NamedTuple):
    """A rule of a sheet: the elements that it applies to, and its declarations.

    key     one of `own`, by which the rule is found
    own     keys that the element must have: names, classes after a dot, ids after a #
    around  keys of elements that must be open around it
    before  keys of elements that must come before it, if the selector names a sibling
    weight  its rank among others: its ids, classes and names, then its position in the sheets
    """

    key: str
    own: frozenset[str]
    around: frozenset[str]
    before: frozenset[str]
    weight: tuple[int, int, int, int]
    declarations: tuple[Declaration, ...]


Sheet = dict[str, list[Rule]]  # rules by their keys


def sheet(styles: Iterable[str]) -> Sheet:
    """The rules in the <style> elements of a page that can hide text, or show text that others hide.

    >>> [rule] = sheet(["p {margin: 0} @media screen { #top .H { display: none } }"])[".h"]
    >>> rule.around, rule.declarations
    (frozenset({'#top'}), (('display', 'none', False),))
    """
    found: Sheet = {}
    for rule in islice(_rules(styles), MOST_RULES):
        found.setdefault(rule.key, []).append(rule)
    return found


def _rules(styles: Iterable[str]) -> Iterator[Rule]:
    number = count()
    for style in styles:
        for selectors, written in _blocks(plain_style(style)):
            declared = tuple(filter(None, map(declaration, written)))
            each_selector = selectors.split(",")
            if declared and all(map(str.strip, each_selector)):  # a list with an empty selector is invalid as a whole
                yield from filter(None, (_rule(each, declared, next(number)) for each in each_selector))


def _blocks(css: str) -> Iterator[tuple[str, list[str]]]:
    """The rules that apply to this screen: selectors, and declarations as written."""
    around: list[bool] = []  # for each open @ block, whether its rules apply
    selectors: str | None = None
    written: list[str] = []
    for found in re.finditer(PIECE, css):
        piece, end = found.groups()
        if end == "{" and piece.lstrip().startswith("@"):
            around.append(_holds(piece.strip()))
        elif end == "{":
            selectors, written = piece.strip(), []
        elif selectors is None:
            if end == "}" and around:
                around.pop()
        else:
            written.append(piece)
            if end != ";":
                if all(around):
                    yield selectors, written
                selectors = None


def _holds(condition: str) -> bool:
    """Whether the rules in an @ block apply: those for a light screen of WIDTH pixels, and unknown ones."""
    kind, _, queries = condition.partition(" ")
    if kind != "@media":
        return kind in ("@supports", "@layer", "@container", "@document", "@-moz-document")
    return any(_meets(query) for query in queries.split(","))


def _meets(query: str) -> bool:
    if re.search(NEVER, query):
        return False
    for bound, number, unit in re.findall(QUERY, query):
        pixels = (as_number(number) or 0.0) * (1 if unit == "px" else 16)
        if (pixels < WIDTH) if bound == "max" else (pixels > WIDTH):
            return False
    return True


def _rule(selector: str, declared: tuple[Declaration, ...], place: int) -> Rule | None:
    """The rule for one selector; None if it has a condition that is not known here."""
    selector = re.sub(ATTRIBUTE, lambda found: ".#"[found[1] == "id"] + found[2], selector)
    words = [re.sub(ALWAYS, "", word) or "a" for word in re.sub(r"([>+~])", r" \1 ", selector).split()]
    around: set[str] = set()
    before: set[str] = set()
    own: list[str] = []
    every: list[str] = []
    for word, following in zip(words, (*words, "")[1:], strict=True):
        if word not in COMBINATORS:
            own = re.findall(SIMPLE, word)
            every += own
            if "".join(own) != word:
                return None
            if following:
                (before if following in SIBLING else around).update(own)
    if not own or words[-1] in COMBINATORS:
        return None
    ids, classes = (sum(key[0] == mark for key in every) for mark in "#.")
    names = len(every) - ids - classes - every.count("*")
    key = next((key for mark in "#." for key in own if key[0] == mark), own[0])
    weight = (ids, classes, names, place)
    return Rule(key, frozenset(own), frozenset(around - {"*"}), frozenset(before - {"*"}), weight, declared)
