"""Collected counts: those of all documents counted at once, whatever the shards, their order and the memory."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext.analysis import Analysis
from nbtext.corpus.sources import Note
from nbtext.counting import collection, merging
from nbtext.counting.collection import Collection, count_documents
from nbtext.counting.indexed import IndexedCorpus
from nbtext.counting.runs import RunFolder
from nbtext.counting.shards import index_documents
from nbtext.readers import Document, digest

from ..small import few

TEXTS = st.lists(st.sampled_from(["u", "v", "w", "xy", "x-y", "É"]), max_size=6).map(" ".join)
PARTS = st.lists(st.tuples(st.sampled_from(["", "subject", "to"]), TEXTS), min_size=1, max_size=2)
ATTRIBUTES = st.sampled_from([[], [("sky", "very clear")], [("sky", "grey"), ("age", 1.5)]])
DOCUMENTS = st.lists(
    st.builds(
        Document,
        PARTS,
        st.sampled_from("abc"),
        st.just("name"),
        st.sampled_from([None, lambda: 5e8]),
        attributes=ATTRIBUTES,
    ),
    max_size=12,
)
ANALYSES = st.builds(
    Analysis, tokenizer=st.sampled_from(["words", "split"]), ngrams=st.integers(1, 3), fields=st.just("")
)
CUTS = st.lists(st.integers(0, 12), max_size=4)


@pytest.fixture(autouse=True, scope="module")
def small_chunks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(collection, "CHUNK", 3)
        patch.setattr(collection, "FEWEST_CELLS", 5)
        patch.setattr(merging, "CHUNK", 3)
        yield


def expected(documents: Iterable[Document], analysis: Analysis) -> dict[str, Any]:
    """What is to be told of documents, counted one by one."""
    tokens = analysis.tokens()
    bags = [(each, Counter(found)) for each in documents if (found := tokens(each))]
    labels = sorted({str(each.label) for each, _ in bags})
    rows: dict[str, list[int]] = {}
    for token in sorted(set().union(*(bag for _, bag in bags))):
        inside = [[bag[token] for each, bag in bags if each.label == label and token in bag] for label in labels]
        rows[token] = [value for j, found in enumerate(inside) if found for value in (j, sum(found), len(found))]
    times = Counter((digest(each), labels.index(str(each.label))) for each, _ in bags)
    sample = {(digest(each), each.label): sorted(bag.items()) for each, bag in bags}
    return {
        "labels": labels,
        "documents": [sum(each.label == label for each, _ in bags) for label in labels],
        "rows": list(rows.items()),
        "times": [(*key, n) for key, n in sorted(times.items())],
        "sample": sorted((*key, bag) for key, bag in sample.items()),
    }


def told(found: Collection | IndexedCorpus) -> dict[str, Any]:
    """What is told of collected documents."""
    rows = [
        (token, row)
        for part in found.parts()
        for chunk in [part.chunk()]
        for token, row in zip(chunk.tokens, chunk.counts.rows(range(len(chunk.tokens))), strict=True)
    ]
    return {
        "labels": found.labels,
        "documents": found.documents().tolist(),
        "rows": rows,
        "times": list(found.times()),
        "sample": [(each.digest, each.label, sorted(each.bag.items())) for each in found.sample()],
    }


def parts(documents: Sequence[Document], cuts: Sequence[int]) -> list[Sequence[Document]]:
    return [documents[start:end] for start, end in pairwise([0, *sorted(cuts), len(documents)])]


@given(DOCUMENTS, ANALYSES, CUTS, st.randoms(use_true_random=False))
def test_shards_in_any_order_add_up_to_the_whole(documents, analysis: Analysis, cuts: list[int], random):
    shards = [count_documents(part, analysis) for part in parts(documents, cuts)]
    random.shuffle(shards)
    found = Collection(analysis)
    for shard in shards:
        found.add(shard)
    assert told(found) == expected(documents, analysis)


@few
@given(DOCUMENTS, ANALYSES, CUTS, st.sampled_from([1, 1000, 4000]))
def test_what_has_no_room_in_memory_adds_up_the_same(documents, analysis: Analysis, cuts: list[int], memory: int):
    with RunFolder("model") as folder:
        found = Collection(analysis, memory, folder.made)
        for part in parts(documents, cuts):
            found.add(count_documents(part, analysis))
        spilled = list(Path(folder.path).iterdir()) if Path(folder.path).exists() else []
        assert bool(spilled) >= (memory == 1 and bool(expected(documents, analysis)["rows"]))
        assert told(found) == expected(documents, analysis)


@given(DOCUMENTS, ANALYSES, CUTS)
def test_documents_kept_as_they_are_tell_the_same(documents, analysis: Analysis, cuts: list[int]):
    found = IndexedCorpus(analysis)
    for part in parts(documents, cuts):
        found.add(index_documents(part, analysis, dated=True))
    assert told(found) == expected(documents, analysis)
    for ngrams in range(1, analysis.ngrams + 1):
        assert told(found.up_to(ngrams)) == expected(documents, analysis._replace(ngrams=ngrams))
    counted = [each for each in documents if analysis.tokens()(each)]
    assert found.names == [each.name for each in counted]
    assert found.dates == [each.time for each in counted]
    assert found.matrix.digests.tolist() == [digest(each) for each in counted]


def test_never_much_more_is_held_than_the_limit(tmp_path: Path):
    analysis = Analysis()
    with RunFolder(str(tmp_path / "model")) as folder:
        found = Collection(analysis, 30_000, folder.made)
        for number in range(200):
            text = " ".join(f"w{number * 5 + i}" for i in range(5))
            found.add(count_documents([Document([("", text)], "abc"[number % 3])], analysis))
            assert found._held() <= 30_000
        assert len(list(Path(folder.path).iterdir())) > 1
        assert sum(len(part.chunk().tokens) for part in found.parts()) == 1000


def test_memory_of_counts_is_given_back_while_they_are_written():
    found = Collection(Analysis(ngrams=2))
    found.add(count_documents([Document([("", "red sky at night")], "a")], Analysis(ngrams=2)))
    parts = found.parts()
    assert next(parts).chunk().tokens[:3] == ["at", "at night", "night"]
    assert found._held() == 0
    assert [each.label for each in found.sample()] == ["a"]


def test_what_is_not_counted_is_set_aside_in_order():
    found: list[Document | Note] = [
        Document([("", "red")], "a", "1"),
        Document([("", " ")], "a", "2"),
        Note("3", "odd"),
        Document([("", "red")], None, "4"),
    ]
    shard = count_documents(found, Analysis())
    assert len(shard.digests) == 1
    assert [(item.name, getattr(item, "reason", "odd")) for item in shard.aside] == [
        ("3", "odd"),
        ("4", "no label"),
        ("2", "empty"),
    ]
