"""The page of an evaluation: it is all there, nothing from outside is code, it fits a phone, by day and by night."""

import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import Analysis, Document, Hyperparameters
from nbtext.counting.shards import index_documents
from nbtext.errors import ChoiceError
from nbtext.evaluation import Compared, Evaluation, Held, Point, Suspect
from nbtext.evaluation.examples import Examples
from nbtext.evaluation.reasons import Insight, insight, worst
from nbtext.metrics import Prediction
from nbtext.report import evaluation_page, plots, svg

from .. import browser
from ..conftest import Corpus, Run
from ..shell import ROOT, pinned

CSS = (ROOT / "nbtext" / "report" / "evaluation_page.css").read_text(encoding="utf-8")
HOSTILE = [
    "<script>alert(1)</script>",
    '"quoted" onload="x"',
    "'single'",
    "R&D",
    "a</style></title>b",
    "$x$",
    "_low",
    "\x1b[31m",
]


def made(labels: list[str], names: Callable[[int], str] = "file{}.txt".format, documents: int = 60) -> list[Prediction]:
    """Predictions of which every seventh is wrong, confidence going up and down."""
    rest = len(labels) - 1
    predictions = []
    for n in range(documents):
        truth, confidence = labels[n % len(labels)], 0.55 + 0.4 * (n * 37 % 60) / 60
        answer = labels[(n + 1) % len(labels)] if n % 7 == 0 else truth
        posteriors = {label: confidence if label == answer else (1 - confidence) / rest for label in labels}
        predictions.append(Prediction(names(n), truth, answer, posteriors))
    return predictions


def evaluation(labels: list[str], predictions: list[Prediction], **more: object) -> Evaluation:
    held = [Held(dict.fromkeys(labels, 30), predictions[::2]), Held(dict.fromkeys(labels, 30), predictions[1::2])]
    return Evaluation("2 folds", Analysis(), Hyperparameters(), ["corpus"], [], sorted(labels), held, [], **more)  # type: ignore[arg-type]


def insight_into(predictions: list[Prediction], token: str = "word") -> Insight:
    """What a model makes of the errors among documents whose tokens begin with the given one."""
    documents = [
        Document([("", f"{token}{each.truth} {token}{n % 5} {token}{n % 5} {token}")], each.truth, each.name)
        for n, each in enumerate(predictions)
    ]
    examples, analysis = Examples(Analysis(tokenizer="split")), Analysis(tokenizer="split")
    counted = examples.add(index_documents(documents, analysis, dated=True))
    return insight(examples, counted, Hyperparameters(), worst(predictions))


def full(labels: list[str], names: Callable[[int], str] = "file{}.txt".format, token: str = "word") -> str:
    """A page with everything that a page can have."""
    predictions = made(labels, names)
    whole = evaluation(labels, predictions)
    points = [Point(share, round(60 * share), whole.held) for share in (0.25, 0.5, 1)]
    rich = whole._replace(
        method=f"2 folds of {labels[0]}",
        corpora=[names(0)],
        notes=[f"Look at {names(1)}."],
        positive=labels[0] if len(labels) == 2 else None,
        curve=points,
        comparison=[
            Compared("these settings", Hyperparameters(), whole.held),
            Compared(f"x={labels[0]}", Hyperparameters(), whole.held),
        ],
        suspects=[Suspect(names(n), labels[0], labels[1], 1.5) for n in range(3)],
    )
    texts = {names(n): f"{token} " * 60 for n in range(60)}
    return evaluation_page.page(
        rich, insight=insight_into(predictions, token), link=lambda name: f"texts/{name}", texts=texts
    )


