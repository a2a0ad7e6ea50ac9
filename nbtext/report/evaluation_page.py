"""An evaluation as one HTML page, for people: from the headline down to single errors and the words behind them.

It follows the reader's choice of light or dark, can be printed, and fits a phone. How it looks is in
`evaluation_page.css`, what is plotted in `plots`, what keeps it safe in `pages`. The same evaluation, the same bytes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files

from .. import __version__
from ..escaping import number
from ..evaluation import Evaluation
from ..evaluation.reasons import Insight, Pull, Reasons, worst
from ..evaluation.summary import Figure, MailFigures, Summary, summary, verdicts
from ..inference.keywords import Keyword
from ..metrics import Prediction
from . import plots
from .evaluation import BASELINES, CHOSEN, figure_names, unread_in_words
from .pages import head, shown

STRONG = 0.5  # a cell shaded more than this has its number in the colour of the paper
FEW_CLASSES = 5  # with more, the column heads of the confusion matrix are upright
CONFUSED = 10  # how many confusions the list names

Link = Callable[[str], str | None]


def page(
    evaluation: Evaluation,
    figures: Summary | None = None,
    insight: Insight | None = None,
    *,
    link: Link | None = None,
) -> str:
    """The page.

    figures  the evaluation's summary, if it is at hand
    insight  words of the classes and reasons of the worst errors, if there is a model to ask
    link     from a document's name to its address as seen from the page, or None if it is no file

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
        "Keywords": _words(insight),
        "Worst errors": _errors(evaluation, insight, link),
        "Suspects": _suspects(evaluation, link),
        "Notes": _notes(evaluation),
        "Settings": _settings(evaluation),
    }
    full = {title: content for title, content in sections.items() if content}
    return "\n".join([_head(figures), *_headline(evaluation, figures, full), *_body(full), *_foot(), ""])


def _head(figures: Summary) -> str:
    style = files(__package__).joinpath("evaluation_page.css").read_text(encoding="utf-8")
    return head(f"{_percent(figures.figures['accuracy'].value)} right: nbtext evaluate", style)


def _headline(evaluation: Evaluation, figures: Summary, sections: Iterable[str]) -> Iterator[str]:
    low, high = figures.interval
    accuracy = figures.figures["accuracy"]
    spread = "" if accuracy.spread is None else f"; the parts differ by ±{_percent(accuracy.spread)}"
    unsure = f", {figures.unsure:,} left unsure" if figures.unsure else ""
    unread = ""
    if found := figures.with_unread:
        unread = f" With those not tested {_percent(found.accuracy)} of {shown(unread_in_words(found))}."
    yield f"""<header>
<p class="method">{shown(evaluation.method)}</p>
<h1>{_percent(accuracy.value)} of {figures.tested:,} documents right</h1>
<p class="doubt">Between {_percent(low)} and {_percent(high)} with 95% confidence{spread}. \
{figures.wrong:,} wrong{unsure}.{unread}</p>
<dl class="baselines">"""
    yield from (_bar(name, figures.figures[key]) for key, name in ({"accuracy": "nbtext"} | BASELINES).items())
    links = " ".join(f'<a href="#{_anchor(title)}">{title}</a>' for title in sections)
    yield f"</dl>\n<nav>{links}</nav>\n</header>\n<main>"


def _bar(name: str, figure: Figure) -> str:
    share = figure.value or 0.0
    return (
        f"<div><dt>{name}<b>{_percent(figure.value)}</b></dt>"
        f'<dd class="bar"><i style="width: {100 * share:.2f}%"></i></dd></div>'
    )


def _body(sections: Mapping[str, str]) -> Iterator[str]:
    for title, content in sections.items():
        yield f'<section id="{_anchor(title)}">\n<h2>{title}</h2>\n{content}\n</section>'


def _foot() -> Iterator[str]:
    yield f"</main>\n<footer>nbtext {__version__}</footer>\n</body>\n</html>"


# Sections: each is its HTML, or "" if there is nothing to say


def _figures(figures: Summary) -> str:
    titled = {name: figures.figures[key] for key, name in ({"accuracy": "accuracy"} | figure_names(figures)).items()}
    items = (f"<div><dt>{title}</dt><dd>{_figure(figure)}</dd></div>" for title, figure in titled.items())
    return f'<p class="note">{_figures_note(figures)}</p>\n<dl class="figures">{"".join(items)}</dl>'


