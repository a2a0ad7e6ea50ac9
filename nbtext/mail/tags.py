"""The tags of an HTML page, one after the other, each by itself.

The rules are those of the HTML standard for tags, attributes, comments, raw text and character references. A tag that
never ends reaches to the end of the page, as in a browser, so that no character is read twice.
"""

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from . import compiled
from .colours import attribute_colour
from .styles import Declaration, Properties, cascaded, declarations

LONGEST_LINK = 2_000  # characters of an address
LONGEST_ID = 100
LONGEST_REMEMBERED = 400  # characters of a cached tag
MOST_CLASSES = 20  # of an element


class Tag(NamedTuple):
    """The facts about a tag by itself, without the addresses of its links: a page has few different tags.

    name     in lower case; "" for a comment, a doctype and the like
    closes   whether it is an end tag
    breaks   whether a word ends here
    reach    which of the bounds in `pages.Open` limits the elements that it can end
    ends     the names of the elements that a start tag implicitly ends
    within   the names of elements around it beyond which it ends none
    strength 1 if no end tag of a span reaches beyond it, 2 if most do not, 3 if only those of tables do
    is_raw   whether the text up to the end tag is not markup
    is_shown whether this text is visible nevertheless
    is_void  whether the element is always empty
    own      the properties from hints and style together, used if no rule applies
    keys     for style rules: its name, its classes after a dot and its id after a #
    hints    declarations from its name and its attributes, which rank below all others
    style    declarations of its style attribute
    media    the media that a <style> is for
    """

    name: str
    closes: bool
    breaks: bool
    reach: int
    ends: tuple[str, ...]
    within: Collection[str]
    strength: int
    is_raw: bool
    is_shown: bool
    is_void: bool
    own: Properties
    keys: tuple[str, ...]
    hints: tuple[Declaration, ...]
    style: tuple[Declaration, ...]
    media: str


# It begins with a character, not with a lookbehind, so that a search jumps from one to the next
MARKUP = re.compile(
    r"""<(?: !--(?:-?>|.*?(?:--!?>|\Z))
      | /?[A-Za-z][^\s/>]*+(?:[^>=]++|=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\s>]*+))*+(?:>|\Z)
      | [!?/][^>]*(?:>|\Z))""",
    re.DOTALL | re.VERBOSE,
)
NAME = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
ATTRIBUTE = re.compile(r"""([^\s/>=][^\s/>=]*+)(?:\s*+=\s*+(?:"([^"]*+)"?|'([^']*+)'?|([^\s>]*+)))?""")
REFERENCE = r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[A-Za-z][A-Za-z0-9]{1,31};?)"
IN_ATTRIBUTE = r"&(?:#(?:[xX][0-9a-fA-F]+|[0-9]+);?|[A-Za-z][A-Za-z0-9]{0,31}(?:;|(?![A-Za-z0-9=])))"
COMMON = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&nbsp;": "\xa0", "&copy;": "©"}
LARGEST = 0x10FFFF  # number of a character


def _words(written: str) -> frozenset[str]:
    return frozenset(written.split())


RAW = _words("script style title textarea xmp iframe noembed noframes plaintext")  # their content is not markup
SHOWN_RAW = _words("title textarea xmp plaintext")
UNSHOWN = _words("template audio video canvas datalist")  # their text is invisible, though it is markup
VOID = _words("area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr")
TABLES = _words("table template")
WALLS = TABLES | _words("td th caption button object marquee applet")
FORMATTING = _words("a b big code em font i nobr s small strike strong tt u")  # their end tags work across blocks
BLOCKS = _words(
    """address article aside blockquote body br button caption center col colgroup dd details dialog dir div dl dt
    fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input
    legend li link listing main marquee menu meta nav noembed noframes noscript object ol optgroup option p plaintext
    pre script section select style summary table tbody td template textarea tfoot th thead title tr ul xmp"""
)
ENDING_P = _words(
    """address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1
    h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre section summary table ul xmp"""
)
CELLS = ("td", "th", "caption")
ROWS = (*CELLS, "tr")
GROUPS = (*ROWS, "tbody", "thead", "tfoot")
ENDED = {
    **dict.fromkeys(("td", "th"), CELLS),
    "tr": ROWS,
    **dict.fromkeys(("tbody", "thead", "tfoot", "caption"), GROUPS),
    "li": ("li",),
    **dict.fromkeys(("dd", "dt"), ("dd", "dt")),
    "option": ("option",),
    "a": ("a",),
}
ITEMS = _words("li dd dt")
LISTS = _words("ul ol")  # an end tag of <li> does not reach beyond them
AROUND_ITEMS = BLOCKS - ITEMS - {"address", "div", "p"}  # no start tag of an item ends one that is outside these
NEVER_ENDED = _words("html body")  # text after their end tags still belongs to them

