"""README.md and the pages around it: short enough, complete, and every link leads somewhere."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import nbtext
from nbtext import cli, event_models, readers, tokenizers
from nbtext.plugins import names

from . import public_names, site
from .shell import ROOT

README = ROOT / "README.md"
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = [README, *DOCS, *(ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"))]
MOST_LINES = 200


def text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def prose(file: Path) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", text(file), flags=re.MULTILINE | re.DOTALL)


def anchors(file: Path) -> set[str]:
    """The names by which links find the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", prose(file), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(file: Path) -> Iterator[str]:
    return (link for link in re.findall(r"\]\(([^)\s]+)\)", prose(file)) if "://" not in link)


def broken(file: Path) -> list[str]:
    """The links of a page that lead nowhere."""
    found = []
    for link in links(file):
        name, _, anchor = link.partition("#")
        target = file.parent / name if name else file
        if not target.exists() or (anchor and anchor not in anchors(target)):
            found.append(link)
    return found


def rows(file: Path, head: str) -> list[str]:
    """The first cells of the table whose head begins with this word."""
    lines = text(file).split("\n")
    start = next(number for number, line in enumerate(lines) if line.startswith(f"| {head} |"))
    table = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        table.append(line.split(" | ")[0].removeprefix("| "))
    return table


def named(cells: list[str]) -> list[str]:
    """The first word of every piece of code in the cells."""
    return [code.split()[0] for cell in cells for code in re.findall("`([^`]+)`", cell)]


def test_readme_is_short():
    assert len(text(README).splitlines()) <= MOST_LINES


@pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_link_leads_somewhere(file: Path):
    assert broken(file) == []


def test_broken_links_are_seen(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Exit status\n[a](#exit-status) [b](#other) [c](page.md#exit-status) [d](none.md) [e](x://y)\n")
    assert broken(page) == ["#other", "none.md"]


@pytest.mark.parametrize("file", DOCS, ids=lambda file: file.name)
def test_every_page_is_linked_from_the_index_and_the_site(file: Path):
    index = ROOT / "docs/README.md"
    assert file == index or {file.name, f"docs/{file.name}"} <= {*links(index), *links(README)}
    assert re.search(rf"^  - (Overview: )?{file.name}$", text(ROOT / "mkdocs.yml"), re.MULTILINE)


def test_python_page_describes_every_public_name():
    marked = [line.removeprefix(site.MARK) for line in text(ROOT / "docs/python.md").split("\n") if site.MARK in line]
    assert sorted([*marked, "__version__"]) == sorted(nbtext.__all__)
    page = site.on_page_markdown("::: train\n::: Model")
    assert "```python\ntrain(corpus: str | Sequence[str], path: str | None=None" in page
    assert "#### Model.open" in page
    for name in marked:
        assert "```text\n```" not in site.described(name)


def test_a_script_that_mypy_checks_strictly_uses_every_public_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    found = ast.walk(ast.parse(text(Path(public_names.__file__))))
    used = {each.attr for each in found if isinstance(each, ast.Attribute) and ast.unparse(each.value) == "nbtext"}
    assert used == set(nbtext.__all__)
    public_names.main(str(ROOT / "corpora" / "topics"), str(tmp_path / "model.nbtext"))
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "nbtext 0.1.0 ChoiceError CorpusError ModelError DocumentError"
    assert printed[1:3] == ["2", "1"]
    assert (printed[4], printed[-1]) == ("['sailing']", "['spam']")


def test_readme_has_every_command():
    assert sorted(named(rows(README, "command"))) == names(cli)


@pytest.mark.parametrize(
    ("head", "package"), [("reader", readers), ("tokenizer", tokenizers), ("event model", event_models)]
)
def test_formats_has_every_choice(head: str, package: ModuleType):
    assert sorted(named(rows(ROOT / "docs/formats.md", head))) == names(package)


def test_how_it_works_has_every_layer_in_order():
    from .test_architecture import LAYERS

    assert named(rows(ROOT / "docs/how-it-works.md", "layer")) == LAYERS


def test_evaluation_has_every_option_of_its_own():
    shared = {"--model", "--json", "--quiet", "--help", "--unsure-below", "--plots-format"}
    settings = set(re.findall("(--[a-z-]+)", " ".join(rows(ROOT / "docs/formats.md", "setting"))))
    settings |= set(re.findall("(--[a-z-]+)", (ROOT / "docs/tables.md").read_text()))
    command = cli.Commands(name="nbtext").get_command(None, "evaluate")  # type: ignore[arg-type]
    assert command is not None
    own = {name for each in command.params for name in each.opts if name.startswith("--")} - shared - settings
    assert own <= set(re.findall("(--[a-z-]+)", " ".join(rows(ROOT / "docs/evaluation.md", "option"))))


def test_formats_has_every_status():
    stated = [int(status) for cell in rows(ROOT / "docs/formats.md", "status") for status in cell.split(", ")]
    assert {0, 1, cli.USAGE, cli.TROUBLE, cli.NO, cli.BUG, cli.CLOSED, 130, 143} == set(stated)
