"""Memory that is bounded: what it has no room for goes to disk, and the model is the same to the last byte."""

import os
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import ModelError, Hyperparameters, train
from nbtext.analysis import Analysis
from nbtext.corpus.sources import Skipped
from nbtext.counting import gathering, packing, runs
from nbtext.counting.counts import is_of_one_document
from nbtext.counting.gathering import Gathered, Limit
from nbtext.inference.reading import Vocabulary, totals_of
from nbtext.readers import Document

from .conftest import Corpus, Run

labelled = st.lists(st.tuples(st.sampled_from("abc"), st.lists(st.sampled_from("uvwxyz"), max_size=5)), max_size=30)


def gather(documents, limit: Limit | None) -> Gathered:
    result = Gathered(limit)
    for label, tokens in documents:
        result.add(Document([("", " ".join(tokens))], label, "name"), tokens)
    return result


@given(labelled, st.lists(st.integers(0, 30), max_size=4), st.integers(1, 12), st.integers(2, 4))
def test_what_was_spilled_is_what_was_gathered(documents, cuts: list[int], cells: int, most_runs: int):
    whole = gather(documents, None)
    labels = sorted(whole.counts.documents)
    edges = [0, *sorted(cuts), len(documents)]
    with runs.folder("model") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathering, "MOST_RUNS", most_runs)
        limit = Limit(cells, folder)
        result = Gathered(limit)
        for start, end in pairwise(edges):
            result.merge(gather(documents[start:end], limit))
        result.spill()
        result.settle()
        assert len(result.runs) <= most_runs
        assert list(result.rows(labels)) == sorted(whole.counts.rows(labels).items())
        assert list(result.times()) == list(whole.times())
        assert result.counts.documents == whole.counts.documents
        assert result.sample.lowest() == whole.sample.lowest()


@given(st.lists(st.tuples(st.sampled_from("ab"), st.lists(st.sampled_from(["u", "v", "u v", "v v"]), min_size=1))))
def test_what_is_known_of_a_sample_is_what_the_rows_say(documents):
    result, labels = Gathered(), ["a", "b"]
    for part in documents[:3], documents[3:]:  # asked before all is there, and again
        result.merge(gather(part, None))
        whole, single = result, result.without_ngrams()
        for each, size in (single, 1), (whole, 1), (whole, 500), (single, 500):
            rows = dict(each.rows(labels))
            found, totals = each.sampled(labels, size)
            for token in set().union(*(bag for _, _, bag in each.sample.lowest(size))):
                assert found.get(token, rows[token]) == rows[token]
                assert token in found or is_of_one_document(rows[token])
            assert vars(totals) == vars(totals_of(rows.items(), Vocabulary(Hyperparameters()), totals.documents))
    assert all(" " not in token for token in rows)


def test_never_more_is_held_than_the_limit(tmp_path: Path):
    result = Gathered(Limit(100, str(tmp_path)))
    for number in range(200):
        result.add(Document([("", "")], "abc"[number % 3]), [f"w{number * 5 + i}" for i in range(5)])
        assert result.counts.cells <= 100
    assert len(result.runs) > 5


def test_the_many_digests_of_short_documents_are_spilled_too(tmp_path: Path):
    result = Gathered(Limit(20, str(tmp_path)))
    for number in range(1000):
        result.add(Document([("", str(number))], "a"), ["same"])
        assert len(result.learned["a"]) <= 20 * gathering.DIGESTS
    assert sum(times for _, _, times in result.times()) == 1000


def test_what_is_left_out_is_spilled_in_order(tmp_path: Path):
    result = Gathered(Limit(50, str(tmp_path)))
    for number in range(100):
        result.add(Document([("", "")], None, str(number)), [])
        assert len(result.aside) <= 50 / gathering.ASIDE
    assert [item.name for item in result.left_out()] == [str(number) for number in range(100)]


def test_runs_read_as_written_and_leave_nothing_behind(tmp_path: Path):
    items = [(f"token {n}", [n]) for n in range(3 * runs.PIECE + 1)]
    with runs.folder(str(tmp_path / "model")) as folder:
        assert not os.path.exists(folder)
        path = runs.written(iter(items), folder)
        assert list(runs.read(path)) == items
        assert os.stat(folder).st_mode & 0o777 == 0o700
    assert list(tmp_path.iterdir()) == []


def test_runs_that_find_no_room_are_an_error(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(ModelError, match="cannot be kept there"):
        runs.written([1], str(tmp_path / "file" / "folder"))


@pytest.fixture
def words(corpus: Corpus) -> Path:
    """Files of many documents, a few without a label, with more different words than a limit below."""
    dice = random.Random(7)
    lines = []
    for number in range(600):
        label = "" if number % 50 == 0 else f', "label": "class{number % 7}"'
        text = " ".join(f"w{int(2000 ** dice.random())}" for _ in range(60))
        lines.append(f'{{"text": "{text}"{label}}}\n')
    return corpus({"a.jsonl": "".join(lines), "b.jsonl": "".join(lines[:50])})


@pytest.mark.parametrize(
    "reading",
    [Hyperparameters(), Hyperparameters(event_model="bernoulli", min_count=3), Hyperparameters(drop_top=5, stopwords=frozenset({"w1"}))],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_model_is_the_same_with_little_memory(words: Path, tmp_path: Path, monkeypatch, reading: Hyperparameters, jobs: int):
    monkeypatch.setattr("nbtext.engines._sharing.WORTH_SHARING_BYTES", 0)
    monkeypatch.setattr("nbtext.engines._sharing.MOST_BYTES", 0)
    reports: list[list[object]] = []
    spilled = Counter[bool]()
    real = gathering.gathered

    def watched(*args):
        found = real(*args)
        spilled[bool(packing.files(found.runs))] += 1
        return found

    monkeypatch.setattr("nbtext.training.training.gathered", watched)
    for name, fewest, memory in ("much", 20_000, None), ("little", 1000, 1):
        monkeypatch.setattr(gathering, "FEWEST_CELLS", fewest)
        reports.append([])
        train(
            str(words), str(tmp_path / name), Analysis(reader="jsonl"), reading,
            jobs=jobs, memory=memory, report=reports[-1].append,
        )  # fmt: skip
    assert spilled == {False: 1, True: 1}
    assert (tmp_path / "little").read_bytes() == (tmp_path / "much").read_bytes()
    assert reports[0] == reports[1]
    assert Counter(item.reason for item in reports[0] if isinstance(item, Skipped)) == {"no label": 13}
    assert {file.name for file in tmp_path.iterdir()} == {"much", "little", "corpus"}


@pytest.mark.parametrize(
    ("size", "status", "wrong"),
    [
        ("2G", 0, ""),
        ("500k", 0, ""),
        ("2", 2, "as in 400M or 2G"),
        ("0M", 2, "as in 400M or 2G"),
        ("M", 2, "as in 400M or 2G"),
        ("-1M", 2, "as in 400M or 2G"),
        ("1.5G", 2, "as in 400M or 2G"),
        ("", 2, "as in 400M or 2G"),
    ],
)
def test_sizes_as_people_write_them(corpus: Corpus, run: Run, size: str, status: int, wrong: str):
    folder = corpus({"a/1": "red", "b/1": "blue"})
    result = run("train", folder, "--memory", size)
    assert result.status == status
    assert wrong in result.err
