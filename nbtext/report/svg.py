"""Drawings as SVG, in a page or as a file.

Colours are CSS variables, with the light palette if a page sets none. Text remains text, in the page's own font.
"""

import re
from html import escape

# Each colour has a role, for which a page can set another colour in the dark. They are based on the colour-blind safe
# set of Okabe and Ito, darkened until thin lines are clear on white.
PAPER, INK, MUTED, LINE = "#ffffff", "#1b2430", "#596575", "#dbe0e7"
SERIES = ("#0068ad", "#c94f00", "#007d5c", "#a8478a", "#8a6500")
ROLES = {PAPER: "paper", INK: "ink", MUTED: "muted", LINE: "line"} | {c: f"series-{i}" for i, c in enumerate(SERIES, 1)}
DARK_COLOURS = ("#12161c", "#e8ebf0", "#a2adbb", "#343c48", "#5db3f5", "#ff9a5c", "#3fcf9f", "#eb9bd0", "#e2bb4a")
DARK = dict(zip(ROLES.values(), DARK_COLOURS, strict=True))


def inline(data: bytes, title: str) -> str:
    """An SVG as part of an HTML page: colours as variables, the page's font, no width, no names that might conflict."""
    svg = data.decode()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r' width="[^"]*" height="[^"]*"', f' role="img" aria-label="{escape(title)}"', svg, count=1)
    used = set(re.findall(r'(?:xlink:href="#|url\(#)([^")]+)', svg))
    svg = re.sub(r' id="([^"]*)"', lambda found: found[0] if found[1] in used else "", svg)
    svg = re.sub(r"font-family: [^;\"]*;?", "", svg)
    svg = re.sub(r"font: ([\d.]+px) [^;\"]*", r"font-size: \1", svg)
    svg = svg.replace('<style type="text/css">*{stroke-linejoin: round; stroke-linecap: butt}</style>', "")
    return re.sub(r"#[0-9a-f]{6}", lambda found: _variable(found[0]), svg).strip()


def _variable(colour: str) -> str:
    return f"var(--{ROLES[colour]}, {colour})" if colour in ROLES else colour


def standalone(data: bytes, title: str) -> bytes:
    """An SVG as a separate file, which follows the reader's choice of light or dark."""
    dark = "".join(f"--{role}:{colour};" for role, colour in DARK.items())
    style = f"<style>svg{{font-family:system-ui,sans-serif}}@media (prefers-color-scheme:dark){{svg{{{dark}}}}}</style>"
    head, bracket, rest = inline(data, title).partition(">")
    return f"{head}{bracket}{style}{rest}\n".encode()
