"""Options that several commands share: spelled once, so that they mean the same everywhere."""

import os
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from .. import choices
from ..analysis import Analysis
from ..model import DEFAULT_PATH
from ..reading import Reading

Function = TypeVar("Function", bound=Callable[..., Any])
Decorator = Callable[[Function], Function]

model_option = click.option(
    "-m",
    "--model",
    "model_path",
    metavar="PATH",
    default=lambda: os.environ.get("NBTEXT_MODEL") or DEFAULT_PATH,
    show_default=f"$NBTEXT_MODEL or {DEFAULT_PATH}",
    help="The model file.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
quiet_option = click.option("-q", "--quiet", is_flag=True, help="No progress bar.")


def reading_options(function: Function) -> Function:
    """The settings that choose how counts are read, each None unless given."""
    for option in reversed(
        (
            click.option(
                "--event-model", metavar="NAME", help="How tokens make a document: " + _names("event_models") + "."
            ),
            click.option("--alpha", type=float, metavar="A", help="Pseudo-count for every token and class, above 0."),
            click.option("--prior", metavar="P", help="learned, uniform, or LABEL=P,... (others share the rest)."),
            click.option("--stopwords", metavar="LIST", help="Leave these out: a language, a file, or none."),
            click.option("--drop-top", type=int, metavar="N", help="Leave out the N most frequent tokens."),
            click.option("--min-count", type=int, metavar="M", help="Leave out tokens that occur less than M times."),
            click.option("--min-docs", type=int, metavar="D", help="Leave out tokens of fewer than D documents."),
        )
    ):
        function = option(function)
    return function


def _names(package: str) -> str:
    from importlib import import_module

    return ", ".join(choices.names(import_module(f"nbtext.{package}")))


def analysis_options(function: Function) -> Function:
    """The settings that are fixed when a model is trained, each None unless given."""
    for option in reversed(
        (
            click.option("--reader", metavar="NAME", help="The input format: " + _names("readers") + "."),
            click.option(
                "--tokenizer", metavar="SPEC", help=f"How text is cut: {_names('tokenizers')} (as in chars:n=4)."
            ),
            click.option("--ngrams", type=int, metavar="N", help="Also count runs of up to N adjacent tokens."),
            click.option("--encoding", metavar="NAME", help="For bytes that are not UTF-8 [default: windows-1252]."),
        )
    ):
        function = option(function)
    return function


def given(settings: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Those of the settings that were given on the command line."""
    return {name: settings[name] for name in names if settings.get(name) is not None}


def reading_of(settings: dict[str, Any], analysis: Analysis, default: Reading = Reading()) -> Reading:
    """The default reading with what was given on the command line put in.

    What the tokenizer changed in a stop word list is said once, on standard error.
    """
    changes = given(settings, Reading._fields)
    if "stopwords" in changes:
        from ..stopwords import stopwords

        found = stopwords(changes["stopwords"], analysis.tokens())
        changes["stopwords"] = found.tokens
        if found.changed and sys.stderr is not None and sys.stderr.isatty():
            word, tokens = found.changed[0]
            click.echo(
                f"nbtext: the tokenizer changed {len(found.changed)} stop words, as in {word!r} to {' '.join(tokens)!r}",
                err=True,
            )
    return default._replace(**changes).checked()
