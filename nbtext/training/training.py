"""LEARN_NAIVE_BAYES_TEXT: from labelled documents to a model.

Source: Mitchell, Machine Learning (1997), Table 6.2.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ..analysis import Analysis
from ..corpus.batches import batches, weighed
from ..corpus.sources import Aside, Found, Note, Skipped, Source
from ..corpus.walking import labelled
from ..counting.collection import Collection, count_sources
from ..counting.indexed import IndexedCorpus
from ..counting.portions import shared
from ..counting.runs import RunFolder
from ..counting.shards import Indexed, Shard, index_sources
from ..decoding import Limits
from ..engines._sharing import Team, results, team, unswept
from ..errors import CorpusError
from ..model.model import Model
from ..settings import Hyperparameters
from .building import Fitted, build
from .classes import check_classes

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from .tuning import Standing

Progress = Callable[[Iterable[Any]], Iterable[Any]]
AnyShard = TypeVar("AnyShard", Shard, Indexed)


def train(
    corpus: str | Sequence[str],
    path: str | None = None,
    analysis: Analysis = Analysis(),
    hyperparameters: Hyperparameters = Hyperparameters(),
    *,
    track: bool = True,
    allow_single_class: bool = False,
    allow_partial: bool = False,
    jobs: int | None = None,
    executor: "Executor | None" = None,
    memory: int | None = None,
    tune: Callable[[list["Standing"]], object] | None = None,
    weights: str | None = None,
    limits: Limits = Limits(),
    note: Callable[[str], object] = lambda _: None,
    report: Callable[[Aside], object] = lambda _: None,
    progress: Progress = iter,
) -> Model:
    """The model of a corpus on disk: one or more folders, each with one folder per class.

    path                the file for the model; None keeps it in memory
    analysis            how documents become tokens
    hyperparameters     the default for how counts become scores
    track               whether to remember which documents were learned
    allow_single_class  whether to train even if there is only one class
    allow_partial       whether to go on without a folder that cannot be read
    jobs                number of processes that share the work; by default one per core, or only this one if faster
    executor            does the work instead, as many pieces at a time as `jobs` says; its workers must see the corpus
                        and the model's folder under the same paths
    memory              about how many bytes counting may take, all processes together, plus what they need for a tiny
                        corpus, 40 bytes per document, and 150 bytes for each different token of each of the 500
                        documents that are sampled; counts that need more go to disk.
                        A model without a path comes on top. By default a quarter of the machine's memory
    tune                if given, event model, alpha, n-grams and weights are chosen on held-out documents, and it is
                        called with the results of all settings, the chosen one first
    weights             "fitted" or "none", as by `Hyperparameters.with_weights`; `tune` then chooses nothing else
    limits              which documents are refused
    note                called with a sentence if weights were asked for but not fitted
    report              called with everything that was not counted, or is odd
    progress            wraps the batches of work, to show progress

    Raises: CorpusError if there are fewer than two classes, or a folder cannot be read; ChoiceError for a setting that
    does not exist; ModelError if the model cannot be written.
    """
    hyperparameters = hyperparameters.with_weights(weights).checked()
    corpora = [corpus] if isinstance(corpus, str) else list(corpus)
    loose = analysis.input().reader.LABELLED
    folders: set[str] = set()  # labels of class folders that have files
    walked = (source for root in corpora for source in labelled(root, loose=loose, limits=limits))
    readable = walked if allow_partial else map(_whole, walked)
    sources, worth = weighed(_noting_labels(readable, folders))
    if executor:
        sources = map(_from_anywhere, sources)
    with (
        RunFolder(path or os.path.join(tempfile.gettempdir(), "nbtext")) as folder,
        unswept(),
        team(executor, jobs, worth=worth) as workers,
    ):
        reading = _Reading(sources, workers, report, progress)

        def check(labels: list[str]) -> None:
            for label in sorted(folders.difference(labels)):
                message = f"{label}: no document of this class has a token or could be read, so it is left out"
                report(Note(label, message))
            check_classes(labels, corpora, allow_single_class)

        if tune:
            from .choosing import NGRAMS
            from .fitted import tuned

            indexed = reading.indexed(analysis._replace(ngrams=max(NGRAMS)))
            check(indexed.labels)
            fitted = tuned(indexed, hyperparameters, weights, tune, note)
        elif hyperparameters.is_weighted:
            from .fitted import with_weights

            indexed = reading.indexed(analysis)
            check(indexed.labels)
            fitted = with_weights(indexed, hyperparameters, note)
        else:
            counted = reading.counted(analysis, memory or machine_bytes() // 4, folder)
            check(counted.labels)
            fitted = Fitted(counted, hyperparameters)
        return build(fitted, path, corpora, track=track, workers=workers)


class _Reading(NamedTuple):
    """Reading sources, each by one of the workers if there are any.

    report    called with everything that is not counted, or is odd
    progress  wraps the batches of work
    """

    sources: Iterable[Found]
    workers: Team | None
    report: Callable[[Aside], object]
    progress: Progress

    def counted(self, analysis: Analysis, memory: int, folder: RunFolder) -> Collection:
        """The counts of the sources."""
        collection = Collection(analysis, max(memory // 4, 1), folder.made)
        work = shared(collection, self.sources, memory, self.workers.workers if self.workers else 1)
        for shard in self._shards(partial(count_sources, analysis=analysis), work):
            collection.add(shard)
        return collection

    def indexed(self, analysis: Analysis) -> IndexedCorpus:
        """The documents of the sources."""
        corpus = IndexedCorpus(analysis)
        for shard in self._shards(partial(index_sources, analysis=analysis), batches(self.sources)):
            corpus.add(shard)
        return corpus

    def _shards(self, read: Callable[[Any], AnyShard], work: Iterable[Any]) -> Iterator[AnyShard]:
        """What is read of each piece of work; what it leaves out is reported."""
        shard: AnyShard
        for shard in self.progress(results(self.workers, read, work)):
            for item in shard.aside:
                self.report(item)
            yield shard


def _whole(found: Found) -> Found:
    """The same, unless it is a folder that cannot be read: a model without its documents must not replace a model.

    Raises: CorpusError, which names the folder.
    """
    if isinstance(found, Skipped) and found.reason == "unreadable" and os.path.isdir(found.name):
        raise CorpusError(f"{found.message}; make it readable, or train without its files with --partial")
    return found


def _noting_labels(sources: Iterable[Found], labels: set[str]) -> Iterator[Found]:
    """The same sources; their labels are added to the set as they pass."""
    for source in sources:
        if isinstance(source, Source) and source.label is not None:
            labels.add(source.label)
        yield source


def machine_bytes() -> int:
    """The memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _from_anywhere(source: Found) -> Found:
    """The source with an absolute path, to open it from another folder."""
    return source._replace(path=os.path.abspath(source.path)) if isinstance(source, Source) else source
