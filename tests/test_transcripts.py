"""Every transcript shows what the commands print; and the replaying itself, shown on small texts."""

import re
from difflib import unified_diff
from pathlib import Path

import pytest

from .shell import ROOT
from .transcripts import FILES, replayed, rewritten


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_transcript_is_what_the_commands_print(file: Path):
    text = file.read_text(encoding="utf-8")
    lines = unified_diff(text.split("\n"), rewritten(text).split("\n"), file.name, "printed now", lineterm="")
    if difference := "\n".join(lines):
        pytest.fail(f"{difference}\n\nIf this is what should be printed: make transcripts", pytrace=False)


def test_example_in_python_prints_what_its_comments_say(capsys):
    example = between("README.md", "```python\n", "```")
    exec(example, {})
    assert capsys.readouterr().out.splitlines() == re.findall("  # (.*)", example)


def test_every_line_of_the_demo_succeeds():
    printed = replayed(between("Makefile", "define DEMO\n", "\nendef").split("\n"))
    assert all(printed)
    assert not [lines for lines in printed if lines[-1].startswith("[")]


def between(file: str, start: str, end: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8").partition(start)[2].partition(end)[0]


def console(*lines: str) -> str:
    return "\n".join(["Some prose.", "```console", *lines, "```", "More prose.", ""])


RIGHT = {
    "output": console("$ echo a; echo b", "a", "b"),
    "no output": console("$ true", "$ true"),
    "a blank line": console("$ echo; echo b", "", "b"),
    "both streams in order": console("$ echo a; echo b >&2; echo c", "a", "b", "c"),
    "a status": console("$ echo no; (exit 3)", "no", "[3]"),
    "no newline at the end": console("$ printf a", "a", "$ echo b", "b"),
    "a command of two lines": console("$ echo a \\", "    b", "a b"),
    "any lines": console("$ seq 9", "1", "...", "9"),
    "any lines, even none": console("$ seq 2", "1", "...", "2"),
    "no input to read": console("$ cat"),
    "a pinned width and locale": console("$ echo $COLUMNS $LC_ALL $NO_COLOR", "100 C.UTF-8 1"),
    "files and variables kept": console("$ echo a > f; v=b") + console("$ cat f; echo $v", "a", "b"),
    "a skipped block": "<!-- transcript: skip -->\n\n" + "```console\n$ exit 9\n```",
    "another language": "```sh\n$ exit 9\n```",
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT.keys())
def test_right_transcript_stays(text: str):
    assert rewritten(text) == text


WRONG = {
    "another output": (console("$ echo a", "b"), console("$ echo a", "a")),
    "an output not yet there": (console("$ echo a"), console("$ echo a", "a")),
    "too much of everything": (console("$ true", "a", "[1]"), console("$ true")),
    "a status": (console("$ false"), console("$ false", "[1]")),
    "any lines, but another end": (console("$ seq 3", "1", "...", "4"), console("$ seq 3", "1", "2", "3")),
    "two outputs": (console("$ echo a", "x", "$ echo b", "y"), console("$ echo a", "a", "$ echo b", "b")),
}


@pytest.mark.parametrize(("wrong", "right"), WRONG.values(), ids=WRONG.keys())
def test_wrong_transcript_is_rewritten(wrong: str, right: str):
    assert rewritten(wrong) == right


REFUSED = {
    "no command": (console("a"), "line 3: a console block begins with"),
    "no end": ("```console\n$ true\n", "line 1: this block never ends"),
    "the shell ends": (console("$ true", "$ exit 1", "$ true"), "the shell ended at `exit 1`"),
}


@pytest.mark.parametrize(("text", "complaint"), REFUSED.values(), ids=REFUSED.keys())
def test_text_that_is_no_transcript_is_refused(text: str, complaint: str):
    with pytest.raises(ValueError, match=complaint):
        rewritten(text)