class Outline(HTMLParser):
    """The elements, attributes and text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] != "style":
            self.texts.append(data)

    def text(self) -> str:
        return "".join(self.texts)


@pytest.fixture(scope="module")
def page() -> str:
    return full(["ham", "spam"])


def test_headline_says_accuracy_interval_and_what_answering_blindly_gives(page: str):
    text = Outline(page).text()
    assert "85.0% of 60 documents right" in text
    assert "Between 73.9% and 91.9% with 95% confidence" in text
    assert "always the largest class50.0%" in text


@pytest.mark.parametrize(
    "title",
    ["Figures", "Classes", "Confusion", "Filter", "Curves", "Comparison", "Keywords", "Worst errors", "Suspects"],
)
def test_every_section_is_there_and_can_be_gone_to(page: str, title: str):
    anchor = title.lower().replace(" ", "-")
    assert f'<a href="#{anchor}">{title}</a>' in page
    assert f'<section id="{anchor}">\n<h2>{title}</h2>' in page


def test_repeats_are_not_taken_for_new_documents():
    def answers(rights: str) -> list[Held]:
        predictions = [Prediction("", "a", "ba"[int(right)], {"a": 0.5, "b": 0.5}) for right in rights * 3]
        return [Held({"a": 1, "b": 1}, predictions)]

    first, second = answers("0" * 4 + "1" * 10), answers("1" * 14)
    compared = evaluation(["a", "b"], first[0].predictions)._replace(
        repeats=3,
        comparison=[Compared("x", Hyperparameters(), first), Compared("y", Hyperparameters(), second)],
        curve=[Point(0.5, 7, first), Point(1, 14, second)],
    )
    page = evaluation_page.page(compared)
    assert "<td>0.125</td>" in page  # of 4 documents won, not of 12
    assert "may be chance" in page


def test_what_was_not_asked_for_is_not_there():
    text = Outline(evaluation_page.page(evaluation(["a", "b"], made(["a", "b"])))).text()
    for title in "Filter", "Comparison", "Keywords", "Suspects", "Learning curve":
        assert title not in text
    assert "Worst errors" in text


def test_page_of_a_perfect_evaluation_has_no_errors():
    predictions = [each._replace(answer=each.truth, posteriors={each.truth: 1.0}) for each in made(["a", "b"])]
    assert "Worst errors" not in evaluation_page.page(evaluation(["a", "b"], predictions))


def test_confusion_has_a_cell_for_each_pair_and_counts_in_them(page: str):
    assert re.findall(r'<td( class="[^"]*")? style="--share: ([\d.]+%)">([\d,·]+)</td>', page) == [
        (' class="right"', "83.3%", "25"),
        ("", "16.7%", "5"),
        ("", "13.3%", "4"),
        (' class="right"', "86.7%", "26"),
    ]


def test_worst_errors_come_first_and_name_their_words(page: str):
    text = Outline(page).text()
    first = worst(made(["ham", "spam"]))[0]
    errors = text[text.index("Worst errors", text.index("Keywords", 500)) :]
    assert errors.index(first.name) < errors.index("for spam")
    assert f"is {first.truth}, classified as {first.answer}" in errors


def test_documents_are_linked_only_where_there_is_a_file():
    known = {"file7.txt": "../texts/file%207.txt"}
    shown = evaluation_page.page(evaluation(["a", "b"], made(["a", "b"])), link=known.get)
    assert re.findall(r'<a href="([^#"]*)">', shown) == ["../texts/file%207.txt"]


def test_whatever_comes_from_outside_is_text():
    plain = Outline(full([f"class {n}" for n in range(len(HOSTILE))]))
    shown = Outline(full(HOSTILE, names=lambda n: f"{HOSTILE[n % len(HOSTILE)]}{n}", token="<b/onclick='x'>&amp;"))
    assert shown.tags.count("script") == 0
    assert set(shown.tags) == set(plain.tags)
    assert {name for name, _ in shown.attributes} == {name for name, _ in plain.attributes}
    for hostile in HOSTILE:
        assert hostile.replace("\x1b", "\\x1b") in shown.text()
    assert "<b/onclick='x'>&amp;" in shown.text()


@given(st.text(min_size=1, max_size=8))
def test_any_label_leaves_the_page_whole(label: str):
    labels = [label, f"{label}2"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plots, "drawable", lambda *_: [])
        shown = Outline(evaluation_page.page(evaluation(labels, made(labels, documents=12))))
    assert shown.tags.count("section") == 6
    assert "script" not in shown.tags


def test_same_evaluation_gives_the_same_bytes_in_another_process(page: str):
    script = (
        "import sys; from tests.report.test_evaluation_page import full; print(full(['ham', 'spam']), end='');"
        "sys.exit('matplotlib.pyplot' in sys.modules)"  # it would bring global state
    )
    environment = pinned() | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "7"}
    other = subprocess.run([sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, check=True)
    assert other.stdout.decode("utf-8") == page


def test_page_needs_nothing_from_elsewhere(page: str):
    addresses = [value for name, value in Outline(page).attributes if name in {"href", "src", "xlink:href", "action"}]
    assert {address.partition("/")[0] for address in addresses if address[0] != "#"} == {"texts"}
    assert "@import" not in CSS
    assert "url(" not in CSS


def test_names_inside_the_page_are_unique_and_known(page: str):
    outline = Outline(page)
    ids = [value for name, value in outline.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert {
        value[1:] for name, value in outline.attributes if name in {"href", "xlink:href"} and value[0] == "#"
    } <= set(ids)


# Style


def palette(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))


LIGHT, DARK = (palette(block) for block in re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)[:2])


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """By WCAG 2.1, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_dark_has_all_the_colours_of_light():
    assert LIGHT.keys() == DARK.keys()
    assert LIGHT["paper"] != DARK["paper"]


