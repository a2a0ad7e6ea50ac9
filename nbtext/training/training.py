"""LEARN_NAIVE_BAYES_TEXT: from labelled documents to a model.

Source: Mitchell, Machine Learning (1997), Table 6.2.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ..analysis import Analysis
from ..corpus.sources import Aside, Found, Source
from ..corpus.walking import labelled
from ..counting import packing, runs
from ..counting.counts import Bag, Row, among
from ..counting.gathering import Gathered, Progress, gathered, gathered_documents
from ..counting.packing import Columns
from ..counting.sampling import SAMPLE
from ..counting.surveying import Survey, surveyed
from ..engines._sharing import team, unswept, weighed
from ..errors import CorpusError
from ..inference.calibration import Calibration, calibrated
from ..inference.leave_one_out import LeaveOneOut
from ..inference.reading import Reading, Totals, Vocabulary, log_priors, most_frequent, ranked, totals_of
from ..inference.scoring import Scorer
from ..model.model import Model
from ..readers import Document
from ..storage.model_file import created
from ..storage.signing import SignedRows
from ..storage.store import Store, bag_text, stored_name

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from .tuning import Standing


def train(
    corpus: str | Sequence[str],
    path: str | None = None,
    analysis: Analysis = Analysis(),
    reading: Reading = Reading(),
    *,
    track: bool = True,
    allow_single_class: bool = False,
    jobs: int | None = None,
    executor: "Executor | None" = None,
    memory: int | None = None,
    tune: "Callable[[list[Standing]], object] | None" = None,
    report: Callable[[Aside], object] = lambda _: None,
    progress: Progress = iter,
) -> Model:
    """The model of a corpus on disk: a folder or several, in each one folder a class.

    path                the file to keep the model in; None keeps it in memory
    analysis            how documents become tokens
    reading             how the counts are read unless something else is asked for
    track               whether to remember which documents were learned
    allow_single_class  whether a corpus of one class will do
    jobs                how many processes share the work; by default one a core, or this one if that is quicker
    executor            does the work instead, as many pieces at a time as `jobs` says; its workers must see the corpus
                        and the model's folder under the same paths
    memory              about how many bytes counts may take, in all processes together, before they go to disk, beside
                        the model; by default a quarter of the machine's
    tune                if given, event model, alpha and n-grams are chosen by leave-one-out, and it is told how all
                        settings did, the chosen one first
    report              is told of everything that was not counted, or is odd
    progress            wraps the batches of work, to show how far it is

    Raises: CorpusError if there is nothing to tell apart; ChoiceError for a setting that does not exist; ModelError
    if the model cannot be written.
    """
    reading.checked()
    corpora = [corpus] if isinstance(corpus, str) else list(corpus)
    loose = analysis.input().reader.LABELLED
    sources, worth = weighed(source for root in corpora for source in labelled(root, loose=loose))
    if executor:
        sources = map(_from_anywhere, sources)
    memory = memory or machine_bytes() // 4
    with runs.folder(path or os.path.join(tempfile.gettempdir(), "nbtext")) as folder, unswept():
        sample_size = SAMPLE
        if tune:
            from .tuning import LARGEST_SAMPLE, NGRAMS, tuned

            analysis, sample_size = analysis._replace(ngrams=max(NGRAMS)), LARGEST_SAMPLE
        with team(executor, jobs, worth=worth) as workers:
            found = gathered(sources, analysis, workers, memory, folder, report, progress, sample_size)
        calibration = None
        if tune:
            _check_classes(sorted(found.counts.documents), corpora, allow_single_class)
            standings, calibration = tuned(found, reading, worth_sharing=worth and jobs != 1)
            tune(standings)
            chosen = standings[0].setting
            analysis, reading = analysis._replace(ngrams=chosen.ngrams), chosen.of(reading)
            found = found if chosen.ngrams > 1 else found.without_ngrams()
        return modelled(
            found,
            path,
            analysis,
            reading,
            corpora,
            track=track,
            allow_single_class=allow_single_class,
            calibration=calibration,
        )


def machine_bytes() -> int:
    """The memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _from_anywhere(source: Found) -> Found:
    """The source as one can open it from another folder."""
    return source._replace(path=os.path.abspath(source.path)) if isinstance(source, Source) else source


