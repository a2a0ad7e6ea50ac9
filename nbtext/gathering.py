"""Documents gathered into counts: the part of training that grows with the corpus, and that is shared out to workers.

What is gathered from parts of a corpus merges by addition, in any order, to what is gathered from the whole.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from hashlib import blake2b

from .analysis import Analysis
from .calibration import Sample
from .corpus import Note, Skipped, Source, documents
from .counts import Counts
from .readers import Document
from .sharing import Found, batches, executor

Progress = Callable[[Iterable["Gathered"]], Iterable["Gathered"]]


class Gathered:
    """What was learned from some documents, and what was left out.

    counts   tokens and documents per class
    learned  (digest, label) -> how many times that document was counted
    sample   documents kept for calibration
    aside    whatever was not counted, and why, and what was odd
    """

    def __init__(self) -> None:
        self.counts = Counts()
        self.learned: Counter[tuple[int, str]] = Counter()
        self.sample = Sample()
        self.aside: list[Skipped | Note] = []

    def add(self, document: Document, tokens: Sequence[str]) -> None:
        """Count a labelled document; one without a single token is left out as empty."""
        if document.label is None:
            self.aside.append(Skipped(document.name, "no label", f"{document.name}: the document has no label"))
        elif not tokens:
            self.aside.append(Skipped(document.name, "empty", f"{document.name}: no token in it"))
        else:
            key = digest(document)
            self.counts.add(document.label, tokens)
            self.learned[key, document.label] += 1
            self.sample.offer(key, document.label, tokens)

    def merge(self, other: "Gathered") -> None:
        """Add all that the other has gathered."""
        self.counts.merge(other.counts)
        self.learned.update(other.learned)
        self.sample.merge(other.sample)
        self.aside += other.aside


def digest(document: Document) -> int:
    """What a document is remembered by: 64 bits of its parts' text, signed as SQLite stores them.

    Its name and label do not count, so the same text is recognised anywhere.

    >>> digest(Document([("", "lunch at noon")], name="a")) == digest(Document([("", "lunch at noon")], label="ham"))
    True
    """
    hashed = blake2b(digest_size=8)
    for tag, text in document.parts:
        hashed.update(f"{tag}\0{text}\0".encode("utf-8", "surrogatepass"))
    return int.from_bytes(hashed.digest(), "big", signed=True)


def gathered(sources: Sequence[Found], analysis: Analysis, jobs: int | None, progress: Progress) -> Gathered:
    """All that the sources hold, read and counted by so many processes."""
    work = batches(sources)
    count = partial(gathered_batch, analysis=analysis)
    with executor(jobs, sources) as pool:
        result = Gathered()
        for part in progress(pool.map(count, work) if pool else map(count, work)):
            result.merge(part)
        return result


def gathered_batch(sources: Iterable[Found], analysis: Analysis) -> Gathered:
    """The documents of the sources, counted."""
    return gathered_documents(opened(sources, analysis), analysis)


def gathered_documents(found: Iterable[Document | Skipped | Note], analysis: Analysis) -> Gathered:
    """The documents counted, all else set aside."""
    tokens = analysis.tokens()
    result = Gathered()
    for item in found:
        if isinstance(item, Document):
            result.add(item, tokens(item))
        else:
            result.aside.append(item)
    return result


def opened(sources: Iterable[Found], analysis: Analysis) -> Iterator[Document | Skipped | Note]:
    """The documents of the sources, in order, and what was skipped or odd on the way."""
    reader, decode = analysis.input()
    for source in sources:
        if isinstance(source, Source):
            yield from documents(source, reader.read, decode)
        else:
            yield source
