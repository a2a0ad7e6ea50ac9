"""The command line: options, streams and exit status. Each command is one file: it opens the model or corpus, calls one
function, and prints the result.

Exit status: 0 done; 2 wrong usage; 3 an input or the model is wrong, all other inputs were answered; 4 "no", only with
`--is`; 70 a bug; 130 interrupted; 141 nobody reads the output any more; 143 terminated. Never 1: Python ends with 1
when it cannot even start, and that must not look like "no".
"""

import os
import signal
import sys
from collections.abc import Callable, Iterable
from types import FrameType
from typing import NoReturn

import click

from .. import __version__, plugins
from ..errors import ChoiceError, NbtextError
from . import _output, _streams
from ._declare import help_option, shown_option
from ._output import complain

USAGE, TROUBLE, NO, BUG, CLOSED = 2, 3, 4, 70, 141
AGAIN_SECONDS = 0.01
STOPS = signal.SIGINT, signal.SIGTERM, signal.SIGHUP
STOPS_AGAIN = *STOPS, signal.SIGALRM  # see `_asked_again`
MEANT = {  # names that other programs give to such commands
    "fit": "train",
    "predict": "classify",
    "label": "classify",
    "test": "evaluate",
    "validate": "evaluate",
    "add": "learn",
    "forget": "unlearn",
    "remove": "unlearn",
    "info": "show",
    "words": "show --top 10",
    "tokenize": "tokens",
    "why": "explain",
    "dump": "export",
    "load": "import",
}
COMPLETE = "_NBTEXT_COMPLETE"  # set by the shell when it asks what a word could become


class Commands(click.Group):
    """The group of commands: each is a file in this folder, imported only when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click passes it
        """The names of the commands, sorted."""
        return plugins.names(sys.modules[__name__])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of that name, imported now, or None."""
        try:
            command = plugins.module(sys.modules[__name__], cmd_name).command
        except ChoiceError:
            return None
        assert isinstance(command, click.Command)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As in click; `help COMMAND` means `COMMAND --help`."""
        return super().parse_args(ctx, [*args[1:2], "--help"] if args[:1] == ["help"] else args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As in click; for an unknown name, the error suggests the command that was probably meant."""
        if args[0].startswith("-") or args[0] in self.list_commands(ctx):
            return super().resolve_command(ctx, args)
        from difflib import get_close_matches

        name = args[0]
        near = MEANT.get(name) or next(iter(get_close_matches(name, self.list_commands(ctx), 1)), None)
        raise click.UsageError(f"No such command {name!r}" + (f"; did you mean: nbtext {near}?" if near else ""), ctx)


SUMMARY = "Naive Bayes text classifier: learns from folders or tables of labelled text, labels files, lines and mail."
EPILOG = """
\b
Exit status: 0 done; 2 wrong usage; 3 an input or the model is wrong, all other inputs
were answered; 4 "no", only from classify --is; 70 a bug; 130 interrupted; 141 the
output was closed early; 143 terminated.

\b
Shell completion (bash; also zsh_source, fish_source): eval "$(_NBTEXT_COMPLETE=bash_source nbtext)"

Example: nbtext train corpus/ && echo 'some text' | nbtext classify
"""


@click.group(
    cls=Commands,
    help=SUMMARY,
    context_settings={"max_content_width": 100},
    epilog=EPILOG,
)
@shown_option("--version", text=lambda _: _version(), help="Show the version and exit.")
@help_option
def nbtext() -> None:
    """All commands."""


def _version() -> str:
    from ..kernel import NATIVE  # importing it takes as long as many a command

    return f"nbtext, version {__version__}, with {'the compiled kernel' if NATIVE else 'its kernel in plain Python'}"


