"""Style as far as it keeps text from the eye: what an element's own declarations and a page's rules do to its look.

A reader of style sheets of its own, since the common one (tinycss2) takes longer to load than a page to read, and only
two dozen properties matter here. It takes time linear in the sheet. Of selectors it knows names, classes, ids, what is
around and what comes before; a rule with any other condition (:hover, :nth-child) is left out, and so are media queries
that a window of WIDTH pixels on a light screen does not meet.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import count, islice
from typing import NamedTuple

from .colours import BLACK, WHITE, Colour, alike, over, styled_colour

Declaration = tuple[str, str, bool]  # property, value in lower case, whether it is important
Properties = tuple[tuple[str, str], ...]  # properties and their values


class Look(NamedTuple):
    """How an element's text looks.

    gone     whether it is not shown whatever the elements within say
    visible  the property visibility, which they may change; so with the others:
    size     of the font, in pixels
    ink      the colour of its letters
    ground   the colour behind them, opaque
    hides    whether nobody sees the text, which follows from the others
    """

    gone: bool = False
    visible: bool = True
    size: float = 16.0
    ink: Colour = BLACK
    ground: Colour = WHITE
    hides: bool = False


class Rule(NamedTuple):
    """A rule of a sheet: which elements it is about, and what it declares.

    key     one of `own`, under which it is found
    own     what the element must be: names as they are, classes after a point, ids after a #
    around  what must be open around it
    before  what must have come before it, where the selector names a sibling
    weight  how it ranks among others: its ids, classes and names, then its place in the sheets
    """

    key: str
    own: frozenset[str]
    around: frozenset[str]
    before: frozenset[str]
    weight: tuple[int, int, int, int]
    declarations: tuple[Declaration, ...]


Sheet = dict[str, list[Rule]]  # rules by their keys

SMALLEST = 3  # pixels of a font that can be seen
SMALL_BOX = 1  # pixels of a box that shows nothing of what is in it
FAR = 900  # pixels from where a box would be to a place outside the window
WIDTH = 1024  # pixels of the window
MOST_RULES = 2_000
LONGEST_VALUE = 100  # characters of a value that are read, and remembered
LONGEST_REMEMBERED = 400  # characters of declarations

SIZES = {"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32}
PIXELS = {"px": 1, "pt": 4 / 3, "pc": 16, "in": 96, "cm": 37.8, "mm": 3.78, "q": 0.945, "rem": 16, "vw": 10, "vh": 8}
OVERFLOWS = ("overflow", "overflow-x", "overflow-y")
EDGES = ("left", "top", "right", "bottom")
MARGINS = ("margin", "margin-left", "margin-top", "text-indent")
HIDING = {
    *("display", "visibility", "opacity", "mso-hide", "content-visibility", "position", "clip", "clip-path"),
    *("color", "-webkit-text-fill-color", "background", "background-color", "font", "font-size"),
    *("height", "max-height", "width", "max-width", "transform", "scale", "zoom", "filter"),
    *(*OVERFLOWS, *EDGES, *MARGINS),
}

# Compiled by `re` when they are first used: many pages are without style
COMMENT = r"(?s)/\*.*?(?:\*/|\Z)|<!--|-->"
ESCAPE = r"\\(?:([0-9a-f]{1,6})\s?|(.))"
STRINGS = r""""[^"\n]*"?|'[^'\n]*'?"""
PIECE = rf"""((?:[^{{}};"'(]|\([^)]*(?:\)|\Z)|{STRINGS})*+)([{{}};]|\Z)"""
STRING = rf"(?i){STRINGS}|url\([^)]*\)?"
NUMBER = r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?)\s*([a-z]+|%)?"
SIMPLE = r"[a-z*][\w-]*|[.#][\w-]+"
ATTRIBUTE = r"""\[\s*(class|id)\s*[~|^$*]?=\s*["']?([\w-]+)["']?\s*\]"""
COMBINATORS = (">", "+", "~")
SIBLING = ("+", "~")
ALWAYS = r":(?:any-)?link\b"  # of the links that a page has
QUERY = r"(m(?:ax|in))-(?:device-)?width\s*:\s*([\d.]+)\s*(px|r?em)?"
NEVER = r"\b(?:not|print|speech|aural|braille|embossed|handheld|projection|tty|tv)\b|prefers-color-scheme\s*:\s*dark"


# --- declarations -----------------------------------------------------------------------------------------------------


