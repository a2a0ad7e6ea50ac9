"""The texts of single documents, read again: an evaluation keeps only their counts."""

from collections.abc import Collection, Iterable

from ..analysis import Analysis
from ..corpus.reading import opened
from ..corpus.sources import Source
from ..corpus.walking import labelled
from ..readers import Document

MOST_CHARACTERS = 4000  # of a text


def texts(names: Collection[str], corpora: Iterable[str], analysis: Analysis) -> dict[str, str]:
    """Name -> the beginning of the text, for the named documents that can still be read."""
    if not names:
        return {}
    loose = analysis.input().reader.LABELLED
    sources = (
        source
        for root in corpora
        for source in labelled(root, loose=loose)
        if isinstance(source, Source) and any(name.startswith(source.name) for name in names)
    )
    return {
        document.name: "\n\n".join(document.texts).strip()[:MOST_CHARACTERS]
        for document in opened(sources, analysis)
        if isinstance(document, Document) and document.name in names
    }
