"""LEARN_NAIVE_BAYES_TEXT: from labelled documents to a model.

Source: Mitchell, Machine Learning (1997), Table 6.2.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ..analysis import Analysis
from ..corpus.batches import batches, weighed
from ..corpus.sources import Aside, Found, Note, Skipped, Source
from ..corpus.walking import labelled
from ..counting.collection import Collection, count_sources
from ..counting.indexed import IndexedCorpus
from ..counting.portions import shared
from ..counting.runs import RunFolder
from ..counting.shards import index_sources
from ..decoding import Limits
from ..engines._sharing import Team, results, team, unswept
from ..errors import CorpusError
from ..escaping import OUTCOME_NAMES
from ..inference.attributes import AttributeTokens
from ..inference.estimator import Estimator
from ..inference.fitting import fit, too_few
from ..inference.kinds import kinded
from ..inference.tempering import calibrated
from ..inference.weighting import Kinds, Weighting
from ..model.building import finish, relative
from ..model.model import Model
from ..model.summary import Summary, section
from ..settings import Hyperparameters
from ..storage.blocks import Part
from ..storage.replacing import create_store
from ..storage.sample import bag_text
from ..storage.schema import stored_name
from .choosing import NGRAMS
from .pieces import is_short, with_pieces
from .tuning import Standing, Tuning

if TYPE_CHECKING:
    from concurrent.futures import Executor

Progress = Callable[[Iterable[Any]], Iterable[Any]]


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
    tune: Callable[[list[Standing]], object] | None = None,
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
                        corpus, the sample of 500 documents and 40 bytes per document; counts that need more go to disk.
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
        weighting = None
        if tune:
            longest = analysis._replace(ngrams=max(NGRAMS))
            found = _indexed(longest, sources, workers, report, progress)
            _report_empty(folders, found.labels, report)
            check_classes(found.labels, corpora, allow_single_class)
            tagged = analysis.is_tagged
            pieced = with_pieces(found) if weights != "none" and is_short(found, found.matrix) else None
            tuning = Tuning(
                found.matrix,
                found.tokens,
                found.labels,
                hyperparameters,
                counts=found.counts,
                tagged=tagged,
                weights=weights,
                pieces=(pieced.matrix, pieced.tokens) if pieced else None,
            )
            standings = tuning.standings()
            tune(standings)
            if tuning.note:
                note(f"no weights were fitted: {tuning.note}")
            chosen = standings[0].setting
            hyperparameters = chosen.of(hyperparameters)
            weighting = tuning.fits[chosen].weighting if hyperparameters.is_weighted else None
            read = pieced if pieced and chosen.tokenizer else found
            collection: Collection | IndexedCorpus = read.up_to(chosen.ngrams)
        elif hyperparameters.is_weighted:
            collection = found = _indexed(analysis, sources, workers, report, progress)
            _report_empty(folders, found.labels, report)
            check_classes(found.labels, corpora, allow_single_class)
            hyperparameters, weighting = fit_weights(found, hyperparameters, note)
        else:
            limit = memory or machine_bytes() // 4
            collection = _counted(analysis, sources, workers, report, progress, limit, folder)
            _report_empty(folders, collection.labels, report)
        return build(
            collection,
            path,
            hyperparameters,
            corpora,
            track=track,
            allow_single_class=allow_single_class,
            weighting=weighting,
            workers=workers,
        )


def fit_weights(
    corpus: IndexedCorpus, hyperparameters: Hyperparameters, note: Callable[[str], object]
) -> tuple[Hyperparameters, Weighting | None]:
    """The weights fitted on a corpus; if they cannot be fitted, hyperparameters without any."""
    stopwords = corpus.tokens.find(hyperparameters.stopwords)
    attributes = AttributeTokens(*corpus.tokens.attributes)
    estimator = Estimator(corpus.counts, corpus.labels, hyperparameters, stopwords, attribute_tokens=attributes)
    if why := too_few(estimator):
        note(f"no weights were fitted: {why}")
        return hyperparameters._replace(weights="none"), None
    kinds = kinded(corpus.tokens.shapes(), corpus.matrix, tagged=corpus.analysis.is_tagged)
    return hyperparameters, fit(estimator, corpus.matrix, kinds).weighting


def _counted(
    analysis: Analysis,
    sources: Iterable[Found],
    workers: Team | None,
    report: Callable[[Aside], object],
    progress: Progress,
    memory: int,
    folder: RunFolder,
) -> Collection:
    """The counts of the sources."""
    collection = Collection(analysis, max(memory // 4, 1), folder.made)
    work = shared(collection, sources, memory, workers.workers if workers else 1)
    for shard in progress(results(workers, partial(count_sources, analysis=analysis), work)):
        for item in shard.aside:
            report(item)
        collection.add(shard)
    return collection


def _indexed(
    analysis: Analysis,
    sources: Iterable[Found],
    workers: Team | None,
    report: Callable[[Aside], object],
    progress: Progress,
) -> IndexedCorpus:
    """The documents of the sources."""
    corpus = IndexedCorpus(analysis)
    for shard in progress(results(workers, partial(index_sources, analysis=analysis), batches(sources))):
        for item in shard.aside:
            report(item)
        corpus.add(shard)
    return corpus


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


def _report_empty(folders: set[str], labels: Iterable[str], report: Callable[[Aside], object]) -> None:
    """Report class folders that have files, but no document to learn from."""
    for label in sorted(folders.difference(labels)):
        report(Note(label, f"{label}: no document of this class has a token or could be read, so it is left out"))


def machine_bytes() -> int:
    """The memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _from_anywhere(source: Found) -> Found:
    """The source with an absolute path, to open it from another folder."""
    return source._replace(path=os.path.abspath(source.path)) if isinstance(source, Source) else source


