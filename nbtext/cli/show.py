"""nbtext show: shows the classes, settings and words of a model."""

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from .. import report
from ..escaping import escaped, number
from ..fields import attribute_name, token_asked, token_shown
from ..inference.calibration import FEWEST, Calibration
from ..inference.weighting import FREQUENCIES, SPREADS, Weighting
from ..model.lexicon import Entry, Lexicon
from ..model.model import Model
from ..model.overview import Overview, overview
from . import _options, _output, _types
from ._declare import command_named, option

if TYPE_CHECKING:
    from ..inference.keywords import Keyword


TOP = 20  # keywords shown of a class named by LABEL


@command_named("show", epilog="Example: nbtext show spam --top 10")
@click.argument("labels", metavar="[LABEL]...", nargs=-1, type=_types.Label())
@_options.model_option
@option("--word", "words", multiple=True, metavar="W", help="Show only this word's counts; can be repeated.")
@option("--fractions", is_flag=True, help="With --word: show P(w|v) as a fraction of counts.")
@option("--top", type=click.IntRange(min=1), metavar="N", help="Show only the N keywords of each class [default: 20].")
@_options.json_option
def command(
    labels: tuple[str, ...], model_path: str, words: tuple[str, ...], fractions: bool, top: int | None, as_json: bool
) -> None:
    """Show the classes and settings of a model, or its words.

    Without LABEL, --word and --top: classes, settings, size, calibration, fingerprint, corpora. With --word: the counts
    of a word in each class, and P(w|v), its smoothed probability in that class under the model's own settings.

    With LABEL: the keywords of this class; with --top alone: those of each class. Keywords are tokens that are frequent
    in the class and rare elsewhere, sorted by P(w|v) log(P(w|v) / P(w|not v)), in nats.
    """
    model = Model.open(model_path)
    for label in labels:
        model.index(label)
    if not words and top is None and not labels:
        seen = overview(model)
        if as_json:
            _output.write(report.json_line(_record(seen, model_path)))
        else:
            _output.write(*_lines(seen, model_path), *_attribute_lines(model))
        return
    lexicon = Lexicon(model)
    if words:
        decode = model.analysis.input().decode
        texts = [decode(os.fsencode(word)) for word in words]  # as the bytes of a document would be
        texts = [token_asked(text, model.attributes.numbers) if model.attributes else text for text in texts]
        entries = [entry for text in texts for entry in lexicon.entries(lexicon.cut(text))]
        records = (report.json_line(entry.plain()) for entry in entries)
        _output.write(*(records if as_json else _entry_lines(entries, fractions=fractions)))
    if top is not None or labels:
        keywords = lexicon.keywords(top or TOP)
        keywords = {label: keywords[label] for label in labels or keywords if label in keywords}
        _output.write(*(_keyword_json(keywords) if as_json else _keyword_lines(keywords)))


def _lines(seen: Overview, path: str) -> list[str]:
    rows = [("class", "documents", "tokens", "prior")]
    rows += [(escaped(c.label), str(c.documents), str(c.tokens), number(c.prior)) for c in seen.classes]
    rows += [("total", str(seen.documents), str(seen.tokens), "1")]
    settings = {
        "model": f"{path}, {seen.bytes} bytes",
        "vocabulary": f"{seen.vocabulary} tokens",
        **seen.analysis.plain(),
        **{name: number(each) if type(each) is float else each for name, each in seen.hyperparameters.plain().items()},
        "stopwords": f"{len(seen.hyperparameters.stopwords)} tokens",
        "calibration": "by the weights" if seen.hyperparameters.is_weighted else _calibration(seen.calibration),
        "remembered": "no documents (--no-track)" if seen.remembered is None else f"{seen.remembered} documents",
        "fingerprint": seen.fingerprint,
        "state": seen.state,
    }
    lines = [f"{name.replace('_', '-')}: {escaped(str(value))}" for name, value in settings.items()]
    return [
        *report.table(rows, "<>>>"),
        *lines,
        *(f"corpus: {escaped(corpus)}" for corpus in seen.corpora),
        *(_weight_lines(seen.weighting) if seen.weighting and seen.hyperparameters.is_weighted else []),
    ]