def test_plots_have_the_colours_of_the_page():
    assert {role: LIGHT[role] for role in svg.ROLES.values()} == {role: colour for colour, role in svg.ROLES.items()}
    assert {role: DARK[role] for role in svg.DARK} == svg.DARK


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("role", ["ink", "muted", "right"])
def test_text_can_be_read(colours: dict[str, str], role: str):
    assert contrast(colours[role], colours["paper"]) >= 4.5
    assert contrast(colours[role], colours["panel"]) >= 4.5


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("role", [f"series-{n}" for n in range(1, 6)])
def test_lines_can_be_told_from_the_paper(colours: dict[str, str], role: str):
    assert contrast(colours[role], colours["paper"]) >= 3


def test_style_holds_nothing_that_the_page_does_not_use():
    classes = set(re.findall(r"\.([a-z][\w-]*)", re.sub(r"/\*.*?\*/", "", CSS, flags=re.DOTALL)))
    shown = full(["a", "b"]) + full([f"class {n}" for n in range(9)])
    used = {name for value in re.findall(r'class="([^"]*)"', shown) for name in value.split()}
    assert classes == used
    variables = set(re.findall(r"var\(--([\w-]+)", CSS + shown)) | {"share"}
    assert LIGHT.keys() <= variables


# Plots


def test_plots_are_named_and_of_their_kind():
    drawn = evaluation(["a", "b"], made(["a", "b"]))
    curve = [Point(share, round(60 * share), drawn.held) for share in (0.5, 1)]
    names = ["reliability", "coverage", "roc", "precision-recall", "learning-curve", "confusion"]
    assert list(plots.plots(drawn._replace(curve=curve))) == names
    assert all(data.startswith(b"<svg") for data in plots.plots(drawn).values())
    assert all(data.startswith(b"\x89PNG") for data in plots.plots(drawn, suffix="png").values())


def test_plots_of_another_kind_are_refused():
    with pytest.raises(ChoiceError, match=r"plots cannot be written as 'gif'; formats are: svg, png"):
        plots.plots(evaluation(["a", "b"], made(["a", "b"])), suffix="gif")


def test_text_of_a_plot_stays_text_and_long_labels_are_cut():
    labels = [f"class {n} with a rather long name" for n in range(9)]
    svg = plots.plots(evaluation(labels, made(labels)))["roc"].decode()
    assert re.search(">class . with a rather l…<", svg)
    assert ">4 others<" in svg


def test_classes_never_tested_have_no_ranking_plots():
    predictions = [each._replace(truth="a") for each in made(["a", "b"])]
    assert list(plots.plots(evaluation(["a", "b"], predictions))) == ["reliability", "coverage", "confusion"]


def test_missing_matplotlib_is_one_line_with_the_way_out(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ChoiceError, match=r"pip install 'nbtext\[report\]'"):
        evaluation_page.page(evaluation(["a", "b"], made(["a", "b"])))


def test_drawing_leaves_matplotlib_as_it_was():
    from matplotlib import rcParams

    before = dict(rcParams)
    plots.plots(evaluation(["a", "b"], made(["a", "b"])))
    assert dict(rcParams) == before


# On the command line

TEXTS: dict[str, str | bytes] = {
    f"{label}/{n} & more.txt": f"{word} {n % 3} text{n}"
    for label, word in (("a", "red"), ("b", "blue"))
    for n in range(12)
}


