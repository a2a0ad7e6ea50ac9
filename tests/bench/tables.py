"""Results as Markdown tables. Nothing is measured here, and nobody known by name but whom ratios are to."""

from collections.abc import Iterable, Sequence
from statistics import median

from .records import Measurement, Results, Value
from .rounds import MEASURES
from .splits import rows
from .statistics import spread
from .targets import BARE, MAIL_TARGETS, NBTEXT, PASS

Row = Sequence[str]
MEGABYTE = 1e6
UNITS = {"train": ("s", 1.0), "bulk": ("s", 1.0), "cold": ("ms", 1e3), "learn": ("ms", 1e3)}


def table(heads: Row, rows: Iterable[Row]) -> str:
    """A Markdown table, its columns aligned: the first to the left, the others to the right.

    >>> print(table(["who", "s"], [["vw", "0.5"], ["fasttext", "12"]]))
    | who      |   s |
    |----------|----:|
    | vw       | 0.5 |
    | fasttext |  12 |
    """
    lines = [heads, *rows]
    first, *widths = (max(map(len, column)) for column in zip(*lines, strict=True))
    aligned = [f"| {' | '.join([name.ljust(first), *map(str.rjust, cells, widths)])} |" for name, *cells in lines]
    rule = f"|{'|'.join(['-' * (first + 2), *('-' * (width + 1) + ':' for width in widths)])}|"
    return "\n".join([aligned[0], rule, *aligned[1:]])


def number(value: Value) -> str:
    """Three digits of a figure, or nothing.

    >>> [number(value) for value in (None, 0.01234, 1.5, 15.26, 1526.0)]
    ['', '0.0123', '1.50', '15.3', '1,526']
    """
    if value is None:
        return ""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:#.3g}"


def percent(value: Value) -> str:
    """A part as a percentage.

    >>> percent(0.7736), percent(None)
    ('77.4', '')
    """
    return "" if value is None else f"{100 * value:.1f}"


def timing(rounds: Sequence[Measurement], scale: float) -> str:
    """The median of the rounds, and how far from it they usually are."""
    if not rounds:
        return ""
    seconds = [m.seconds for m in rounds]
    around = f" ±{100 * spread(seconds):.0f}%" if len(seconds) > 1 else ""
    return number(median(seconds) * scale) + around


def figures(results: Results, corpus: str) -> str:
    """Every measure of every contender on a corpus."""
    heads = ["contender", *(f"{measure} {UNITS[measure][0]}" for measure in MEASURES)]
    heads += ["train CPU s", "bulk CPU s", "peak MB", "model MB", "accuracy %", "documents", "rounds"]
    return table(heads, (_figures(results, corpus, name) for name in quickest_first(results, corpus)))


def quickest_first(results: Results, corpus: str) -> list[str]:
    """The contenders on a corpus in order of their time to train; those that do not train come first."""
    return sorted(results.contenders(corpus), key=lambda name: results.seconds(corpus, name, "train") or 0)


def _figures(results: Results, corpus: str, name: str) -> Row:
    by_measure = {measure: results.of(corpus, name, measure) for measure in MEASURES}
    train, bulk, cold = by_measure["train"], by_measure["bulk"], by_measure["cold"]
    memory = results.memory(corpus, name)
    model = train[0].model if train else None
    return [
        name,
        *(timing(rounds, UNITS[measure][1]) for measure, rounds in by_measure.items()),
        number(results.cpu(corpus, name, "train")),
        number(results.cpu(corpus, name, "bulk")),
        number(memory and memory / MEGABYTE),
        number(model and model / MEGABYTE),
        percent(bulk[0].accuracy if bulk else None),
        " + ".join(f"{rounds[0].documents:,}" for rounds in (train, bulk) if rounds) or "1",
        f"{len(train or cold)}",
    ]


def ratios(results: Results, corpus: str) -> str:
    """Every time as a multiple of what bounds it from below, and of nbtext's."""
    bounds = {"train": PASS, "bulk": PASS, "cold": BARE}
    heads = ["contender", *(f"{measure} / {bound}" for measure, bound in bounds.items())]
    heads += [f"{measure} / {NBTEXT}" for measure in MEASURES]
    wanted = [*bounds.items(), *((measure, NBTEXT) for measure in MEASURES)]
    return table(
        heads,
        (
            [name, *(number(_ratio(results, corpus, measure, name, bound)) for measure, bound in wanted)]
            for name in quickest_first(results, corpus)
        ),
    )