def _weight_lines(weighting: Weighting) -> list[str]:
    """The weight of a token, by its kind, how many documents contain it, and how strongly it separates the classes."""
    rows = [["weight of a", "in documents", *(f"{spread:g} nats" for spread in SPREADS)]]
    for kind in weighting.kinds:
        for i, frequency in enumerate(FREQUENCIES):
            own = weighting.shared[kind][i * len(SPREADS) : (i + 1) * len(SPREADS)]
            documents = f"{frequency} or more" if i == len(FREQUENCIES) - 1 else str(frequency)
            rows.append([escaped(kind), documents, *(f"{weight:.2f}" for weight in own)])
    worth = [[escaped(attribute_name(name)), f"{weight:.2f}"] for name, weight in weighting.attributes.items()]
    largest = max((abs(n) for own in weighting.deviations.values() for row in own.values() for n in row), default=0.0)
    return [
        "",
        *report.table(rows, "<>" + ">" * len(SPREADS)),
        *(report.table([["weight of an attribute", ""], *worth], "<>") if worth else []),
        f"fitted on {weighting.documents} documents, each as if not learned; weights in between are interpolated",
        "nats: how strongly a token separates the classes; a token with weight 0 is ignored",
        *([f"each class has its own deviations from these weights, up to {largest:.2f}"] if largest else []),
    ]


def _calibration(calibration: Calibration) -> str:
    if calibration.t is not None:
        return f"T = {number(calibration.t)} * sqrt(L + 1), fitted on {calibration.documents} documents"
    if calibration.documents < FEWEST:
        return f"T = 1, because it takes at least {FEWEST} documents to fit it"
    return f"T = 1, because no temperature fits the {calibration.documents} documents that were tried"


def _record(seen: Overview, path: str) -> dict[str, object]:
    return {
        "model": path,
        "bytes": seen.bytes,
        "classes": [entry._asdict() for entry in seen.classes],
        "documents": seen.documents,
        "tokens": seen.tokens,
        "vocabulary": seen.vocabulary,
        "analysis": seen.analysis.plain(),
        "hyperparameters": seen.hyperparameters.plain(),
        "calibration": seen.calibration._asdict(),
        **({"weighting": seen.weighting.plain()} if seen.weighting else {}),
        "remembered": seen.remembered,
        "fingerprint": seen.fingerprint,
        "state": seen.state,
        "corpora": seen.corpora,
    }


def _entry_lines(entries: Iterable[Entry], *, fractions: bool) -> list[str]:
    rows = [("token", "class", "occurrences", "documents", "P(w|v)")]
    for entry in entries:
        for label, occurrences in entry.occurrences.items():
            probability = "-"
            if entry.probabilities:
                probability = str(entry.estimates[label]) if fractions else number(entry.probabilities[label])
            rows.append(
                (
                    escaped(token_shown(entry.token)),
                    escaped(label),
                    str(occurrences),
                    str(entry.documents[label]),
                    probability,
                )
            )
    return report.table(rows, "<<>>>")


def _keyword_lines(keywords: "dict[str, list[Keyword]]") -> list[str]:
    rows = [("class", "token", "nats", "inside", "elsewhere")]
    for label, tokens in keywords.items():
        for token, nats, inside, elsewhere in tokens:
            rows.append((escaped(label), escaped(token), number(nats), str(inside), str(elsewhere)))
    return report.table(rows, "<<>>>")


def _keyword_json(keywords: "dict[str, list[Keyword]]") -> Iterator[str]:
    for label, tokens in keywords.items():
        yield report.json_line({"class": label, "tokens": [token._asdict() for token in tokens]})


def _attribute_lines(model: Model) -> list[str]:
    """The attributes of a model: for a category the number of its values, for a number its mean in each class."""
    totals = model.attributes
    if not totals:
        return []
    lines = [
        f"category {escaped(attribute_name(name))}: {category.values} values in {sum(category.documents)} documents"
        for name, category in sorted(totals.categories.items())
    ]
    for name, each in sorted(totals.numbers.items()):
        known = [
            f"{escaped(label)} {number(float(moments.mean))} ± {number(moments.deviation)}"
            for label, moments in zip(model.labels, each.moments, strict=True)
            if moments.size
        ]
        lines.append(f"number {escaped(attribute_name(name))}: {', '.join(known)}")
    return lines
