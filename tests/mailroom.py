"""What the tests of mail share: a model of the small mail corpus, messages from it, and what is hard to filter."""

import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from nbtext import Analysis, train

from .shell import ROOT

MAIL = ROOT / "corpora" / "mail"
SPAM = (MAIL / "spam" / "parcel-phish.eml").read_bytes()
HAM = (MAIL / "ham" / "backup-report.eml").read_bytes()

HARD = {
    "spam": SPAM,
    "ham": HAM,
    "nothing": b"",
    "a blank line": b"\n",
    "no blank line": b"Subject: win\n",
    "no final newline": b"Subject: win\n\nnow",
    "no newline at all": b"Subject: win",
    "CRLF": SPAM.replace(b"\n", b"\r\n"),
    "an envelope": b"From ann@example.org Thu Jan  1 09:00:00 2026\n" + SPAM,
    "NUL bytes": b"Subject: \0\n\n\0\0\n",
    "eight-bit bytes": bytes(range(256)) * 20,
    "one long line": b"Subject: " + b"win " * 50_000 + b"\n\n",
    "text alone": b"no header here\njust text\n",
}


@cache
def mail_model() -> bytes:
    """The bytes of a model of corpora/mail."""
    with TemporaryDirectory() as folder:
        path = os.path.join(folder, "mail.nbtext")
        train(str(MAIL), path, Analysis(reader="mail"), jobs=1).close()
        return Path(path).read_bytes()