def train_documents(
    documents: Iterable[Document] | Mapping[str, Iterable[str]],
    path: str | None = None,
    analysis: Analysis = Analysis(),
    reading: Reading = Reading(),
    *,
    track: bool = True,
    allow_single_class: bool = False,
) -> Model:
    """The model of documents at hand: texts by label, or documents with their labels; the rest as for `train`.

    >>> train_documents({"a": ["red"], "b": ["blue blue blue blue"]}).documents
    [1, 1]

    Raises: TypeError for a string where a list of texts belongs.
    """
    reading.checked()
    if isinstance(documents, Mapping):
        for label, texts in documents.items():
            if isinstance(texts, str):
                raise TypeError(f"the texts of {label!r} are one string, not a list of strings")
        documents = (Document([("", text)], label) for label, texts in documents.items() for text in texts)
    found = gathered_documents(documents, analysis)
    return modelled(found, path, analysis, reading, [], track=track, allow_single_class=allow_single_class)


def modelled(
    found: Gathered,
    path: str | None,
    analysis: Analysis,
    reading: Reading,
    corpora: Sequence[str],
    *,
    track: bool,
    allow_single_class: bool,
    calibration: Calibration | None = None,
) -> Model:
    """The model of what was gathered.

    calibration  if that is known; else it is fitted on the sample
    """
    labels = sorted(found.counts.documents)
    documents = {label: found.counts.documents[label] for label in labels}
    _check_classes(labels, corpora, allow_single_class)
    numbers = {label: index for index, label in enumerate(labels)}
    # Tuning keeps more documents than the file does
    sample = [(key, numbers[label], bag) for key, label, bag in found.sample.lowest(SAMPLE)]
    whole = reading.is_unfiltered
    # Else it is known, or memory is short, and the file will tell what it takes
    fits = whole and not calibration and not packing.files(found.runs)
    wanted = set().union(*(bag for _, _, bag in sample)) if fits else set()
    tuned = whole and calibration  # then they have been surveyed already
    survey = Survey(*found.sampled(labels, 0)) if tuned else surveyed({}, wanted, documents)

    def signed_and_surveyed(columns: Columns) -> tuple[SignedRows, Survey | None]:
        part = None if tuned else surveyed(columns, wanted, documents)
        return SignedRows.of(*packing.texts(columns, labels)), part

    def rows(parts: Iterable[tuple[SignedRows, Survey | None]]) -> Iterator[SignedRows]:
        """The rows alone; the survey is complete when the last are written."""
        for signed, part in parts:
            if part:
                survey.extend(part)
            yield signed

    with found.making(signed_and_surveyed) as parts, created(path) as store:
        store.add_signed(rows(parts))
        store.put("corpus", ((stored_name(place),) for place in sorted(relative(corpora, path))))
        if track:
            store.put("learned", ((key, numbers[label], times) for key, label, times in found.times()))
        store.put("sample", ((key, index, bag_text(bag)) for key, index, bag in sample))
        fitted = calibration
        if fits:
            bags = [(index, bag) for _, index, bag in sample]
            look_up = partial(among, survey.rows)
            fitted = _fitted(reading, Vocabulary(reading), survey.totals, labels, bags, look_up)
        classes = [(label, documents[label], survey.totals.positions[number]) for label, number in numbers.items()]
        totals = survey.totals if whole else None
        finish(store, analysis, reading, classes, totals, track=track, calibration=fitted)
        if path is None:
            return Model(store)
    return Model.open(path)


