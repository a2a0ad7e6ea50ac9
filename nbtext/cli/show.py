"""nbtext show: what a model is, and what it knows."""

import os
from collections.abc import Iterable, Iterator

import click

from .. import report
from ..inference.calibration import FEWEST, Calibration
from ..inference.keywords import Entry, Lexicon, Telling
from ..model.model import Model
from ..model.overview import Overview, overview
from . import _options, _output
from ._declare import command_named, option


@command_named("show", epilog="Example: nbtext show --word lottery --json")
@_options.model_option
@option("--word", "words", multiple=True, metavar="W", help="Only what is known of this word; can be repeated.")
@option("--top", type=click.IntRange(min=1), metavar="N", help="Only the N most telling tokens of each class.")
@_options.json_option
def command(model_path: str, words: tuple[str, ...], top: int | None, as_json: bool) -> None:
    """Show what a model is, or what it knows of words.

    By itself: classes, settings, size, calibration, fingerprint, corpora. A word goes through the model's own
    tokenizer. P(w|v) is its smoothed probability in the class under the default reading.

    How telling a token is of a class: P(w|v) log(P(w|v) / P(w|not v)), its share, in nats, in the Kullback-Leibler
    divergence of the class from all the others. It is frequent in the class, and rarer elsewhere.
    """
    model = Model.open(model_path)
    if not words and top is None:
        seen = overview(model)
        _output.write(*([report.json_line(_record(seen, model_path))] if as_json else _lines(seen, model_path)))
        return
    lexicon = Lexicon(model)
    if words:
        decode = model.analysis.input().decode
        texts = [decode(os.fsencode(word)) for word in words]  # as the bytes of a document would be
        entries = [entry for text in texts for entry in lexicon.entries(lexicon.cut(text))]
        _output.write(*(map(_entry_json, entries) if as_json else _entry_lines(entries)))
    if top is not None:
        telling = lexicon.telling(top)
        _output.write(*(_telling_json(telling) if as_json else _telling_lines(telling)))


def _lines(seen: Overview, path: str) -> list[str]:
    rows = [("class", "documents", "tokens", "prior")]
    rows += [(report.escaped(c.label), str(c.documents), str(c.tokens), report.number(c.prior)) for c in seen.classes]
    rows += [("total", str(seen.documents), str(seen.tokens), "1")]
    settings = {
        "model": f"{report.escaped(path)}, {seen.bytes} bytes",
        "vocabulary": f"{seen.vocabulary} tokens",
        **seen.analysis._asdict(),
        **seen.reading._asdict(),
        "alpha": report.number(seen.reading.alpha),
        "stopwords": f"{len(seen.reading.stopwords)} tokens",
        "calibration": _calibration(seen.calibration),
        "remembered": "no documents (--no-track)" if seen.remembered is None else f"{seen.remembered} documents",
        "fingerprint": seen.fingerprint,
        "state": seen.state,
    }
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in settings.items()]
    return [*report.table(rows, "<>>>"), *lines, *(f"corpus: {report.escaped(corpus)}" for corpus in seen.corpora)]


def _calibration(calibration: Calibration) -> str:
    if calibration.t is not None:
        return f"T = {report.number(calibration.t)} * sqrt(L + 1), fitted on {calibration.documents} documents"
    if calibration.documents < FEWEST:
        return f"T = 1, for there are fewer than {FEWEST} documents to fit it on"
    return f"T = 1, for no temperature fits the {calibration.documents} documents it was tried on"


def _record(seen: Overview, path: str) -> dict[str, object]:
    return {
        "model": path,
        "bytes": seen.bytes,
        "classes": [entry._asdict() for entry in seen.classes],
        "documents": seen.documents,
        "tokens": seen.tokens,
        "vocabulary": seen.vocabulary,
        "analysis": seen.analysis._asdict(),
        "reading": seen.reading._asdict() | {"stopwords": sorted(seen.reading.stopwords)},
        "calibration": seen.calibration._asdict(),
        "remembered": seen.remembered,
        "fingerprint": seen.fingerprint,
        "state": seen.state,
        "corpora": seen.corpora,
    }


def _entry_lines(entries: Iterable[Entry]) -> list[str]:
    rows = [("token", "class", "occurrences", "documents", "P(w|v)")]
    for entry in entries:
        for label, occurrences in entry.occurrences.items():
            probability = report.number(entry.probabilities[label]) if entry.vocabulary else "-"
            rows.append(
                (entry.token, report.escaped(label), str(occurrences), str(entry.documents[label]), probability)
            )
    return report.table(rows, "<<>>>")


def _entry_json(entry: Entry) -> str:
    return report.json_line(entry._asdict())


def _telling_lines(telling: dict[str, list[Telling]]) -> list[str]:
    rows = [("class", "token", "nats", "inside", "elsewhere")]
    for label, tokens in telling.items():
        for token, nats, inside, elsewhere in tokens:
            rows.append((report.escaped(label), token, report.number(nats), str(inside), str(elsewhere)))
    return report.table(rows, "<<>>>")


def _telling_json(telling: dict[str, list[Telling]]) -> Iterator[str]:
    for label, tokens in telling.items():
        yield report.json_line({"class": label, "tokens": [token._asdict() for token in tokens]})
