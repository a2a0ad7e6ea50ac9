"""Memory that is bounded: what it has no room for goes to disk, and the model is the same to the last byte."""

import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from nbtext import Document, Hyperparameters, train
from nbtext.analysis import Analysis
from nbtext.corpus.sources import Skipped
from nbtext.counting import runs
from nbtext.counting.collection import Collection, count_documents
from nbtext.counting.sample import lowest

from ..conftest import Corpus, Run


@pytest.fixture
def words(corpus: Corpus) -> Path:
    """Files of many documents, a few without a label, with many different words."""
    dice = random.Random(7)
    lines = []
    for number in range(600):
        label = "" if number % 50 == 0 else f', "label": "class{number % 7}"'
        text = " ".join(f"w{int(2000 ** dice.random())}" for _ in range(60))
        lines.append(f'{{"text": "{text}"{label}}}\n')
    return corpus({"a.jsonl": "".join(lines), "b.jsonl": "".join(lines[:50])})


@pytest.mark.parametrize(
    "hyperparameters",
    [
        Hyperparameters(),
        Hyperparameters(event_model="bernoulli", min_count=3),
        Hyperparameters(drop_top=5, stopwords=frozenset({"w1"})),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_model_is_the_same_with_little_memory(
    words: Path, tmp_path: Path, monkeypatch, hyperparameters: Hyperparameters, jobs: int
):
    for name in "WORTH_SHARING_BYTES", "MOST_BYTES":
        monkeypatch.setattr(f"nbtext.corpus.batches.{name}", 0)
    reports: list[list[object]] = []
    spilled = Counter[str]()
    write = runs.write_run
    for name, memory in ("much", None), ("little", 1):

        def watched(*args, name: str = name):
            spilled[name] += 1
            return write(*args)

        monkeypatch.setattr("nbtext.counting.collection.write_run", watched)
        reports.append([])
        train(
            str(words), str(tmp_path / name), Analysis(reader="jsonl"), hyperparameters,
            jobs=jobs, memory=memory, report=reports[-1].append,
        )  # fmt: skip
    assert not spilled["much"]
    assert jobs > 1 or spilled["little"] > 1  # workers are not watched
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


def test_what_waits_to_be_added_up_does_not_grow_with_the_corpus(monkeypatch):
    monkeypatch.setattr("nbtext.counting.collection.LOOSE_CELLS", 10)
    monkeypatch.setattr("nbtext.counting.collection.LOOSE_SAMPLES", 20)
    collection, texts = Collection(Analysis()), [f"red sky at night w{number % 50}" for number in range(500)]
    most = most_documents = 0
    for number, text in enumerate(texts):
        collection.add(count_documents([Document([("", text)], "ab"[number % 2])], Analysis()))
        most = max(most, sum(len(cells.terms) for cells in collection._cells))
        most_documents = max(most_documents, sum(sample.size for sample in collection._samples))
    assert collection.documents().tolist() == [250, 250]
    assert most <= 2 * 2 * 54 + 5
    assert most_documents <= 51  # each is there once
    assert sum(int(part.chunk().counts.occurrences.sum()) for part in collection.parts()) == 5 * 500


TRAINING = """
import re, sys
from pathlib import Path
from nbtext import train
from nbtext.analysis import Analysis

train(sys.argv[1], sys.argv[1] + ".nbtext", Analysis(reader="jsonl"), memory=int(sys.argv[2]), jobs=1)
print(re.search("VmHWM: *([0-9]+)", Path("/proc/self/status").read_text().replace("\\t", ""))[1])
"""


def peak(corpus: Path, memory: int) -> int:
    """The most bytes that a training ever takes; `ru_maxrss` would be ours, if that is more."""
    command = [sys.executable, "-c", TRAINING, str(corpus), str(memory)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout) * 1024


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
def test_memory_is_bounded_whatever_the_corpus(tmp_path: Path):
    memory, words = 16 << 20, iter(random.Random(5).sample(range(10**9), 800_000))
    for name, documents in ("large", 20_000), ("tiny", 2):
        records = (
            f'{{"label": "{"ab"[number % 2]}", "text": "{" ".join(f"w{next(words, 0)}" for _ in range(40))}"}}\n'
            for number in range(documents)
        )
        (tmp_path / name).mkdir()
        (tmp_path / name / "records.jsonl").write_text("".join(records))
    base = peak(tmp_path / "tiny", memory)
    # The sample for calibration and what is read ahead come on top
    assert peak(tmp_path / "large", memory) - base < 1.2 * memory + (20 << 20)
    assert peak(tmp_path / "large", 1 << 30) - base > 6 * memory  # what the counts would take


def test_large_documents_that_may_be_sampled_do_not_wait_in_great_numbers(monkeypatch):
    monkeypatch.setattr("nbtext.counting.collection.LOOSE_CELLS", 1000)
    monkeypatch.setattr("nbtext.counting.collection.lowest", lambda documents: lowest(documents, 3))
    collection, most = Collection(Analysis()), 0
    for number in range(50):
        text = " ".join(f"w{number}_{word}" for word in range(200))
        collection.add(count_documents([Document([("", text)], "ab"[number % 2])], Analysis()))
        most = max(most, sum(len(sample.tokens) for sample in collection._samples))
    assert most <= 3 * 200 + 1000 + 200


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
def test_large_documents_kept_for_calibration_take_150_bytes_for_each_of_their_tokens(tmp_path: Path):
    memory, dice, tokens = 16 << 20, random.Random(5), 0
    for name, documents in ("large", 20), ("tiny", 2):
        (tmp_path / name).mkdir()
        with (tmp_path / name / "records.jsonl").open("w") as file:
            for number in range(documents):
                words = {f"w{dice.randrange(10**6)}" for _ in range(2 if name == "tiny" else 50_000)}
                tokens += len(words)
                file.write(f'{{"label": "{"ab"[number % 2]}", "text": "{" ".join(words)}"}}\n')
    more = peak(tmp_path / "large", memory) - peak(tmp_path / "tiny", memory)
    assert more < 1.2 * memory + (20 << 20) + 150 * tokens