def finish(
    store: Store,
    analysis: Analysis,
    reading: Reading,
    classes: Sequence[tuple[str, int, int]],
    totals: Totals | None = None,
    *,
    track: bool,
    calibration: Calibration | None = None,
) -> None:
    """Add to a model file of tokens and a sample all that follows: what the default reading makes of the counts.

    classes      label, documents and positions of each, by class number
    totals       what the vocabulary adds up to, if that is known; else it is found in a pass over the tokens
    calibration  if that is known; else it is fitted on the sample

    Raises: CorpusError if the filters leave no vocabulary.
    """
    store.documents = documents = [count for _, count, _ in classes]
    dropped = most_frequent(store.tokens(), reading) if reading.drop_top else []
    vocabulary = Vocabulary(reading, dropped)
    totals = totals or totals_of(store.tokens(), vocabulary, documents)
    if not totals.vocabulary:
        raise CorpusError(_emptied(store, reading, dropped))
    settings = {**analysis._asdict(), **reading._asdict(), "track": int(track), "vocabulary": totals.vocabulary}
    del settings["stopwords"]
    settings |= {"classes": len(classes), "excluded": len(reading.stopwords) + len(dropped)}
    calibration = calibration or _calibrated(store, reading, vocabulary, totals, [label for label, _, _ in classes])
    excluded = [(token, "stopword") for token in reading.stopwords] + [(token, "dropped") for token in dropped]
    store.put("setting", sorted([*settings.items(), *calibration.settings()]))
    store.delete("excluded")
    store.put("excluded", sorted(excluded))
    store.put(
        "class",
        (
            (index, stored_name(label), count, positions, totals.positions[index], totals.presences[index])
            for index, (label, count, positions) in enumerate(classes)
        ),
    )
    put_spread(store, totals)


def _calibrated(
    store: Store, reading: Reading, vocabulary: Vocabulary, totals: Totals, labels: Sequence[str]
) -> Calibration:
    ranking = ranked(store.tokens(), reading) if reading.drop_top else []
    sample = [(index, bag) for _, index, bag in store.sample()]
    with store.sampling():
        return _fitted(reading, vocabulary, totals, labels, sample, store.rows, ranking)


def _fitted(
    reading: Reading,
    vocabulary: Vocabulary,
    totals: Totals,
    labels: Sequence[str],
    sample: Sequence[tuple[int, Bag]],
    look_up: Callable[[Iterable[str]], Mapping[str, Row]],
    ranking: Sequence[tuple[int, str]] = (),
) -> Calibration:
    scorer = Scorer(reading, vocabulary, totals, log_priors(reading.prior, labels, totals.documents), look_up)
    return calibrated(LeaveOneOut(scorer, labels, ranking), sample)


def put_spread(store: Store, totals: Totals) -> None:
    """Write the spread of presences down anew, zeros left out."""
    store.delete("spread")
    rows = (
        (index, documents, tokens)
        for index, spread in enumerate(totals.spread or [])
        for documents, tokens in sorted(spread.items())
        if tokens
    )
    store.put("spread", rows)


def _emptied(store: Store, reading: Reading, dropped: Sequence[str]) -> str:
    """Which filter took how many tokens of the vocabulary."""
    left = list(store.tokens())
    steps = [f"{len(left)} tokens"]
    for name, stage in (
        ("stopwords", Vocabulary(Reading(stopwords=reading.stopwords))),
        ("drop-top", Vocabulary(Reading(), dropped)),
        ("min-count", Vocabulary(Reading(min_count=reading.min_count))),
        ("min-docs", Vocabulary(Reading(min_docs=reading.min_docs))),
    ):
        before = len(left)
        left = [(token, row) for token, row in left if stage.admits(token, row)]
        if len(left) < before:
            steps.append(f"{len(left)} after {name}")
    return f"the filters leave no vocabulary: {', '.join(steps)}; loosen them"


def relative(corpora: Iterable[str], path: str | None) -> set[str]:
    """The corpora as seen from the model's folder, so that both can be moved together and the file names no machine."""
    folder = os.path.dirname(os.path.realpath(path)) if path else os.getcwd()
    return {os.path.relpath(os.path.realpath(corpus), folder) for corpus in corpora}


def _check_classes(labels: Sequence[str], corpora: Sequence[str], allow_single_class: bool) -> None:
    place = ", ".join(corpora) or "the documents"
    if not labels:
        raise CorpusError(
            f"{place}: no document to learn from; a corpus is a folder with one folder of texts per class, or records "
            "that have a label, as in --reader csv"
        )
    if len(labels) == 1 and not allow_single_class:
        hint = (
            f"was the parent folder meant, {os.path.dirname(os.path.abspath(corpora[0]))}?" if corpora else "add others"
        )
        raise CorpusError(
            f"{place}: a single class, {labels[0]!r}, leaves nothing to tell apart; {hint} "
            "(--allow-single-class trains all the same)"
        )
