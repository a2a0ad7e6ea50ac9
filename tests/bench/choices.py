"""Whether tuning chooses well: python -m tests.bench.choices [NAME]...

Of each real corpus it answers the test part by every setting that `--tune` considered, and compares the one it chose
with the best of them. Where a corpus has no test part, each of five folds is one.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

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

COLUMNS = "<<><>>"  # how those of the table are set
FOLDS = 5
WORSE = 0.003  # than the best, that the chosen setting may be


class Choice(NamedTuple):
    """How the chosen setting answers the test part, beside the best of those considered: shares of right answers."""

    corpus: str
    chosen: str
    right: float
    best: str
    most: float


def main(names: Sequence[str]) -> int:
    """Print a table; the status is 1 if a choice is worse than it may be."""
    rows = [["corpus", "chosen", "right", "best", "right", "behind"]]
    worst = 0.0
    for name in names or corpora.REAL:
        found = choice(name)
        behind = found.most - found.right
        worst = max(worst, behind)
        rows.append([name, found.chosen, f"{found.right:.4f}", found.best, f"{found.most:.4f}", f"{behind:.4f}"])
        print(table(rows[:1] + rows[-1:], COLUMNS)[-1], flush=True)
    print("", *table(rows, COLUMNS), sep="\n")
    return int(worst > WORSE)


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
    size = float(sum(np.count_nonzero(numbers == fold) for fold in tested))
    best = max(settings, key=lambda setting: sum(each[setting] for each in found))
    chosen = Counter(next(iter(each)) for each in found)
    return Choice(
        name,
        ", ".join(map(spelled, chosen)),
        sum(each[next(iter(each))] for each in found) / size,
        spelled(best),
        sum(each[best] for each in found) / size,
    )


def rights(corpus: IndexedCorpus, trained: Integers, tested: Integers) -> dict[Setting, int]:
    """How many tested documents each setting considered answers rightly, the chosen one first."""
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


def answered(tuning: Tuning, setting: Setting, corpus: IndexedCorpus, trained: Integers, tested: Integers) -> int:
    """How many of the tested documents a setting answers rightly."""
    documents = corpus.matrix.where((corpus.tokens.lengths <= setting.ngrams)[corpus.matrix.tokens])
    learned, asked = documents.some(trained), documents.some(tested)
    estimator = estimated(learned, corpus, setting.of(Hyperparameters()))
    if setting in tuning.fits:
        kinds = kinded(corpus.tokens.shapes(), learned, tagged=corpus.analysis.is_tagged)
        estimator = estimator.weighed(tuning.fits[setting].weighting, kinds.numbers)
    return int((estimator.scores(asked).values.argmax(axis=1) == asked.classes).sum())


def estimated(learned: Documents, corpus: IndexedCorpus, hyperparameters: Hyperparameters) -> Estimator:
    """The estimator of what was learned."""
    counts = Counts.of(learned, len(corpus.tokens), len(corpus.labels))
    return Estimator(counts, corpus.labels, hyperparameters)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
