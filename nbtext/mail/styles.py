"""Style that hides text: what declarations do to the look of an element."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from .colours import BLACK, WHITE, Colour, alike, over, styled_colour

Declaration = tuple[str, str, bool]  # property, value in lower case, whether it is important
Properties = tuple[tuple[str, str], ...]  # properties and their values


class Look(NamedTuple):
    """The look of an element's text.

    gone     whether it is not shown, and inner elements cannot change that
    visible  the property visibility, which inner elements can change, as they can the following:
    size     of the font, in pixels
    ink      the colour of its letters
    ground   the colour behind them, opaque
    hides    whether the text is invisible, which follows from the others
    """

    gone: bool = False
    visible: bool = True
    size: float = 16.0
    ink: Colour = BLACK
    ground: Colour = WHITE
    hides: bool = False


SMALLEST = 3  # pixels of the smallest visible font
SMALL_BOX = 1  # pixels of a box too small to show its content
FAINT = 0.1  # opacity that is practically invisible
FAR = 900  # pixels by which a box is moved out of the window
LONGEST_VALUE = 100  # characters of a value that are read, and cached
LONGEST_REMEMBERED = 400  # characters of cached declarations

SIZES = {"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32}
PIXELS = {"px": 1, "pt": 4 / 3, "pc": 16, "in": 96, "cm": 37.8, "mm": 3.78, "q": 0.945, "rem": 16, "vw": 10, "%": 10}
OVERFLOWS = ("overflow", "overflow-x", "overflow-y")
EDGES = ("left", "top", "right", "bottom")
BOXES = ("height", "max-height", "width", "max-width")
MARGINS = ("margin", "margin-left", "margin-top", "text-indent")
HIDING_BOXES = {
    *("display", "mso-hide", "content-visibility", "opacity", "filter", "scale", "zoom", "transform"),
    *("position", "clip", "clip-path", *BOXES, *OVERFLOWS, *EDGES, *MARGINS),
}
HIDING_LETTERS = {
    *("visibility", "color", "-webkit-text-fill-color", "background", "background-color", "font", "font-size"),
}

# Compiled by `re` when they are first used, as many pages have no style
COMMENT = r"(?s)/\*.*?(?:\*/|\Z)|<!--|-->"
ESCAPE = r"\\(?:([0-9a-f]{1,6})\s?|(.))"
STRINGS = r""""[^"\n]*"?|'[^'\n]*'?"""
PIECE = rf"""((?:[^{{}};"'(]|\([^)]*(?:\)|\Z)|{STRINGS})*+)([{{}};]|\Z)"""
STRING = rf"(?i){STRINGS}|url\([^)]*\)?"
NUMBER = r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?)\s*([a-z]+|%)?"


# --- declarations -----------------------------------------------------------------------------------------------------


def declarations(style: str) -> tuple[Declaration, ...]:
    """The declarations of a style attribute that can hide text.

    >>> declarations("Display : NONE !important; margin: 0; font: 0px/1 serif")
    (('display', 'none', True), ('margin', '0', False), ('font', '0px/1 serif', False))
    """
    return _remembered(style) if len(style) <= LONGEST_REMEMBERED else _declarations(style)


def _declarations(style: str) -> tuple[Declaration, ...]:
    style = plain_style(style)
    is_simple = not any(map(style.__contains__, "\"'(){}"))
    written = style.split(";") if is_simple else [found[1] for found in re.finditer(PIECE, style)]
    return tuple(filter(None, map(declaration, written)))


_remembered = lru_cache(maxsize=1024)(_declarations)  # a page repeats the same declarations


def plain_style(css: str) -> str:
    """Style in lower case, without comments and escapes."""
    if "/*" in css or "--" in css:
        css = re.sub(COMMENT, " ", css)
    css = css.lower()
    return re.sub(ESCAPE, _unescaped, css) if "\\" in css else css


def _unescaped(found: re.Match[str]) -> str:
    """The character of an escape, if it is one of a word: others would look like syntax."""
    letter = chr(min(int(found[1], 16), 0x10FFFF)).lower() if found[1] else found[2]
    return letter if letter.isalnum() or letter == "-" else "_"


