"""nbtext evaluate: how good a model is on documents that it has not learned."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from .. import report
from ..analysis import Analysis
from ..corpus.sources import Aside
from ..errors import CorpusError
from ..evaluation import FOLDS, SHARE, Evaluation
from ..model.model import Model
from ..report.records import FORMATS, prediction_lines
from ..settings import Hyperparameters, assigned
from . import _aside, _columns, _options, _output, _standard_input, _types
from ._declare import command_named, option
from ._pages import Pages

if TYPE_CHECKING:
    from ..evaluation.experiment import Setting
    from ..evaluation.summary import Summary


@command_named("evaluate", epilog="Example: nbtext evaluate corpus/ --compare alpha=0.1 --suspects 20")
@click.argument("corpora", metavar="[CORPUS...]", nargs=-1, type=_types.PATH)
@_options.model_option
@option(
    "--folds",
    type=int,
    metavar="K",
    help=f"Cross-validation: test each of K parts with a model of the others [default: {FOLDS}].",
)
@option("--split", type=float, metavar="F", help="Train on a share of each class, such as 0.8, and test on the rest.")
@option("--leave-one-out", is_flag=True, help="Test each document with a model of all others: exact, in one pass.")
@option(
    "--chronological",
    is_flag=True,
    help=f"Train on the oldest {SHARE:g} (or --split F), test on the newest, by the date of the mail or file.",
)
@option("--test", "tested", type=_types.PATH, metavar="CORPUS", multiple=True, help="Test on these documents.")
@option("--repeat", type=click.IntRange(min=1), default=1, metavar="R", help="Repeat R times with other random parts.")
@option("--seed", type=int, default=1, show_default=True, metavar="N", help="Random seed.")
@option("--positive", metavar="LABEL", help="Also measure this label against all others, such as spam.")
@option(
    "--max-false-alarms",
    type=_types.SHARE,
    metavar="S",
    help="Find the thresholds that keep false alarms within this share.",
)
@option(
    "--unsure-below",
    type=_types.SHARE,
    default=0.0,
    metavar="P",
    help="Count answers with a lower posterior as unsure.",
)
@option(
    "--compare",
    "compared",
    multiple=True,
    metavar="SETTING",
    help="Also try other settings, such as ngrams=2,alpha=0.1.",
)
@option(
    "--tune",
    is_flag=True,
    help="Choose event model, alpha and n-grams in each part, as train --tune does; needs a CORPUS.",
)
@option("--curve", is_flag=True, help="Show how accuracy grows with the number of training documents.")
@option(
    "--suspects",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="List N documents that are probably mislabelled.",
)
@option(
    "--predictions",
    "predictions_path",
    type=_types.PATH,
    metavar="FILE",
    help="Also write id, truth, answer and posterior of each document, as .csv, .tsv or .jsonl.",
)
@option(
    "--report",
    "page_path",
    type=_types.PATH,
    metavar="FILE",
    help="Also write an HTML page with plots, words and errors.",
)
@option("--plots", "plots_path", type=_types.PATH, metavar="DIR", help="Also write the plots into this folder.")
@option(
    "--plots-format",
    type=click.Choice(["svg", "png"]),
    default="svg",
    show_default=True,
    help="File format of --plots.",
)
@_options.analysis_options
@_options.hyperparameter_options
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
    predictions_path: str | None,
    page_path: str | None,
    plots_path: str | None,
    plots_format: str,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> int:
    """Measure how good a model is on documents it has not seen.

    CORPUS is a folder with one folder of texts per class, as for train. Without it, the corpus that the model was
    trained from is used; with --test and no CORPUS, the model itself is tested.
    """
    from ..evaluation.evaluate import Method, evaluate
    from ..evaluation.experiment import Wishes
    from ..evaluation.summary import summary

    named = _standard_input.corpora((*corpora, *tested))
    corpora, tested = named[: len(corpora)], named[len(corpora) :]
    _columns.settle(given, corpora)
    pages = Pages(page_path, plots_path, plots_format)
    pages.check()
    changed = _options.given(given, Analysis._fields)
    if tune:
        others = {"--leave-one-out": leave_one_out, "--compare": compared, "--curve": curve, "--suspects": suspects}
        _check_tuning(given, corpora, [name for name, value in others.items() if value])
    method = Method(split, folds, leave_one_out, chronological, repeat, seed)
    method.check(tested=bool(tested))
    model = None if corpora else Model.open(model_path)
    if predictions_path is not None:
        _check_predictions(predictions_path, [*named, *(model.corpora() if model else [])])
    if model is not None:
        _options.refuse_contradiction(changed, model.analysis, "; name a corpus to change it")
    analysis = Analysis(**changed) if model is None else model.analysis
    usual = Hyperparameters() if model is None else model.hyperparameters
    hyperparameters = _options.hyperparameters_of(given, analysis, usual)
    compare = [_setting(words, analysis, hyperparameters) for words in compared]
    aside: list[Aside] = []
    try:
        found = evaluate(
            corpora if corpora or tested else _recorded(model, model_path),
            model=model,
            test=tested,
            method=method,
            analysis=analysis,
            hyperparameters=hyperparameters,
            wishes=Wishes(positive, unsure_below, max_false_alarms, compare, curve, suspects),
            tune=tune,
            limits=_options.limits_of(given),
            report=aside.append,
            reading=_output.Progress("reading", quiet=quiet),
            testing=_output.Progress("testing", quiet=quiet),
        )
    except CorpusError:  # perhaps because of the documents left out
        _aside.complained(aside)
        _columns.suggest("evaluate", corpora or tested, analysis)
        raise
    figures = summary(found.evaluation)
    about = {"model": model_path} if model is not None else {}
    pages.write(found, figures, {**about, "date": _output.today()})
    if predictions_path is not None:
        _output.write_file(predictions_path, prediction_lines(found.evaluation.predictions, _format(predictions_path)))
    status = _aside.complained(found.aside)
    skipped = [f"skipped, {reason}: {len(names)}" for reason, names in _aside.by_reason(found.aside).items()]
    notes = [*found.evaluation.notes, *skipped]
    _write(found.evaluation._replace(notes=notes), figures, as_json=as_json)
    return status


def _setting(words: str, analysis: Analysis, hyperparameters: Hyperparameters) -> "Setting":
    """The setting that --compare names."""
    from ..evaluation.experiment import Setting

    changes = assigned(words)
    ngrams = int(changes.pop("ngrams", analysis.ngrams))
    analysis._replace(ngrams=ngrams).tokenize()  # refuses an impossible number
    return Setting(words, _options.hyperparameters_of(changes, analysis, hyperparameters), ngrams)


def _format(path: str) -> str:
    """The format by the suffix of the file's name; csv for standard output."""
    return "csv" if path == "-" else path.rpartition(".")[2].lower()


