"""Man pages, made from the commands: nbtext.1, and one for each command, as in nbtext-train.1.

`python -m tests.manpages` writes them into `man/`, from where the wheel installs them.
"""

import re
from collections.abc import Iterator

import click

from nbtext import __version__, cli
from nbtext.cli import EPILOG, SUMMARY

from .shell import ROOT

FOLDER = ROOT / "man"


def pages() -> dict[str, str]:
    """The pages by the names of their files."""
    group = cli.nbtext
    context = click.Context(group, info_name="nbtext")
    names = group.list_commands(context)
    commands = {name: group.get_command(context, name) for name in names}
    found = {"nbtext.1": _overview({name: command for name, command in commands.items() if command})}
    for name, command in commands.items():
        assert command
        found[f"nbtext-{name}.1"] = _page(name, command, click.Context(command, context, info_name=name))
    return found


def _overview(commands: dict[str, click.Command]) -> str:
    statuses, completion, example = EPILOG.replace("\b", "").strip().split("\n\n")
    lines = [_head("nbtext", SUMMARY), ".SH SYNOPSIS", r"\fBnbtext\fR \fICOMMAND\fR [\fIARGUMENTS\fR]", ".SH COMMANDS"]
    for name, command in commands.items():
        lines += [".TP", rf"\fBnbtext\-{_text(name)}\fR(1)", _text(command.get_short_help_str(200))]
    lines += [".SH EXIT STATUS", _text(statuses.strip()), ".SH SHELL COMPLETION", _text(completion.strip())]
    return "\n".join([*lines, *_example(example), ""])


def _page(name: str, command: click.Command, context: click.Context) -> str:
    summary, *paragraphs = _paragraphs(command.help or "")
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [
        _head(f"nbtext-{name}", summary),
        ".SH SYNOPSIS",
        rf"\fBnbtext {name}\fR {_text(usage)}",
        ".SH DESCRIPTION",
    ]
    for paragraph in [summary, *paragraphs]:
        lines += [".PP", _text(paragraph)]
    lines.append(".SH OPTIONS")
    for option in _options(command, context):
        lines += [".TP", *option]
    lines += _example((command.epilog or "").strip())
    lines += [".SH SEE ALSO", r"\fBnbtext\fR(1), which lists the exit statuses", ""]
    return "\n".join(lines)


def _head(name: str, summary: str) -> str:
    title = name.upper().replace("-", r"\-")
    what = _text(summary[:1].lower() + summary[1:].rstrip("."))
    return f'.TH "{title}" 1 "" "nbtext {__version__}" "nbtext"\n.SH NAME\n{_text(name)} \\- {what}'


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        lines = [line.strip() for line in paragraph.splitlines()]
        yield "\n.br\n".join(lines[1:]) if lines[0] == "\b" else " ".join(lines)


def _options(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    for parameter in command.get_params(context):
        if record := parameter.get_help_record(context):
            yield rf"\fB{_text(record[0])}\fR", _text(record[1])


def _example(text: str) -> list[str]:
    return [".SH EXAMPLE", ".nf", _text(text.removeprefix("Example: ")), ".fi"]


def _text(text: str) -> str:
    """Text as roff: no character has another meaning than itself."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("`", r"\(ga")
    return re.sub(r"^\.(?!br$)", r"\\&.", escaped, flags=re.MULTILINE)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, page in pages().items():
        (FOLDER / name).write_text(page, encoding="utf-8")
