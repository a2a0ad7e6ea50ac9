"""What a page of HTML shows, what it keeps from the eye, and where it links to, as far down as it is read.

A page is read tag by tag with the open elements on a stack; elements end, said or unsaid, as in the HTML standard but
for what no text depends on. No tree is built: a parser that builds one takes ten milliseconds to load, reads to the end
of a page before its first word is known, and in time quadratic in what is nested. Tests compare the text shown with
that of such a parser.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from .styles import Look, Rule, Sheet, cascaded, sheet, styled
from .tags import BLOCKS, NEVER_ENDED, RAW, SHOWN_RAW, TABLES, VOID, WALLS, Tag, style_sheets, tags, unescaped

MOST_STEPS = 100_000  # tags read, and rules tried on them: a page that takes more ends there
LISTS = ("ul", "ol", "dl", "menu", "dir")
IN_LIST = {"li", "dd", "dt"}

# Characters without width: none is seen, and a page may be full of them
WIDTHLESS = dict.fromkeys(
    (
        *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x3164, 0xFEFF, 0xFFA0),
        *(*range(0x180B, 0x1810), *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)),
    )
)

# An open element: its keys, the look of its text, 0, and where among the open elements the innermost is, itself or
# around it, that no end tag of a span around it ends; that only end tags of tables and their parts do; that is a table.
# 0 if there is none. Numbered in `tags`: NOWHERE, BLOCK, WALL, TABLE
Open = tuple[tuple[str, ...], Look, int, int, int, int]


class Page(NamedTuple):
    """The text of a page that is shown, the text that is not, and the addresses linked to, in order."""

    shown: str
    hidden: str
    links: list[str]


def page(html: str, most: int) -> Page:
    """What an HTML text shows, hides and links to, white space in it drawn together.

    most  how many characters are read of what is shown, and as many of what is hidden

    >>> page("<p>V<!-- x -->IA<b></b>GRA</p><p style='display: none'>poem</p><a href='http://example.org'>here", 99)
    Page(shown='VIAGRA here', hidden='poem', links=['http://example.org'])
    """
    reader = _Reader(sheet(style_sheets(html, MOST_STEPS)) if "<style" in html.lower() else {}, most)
    for text, tag, raw in tags(html):
        reader.read(text, tag, raw)
        if reader.steps <= 0:
            break
    shown, hidden = (" ".join("".join(texts).split())[:most] for texts in (reader.shown, reader.hidden))
    return Page(shown, hidden, reader.links)


class _Reader:
    """What was read of a page so far, and what is open at that place.

    shown, hidden, links  what was read, the texts in pieces
    steps                 how many more are to be taken
    """

    def __init__(self, rules: Sheet, most: int) -> None:
        self.shown: list[str] = []
        self.hidden: list[str] = []
        self.links: list[str] = []
        self.steps = MOST_STEPS
        self._rules = rules
        self._room = [most, most]  # for how many more characters, of what is shown and what is hidden
        self._open: list[Open] = [((), Look(), 0, 0, 0, 0)]
        self._places: defaultdict[str, list[int]] = defaultdict(list)  # by key, where such elements are in `_open`
        self._seen: set[str] = set()  # keys of all elements so far

    def read(self, text: str, tag: Tag, raw: str) -> None:
        """Take in a tag, the text before it and the raw text in it."""
        self.steps -= 1
        if text:
            self._add(text, self._open[-1][1])
        if tag.breaks:
            _break(self.shown)
            _break(self.hidden)
        if tag.closes:
            self._end(tag)
        elif tag.name:
            self._start(tag, raw)

    def _add(self, text: str, look: Look) -> None:
        into = self.hidden if look.hides else self.shown
        if text.isspace():
            _break(into)
        elif self._room[look.hides] > 0:
            text = unescaped(text) if "&" in text else text
            text = text if text.isascii() else text.translate(WIDTHLESS)
            into.append(text)
            self._room[look.hides] -= sum(map(len, text.split()))
            if self._room[False] <= 0:
                self.steps = 0

    def _start(self, tag: Tag, raw: str) -> None:
        if tag.ends:
            self._end_unsaid(tag)
        if tag.links:
            self.links += tag.links
        look = self._open[-1][1]
        if tag.hints or tag.style or self._rules:
            look = styled(look, cascaded(tag.hints, self._matching(tag.keys), tag.style))
        name = tag.name
        if name in RAW:
            if name in SHOWN_RAW:
                self._add(raw, look)
        elif name not in VOID:
            self._push(tag, look)

    def _push(self, tag: Tag, look: Look) -> None:
        place = len(self._open)
        _, _, nowhere, block, wall, table = self._open[-1]
        if tag.name in BLOCKS:
            block = place
            if tag.name in WALLS:
                wall = place
                if tag.name in TABLES:
                    table = place
        self._open.append((tag.keys, look, nowhere, block, wall, table))
        for key in tag.keys:
            self._places[key].append(place)

    def _end(self, tag: Tag) -> None:
        """End the element that an end tag is for, and all within, if it can reach one."""
        places = self._places[tag.name]
        if places and places[-1] >= self._open[-1][tag.reach] and tag.name not in NEVER_ENDED:  # type: ignore[operator]
            self._cut(places[-1])

    def _end_unsaid(self, tag: Tag) -> None:
        """End what a start tag ends without saying so, as far as the next wall, and in a list the next list around."""
        around: int = self._open[-1][tag.reach]  # type: ignore[assignment]
        if tag.name in IN_LIST:
            around = max(around, *(self._places[each][-1] for each in LISTS if self._places[each]), 0)
        inner = [self._places[each][-1] for each in tag.ends if self._places[each]]
        places = [place for place in inner if place > around]
        if places:
            self._cut(min(places))

    def _cut(self, place: int) -> None:
        """End all elements from a place on."""
        while len(self._open) > place:
            for key in self._open.pop()[0]:
                self._places[key].pop()

    def _matching(self, keys: tuple[str, ...]) -> Iterator[Rule]:
        """The style rules about an element with these keys in what is open."""
        if not self._rules:
            return
        self._seen.update(keys)
        own = {*keys, "*"}
        for key in own:
            for rule in self._rules.get(key, ()):
                self.steps -= 1
                if rule.own <= own and all(map(self._places.get, rule.around)) and rule.before <= self._seen:
                    yield rule


def _break(texts: list[str]) -> None:
    """End a word, if there is one."""
    if texts and texts[-1] != " ":
        texts.append(" ")
