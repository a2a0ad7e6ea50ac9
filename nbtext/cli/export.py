"""nbtext export: a model as text."""

from ..model.model import Model
from . import _options, _output
from ._declare import command_named, option


@command_named("export", epilog="Example: nbtext export --counts | grep '\"lottery\"'")
@_options.model_option
@option(
    "--counts",
    is_flag=True,
    help="Write only what the fingerprint covers; the SHA-256 of this output is the fingerprint.",
)
def command(model_path: str, counts: bool) -> None:
    """Write a model as text.

    The text is sorted JSON Lines, for grep, jq and diff. nbtext import reads it back.
    """
    from ..model.exchange import counts_text, exported

    with Model.open(model_path).copied() as model:
        for line in counts_text(model) if counts else exported(model):
            _output.write(line)
