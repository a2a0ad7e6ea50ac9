"""Mail as it arrives: what a filter makes of it that knows older mail only.

    python -m tests.bench.arrivals [ORDER | SHARE]...

An order, such as "by date": the first 200 messages of each class are learned at the start. Then each message is judged,
at even odds, before it is learned, and it is learned only if the verdict was wrong, as people do.

A share, such as 0.5: that much of the mail by date is learned, and all the rest is judged.

Prints a table, and draws the errors over time beside the kept runs.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple, Protocol

from nbtext import Analysis, Classifier, Model, learn, train
from nbtext.classification.filtering import document
from nbtext.mail.dates import written

from .corpora import files, unpacked

STARTED_WITH = 200  # of each class
EVEN = 0.0  # log odds
SHARES = ("0.25", "0.5", "0.67", "0.75")  # of the mail by date that is learned at once
LOST = (1, 3, 10)  # hams
SPAM = "spam"
RUNS = Path(__file__).parent / "runs"


class Mail(NamedTuple):
    """A message that arrives."""

    path: Path
    label: str


class Filter(Protocol):
    """A filter that was trained, and learns on."""

    def score(self, mail: Mail) -> float:
        """How likely it is spam: above 0 is a verdict."""

    def correct(self, mail: Mail) -> None:
        """Learn a message that was judged wrongly."""


class Nbtext:
    """`nbtext learn`, or with `until_right` the same with `--until-right`, in a model made by `train --tune`."""

    def __init__(self, folder: Path, *, until_right: bool) -> None:
        path = str(folder / "mail.nbtext")
        train([str(folder / "corpus")], path, Analysis(reader="mail"), tune=lambda _: None, jobs=1).close()
        self.until_right = until_right
        self.classify = Classifier(Model.open(path, writable=True))

    def score(self, mail: Mail) -> float:
        return self.classify(self._document(mail)).log_odds(SPAM)

    def correct(self, mail: Mail) -> None:
        learn(self.classify.model, mail.label, [self._document(mail)], until_right=self.until_right)

    def _document(self, mail: Mail):
        return document(mail.path.read_bytes(), self.classify.model)


class Bogofilter:
    """bogofilter with its defaults; its spamicity less a half."""

    def __init__(self, folder: Path) -> None:
        self.command = ["bogofilter", "-C", "-d", str(folder)]
        for path in sorted((folder / "corpus").rglob("*.eml")):
            self.correct(Mail(path, path.parent.name))

    def score(self, mail: Mail) -> float:
        answer = subprocess.run([*self.command, "-TT", "-I", mail.path], capture_output=True, text=True)
        return float(answer.stdout.split()[-1]) - 0.5

    def correct(self, mail: Mail) -> None:
        subprocess.run([*self.command, "-s" if mail.label == SPAM else "-n", "-I", mail.path], check=True)


FILTERS: dict[str, Callable[[Path], Filter]] = {
    "nbtext": lambda folder: Nbtext(folder, until_right=False),
    "nbtext --until-right": lambda folder: Nbtext(folder, until_right=True),
    "bogofilter": Bogofilter,
}
AT_ONCE = ("nbtext", "bogofilter")  # of these, those that differ where nothing is corrected


def orders(mails: Sequence[Mail]) -> dict[str, list[Mail]]:
    """The same messages in three orders of arrival."""
    dated = sorted(mails, key=lambda mail: (written(mail.path.read_bytes()) or 0, mail.path.name))
    shuffled = list(mails)
    Random(0).shuffle(shuffled)
    return {"by date": dated, "newest first": dated[::-1], "shuffled": shuffled}


class Arrived(NamedTuple):
    """What a filter thought of a message on arrival."""

    spam: bool
    score: float

    @property
    def wrong(self) -> bool:
        """Whether it was judged wrongly."""
        return (self.score > EVEN) != self.spam


@contextmanager
def trained(mails: Sequence[Mail], name: str) -> Iterator[Filter]:
    """Context manager: yields a filter that has learned the messages."""
    with TemporaryDirectory() as folder:
        for number, mail in enumerate(mails):
            place = Path(folder, "corpus", mail.label)
            place.mkdir(parents=True, exist_ok=True)
            (place / f"{number}.eml").symlink_to(mail.path)
        yield FILTERS[name](Path(folder))


def stream(mails: Sequence[Mail], name: str) -> Iterator[Arrived]:
    """A filter's judgement of each message but the first, in order."""
    first = [mail for label in ("ham", SPAM) for mail in [m for m in mails if m.label == label][:STARTED_WITH]]
    begun = set(first)
    with trained(first, name) as judge:
        for mail in mails:
            if mail not in begun:
                arrived = Arrived(mail.label == SPAM, judge.score(mail))
                if arrived.wrong:
                    judge.correct(mail)
                yield arrived


def split(mails: Sequence[Mail], share: float, name: str) -> list[Arrived]:
    """The judgement of the last messages by a filter that has learned this share of them, the first."""
    cut = int(share * len(mails))
    with trained(mails[:cut], name) as judge:
        return [Arrived(mail.label == SPAM, judge.score(mail)) for mail in mails[cut:]]


def misses(arrived: Sequence[Arrived], lost: int) -> int:
    """How many spams score no more than the ham so far from the top."""
    hams = sorted((each.score for each in arrived if not each.spam), reverse=True)
    return sum(each.spam and each.score <= hams[lost] for each in arrived)


def head(words: str) -> None:
    """Print what a table is about, and what is in its columns."""
    print(f"\n{words}\n{'':22}  errors  ham lost    missed" + "".join(f"{f'at {n}':>8}" for n in LOST), flush=True)


def row(name: str, arrived: Sequence[Arrived]) -> str:
    """A line of the table."""
    ham, spam = (sum(each.wrong for each in arrived if each.spam is kind) for kind in (False, True))
    cells = "".join(f"{misses(arrived, lost):8}" for lost in LOST)
    return f"{name:22}{ham + spam:8}{ham:10}{spam:10}{cells}"


def draw(found: dict[str, dict[str, list[Arrived]]], path: Path) -> None:
    """Write an SVG: a panel for each order, a line for each filter."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4 * len(found), 3.6), layout="constrained")
    panels = figure.subplots(1, len(found), sharey=True, squeeze=False)[0]
    for panel, (order, streams) in zip(panels, found.items(), strict=True):
        for name, arrived in streams.items():
            errors, total = [], 0
            for each in arrived:
                total += each.wrong
                errors.append(total)
            panel.plot(errors, label=name)
        panel.set(title=order, xlabel="messages arrived")
        panel.grid(alpha=0.3)
    panels[0].set(ylabel="errors so far")
    panels[0].legend()
    with mpl.rc_context({"svg.hashsalt": "nbtext"}):
        figure.savefig(path, metadata={"Date": None})


def main(wanted: Sequence[str]) -> None:
    """Measure, print and draw."""
    mails = [Mail(file.path, file.label) for file in files(unpacked("spamassassin"))]
    arriving = orders(mails)
    found: dict[str, dict[str, list[Arrived]]] = {}
    for share in SHARES:
        if not wanted or share in wanted:
            head(f"{share} of the mail by date is learned at once")
            for name in AT_ONCE:
                print(row(name, split(arriving["by date"], float(share), name)), flush=True)
    for order in arriving:
        if not wanted or order in wanted:
            head(order)
            for name in FILTERS:
                found.setdefault(order, {})[name] = list(stream(arriving[order], name))
                print(row(name, found[order][name]), flush=True)
    if not wanted:
        draw(found, RUNS / "arrivals.svg")


if __name__ == "__main__":
    main(sys.argv[1:])