def _check_predictions(path: str, inputs: Sequence[str]) -> None:
    """Refuse a file of predictions whose format is not known, or that would replace an input."""
    if _format(path) not in FORMATS:
        endings = ", ".join(f".{each}" for each in FORMATS)
        raise click.UsageError(f"--predictions {path}: the name must end in {endings}")
    if os.path.exists(path) and any(os.path.exists(each) and os.path.samefile(path, each) for each in inputs):
        raise click.UsageError(f"--predictions {path}: an input, which would be overwritten; name another file")


def _check_tuning(given: dict[str, Any], corpora: Sequence[str], others: Sequence[str]) -> None:
    """Refuse options that cannot be combined with --tune."""
    if not corpora:
        raise click.UsageError("--tune needs a corpus: name the one that the model was trained from")
    _options.refuse_tuned(given)
    if others:
        raise click.UsageError(f"--tune cannot be combined with {', '.join(others)}")


def _recorded(model: Model | None, path: str) -> tuple[str, ...]:
    corpora = tuple(model.corpora()) if model is not None else ()
    if not corpora:
        raise click.UsageError(f"{path} does not know the corpus that it was trained from; name one")
    return corpora


def _write(evaluation: Evaluation, figures: "Summary", *, as_json: bool) -> None:
    from ..report.evaluation import lines
    from ..report.evaluation_record import record

    if as_json:
        _output.write(report.json_line(record(evaluation, figures)))
    else:
        _output.write(*lines(evaluation, figures, lambda text: _output.styled(text, bold=True)))
