"""A headless browser, if there is one: what it says on its console, and whether pages fit a phone."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from html import escape, unescape
from pathlib import Path
from typing import NamedTuple

from .shell import ROOT

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
OPTIONS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--enable-logging=stderr", "--v=0", "--hide-scrollbars", "--dump-dom"),
]


class Seen(NamedTuple):
    """What a browser made of pages.

    console  the lines on its console
    widths   of each page in each window, in pixels, scrolled content included
    """

    console: list[str]
    widths: list[int]


def browser() -> str | None:
    """The path of a browser, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


AXE = Path(os.environ.get("NBTEXT_AXE") or ROOT / "build/axe/node_modules/axe-core/axe.min.js")  # `make axe`


def barriers(program: str, pages: Sequence[str], widths: Sequence[int], folder: Path, *, dark: bool) -> list[str]:
    """What an accessibility checker finds wrong with pages in windows of each width: a line for each rule and place."""
    shown = [(number, width) for number in range(len(pages)) for width in widths]
    frame = folder / "frame.html"
    frame.write_text(
        '<!DOCTYPE html><meta charset="utf-8">'
        + "".join(
            f"<p></p>{_frame(_checked(pages[number], at), shown[at][1])}" for at, (number, _) in enumerate(shown)
        ),
        encoding="utf-8",
    )
    options = [*OPTIONS, "--virtual-time-budget=30000", *(["--force-dark-mode"] if dark else [])]
    command = [program, *options, f"--user-data-dir={folder / 'profile'}", frame.as_uri()]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=100)
    found = re.findall(r"<p>found (.*?)</p>", ran.stdout, re.DOTALL)
    assert len(found) == len(shown), f"the checker said nothing: {ran.stderr}"
    return [
        f"page {number}, {width} pixels, {line}"
        for (number, width), lines in zip(shown, found, strict=True)
        for line in json.loads(unescape(lines))
    ]


def _checked(page: str, at: int) -> str:
    """A page that checks itself, and puts what is found into the paragraph of that number around it."""
    check = """axe.run({resultTypes: ["violations"]}).then(found => {
      const lines = found.violations.flatMap(rule => rule.nodes.map(node => rule.id + ": " + node.html.slice(0, 200)));
      parent.document.querySelectorAll("p")[%d].textContent = "found " + JSON.stringify(lines);
    });"""
    page = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)  # which forbids the checker
    return page.replace("</body>", f"<script>{AXE.read_text()}</script><script>{check % at}</script></body>")


def _frame(page: str, width: int) -> str:
    """A window of that width. It is a frame, for a browser's own window cannot be so narrow."""
    return f"""<iframe style="width: {width}px; height: 800px; border: 0" srcdoc="{escape(page)}"></iframe>"""


def seen(program: str, pages: Sequence[str], widths: Sequence[int], folder: Path) -> Seen:
    """Pages as windows of each width show them."""
    frame = folder / "frame.html"
    frame.write_text(
        f"""<!DOCTYPE html><meta charset="utf-8">{"".join(_frame(page, width) for page in pages for width in widths)}
        <p></p><script>
        onload = () => {{
          const inside = [...document.querySelectorAll("iframe")].map(frame => frame.contentDocument);
          const widths = inside.map(page => Math.max(page.documentElement.scrollWidth, page.body.scrollWidth));
          document.querySelector("p").textContent = "widths " + widths.join(" ");
        }};</script>""",
        encoding="utf-8",
    )
    command = [program, *OPTIONS, f"--user-data-dir={folder / 'profile'}", frame.as_uri()]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    found = re.search(r"<p>widths ([\d ]+)</p>", ran.stdout)
    assert found, f"the browser showed nothing: {ran.stderr}"
    return Seen(re.findall(r"CONSOLE.*", ran.stderr), [int(number) for number in found[1].split()])
