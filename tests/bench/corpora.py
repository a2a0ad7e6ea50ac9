"""On what is measured: real corpora from ../shared/corpora and synthetic ones, in a cache outside the repository.

Every corpus has the folders `train` and `test`, in each one folder per class, in each one document per file. Nothing in
the cache is ever changed; what is not there is made.
"""

import os
import shutil
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from math import ceil
from pathlib import Path
from random import Random
from typing import NamedTuple

from ..shell import ROOT
from .synthetic import Recipe, write

SHARED = Path(os.environ.get("NBTEXT_SHARED") or ROOT.parent / "shared")
TRAINED_SHARE = 0.75
SPLIT_SEED = "spamassassin, 75 to 25"
ACCURACY, GROWTH, SPLITS = "accuracy", "growth", "splits"
SEEDS = range(5)  # of the splits
STEPS = (1, 2, 4, 8, 16)  # times the smallest corpus of the growth series
TESTED = 1500  # documents of a corpus without a test part that its splits test together, at least


class UnavailableError(Exception):
    """Something cannot take part here; the sentence says why."""


class File(NamedTuple):
    """A document on disk."""

    path: Path
    size: int

    @property
    def key(self) -> str:
        """CLASS/FILE: what predictions are matched by.

        >>> File(Path("cache/test/spam/1.txt"), 0).key
        'spam/1.txt'
        """
        return "/".join(self.path.parts[-2:])

    @property
    def label(self) -> str:
        """The class it belongs to.

        >>> File(Path("cache/test/spam/1.txt"), 0).label
        'spam'
        """
        return self.path.parent.name


class Nature(NamedTuple):
    """What a program must know to read a corpus.

    encoding  of its files, or of those that are not UTF-8
    mail      they are mail messages, of the classes ham and spam
    english   or mostly; words of other languages have many endings, or no spaces between them
    """

    encoding: str = "utf-8"
    mail: bool = False
    english: bool = True


WESTERN = Nature("windows-1252")
MAIL = Nature("windows-1252", mail=True)

REAL = {
    "20news-bydate": WESTERN,
    "r8": Nature(),
    "sms-spam": Nature(),
    "spamassassin": MAIL,
    "polarity2000": Nature(),
    "haber1150-tr": Nature("windows-1254", english=False),
    "livedoor-ja": Nature(english=False),
    "lid75": Nature(english=False),
    "aclimdb": Nature(),
}


