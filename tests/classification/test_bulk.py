"""Many files classified by several processes: what one process gives, in its order."""

import os
from pathlib import Path
from threading import Event, Thread

import pytest

from nbtext import Classifier, Document, Model, ModelError, train_documents
from nbtext.classification import bulk
from nbtext.classification.decision import Decision
from nbtext.cli._inputs import Inputs
from nbtext.corpus import batches as batches_
from nbtext.corpus.sources import Aside, Skipped
from nbtext.corpus.walking import unlabelled
from nbtext.engines import _sharing
from nbtext.training.learning import learn

from ..conftest import Corpus, Run
from ..engines.test_sharing import text


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
    monkeypatch.setattr(batches_, "WORTH_SHARING", 10)
    monkeypatch.setattr(batches_, "FEWEST", 7)
    monkeypatch.setattr(batches_, "MOST", 7)


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


def names_of(item: bulk.Answered | Aside) -> list[str]:
    """The documents answered, or what was set aside."""
    return item.names if isinstance(item, bulk.Answered) else [item.name]


def test_what_is_skipped_keeps_its_place(model: Path):
    classify = Classifier(Model.open("model.nbtext"))
    found = list(bulk.answer_sources(classify, unlabelled(["many", "missing"]), classify.model.analysis, jobs=2))
    names = [name for item in found for name in names_of(item)]
    assert names == [*sorted(names[:-1]), "missing"]
    assert len(names) == 304
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
    answers = bulk.answer_sources(classify, sources(), classify.model.analysis, jobs=2)
    first = next(answers)
    assert len(looked_for) <= batches_.MOST * _sharing.AHEAD * 2 + 1
    assert sum(len(names_of(item)) for item in (first, *answers)) == len(looked_for) == 303


def test_an_answer_does_not_wait_for_what_a_pipe_brings_next(model: Path, monkeypatch):
    monkeypatch.setattr(batches_, "WORTH_SHARING", 1000)
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
    answers = Inputs(classify.model.analysis._replace(reader="lines"), ("pipe",)).decided(classify, None)
    first = next(answers)
    answered.set()
    assert [named.name for named, _ in (first, *answers)] == ["pipe:1", "pipe:2"]
    writer.join()
    assert in_time == [True]


def test_few_files_need_no_workers(model: Path, monkeypatch):
    monkeypatch.setattr(batches_, "WORTH_SHARING", 1000)
    monkeypatch.setattr(_sharing, "processes", lambda _: pytest.fail("workers were started"))
    classify = Classifier(Model.open("model.nbtext"))
    answers = Inputs(classify.model.analysis, ("many",)).decided(classify, None)
    assert len(list(answers)) == 301


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_was_learned_in_between_counts_when_asked_again(model: Path, jobs: int):
    classify = Classifier(Model.open("model.nbtext"))
    texts = [(f"many/{n % 3}/{n}.txt", text(n)) for n in range(300)]

    def answered() -> list[Decision]:
        sources = unlabelled([name for name, _ in texts])
        found = bulk.answer_sources(classify, sources, classify.model.analysis, jobs=jobs)
        return [decision for some in found if isinstance(some, bulk.Answered) for _, decision in some.decided()]

    before = answered()
    with Model.open("model.nbtext", writable=True) as learner:
        learn(learner, "spam", [Document([("", f"{text(n)} twice")]) for n in range(30)])
    after = answered()
    assert before != after == [classify(each) for _, each in texts]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_model_replaced_after_it_was_opened_answers_to_the_end(model: Path, jobs: int):
    classify = Classifier(Model.open("model.nbtext"))
    texts = [(f"many/{n % 3}/{n}.txt", text(n)) for n in range(300)]
    train_documents({"other": ["x y"], "zebra": ["z"], "yak": ["y"]}, "new.nbtext").close()
    os.replace("new.nbtext", "model.nbtext")
    found = bulk.answer_sources(classify, unlabelled([name for name, _ in texts]), classify.model.analysis, jobs=jobs)
    answers = [one for some in found if isinstance(some, bulk.Answered) for one in some.decided()]
    assert [decision for _, decision in answers] == [classify(each) for _, each in texts]


def test_a_worker_that_opens_the_model_itself_notices_other_classes(model: Path, monkeypatch):
    monkeypatch.setattr(bulk, "FORKS", False)
    classify = Classifier(Model.open("model.nbtext"))
    train_documents({"other": ["x y"], "zebra": ["z"]}, "new.nbtext").close()
    os.replace("new.nbtext", "model.nbtext")
    with pytest.raises(ModelError, match="replaced by a model of other classes"):
        list(bulk.answer_sources(classify, unlabelled(["many"]), classify.model.analysis, jobs=1))
