"""Checks: problems of a corpus, found before a model is trained from it.

`findings` looks at the records that `inspection` made, and gives the most serious problem first. Every finding says
what to do. Printing is left to the command line.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from statistics import median
from typing import NamedTuple

from ..analysis import Analysis
from ..decoding import FALLBACK, Limits, read_as
from .inspection import Inspection, Seen, inspected
from .sources import Note, Skipped

# Thresholds of findings. A good corpus that is large enough should have none.
TELLING_HERE = 0.5  # a token reveals a class if at least this share of its documents have the token,
TELLING_ELSEWHERE = 0.01  # at most this share of all others,
TELLING_DOCUMENTS = 10  # and at least this many documents: small classes have such tokens by chance
FEW_DOCUMENTS = 20  # a class of fewer documents is too small to learn well
UNEVEN_CLASSES = 10  # the largest class is this many times the smallest
UNEVEN_ENCODINGS = 0.1  # two classes differ by this much in their shares of documents that are not UTF-8
SHORT_TOKENS = 3  # a document of fewer tokens says almost nothing
LONG_MEDIANS = 50  # a document of this many times the median length outweighs many others

# What to do about a file that is not read: first reasons that mean damage, then those that may be intended
BROKEN = {
    "unreadable": "change its permissions, or repair the disk",
    "damaged": "fix this record, or get the file again: it is cut off, changed or in another format",
    "too large": "split it into documents, or name the reader that does",
    "dangling link": "fix or remove the link",
}
LEFT_OUT = {
    "no label": "give every record a label, or put files into the folder of their class",
    "loose file": "move it into the folder of its class, or name the reader of records with labels",
    "binary": "save it as text, or remove it; text in UTF-16 needs a byte order mark",
    "archive": "unpack the outer archive",
    "loop": "nothing to do, unless the link should lead elsewhere",
    "special file": "remove it",
    "litter": "nothing to do: hidden files, backups and system files are never read",
}


class Finding(NamedTuple):
    """A problem to fix, or to know about, before training.

    kind    a few words, the same for every corpus
    what    what was found, in figures
    advice  what to do about it
    places  groups of the documents, files, classes or tokens concerned
    """

    kind: str
    what: str
    advice: str
    places: Sequence[Sequence[str]]


def check(corpus: str | Sequence[str], analysis: Analysis = Analysis(), limits: Limits = Limits()) -> "list[Finding]":
    """Find what is wrong with a corpus before a model is trained from it, the most serious problem first.

    limits  which documents are refused

    Raises: CorpusError if there is no such folder; ChoiceError for a setting that does not exist.
    """
    return findings(inspected([corpus] if isinstance(corpus, str) else corpus, analysis, limits=limits))


def findings(inspection: Inspection) -> list[Finding]:
    """All findings in a corpus, the most serious first."""
    return [finding for check in CHECKS for finding in check(inspection)]


def _too_few_classes(inspection: Inspection) -> Iterator[Finding]:
    classes = [label for label, size in inspection.sizes().items() if size]
    if len(classes) < 2:
        yield Finding(
            "too few classes",
            f"{_counted(len(classes), 'class', 'classes')} with documents; two are needed",
            "name the folder that contains one folder of texts per class; often it is the parent folder",
            [[label] for label in classes],
        )


def _contradictions(inspection: Inspection) -> Iterator[Finding]:
    groups = [group for group in _same_text(inspection) if len({each.label for each in group}) > 1]
    if groups:
        yield Finding(
            "same text in different classes",
            f"{_counted(sum(map(len, groups)), 'document')} in {_counted(len(groups), 'group')} of equal text",
            "keep each text in one class only: no answer can be right for both",
            _names(groups),
        )


def _giveaways(inspection: Inspection) -> Iterator[Finding]:
    telling = _telling(inspection)
    if telling:
        yield Finding(
            "tokens that alone reveal a class",
            f"{_counted(len(telling), 'token')} in at least {TELLING_HERE:.0%} of the documents of a class and at most "
            f"{TELLING_ELSEWHERE:.0%} of all others",
            "if they come from headers, signatures or the source of the texts, remove them or make them stop words: "
            "new texts will not have them",
            [[token, label] for token, label in telling],
        )


def _telling(inspection: Inspection) -> list[tuple[str, str]]:
    """Tokens with the class that each reveals, those in the largest share of its documents first."""
    sizes = inspection.sizes()
    everywhere: Counter[str] = Counter()
    for presences in inspection.presences.values():
        everywhere.update(presences)
    found = []
    for label, presences in inspection.presences.items():
        here = sizes[label]
        elsewhere = sum(sizes.values()) - here
        least = max(TELLING_DOCUMENTS, TELLING_HERE * here)
        found += [
            (-d / here, token, label)
            for token, d in presences.items()
            if elsewhere and d >= least and everywhere[token] - d <= TELLING_ELSEWHERE * elsewhere
        ]
    return [(token, label) for _, token, label in sorted(found)]


def _in_several_corpora(inspection: Inspection) -> Iterator[Finding]:
    groups = [group for group in _same_text(inspection) if len({each.corpus for each in group}) > 1]
    if groups:
        yield Finding(
            "same text in different corpora",
            f"{_counted(len(groups), 'text')} in more than one of the corpora named",
            "if one of them is for testing, remove these from it: the model would already know their labels",
            _names(groups),
        )


def _uneven_encodings(inspection: Inspection) -> Iterator[Finding]:
    shares = {
        label: sum(each.encoding == FALLBACK for each in group) / len(group)
        for label, group in inspection.by_label().items()
    }
    lowest, highest = _extremes(shares)
    if shares and shares[highest] - shares[lowest] >= UNEVEN_ENCODINGS:
        yield Finding(
            "encodings that differ by class",
            f"{shares[highest]:.0%} of {highest} are not UTF-8, but {shares[lowest]:.0%} of {lowest}",
            "save all texts in UTF-8: otherwise the model learns the encoding instead of the words",
            [[label] for label, share in shares.items() if share],
        )


def _not_utf_8(inspection: Inspection) -> Iterator[Finding]:
    odd = [each for each in inspection.documents if each.encoding == FALLBACK]
    if odd:
        yield Finding(
            "not UTF-8",
            f"{len(odd)} of {_counted(len(inspection.documents), 'document')}, "
            f"read as {read_as(inspection.analysis.encoding)}",
            "name the right encoding with --encoding if another was meant, or save them in UTF-8",
            _singly(odd),
        )


def _without_documents(inspection: Inspection) -> Iterator[Finding]:
    empty = [label for label, size in inspection.sizes().items() if not size]
    if empty:
        yield Finding(
            "classes without documents",
            f"{_counted(len(empty), 'class', 'classes')} with only empty documents",
            "add texts to it or remove its folder: it can never be an answer",
            [[label] for label in empty],
        )


def _odd(inspection: Inspection) -> Iterator[Finding]:
    notes = [item.message for item in inspection.aside if isinstance(item, Note)]
    if notes:
        yield Finding(
            "odd places",
            _counted(len(notes), "place"),
            "check whether each is intended; all documents are used",
            [[note] for note in notes],
        )


def _alike_labels(inspection: Inspection) -> Iterator[Finding]:
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for label in inspection.by_label():
        groups[" ".join(label.casefold().split())].append(label)
    alike = [group for group in groups.values() if len(group) > 1]
    if alike:
        yield Finding(
            "labels nearly alike",
            f"{_counted(sum(map(len, alike)), 'label')} that differ only in case or blanks",
            "if they mean the same, spell them the same: otherwise they are different classes",
            alike,
        )


def _repeats(inspection: Inspection) -> Iterator[Finding]:
    groups = list(_same_text(inspection))
    if groups:
        yield Finding(
            "repeated documents",
            f"{_counted(sum(len(group) - 1 for group in groups), 'document')} beyond the first of "
            f"{_counted(len(groups), 'group')} of equal text",
            "keep one of each, unless texts to be classified repeat as often",
            _names(groups),
        )


def _empty(inspection: Inspection) -> Iterator[Finding]:
    empty = [each for each in inspection.documents if not each.tokens]
    if empty:
        yield Finding(
            "empty documents",
            f"{_counted(len(empty), 'document')} without a token",
            "remove them, or check the reader and the tokenizer; training leaves them out",
            _singly(empty),
        )


def _small_classes(inspection: Inspection) -> Iterator[Finding]:
    small = {label: size for label, size in inspection.sizes().items() if 0 < size < FEW_DOCUMENTS}
    if small:
        yield Finding(
            "small classes",
            f"{_counted(len(small), 'class', 'classes')} of fewer than {FEW_DOCUMENTS} documents",
            "collect more, or merge it with a similar class",
            [[label] for label in small],
        )


def _imbalance(inspection: Inspection) -> Iterator[Finding]:
    sizes = {label: size for label, size in inspection.sizes().items() if size}
    smallest, largest = _extremes(sizes)
    if sizes and sizes[largest] >= UNEVEN_CLASSES * sizes[smallest]:
        yield Finding(
            "uneven classes",
            f"{largest} has {_counted(sizes[largest], 'document')}, {smallest} {sizes[smallest]}",
            "look at macro F1 as well as accuracy, and try --event-model complement",
            [[largest], [smallest]],
        )


def _short(inspection: Inspection) -> Iterator[Finding]:
    short = [each for each in inspection.documents if 0 < each.tokens < SHORT_TOKENS]
    if short:
        yield Finding(
            "very short documents",
            f"{_counted(len(short), 'document')} of fewer than {SHORT_TOKENS} tokens",
            "check that they say something about their class; if not, remove them",
            _singly(short),
        )


def _long(inspection: Inspection) -> Iterator[Finding]:
    lengths = [each.tokens for each in inspection.documents if each.tokens]
    usual = median(lengths) if lengths else 0
    long = [each for each in inspection.documents if usual and each.tokens >= LONG_MEDIANS * usual]
    if long:
        yield Finding(
            "very long documents",
            f"{_counted(len(long), 'document')} of {LONG_MEDIANS} times the median length, {usual:g} tokens, or more",
            "look for attachments or several texts in a file; --event-model binary counts each token once per document",
            _singly(sorted(long, key=lambda each: -each.tokens)),
        )


def _skipped(inspection: Inspection, advice: dict[str, str]) -> Iterator[Finding]:
    """A finding for each of the reasons for which something was skipped, in their order."""
    for reason, sentence in advice.items():
        names = [item.name for item in inspection.aside if isinstance(item, Skipped) and item.reason == reason]
        if names:
            yield Finding(f"skipped, {reason}", _counted(len(names), "place"), sentence, [[name] for name in names])


CHECKS: Sequence[Callable[[Inspection], Iterator[Finding]]] = (
    _too_few_classes,
    _alike_labels,
    partial(_skipped, advice=BROKEN),
    _contradictions,
    _giveaways,
    _in_several_corpora,
    _uneven_encodings,
    _without_documents,
    _not_utf_8,
    _repeats,
    partial(_skipped, advice=LEFT_OUT),
    _empty,
    _small_classes,
    _imbalance,
    _long,
    _short,
    _odd,
)


def _same_text(inspection: Inspection) -> Iterator[list[Seen]]:
    """Groups of two or more documents with equal text."""
    groups: defaultdict[int, list[Seen]] = defaultdict(list)
    for each in inspection.documents:
        if each.tokens:
            groups[each.digest].append(each)
    return (group for group in groups.values() if len(group) > 1)


def _extremes(values: Mapping[str, float]) -> tuple[str, str]:
    """The labels of the lowest and the highest value."""
    return min(values, key=values.__getitem__, default=""), max(values, key=values.__getitem__, default="")


def _names(groups: Iterable[Iterable[Seen]]) -> list[list[str]]:
    return [[each.name for each in group] for group in groups]


def _singly(documents: Iterable[Seen]) -> list[list[str]]:
    return [[each.name] for each in documents]


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