def declarations(style: str) -> tuple[Declaration, ...]:
    """Those declarations of a style attribute that can hide text.

    >>> declarations("Display : NONE !important; margin: 0; font: 0px/1 serif")
    (('display', 'none', True), ('margin', '0', False), ('font', '0px/1 serif', False))
    """
    return _remembered(style) if len(style) <= LONGEST_REMEMBERED else _declarations(style)


def _declarations(style: str) -> tuple[Declaration, ...]:
    return tuple(filter(None, (_declaration(found[1]) for found in re.finditer(PIECE, _plain(style)))))


_remembered = lru_cache(maxsize=1024)(_declarations)  # a page says the same again and again


def _plain(css: str) -> str:
    """Style in lower case, without comments and escapes."""
    if "/*" in css or "--" in css:
        css = re.sub(COMMENT, " ", css)
    css = css.lower()
    return re.sub(ESCAPE, _unescaped, css) if "\\" in css else css


def _unescaped(found: re.Match[str]) -> str:
    """The letter that an escape means, as long as it is one of a word: others would be taken for syntax."""
    letter = chr(min(int(found[1], 16), 0x10FFFF)).lower() if found[1] else found[2]
    return letter if letter.isalnum() or letter == "-" else "_"


def _declaration(written: str) -> Declaration | None:
    name, colon, value = written.partition(":")
    name = name.strip()
    if not colon or name not in HIDING:
        return None
    value, mark, important = re.sub(STRING, "", value).strip()[: 2 * LONGEST_VALUE].partition("!")
    return name, value.strip()[:LONGEST_VALUE], bool(mark) and important.strip() == "important"


# --- looks ------------------------------------------------------------------------------------------------------------


def cascaded(hints: Iterable[Declaration], rules: Iterable[Rule], own: Iterable[Declaration]) -> Properties:
    """The properties of an element with their values: hints that its attributes give, the rules about it, its style."""
    plain: dict[str, str] = {}
    important: dict[str, str] = {}
    ordered = [each for rule in sorted(rules, key=lambda rule: rule.weight) for each in rule.declarations]
    for name, value, matters in (*hints, *ordered, *own):
        (important if matters else plain)[name] = value
    return tuple((plain | important).items())


@lru_cache(maxsize=1024)
def styled(outer: Look, properties: Properties) -> Look:
    """The look of an element with these properties in an element of a look.

    >>> styled(Look(), (("color", "#fefefe"),)).hides, styled(Look(), (("color", "#666"),)).hides
    (True, False)
    """
    given = dict(properties)
    value = given.get
    size = _size(value("font-size") or _shorthand_size(value("font", "")), outer.size)
    ground = styled_colour(value("background-color") or value("background", ""))
    visibility = value("visibility", "")
    gone = outer.gone or _is_gone(given, size)
    visible = visibility not in ("hidden", "collapse") and (outer.visible or visibility == "visible")
    ink = styled_colour(value("-webkit-text-fill-color") or value("color", "")) or outer.ink
    behind = over(ground, outer.ground) if ground else outer.ground
    return Look(gone, visible, size, ink, behind, gone or not visible or size < SMALLEST or alike(ink, behind))


def _is_gone(given: dict[str, str], size: float) -> bool:
    """Whether properties take an element and all within it from the page."""
    value = given.get

    def pixels(name: str) -> float | None:
        return _pixels(given[name], size) if name in given else None

    def is_far(names: Iterable[str]) -> bool:
        return any(
            pixels is not None and pixels <= -FAR for name in names for pixels in _lengths(value(name, ""), size)
        )

    is_cut = any(value(name, "visible") not in ("visible", "") for name in OVERFLOWS)
    is_placed = value("position", "static") in ("absolute", "fixed", "relative", "sticky")
    boxes = ("height", "max-height", "width", "max-width") if is_cut else ("max-height",)
    scale = re.search(rf"scale[xy3d]*\(\s*{NUMBER}", value("transform", ""))
    shares = [_share(value(name)) for name in ("opacity", "scale", "zoom")]
    return (
        value("display") == "none"
        or value("mso-hide") == "all"
        or value("content-visibility") == "hidden"
        or any(share is not None and share <= 0.1 for share in shares)
        or (scale is not None and abs(float(scale[1])) <= 0.1)
        or bool(re.search(r"opacity\(\s*(?:0|\.0)(?![.\d]*[1-9])", value("filter", "")))
        or any((box := pixels(name)) is not None and box <= SMALL_BOX for name in boxes)
        or (is_placed and (is_far(EDGES) or _is_clipped(value("clip", ""), size)))
        or bool(re.search(r"inset\(\s*(?:[5-9]\d|\d{3,})(?:\.\d+)?%|circle\(\s*0", value("clip-path", "")))
        or is_far(MARGINS)
        or ("translate" in value("transform", "") and is_far(("transform",)))
    )


