"""Options that several commands share, and the settings that they give."""

import os
import sys
from collections.abc import Callable, Iterable
from typing import Any

import click

from ..analysis import Analysis
from ..decoding import DOCUMENT_BYTES, READ, SKIP, Limits
from ..model.model import DEFAULT_PATH
from ..settings import WEIGHTED_EVENT_MODEL, Hyperparameters
from . import _columns
from ._declare import Function, option
from ._types import PATH, SHARE, UNITS, Label, Name, listed, model_path, size


def _names(package: str) -> str:
    return ", ".join(listed(package))


def named(_: click.Context, __: click.Parameter, path: str) -> str:
    """The path.

    Raises: BadParameter if it is empty.
    """
    if not path:
        raise click.BadParameter("a path cannot be empty; is a variable not set?")
    if path.endswith(os.sep) and not os.path.isdir(path):
        raise click.BadParameter(
            f"{path} would be a folder, and a model is a file; name one, as in {path}{DEFAULT_PATH}"
        )
    return path


model_option = option(
    "-m",
    "--model",
    "model_path",
    metavar="PATH",
    type=PATH,
    callback=named,
    default=model_path,
    help=f"The model file [default: $NBTEXT_MODEL or {DEFAULT_PATH}].",
)
no_clobber_option = option("--no-clobber", is_flag=True, help="Refuse to replace an existing file.")
json_option = option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
label_argument = click.argument("label", metavar="LABEL", type=Label())
jobs_option = option(
    "-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="Number of parallel workers [default: one per core]."
)
unsure_option = option(
    "--unsure-below", type=SHARE, default=0.0, metavar="P", help="Answer unsure if the posterior is below P."
)
raw_option = option("--raw", is_flag=True, help="Print posteriors as Bayes' rule gives them, not calibrated.")
silent_option = option("-q", "--quiet", is_flag=True, help="Print nothing.")
quiet_option = option("-q", "--quiet", is_flag=True, help="Show no progress bar.")


def replaces(model_path: str, no_clobber: bool) -> bool:
    """Whether making the model replaces a file.

    Raises: UsageError if it does, and `--no-clobber` forbids that.
    """
    exists = os.path.exists(model_path)
    if exists and no_clobber:
        raise click.UsageError(f"{model_path} exists already, and --no-clobber keeps it")
    return exists


def _with(function: Function, *options: Callable[[Function], Function]) -> Function:
    """The function with the options; help lists them in this order."""
    for decorate in reversed(options):
        function = decorate(function)
    return function


def hyperparameter_options(function: Function) -> Function:
    """Options that choose how counts become scores, each None unless given."""
    return _with(
        function,
        option(
            "--event-model",
            type=Name("event_models"),
            metavar="NAME",
            help=f"Event model: {_names('event_models')}.",
        ),
        option(
            "--alpha", type=float, metavar="A", help="Smoothing: the count added for every token and class, above 0."
        ),
        option(
            "--m",
            type=float,
            metavar="M",
            help="Smoothing by an m-estimate instead: M counts shared equally by all tokens, or values.",
        ),
        option(
            "--prior",
            metavar="P",
            help="Class priors: learned, uniform, smoothed=A, or LABEL=P,... (other classes share the rest).",
        ),
        option(
            "--stopwords",
            type=PATH,
            metavar="LIST",
            help="Ignore stop words: a language, such as en, a file of them, or none.",
        ),
        option("--drop-top", type=int, metavar="N", help="Ignore the N most frequent tokens."),
        option("--min-count", type=int, metavar="M", help="Ignore tokens that occur fewer than M times."),
        option("--min-docs", type=int, metavar="D", help="Ignore tokens that occur in fewer than D documents."),
        option(
            "--weights",
            metavar="W",
            help="fitted: weight tokens as learned on held-out documents; none: all equally.",
        ),
    )


LIMITS = (
    option(
        "--binary",
        type=click.Choice([SKIP, READ]),
        default=SKIP,
        help="Whether to skip binary files, lines and records, or read them as text [default: skip].",
    ),
    option(
        "--largest",
        type=size,
        default=f"{DOCUMENT_BYTES // UNITS['M']}M",
        show_default=True,
        metavar="SIZE",
        help="Skip documents larger than this when unpacked.",
    ),
    option("--strict", is_flag=True, help="Stop at the first document that cannot be read, instead of skipping it."),
)


