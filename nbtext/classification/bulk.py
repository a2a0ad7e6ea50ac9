"""Many files classified by several processes: the same decisions in the same order.

Every worker opens the model itself, for connections to SQLite do not cross processes, and remembers the weights it
has met.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import islice
from typing import NamedTuple

from ..analysis import Analysis
from ..corpus.reading import opened, read_ahead
from ..corpus.sources import Aside, Found
from ..engines._sharing import team, unswept, weighed
from ..inference.reading import Reading
from ..model.model import Model
from ..readers import Document
from .decision import Classifier, Decision

BATCH = 64  # sources: few enough for answers to flow, enough to be worth carrying


class Decided(NamedTuple):
    """A document's name, and what is thought of it."""

    name: str
    decision: Decision


def decided(
    classify: Classifier, sources: Iterable[Found], analysis: Analysis, jobs: int | None = None
) -> Iterator[Decided | Aside]:
    """The decisions on the documents in the sources, in order, and what was skipped or odd in its place.

    classify  decides; its model is in a file
    analysis  how the sources are read
    jobs      how many processes share the work; by default one a core, or this one if that is quicker
    """
    sources, worth = weighed(sources)
    with unswept(), team(None, jobs, worth=worth) as workers:
        if workers is None:
            found = opened(sources, analysis)
            # Few files may be pipes, whose answers are waited for
            yield from _decided(classify, read_ahead(found) if worth else found)
            return
        again = partial(_classifier, classify.model.store.path, classify.reading, classify.raw, classify.unsure_below)
        for batch in workers.results(partial(_decided_there, again, analysis), _batches(sources)):
            yield from batch


def _batches(sources: Iterator[Found]) -> Iterator[list[Found]]:
    while batch := list(islice(sources, BATCH)):
        yield batch


def _decided(classify: Classifier, found: Iterable[Document | Aside]) -> Iterator[Decided | Aside]:
    for item in found:
        yield Decided(item.name, classify(item)) if isinstance(item, Document) else item


def _decided_there(
    classifier: Callable[[], Classifier], analysis: Analysis, sources: list[Found]
) -> list[Decided | Aside]:
    """In a worker: the decisions on a batch."""
    return list(_decided(classifier(), read_ahead(opened(sources, analysis))))


@cache
def _classifier(path: str, reading: Reading, raw: bool, unsure_below: float) -> Classifier:
    return Classifier(Model.open(path), reading, raw=raw, unsure_below=unsure_below)
