"""Completion as people meet it: the key Tab, pressed in a real shell. A shell that is not installed is skipped."""

import os
import pty
import select
import shutil
import subprocess
import termios
import time
from pathlib import Path

import pytest

from ..shell import SECONDS, with_nbtext

READY = "@ready@"
STARTS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
}
SETTINGS = {
    "bash": 'eval "$(_NBTEXT_COMPLETE=bash_source nbtext)"',
    "zsh": 'autoload -U compinit; compinit -u -D; eval "$(_NBTEXT_COMPLETE=zsh_source nbtext)"',
}


def installed(shell: str) -> str:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    return shell


class Terminal:
    """A shell at a terminal of its own."""

    def __init__(self, command: list[str], folder: Path, environment: dict[str, str]) -> None:
        self.end, other = pty.openpty()
        termios.tcsetwinsize(other, (24, 100))
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=other, stdout=other, stderr=other, start_new_session=True
        )
        os.close(other)
        self.shown = ""

    def type(self, text: str) -> None:
        os.write(self.end, text.encode())

    def wait_for(self, text: str) -> bool:
        """Whether the text appears in time."""
        deadline = time.monotonic() + SECONDS
        while text not in self.shown:
            if not select.select([self.end], [], [], max(0.0, deadline - time.monotonic()))[0]:
                return False
            self.shown += os.read(self.end, 4096).decode("utf-8", "replace")
        return True

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.end)


@pytest.fixture
def environment(tmp_path_factory):
    quiet = {"TERM": "dumb", "PS1": "", "HOME": str(tmp_path_factory.mktemp("home"))}
    return {**with_nbtext(tmp_path_factory.mktemp("tools")), **quiet}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "my corpus").mkdir()
    (tmp_path / "letters").mkdir()
    (tmp_path / "notes.csv").touch()
    return tmp_path


CASES = {
    "a command": ("nbtext class", "nbtext classify"),
    "an option": ("nbtext train --no-cl", "nbtext train --no-clobber"),
    "a folder to train on": ("nbtext train lett", "nbtext train letters"),
    "a file to train on": ("nbtext train --reader csv no", "notes.csv"),
    "a folder to evaluate": ("nbtext evaluate --test lett", "nbtext evaluate --test letters"),
    "a folder to classify": ("nbtext classify lett", "nbtext classify letters"),
    "a folder to check": ("nbtext check lett", "nbtext check letters"),
}


@pytest.mark.parametrize("shell", STARTS)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_tab_completes(shell, case, folder, environment):
    typed, becomes = case
    terminal = Terminal([*STARTS[installed(shell)]], folder, environment)
    try:
        terminal.type(f"{SETTINGS[shell]}; echo @rea''dy@\n")
        assert terminal.wait_for(READY), terminal.shown
        terminal.shown = ""
        terminal.type(f"{typed}\t")
        assert terminal.wait_for(becomes), terminal.shown
    finally:
        terminal.close()


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_fish_completes(case, folder, environment):
    typed, becomes = case
    script = f"_NBTEXT_COMPLETE=fish_source nbtext | source; complete -C '{typed}'"
    command = [installed("fish"), "--no-config", "-c", script]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS)
    assert becomes.split()[-1] in done.stdout, done.stdout + done.stderr
