"""nbtext filter: adds a verdict header to an email."""

from typing import TYPE_CHECKING, Any

import click

from ..errors import NbtextError
from . import _options, _output, _types
from ._declare import Command, command_named, option
from ._standard_input import standard_input

if TYPE_CHECKING:
    from ..classification.filtering import Thresholds

EVEN = 0.5  # a threshold that is not given


class Filter(Command):
    """A command that writes the message to standard output even if the command line is wrong."""

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        """The context of a parsed command line."""
        try:
            return super().make_context(*args, **settings)
        except click.UsageError:
            message = standard_input()
            if not message.isatty():  # at a terminal, do not wait for input after a typing error
                _output.write_bytes(message.read())
            raise


@command_named(
    "filter",
    kind=Filter,
    epilog="Example: nbtext filter --spam-above 0.99 --ham-above 0.9 < mail",
)
@_options.model_option
@_options.unsure_option
@option("--spam-above", type=_types.SHARE, metavar="P", help="Answer spam only if its posterior is at least P.")
@option("--ham-above", type=_types.SHARE, metavar="Q", help="Answer ham only if its posterior is at least Q.")
@option("--explain", "explained", type=click.IntRange(min=1), metavar="N", help="Also name the N tokens that decided.")
@option("--subject-tag", metavar="TEXT", default="", help="Put TEXT in front of the Subject of spam, such as [SPAM].")
@option(
    "--spam-label",
    type=_types.Label(),
    metavar="LABEL",
    default="spam",
    show_default=True,
    help="The label of spam; any other is ham.",
)
@_options.raw_option
@_options.hyperparameter_options
def command(
    model_path: str,
    unsure_below: float,
    spam_above: float | None,
    ham_above: float | None,
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

    With --spam-above or --ham-above, a message that reaches neither is unsure. If only one is given, the other is 0.5.

    The field is the last of the header and replaces an older one; no other byte changes. If anything goes wrong, the
    message is written unchanged and the status is 3 (2 for wrong usage, 70 for a bug).
    """
    message = standard_input().read()
    try:
        from ..classification.decision import Classifier
        from ..classification.filtering import filtered
        from ..model.model import Model

        model = Model.open(model_path)
        hyperparameters = _options.hyperparameters_of(settings, model.analysis, model.hyperparameters)
        classify = Classifier(model, hyperparameters, raw=raw, unsure_below=unsure_below)
        answer = filtered(
            message,
            classify,
            spam_label=spam_label,
            subject_tag=subject_tag,
            explained=explained or 0,
            thresholds=_thresholds(spam_above, ham_above, unsure_below),
        )
    except MemoryError:
        _output.write_bytes(message)
        raise NbtextError("not enough memory to classify the message; it is passed on unchanged") from None
    except BaseException:
        _output.write_bytes(message)
        raise
    _output.write_bytes(answer)


def _thresholds(spam_above: float | None, ham_above: float | None, unsure_below: float) -> "Thresholds | None":
    """The thresholds, if one is given."""
    if spam_above is None and ham_above is None:
        return None
    if unsure_below:
        raise click.UsageError("--unsure-below cannot be combined with --spam-above and --ham-above")
    from ..classification.filtering import Thresholds

    return Thresholds(EVEN if spam_above is None else spam_above, EVEN if ham_above is None else ham_above)
