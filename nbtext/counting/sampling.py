"""The documents kept for calibration and tuning: those with the lowest digests, whatever the order of learning."""

import marshal
from copy import copy
from itertools import islice
from typing import NamedTuple

from .counts import Bag, single_tokens

SAMPLE = 500  # documents that a model keeps


class Sampled(NamedTuple):
    """A document kept for calibration and tuning."""

    digest: int
    label: str
    bag: Bag


class Sample:
    """The documents with the lowest digests among those offered, each of a class once.

    size   how many
    bound  documents with a higher digest are not wanted, for enough with lower ones are known elsewhere

    >>> sample = Sample(size=1)
    >>> for offer in (7, "ham", {"at": 1, "noon": 1}), (5, "spam", {"win": 2}), (9, "ham", {"at": 1}):
    ...     sample.offer(*offer)
    >>> sample.lowest()
    [Sampled(digest=5, label='spam', bag={'win': 2})]
    """

    def __init__(self, size: int = SAMPLE, bound: int | None = None) -> None:
        self.size = size
        self.kept: dict[tuple[int, str], Bag | bytes] = {}  # bytes are a bag packed
        self.single = False  # whether n-grams are passed over
        self.bound = bound  # digests above need not be kept; one that equals it may come with an earlier label

    def offer(self, digest: int, label: str, bag: Bag) -> None:
        """Keep the document, if its digest is low enough, until lower ones have come."""
        if self.bound is None or digest <= self.bound:
            self.kept[digest, label] = bag
            if len(self.kept) > 2 * self.size:
                self._shrink()

    def pack(self) -> None:
        """Pack all bags, to travel: most are not wanted where they arrive, and are spared the unpacking."""
        self.kept = {(digest, label): _packed(bag) for digest, label, bag in self.lowest()}

    def merge(self, other: "Sample") -> None:
        """Offer all that the other has kept."""
        self.kept.update(other.kept)
        self._shrink()

    def without_ngrams(self) -> "Sample":
        """The same documents without their n-grams."""
        single = copy(self)  # with the same bags, read otherwise
        single.single = True
        return single

    def __len__(self) -> int:
        self._shrink()
        return len(self.kept)

    def lowest(self, documents: int | None = None) -> list[Sampled]:
        """The sample, or so many documents of it, lowest digest first."""
        self._shrink()
        some = islice(sorted(self.kept.items()), documents)
        bags = {key: _unpacked(bag) if isinstance(bag, bytes) else bag for key, bag in some}
        self.kept.update(bags)
        return [Sampled(*key, single_tokens(bag) if self.single else bag) for key, bag in bags.items()]

    def _shrink(self) -> None:
        if len(self.kept) > self.size:
            lowest = sorted(self.kept)[: self.size]
            self.kept = {key: self.kept[key] for key in lowest}
            self.bound = lowest[-1][0]


def _packed(bag: Bag) -> bytes:
    """The bag with its tokens as one text, in half the time that a dictionary takes."""
    return marshal.dumps(("\n".join(bag), list(bag.values())))


def _unpacked(packed: bytes) -> Bag:
    tokens, counts = marshal.loads(packed)
    return dict(zip(tokens.split("\n"), counts, strict=True))