def limits_of(settings: dict[str, Any]) -> Limits:
    """The limits on documents, as given on the command line."""
    return Limits(settings["binary"], settings["largest"], settings["strict"])


def analysis_options(function: Function) -> Function:
    """Options that are fixed when a model is trained, each None unless given."""
    return _with(
        function,
        option("--reader", type=Name("readers"), metavar="NAME", help=f"Input format: {_names('readers')}."),
        option(
            "--tokenizer",
            type=Name("tokenizers"),
            metavar="SPEC",
            help=f"How to split text into tokens: {_names('tokenizers')} (options as in chars:n=4).",
        ),
        option("--ngrams", type=int, metavar="N", help="Also count sequences of up to N adjacent tokens."),
        option(
            "--encoding",
            metavar="NAME",
            help="Encoding of files that are not UTF-8; auto detects that of each [default: windows-1252].",
        ),
        *_columns.text_options,
        *_columns.label_options,
        *LIMITS,
    )


def input_options(function: Function) -> Function:
    """Options that say which documents to read, and how; pass what the command gets to `_inputs.inputs`."""
    return _with(
        function,
        click.argument("files", metavar="[FILE...]", nargs=-1, type=PATH),
        option("--lines", is_flag=True, help="Each line is a document; same as --reader lines."),
        option(
            "--files-from",
            type=PATH,
            metavar="LIST",
            help="Also read the files named in LIST, one per line or NUL-separated; - is standard input.",
        ),
        option("--recursive", is_flag=True, help="With --files-from: read the folders in the list too."),
        option(
            "--reader",
            type=Name("readers"),
            metavar="NAME",
            help="Input format, if not the one used for training.",
        ),
        *_columns.text_options,
        *LIMITS,
        # Fixed by the model, so not in the help; but if given, they are compared with those of the model
        option("--tokenizer", hidden=True),
        option("--ngrams", type=int, hidden=True),
        option("--encoding", hidden=True),
    )


def refuse_contradiction(settings: dict[str, Any], analysis: Analysis, way_out: str = "") -> None:
    """Refuse settings that contradict the model.

    Raises: UsageError that names the setting, and the way out if there is one.
    """
    for name, value in settings.items():
        own = getattr(analysis, name)
        if value != own:
            raise click.UsageError(f"the model was trained with --{name} {own}, not {value}{way_out}")


def refuse_tuned(settings: dict[str, Any]) -> None:
    """Refuse settings that --tune chooses.

    Raises: UsageError that names the settings.
    """
    if fixed := given(settings, ("event_model", "alpha", "ngrams")):
        raise click.UsageError(
            f"--tune chooses {', '.join(fixed).replace('_', '-')} itself; leave that option out, or --tune"
        )


def given(settings: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The settings that were given on the command line, of those named."""
    return {name: settings[name] for name in names if settings.get(name) is not None}


def analysis_of(settings: dict[str, Any]) -> Analysis:
    """The default analysis, changed by what was given on the command line."""
    return Analysis(**given(settings, Analysis._fields))


def hyperparameters_of(
    settings: dict[str, Any], analysis: Analysis, default: Hyperparameters = Hyperparameters()
) -> Hyperparameters:
    """The default hyperparameters, changed by what was given on the command line.

    Stop words that the tokenizer changes are reported once, on standard error.
    """
    changes = given(settings, Hyperparameters._fields)
    if "stopwords" in changes:
        if analysis.reader == "bytes" and changes["stopwords"] != "none":
            raise click.UsageError("--stopwords has no effect with --reader bytes, which reads no words; leave one out")
        from ..model.stopwords import stopwords

        found = stopwords(changes["stopwords"], analysis.tokens())
        changes["stopwords"] = found.tokens
        if found.changed and sys.stderr is not None and sys.stderr.isatty():
            word, tokens = found.changed[0]
            changed = f"{len(found.changed)} stop words, as in {word!r} to {' '.join(tokens)!r}"
            click.echo(f"nbtext: the tokenizer changed {changed}", err=True)
    if changes.get("weights") == "fitted" and not default.is_weighted:
        changes = {"event_model": WEIGHTED_EVENT_MODEL, **changes}
    chosen = default.changed(changes)
    is_other = any(getattr(chosen, name) != getattr(default, name) for name in ("event_model", "alpha", "m"))
    # Weights are fitted for one event model and smoothing only
    return chosen._replace(weights="none") if is_other and default.is_weighted and "weights" not in changes else chosen
