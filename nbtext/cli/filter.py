"""nbtext filter: adds a verdict header to an email."""

from typing import Any

import click

from ..errors import NbtextError
from . import _inputs, _options, _output
from ._declare import Command, command_named, option


class Filter(Command):
    """A command that writes the message through even if the command line is wrong."""

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        """The context of a parsed command line."""
        try:
            return super().make_context(*args, **settings)
        except click.UsageError:
            message = _inputs.standard_input()
            if not message.isatty():  # at a terminal, who mistyped is not waited for
                _output.write_bytes(message.read())
            raise


@command_named(
    "filter",
    kind=Filter,
    epilog="Example: nbtext filter --unsure-below 0.9 -m ~/mail.nbtext < mail",
)
@_options.model_option
@_options.unsure_option
@option("--explain", "explained", type=click.IntRange(min=1), metavar="N", help="Also name the N tokens that decided.")
@option("--subject-tag", metavar="TEXT", default="", help="Put TEXT in front of the Subject of spam, such as [SPAM].")
@option(
    "--spam-label",
    type=_options.Label(),
    metavar="LABEL",
    default="spam",
    show_default=True,
    help="The label that --subject-tag marks.",
)
@_options.raw_option
@_options.hyperparameter_options
def command(
    model_path: str,
    unsure_below: float,
    explained: int | None,
    subject_tag: str,
    spam_label: str,
    raw: bool,
    **settings: object,
) -> None:
    """Add a verdict header to an email.

    Reads the message from standard input and writes it to standard output with one more header field:

    \b
    X-Nbtext: spam, 0.9987; model=6046-1c29b5e7
    X-Nbtext: unsure, 0.612; likeliest=ham; model=6046-1c29b5e7

    The field is the last of the header and replaces an older one; no other byte changes. If anything goes wrong, the
    message is written unchanged and the status is 3 (2 for wrong usage, 70 for a bug).
    """
    message = _inputs.standard_input().read()
    try:
        from ..classification.decision import Classifier
        from ..classification.filtering import filtered
        from ..model.model import Model

        model = Model.open(model_path)
        hyperparameters = _options.hyperparameters_of(settings, model.analysis, model.hyperparameters)
        classify = Classifier(model, hyperparameters, raw=raw, unsure_below=unsure_below)
        answer = filtered(message, classify, spam_label=spam_label, subject_tag=subject_tag, explained=explained or 0)
    except MemoryError:
        _output.write_bytes(message)
        raise NbtextError("not enough memory to classify the message; it is passed on unchanged") from None
    except BaseException:
        _output.write_bytes(message)
        raise
    _output.write_bytes(answer)