LINKS = ("href", "src", "action", "background")
LINK_COLOUR = "#0000ee"
GROUND = (("bgcolor", "background-color"),)
COLOURED = {  # attributes that give an element colours, and the properties that they set
    **dict.fromkeys((*GROUPS, "table", "marquee"), GROUND),
    **dict.fromkeys(("font", "basefont"), (("color", "color"),)),
    "body": (("text", "color"), *GROUND),
}

SPEAKING = {"class", "id", "style", "hidden", "color", "text", "bgcolor", "open", "media", *LINKS}  # of attributes

# The bounds for end tags of tables (none), of spans, of most elements, of cells; see `pages.Open`
NOTHING, BLOCK, WALL, TABLE = range(4)


Links = tuple[str, ...]  # the addresses that a tag links to
Found = tuple[str, Tag, Links, str]  # the text before a tag, the tag, its links, and the raw text in it


def plain_tags(html: str) -> Iterator[Found]:
    """The tags of a page, each with the text before it and the raw text in it; at the end one without a name.

    >>> [(text, tag.name, raw) for text, tag, _, raw in plain_tags("a<P>b<!-- c --><style>d</style>")]
    [('a', 'p', ''), ('b', '', ''), ('', 'style', 'd'), ('', 'style', ''), ('', '', '')]
    """
    at, goes_on = 0, True
    while goes_on:
        goes_on = False
        for found in MARKUP.finditer(html, at):
            start, end = found.span()
            written = found[0]
            tag, links = tag_of(written) if end - start <= LONGEST_REMEMBERED else tag_of.__wrapped__(written)
            if not tag.is_raw:
                yield html[at:start], tag, links, ""
                at = end
                continue
            stop = raw_end(html, end, tag.name)
            yield html[at:start], tag, links, html[end:stop]
            at, goes_on = stop, True
            break
    yield html[at:], NO_TAG, (), ""


tags = compiled("Tags", plain_tags)


def style_sheets(found: Iterable[Found]) -> Iterator[str]:
    """The style sheets among the tags of a page."""
    for _, tag, _, raw in found:
        if raw and tag.name == "style":
            yield f"@media {tag.media} {{{raw}}}" if tag.media else raw


def unescaped(text: str) -> str:
    """A text with its character references replaced.

    >>> unescaped("V&#00073;agra &amp; more &nosuch;")
    'VIagra & more &nosuch;'
    """
    text = text.replace("&nbsp;", "\xa0")  # as most are
    return re.sub(REFERENCE, _character, text) if "&" in text else text


def _character(found: re.Match[str]) -> str:
    """The text of a character reference; the reference itself if it is unknown."""
    written = found[0]
    if written in COMMON:
        return COMMON[written]
    if written[1] == "#":
        digits = written[2:].rstrip(";").lower()
        digits, base = (digits[1:], 16) if digits[0] == "x" else (digits, 10)
        digits = digits.lstrip("0")
        number = int(digits or "0", base) if len(digits) < 8 else LARGEST + 1
        if 32 <= number < 127 or 160 <= number < 0xD800:
            return chr(number)
        written = f"&#{min(number, LARGEST + 1)};"
    from html import unescape  # its table of names takes longer to load than reading most pages takes

    return unescape(written)


def raw_end(html: str, start: int, name: str) -> int:
    """Where the raw text of an element ends."""
    end = None if name == "plaintext" else re.compile(rf"(?i)</{name}(?=[\s/>])").search(html, start)
    return end.start() if end else len(html)


