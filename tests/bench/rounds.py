"""Runs one after the other: for each measure, round after round, every contender in turn.

Interleaved, so that a machine that is slower for a minute is slower for all. The files are read once before, so that
all find them in the page cache. Answers are checked and models weighed between measurements, outside the time taken.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from ..shell import pinned
from .clock import CommandError, Took, measured
from .contender import Contender
from .corpora import Corpus
from .records import Measurement

MEASURES = ("train", "bulk", "cold", "learn")
MORE = {"cold": 4, "learn": 4}  # times as many rounds for what takes milliseconds
IN_SERIES = ("train", "bulk")


def interleaved(
    corpus: Corpus,
    contenders: Mapping[str, Contender],
    rounds: int,
    say: Callable[[str], None],
) -> Iterator[Measurement]:
    """All measurements of the contenders on a corpus; one that fails is named, and left out from then on."""
    able = dict(contenders)
    warm(corpus)
    for measure in IN_SERIES if corpus.series else MEASURES:
        for number in range(rounds * (MORE.get(measure, 1) if rounds > 1 else 1)):
            for name, contender in list(able.items()):
                if number >= contender.most or not getattr(contender, measure)():
                    continue
                try:
                    yield (took := measurement(contender, measure, number))
                    say(f"{corpus.name}, {measure}, round {number + 1}: {name} {took.seconds:.3f} s")
                except CommandError as failure:
                    say(f"{name} is left out of {corpus.name}: {failure}")
                    del able[name]


def measurement(contender: Contender, measure: str, number: int) -> Measurement:
    """One measure of one contender, once.

    Raises: CommandError if its program does.
    """
    output = contender.folder / f"{measure}.out"
    prepare(contender, measure)
    commands = getattr(contender, measure)()
    took = measured(commands, contender.folder, output, surroundings(), contender.successes)
    result = _plain(contender, measure, number, took)
    if measure == "train":
        return result._replace(model=weight(contender.model))
    if measure == "bulk":
        return result._replace(**contender.judged(output)._asdict())
    return result


def prepare(contender: Contender, measure: str) -> None:
    """An empty folder before training; a fresh copy of the model, down on the disk, before learning."""
    if measure == "train":
        shutil.rmtree(contender.folder, ignore_errors=True)
    contender.folder.mkdir(parents=True, exist_ok=True)
    if measure == "learn":
        if contender.copy.is_dir():
            shutil.rmtree(contender.copy)
        (shutil.copytree if contender.model.is_dir() else shutil.copyfile)(contender.model, contender.copy)
        for file in parts(contender.copy):
            with file.open("rb+") as copy:
                os.fsync(copy)  # or the next transaction would wait for the copy to be written out


def surroundings() -> dict[str, str]:
    """The pinned environment without what leads Python elsewhere: an installed program must not find this checkout."""
    return {name: value for name, value in pinned().items() if not name.startswith("PYTHON")}


def weight(model: Path) -> int | None:
    """Bytes of a model, a file or a folder; None if there is none."""
    return sum(file.stat().st_size for file in parts(model)) if model.exists() else None


def parts(model: Path) -> list[Path]:
    """The files of a model."""
    return [file for file in model.rglob("*") if file.is_file()] if model.is_dir() else [model]


def warm(corpus: Corpus) -> None:
    """Read every file once."""
    for file in corpus.trained + corpus.tested:
        file.path.read_bytes()


def _plain(contender: Contender, measure: str, number: int, took: Took) -> Measurement:
    corpus = contender.corpus
    files = {"train": corpus.trained, "bulk": corpus.tested}.get(measure, [corpus.sample])
    size = sum(file.size for file in files)
    return Measurement(corpus.name, contender.name, measure, number, *took, len(files), size)
