"""Examples: labelled documents as bags of shared tokens, read and tokenized once however often they are split."""

import os
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from sys import intern
from typing import NamedTuple

from ..analysis import Analysis
from ..corpus import Aside, Found, Source, documents, without_label, without_token
from ..counts import Bag
from ..gathering import digest
from ..readers import Document


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


def examples(found: Iterable[Found], analysis: Analysis, report: Callable[[Aside], object]) -> Iterator[Example]:
    """The labelled documents in what was found, one by one; all else is reported, empty documents too."""
    reader, decode = analysis.input()
    tokens_of = analysis.tokens()
    for source in found:
        if not isinstance(source, Source):
            report(source)
            continue
        changed: float | None = None
        for item in documents(source, reader.read, decode):
            if not isinstance(item, Document):
                report(item)
                continue
            if changed is None and item.time is None:
                changed = os.stat(source.path).st_mtime
            if made := example(item, tokens_of, changed or 0.0, report):
                yield made


def example(
    document: Document, tokens_of: Callable[[Document], list[str]], changed: float, report: Callable[[Aside], object]
) -> Example | None:
    """The document as an example; None, and reported, if it has no label or no token.

    changed  its time if it does not say one itself
    """
    name = document.name
    if document.label is None:
        report(without_label(name))
        return None
    bag = Counter(tokens_of(document))
    if not bag:
        report(without_token(name))
        return None
    time = changed if document.time is None else document.time
    tokens = tuple(map(intern, bag))
    return Example(name, document.label, digest(document), tokens, array("I", bag.values()), time)
