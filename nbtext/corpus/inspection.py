"""Inspection: reads a corpus once, as training would, and keeps what the checks need.

That is a record of each document, and for each token the number of documents of each class that contain it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ..analysis import Analysis
from ..decoding import Limits
from ..readers import Document, digest
from .reading import documents
from .sources import Aside, Found, Source, without_label
from .walking import labelled

Placed = tuple[str, Found]  # the corpus that contains it, and what was found


class Seen(NamedTuple):
    """The record of a document.

    corpus    the corpus that contains it, as the user named it
    digest    64 bits of its text, without the white space around it
    tokens    how many tokens it has, repeats included
    encoding  how its bytes were read: UTF_8, UTF_16, or FALLBACK if any of them are neither
    """

    name: str
    label: str
    corpus: str
    digest: int
    tokens: int
    encoding: str


class Inspection(NamedTuple):
    """The data of a corpus for the checks.

    documents  all with a label, empty ones included, in the order read
    presences  label -> token -> documents with it
    aside      what was skipped, with the reason, or is odd
    """

    analysis: Analysis
    documents: list[Seen]
    presences: dict[str, Counter[str]]
    aside: list[Aside]

    def by_label(self) -> dict[str, list[Seen]]:
        """The documents of each class, labels sorted."""
        groups: defaultdict[str, list[Seen]] = defaultdict(list)
        for seen in self.documents:
            groups[seen.label].append(seen)
        return dict(sorted(groups.items()))

    def sizes(self) -> dict[str, int]:
        """The number of documents of each class that have a token, labels sorted."""
        return {label: sum(each.tokens > 0 for each in group) for label, group in self.by_label().items()}


def inspected(
    corpora: Sequence[str],
    analysis: Analysis = Analysis(),
    progress: Callable[[Sequence[Placed]], Iterable[Placed]] = iter,
    limits: Limits = Limits(),
) -> Inspection:
    """Read corpora on disk once, as training would.

    analysis  how documents become tokens
    progress  wraps the sources, to show progress
    limits    which documents are refused

    Raises: CorpusError if there is no such folder; ChoiceError for a setting that does not exist.
    """
    reader, decode, read = analysis.input()
    tokens_of = analysis.tokens()
    result = Inspection(analysis, [], defaultdict(Counter), [])
    found = [(root, item) for root in corpora for item in labelled(root, loose=reader.LABELLED, limits=limits)]
    for root, source in progress(found):
        items = documents(source, read, decode) if isinstance(source, Source) else [source]
        for item in items:
            if not isinstance(item, Document):
                result.aside.append(item)
            elif item.label is None:
                result.aside.append(without_label(item.name))
            else:
                tokens = tokens_of(item)
                result.presences[item.label].update(set(tokens))
                key = digest(item._replace(parts=[(tag, text.strip()) for tag, text in item.parts]))
                result.documents.append(Seen(item.name, item.label, root, key, len(tokens), decode.taken()))
    return result
