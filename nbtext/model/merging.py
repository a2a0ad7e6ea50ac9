"""Merging several models into one."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack

import numpy as np

from ..analysis import Analysis
from ..counting import SAMPLE
from ..counting.merging import Chunk, merged
from ..errors import ModelError
from ..storage.replacing import create_store
from ..storage.sample import bag_text
from ..storage.schema import stored_name
from .arrays import read_chunks, row_lines
from .building import finish_loaded, relative
from .model import Model
from .verifying import check_positions


def merge(models: Sequence[Model], path: str | None) -> Model:
    """Merge several models into one, with the hyperparameters of the first.

    The result is, bit by bit, the model trained on all their documents. Only fitted weights are those of the first
    model, since there are no documents to fit them again.

    Raises: ModelError if they do not tokenize in the same way; it names the setting.
    """
    with ExitStack() as copies:
        return _merged([copies.enter_context(model.copied()) for model in models], path)


def _merged(models: Sequence[Model], path: str | None) -> Model:
    first = models[0]
    for other in models[1:]:
        for name, ours, theirs in zip(Analysis._fields, _telling(first), _telling(other), strict=True):
            if ours != theirs:
                raise ModelError(
                    f"{other.store.path}: {name} is {theirs!r}, but {ours!r} in {first.store.path}; "
                    "only models that tokenize in the same way can be merged"
                )
    labels = sorted({entry.label for model in models for entry in model.classes if entry.documents})
    numbers = [_numbers(model, labels) for model in models]
    with create_store(path) as store:
        streams = [_renumbered(model, places) for model, places in zip(models, numbers, strict=True)]
        store.add_tokens((chunk.text.decode(), row_lines(chunk.counts)) for chunk in merged(streams, len(labels)))
        track = all(model.tracks for model in models)
        if track:
            store.add_learned(_learned(models, numbers))
        store.put("sample", _sample(models, numbers))
        places = {place for model in models for place in model.corpora()}
        store.put("corpus", ((stored_name(place),) for place in sorted(relative(places, path))))
        weights = first.weights if first.weighting else None
        finish_loaded(
            store, first.analysis, first.hyperparameters, _classes(models, labels), track=track, weights=weights
        )
        if path is None:
            return Model(store)
    return Model.open(path)


def _telling(model: Model) -> Analysis:
    """The analysis without the column of the identifier, which is not evidence."""
    return model.analysis._replace(fields=model.analysis.columns._replace(id="").spec())


def _numbers(model: Model, labels: Sequence[str]) -> list[int]:
    """The position of each class of the model among the labels; 0 for one without documents, and so without counts."""
    return [labels.index(entry.label) if entry.documents else 0 for entry in model.classes]


def _renumbered(model: Model, numbers: Sequence[int]) -> Iterator[Chunk]:
    places, positions = np.array(numbers, np.int32), np.zeros(len(numbers), np.int64)
    for text, counts in read_chunks(model.store, np.array(model.documents, np.int64)):
        positions += counts.positions
        yield Chunk(text, counts._replace(classes=places[counts.classes]))
    check_positions(model, positions.tolist())


def _classes(models: Sequence[Model], labels: Sequence[str]) -> list[tuple[str, int, int]]:
    entries = [entry for model in models for entry in model.classes]
    return [
        (
            label,
            sum(entry.documents for entry in entries if entry.label == label),
            sum(entry.positions for entry in entries if entry.label == label),
        )
        for label in labels
    ]


def _learned(models: Sequence[Model], numbers: Sequence[Sequence[int]]) -> list[tuple[int, int, int]]:
    times: dict[tuple[int, int], int] = {}
    for model, places in zip(models, numbers, strict=True):
        for digest, index, count in model.store.learned():
            key = digest, places[index]
            times[key] = times.get(key, 0) + count
    return [(digest, index, count) for (digest, index), count in sorted(times.items())]


def _sample(models: Sequence[Model], numbers: Sequence[Sequence[int]]) -> list[tuple[int, int, str]]:
    sampled = {
        (digest, places[index]): bag
        for model, places in zip(models, numbers, strict=True)
        for digest, index, bag in model.store.sample()
    }
    bags = ((*key, sampled[key]) for key in sorted(sampled)[:SAMPLE])
    return [(digest, index, bag_text(bag)) for digest, index, bag in bags]
