"""Examples: labelled documents as bags of shared tokens, read and tokenized once however often they are split."""

import os
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from sys import intern
from time import time
from typing import Any, NamedTuple

from ..analysis import Analysis
from ..corpus.reading import documents
from ..corpus.sources import Aside, Found, Source, without_label, without_token
from ..counting.counts import Bag, single_tokens
from ..counting.gathering import digest
from ..engines._sharing import batches, results, team, weighed
from ..readers import Document

Progress = Callable[[Sequence[Any]], Iterable[Any]]


class Example(NamedTuple):
    """A labelled document as the models see it, without its text.

    digest          what texts are recognised by: equal texts have equal ones
    tokens, counts  what stands in it, and how often
    time            when it was written, in seconds since 1970: by its own word, else as its file was last changed
    """

    name: str
    label: str
    digest: int
    tokens: tuple[str, ...]
    counts: "array[int]"
    time: float = 0.0

    @property
    def bag(self) -> Bag:
        """How often each token occurs."""
        return dict(zip(self.tokens, self.counts, strict=True))

    def without_ngrams(self) -> "Example":
        """The same with single tokens alone."""
        bag = single_tokens(self.bag)
        return self._replace(tokens=tuple(bag), counts=array("I", bag.values()))


def examples(
    found: Iterable[Found], analysis: Analysis, report: Callable[[Aside], object], progress: Progress = iter
) -> Iterator[Example]:
    """The labelled documents in what was found, one by one; all else is reported, empty documents too.

    progress  wraps the batches of work, to show how far it is
    """
    sources, worth = weighed(found)
    work = list(batches(sources))
    with team(None, None, worth=worth) as workers:
        read = results(workers, partial(_read, analysis=analysis), work)
        for _, batch in zip(progress(work), read, strict=True):
            for item in batch:
                if isinstance(item, Example):  # its tokens are shared with those of its batch only
                    yield item._replace(tokens=tuple(map(intern, item.tokens)))
                else:
                    report(item)


def _read(found: Iterable[Found], analysis: Analysis) -> list[Example | Aside]:
    """The examples in a batch, and whatever is none, in order."""
    reader, decode = analysis.input()
    tokens_of = analysis.tokens()
    result: list[Example | Aside] = []
    for source in found:
        if not isinstance(source, Source):
            result.append(source)
            continue
        changed = cache(partial(_changed, source.path))  # for all documents in it, if any asks
        result += (
            example(item, tokens_of, changed) if isinstance(item, Document) else item
            for item in documents(source, reader.read, decode)
        )
    return result


def _changed(path: str) -> float:
    """When a file that was just read was last changed: now, if it is gone."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return time()


def example(
    document: Document, tokens_of: Callable[[Document], list[str]], changed: Callable[[], float]
) -> Example | Aside:
    """The document as an example; if it has no label or no token, that.

    changed  tells its time if it does not do so itself
    """
    if document.label is None:
        return without_label(document.name)
    bag = Counter(tokens_of(document))
    if not bag:
        return without_token(document.name)
    written = document.time
    time = changed() if written is None else written
    tokens = tuple(map(intern, bag))
    return Example(document.name, document.label, digest(document), tokens, array("I", bag.values()), time)