def _ratio(results: Results, corpus: str, measure: str, name: str, bound: str) -> Value:
    own, other = results.seconds(corpus, name, measure), results.seconds(corpus, bound, measure)
    return own / other if own and other else None


def filtering(results: Results, corpus: str) -> str:
    """How mail was sorted, by those who sorted any."""
    first = [next(iter(results.of(corpus, name, "bulk")), None) for name in quickest_first(results, corpus)]
    rows = [
        [m.contender, f.cutoff, str(f.errors), percent(f.ham_lost), percent(f.spam_caught), _area(f.area)]
        for m in first
        if m
        for f in m.filterings
    ]
    heads = ["contender", "cutoff", "errors", "ham lost %", "spam caught %", "ROC area"]
    return table(heads, rows) if rows else ""


def splits(results: Results) -> str:
    """How mail was sorted over all the splits."""
    return table(["contender", "splits", "errors", "right %", "ham lost %", "spam caught %", "ROC area"], rows(results))


def _area(area: Value) -> str:
    return "" if area is None else f"{area:.5f}"


def growth(results: Results, corpora: Sequence[str]) -> str:
    """Time and memory, one line for each contender and size."""
    heads = ["contender", "MB", "documents", "train s", "MB/s", "peak MB", "model MB"]
    heads += ["bulk s", "documents", "accuracy %"]
    names = results.contenders(corpora[0])
    return table(heads, (row for name in names for corpus in corpora for row in _growth(results, corpus, name)))


def _growth(results: Results, corpus: str, name: str) -> Iterable[Row]:
    train, bulk = results.of(corpus, name, "train"), results.of(corpus, name, "bulk")
    if train and bulk:
        first, memory = train[0], results.memory(corpus, name)
        yield [
            name,
            number(first.size / MEGABYTE),
            f"{first.documents:,}",
            timing(train, 1.0),
            number(first.size / MEGABYTE / (results.seconds(corpus, name, "train") or 1)),
            number(memory and memory / MEGABYTE),
            number(first.model and first.model / MEGABYTE),
            timing(bulk, 1.0),
            f"{bulk[0].documents:,}",
            percent(bulk[0].accuracy),
        ]


def scenarios(results: Results) -> str:
    """What each task took, as a multiple of what bounds it: medians over the rounds."""
    heads = ["task", "s", "times", "at most", "by the clock", "processor time", "memory"]
    return table(heads, (row for task in results.scenarios() for row in _bounds(results, task)))


def _bounds(results: Results, task: str) -> Iterable[Row]:
    found = [m for m in results.measurements if m.corpus == task]
    own = [m for m in found if m.limit is None]
    for side, measure, limit in dict.fromkeys((m.contender, m.measure, m.limit) for m in found if m.limit):
        theirs = {m.round: m for m in found if (m.contender, m.measure, m.limit) == (side, measure, limit)}
        pairs = [(mine, theirs[mine.round]) for mine in own if mine.round in theirs]
        ratios = (
            [mine.seconds / other.seconds for mine, other in pairs if other.seconds],
            [mine.cpu / other.cpu for mine, other in pairs if other.cpu],
            [mine.memory / other.memory for mine, other in pairs if other.memory],
        )
        at_most = f"{limit:.2g}" + (" of memory" if measure == "memory" else "")
        cells = (number(median(values) if values else None) for values in ratios)
        yield [task, number(median(m.seconds for m in own)), side, at_most, *cells]


def targets(results: Results) -> str:
    """What must be reached, what was measured, and whether that is enough."""
    rows = []
    for target in MAIL_TARGETS:
        value = target.value(results)
        verdict = "not measured" if value is None else "met" if value <= target.limit else "not met"
        found = "" if value is None else f"{number(value)} {target.unit}".rstrip()
        rows.append([target.text, target.corpus, f"{target.limit:g} {target.unit}".rstrip(), found, verdict])
    return table(["measure", "corpus", "at most", "measured", "verdict"], rows)
