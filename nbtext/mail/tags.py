"""The tags of a page of HTML, one after the other, and what each says by itself.

The rules are those of the HTML standard for tags, attributes, comments, raw text and character references. A tag that
never ends goes on to the end of the page, as in a browser, so that no place is looked at twice.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from .colours import attribute_colour
from .styles import Declaration, Properties, cascaded, declarations

LONGEST_LINK = 2_000  # characters of an address
LONGEST_ID = 100
LONGEST_REMEMBERED = 400  # characters of a tag
MOST_CLASSES = 20  # of an element


class Tag(NamedTuple):
    """What a tag says by itself.

    name     in lower case; "" for a comment, a doctype and the like
    closes   whether it is an end tag
    breaks   whether a word ends here
    reach    which part of Open bounds where what it ends may be
    ends     the names of what a start tag ends without saying so
    strength 1 if no end tag of a span reaches beyond it, 2 if most do not, 3 if only those of tables do; see Open
    is_raw   whether what follows up to the end tag is no markup
    is_void  whether it is an element with nothing in it
    keys     for style rules: its name, its classes after a point and its id after a #
    links    the addresses it links to
    hints    what it declares by its kind and its attributes, where style says nothing else
    style    what its style attribute declares
    own      hints and style together, as far as no rule says more
    media    for which media a <style> is
    """

    name: str
    closes: bool = False
    breaks: bool = False
    reach: int = 0
    ends: tuple[str, ...] = ()
    strength: int = 0
    is_raw: bool = False
    is_void: bool = False
    keys: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    hints: tuple[Declaration, ...] = ()
    style: tuple[Declaration, ...] = ()
    own: Properties = ()
    media: str = ""


# It begins with a character, not with a look behind: a search runs from one to the next
MARKUP = re.compile(
    r"""<(?: !--(?:-?>|.*?(?:--!?>|\Z))
      | /?[a-z][^\s/>]*+(?:[^>=]++|=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\s>]*+))*+(?:>|\Z)
      | [!?/][^>]*(?:>|\Z))""",
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
NAME = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
ATTRIBUTE = re.compile(r"""([^\s/>=][^\s/>=]*+)(?:\s*+=\s*+(?:"([^"]*+)"?|'([^']*+)'?|([^\s>]*+)))?""")
REFERENCE = r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[A-Za-z][A-Za-z0-9]{1,31};?)"
IN_ATTRIBUTE = r"&(?:#(?:[xX][0-9a-fA-F]+|[0-9]+);?|[A-Za-z][A-Za-z0-9]{0,31}(?:;|(?![A-Za-z0-9=])))"
COMMON = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&nbsp;": "\xa0", "&copy;": "©"}
LARGEST = 0x10FFFF  # number of a character


def _words(written: str) -> frozenset[str]:
    return frozenset(written.split())


RAW = _words("script style title textarea xmp iframe noembed noframes plaintext")  # what is in them is no markup
SHOWN_RAW = _words("title textarea xmp plaintext")
UNSHOWN = _words("template audio video canvas datalist")  # nobody sees their text, though it is markup
VOID = _words("area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr")
TABLES = _words("table template")
WALLS = TABLES | _words("td th caption button object marquee applet")
FORMATTING = _words("a b big code em font i nobr s small strike strong tt u")  # it ends across blocks
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
NEVER_ENDED = _words("html body")  # text after their end tags is in them all the same

LINKS = ("href", "src", "action", "background")
LINK_COLOUR = "#0000ee"
GROUND = (("bgcolor", "background-color"),)
COLOURED = {  # the attributes that give an element colours, and the properties that they stand for
    **dict.fromkeys((*GROUPS, "table", "marquee"), GROUND),
    **dict.fromkeys(("font", "basefont"), (("color", "color"),)),
    "body": (("text", "color"), *GROUND),
}

SPEAKING = {"class", "id", "style", "hidden", "color", "text", "bgcolor", "open", "media"}  # what is not a link

# Parts of Open, see `pages`: what bounds a table's end tag, which is nothing, a span's, most elements', a cell's
NOTHING, BLOCK, WALL, TABLE = range(4)


Found = tuple[str, Tag, str]  # the text before a tag, the tag, and the raw text in it


def tags(html: str) -> Iterator[Found]:
    """The tags of a page, each with the text before it and the raw text in it; at the end one without a name.

    >>> [(text, tag.name, raw) for text, tag, raw in tags("a<P>b<!-- c --><style>d</style>")]
    [('a', 'p', ''), ('b', '', ''), ('', 'style', 'd'), ('', 'style', ''), ('', '', '')]
    """
    at, goes_on = 0, True
    while goes_on:
        goes_on = False
        for found in MARKUP.finditer(html, at):
            start, end = found.span()
            written = found[0]
            tag = _remembered(written) if end - start <= LONGEST_REMEMBERED else _tag(written)
            if not tag.is_raw:
                yield html[at:start], tag, ""
                at = end
                continue
            stop = _raw_end(html, end, tag.name)
            yield html[at:start], tag, html[end:stop]
            at, goes_on = stop, True
            break
    yield html[at:], NO_TAG, ""


