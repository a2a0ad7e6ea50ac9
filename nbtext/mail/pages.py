"""The visible text, the hidden text and the links of an HTML page, as far down as it is read.

A page is read tag by tag with the open elements on a stack; elements end, with or without an end tag, as in the HTML
standard, except where no text depends on it. No tree is built: a parser that builds one takes ten milliseconds to load,
reads to the end of a page before its first word is known, and takes time quadratic in the depth of nesting. Tests
compare the visible text with that of such a parser.
"""

from collections import defaultdict
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from . import compiled
from .styles import Look, Properties, cascaded, styled
from .tags import NO_TAG, Found, Tag, style_sheets, tags, unescaped

if TYPE_CHECKING:
    from .sheets import Sheet

MOST_TAGS = 100_000  # of a page that are read
MOST_TRIED = 100_000  # style rules tried on elements; then reading the page ends

# Characters without width: they are invisible, and a page may be full of them
WIDTHLESS = dict.fromkeys(
    (
        *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x3164, 0xFEFF, 0xFFA0),
        *(*range(0x180B, 0x1810), *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)),
    )
)


# Positions among the open elements, by `Tag.reach`: none; the innermost element that end tags of outer spans do not
# end; the innermost that only end tags of outer tables and their parts end; the innermost table. 0 if there is none
Bounds = tuple[int, int, int, int]
# An open element: the tag that opened it, the look of its text, the position of the next one around it with the same
# name, or 0, and the bounds within it
Open = tuple[Tag, Look, int, Bounds]
OUTERMOST: Open = (NO_TAG, Look(), 0, (0, 0, 0, 0))


class Page(NamedTuple):
    """The visible text of a page, the hidden text, and the addresses of links, in order."""

    shown: str
    hidden: str
    links: list[str]


def page(html: str, most: int) -> Page:
    """The visible text, hidden text and links of an HTML page; runs of white space become one space.

    most  how many characters are read of the visible text, and as many of the hidden text

    >>> page("<p>V<!-- x -->IA<b></b>GRA</p><p style='display: none'>poem</p><a href='http://example.org'>here", 99)
    Page(shown='VIAGRA here', hidden='poem', links=['http://example.org'])
    """
    found: Iterable[Found] = islice(tags(html), MOST_TAGS)
    rules = None
    if "<style" in html.lower():  # a sheet at the end applies to the whole page too
        from .sheets import sheet  # imported here, as most pages have none

        found = list(found)
        rules = Rules(sheet(style_sheets(found)))
    reader = Reader(rules if rules and rules.sheet else None, most)
    reader.read(found)
    shown, hidden = (" ".join("".join(texts).split())[:most] for texts in (reader.shown, reader.hidden))
    return Page(shown, hidden, reader.links)


class Rules:
    """The style rules of a page, with the elements that they can refer to: those open now, and those before.

    sheet   the rules by their keys
    """

    def __init__(self, sheet: "Sheet") -> None:
        self.sheet = sheet
        self._tried = 0
        self._around: dict[str, int] = defaultdict(int)  # how many open elements have a key
        self._before: set[str] = set()  # and of all elements so far

    @property
    def is_done(self) -> bool:
        """Whether so many were tried that reading the page should end."""
        return self._tried > MOST_TRIED

    def properties(self, tag: Tag) -> Properties:
        """The properties of the element that a tag begins."""
        self._before.update(tag.keys)
        tried = [rule for key in (*tag.keys, "*") for rule in self.sheet.get(key, ())]
        if not tried:
            return tag.own
        self._tried += len(tried)
        own = {*tag.keys, "*"}
        matching = [
            rule
            for rule in tried
            if rule.own <= own and all(map(self._around.__getitem__, rule.around)) and rule.before <= self._before
        ]
        ranked = sorted(matching, key=lambda rule: rule.weight)
        return cascaded(tag.hints, [each for rule in ranked for each in rule.declarations], tag.style)

    def opened(self, tag: Tag) -> None:
        """An element is open from now on."""
        for key in tag.keys:
            self._around[key] += 1

    def closed(self, tag: Tag) -> None:
        """An element has ended."""
        for key in tag.keys:
            self._around[key] -= 1