def test_evaluate_writes_page_and_plots_and_prints_as_ever(corpus: Corpus, run: Run, tmp_path: Path):
    corpus(TEXTS | {"b/odd.txt": "red red text"})
    plain = run("evaluate", "corpus", "--folds", "3")
    (tmp_path / "out").mkdir()
    wanted = "--report", "out/page.html", "--plots", "out/plots", "--plots-format", "png"
    assert run("evaluate", "corpus", "--folds", "3", *wanted) == plain
    assert sorted(file.name for file in (tmp_path / "out/plots").iterdir()) == [
        "confusion.png",
        "coverage.png",
        "precision-recall.png",
        "reliability.png",
        "roc.png",
    ]
    written = (tmp_path / "out/page.html").read_text(encoding="utf-8")
    assert 'href="../corpus/b/odd.txt"' in written
    assert '<p class="excerpt" dir="auto">red red text</p>' in written  # the text of an error
    assert re.search(r"corpus corpus; date \d{4}-\d\d-\d\d", written)
    assert "Keywords" in written


def test_evaluate_links_files_whatever_their_names(corpus: Corpus, run: Run, tmp_path: Path):
    corpus(TEXTS | {"b/<b> & 'x' %41 javascript:1.txt": "red red text"})
    run("evaluate", "corpus", "--folds", "3", "--report", "page.html")
    addresses = re.findall(r'href="(corpus/b/%3C[^"]*)"', (tmp_path / "page.html").read_text(encoding="utf-8"))
    assert addresses == ["corpus/b/%3Cb%3E%20%26%20%27x%27%20%2541%20javascript%3A1.txt"]


def test_evaluate_of_a_model_as_it_stands_has_a_page_too(corpus: Corpus, run: Run, tmp_path: Path):
    corpus(TEXTS)
    corpus({"a/1": "red", "b/1": "red text", "b/2": "blue"}, name="test")
    run("train", "corpus")
    assert run("evaluate", "--test", "test", "--report", "page.html").status == 0
    written = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert 'href="test/b/1"' in written
    assert "Keywords" not in written


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--report", "nowhere/page.html"], "--report nowhere/page.html: no such folder"),
        (["--plots", "corpus/a/1 & more.txt"], "--plots corpus/a/1 & more.txt: a file; name a folder"),
        (["--plots-format", "gif"], "'gif' is not one of 'svg', 'png'"),
    ],
)
def test_what_cannot_be_written_is_said_before_the_work(corpus: Corpus, run: Run, options: list[str], complaint: str):
    corpus(TEXTS)
    result = run("evaluate", "corpus", *options)
    assert (complaint in result.err, result.out, result.status) == (True, "", 2)


def test_evaluate_without_matplotlib_says_what_to_install(corpus: Corpus, run: Run, monkeypatch: pytest.MonkeyPatch):
    corpus(TEXTS)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = run("evaluate", "corpus", "--report", "page.html")
    assert result == ("", "nbtext: plots are drawn by matplotlib, which is missing: pip install 'nbtext[report]'\n", 2)


def test_labels_along_a_line_do_not_run_into_each_other():
    along = [(1.0, 0.9), (0.97, 0.901), (0.96, 0.94), (0.5, 1.0), (0.45, 1.0)]
    assert list(plots._apart(along)) == [(1.0, 0.9), (0.96, 0.94), (0.5, 1.0)]
    assert list(plots._apart([(1.0, 0.9)])) == [(1.0, 0.9)]


# In a browser


def test_page_fits_a_phone_and_says_nothing_on_the_console(program: str, tmp_path: Path):
    two, twenty, long = ["ham", "spam"], [f"rec.sport.number{n}" for n in range(20)], ["W" * 80, "x"]
    pages = [
        full(labels, names=lambda n: f"{'long-folder/' * 12}{n}", token="w" * 70) for labels in (two, twenty, long)
    ]
    assert browser.seen(program, pages, [390], tmp_path) == ([], [390, 390, 390])


def test_browser_would_tell(program: str, tmp_path: Path):
    broken = '<p style="width: 900px">wide</p><script>console.error("trouble")</script>'
    (line,), (fine, wide) = browser.seen(program, ["<p>fine</p>", broken], [390], tmp_path)
    assert "trouble" in line
    assert (fine, wide > 900) == (390, True)
