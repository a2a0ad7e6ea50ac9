"""The parts of a model file beside its tokens: those that depend on the hyperparameters."""

import json
import os
from collections.abc import Iterable, Sequence

from ..analysis import Analysis
from ..errors import CorpusError
from ..inference.calibration import Calibration
from ..inference.estimator import Estimator
from ..inference.factors import AttributeTotals
from ..inference.tempering import calibrated
from ..inference.vocabulary import Totals
from ..inference.weighting import Kinds, Weighting
from ..settings import Hyperparameters
from ..storage.schema import stored_name
from ..storage.store import Store
from .arrays import load
from .weights import settings_of

STREAMS = "/dev/"  # beginning of the paths of streams


def finish(
    store: Store,
    analysis: Analysis,
    classes: Sequence[tuple[str, int, int]],
    estimator: Estimator,
    tokens: Sequence[str],
    *,
    track: bool,
    calibration: Calibration,
) -> None:
    """Complete a model file that has tokens and a sample; with fitted weights, if the estimator has some.

    classes    label, documents and positions of each, by class number
    estimator  the counts under the hyperparameters of the model
    tokens     the texts of the tokens that the estimator drops as most frequent

    Raises: CorpusError if the filters leave no vocabulary.
    """
    totals, hyperparameters = estimator.totals, estimator.hyperparameters
    if estimator.is_empty:
        raise CorpusError(_emptied(estimator))
    excluded = [(token, "stopword") for token in hyperparameters.stopwords] + [(token, "dropped") for token in tokens]
    settings = {**analysis.plain(), **hyperparameters.plain(), "track": int(track), "vocabulary": totals.vocabulary}
    del settings["stopwords"]
    settings |= {"classes": len(classes), "excluded": len(excluded)}
    store.put("setting", sorted([*settings.items(), *calibration.settings()]))
    if estimator.weighted and hyperparameters.is_weighted:
        write_weights(store, estimator.weighted.weighting, estimator.evidence.totals)
    write_attributes(store, estimator.attributes.totals if estimator.attribute_tokens else None)
    store.delete("excluded")
    store.put("excluded", sorted(excluded))
    sizes = zip(totals.sizes["occurrences"], totals.sizes["frequency"], strict=True)
    store.put(
        "class",
        (
            (index, stored_name(label), documents, positions, *size)
            for index, ((label, documents, positions), size) in enumerate(zip(classes, sizes, strict=True))
        ),
    )
    store.delete("spread")
    spread = ((index, d, n) for index, kept in enumerate(totals.spread) for d, n in sorted(kept.items()) if n)
    store.put("spread", spread)


def write_attributes(store: Store, totals: AttributeTotals | None) -> None:
    """Write the totals of attributes into a model file; most models have none."""
    if totals is None:
        store.delete("setting", name="attributes")
    else:
        store.put("setting", [("attributes", json.dumps(totals.plain()))])


def write_weights(store: Store, weighting: Weighting, totals: Iterable[Totals]) -> None:
    """Write fitted weights, and the totals of each kind of token, into a model file."""
    store.put("setting", settings_of(weighting, totals))


def finish_loaded(
    store: Store,
    analysis: Analysis,
    hyperparameters: Hyperparameters,
    classes: Sequence[tuple[str, int, int]],
    *,
    track: bool,
    calibration: Calibration | None = None,
    weights: tuple[Weighting, Kinds] | None = None,
) -> None:
    """The same, with the tokens read from the file.

    calibration  if known; else it is fitted on the sample
    weights      the weights of tokens, if the hyperparameters ask for them, and the kinds of tokens
    """
    store.documents = documents = [count for _, count, _ in classes]
    loaded = load(store, documents)
    labels = [label for label, _, _ in classes]
    estimator = loaded.estimator(labels, hyperparameters, weights)
    dropped = loaded.texts(estimator.filtered.dropped)
    if calibration is None and not estimator.is_empty:
        with store.sampling():
            calibration = calibrated(estimator, loaded.documents(store.sample()))
    finish(store, analysis, classes, estimator, dropped, track=track, calibration=calibration or Calibration(None, 0))


def relative(corpora: Iterable[str], path: str | None) -> set[str]:
    """The paths of the corpora relative to the model's folder, so that both can be moved together.

    Streams, such as standard input, are left out: they cannot be read again.
    """
    folder = os.path.dirname(os.path.realpath(path)) if path else os.getcwd()
    return {os.path.relpath(os.path.realpath(corpus), folder) for corpus in corpora if not corpus.startswith(STREAMS)}


def _emptied(estimator: Estimator) -> str:
    """How many tokens of the vocabulary each filter removed."""
    filtered, stages = estimator.filtered, estimator.filtered.stages
    occurrences, frequency = filtered.occurrences[filtered.dropped], filtered.frequency[filtered.dropped]
    common = occurrences >= filtered.min_count
    after = {
        "stopwords": stages["stopwords"],
        "drop-top": stages["stopwords"] - len(common),
        "min-count": stages["min-count"] - int(common.sum()),
        "min-docs": stages["min-docs"] - int(filtered.suffice(occurrences, frequency).sum()),
    }
    steps = [f"{stages['']} tokens"]
    left = stages[""]
    for name, fewer in after.items():
        if fewer < left:
            steps.append(f"{fewer} after {name}")
        left = fewer
    return f"the filters leave no vocabulary: {', '.join(steps)}; loosen them"