class PlainReader:
    """The texts read from a page so far, and the elements that are open.

    shown, hidden, links  the texts, in pieces, and the links
    """

    def __init__(self, rules: Rules | None, most: int) -> None:
        self.shown: list[str] = []
        self.hidden: list[str] = []
        self.links: list[str] = []
        self._rules = rules
        self._done = False
        self._room = [most, most]  # how many more characters of visible and of hidden text may be read
        self._open: list[Open] = [OUTERMOST]
        self._places: dict[str, int] = {}  # name -> position of the innermost open element; 0 if there is none

    def read(self, found: Iterable[Found]) -> None:
        """Read tags, each with the text before it and the raw text in it, until enough is read."""
        shown, hidden, links, rules = self.shown, self.hidden, self.links, self._rules
        places, look = self._places, self._open[-1][1]
        for text, tag, to, raw in found:
            if text and not (tag.breaks and text.isspace()):
                self._add(text, look)
            if tag.breaks:
                shown.append(" ")
                if hidden:
                    hidden.append(" ")
            if to:
                links += to
            if tag.closes:
                if (place := places.get(tag.name, 0)) and place >= self._bound(tag):
                    look = self._cut(place)
            elif tag.name:
                if tag.ends and (place := self._ended_unsaid(tag)):
                    look = self._cut(place)
                if rules or not tag.is_void:
                    look = self._start(tag, look, raw)
            if self._done:
                break

    def _add(self, text: str, look: Look) -> None:
        into = self.hidden if look.hides else self.shown
        if text.isspace():
            into.append(" ")
        elif self._room[look.hides] > 0:
            text = unescaped(text) if "&" in text else text
            text = text if text.isascii() else text.translate(WIDTHLESS)
            into.append(text)
            if into is self.shown and self.hidden:
                self.hidden.append(" ")  # hidden text before and after it is not one word
            self._room[look.hides] -= sum(map(len, text.split()))
            if self._room[False] <= 0:
                self._done = True

    def _start(self, tag: Tag, look: Look, raw: str) -> Look:
        """Open an element, unless it is void; return the look of the text that follows."""
        properties = self._rules.properties(tag) if self._rules else tag.own
        own = styled(look, properties) if properties else look
        self._done = self._done or bool(self._rules and self._rules.is_done)
        if tag.is_void:
            return look
        if tag.is_raw:
            if tag.is_shown and raw:
                self._add(raw, own)
            return look
        name = tag.name
        previous = self._places.get(name, 0)
        if own is look and not (tag.strength or previous or self._rules):
            return look  # nothing depends on where it ends, as with most <b>
        place, bounds = len(self._open), self._open[-1][3]
        if tag.strength:
            _, _, wall, table = bounds
            bounds = (0, place, place if tag.strength > 1 else wall, place if tag.strength > 2 else table)
        self._open.append((tag, own, previous, bounds))
        self._places[name] = place
        if self._rules:
            self._rules.opened(tag)
        return own

    def _ended_unsaid(self, tag: Tag) -> int:
        """The position of the outermost element that a start tag implicitly ends; 0 if there is none."""
        inner = [place for name in tag.ends if (place := self._places.get(name, 0))]
        if not inner:
            return 0
        around = self._bound(tag)
        return min([place for place in inner if place > around], default=0)

    def _bound(self, tag: Tag) -> int:
        """The position of the element beyond which a tag cannot reach."""
        around = self._open[-1][3][tag.reach]
        return max(around, *(self._places.get(each, 0) for each in tag.within)) if tag.within else around

    def _cut(self, place: int) -> Look:
        """End all elements from a position on; return the look of the text that follows."""
        while len(self._open) > place:
            tag, _, previous, _ = self._open.pop()
            self._places[tag.name] = previous
            if self._rules:
                self._rules.closed(tag)
        return self._open[-1][1]


Reader = compiled("Reader", PlainReader)
