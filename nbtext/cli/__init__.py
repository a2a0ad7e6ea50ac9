"""The command line: options, streams and exit status. Every command is one file here, and does open, one call, report.

Exit status: 0 done; 2 the command line is wrong; 3 an input or the model is wrong, all other inputs were answered; 4
only for "no" to `--is`; 70 a bug; 130 interrupted; 141 whoever read our output went away; 143 asked to stop. Never 1:
that is what Python says where it cannot even start, which must not be taken for "no".
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
COMPLETE = "_NBTEXT_COMPLETE"  # set by the shell when it asks what a word could become


class Commands(click.Group):
    """A group whose commands are the files of this folder, imported only when they are used."""

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


SUMMARY = "Naive Bayes text classification: folders of labelled text in, labels with honest probabilities out."
EPILOG = """
\b
Exit status: 0 done; 2 the command line is wrong; 3 an input or the model is wrong,
all other inputs were answered; 4 only for "no" to classify --is; 70 a bug;
130 interrupted; 141 the reader of our output went away; 143 asked to stop.

\b
Completion in bash (zsh and fish likewise): eval "$(_NBTEXT_COMPLETE=bash_source nbtext)"

Example: nbtext train corpus/ && echo 'some text' | nbtext classify
"""


@click.group(
    cls=Commands,
    help=SUMMARY,
    context_settings={"max_content_width": 100},
    epilog=EPILOG,
)
@shown_option("--version", text=lambda _: f"nbtext, version {__version__}", help="Show the version and exit.")
@help_option
def nbtext() -> None:
    """All commands."""


def run(arguments: list[str] | None = None) -> int:
    """Run one command and return its status, all written; every failure is one line on standard error.

    The process should end there, by `os._exit`: a command that was asked to stop may have left threads waiting.
    """
    own = signal.SIG_DFL, signal.default_int_handler  # nohup means what it says
    heard = [number for number in STOPS if signal.getsignal(number) in own]
    sys.unraisablehook = _asked_again
    _streams.prepare()
    try:  # whoever calls us knows nothing of `_Stop`: in here it must be able to come, and nowhere else
        _answer(heard, _stop)  # so that a half-written model is cleaned away
        status = _written(_status(arguments))
        _answer(STOPS_AGAIN, _unheard)  # nothing is left to be cleaned away, or to wait for
    except _Stop as stop:
        _answer(heard, _end)  # asked again while the last answers leave
        status = _written(128 + stop.number)
    return status


def _answer(signals: Iterable[signal.Signals], how: Callable[[int, FrameType | None], None]) -> None:
    for number in signals:
        signal.signal(number, how)


def _written(status: int) -> int:
    """The status, once all answers have left; another if they cannot."""
    try:
        _output.flush()
    except OSError as error:
        return _failed(error)
    return status


def _failed(error: OSError) -> int:
    """The status of a failure to read or to write, which is complained of."""
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
            return int(nbtext.invoke(context) or 0)  # not `Group.main`, for which a closed pipe is a status 1
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
        complain("there is not enough memory; train takes less with --jobs 1 and with a smaller --memory")
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
    if context and message == context.get_help():  # the whole help, where nothing was asked for
        if sys.stderr is not None:
            error.show()
    else:
        complain(f"{message.rstrip('.')}; see: {context.command_path} --help" if context else message)


class _Stop(BaseException):
    """Somebody asked the process to end."""

    def __init__(self, number: int) -> None:
        self.number = number


def _stop(number: int, _: FrameType | None) -> NoReturn:
    import threading

    for other in STOPS_AGAIN:
        signal.signal(other, _unheard)  # nothing is to disturb the cleaning away, which takes no time
    threading.excepthook = lambda _: None  # a pool would complain of the workers that end with us
    raise _Stop(number)


def _unheard(_: int, __: FrameType | None) -> None:
    """Not `SIG_IGN`: of a signal that has come but was not heard yet, Python would complain."""


def _end(number: int, _: FrameType | None) -> NoReturn:
    os._exit(128 + number)


def _asked_again(lost: "sys.UnraisableHookArgs") -> None:
    """Where a finalizer or a fork's callback swallowed the wish to end, it comes again in a moment, outside of them."""
    stop = lost.exc_value
    if not isinstance(stop, _Stop):
        sys.__unraisablehook__(lost)
        return
    number = stop.number
    signal.signal(signal.SIGALRM, lambda _, frame: _stop(number, frame))
    signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS)