def _figures_note(figures: Summary) -> str:
    parted = figures.figures["accuracy"].spread is not None
    return "Over all tested documents" + (", ± the standard deviation over the parts." if parted else ".")


def _classes(figures: Summary) -> str:
    rows = [
        (
            _label(label),
            *map(_figure, (each.precision, each.recall, each.f1, each.roc_area, each.average_precision)),
            f"{each.support:,}",
        )
        for label, each in figures.classes.items()
    ]
    means = [
        (name, *map(_figure, (each.precision, each.recall, each.f1)), "", "", "")
        for name, each in figures.means.items()
    ]
    head = ("class", "precision", "recall", "F1", "ROC area", "precision-recall area", "documents")
    return _table(head, [*rows, *means])


def _confusion(figures: Summary) -> str:
    many = " many" if len(figures.confusion) > FEW_CLASSES else ""
    columns = "".join(f'<th scope="col">{_cut(label)}</th>' for label in figures.confusion)
    rows = "\n".join(_row(truth, answers) for truth, answers in figures.confusion.items())
    return f"""<p class="note">Rows are true classes, columns are answers. Blue cells are right, orange \
ones wrong; the shade is the share of the row.</p>
<div class="confusion">{_scrolling("Confusion matrix")}<table class="matrix{many}">
<thead><tr><th scope="col">truth ↓ answer →</th>{columns}<th class="all" scope="col">all</th></tr></thead>
<tbody>
{rows}
</tbody></table></div>{_confused(figures)}</div>"""


def _row(truth: str, answers: Mapping[str, int]) -> str:
    documents = sum(answers.values())
    cells = "".join(_cell(count, documents, truth == answer) for answer, count in answers.items())
    return f'<tr><th scope="row">{_cut(truth)}</th>{cells}<td class="all">{documents:,}</td></tr>'


def _cell(count: int, documents: int, right: bool) -> str:
    share = count / documents if documents else 0.0
    kinds = {"right": right, "strong": share > STRONG, "none": not count}
    kind = " ".join(name for name, holds in kinds.items() if holds)
    attribute = f' class="{kind}"' if kind else ""
    number_shown = f"{count:,}" if count else "·"
    return f'<td{attribute} style="--share: {share:.1%}">{number_shown}</td>'


def _confused(figures: Summary) -> str:
    rows = [
        (_label(truth), _label(answer), f"{documents:,}") for truth, answer, documents in figures.confused[:CONFUSED]
    ]
    return "" if len(figures.confusion) <= 2 or not rows else _table(("truth", "taken for", "documents"), rows, text=1)


def _filter(positive: str | None, mail: MailFigures | None) -> str:
    if positive is None or mail is None:
        return ""
    rows = [
        ("false alarms", f"{mail.counts.false_alarms:,} of {mail.counts.ham:,}", _rate(mail.false_alarm_rate)),
        ("misses", f"{mail.counts.misses:,} of {mail.counts.spam:,}", _rate(mail.miss_rate)),
    ]
    costs = "".join(
        f"<div><dt>cost ratio at {cost:,}</dt><dd>{_figure(Figure(ratio))}</dd></div>"
        for cost, ratio in mail.cost_ratios.items()
    )
    note = (
        f"As a filter that stops {_label(positive)} and lets everything else through. The cost ratio says how many "
        "times more it would cost to have no filter, if a false alarm costs as much as so many misses; below 1 the "
        "filter does harm."
    )
    return (
        f'<p class="note">{note}</p>\n{_table(("error", "documents", "rate"), rows)}\n<dl class="figures">{costs}</dl>'
    )


def _curves(evaluation: Evaluation, figures: Summary) -> str:
    drawn = (
        f"<figure><h3>{plot.title}</h3>{plots.inline(plots.drawn(plot, 'svg'), plot.title)}"
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
            _figure(each.accuracy),
            *(("", "", "", "") if each.p is None else (each.won, each.tied, each.lost, number(each.p))),
        )
        for each in verdicts(evaluation.comparison, evaluation.repeats)
    ]
    note = (
        "Won: documents that only this setting got right; lost: that only the first got right. p: the probability that "
        "chance alone makes so large a difference, corrected for the number of comparisons."
    )
    table = _table(("setting", "accuracy", "won", "tied", "lost", "p"), [tuple(map(str, row)) for row in rows])
    return f'<p class="note">{note}</p>\n{table}'