def declaration(written: str) -> Declaration | None:
    """A declaration as written, in lower case; None if it cannot hide text."""
    name, colon, value = written.partition(":")
    name = name.strip()
    if not colon or (name not in HIDING_BOXES and name not in HIDING_LETTERS):
        return None
    if '"' in value or "'" in value or "url" in value:
        value = re.sub(STRING, "", value)
    value, mark, important = value.strip()[: 2 * LONGEST_VALUE].partition("!")
    return name, value.strip()[:LONGEST_VALUE], bool(mark) and important.strip() == "important"


# --- looks ------------------------------------------------------------------------------------------------------------


def cascaded(*declared: Iterable[Declaration]) -> Properties:
    """The properties of an element with their values, from declarations; later ones rank higher.

    >>> cascaded([("color", "red", False), ("opacity", "0", True)], [("color", "blue", False), ("opacity", "1", False)])
    (('color', 'blue'), ('opacity', '0'))
    """
    plain: dict[str, str] = {}
    important: dict[str, str] = {}
    for declarations in declared:
        for name, value, matters in declarations:
            (important if matters else plain)[name] = value
    return tuple((plain | important).items())


@lru_cache(maxsize=4096)
def styled(outer: Look, properties: Properties) -> Look:
    """The look of an element with these properties inside an element with the given look.

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
    """Whether properties remove an element and everything in it from the page."""
    if HIDING_BOXES.isdisjoint(given):
        return False

    def lengths(names: Iterable[str]) -> Iterator[float]:
        return (length for name in names if name in given for length in _lengths(given[name], size))

    def matches(name: str, pattern: str) -> bool:
        return name in given and bool(re.search(pattern, given[name]))

    is_cut = any(given.get(name, "visible") != "visible" for name in OVERFLOWS)
    is_placed = given.get("position") in ("absolute", "fixed", "relative", "sticky")
    moved = (*MARGINS, *(EDGES if is_placed else ()), *(("transform",) if matches("transform", "translate") else ()))
    shares = (as_number(given[name]) for name in ("opacity", "scale", "zoom") if name in given)
    clipped = list(lengths(["clip"])) if is_placed else []
    return (
        given.get("display") == "none"
        or given.get("mso-hide") == "all"
        or given.get("content-visibility") == "hidden"
        or any(share is not None and share <= FAINT for share in shares)
        or any(length <= SMALL_BOX for length in lengths(BOXES if is_cut else ("max-height",)))
        or any(length <= -FAR for length in lengths(moved))
        or (bool(clipped) and max(clipped) <= SMALL_BOX)
        or matches("filter", r"opacity\(\s*0?(?:\.0|\)|%)")
        or matches("transform", r"scale[xy3d]*\(\s*0?(?:\.0|\)|,)")
        or matches("clip-path", r"inset\(\s*(?:[5-9]\d|\d{3,})(?:\.\d+)?%|circle\(\s*0")
    )


def _lengths(value: str, size: float) -> Iterator[float]:
    """The lengths in a value, in pixels, for a font size; a percentage is one of the window."""
    for number, unit in re.findall(NUMBER, value):
        yield float(number) * (size if unit in ("em", "ex", "ch") else PIXELS.get(unit, 1))


def as_number(value: str) -> float | None:
    """A number, or a percentage as a number; None if it begins with neither."""
    found = re.match(NUMBER, value)
    return float(found[1]) / (100 if found[2] == "%" else 1) if found else None


def _size(value: str, outer: float) -> float:
    """A font size in pixels, inside an element with the given font size."""
    if not value or value in SIZES:
        return SIZES.get(value, outer)
    if value.endswith("px") and value[:-2].isdecimal():  # as most are written
        return float(value[:-2])
    if value in ("smaller", "larger"):
        return outer / 1.2 if value == "smaller" else outer * 1.2
    found = re.search(NUMBER, value)
    if not found or float(found[1]) < 0 or (not found[2] and float(found[1]) > 0):  # these are invalid
        return outer
    return outer * float(found[1]) / 100 if found[2] == "%" else next(_lengths(found[0], outer))


def _shorthand_size(font: str) -> str:
    """The size in the shorthand property font, where it comes before the line height and the families."""
    found = re.search(r"(?:^|\s)([\d.]+(?:[a-z]+|%)|0|xx?-(?:small|large)|small|medium|large)(?=[\s/]|$)", font)
    return found[1] if found else ""