def build(
    collection: Collection | IndexedCorpus,
    path: str | None,
    hyperparameters: Hyperparameters,
    corpora: Sequence[str],
    *,
    track: bool,
    allow_single_class: bool,
    weighting: Weighting | None = None,
    workers: Team | None = None,
) -> Model:
    """The model of the counts collected.

    weighting  the fitted weights, if the hyperparameters ask for them
    workers    share the work, if there are any
    """
    labels, documents = collection.labels, collection.documents()
    check_classes(labels, corpora, allow_single_class)
    classes = {label: index for index, label in enumerate(labels)}
    sample = [(key, classes[label], bag) for key, label, bag in collection.sample()]
    wanted = sorted(set[str]().union(*(bag for _, _, bag in sample)))
    with create_store(path) as store:
        summary = Summary(documents, hyperparameters)
        pack = partial(section, documents=documents, hyperparameters=hyperparameters, all_rows=weighting is not None)
        sharers = workers if collection.is_on_disk else None  # sending counts in memory takes longer than the work
        parts = collection.parts(sharers.workers if sharers else 1)
        work = ((part, part.among(wanted)) for part in parts)  # each wanted token is sent once

        def entries_of_tokens() -> Iterator[Part]:
            for each in results(sharers, pack, work):
                summary.add(each)
                yield each.text.decode(), each.counts

        store.add_tokens(entries_of_tokens())
        estimator, loaded = summary.estimator(labels), summary.loaded
        if weighting:
            kinds = Kinds(weighting.kinds, tagged=collection.analysis.is_tagged)
            estimator = estimator.weighed(weighting, loaded.kinds(kinds))
        store.put("corpus", ((stored_name(place),) for place in sorted(relative(corpora, path))))
        if track:
            store.add_learned(collection.times())
        store.put("sample", ((key, index, bag_text(bag)) for key, index, bag in sample))
        entries = list(zip(labels, documents.tolist(), summary.positions.tolist(), strict=True))
        calibration = calibrated(estimator, loaded.documents(sample))
        dropped = [loaded.tokens[number] for number in estimator.filtered.dropped.tolist()]
        finish(store, collection.analysis, entries, estimator, dropped, track=track, calibration=calibration)
        if path is None:
            return Model(store)
    return Model.open(path)


def check_classes(labels: Sequence[str], corpora: Sequence[str], allow_single_class: bool) -> None:
    """Check that there are classes to distinguish.

    Raises: CorpusError if there are not; the message names the likely cause.
    """
    place = ", ".join(corpora) or "the documents"
    if reserved := next((label for label in labels if label in OUTCOME_NAMES.values()), None):
        raise CorpusError(
            f"{place}: the label {reserved} is reserved for documents without an answer; rename the class"
        )
    folder = bool(corpora) and os.path.isdir(corpora[0])
    if not labels:
        hint = (
            "a corpus is a folder with one folder of texts per class, or records that have a label, as in --reader csv"
        )
        if corpora and os.path.isfile(corpora[0]):
            empty = not os.path.getsize(corpora[0])
            hint = "the file is empty" if empty else "each of its records needs a text and a label"
        if folder and not _folders(corpora[0]) and len(_folders(_parent(corpora[0]))) > 1:
            hint = f"it contains no class folders: was the parent folder meant, {_parent(corpora[0])}?"
        raise CorpusError(f"{place}: no document to learn from; {hint}")
    if len(labels) == 1 and not allow_single_class:
        hint = f"was the parent folder meant, {_parent(corpora[0])}?" if folder else "add others"
        raise CorpusError(
            f"{place}: a single class, {labels[0]!r}, leaves nothing to distinguish; {hint} "
            f"({'--allow-single-class' if corpora else 'allow_single_class=True'} trains anyway)"
        )


def _parent(folder: str) -> str:
    """The parent of a folder, written in the same way, relative or absolute."""
    return os.path.normpath(os.path.join(folder, os.pardir))


def _folders(path: str) -> list[str]:
    """The folders in a folder, hidden ones aside; none in anything else."""
    return [name for name in next(os.walk(path), ("", [], []))[1] if not name.startswith(".")]