def _words(insight: Insight | None) -> str:
    if insight is None:
        return ""
    groups = "".join(
        f"<div><h3>{_label(label)}</h3>{_tokens(found, 'tokens', weighed=False)}</div>"
        for label, found in insight.keywords.items()
    )
    note = "Words that are frequent in the class and rare in the others, the strongest first."
    return f'<p class="note">{note}</p>\n<div class="words">{groups}</div>'


def _errors(evaluation: Evaluation, insight: Insight | None, link: Link | None) -> str:
    errors = worst(evaluation.predictions)
    if not errors:
        return ""
    reasons = insight.reasons if insight else {}
    note = "The wrong answers given with the most confidence." + (
        " Each with the words that speak most for the answer and for the truth, in nats, from a model of all other "
        "documents."
        if reasons
        else ""
    )
    items = "\n".join(_error(each, reasons.get(each.name), link) for each in errors)
    return f'<p class="note">{note}</p>\n<ul class="errors">{items}</ul>'


def _error(error: Prediction, reasons: Reasons | None, link: Link | None) -> str:
    words = ""
    if reasons:
        sides = (("tokens astray", error.answer, reasons.astray), ("tokens kept", error.truth, reasons.right))
        pairs = (
            f"<div><dt>for {_label(v)}</dt><dd>{_tokens(found, kind)}</dd></div>" for kind, v, found in sides if found
        )
        words = f"<dl>{''.join(pairs)}</dl>"
    return (
        f'<li><p class="name">{_linked(error.name, link)}</p>'
        f'<p class="verdict">is <b>{_label(error.truth)}</b>, taken for <b>{_label(error.answer)}</b> '
        f"with {_sureness(error.confidence)}{_excerpt(error.excerpt)}</p>{words}</li>"
    )


def _excerpt(text: str) -> str:
    """How the text of a document begins."""
    return f"<br><small>{shown(text)}</small>" if text else ""


def _suspects(evaluation: Evaluation, link: Link | None) -> str:
    rows = [
        (
            _linked(each.name, link) + _excerpt(each.excerpt),
            _label(each.label),
            _label(each.instead),
            number(each.strength),
        )
        for each in evaluation.suspects or []
    ]
    if not rows:
        return ""
    note = "Documents that are probably mislabelled, the strongest first: check whether the label is right."
    return f'<p class="note">{note}</p>\n' + _table(("document", "label", "would be", "strength"), rows, text=2)


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


# Pieces


def _label(text: str) -> str:
    """A label or token in the running text, whose writing direction does not spill over."""
    return f"<bdi>{shown(text)}</bdi>"


def _cut(label: str) -> str:
    """A label that is shortened by the page where it is too long for the head of a row or column."""
    return f'<span title="{shown(label)}">{_label(label)}</span>'


def _linked(name: str, link: Link | None) -> str:
    address = link(name) if link else None
    return _label(name) if address is None else f'<a href="{escape(address)}">{_label(name)}</a>'


def _tokens(found: Sequence[Keyword | Pull], kind: str, *, weighed: bool = True) -> str:
    weights = [f" <small>{each.nats:.1f}</small>" if weighed else "" for each in found]
    items = "".join(f"<li>{_label(each.token)}{weight}</li>" for each, weight in zip(found, weights, strict=True))
    return f'<ul class="{kind}">{items}</ul>'


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], *, text: int = 0) -> str:
    """A table in its box; after the heads of the rows come `text` columns of text, then columns of numbers."""
    kinds = [' class="text"'] * text + [""] * (len(head) - 1 - text)
    first, *others = head
    heads = "".join(f'<th{kind} scope="col">{title}</th>' for kind, title in zip(kinds, others, strict=True))
    body = "\n".join(
        f'<tr><th scope="row">{row[0]}</th>'
        + "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, row[1:], strict=True))
        + "</tr>"
        for row in rows
    )
    return (
        f'{_scrolling(first)}<table>\n<thead><tr><th scope="col">{first}</th>{heads}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def _scrolling(name: str) -> str:
    """The box around a table; the keyboard can scroll it too."""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{name}">'


def _figure(figure: Figure) -> str:
    if figure.value is None:
        return "–"
    spread = "" if figure.spread is None else f" <small>±{figure.spread:.3f}</small>"
    return f"{figure.value:.3f}{spread}"


def _rate(figure: Figure) -> str:
    spread = "" if figure.spread is None else f" <small>±{_percent(figure.spread)}</small>"
    return f"{_percent(figure.value)}{spread}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _sureness(posterior: float) -> str:
    """A posterior, which is never quite certain."""
    return "over 99.9%" if posterior > 0.999 else _percent(posterior)


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")
