"""Many files classified by several processes: what one process gives, in its order."""

import os
from pathlib import Path
from threading import Event, Thread

import pytest

from nbtext import Classifier, Model
from nbtext.classification import bulk
from nbtext.corpus.sources import Skipped
from nbtext.corpus.walking import unlabelled
from nbtext.engines import _sharing

from .conftest import Corpus, Run
from .test_sharing import text


@pytest.fixture
def model(corpus: Corpus, run: Run) -> Path:
    """A trained model in the working directory, beside a folder `many` of files, some of them not to be read."""
    corpus(
        {f"{label}/{n}.txt": text(n) for label, seeds in (("ham", range(40)), ("spam", range(40, 90))) for n in seeds}
    )
    assert run("train", "corpus").status == 0
    files: dict[str, str | bytes] = {f"{n % 3}/{n}.txt": text(n) for n in range(300)}
    return corpus({**files, "1/binary": b"\0", "2/broken.gz": b"\x1f\x8b\x08nothing", "a/b/lines.txt": "a\nb"}, "many")


@pytest.fixture(autouse=True)
def worth(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few files there are, they are worth sharing out."""
    monkeypatch.setattr(_sharing, "WORTH_SHARING", 10)
    monkeypatch.setattr(bulk, "BATCH", 7)


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--top", "2"],
        ["--json"],
        ["--rank", "spam"],
        ["--is", "ham"],
        ["--lines"],
        ["--raw", "--unsure-below", "0.9"],
    ],
)
def test_output_and_status_are_the_same_for_any_number_of_workers(model: Path, run: Run, options: list[str]):
    one, two, three = (run("classify", "many", "missing", *options, "--jobs", str(jobs)) for jobs in (1, 2, 3))
    assert one == two == three
    assert one.status == 3
    assert [line.partition(":")[2].split(":")[0].strip() for line in one.err.splitlines()] == [
        "many/1/binary", "many/2/broken.gz", "missing",
    ]  # fmt: skip


def test_what_is_skipped_keeps_its_place(model: Path):
    classify = Classifier(Model.open("model.nbtext"))
    found = list(bulk.decided(classify, unlabelled(["many", "missing"]), classify.model.analysis, jobs=2))
    names = [item.name for item in found]
    assert names == [*sorted(names[:-1]), "missing"]
    assert [item.name for item in found if isinstance(item, Skipped)] == [
        "many/1/binary",
        "many/2/broken.gz",
        "missing",
    ]


def test_answers_come_before_the_last_is_looked_for(model: Path):
    looked_for = []

    def sources():
        for source in unlabelled(["many"]):
            looked_for.append(source)
            yield source

    classify = Classifier(Model.open("model.nbtext"))
    answers = bulk.decided(classify, sources(), classify.model.analysis, jobs=2)
    next(answers)
    assert len(looked_for) <= _sharing.WORTH_SHARING + bulk.BATCH * _sharing.AHEAD * 2
    assert len(list(answers)) + 1 == len(looked_for) == 303


def test_an_answer_does_not_wait_for_what_a_pipe_brings_next(model: Path, monkeypatch):
    monkeypatch.setattr(_sharing, "WORTH_SHARING", 1000)
    os.mkfifo("pipe")
    answered, in_time = Event(), []

    def write() -> None:
        with open("pipe", "w", buffering=1) as pipe:
            pipe.write(f"{text(0)}\n")
            in_time.append(answered.wait(timeout=10))
            pipe.write(f"{text(1)}\n")

    writer = Thread(target=write)
    writer.start()
    classify = Classifier(Model.open("model.nbtext"))
    answers = bulk.decided(classify, unlabelled(["pipe"]), classify.model.analysis._replace(reader="lines"))
    first = next(answers)
    answered.set()
    assert [item.name for item in (first, *answers)] == ["pipe:1", "pipe:2"]
    writer.join()
    assert in_time == [True]


def test_few_files_need_no_workers(model: Path, monkeypatch):
    monkeypatch.setattr(_sharing, "WORTH_SHARING", 1000)
    monkeypatch.setattr(_sharing, "processes", lambda _: pytest.fail("workers were started"))
    classify = Classifier(Model.open("model.nbtext"))
    assert len(list(bulk.decided(classify, unlabelled(["many"]), classify.model.analysis))) == 303
