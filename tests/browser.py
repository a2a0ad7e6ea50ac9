"""A headless browser, if there is one: what it says on its console, and whether a page fits a phone."""

import json
import os
import re
import shutil
import subprocess
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
    """What a browser made of a page.

    console  the lines on its console
    widths   of the page's root and body, in pixels, scrolled content included
    """

    console: list[str]
    widths: list[int]


def browser() -> str | None:
    """The path of a browser, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


AXE = Path(os.environ.get("NBTEXT_AXE") or ROOT / "build/axe/node_modules/axe-core/axe.min.js")  # `make axe`


def barriers(program: str, page: str, width: int, folder: Path, *, dark: bool) -> list[str]:
    """What an accessibility checker finds wrong with a page: the rule and the place, in a line each."""
    check = """axe.run({resultTypes: ["violations"]}).then(found => {
      const lines = found.violations.flatMap(rule => rule.nodes.map(node => rule.id + ": " + node.html.slice(0, 200)));
      parent.document.querySelector("p").textContent = "found " + JSON.stringify(lines);
    });"""
    page = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)  # which forbids the checker
    page = page.replace("</body>", f"<script>{AXE.read_text()}</script><script>{check}</script></body>")
    frame = folder / "frame.html"
    frame.write_text(
        f"""<!DOCTYPE html><meta charset="utf-8"><p></p><iframe style="width: {width}px; height: 800px; border: 0"
        srcdoc="{escape(page)}"></iframe>""",
        encoding="utf-8",
    )
    options = [*OPTIONS, "--virtual-time-budget=30000", *(["--force-dark-mode"] if dark else [])]
    command = [program, *options, f"--user-data-dir={folder / 'profile'}", frame.as_uri()]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=100)
    found = re.search(r"<p>found (.*?)</p>", ran.stdout, re.DOTALL)
    assert found, f"the checker said nothing: {ran.stderr}"
    lines: list[str] = json.loads(unescape(found[1]))
    return lines


def seen(program: str, page: str, width: int, folder: Path) -> Seen:
    """A page as a window of some width shows it. The window is a frame, for a browser's own cannot be so narrow."""
    frame = folder / "frame.html"
    frame.write_text(
        f"""<!DOCTYPE html><meta charset="utf-8"><iframe style="width: {width}px; height: 800px; border: 0"
        srcdoc="{escape(page)}"></iframe><p></p><script>
        onload = () => {{
          const inside = document.querySelector("iframe").contentDocument;
          const widths = [inside.documentElement.scrollWidth, inside.body.scrollWidth];
          document.querySelector("p").textContent = "widths " + widths.join(" ");
        }};</script>""",
        encoding="utf-8",
    )
    command = [program, *OPTIONS, f"--user-data-dir={folder / 'profile'}", frame.as_uri()]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    found = re.search(r"<p>widths ([\d ]+)</p>", ran.stdout)
    assert found, f"the browser showed nothing: {ran.stderr}"
    return Seen(re.findall(r"CONSOLE.*", ran.stderr), [int(number) for number in found[1].split()])
