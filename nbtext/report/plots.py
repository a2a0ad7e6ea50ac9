"""Plots of an evaluation as SVG or PNG: calibration, abstaining, ranking, learning.

The same evaluation gives the same bytes. matplotlib draws; it is imported for the first plot, and pyplot with its
global state never.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from ..errors import ChoiceError
from ..escaping import escaped
from ..evaluation import Evaluation
from ..evaluation.comparison import advice, curve_rows
from ..evaluation.summary import Summary, summary
from ..metrics.comparison import wilson
from ..metrics.ranking import one_against_rest, precision_recall_points, roc_area, roc_points
from .svg import INK, LINE, MUTED, PAPER, SERIES, standalone

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

FORMATS = ("svg", "png")

Dashes = str | tuple[int, tuple[int, ...]]
DASHES: tuple[Dashes, ...] = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))  # so that lines differ without colour too
Point = tuple[float, float]

LABEL_CHARACTERS = 24  # longer labels are cut in a key
DOTS_PER_INCH = 200  # of a PNG

STYLE = {
    "figure.figsize": (4.6, 3.7),
    "figure.constrained_layout.use": True,
    "font.size": 10,
    "text.parse_math": False,  # a label may hold dollar signs
    "text.color": INK,
    "axes.edgecolor": LINE,
    "axes.labelcolor": MUTED,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": LINE,
    "grid.linewidth": 0.7,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "lines.linewidth": 1.8,
    "svg.fonttype": "none",
}


class Plot(NamedTuple):
    """A plot that can be drawn.

    name   also the name of its file
    title  a few words
    says   how to read it, in one or more sentences
    draw   draws it
    """

    name: str
    title: str
    says: str
    draw: Callable[["Axes"], None]


def plots(evaluation: Evaluation, figures: Summary | None = None, *, suffix: str = "svg") -> dict[str, bytes]:
    """The plots by name, each as the bytes of a file.

    figures  the evaluation's summary, if known already
    suffix   one of FORMATS

    Raises: ChoiceError if matplotlib is not installed, or for another format.
    """
    if suffix not in FORMATS:
        raise ChoiceError(f"plots cannot be written as {suffix!r}; formats are: {', '.join(FORMATS)}")
    result = {}
    figures = figures or summary(evaluation)
    for plot in [*drawable(evaluation, figures), _confusion_plot(figures)]:
        data = drawn(plot, suffix)
        result[plot.name] = standalone(data, plot.title) if suffix == "svg" else data
    return result


def drawable(evaluation: Evaluation, figures: Summary) -> list[Plot]:
    """The plots that the evaluation has figures for."""
    ranked = _ranked_labels(evaluation)
    whose = f"For {escaped(ranked[0])}" if len(ranked) == 1 else "For each class"
    found = [
        Plot(
            "reliability",
            "Reliability",
            "Of the answers given with 80% confidence, are 80% right? Below the dashed line the model is too sure, "
            "above it not sure enough. Vertical bars are 95% intervals; the strip below counts the answers.",
            lambda axes: _reliability(axes, figures),
        ),
        Plot(
            "coverage",
            "Answering only when sure",
            "How many answers are right if only the most confident ones are given. The numbers on the line are the "
            "least confidence of these answers.",
            lambda axes: _coverage(axes, figures),
        ),
    ]
    if ranked:
        found += [
            Plot(
                "roc",
                "ROC",
                f"{whose}, the share of it that is found, against the share of all others wrongly labelled so. "
                "Closer to the upper left is better; the dashed line is chance.",
                lambda axes: _roc(axes, evaluation, ranked),
            ),
            Plot(
                "precision-recall",
                "Precision and recall",
                f"{whose}, the share of these answers that is right, as more of the class is found. "
                "Closer to the upper right is better.",
                lambda axes: _precision_recall(axes, evaluation, ranked),
            ),
        ]
    if evaluation.curve:
        found.append(
            Plot(
                "learning-curve",
                "Learning curve",
                f"Accuracy with more of the training documents. {advice(evaluation.curve, evaluation.repeats)}",
                lambda axes: _learning(axes, evaluation),
            )
        )
    return found


def check() -> None:
    """Check that plots can be drawn here, before the work begins.

    Raises: ChoiceError if matplotlib is not installed.
    """
    if find_spec("matplotlib") is None:
        raise ChoiceError("plots are drawn by matplotlib, which is missing: pip install 'nbtext[report]'")


def drawn(plot: Plot, suffix: str) -> bytes:
    """The bytes of a plot, always the same ones."""
    check()
    from matplotlib import style
    from matplotlib.figure import Figure

    stream = BytesIO()
    metadata = dict.fromkeys(("Date", "Creator", "Format", "Type") if suffix == "svg" else ("Software",))
    with warnings.catch_warnings(), style.context(["default", STYLE | {"svg.hashsalt": plot.name}]):
        warnings.filterwarnings("ignore", "Glyph .* missing")  # an SVG uses the page's fonts, which may have it
        figure = Figure()
        plot.draw(figure.add_subplot())
        figure.savefig(stream, format=suffix, dpi=DOTS_PER_INCH, metadata=metadata)
    return stream.getvalue()


# Drawing


def _reliability(axes: "Axes", figures: Summary) -> None:
    rows = figures.reliability
    largest = max(row.documents for row in rows)
    for row in rows:
        width = row.high - row.low
        axes.bar(row.low + width / 2, 0.16 * row.documents / largest, 0.85 * width, color=LINE)
    axes.plot([0, 1], [0, 1], linestyle="--", linewidth=1, color=MUTED)
    confidences, shares = [row.confidence for row in rows], [row.accuracy for row in rows]
    intervals = [wilson(round(row.accuracy * row.documents), row.documents) for row in rows]
    axes.vlines(confidences, *zip(*intervals, strict=True), color=SERIES[0], linewidth=1.2)
    axes.plot(confidences, shares, marker="o", markersize=4.5, color=SERIES[0])
    _shares(axes, "confidence of the answer", "share that is right")


def _coverage(axes: "Axes", figures: Summary) -> None:
    found = {(row.share, row.accuracy): row.threshold for row in figures.coverage if row.accuracy is not None}
    axes.plot(*zip(*found, strict=True), marker="o", markersize=4.5, color=SERIES[0])
    for point in _apart(list(found)):
        axes.annotate(f"{found[point]:.4g}", point, (4, 4), textcoords="offset points", fontsize=8, color=MUTED)
    _percent(axes.xaxis)
    _percent(axes.yaxis)
    axes.set(xlabel="documents answered", ylabel="answers that are right")
    axes.margins(0.12)


def _apart(points: Sequence[Point]) -> Iterator[Point]:
    """The points along a line whose labels do not touch the one before."""
    width, height = (max(values) - min(values) for values in zip(*points, strict=True))
    last: Point | None = None
    for point in points:
        if last is None or abs(point[0] - last[0]) > width / 10 or abs(point[1] - last[1]) > height / 20:
            yield (last := point)


def _confusion_plot(figures: Summary) -> Plot:
    """The confusion matrix, for files only: the page has it as a table."""
    return Plot(
        "confusion",
        "Confusion matrix",
        "Rows are true classes, columns are answers. The shade is the share of the row.",
        lambda axes: _confusion(axes, figures),
    )


def _confusion(axes: "Axes", figures: Summary) -> None:
    from matplotlib.patches import Rectangle

    labels = list(figures.confusion)
    size = min(9.0, 130 / len(labels))  # of letters
    for row, answers in enumerate(figures.confusion.values()):
        documents = sum(answers.values())
        for column, count in enumerate(answers.values()):
            share = count / documents if documents else 0.0
            colour = SERIES[0] if row == column else SERIES[1]
            axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, color=colour, alpha=share, linewidth=0))
            if count:
                ink = PAPER if share > 0.5 else INK
                axes.text(column, row, str(count), color=ink, fontsize=size, ha="center", va="center")
    places = range(len(labels))
    names = [_shortened(label) for label in labels]
    axes.set(xlim=(-0.5, len(labels) - 0.5), ylim=(len(labels) - 0.5, -0.5), xlabel="answer", ylabel="truth")
    axes.set_xticks(places, names, fontsize=size, rotation=90 if len(labels) > 4 else 0)
    axes.set_yticks(places, names, fontsize=size)
    axes.grid(visible=False)


def _roc(axes: "Axes", evaluation: Evaluation, labels: Sequence[str]) -> None:
    axes.plot([0, 1], [0, 1], linestyle="--", linewidth=1, color=MUTED)
    _lines(axes, {label: roc_points(one_against_rest(evaluation.predictions, label)) for label in labels})
    _shares(axes, "others labelled as the class", "share of the class found")


def _precision_recall(axes: "Axes", evaluation: Evaluation, labels: Sequence[str]) -> None:
    points = {label: precision_recall_points(one_against_rest(evaluation.predictions, label)) for label in labels}
    _lines(axes, points)
    _shares(axes, "recall: share of the class found", "precision: answers that are right")


def _learning(axes: "Axes", evaluation: Evaluation) -> None:
    rows = curve_rows(evaluation.curve or [])
    documents = [row.documents for row in rows]
    shares = [row.accuracy.value or 0.0 for row in rows]
    spreads = [row.accuracy.spread or 0.0 for row in rows]
    lows, highs = ([share + sign * spread for share, spread in zip(shares, spreads, strict=True)] for sign in (-1, 1))
    axes.fill_between(documents, lows, highs, color=SERIES[0], alpha=0.18, linewidth=0)
    axes.plot(documents, shares, marker="o", markersize=4.5, color=SERIES[0])
    _percent(axes.yaxis)
    axes.set(xlabel="training documents", ylabel="accuracy")
    axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter("{x:,.0f}")


def _ranked_labels(evaluation: Evaluation) -> list[str]:
    """The classes to draw against the rest, the worst ranked first; only one of two classes, as both curves mirror."""
    truths = Counter(each.truth for each in evaluation.predictions)
    labels = [evaluation.positive] if evaluation.positive else evaluation.labels
    if len(labels) == 2:
        labels = [min(labels, key=lambda label: truths[label])]
    areas = {label: roc_area(one_against_rest(evaluation.predictions, label)) for label in labels}
    return sorted((label for label, area in areas.items() if area is not None), key=lambda label: (areas[label], label))


def _lines(axes: "Axes", points: Mapping[str, Sequence[tuple[float, float]]]) -> None:
    """A line for each class, the first ones coloured and named, the others as a faint background."""
    named, others = list(points)[: len(SERIES)], list(points)[len(SERIES) :]
    for label in others:
        axes.plot(*zip(*points[label], strict=True), color=MUTED, linewidth=0.8, alpha=0.5)
    styles = list(zip(SERIES, DASHES, strict=True))[: len(named)]
    for label, (colour, dashes) in reversed(list(zip(named, styles, strict=True))):
        axes.plot(*zip(*points[label], strict=True), color=colour, linestyle=dashes)
    entries = [(_shortened(label), colour, dashes) for label, (colour, dashes) in zip(named, styles, strict=True)]
    if others:
        entries.append(("1 other" if len(others) == 1 else f"{len(others)} others", MUTED, "-"))
    _key(axes, entries)


def _key(axes: "Axes", entries: Sequence[tuple[str, str, Dashes]]) -> None:
    """The names of lines, below the axes, where they hide no line. matplotlib's legend would leave out names that begin
    with an underscore.
    """
    for place, (name, colour, dashes) in enumerate(entries):
        left, height = 0.5 * (place % 2), -0.27 - 0.075 * (place // 2)
        ends = [left, left + 0.08], [height, height]
        axes.plot(*ends, color=colour, linestyle=dashes, transform=axes.transAxes, clip_on=False)
        axes.text(left + 0.1, height, name, color=INK, fontsize=9, va="center", transform=axes.transAxes)


def _shortened(label: str) -> str:
    label = escaped(label)
    return label if len(label) <= LABEL_CHARACTERS else f"{label[: LABEL_CHARACTERS - 1]}…"


def _shares(axes: "Axes", x: str, y: str) -> None:
    """Both axes from 0 to 100%."""
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=x, ylabel=y)
    _percent(axes.xaxis)
    _percent(axes.yaxis)


def _percent(axis: "Axis") -> None:
    axis.set_major_formatter(lambda value, _place: f"{100 * value:.4g}%")