def style_sheets(found: Iterable[Found]) -> Iterator[str]:
    """The style sheets among the tags of a page."""
    for _, tag, raw in found:
        if raw and tag.name == "style":
            yield f"@media {tag.media} {{{raw}}}" if tag.media else raw


def unescaped(text: str) -> str:
    """A text with its character references replaced.

    >>> unescaped("V&#00073;agra &amp; more &nosuch;")
    'VIagra & more &nosuch;'
    """
    return re.sub(REFERENCE, _character, text)


def _character(found: re.Match[str]) -> str:
    """What a character reference stands for; itself, if that is nothing."""
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
    from html import unescape  # its table of names takes longer to load than most pages to read

    return unescape(written)


def _raw_end(html: str, start: int, name: str) -> int:
    """Where the raw text of an element ends."""
    end = None if name == "plaintext" else re.compile(rf"(?i)</{name}(?=[\s/>])").search(html, start)
    return end.start() if end else len(html)


def _tag(written: str) -> Tag:
    """A tag from how it is written."""
    found = NAME.match(written)
    if not found:
        return NO_TAG
    slash, name = found.groups()
    tag = _bare(slash, name.lower())
    rest = written[found.end() : -1 if written.endswith(">") else None]
    if slash or not rest or rest.isspace():
        return tag
    attributes = _attributes(rest)
    links = tuple([attributes[link][:LONGEST_LINK] for link in LINKS if attributes.get(link)])
    name, _, breaks, reach, ends, strength, is_raw, is_void, keys, _, hints, style, own, media = tag
    if name == "a" or not SPEAKING.isdisjoint(attributes):
        hints = tuple(_hints(name, attributes))
        style = declarations(attributes["style"]) if "style" in attributes else ()
        own = cascaded(hints, style)
        keys = (name, *_keys(attributes))
        media = attributes.get("media", "")
    return Tag(name, False, breaks, reach, ends, strength, is_raw, is_void, keys, links, hints, style, own, media)


@lru_cache(maxsize=512)
def _bare(slash: str, name: str) -> Tag:
    """A tag without attributes."""
    if slash:
        return Tag(name if name not in NEVER_ENDED else "", closes=True, breaks=name in BLOCKS, reach=_reach(name))
    hints = tuple(_hints(name, {}))
    return Tag(
        name,
        breaks=name in BLOCKS,
        reach=TABLE if name in GROUPS else WALL,
        ends=(("p",) if name in ENDING_P else ()) + ENDED.get(name, ()),
        strength=(name in BLOCKS) + (name in WALLS) + (name in TABLES),
        is_raw=name in RAW,
        is_void=name in VOID,
        keys=(name,),
        hints=hints,
        own=cascaded(hints),
    )


NO_TAG = Tag("")
_remembered = lru_cache(maxsize=2048)(_tag)  # a page writes the same again and again


def _reach(name: str) -> int:
    if name in TABLES:
        return NOTHING
    if name in GROUPS:
        return TABLE
    return WALL if name in BLOCKS or name in FORMATTING else BLOCK


def _attributes(written: str) -> dict[str, str]:
    """Attributes by their names in lower case; of several with one name the first counts."""
    attributes: dict[str, str] = {}
    for name, double, single, bare in ATTRIBUTE.findall(written):
        value = double or single or bare
        if "&" in value:
            value = re.sub(IN_ATTRIBUTE, _character, value)
        attributes.setdefault(name.lower(), value)
    return attributes


def _keys(attributes: dict[str, str]) -> Iterator[str]:
    """What style rules find an element by, beside its name."""
    yield from {"." + each: None for each in attributes.get("class", "").lower().split()[:MOST_CLASSES]}
    if attributes.get("id"):
        yield "#" + attributes["id"].lower()[:LONGEST_ID]


def _hints(name: str, attributes: dict[str, str]) -> Iterator[Declaration]:
    if "hidden" in attributes or name in UNSHOWN or (name == "dialog" and "open" not in attributes):
        yield "display", "none", False
    if name == "a" and "href" in attributes:
        yield "color", LINK_COLOUR, False
    for attribute, property_ in COLOURED.get(name, ()):
        if colour := attribute_colour(attributes.get(attribute, "")):
            yield property_, "rgb({:.0f},{:.0f},{:.0f})".format(*colour[:3]), False