def run(arguments: list[str] | None = None) -> int:
    """Run one command, write all its output and return its status; every failure is one line on standard error.

    The caller should then end the process with `os._exit`: an interrupted command may have left threads waiting.
    """
    own = signal.SIG_DFL, signal.default_int_handler  # signals that nohup ignores stay ignored
    heard = [number for number in STOPS if signal.getsignal(number) in own]
    sys.unraisablehook = _asked_again
    _streams.prepare()
    try:  # callers do not know `_Stop`: it may be raised only inside this block
        _answer(heard, _stop)  # so that a half-written model is removed
        status = _written(_status(arguments))
        _answer(STOPS_AGAIN, _unheard)  # nothing is left to clean up or to wait for
    except _Stop as stop:
        _answer(heard, _end)  # a second signal, while the last answers are written, ends the process at once
        status = _written(128 + stop.number)
    return status


def _answer(signals: Iterable[int], how: Callable[[int, FrameType | None], None]) -> None:
    for number in signals:
        signal.signal(number, how)


def _written(status: int) -> int:
    """The status after all output is written; another one if that fails."""
    try:
        _output.flush()
    except OSError as error:
        return _failed(error)
    return status


def _failed(error: OSError) -> int:
    """Report a failure to read or write, and return its status."""
    if isinstance(error, BrokenPipeError) and error.filename == _streams.STANDARD_OUTPUT:
        return CLOSED
    what = error.strerror or str(error)
    complain(what if error.filename is None else f"{error.filename}: {what}")
    return TROUBLE


def _completions() -> int:
    from click.shell_completion import shell_complete

    return USAGE if shell_complete(nbtext, {}, "nbtext", COMPLETE, os.environ[COMPLETE]) else 0


def _status(arguments: list[str] | None) -> int:
    try:
        if COMPLETE in os.environ:
            return _completions()
        with nbtext.make_context("nbtext", sys.argv[1:] if arguments is None else arguments) as context:
            return int(nbtext.invoke(context) or 0)  # not `Group.main`, which gives status 1 for a closed pipe
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.ClickException as error:
        _complain_of_usage(error)
        return USAGE
    except ChoiceError as error:
        complain(str(error))
        return USAGE
    except NbtextError as error:
        complain(str(error))
        return TROUBLE
    except OSError as error:
        return _failed(error)
    except MemoryError:
        complain("not enough memory; train needs less with --jobs 1 and with a smaller --memory")
        return TROUBLE
    except Exception:  # noqa: BLE001  # the last line of defence
        complain(f"a bug in nbtext {__version__}; please report it with this:")
        if sys.stderr is not None:
            import traceback

            traceback.print_exc()
        return BUG


def _complain_of_usage(error: click.ClickException) -> None:
    message = error.format_message()
    context = getattr(error, "ctx", None)
    if context and message == context.get_help():  # no command was given: print the whole help
        if sys.stderr is not None:
            error.show()
    elif context and not message.endswith("?"):
        complain(f"{message.rstrip('.')}; see: {context.command_path} --help")
    else:
        complain(message)


class _Stop(BaseException):
    """The process was asked to stop."""

    def __init__(self, number: int) -> None:
        self.number = number


def _stop(number: int, _: FrameType | None) -> NoReturn:
    import threading

    for other in STOPS_AGAIN:
        signal.signal(other, _unheard)  # nothing may disturb the clean-up, which takes no time
    threading.excepthook = lambda _: None  # else a pool would report the workers that end with this process
    raise _Stop(number)


def _unheard(_: int, __: FrameType | None) -> None:
    """Do nothing. Not `SIG_IGN`: Python would report a signal that arrived and was not handled yet."""


def _end(number: int, _: FrameType | None) -> NoReturn:
    os._exit(128 + number)


def _asked_again(lost: "sys.UnraisableHookArgs") -> None:
    """Raise a `_Stop` again that a finalizer or a fork's callback swallowed: a moment later, outside of them."""
    stop = lost.exc_value
    if not isinstance(stop, _Stop):
        sys.__unraisablehook__(lost)
        return
    number = stop.number
    signal.signal(signal.SIGALRM, lambda _, frame: _stop(number, frame))
    signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS)