def _is_clipped(value: str, size: float) -> bool:
    """Whether a box is clipped to next to nothing."""
    lengths = list(_lengths(value, size))
    return value.startswith("rect(") and bool(lengths) and max(lengths) <= SMALL_BOX


def _lengths(value: str, size: float) -> Iterator[float]:
    """The lengths in a value, in pixels; a share is one of a window."""
    for number, unit in re.findall(NUMBER, value):
        yield float(number) * (
            PIXELS.get(unit, 1) if unit not in ("em", "ex", "ch", "%") else 10 if unit == "%" else size
        )


def _pixels(value: str, size: float) -> float | None:
    return next(_lengths(value, size), None)


def _share(value: str | None) -> float | None:
    """A number, or a number of hundredths."""
    found = re.match(NUMBER, value or "")
    return float(found[1]) / (100 if found[2] == "%" else 1) if found else None


def _size(value: str, outer: float) -> float:
    """A size of letters in pixels, in an element with letters of a size."""
    if not value or value in SIZES:
        return SIZES.get(value, outer)
    if value in ("smaller", "larger"):
        return outer / 1.2 if value == "smaller" else outer * 1.2
    found = re.search(NUMBER, value)
    if not found or float(found[1]) < 0 or (not found[2] and float(found[1]) > 0):  # these mean nothing
        return outer
    return outer * float(found[1]) / 100 if found[2] == "%" else next(_lengths(found[0], outer))


def _shorthand_size(font: str) -> str:
    """The size in the shorthand property font, which stands before the families and the height of lines."""
    found = re.search(r"(?:^|\s)([\d.]+(?:[a-z]+|%)|0|xx?-(?:small|large)|small|medium|large)(?=[\s/]|$)", font)
    return found[1] if found else ""


# --- rules ------------------------------------------------------------------------------------------------------------


def sheet(styles: Iterable[str]) -> Sheet:
    """The rules in the <style> elements of a page that can hide text, or show what others hide.

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
        for selectors, written in _blocks(_plain(style)):
            declared = tuple(filter(None, map(_declaration, written)))
            if declared:
                yield from filter(None, (_rule(each, declared, next(number)) for each in selectors.split(",")))


def _blocks(css: str) -> Iterator[tuple[str, list[str]]]:
    """The rules that hold on our screen: selectors, and declarations as written."""
    around: list[bool] = []  # for each open @ block, whether what is in it holds
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
    """Whether the rules in an @ block count: those for a light screen of WIDTH pixels, and what we cannot judge."""
    kind, _, queries = condition.partition(" ")
    if kind != "@media":
        return kind in ("@supports", "@layer", "@container", "@document", "@-moz-document")
    return any(_meets(query) for query in queries.split(","))


def _meets(query: str) -> bool:
    if re.search(NEVER, query):
        return False
    for bound, number, unit in re.findall(QUERY, query):
        pixels = (_share(number) or 0.0) * (1 if unit == "px" else 16)
        if (pixels < WIDTH) if bound == "max" else (pixels > WIDTH):
            return False
    return True


def _rule(selector: str, declared: tuple[Declaration, ...], place: int) -> Rule | None:
    """The rule for one selector; None if it sets a condition that is not known here."""
    selector = re.sub(ATTRIBUTE, lambda found: ".#"[found[1] == "id"] + found[2], re.sub(ALWAYS, "", selector))
    words = re.sub(r"([>+~])", r" \1 ", selector).split()
    around: set[str] = set()
    before: set[str] = set()
    own: list[str] = []
    every: list[str] = []
    for word, following in zip(words, (*words[1:], ""), strict=True):
        if word not in COMBINATORS:
            own = re.findall(SIMPLE, word)
            every += own
            if "".join(own) != word:
                return None
            if following:
                (before if following in SIBLING else around).update(own)
    if not own:
        return None
    ids, classes = (sum(key[0] == mark for key in every) for mark in "#.")
    names = len(every) - ids - classes - every.count("*")
    key = next((key for mark in "#." for key in own if key[0] == mark), own[0])
    weight = (ids, classes, names, place)
    return Rule(key, frozenset(own), frozenset(around - {"*"}), frozenset(before - {"*"}), weight, declared)
