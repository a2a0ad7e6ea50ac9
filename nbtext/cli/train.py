"""nbtext train: makes a model from labelled documents."""

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import click

from .. import report
from ..corpus.sources import Aside
from ..corpus.walking import mail_reader
from ..decoding import read_as
from ..errors import CorpusError
from ..escaping import escaped, number
from ..settings import Hyperparameters
from . import _aside, _columns, _options, _output, _standard_input, _summary, _types
from ._declare import command_named, option
from ._output import complain

if TYPE_CHECKING:
    from ..engines._sharing import Team
    from ..training.tuning import Standing

NAMED = 3  # how many of the documents skipped for one reason the summary names


@command_named("train", epilog="Example: nbtext train tickets.csv --text problem --label queue --tune")
@click.argument("corpora", metavar="CORPUS...", nargs=-1, required=True, type=_types.PATH)
@_options.model_option
@_options.no_clobber_option
@_options.analysis_options
@_options.hyperparameter_options
@option("--no-track", is_flag=True, help="Do not record which documents were learned.")
@option("--tune", is_flag=True, help="Choose event model, alpha, n-grams and weights on held-out documents.")
@option(
    "--partial", "allow_partial", is_flag=True, help="Train even if a folder cannot be read, without what is in it."
)
@option("--allow-single-class", is_flag=True, help="Train even if there is only one class.")
@_options.jobs_option
@option(
    "--memory",
    type=_types.size,
    metavar="SIZE",
    help="Memory for counting, all processes together, such as 400M or 2G; counts that need more go to disk "
    "[default: a quarter of all memory]. --tune and --weights fitted keep all documents in memory.",
)
@option(
    "--engine",
    type=_types.Name("engines"),
    metavar="NAME",
    help="Share the work with other machines: dask.",
)
@option("--scheduler", metavar="ADDRESS", help="Address of the engine's scheduler.")
@_options.json_option
@_options.quiet_option
def command(
    corpora: tuple[str, ...],
    model_path: str,
    no_clobber: bool,
    no_track: bool,
    tune: bool,
    allow_partial: bool,
    allow_single_class: bool,
    jobs: int | None,
    memory: int | None,
    engine: str | None,
    scheduler: str | None,
    as_json: bool,
    quiet: bool,
    **settings: Any,
) -> int:
    """Train a model from folders or tables of labelled documents.

    A CORPUS is a folder with one folder per class, the texts at any depth below it. It can also be a file of records
    that have labels (.csv, .tsv, .jsonl, or another format that --reader names), or - for standard input. Prints the
    classes with their documents and tokens, and what was left out and why. An existing model is replaced, unless
    --no-clobber is given.
    """
    from ..training.training import train

    corpora = _standard_input.corpora(corpora)
    _columns.settle(settings, corpora)
    analysis = _options.analysis_of(settings)
    hyperparameters = _options.hyperparameters_of(settings, analysis)
    if tune:
        _options.refuse_tuned(settings)
    replaces = _options.replaces(model_path, no_clobber)
    aside: list[Aside] = []
    standings: list[Standing] = []
    try:
        with _team(engine, scheduler) as team:
            model = train(
                corpora,
                model_path,
                analysis,
                hyperparameters,
                track=not no_track,
                allow_single_class=allow_single_class,
                allow_partial=allow_partial,
                jobs=jobs or (team.workers if team else None),
                executor=team.executor if team else None,
                memory=memory,
                tune=standings.extend if tune else None,
                weights=hyperparameters.weights if tune and settings["weights"] else None,
                limits=_options.limits_of(settings),
                note=complain,
                report=aside.append,
                progress=_output.Progress("reading", quiet=quiet),
            )
    except CorpusError:  # perhaps because of the documents left out
        _aside.complained(aside)
        for line in _counted(_aside.by_reason(aside)):
            complain(line)
        _columns.suggest("train", corpora, analysis)
        raise
    if settings["reader"] is None and (reader := mail_reader(corpora)):
        complain(f"these look like messages, which were read as plain text; --reader {reader} reads them as mail")
    status = _aside.complained(aside)
    skipped = _aside.by_reason(aside)
    not_utf_8 = _aside.untold(aside)
    if as_json:
        left_out = {"skipped": skipped, "not_utf_8": not_utf_8}
        tuned = {"tuned": [_standing_record(standing, hyperparameters) for standing in standings]} if tune else {}
        _output.write(
            report.json_line({**_summary.record(model, model_path), "replaced": replaces, **left_out, **tuned})
        )
    else:
        notes = [_named(f"not UTF-8, read as {read_as(analysis.encoding)}", not_utf_8)] if not_utf_8 else []
        notes += _columns.lines(corpora, analysis)
        summary = _summary.lines(model, model_path, replaces, [*_counted(skipped), *notes])
        _output.write(*_standings(standings, hyperparameters), *summary)
    return status


