"""Surroundings that are the same on every machine, and a shell in them where `nbtext` is this checkout."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINNED = {"COLUMNS": "100", "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "TZ": "UTC"}
SECONDS = 100  # then a command hangs


def pinned() -> dict[str, str]:
    """This process's environment without what could change an answer, or would compile all modules anew each time."""
    unwanted = ("NBTEXT_", "FORCE_COLOR", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}
    return kept | PINNED


def with_nbtext(tools: Path) -> dict[str, str]:
    """The pinned environment with a command `nbtext` on its path; the folder `tools` receives the command."""
    command = tools / "nbtext"
    # -P: a module in the working directory must not hide one of Python's
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m nbtext "$@"\n')
    command.chmod(0o755)
    search = os.pathsep.join([str(tools), os.environ["PATH"]])
    return pinned() | {"PATH": search, "PYTHONPATH": str(ROOT)}


def bash(script: str, folder: Path, environment: dict[str, str], stdin: bytes = b"") -> tuple[bytes, bytes, int]:
    """What a script writes to its two streams, and its status."""
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, input=stdin, capture_output=True, timeout=SECONDS
    )
    return done.stdout, done.stderr, done.returncode
