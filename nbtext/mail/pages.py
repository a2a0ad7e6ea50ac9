"""What a page of HTML shows, what it keeps from the eye, and where it links to.

The tree is selectolax's (lexbor). Building it takes time quadratic in depth, in the attributes of an element, and in
the formatting left open (20,000 <div> in one another: 0.5 s; 160,000: half a minute). So formatting is taken out
first, and a page is read in slices short enough for the square not to matter. A word that formatting or a comment
cuts in two comes together again on the way.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

Page = tuple[str, str, list[str]]  # the text that is shown, the text that is not, the addresses linked to, in order
Look = tuple[bool, str, str]  # whether text in an element is kept from the eye, its ink and its ground
Open = tuple[int, bool, Look, list[str]]  # an element's identity, whether it ends a word, its look, where its text goes

SLICE = 1 << 14  # characters; the worst page made up so far, all <div>, takes 20 ms a slice
# Names that begin alike are written together: it searches in a sixth less time
NOISE = re.compile(
    r"""<!--.*?(?:-->|\Z)
      | <(script|style)\b.*?(?:</\1[^>]*(?:>|\Z)|\Z)
      | </?(?:b(?:ig)?|code|em|i|nobr|s(?:mall|tr(?:ike|ong))?|tt|u)(?:[\s/][^>]*)?(?:>|\Z)""",
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
# Formatting that can hide is made a span, which can too; a cell is made a block, for alone in its slice it is text.
# It begins with a character, not with a look behind: a search runs from one to the next, ten times as fast.
RENAMED = re.compile(r"(</?)(font|table|t[hrd]|caption)\b", re.IGNORECASE)
WITHIN_WORDS = {"a", "abbr", "acronym", "cite", "del", "dfn", "ins", "label", "mark", "q", "span", "sub", "sup", "wbr"}
PLAIN = (False, "black", "white")
STATED = ("style", "color", "text", "bgcolor")  # what `_stated` takes, in its order
LOOKS = {*STATED, "hidden"}
LINKS = ("href", "src", "action", "background")
LINKING = set(LINKS)

# Compiled by `re` when they are first used: many pages are without style
UNSEEN = r"display:none|visibility:hidden|font-size:1p[xt]|(?:font-size|opacity):0(?![.\d]*[1-9])"
COLOUR = r"(?:^|;)(background-color|background|color):(#?\w+)"
NAMED = {"fff": "white", "ffffff": "white", "000": "black", "000000": "black"}


def page(html: str) -> Page:
    """What an HTML text shows, hides and links to.

    >>> page("<p>V<!-- x -->IA<b></b>GRA</p><p style='display: none'>poem</p><a href='http://example.org'>here")
    ('     VIAGRA   here', 'poem', ['http://example.org'])
    """
    from selectolax.lexbor import LexborHTMLParser  # a message without HTML need not wait for it

    shown: list[str] = []
    hidden: list[str] = []
    links: list[str] = []
    for piece in _slices(_renamed(NOISE.sub("", html))):
        root = LexborHTMLParser(piece).root
        around: list[Open] = []  # the open elements, outermost first, but for the innermost, which is in these four:
        inside, apart, look, into = 0, False, PLAIN, shown
        for node in root.traverse(include_text=True) if root else ():
            parent = node.parent  # made anew each time it is asked for
            above = parent.mem_id if parent else 0
            while around and inside != above:
                if apart:
                    shown.append(" ")
                inside, apart, look, into = around.pop()
            if node.is_text_node:
                into.append(node.text_content or "")
            elif node.is_element_node:
                around.append((inside, apart, look, into))
                inside, apart, attributes = node.mem_id, node.tag not in WITHIN_WORDS, node.attributes
                if not LOOKS.isdisjoint(attributes):
                    unseen, ink, ground = look = _look(look, attributes)
                    into = hidden if unseen or ink == ground else shown
                if not LINKING.isdisjoint(attributes):
                    links += filter(None, map(attributes.get, LINKS))
                if apart:
                    shown.append(" ")
    return "".join(shown), "".join(hidden), links


def _renamed(html: str) -> str:
    """A text whose <font> are spans, and whose parts of tables are blocks; see RENAMED."""
    pieces = RENAMED.split(html)
    pieces[2::3] = ["span" if name.lower() == "font" else "div" for name in pieces[2::3]]
    return "".join(pieces)


def _slices(html: str) -> Iterator[str]:
    """A text in pieces of at most SLICE characters, cut before a tag or at a space if there is one."""
    start = 0
    while start < len(html):
        end = start + SLICE
        if end < len(html):
            cuts = (html.rfind(mark, start + 1, end) for mark in "< ")
            end = next((cut for cut in cuts if cut > 0), end)
        yield html[start:end]
        start = end


def _look(outer: Look, attributes: Mapping[str, str | None]) -> Look:
    """The look of an element, from that of the element around it, which it inherits, and its own attributes."""
    unseen, ink, ground = outer
    hides, own_ink, own_ground = _stated(*map(attributes.get, STATED))
    return unseen or hides or "hidden" in attributes, own_ink or ink, own_ground or ground


@lru_cache(maxsize=256)  # a page says the same again and again; each at most a slice
def _stated(style: str | None, color: str | None, text: str | None, bgcolor: str | None) -> Look:
    """Whether attributes hide an element, and its ink and ground, if they state them."""
    unseen, ink, ground = False, color or text or "", bgcolor or ""
    if style:
        style = "".join(style.lower().split())
        own = dict(re.findall(COLOUR, style))
        ink = own.get("color") or ink
        ground = own.get("background-color") or own.get("background") or ground
        unseen = bool(re.search(UNSEEN, style))
    return unseen, _colour(ink), _colour(ground)


def _colour(written: str) -> str:
    """One name for a colour however it is written."""
    digits = written.lower().removeprefix("#")
    return NAMED.get(digits, digits)
