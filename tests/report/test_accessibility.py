"""Pages without barriers: an accessibility checker looks at them in a browser, on a phone and a desk, by day and night.

Both are skipped where they are not installed; `make axe` brings the checker.
"""

import pytest

from .. import browser
from .test_evaluation_page import full

WIDTHS = [390, 1280]
CORPUS = {
    "ham/1.txt": "lunch with anna at noon",
    "ham/2.txt": "minutes of the meeting at noon",
    "spam/1.txt": "win cash now",
    "spam/2.txt": "win a free prize now",
}

pytestmark = pytest.mark.skipif(not browser.AXE.is_file(), reason="no axe-core here: make axe")


@pytest.fixture
def explanation(corpus, run, tmp_path) -> str:
    corpus(CORPUS)
    run("train", "corpus")
    assert run("explain", "--html", "page.html", "corpus/ham").status == 0
    text: str = (tmp_path / "page.html").read_text(encoding="utf-8")
    return text


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_pages_have_no_barriers(program: str, tmp_path, dark: bool, explanation: str):
    pages = [full(["ham", "spam", "news"]), explanation]
    assert browser.barriers(program, pages, WIDTHS, tmp_path, dark=dark) == []


def test_checker_would_tell(program: str, tmp_path):
    right = '<!DOCTYPE html><html lang="en"><title>x</title><body><main><h1>x</h1></main></body>'
    wrong = right.replace("</h1>", '</h1><img src="">')
    (line,) = browser.barriers(program, [right, wrong], [390], tmp_path, dark=False)
    assert line.startswith("page 1, 390 pixels, image-alt: ")


def test_explanation_fits_its_window(program: str, tmp_path, explanation: str):
    assert browser.seen(program, [explanation], WIDTHS, tmp_path) == ([], WIDTHS)