def _team(engine: str | None, scheduler: str | None) -> "AbstractContextManager[Team | None]":
    """The workers of the engine, or None if none is named."""
    if engine is None:
        if scheduler is not None:
            raise click.UsageError("--scheduler needs an --engine")
        return nullcontext()
    from .. import engines, plugins

    found: engines.Engine = plugins.module(engines, engine)  # type: ignore[assignment]
    return found.team(scheduler)


def _counted(skipped: dict[str, list[str]]) -> list[str]:
    return [_named(f"skipped, {reason}", names) for reason, names in skipped.items()]


def _named(what: str, names: list[str]) -> str:
    some = ", ".join(map(escaped, names[:NAMED])) + (", ..." if len(names) > NAMED else "")
    return f"{what}: {len(names)} ({some})"


def _standings(standings: "list[Standing]", hyperparameters: Hyperparameters) -> list[str]:
    """The results of the settings in tuning, as a table; the chosen one comes first."""
    if not standings:
        return []
    usual = hyperparameters.smoothing  # alpha, which tuning chooses, is as Table 6.2 has it
    name = usual.split()[0]
    rows = [["event model", name, "n-grams", "weights", "tested", "right", "log loss", "won", "lost", "p"]]
    for standing in standings:
        event_model, alpha, ngrams, weights, tokenizer = standing.setting
        won_and_lost = [str(standing.won), str(standing.lost), number(standing.p)]
        share = f"{standing.right / standing.tested:.4f}"
        row = [
            event_model,
            number(hyperparameters.m or alpha),
            str(ngrams),
            f"{weights}, chars" if tokenizer else weights,
            str(standing.tested),
            share,
            "" if standing.log_loss is None else f"{standing.log_loss:.4f}",
        ]
        rows.append([*row, *won_and_lost])
    lines = report.table(rows, "<>><>>>>>>")
    lines[1] = _output.styled(lines[1], bold=True)
    return [
        *lines,
        f"the first line is chosen; won, lost, p: against multinomial, {usual}, n-grams 1, by McNemar's exact test",
        "log loss: mean of -log(posterior of the true class), in nats, on held-out documents",
        *_gain(standings, hyperparameters),
        "",
    ]


def _gain(standings: "list[Standing]", hyperparameters: Hyperparameters) -> list[str]:
    """In words, which setting was chosen and how much better it is than the default."""
    from ..training.choosing import TABLE_6_2

    best = standings[0]
    default = next(standing for standing in standings if standing.setting == TABLE_6_2)
    if best is default:
        usual = f"multinomial, {hyperparameters.smoothing}, single words"
        return [f"chosen: the defaults of Table 6.2 ({usual}); no other setting is clearly better"]
    event_model, _, ngrams, weights, tokenizer = best.setting
    tokens = "words and pairs of words" if ngrams > 1 else "single words"
    if tokenizer:
        tokens = "words, pairs of words and character n-grams"
    counting = ", weighted by how frequent and how decisive they are" if weights != "none" else ""
    rights = [f"{standing.right / standing.tested:.1%}".replace("%", " %") for standing in (best, default)]
    return [
        f"chosen: {event_model}, {best.setting.of(hyperparameters).smoothing}, {tokens}{counting}",
        f"gained: {rights[0]} right instead of {rights[1]} by Table 6.2 on held-out documents",
    ]


def _standing_record(standing: "Standing", hyperparameters: Hyperparameters) -> dict[str, object]:
    figures = standing._asdict()
    setting = figures.pop("setting")._asdict()
    setting["chars"] = bool(setting.pop("tokenizer"))
    if hyperparameters.m is not None:
        del setting["alpha"]
        setting["m"] = hyperparameters.m
    return {**setting, **figures}
