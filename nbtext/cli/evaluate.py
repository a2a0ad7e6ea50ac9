"""nbtext evaluate: how good a model is, on documents that it has not learned."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import click

from .. import report
from ..analysis import Analysis
from ..classification.decision import Classifier
from ..corpus.sources import Aside, Found
from ..corpus.walking import labelled
from ..engines._sharing import unswept
from ..errors import CorpusError
from ..evaluation import Evaluation, parts
from ..evaluation.examples import Example, examples
from ..evaluation.experiment import Wishes, evaluated, evaluated_model, settings
from ..evaluation.summary import Summary, summary
from ..inference.reading import Reading
from ..model.model import Model
from ..report.evaluation import lines, record
from ..training.tuning import NGRAMS, chosen
from . import _aside, _options, _output
from ._declare import command_named, option
from ._pages import Pages

FOLDS = 10
SHARE = 0.8


class Method(NamedTuple):
    """How documents are to be held out, as given on the command line."""

    split: float | None
    folds: int | None
    leave_one_out: bool
    chronological: bool
    repeat: int
    seed: int

    def parts(self, documents: Sequence[Example]) -> parts.Parts:
        """The documents to be held out."""
        if self.leave_one_out:
            return parts.by_itself(documents)
        if self.chronological:
            return parts.by_time(documents, SHARE if self.split is None else self.split)
        if self.split is not None:
            return parts.by_split(documents, self.split, self.seed, self.repeat)
        if self.folds is not None:
            return parts.by_folds(documents, self.folds, self.seed, self.repeat)
        usual = parts.by_folds(documents, FOLDS, self.seed, self.repeat)
        return usual._replace(method=f"{usual.method} (the default)")


@command_named("evaluate", epilog="Example: nbtext evaluate corpus/ --compare alpha=0.1 --suspects 20")
@click.argument("corpora", metavar="[CORPUS...]", nargs=-1)
@_options.model_option
@option("--folds", type=int, metavar="K", help=f"Test each of K parts by a model of the others [default: {FOLDS}].")
@option("--split", type=float, metavar="F", help="Train on this share of each class, as in 0.8, test on the rest.")
@option("--leave-one-out", is_flag=True, help="Test each document by a model of all others: exact, in one pass.")
@option(
    "--chronological",
    is_flag=True,
    help=f"Train on the oldest {SHARE:g} (or --split F), test on the newest: by the date of mail, else of the file.",
)
@option("--test", "tested", metavar="CORPUS", multiple=True, help="Test on these documents.")
@option("--repeat", type=click.IntRange(min=1), default=1, metavar="R", help="Do it R times, with new parts.")
@option("--seed", type=int, default=1, show_default=True, metavar="N", help="What chance depends on.")
@option("--positive", metavar="LABEL", help="Measure telling this label from the rest, as spam from ham.")
@option("--max-false-alarms", type=_options.SHARE, metavar="S", help="Find the threshold that keeps to this share.")
@option("--unsure-below", type=_options.SHARE, default=0.0, metavar="P", help="Count answers below it apart.")
@option(
    "--compare", "compared", multiple=True, metavar="SETTING", help="Try another, as in event-model=binary,alpha=0.1."
)
@option(
    "--tune",
    is_flag=True,
    help="Choose event model, alpha and n-grams for each part of a named corpus, as train --tune.",
)
@option("--curve", is_flag=True, help="Show how accuracy grows with the training part.")
@option(
    "--suspects", type=click.IntRange(min=0), default=0, metavar="N", help="Name N documents that look mislabelled."
)
@option("--report", "page_path", metavar="FILE", help="Also write a page with plots, words and errors, as HTML.")
@option("--plots", "plots_path", metavar="DIR", help="Also write the plots, each to a file in this folder.")
@option("--plots-format", type=click.Choice(["svg", "png"]), default="svg", show_default=True, help="Of --plots.")
@_options.analysis_options
@_options.reading_options
@_options.json_option
@_options.quiet_option
def command(
    corpora: tuple[str, ...],
    model_path: str,
    folds: int | None,
    split: float | None,
    leave_one_out: bool,
    chronological: bool,
    tested: tuple[str, ...],
    repeat: int,
    seed: int,
    positive: str | None,
    max_false_alarms: float | None,
    unsure_below: float,
    compared: tuple[str, ...],
    tune: bool,
    curve: bool,
    suspects: int,
    page_path: str | None,
    plots_path: str | None,
    plots_format: str,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> int:
    """Measure how good a model is on documents it has not seen.

    CORPUS are folders with one folder of texts per class, as for train. With none, the corpus that the model was
    trained from is taken, or with --test the model itself is tested, as it stands.
    """
    method = Method(split, folds, leave_one_out, chronological, repeat, seed)
    _check(method, tested)
    pages = Pages(page_path, plots_path, plots_format)
    pages.check()
    changed = _options.given(given, Analysis._fields)
    if tune:
        others = {"--leave-one-out": leave_one_out, "--compare": compared, "--curve": curve, "--suspects": suspects}
        _check_tuning(given, corpora, [name for name, value in others.items() if value])
        changed["ngrams"] = max(NGRAMS)
    model = None if corpora else Model.open(model_path)
    if model is not None:
        _options.refuse_contradiction(changed, model.analysis, "; name a corpus to change it")
    analysis = Analysis(**changed) if model is None else model.analysis
    reading = _options.reading_of(given, analysis, Reading() if model is None else model.reading)
    compare = [(setting, _options.reading_of(settings(setting), analysis, reading)) for setting in compared]
    wishes = Wishes(positive, unsure_below, max_false_alarms, compare, curve, suspects)
    aside: list[Aside] = []
    documents: list[Example] = []
    documents_in = _reader(analysis, aside, quiet=quiet)
    with unswept():
        if model is not None and tested:
            found = documents_in(_tested_sources(tested, analysis))
            evaluation = evaluated_model(Classifier(model, reading), _some(found, tested), tested, wishes)
        else:
            corpora = corpora or _recorded(model, model_path)
            documents = list(documents_in(_sources(corpora, analysis)))
            test = list(_some(documents_in(_tested_sources(tested, analysis)), tested)) if tested else []
            held_out = parts.as_given(documents, test) if tested else method.parts(documents)
            documents += test
            testing = _output.Progress("testing", quiet=quiet)
            evaluation = evaluated(
                documents,
                held_out,
                analysis,
                reading,
                corpora,
                tested,
                wishes,
                tune=chosen if tune else None,
                seed=seed,
                progress=testing,
            )
    figures = summary(evaluation)
    pages.write(evaluation, figures, documents)
    status = _aside.complained(aside)
    skipped = [f"skipped, {reason}: {len(names)}" for reason, names in _aside.by_reason(aside).items()]
    _write(evaluation._replace(notes=[*evaluation.notes, *skipped]), figures, as_json=as_json)
    return status


def _check_tuning(given: dict[str, Any], corpora: Sequence[str], others: Sequence[str]) -> None:
    """Refuse what tuning has no part for."""
    if not corpora:
        raise click.UsageError("--tune needs a corpus to count anew: name the one that the model was trained from")
    _options.refuse_tuned(given)
    if others:
        raise click.UsageError(f"--tune goes with a split, folds or a test corpus, but not with {', '.join(others)}")


def _check(method: Method, tested: Sequence[str]) -> None:
    """Refuse what makes no sense before anything is read."""
    ways = {
        "--folds": method.folds is not None,
        "--split": method.split is not None and not method.chronological,
        "--leave-one-out": method.leave_one_out,
        "--chronological": method.chronological,
        "--test": bool(tested),
    }
    chosen = [name for name, is_chosen in ways.items() if is_chosen]
    if len(chosen) > 1:
        raise click.UsageError(f"{' and '.join(chosen)}: choose one way to hold documents out")
    if method.repeat > 1 and chosen and chosen[0] not in ("--folds", "--split"):
        raise click.UsageError(f"--repeat does nothing new with {chosen[0]}: no chance is in it")
    if method.split is not None:
        parts.check_share(method.split)
    if method.folds is not None:
        parts.check_folds(method.folds)


def _recorded(model: Model | None, path: str) -> tuple[str, ...]:
    corpora = tuple(model.corpora()) if model is not None else ()
    if not corpora:
        raise click.UsageError(f"{path} names no corpus that it was trained from; name one")
    return corpora


def _sources(corpora: Iterable[str], analysis: Analysis) -> list[Found]:
    loose = analysis.input().reader.LABELLED
    return [item for root in corpora for item in labelled(root, loose=loose)]


def _tested_sources(corpora: Iterable[str], analysis: Analysis) -> list[Found]:
    try:
        return _sources(corpora, analysis)
    except CorpusError as error:
        raise click.UsageError(f"--test {error}") from None


def _reader(analysis: Analysis, aside: list[Aside], *, quiet: bool) -> Callable[[Sequence[Found]], Iterator[Example]]:
    progress = _output.Progress("reading", quiet=quiet)
    return lambda sources: examples(sources, analysis, aside.append, progress)


def _some(documents: Iterator[Example], tested: Iterable[str]) -> Iterator[Example]:
    """The documents, of which there must be one at least."""
    first = next(documents, None)
    if first is None:
        raise click.UsageError(f"--test {', '.join(tested)}: no document there has a label and a token to test on")
    return chain([first], documents)


def _write(evaluation: Evaluation, figures: Summary, *, as_json: bool) -> None:
    if as_json:
        _output.write(report.json_line(record(evaluation, figures)))
    else:
        _output.write(*lines(evaluation, figures, lambda text: _output.styled(text, bold=True)))
