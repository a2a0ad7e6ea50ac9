"""Whether tuning chooses well: python -m tests.bench.choices [NAME]...

Of each real corpus it answers the test part by every setting that `--tune` considered, and compares the one it chose
with the best of them. Where a corpus has no test part, each of five folds is one. The best is found with the answers in
view, and so is a little better than it would be on others.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nbtext.analysis import Analysis
from nbtext.corpus.batches import batches, weighed
from nbtext.corpus.walking import labelled
from nbtext.counting.counts import Counts
from nbtext.counting.documents import Documents, Integers
from nbtext.counting.indexed import IndexedCorpus
from nbtext.counting.shards import index_sources
from nbtext.engines._sharing import results, team
from nbtext.inference.estimator import Estimator
from nbtext.inference.folding import folds
from nbtext.inference.kinds import kinded
from nbtext.report import table
from nbtext.settings import Hyperparameters
from nbtext.training.choosing import NGRAMS, Setting
from nbtext.training.pieces import is_short, with_pieces
from nbtext.training.tuning import Tuning

from . import corpora

Mask = NDArray[np.bool_]

COLUMNS = "<<><>>>"  # how those of the table are set
FOLDS = 5
WORSE = 0.003  # than the best, that the chosen setting may be
NORMAL = 1.96  # standard errors to each side that hold 95 % of what chance does


class Choice(NamedTuple):
    """How the chosen setting answers the test part, beside the best of those considered.

    right, most  of the answers of the chosen one and of the best, which are right
    behind       how much more often the best is right, as a share; from least to most of the 95 % interval
    """

    corpus: str
    chosen: str
    right: float
    best: str
    most: float
    behind: tuple[float, float, float]

    @property
    def row(self) -> list[str]:
        """The cells of the table."""
        least, behind, most = self.behind
        interval = f"{least:.4f} to {most:.4f}" if behind else ""
        return [
            *(self.corpus, self.chosen, f"{self.right:.4f}", self.best, f"{self.most:.4f}"),
            *(f"{behind:.4f}", interval),
        ]


def main(names: Sequence[str]) -> int:
    """Print a table; the status is 1 if a choice is worse than it may be, and not by chance."""
    rows = [["corpus", "chosen", "right", "best", "right", "behind", "95 % interval"]]
    surely = 0.0
    for name in names or corpora.REAL:
        found = choice(name)
        surely = max(surely, found.behind[0])
        rows.append(found.row)
        print(table(rows[:1] + rows[-1:], COLUMNS)[-1], flush=True)
    print("", *table(rows, COLUMNS), sep="\n")
    return int(surely > WORSE)


def choice(name: str) -> Choice:
    """What tuning chooses on the training part of a corpus, and how all settings answer the test part."""
    nature = corpora.REAL[name]
    reader = "mail" if nature.mail else "text"
    analysis = Analysis(reader=reader, ngrams=max(NGRAMS), encoding=nature.encoding)
    folder = corpora.unpacked(name)
    corpus, ends = read([folder / "train", folder / "test"] if (folder / "train").is_dir() else [folder], analysis)
    numbers = folds(corpus.matrix, FOLDS) if len(ends) == 1 else (np.arange(ends[1]) < ends[0]).astype(np.int64)
    tested = [0] if len(ends) == 2 else range(FOLDS)
    found = [rights(corpus, np.flatnonzero(numbers != fold), np.flatnonzero(numbers == fold)) for fold in tested]
    settings = set.intersection(*(set(each) for each in found))
    by_setting = {setting: np.concatenate([each[setting] for each in found]) for setting in settings}
    best = max(sorted(settings), key=lambda setting: by_setting[setting].sum())
    chosen = Counter(next(iter(each)) for each in found)
    right = np.concatenate([next(iter(each.values())) for each in found])
    return Choice(
        name,
        ", ".join(map(spelled, chosen)),
        float(right.mean()),
        spelled(best),
        float(by_setting[best].mean()),
        interval(by_setting[best].astype(float) - right),
    )


def interval(differences: NDArray[np.float64]) -> tuple[float, float, float]:
    """The mean, between the ends of its 95 % interval.

    >>> [round(end, 3) for end in interval(np.array([1.0, 0.0, 0.0, -1.0]))]
    [-0.693, 0.0, 0.693]
    """
    around = NORMAL * float(differences.std()) / sqrt(len(differences))
    middle = float(differences.mean())
    return middle - around, middle, middle + around


def rights(corpus: IndexedCorpus, trained: Integers, tested: Integers) -> dict[Setting, Mask]:
    """Which tested documents each setting considered answers rightly, the chosen one first."""
    documents = corpus.matrix.some(trained)
    pieced = with_pieces(corpus) if is_short(corpus, documents) else None
    pieces = (pieced.matrix.some(trained), pieced.tokens) if pieced else None
    tagged = corpus.analysis.is_tagged
    tuning = Tuning(documents, corpus.tokens, corpus.labels, Hyperparameters(), tagged=tagged, pieces=pieces)
    return {
        setting: answered(tuning, setting, pieced if pieced and setting.tokenizer else corpus, trained, tested)
        for setting in (standing.setting for standing in tuning.standings())
    }


def spelled(setting: Setting) -> str:
    """A setting in a few words."""
    parts = [setting.event_model, f"{setting.alpha:g}", f"{setting.ngrams}-grams", setting.weights, setting.tokenizer]
    return " ".join(part for part in parts if part and part != "none")


def read(folders: Iterable[Path], analysis: Analysis) -> tuple[IndexedCorpus, list[int]]:
    """The documents of folders, one after another, and where those of each end."""
    corpus, ends = IndexedCorpus(analysis), []
    for folder in folders:
        sources, worth = weighed(labelled(str(folder), loose=False))
        with team(None, None, worth=worth) as workers:
            for shard in results(workers, partial(index_sources, analysis=analysis), batches(sources)):
                corpus.add(shard)
        ends.append(len(corpus.names))
    return corpus, ends


def answered(tuning: Tuning, setting: Setting, corpus: IndexedCorpus, trained: Integers, tested: Integers) -> Mask:
    """Which of the tested documents a setting answers rightly."""
    documents = corpus.matrix.where((corpus.tokens.lengths <= setting.ngrams)[corpus.matrix.tokens])
    learned, asked = documents.some(trained), documents.some(tested)
    estimator = estimated(learned, corpus, setting.of(Hyperparameters()))
    if setting in tuning.fits:
        kinds = kinded(corpus.tokens.shapes(), learned, tagged=corpus.analysis.is_tagged)
        estimator = estimator.weighed(tuning.fits[setting].weighting, kinds.numbers)
    return np.asarray(estimator.scores(asked).values.argmax(axis=1) == asked.classes)


def estimated(learned: Documents, corpus: IndexedCorpus, hyperparameters: Hyperparameters) -> Estimator:
    """The estimator of what was learned."""
    counts = Counts.of(learned, len(corpus.tokens), len(corpus.labels))
    return Estimator(counts, corpus.labels, hyperparameters)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
