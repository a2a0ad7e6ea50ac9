"""Parts: which documents are held out together, so that each is answered by a model of all that are not in its part.

Documents of equal text always stay together: a model that has learned one would recognise the other. The part of a
document depends on its text and the seed, not on its name or the order. The only text of a class stays in training.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import groupby
from typing import NamedTuple

from ..errors import ChoiceError, CorpusError
from .examples import Example

SHOWN = 5  # how many classes a note names
COPIED_SECONDS = 60.0  # if all files of a corpus changed within this time, they were probably copied or unpacked


class Parts(NamedTuple):
    """Documents to be held out.

    method   how they were chosen, in words
    tested   the parts
    notes    things the reader should know about them, one sentence each
    repeats  how often the whole is repeated
    alone    whether each document is held out alone, not with its part
    """

    method: str
    tested: list[list[Example]]
    notes: list[str]
    repeats: int = 1
    alone: bool = False


def by_split(documents: Sequence[Example], share: float, seed: int, repeats: int = 1) -> Parts:
    """A random part, stratified: `share` of every class stays in training, at least one text on each side.

    share    in (0, 1)
    repeats  how many parts, each with a seed of its own

    Raises: ChoiceError for a share that leaves nothing to train on or to test; CorpusError if no class has two texts.
    """
    check_share(share)
    tested = [_split(documents, share, number) for number in range(seed, seed + repeats)]
    _check_tested(tested)
    words = f"{share:g} of each class for training, the rest for testing; {_randomly(seed, repeats)}"
    return Parts(words, tested, [*_notes(documents), *_kept_together(documents)], repeats)


def by_folds(documents: Sequence[Example], k: int, seed: int, repeats: int = 1) -> Parts:
    """Every document once in one of k parts, each class spread evenly over them.

    k        >= 2; fewer parts are made if no class has that many texts
    repeats  how often, each time with a seed of its own

    Raises: ChoiceError for fewer than 2 folds; CorpusError if no class has two texts.
    """
    check_folds(k)
    texts = _texts(documents)
    made = min(k, max(texts.values(), default=0))
    tested = [part for number in range(seed, seed + repeats) for part in _folds(documents, made, number) if part]
    _check_tested(tested)
    notes = [*_notes(documents), *_kept_together(documents)]
    if made < k:
        notes.append(f"{k} folds were asked for, but no class has more than {made} texts: there are {made} folds")
    if rare := [f"{label} ({n})" for label, n in texts.items() if 1 < n < made]:
        notes.append(f"classes with fewer texts than folds are tested in some folds only: {_listed(rare)}")
    return Parts(f"{made}-fold cross-validation, {_randomly(seed, repeats)}", tested, notes, repeats)


def by_time(documents: Sequence[Example], share: float) -> Parts:
    """The newest documents: the model is trained on the oldest `share` of all, as it would be in use.

    share  in (0, 1)

    A text is as old as its first appearance.

    Raises: ChoiceError for a share that leaves nothing to train on or to test; CorpusError if all have the same time.
    """
    check_share(share)
    first: dict[int, float] = {}  # digest -> time
    for each in documents:
        first[each.digest] = min(each.time, first.get(each.digest, each.time))
    ordered = sorted(documents, key=lambda each: (first[each.digest], each.digest))
    ages = [list(group) for _, group in groupby(ordered, key=lambda each: first[each.digest])]
    if len(ages) < 2:
        raise CorpusError("all the documents have the same time, so none is older than another; use --split or --folds")
    wanted = share * len(documents)
    trained: list[Example] = []
    for age in ages[:-1]:  # documents of the same time stay together
        if trained and len(trained) + len(age) / 2 > wanted:
            break
        trained += age
    older = {id(each) for each in trained}
    tested = [each for each in documents if id(each) not in older]
    notes = unknown_labels({each.label for each in trained}, {each.label for each in tested})
    if max(first.values()) - min(first.values()) < COPIED_SECONDS:
        notes.append(
            "all documents are from the same minute, like files copied or unpacked together: is that their own time?"
        )
    words = f"the oldest {len(trained)} documents for training, the newest {len(tested)} for testing"
    return Parts(words, [tested], notes)


def by_itself(documents: Sequence[Example]) -> Parts:
    """Every document, held out alone.

    Raises: CorpusError if no class has two texts.
    """
    lone = _lone(documents)
    tested = [each for each in documents if each.digest not in lone]
    _check_tested([tested])
    notes = _notes(documents)
    if repeated := len(tested) - len({each.digest for each in tested}):
        notes.append(f"{repeated} documents repeat the text of another, which is in training while they are tested")
    return Parts("leave-one-out, exact: each document answered by a model of all others", [tested], notes, alone=True)


def as_given(trained: Sequence[Example], tested: Sequence[Example]) -> Parts:
    """The documents that the user named for testing.

    Raises: CorpusError if there are none.
    """
    _check_tested([tested])
    learned = {each.digest for each in trained}
    notes = unknown_labels({each.label for each in trained}, {each.label for each in tested})
    notes += repeated_texts(sum(each.digest in learned for each in tested), len(tested))
    return Parts("a given test corpus", [list(tested)], notes)


def others(documents: Iterable[Example], part: Iterable[Example]) -> list[Example]:
    """The documents that are not in the part."""
    keys = set(map(id, part))
    return [each for each in documents if id(each) not in keys]


def unknown_labels(known: Collection[str], tested: Collection[str]) -> list[str]:
    """A note on classes that are tested but were not learned, if there are any.

    >>> unknown_labels({"ham", "spam"}, {"spam", "news"})
    ['classes that the model does not know are always missed: news']
    """
    unknown = sorted(set(tested) - set(known))
    return [f"classes that the model does not know are always missed: {_listed(unknown)}"] if unknown else []


def repeated_texts(learned: int, tested: int) -> list[str]:
    """A note on texts that are tested and were learned too, if there are any.

    >>> repeated_texts(2, 10)
    ['2 of the 10 documents tested repeat the text of a training document']
    """
    return [f"{learned} of the {tested} documents tested repeat the text of a training document"] if learned else []


def _kept_together(documents: Sequence[Example]) -> list[str]:
    """A note on equal texts, if there are any."""
    times = Counter(each.digest for each in documents)
    equal = sum(n for n in times.values() if n > 1)
    if not equal:
        return []
    return [
        f"{equal} documents share their text with another; equal texts stay on one side, in training or in testing, so "
        "the accuracy is lower than where duplicates are ignored, and closer to that on new texts"
    ]


def portion(documents: Sequence[Example], share: float, seed: int) -> list[Example]:
    """A share of every class, at least one text; the portion for a larger share contains that for a smaller one.

    >>> one, two = (Example(number, str(number), "a", digest=number) for number in (1, 2))
    >>> len(portion([one, two], 0.5, seed=1)), len(portion([one, two], 1, seed=1))
    (1, 2)
    """
    kept: set[int] = set()
    for _, groups in _by_label(documents, seed):
        wanted = share * sum(map(len, groups))
        taken = 0
        for group in groups:
            if taken and taken + len(group) > wanted:
                break
            taken += len(group)
            kept.update(map(id, group))
    return [each for each in documents if id(each) in kept]


def check_share(share: float) -> None:
    """Refuse a share that is not between 0 and 1.

    Raises: ChoiceError
    """
    if not 0 < share < 1:
        side = "test on" if share >= 1 else "train on"
        raise ChoiceError(f"a split of {share:g} is refused: it leaves nothing to {side}; 0.8 is usual")


def check_folds(k: int) -> None:
    """Refuse fewer than two folds.

    Raises: ChoiceError
    """
    if k < 2:
        raise ChoiceError("fewer than 2 folds are refused: nothing would be left to train on; 10 are usual")


def _split(documents: Sequence[Example], share: float, seed: int) -> list[Example]:
    trained = dict.fromkeys(_lone(documents), True)  # digest -> whether it is for training
    for _, groups in _by_label(documents, seed):
        free = [group for group in groups if group[0].digest not in trained]
        if not free:
            continue
        whole = sum(map(len, groups))
        wanted = min(max(1, round(share * whole)), whole - len(free[-1]))
        done = sum(len(group) for group in groups if trained.get(group[0].digest))
        for group in free:
            trained[group[0].digest] = done < wanted
            done += len(group) if done < wanted else 0
    return [each for each in documents if not trained[each.digest]]


def _folds(documents: Sequence[Example], k: int, seed: int) -> list[list[Example]]:
    place = dict.fromkeys(_lone(documents), k)  # digest -> fold; k is none of them
    loads = [0] * k
    for _, groups in _by_label(documents, seed):
        sizes = [0] * k
        for group in groups:
            if (known := place.get(group[0].digest, k)) < k:
                sizes[known] += len(group)
        for group in groups:
            if group[0].digest not in place:
                fold = min(range(k), key=lambda fold: (sizes[fold], loads[fold]))
                place[group[0].digest] = fold
                sizes[fold] += len(group)
                loads[fold] += len(group)
    parts: list[list[Example]] = [[] for _ in range(k + 1)]
    for each in documents:
        parts[place[each.digest]].append(each)
    return parts[:k]


def _by_label(documents: Iterable[Example], seed: int) -> Iterator[tuple[str, list[list[Example]]]]:
    """The documents of each label, grouped by equal texts, shuffled by the seed."""
    labels: defaultdict[str, defaultdict[int, list[Example]]] = defaultdict(lambda: defaultdict(list))
    for each in documents:
        labels[each.label][each.digest].append(each)
    for label in sorted(labels):
        groups = labels[label]
        yield label, [groups[key] for key in sorted(groups, key=lambda key: _shuffled(key, seed))]


def _shuffled(key: int, seed: int) -> bytes:
    return blake2b(b"%d %d" % (seed, key), digest_size=16).digest()


def _texts(documents: Iterable[Example]) -> dict[str, int]:
    """The number of different texts of each label."""
    digests: defaultdict[str, set[int]] = defaultdict(set)
    for each in documents:
        digests[each.label].add(each.digest)
    return {label: len(digests[label]) for label in sorted(digests)}


def _lone(documents: Iterable[Example]) -> set[int]:
    """The digests of texts that are the only text of a class."""
    documents = list(documents)
    texts = _texts(documents)
    return {each.digest for each in documents if texts[each.label] == 1}


def _notes(documents: Sequence[Example]) -> list[str]:
    lone = [label for label, texts in _texts(documents).items() if texts == 1]
    if not lone:
        return []
    return [f"the only text of a class stays in training; not tested, and left out of the means: {_listed(lone)}"]


def _listed(names: Sequence[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def _randomly(seed: int, repeats: int) -> str:
    again = f", {repeats} times" if repeats > 1 else ""
    return f"stratified, seed {seed}{again}"


def _check_tested(tested: Sequence[Sequence[Example]]) -> None:
    if not any(tested):
        raise CorpusError(
            "nothing to test on: no class has two documents of different text; a corpus is a folder with one folder of "
            "texts per class"
        )
