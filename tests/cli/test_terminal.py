"""What only a person at a terminal sees: what is awaited, how far the work is."""

import re
import sys

import pytest

from nbtext import cli

from ..shell import pinned
from .test_completion_in_shells import Terminal

CORPUS = {"ham/1.txt": "lunch at noon", "spam/1.txt": "win cash now", "spam/2.txt": "win a prize"}


@pytest.fixture
def terminal(run, corpus, tmp_path):
    corpus(CORPUS)
    run("train", "corpus")
    opened = []

    def typed(command: str) -> Terminal:
        script = f'nbtext() {{ "{sys.executable}" -m nbtext "$@"; }}; {command}'
        opened.append(Terminal(["bash", "-c", script], tmp_path, pinned() | {"TERM": "xterm", "TQDM_MININTERVAL": "0"}))
        return opened[-1]

    yield typed
    for each in opened:
        each.close()


@pytest.mark.parametrize("command", ["classify", "classify -", "explain", "tokens", "learn spam", "filter"])
def test_says_what_it_waits_for(command, terminal):
    shell = terminal(f"nbtext {command}")
    assert shell.wait_for("nbtext: reading what you type; end it with Ctrl-D on a line of its own"), shell.shown
    shell.type("win the cash\n\x04")
    assert shell.wait_for("spam" if command.startswith(("class", "expl")) else "win"), shell.shown
    assert shell.shown.count("reading what you type") == 1


def test_progress_counts_documents_and_shows_a_rate(terminal):
    shell = terminal("nbtext train corpus --model other.nbtext; echo done")
    assert shell.wait_for("done")
    assert re.search(r"reading: 3 documents \[00:00, +[\d.]+ documents/s\]", shell.shown), shell.shown


def test_names_of_other_programs_lead_to_commands():
    meant = {name.split()[0] for name in cli.MEANT.values()}
    assert meant <= set(cli.nbtext.list_commands(None))  # type: ignore[arg-type]
    assert not set(cli.MEANT) & set(cli.nbtext.list_commands(None))  # type: ignore[arg-type]