class Corpus:
    """A folder with `train` and `test` in it.

    series  the one it belongs to; empty if it stands by itself
    """

    def __init__(self, name: str, folder: Path, nature: Nature = WESTERN, *, series: str = "") -> None:
        self.name = name
        self.train = folder / "train"
        self.test = folder / "test"
        self.encoding, self.mail, self.english = nature
        self.series = series

    @cached_property
    def trained(self) -> list[File]:
        """The training documents, sorted."""
        return files(self.train)

    @cached_property
    def tested(self) -> list[File]:
        """The test documents, sorted."""
        return files(self.test)

    @cached_property
    def labels(self) -> list[str]:
        """The classes, sorted."""
        return sorted({file.label for file in self.trained})

    @cached_property
    def size(self) -> int:
        """Bytes to train on."""
        return sum(file.size for file in self.trained)

    @cached_property
    def sample(self) -> File:
        """The test document of the median size: the one that is classified cold."""
        return sorted(self.tested, key=lambda file: (file.size, file.key))[len(self.tested) // 2]


def cache() -> Path:
    """The folder of what is unpacked, made or installed: NBTEXT_BENCH, by default one in the user's cache folder."""
    named = os.environ.get("NBTEXT_BENCH")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = Path(named) if named else home / "nbtext-bench"
    folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()


def newsgroups() -> Corpus:
    """20 Newsgroups, split by date: Usenet posts of 20 groups."""
    return Corpus("20news-bydate", unpacked("20news-bydate"))


def spamassassin() -> Corpus:
    """The SpamAssassin mail corpus: raw messages, ham and spam, three quarters of each to train on."""
    return Corpus("spamassassin", parted("spamassassin", SPLIT_SEED, "spamassassin-split"), MAIL)


def synthetic() -> Corpus:
    """32 MB of synthetic text, which hold more than a million different words."""
    return drawn("synthetic", Recipe(32_000_000), 2_000_000)


def tiny() -> Corpus:
    """A synthetic corpus for trying the bench itself."""
    return drawn("tiny", Recipe(300_000, vocabulary=20_000, classes=4), 100_000)


def growth(smallest: int = 16_000_000) -> Iterator[Corpus]:
    """Synthetic corpora of 1, 2, 4, 8 and 16 times the smallest's bytes of training text; the same size of test."""
    for step in STEPS:
        yield drawn(f"{GROWTH}-{step}", Recipe(smallest * step), 1_000_000, GROWTH)


def splits() -> Iterator[Corpus]:
    """The SpamAssassin mail corpus again, parted anew by each seed: what one split says may be chance."""
    for seed in SEEDS:
        yield Corpus(f"{SPLITS}-{seed}", parted("spamassassin", seed), MAIL, series=SPLITS)


def accuracy() -> Iterator[Corpus]:
    """All real corpora: by their own test part, or parted by as many seeds as it takes to test enough documents."""
    for name, nature in REAL.items():
        whole = unpacked(name)
        folders = [whole] if (whole / "train").is_dir() else [parted(name, seed) for seed in range(seeds(whole))]
        for number, folder in enumerate(folders):
            yield Corpus(f"{ACCURACY}-{name}-{number}", folder, nature, series=ACCURACY)


def seeds(whole: Path) -> int:
    """How many splits of a corpus test `TESTED` documents together."""
    return ceil(TESTED / (len(files(whole)) * (1 - TRAINED_SHARE)))


# Those measured if none is named, and all that can be named
USUAL: dict[str, Callable[[], Corpus]] = {
    "20news-bydate": newsgroups,
    "spamassassin": spamassassin,
    "synthetic": synthetic,
}
KNOWN = USUAL | {"tiny": tiny}
SERIES: dict[str, Callable[[], Iterator[Corpus]]] = {ACCURACY: accuracy, SPLITS: splits, GROWTH: growth}


def drawn(name: str, recipe: Recipe, tested: int, series: str = "") -> Corpus:
    """The synthetic corpus of a recipe, with `tested` bytes of documents that were not trained on."""
    folder = cache() / "corpora" / "-".join(["synthetic", *map(str, recipe), str(tested)])
    if not folder.exists():
        with made(folder) as new:
            write(new / "train", recipe)
            write(new / "test", recipe._replace(size=tested, seed=f"{recipe.seed}, test"))
    return Corpus(name, folder, series=series)


def unpacked(name: str) -> Path:
    """The folder of a real corpus.

    Raises: UnavailableError if its archive is not there.
    """
    folder = cache() / "corpora" / name
    if not folder.exists():
        archive = SHARED / "corpora" / f"{name}.tar.xz"
        if not archive.is_file():
            raise UnavailableError(
                f"{name}: there is no {archive}; NBTEXT_SHARED can name another folder than {SHARED}"
            )
        with made(folder) as new, tarfile.open(archive) as content:
            content.extraction_filter = getattr(tarfile, "data_filter", None)  # absent before Python 3.11.4
            content.extractall(new.parent)
    return folder


def parted(whole: str, seed: str | int, name: str = "") -> Path:
    """The folder of a real corpus parted by a seed.

    name  of the folder, if it is not made of the others
    """
    folder = cache() / "corpora" / (name or f"{whole}-split-{seed}")
    if not folder.exists():
        with made(folder) as new:
            split(unpacked(whole), new, seed)
    return folder


def split(whole: Path, folder: Path, seed: str | int) -> None:
    """Link the files of `whole` below `folder`: seeded three quarters of each class in `train`, the rest in `test`."""
    by_class: dict[str, list[File]] = {}
    for file in files(whole):
        by_class.setdefault(file.label, []).append(file)
    for label, group in by_class.items():
        Random(seed).shuffle(group)
        cut = int(len(group) * TRAINED_SHARE)
        for part, chosen in ("train", group[:cut]), ("test", group[cut:]):
            (folder / part / label).mkdir(parents=True)
            for file in chosen:
                os.link(file.path, folder / part / label / file.path.name)


def files(folder: Path) -> list[File]:
    """Every file below a folder, sorted by path."""
    found = []
    for place, _, names in os.walk(folder):
        for name in names:
            path = Path(place, name)
            found.append(File(path, path.stat().st_size))
    return sorted(found)


@contextmanager
def made(folder: Path) -> Iterator[Path]:
    """A folder to fill, which appears as `folder` when it is complete, or not at all."""
    new = folder.parent / "making" / folder.name
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    yield new
    new.rename(folder)
