"""An evaluation as one HTML page: from the headline down to single errors and the words behind them.

It follows the reader's choice of light or dark, can be printed, and fits a phone. `evaluation_page.css` has the styles,
`plots` draws, `pages` keeps the page safe. The same evaluation gives the same bytes.
"""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from importlib.resources import files
from types import MappingProxyType

from .. import __version__
from ..escaping import number
from ..evaluation import Evaluation
from ..evaluation.comparison import verdicts
from ..evaluation.figures import Figure
from ..evaluation.mail import MailFigures
from ..evaluation.reasons import Insight
from ..evaluation.summary import Summary, summary
from . import documents, pieces, plots, svg
from .evaluation import BASELINES, CHOSEN, figure_names, unread_in_words
from .pages import head, shown
from .pieces import Link

FEW_CLASSES = 5  # with more, the column heads of the confusion matrix are upright
CONFUSED = 10  # confusions in the list


def page(
    evaluation: Evaluation,
    figures: Summary | None = None,
    insight: Insight | None = None,
    *,
    link: Link | None = None,
    texts: Mapping[str, str] = MappingProxyType({}),
    about: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """The page.

    figures  the evaluation's summary, if known already
    insight  keywords of the classes and reasons for the worst errors, if there is a model of the documents
    link     from a document's name to its address relative to the page, or None if it is not a file
    texts    of wrongly answered and of suspect documents, by name, if known
    about    further entries for the head, by name, such as the date

    Raises: ChoiceError if matplotlib is not installed.
    """
    figures = figures or summary(evaluation)
    sections = {
        "Figures": _figures(figures),
        "Classes": _classes(figures),
        "Confusion": _confusion(figures),
        "Filter": _filter(evaluation.positive, figures.mail),
        "Curves": _curves(evaluation, figures),
        "Comparison": _comparison(evaluation),
        "Keywords": documents.keywords(insight),
        "Worst errors": documents.errors(evaluation, insight, link, texts),
        "Suspects": documents.suspects(evaluation, link, texts),
        "Notes": _notes(evaluation),
        "Settings": _settings(evaluation),
    }
    full = {title: content for title, content in sections.items() if content}
    return "\n".join([_head(figures), *_headline(evaluation, figures, about, full), *_body(full), *_foot(), ""])


def _head(figures: Summary) -> str:
    style = files(__package__).joinpath("evaluation_page.css").read_text(encoding="utf-8")
    return head(f"{pieces.percent(figures.figures['accuracy'].value)} right: nbtext evaluate", style)


def _headline(
    evaluation: Evaluation, figures: Summary, about: Mapping[str, str], sections: Iterable[str]
) -> Iterator[str]:
    low, high = figures.interval
    accuracy = figures.figures["accuracy"]
    spread = "" if accuracy.spread is None else f"; the parts differ by ±{pieces.percent(accuracy.spread)}"
    unsure = f", {figures.unsure:,} left unsure" if figures.unsure else ""
    unread = ""
    if found := figures.with_unread:
        unread = f" Including untested ones, {pieces.percent(found.accuracy)} right of {shown(unread_in_words(found))}."
    told = {"corpus": ", ".join(evaluation.corpora), "tested on": ", ".join(evaluation.tested), **about}
    told = {name: value for name, value in told.items() if value}
    yield f"""<header>
<p class="method">{shown(evaluation.method)}</p>
<p class="method">{shown("; ".join(f"{name} {value}" for name, value in told.items()))}</p>
<h1>{pieces.percent(accuracy.value)} of {figures.tested:,} documents right</h1>
<p class="doubt">Between {pieces.percent(low)} and {pieces.percent(high)} with 95% confidence{spread}. \
{figures.wrong:,} wrong{unsure}.{unread}</p>
<dl class="baselines">"""
    yield from (_bar(name, figures.figures[key]) for key, name in ({"accuracy": "nbtext"} | BASELINES).items())
    links = " ".join(f'<a href="#{pieces.anchor(title)}">{title}</a>' for title in sections)
    yield f"</dl>\n<nav>{links}</nav>\n</header>\n<main>"


def _bar(name: str, figure: Figure) -> str:
    share = figure.value or 0.0
    return (
        f"<div><dt>{name}<b>{pieces.percent(figure.value)}</b></dt>"
        f'<dd class="bar"><i style="width: {100 * share:.2f}%"></i></dd></div>'
    )


def _body(sections: Mapping[str, str]) -> Iterator[str]:
    for title, content in sections.items():
        yield f'<section id="{pieces.anchor(title)}">\n<h2>{title}</h2>\n{content}\n</section>'


def _foot() -> Iterator[str]:
    yield f"</main>\n<footer>nbtext {__version__}</footer>\n</body>\n</html>"


# Sections: each is its HTML, or "" if there is nothing to say


def _figures(figures: Summary) -> str:
    titled = {name: figures.figures[key] for key, name in ({"accuracy": "accuracy"} | figure_names(figures)).items()}
    items = (f"<div><dt>{title}</dt><dd>{pieces.figure(figure)}</dd></div>" for title, figure in titled.items())
    return f'<p class="note">{_figures_note(figures)}</p>\n<dl class="figures">{"".join(items)}</dl>'


def _figures_note(figures: Summary) -> str:
    parted = figures.figures["accuracy"].spread is not None
    return "Over all tested documents" + (", ± the standard deviation over the parts." if parted else ".")


def _classes(figures: Summary) -> str:
    rows = [
        (
            pieces.label(label),
            *map(pieces.figure, (each.precision, each.recall, each.f1, each.roc_area, each.average_precision)),
            f"{each.support:,}",
        )
        for label, each in figures.classes.items()
    ]
    means = [
        (name, *map(pieces.figure, (each.precision, each.recall, each.f1)), "", "", "")
        for name, each in figures.means.items()
    ]
    head = ("class", "precision", "recall", "F1", "ROC area", "precision-recall area", "documents")
    return pieces.table(head, [*rows, *means])


def _confusion(figures: Summary) -> str:
    many = " many" if len(figures.confusion) > FEW_CLASSES else ""
    columns = "".join(f'<th scope="col">{pieces.cut(label)}</th>' for label in figures.confusion)
    rows = "\n".join(_row(truth, answers) for truth, answers in figures.confusion.items())
    return f"""<p class="note">Rows are true classes, columns are answers. Blue cells are right, orange \
ones wrong; the shade is the share of the row.</p>
<div class="confusion">{pieces.scrolling("Confusion matrix")}<table class="matrix{many}">
<thead><tr><th scope="col">truth ↓ answer →</th>{columns}<th class="all" scope="col">all</th></tr></thead>
<tbody>
{rows}
</tbody></table></div>{_confused(figures)}</div>"""


def _row(truth: str, answers: Mapping[str, int]) -> str:
    documents = sum(answers.values())
    cells = "".join(_cell(count, documents, truth == answer) for answer, count in answers.items())
    return f'<tr><th scope="row">{pieces.cut(truth)}</th>{cells}<td class="all">{documents:,}</td></tr>'


def _cell(count: int, documents: int, right: bool) -> str:
    share = count / documents if documents else 0.0
    kinds = {"right": right, "none": not count}
    kind = " ".join(name for name, holds in kinds.items() if holds)
    attribute = f' class="{kind}"' if kind else ""
    number_shown = f"{count:,}" if count else "·"
    return f'<td{attribute} style="--share: {share:.1%}">{number_shown}</td>'


def _confused(figures: Summary) -> str:
    rows = [
        (pieces.label(truth), pieces.label(answer), f"{documents:,}")
        for truth, answer, documents in figures.confused[:CONFUSED]
    ]
    return (
        "" if len(figures.confusion) <= 2 or not rows else pieces.table(("truth", "answer", "documents"), rows, text=1)
    )


def _filter(positive: str | None, mail: MailFigures | None) -> str:
    if positive is None or mail is None:
        return ""
    rows = [
        ("false alarms", f"{mail.counts.false_alarms:,} of {mail.counts.ham:,}", pieces.rate(mail.false_alarm_rate)),
        ("misses", f"{mail.counts.misses:,} of {mail.counts.spam:,}", pieces.rate(mail.miss_rate)),
    ]
    costs = "".join(
        f"<div><dt>cost ratio at {cost:,}</dt><dd>{pieces.figure(Figure(ratio))}</dd></div>"
        for cost, ratio in mail.cost_ratios.items()
    )
    note = (
        f"A filter that stops {pieces.label(positive)} and lets everything else through. The cost ratio says how "
        "many times more it would cost to have no filter, if a false alarm costs as much as that many misses; below 1 "
        "the filter does harm."
    )
    table = pieces.table(("error", "documents", "rate"), rows)
    return f'<p class="note">{note}</p>\n{table}\n<dl class="figures">{costs}</dl>'


def _curves(evaluation: Evaluation, figures: Summary) -> str:
    drawn = (
        f"<figure><h3>{plot.title}</h3>{svg.inline(plots.drawn(plot, 'svg'), plot.title)}"
        f'<figcaption class="note">{escape(plot.says)}</figcaption></figure>'
        for plot in plots.drawable(evaluation, figures)
    )
    return f'<div class="plots">{"".join(drawn)}</div>'


def _comparison(evaluation: Evaluation) -> str:
    if not evaluation.comparison:
        return ""
    rows = [
        (
            shown(each.setting),
            pieces.figure(each.accuracy),
            *(("", "", "", "") if each.p is None else (each.won, each.tied, each.lost, number(each.p))),
        )
        for each in verdicts(evaluation.comparison, evaluation.repeats)
    ]
    note = (
        "Won: documents that only this setting got right; lost: that only the first got right. p: the probability that "
        "chance alone makes so large a difference, corrected for the number of comparisons."
    )
    table = pieces.table(("setting", "accuracy", "won", "tied", "lost", "p"), [tuple(map(str, row)) for row in rows])
    return f'<p class="note">{note}</p>\n{table}'


def _notes(evaluation: Evaluation) -> str:
    items = "".join(f"<li>{shown(note)}</li>" for note in evaluation.notes)
    return f'<ul class="notes">{items}</ul>' if items else ""


def _settings(evaluation: Evaluation) -> str:
    analysis, hyperparameters = evaluation.settings
    stopwords = f"{len(evaluation.hyperparameters.stopwords):,}" if evaluation.hyperparameters.stopwords else "none"
    settings = {
        "trained on": ", ".join(evaluation.corpora),
        "tested on": ", ".join(evaluation.tested) or "parts of the same",
        **analysis,
        **hyperparameters,
        "stopwords": stopwords,
    }
    items = "".join(
        f"<dt>{escape(name.replace('_', ' '))}</dt><dd>{shown(CHOSEN if value is None else str(value))}</dd>"
        for name, value in settings.items()
    )
    return f'<dl class="settings">{items}</dl>'