@lru_cache(maxsize=2048)  # a page repeats the same tags
def tag_of(written: str) -> tuple[Tag, Links]:
    """A tag from its text, and its links."""
    name, closes, attributes = pieces(written, SPEAKING, unescaped_attribute)
    if not attributes:
        return _bare(name, closes), ()
    is_link = name == "a" and "href" in attributes
    links = tuple([link[:LONGEST_LINK] for each in LINKS if (link := attributes.pop(each, ""))])
    if is_link:
        attributes["href"] = ""  # the look depends on whether there is a link
    if not attributes:
        return _bare(name, False), links
    speaking = _speaking if len(written) <= LONGEST_REMEMBERED else _speaking.__wrapped__
    return speaking(name, tuple(attributes.items())), links


@lru_cache(maxsize=512)
def _bare(name: str, closes: bool) -> Tag:
    """A tag without attributes."""
    return _tag(name, {}, closes=closes)


@lru_cache(maxsize=1024)
def _speaking(name: str, said: tuple[tuple[str, str], ...]) -> Tag:
    """A start tag with attributes."""
    return _tag(name, dict(said), closes=False)


def _tag(name: str, attributes: Mapping[str, str], *, closes: bool) -> Tag:
    """The start tag of an element with these of its attributes, or its end tag."""
    around = (LISTS if name == "li" else ()) if closes else AROUND_ITEMS
    hints = tuple(_hints(name, attributes))
    style = declarations(attributes["style"]) if "style" in attributes else ()
    return Tag(
        name="" if closes and name in NEVER_ENDED else name,
        closes=closes,
        breaks=name in BLOCKS,
        reach=_reach(name) if closes else TABLE if name in GROUPS else WALL,
        ends=(("p",) if name in ENDING_P else ()) + ENDED.get(name, ()),
        within=around if name in ITEMS else (),
        strength=(name in BLOCKS) + (name in WALLS) + (name in TABLES),
        is_raw=name in RAW and not closes,
        is_shown=name in SHOWN_RAW,
        is_void=name in VOID,
        own=cascaded(hints, style),
        keys=(name, *_keys(attributes)),
        hints=hints,
        style=style,
        media=attributes.get("media", ""),
    )


def _reach(name: str) -> int:
    if name in TABLES:
        return NOTHING
    if name in GROUPS:
        return TABLE
    return WALL if name in BLOCKS or name in FORMATTING else BLOCK


def plain_pieces(
    written: str, speaking: Container[str], unescaped: Callable[[str], str]
) -> tuple[str, bool, dict[str, str]]:
    """The name of a tag, whether it is an end tag, and its attributes of certain names; no name for other markup.

    Names are in lower case. If several attributes have the same name, the first counts.

    >>> plain_pieces("<A HREF='http://example.org' target=_top>", {"href"}, str)
    ('a', False, {'href': 'http://example.org'})
    """
    found = NAME.match(written)
    if not found:
        return "", False, {}
    slash, name = found.groups()
    attributes: dict[str, str] = {}
    rest = "" if slash else written[found.end() : -1 if written.endswith(">") else None]
    for spelt, double, single, bare in ATTRIBUTE.findall(rest):
        attribute = spelt.lower()
        if attribute in speaking and attribute not in attributes:
            attributes[attribute] = unescaped(double or single or bare)
    return name.lower(), bool(slash), attributes


pieces = compiled("pieces", plain_pieces)


def unescaped_attribute(value: str) -> str:
    """The value of an attribute with its character references replaced, by the stricter rules for attributes."""
    return re.sub(IN_ATTRIBUTE, _character, value) if "&" in value else value


def _keys(attributes: Mapping[str, str]) -> Iterator[str]:
    """The keys for style rules beside the element's name."""
    yield from {"." + each: None for each in attributes.get("class", "").lower().split()[:MOST_CLASSES]}
    if attributes.get("id"):
        yield "#" + attributes["id"].lower()[:LONGEST_ID]


def _hints(name: str, attributes: Mapping[str, str]) -> Iterator[Declaration]:
    if "hidden" in attributes or name in UNSHOWN or (name == "dialog" and "open" not in attributes):
        yield "display", "none", False
    if name == "a" and "href" in attributes:
        yield "color", LINK_COLOUR, False
    for attribute, property_ in COLOURED.get(name, ()):
        if colour := attribute_colour(attributes.get(attribute, "")):
            yield property_, "rgb({:.0f},{:.0f},{:.0f})".format(*colour[:3]), False


NO_TAG = _tag("", {}, closes=False)
