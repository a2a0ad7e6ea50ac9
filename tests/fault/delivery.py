"""Mail delivered while others learn and the model is trained anew. Real processes, eight at a time."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from nbtext import Model
from nbtext.mail.verdict import without
from nbtext.model.verifying import verify

from ..mailroom import HARD, MAIL, mail_model
from ..shell import ROOT, SECONDS, pinned
from . import Outcome

AT_ONCE = 8
TRAIN = ["train", str(MAIL), "--reader", "mail", "--jobs", "1", "-q"]

Done = subprocess.CompletedProcess[bytes]


def deliver(filters: int, learns: int) -> Iterator[Outcome]:
    """So many messages filtered beside so many learned and a model that is trained anew."""
    messages = (list(HARD.values()) * filters)[:filters]
    lessons = [f"Subject: offer {number}\n\nwin {number}".encode() for number in range(learns)]
    with TemporaryDirectory() as folder, ThreadPoolExecutor(AT_ONCE) as pool:
        path = Path(folder) / "model.nbtext"
        path.write_bytes(mail_model())
        learned = [pool.submit(_ran, folder, ["learn", "spam"], lesson) for lesson in lessons]
        trained = pool.submit(_ran, folder, TRAIN)
        filtered = [pool.submit(_ran, folder, ["filter"], message) for message in messages]
        answers = [future.result() for future in filtered]
        others = [future.result() for future in (*learned, trained)]
        with closing(Model.open(str(path))) as model:
            verify(model)
        left = sorted(os.listdir(folder))
    failures = [
        f"filter: status {done.returncode}, {done.stderr!r}"
        for done, message in zip(answers, messages, strict=True)
        if done.returncode or without(done.stdout) != message or b"X-Nbtext: " not in done.stdout
    ]
    yield Outcome(
        "`filter` while other processes learn and replace the model",
        filters,
        failures,
        "every message comes out unchanged, with a verdict",
    )
    failures = [f"learn or train: {done.returncode}, {done.stderr!r}" for done in others if done.returncode]
    failures += [f"left behind: {left}"] if left != ["model.nbtext"] else []
    yield Outcome(
        "`learn` while another process replaces the model",
        learns,
        failures,
        "every document is learned, and the model is undamaged",
    )


def _ran(folder: str, arguments: list[str], stdin: bytes = b"") -> Done:
    return subprocess.run(
        [sys.executable, "-P", "-m", "nbtext", *arguments],
        cwd=folder,
        env=pinned() | {"PYTHONPATH": str(ROOT)},
        input=stdin,
        capture_output=True,
        timeout=SECONDS,
    )
