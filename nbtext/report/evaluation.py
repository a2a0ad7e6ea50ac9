"""An evaluation as lines of text for people. Measures come from `evaluation.summary` and `evaluation.comparison`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import ceil

from ..escaping import escaped, number
from ..evaluation import Evaluation, Suspect
from ..evaluation.comparison import CurveRow, Verdict, advice, curve_rows, verdicts
from ..evaluation.figures import Figure
from ..evaluation.mail import Ceiling, MailFigures
from ..evaluation.summary import ClassFigures, Summary, WithUnread
from ..metrics.posteriors import Bin, Coverage
from . import table
from .confusion import confusion, short

DASH = "-"
CHOSEN = "chosen"  # the value shown for a setting that was chosen for each part
START_WIDTH = 40

Style = Callable[[str], str]

FIGURE_NAMES = {
    "balanced_accuracy": "balanced accuracy",
    "matthews": "Matthews correlation",
    "kappa": "Cohen's kappa",
    "top_2_accuracy": "truth among 2 likeliest",
    "top_3_accuracy": "truth among 3 likeliest",
    "roc_area": "ROC area",
    "average_precision": "precision-recall area",
    "log_loss": "log loss, nats",
    "brier": "Brier score, 0 to 2",
    "calibration_error": "expected calibration error",
    "risk_coverage_area": "risk-coverage area",
}
AMONG = {"top_2_accuracy": 2, "top_3_accuracy": 3}
BASELINES = {"largest_class": "always the largest class", "prior_guessing": "guessing by the priors"}
_MEANS = {
    "macro": "macro: each class once",
    "micro": "micro: each document once",
    "weighted": "weighted: each class by its documents",
}


def lines(evaluation: Evaluation, found: Summary, heading: Style = str) -> Iterator[str]:
    """The report as text, about a hundred columns wide at most.

    found    its summary
    heading  makes a heading bold, if that can be shown
    """
    yield from _head(evaluation, found)
    yield from _block(heading("accuracy"), _accuracy(evaluation, found))
    yield from _block(heading("classes"), _classes(found))
    yield from _block(heading("means"), _means(found))
    yield from _block(heading("confusion"), confusion(found))
    yield from _block(heading("measures"), _figures(evaluation, found))
    yield from _block(heading("reliability"), _reliability(found.reliability))
    yield from _block(heading("answering only when sure"), _coverage(found.coverage))
    if found.mail is not None:
        yield from _block(heading(f"{escaped(evaluation.positive or '')} against the rest"), _mail(found.mail))
    if evaluation.comparison:
        yield from _block(heading("comparison"), _comparison(verdicts(evaluation.comparison, evaluation.repeats)))
    if evaluation.curve:
        yield from _block(
            heading("learning curve"),
            _curve(curve_rows(evaluation.curve), advice(evaluation.curve, evaluation.repeats)),
        )
    if evaluation.suspects is not None:
        yield from _block(heading("suspects"), _suspects(evaluation.suspects))
    yield from _block(heading("notes"), [*map(escaped, evaluation.notes), *_legend(evaluation, found)])


def _block(heading: str, body: Iterable[str]) -> Iterator[str]:
    body = list(body)
    if body:
        yield ""
        yield heading
        yield from (f"  {line}".rstrip() for line in body)


def _value(value: float | None) -> str:
    return DASH if value is None else f"{value:.4f}"


def _figure(figure: Figure) -> str:
    """The value with its spread, if there is one."""
    if figure.value is None or figure.spread is None:
        return _value(figure.value)
    return f"{figure.value:.4f} ± {figure.spread:.4f}"


def _settings(settings: Mapping[str, object]) -> str:
    """The settings as users type them; stop words as their number, tuned settings as `chosen`, weights if any."""
    shown = {name: len(value) if isinstance(value, list) else value for name, value in settings.items()}
    if shown.get("weights") == "none":
        del shown["weights"]
    return " ".join(f"{name.replace('_', '-')}={CHOSEN if value is None else value}" for name, value in shown.items())


def _head(evaluation: Evaluation, found: Summary) -> list[str]:
    times = f", {evaluation.repeats} times" if evaluation.repeats > 1 else ""
    analysis, hyperparameters = evaluation.settings
    rows = [("method", evaluation.method)]
    rows += [("corpus", escaped(place)) for place in evaluation.corpora]
    rows += [("test", escaped(place)) for place in evaluation.tested]
    rows += [
        ("read as", _settings(analysis)),
        ("model", _settings(hyperparameters)),
        ("tested", f"{found.tested} documents of {len(evaluation.labels)} classes{times}"),
    ]
    return table(rows, "<<")


def _accuracy(evaluation: Evaluation, found: Summary) -> list[str]:
    low, high = found.interval
    figures = found.figures
    rows = [
        ("the model", _figure(figures["accuracy"]), f"95 % interval {low:.4f} to {high:.4f}"),
        *([] if found.with_unread is None else [_with_unread(found.with_unread)]),
        (BASELINES["largest_class"], _figure(figures["largest_class"]), ""),
        (BASELINES["prior_guessing"], _figure(figures["prior_guessing"]), "each class as often as in training"),
    ]
    body = table(rows, "<<<")
    if evaluation.unsure_below:
        body.append(
            f"unsure below {number(evaluation.unsure_below)}: {found.right} right + {found.wrong} wrong + "
            f"{found.unsure} unsure = {found.tested}"
        )
    return body


def _with_unread(all_of_them: WithUnread) -> tuple[str, str, str]:
    return ("including untested ones", _value(all_of_them.accuracy), unread_in_words(all_of_them))


def unread_in_words(all_of_them: WithUnread) -> str:
    """In words, which documents the figure with all documents includes.

    >>> unread_in_words(WithUnread(0.75, 12, 2, 0, 1))
    'all 12 documents: the prior is right for 1 of 2 empty ones'
    """
    said = []
    if all_of_them.empty:
        said.append(f"the prior is right for {all_of_them.right} of {all_of_them.empty} empty ones")
    if all_of_them.refused:
        said.append(f"{all_of_them.refused} not read, counted as wrong")
    return f"all {all_of_them.documents} documents: {'; '.join(said)}"


def _classes(found: Summary) -> list[str]:
    rows: list[tuple[str, ...]] = [("class", "documents", "precision", "recall", "F1", "ROC area")]
    rows += [_class_row(short(label), figures) for label, figures in found.classes.items()]
    return table(rows, "<>>>>>")


def _class_row(label: str, figures: ClassFigures) -> tuple[str, ...]:
    measured = (figures.precision, figures.recall, figures.f1, figures.roc_area)
    return (label, str(figures.support), *(_value(figure.value) for figure in measured))


def _means(found: Summary) -> list[str]:
    tested = sum(figures.support > 0 for figures in found.classes.values())
    rows: list[tuple[str, ...]] = [(f"over {tested} classes", "precision", "recall", "F1")]
    rows += [(_MEANS[name], *map(_figure, means)) for name, means in found.means.items()]
    return table(rows, "<<<<")


def _figures(evaluation: Evaluation, found: Summary) -> list[str]:
    area = "" if evaluation.positive is None else f" of {short(evaluation.positive)}"
    rows = []
    for key, name in figure_names(found).items():
        about = area if key in ("roc_area", "average_precision") else ""
        rows.append((name + about, _figure(found.figures[key])))
    return table(rows, "<<")


def figure_names(found: Summary) -> dict[str, str]:
    """The measures that are useful for this many classes: with two, the truth is always among the two likeliest."""
    return {key: name for key, name in FIGURE_NAMES.items() if AMONG.get(key, 0) < len(found.classes)}


def _reliability(bins: Sequence[Bin]) -> list[str]:
    rows = [("claimed", "documents", "mean claim", "right")]
    rows += [
        (f"{each.low:.1f} to {each.high:.1f}", str(each.documents), _value(each.confidence), _value(each.accuracy))
        for each in bins
    ]
    return table(rows, "<>>>")


def _coverage(coverage: Sequence[Coverage]) -> list[str]:
    rows = [("unsure below", "answered", "right of these")]
    rows += [(number(each.threshold), _value(each.share), _value(each.accuracy)) for each in coverage]
    return table(rows, "<>>")


def _mail(mail: MailFigures) -> list[str]:
    counts = mail.counts
    rows = [
        ("false alarms", f"{counts.false_alarms} of {counts.ham}", _figure(mail.false_alarm_rate)),
        ("misses", f"{counts.misses} of {counts.spam}", _figure(mail.miss_rate)),
    ]
    rows += [
        (
            "total cost ratio",
            f"alarm = {cost} {'miss' if cost == 1 else 'misses'}",
            DASH if ratio is None else f"{ratio:.2f}",
        )
        for cost, ratio in mail.cost_ratios.items()
    ]
    body = table(rows, "<<<")
    if mail.ceiling is not None:
        body += _ceiling(mail.ceiling)
    return body


def _ceiling(found: Ceiling) -> list[str]:
    """The options to paste, and what they do."""
    wanted = number(found.wanted)
    chosen = "held-out documents of the training part" if found.on_training else "these same documents: optimistic"
    if found.spam_above is None:
        return [f"no threshold keeps false alarms within {wanted} on {chosen}"]
    spam_above, ham_above = (_least(1.0 if each is None else each) for each in (found.spam_above, found.ham_above))
    counts = found.counts
    return [
        f"false alarms within {wanted}: nbtext filter --spam-above {spam_above} --ham-above {ham_above}",
        f"  chosen on {chosen};",
        f"  here it gives {counts.false_alarms} false alarms ({_value(counts.false_alarm_rate)}) "
        f"and {counts.misses} misses ({_value(counts.miss_rate)}); {found.unsure} messages are unsure",
    ]


def _least(posterior: float) -> str:
    """A threshold rounded up, with enough digits to stay below 1 if it is below 1.

    >>> _least(0.72000801), _least(0.99999997), _least(1.0)
    ('0.720009', '0.99999997', '1')
    """
    for digits in range(6, 16):
        shown = ceil(posterior * 10**digits) / 10**digits
        if shown < 1:
            return number(shown) if digits == 6 else f"{shown:.{digits}f}"
    return "1"


def _comparison(found: Sequence[Verdict]) -> list[str]:
    rows = [("setting", "accuracy", "won", "tied", "lost", "p", "")]
    for each in found:
        chance = "" if each.p is None else number(float(f"{each.p:.2g}"))
        verdict = "" if each.p is None else _verdict(each)
        won, tied, lost = ("", "", "") if each.p is None else (str(each.won), str(each.tied), str(each.lost))
        rows.append((escaped(each.setting), _figure(each.accuracy), won, tied, lost, chance, verdict))
    return table(rows, "<<>>>><")


def _verdict(each: Verdict) -> str:
    if not each.real:
        return "may be chance"
    return "better" if each.won > each.lost else "worse"


def _curve(rows: Sequence[CurveRow], sentence: str) -> list[str]:
    shown = [("share", "documents", "accuracy")]
    shown += [(f"1/{round(1 / row.share)}", str(row.documents), _figure(row.accuracy)) for row in rows]
    return [*table(shown, "<><"), sentence]


def _suspects(suspects: Sequence[Suspect]) -> list[str]:
    if not suspects:
        return ["none: no label contradicts the rest of the corpus"]
    rows = [("label", "suggested", "strength", "document", "text")]
    rows += [
        (short(each.label), short(each.instead), f"{each.strength:.3f}", escaped(each.name), _start(each.excerpt))
        for each in suspects
    ]
    return table(rows, "<<><<")


def _start(text: str) -> str:
    """The first words of a text, as many as a line has room for."""
    shown = escaped(text)
    return shown if len(shown) <= START_WIDTH else shown[: START_WIDTH - 3].rsplit(" ", 1)[0] + "..."


def _legend(evaluation: Evaluation, found: Summary) -> Iterator[str]:
    if len(evaluation.held) > 1:
        yield f"values are over all tested documents, ± the standard deviation over the {len(evaluation.held)} parts"
    if any(None in _values(figures) for figures in found.classes.values()):
        yield f"{DASH}: no value, because it is a share of documents of which there are none"
    if evaluation.comparison:
        yield "p: the probability of a difference this large by chance alone (McNemar's exact test, Holm's correction)"
    if evaluation.suspects:
        yield "strength: how much likelier the other label is, in nats per token"


def _values(figures: ClassFigures) -> list[float | None]:
    return [figure.value for figure in figures if isinstance(figure, Figure)]
