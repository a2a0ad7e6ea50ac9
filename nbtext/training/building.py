"""The file of a new model, written from its counts."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from ..counting.collection import Collection
from ..counting.indexed import IndexedCorpus
from ..counting.ordering import Lines
from ..counting.sample import indexed
from ..engines._sharing import Team, results
from ..inference.tempering import calibrated
from ..inference.weighting import Kinds, Weighting
from ..model.building import finish, relative
from ..model.model import Model
from ..model.summary import Summary, section
from ..settings import Hyperparameters
from ..storage.replacing import create_store
from ..storage.sample import bag_text
from ..storage.schema import stored_name
from ..storage.store import Store


class Fitted(NamedTuple):
    """Counts, and the settings for a model of them.

    weighting  the fitted weights, if the hyperparameters ask for them
    """

    collection: Collection | IndexedCorpus
    hyperparameters: Hyperparameters
    weighting: Weighting | None = None


def build(
    fitted: Fitted, path: str | None, corpora: Sequence[str], *, track: bool, workers: Team | None = None
) -> Model:
    """The model of counts, in a file or (path None) in memory.

    corpora  their paths
    track    whether to remember which documents were learned
    workers  share the work, if there are any
    """
    collection = fitted.collection
    labels, documents = collection.labels, collection.documents()
    sample = collection.sample()
    wanted, sampled = indexed(sample, labels)
    with create_store(path) as store:
        summary = _write_tokens(store, fitted, wanted, workers)
        store.put("corpus", ((stored_name(place),) for place in sorted(relative(corpora, path))))
        if track:
            store.add_learned(collection.times())
        keys = zip(sampled.digests.tolist(), sampled.classes.tolist(), strict=True)
        store.put("sample", ((*key, bag_text(each.bag)) for key, each in zip(keys, sample, strict=True)))
        estimator, loaded = summary.estimator(labels), summary.loaded
        if fitted.weighting:
            kinds = Kinds(fitted.weighting.kinds, tagged=collection.analysis.is_tagged)
            estimator = estimator.weighed(fitted.weighting, loaded.kinds(kinds))
        entries = list(zip(labels, documents.tolist(), summary.positions.tolist(), strict=True))
        calibration = calibrated(estimator, sampled._replace(tokens=summary.wanted()[sampled.tokens]))
        dropped = loaded.texts(estimator.filtered.dropped)
        finish(store, collection.analysis, entries, estimator, dropped, track=track, calibration=calibration)
        if path is None:
            return Model(store)
    return Model.open(path)


def _write_tokens(store: Store, fitted: Fitted, wanted: Lines, workers: Team | None) -> Summary:
    """Write all tokens with their counts into a model file; return the summary of them.

    wanted  tokens whose rows the summary keeps
    """
    collection, hyperparameters, weighting = fitted
    documents = collection.documents()
    summary = Summary(documents, hyperparameters)
    pack = partial(section, documents=documents, hyperparameters=hyperparameters, all_rows=weighting is not None)
    sharers = workers if collection.is_on_disk else None  # sending counts in memory takes longer than the work
    parts = collection.parts(sharers.workers if sharers else 1)
    work = ((part, part.among(wanted)) for part in parts)  # each wanted token is sent once
    sections = summary.adding(results(sharers, pack, work))
    store.add_tokens((each.text.decode(), each.counts) for each in sections)
    return summary
