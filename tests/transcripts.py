r"""Golden shell transcripts: the `console` blocks of README.md and docs/*.md, replayed.

    $ command        goes to bash; a line that ends in a backslash goes on in the next
    output           what it must print, with standard error; a line `...` is any lines
    [3]              its status, unless that is 0

One file is one shell session in a scratch folder that holds a copy of `corpora/`, so files, variables and the working
directory carry over from block to block. The block after the comment `<!-- transcript: skip -->` is not run: for
commands that install.

`python -m tests.transcripts` writes what is printed now into the files.
"""

import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from .shell import ROOT, bash, with_nbtext

OPEN, CLOSE, SKIP = "```console", "```", "<!-- transcript: skip -->"
FILES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]


class Step(NamedTuple):
    """A command, and the lines of the file between which its output is."""

    command: str
    start: int
    stop: int


def rewritten(text: str) -> str:
    """The Markdown text with what its commands print now; the same text if all is well."""
    lines = text.split("\n")
    found = list(steps(lines))
    printed = replayed([step.command for step in found])
    for step, now in reversed(list(zip(found, printed, strict=True))):
        if not agrees(lines[step.start : step.stop], now):
            lines[step.start : step.stop] = now
    return "\n".join(lines)


def steps(lines: Sequence[str]) -> Iterator[Step]:
    """The commands in the console blocks.

    >>> list(steps(["```console", "$ echo a", "a", "$ true", "```"]))
    [Step(command='echo a', start=2, stop=3), Step(command='true', start=4, stop=4)]

    Raises: ValueError if a block does not begin with a command or never ends.
    """
    for block in blocks(lines):
        heads = [number for number in block if lines[number].startswith("$ ")]
        if heads[:1] != [block.start]:
            raise ValueError(f"line {block.start + 1}: a console block begins with a line like `$ nbtext --help`")
        for head, stop in zip(heads, [*heads[1:], block.stop], strict=True):
            start = head + 1
            while lines[start - 1].endswith("\\"):
                start += 1
            yield Step("\n".join(lines[head:start]).removeprefix("$ "), start, stop)


def blocks(lines: Sequence[str]) -> Iterator[range]:
    """The line numbers, counted from 0, inside each console block that is not to be skipped."""
    before = ""  # the last line that was not blank
    for number, line in enumerate(lines):
        if line == OPEN and before != SKIP:
            if CLOSE not in lines[number:]:
                raise ValueError(f"line {number + 1}: this block never ends")
            yield range(number + 1, lines.index(CLOSE, number))
        before = line or before


def replayed(commands: Sequence[str]) -> list[list[str]]:
    """The lines each command prints, run one after the other in one shell.

    Raises: ValueError if the shell ends before the commands do.
    """
    # A NUL, which no text output holds, marks where each command ends
    script = "exec 2>&1\n" + "".join(f"{command}\nprintf '\\0%d\\0' $?\n" for command in commands)
    with TemporaryDirectory() as tools, TemporaryDirectory() as folder:
        if (ROOT / "corpora").exists():
            shutil.copytree(ROOT / "corpora", Path(folder, "corpora"))
        out, _, _ = bash(script, Path(folder), with_nbtext(Path(tools)))
    *printed, rest = out.decode(errors="backslashreplace").split("\0")
    if len(printed) < 2 * len(commands):
        raise ValueError(f"the shell ended at `{commands[len(printed) // 2]}`, saying: {rest}")
    return [shown(text, status) for text, status in zip(printed[::2], printed[1::2], strict=True)]


def shown(text: str, status: str) -> list[str]:
    """The lines in which a transcript shows an output and a status.

    >>> shown("no such file\\n", "3")
    ['no such file', '[3]']
    """
    lines = text.removesuffix("\n").split("\n") if text else []
    return lines if status == "0" else [*lines, f"[{status}]"]


def agrees(expected: Sequence[str], now: Sequence[str]) -> bool:
    """Whether the lines are those expected.

    >>> agrees(["a", "...", "z"], ["a", "b", "c", "z"])
    True
    """
    pattern = "".join(r"(?:.*\n)*" if line == "..." else re.escape(line + "\n") for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in now)) is not None


if __name__ == "__main__":
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        now = rewritten(text)
        if now != text:
            file.write_text(now, encoding="utf-8")
            print(f"rewrote {file.relative_to(ROOT)}")
