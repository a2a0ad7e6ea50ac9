"""What nbtext must hold, beside named programs in the same run: a function for each task."""

import json
import shutil
import sys
from collections.abc import Callable, Iterable
from functools import cache
from itertools import chain, cycle, islice
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory

from . import corpora
from .clock import Took
from .contender import SCRIPTS, Commands, Contender
from .contenders import contenders
from .contenders.bogofilter import Bogofilter
from .corpora import Corpus, UnavailableError, made
from .scenario import MEMORY, Bound, Scenario, Side
from .synthetic import Recipe

KINDS = contenders()
LINES = 200_000
GIGABYTE = 10**9
PLAIN = {"NBTEXT_KERNEL": "plain"}


@cache
def python_of(name: str) -> Path:
    """The Python of a contender's environment.

    Raises: UnavailableError if it cannot be set up.
    """
    return KINDS[name].set_up(corpora.cache() / "tools")


def contender(name: str, corpus: Corpus) -> Contender:
    """A contender on a corpus."""
    found = KINDS[name](corpus, corpora.cache() / "work" / corpus.name / name, python_of(name))
    found.folder.mkdir(parents=True, exist_ok=True)
    return found


def nbtext(*arguments: str | Path) -> Commands:
    """nbtext as it is installed."""
    return [[python_of("nbtext").parent / "nbtext", *arguments]]


def script(name: str, kind: str, *arguments: str | Path) -> Commands:
    """A file of `scripts/` with the Python of a contender."""
    return [[python_of(kind), SCRIPTS / f"{name}.py", *arguments]]


@cache
def fasttext() -> Path:
    """fastText's own program, built from the sources of its Python package.

    Raises: UnavailableError if it cannot be built.
    """
    program = corpora.cache() / "tools" / "fasttext-program"
    if not program.exists():
        build = (
            "pip download --quiet --no-deps --no-binary :all: fasttext && tar -xzf fasttext-*.tar.gz && "
            "c++ -O3 -funroll-loops -std=c++17 -pthread -include cstdint fasttext-*/src/*.cc -o fasttext"
        )
        with TemporaryDirectory() as folder:
            done = run(["sh", "-c", f'"$0" -m {build}', sys.executable], cwd=folder, capture_output=True, check=False)
            if done.returncode:
                raise UnavailableError("fastText's program cannot be built from its sources")
            shutil.move(Path(folder, "fasttext"), program)
    return program


def physical_pass(folder: Path) -> Side:
    """The files read once, their words counted."""
    return Side("find, cat, wc", [["sh", "-c", 'find "$1" -type f -print0 | xargs -0 cat | wc -w', "sh", folder]])


def bare_import() -> Side:
    """The least that a Python program with this command line takes."""
    return Side("Python importing click and sqlite3", [[python_of("nbtext"), "-c", "import click, sqlite3"]])


def multinomial(*arguments: str | Path) -> Side:
    """scikit-learn's naive Bayes."""
    return Side("CountVectorizer, MultinomialNB", script("run_sklearn", "sklearn-multinomial", *arguments))


# 20 Newsgroups


def train_news() -> Scenario:
    """Training with the defaults."""
    train = corpora.newsgroups().train
    bounds = [Bound(3, physical_pass(train)), Bound(1 / 3, multinomial("train", "multinomial", train, "rival"))]
    return Scenario("train 20 Newsgroups", Side("nbtext", nbtext("train", train)), bounds)


def train_pairs() -> Scenario:
    """Training with pairs of words."""
    train = corpora.newsgroups().train
    own = Side("nbtext", nbtext("train", train, "--ngrams", "2"))
    return Scenario("train --ngrams 2", own, [Bound(8, physical_pass(train))])


def train_tuned() -> Scenario:
    """Choosing settings on all documents, but for weights."""
    train = corpora.newsgroups().train
    own = Side("nbtext", nbtext("train", train, "--tune", "--weights", "none"))
    pairs = Side("train --ngrams 2", nbtext("train", train, "--ngrams", "2"))
    return Scenario("train --tune --weights none", own, [Bound(2, pairs)], most=3)


def classify_news() -> Scenario:
    """Classifying the test files."""
    news = corpora.newsgroups()
    ifile = contender("ifile", news)
    before = [
        *nbtext("train", news.train),
        *multinomial("train", "multinomial", news.train, "rival").commands,
        *ifile.train(),
    ]
    bounds = [Bound(0.3, multinomial("classify", "rival", news.test)), Bound(1, Side("ifile", ifile.bulk()))]
    return Scenario("classify 7,532 files", Side("nbtext", nbtext("classify", news.test)), bounds, before)


def classify_tuned() -> Scenario:
    """Classifying the test files with the model that tuning chooses."""
    news = corpora.newsgroups()
    before = [
        *nbtext("train", news.train, "--tune"),
        *script("run_sklearn", "sklearn-svm", "train", "svm-pairs", news.train, "rival"),
    ]
    rival = Side("tf-idf of pairs, LinearSVC", script("run_sklearn", "sklearn-svm", "classify", "rival", news.test))
    own = Side("nbtext", nbtext("classify", news.test))
    return Scenario("classify them, --tune", own, [Bound(0.3, rival)], before, most=3)


def leave_one_out() -> Scenario:
    """Each document with a model of all others."""
    train = corpora.newsgroups().train
    own = Side("nbtext", nbtext("evaluate", train, "--leave-one-out"))
    return Scenario("evaluate --leave-one-out", own, [Bound(1.5, Side("train", nbtext("train", train)))])


def folds() -> Scenario:
    """Ten folds."""
    train = corpora.newsgroups().train
    own = Side("nbtext", nbtext("evaluate", train, "--folds", "10"))
    return Scenario("evaluate --folds 10", own, [Bound(2, Side("train", nbtext("train", train)))])


# Lines


def lines() -> Scenario:
    """Text messages, a line each."""
    texts = messages()
    before: Commands = [
        *nbtext("train", "--reader", "fasttext", texts.labelled),
        [fasttext(), "supervised", "-input", texts.labelled, "-output", "rival"],
    ]
    rival = Side("fastText", [[fasttext(), "predict-prob", "rival.bin", texts.lines]])
    own = Side("nbtext", nbtext("classify", "--lines", texts.lines))
    return Scenario("classify 200,000 lines", own, [Bound(2, rival)], before)


def russian() -> Scenario:
    """Sentences in Russian beside those in English."""
    return beside_english("Russian", "ru")


def chinese() -> Scenario:
    """Sentences in Chinese beside those in English."""
    return beside_english("Chinese", "zh")


def beside_english(language: str, code: str) -> Scenario:
    """As many sentences of a language as of English, each by a model of its own."""
    texts = {code: sentences(code) for code in (code, "en")}
    trained = (nbtext("train", "--reader", "fasttext", text.labelled, "-m", code) for code, text in texts.items())
    own, english = (
        Side(name, nbtext("classify", "--lines", text.lines, "-m", code))
        for name, (code, text) in zip(("nbtext", "the same in English"), texts.items(), strict=True)
    )
    return Scenario(f"200,000 sentences, {language}", own, [Bound(2, english)], [*chain(*trained)])


def records() -> Scenario:
    """The text messages as JSON Lines, and a quarter of them."""
    texts = messages()
    before = nbtext("train", "--reader", "fasttext", texts.labelled)
    whole, part = (
        Side(name, nbtext("classify", "--reader", "jsonl", path))
        for name, path in (("nbtext", texts.records), ("50,000 of them", texts.fewer_records))
    )
    plain = Side("the same as lines", nbtext("classify", "--lines", texts.lines))
    return Scenario("classify 200,000 JSONL records", whole, [Bound(1.5, plain), Bound(1.15, part, MEMORY)], before)


def characters() -> Scenario:
    """Character n-grams of sentences in 75 languages, trained and classified."""
    corpus = Corpus("lid75", corpora.unpacked("lid75"))
    own = [*nbtext("train", corpus.train, "--tokenizer", "chars:n=4"), *nbtext("classify", corpus.test)]
    rival = [
        *script("run_sklearn", "sklearn-multinomial", "train", "characters", corpus.train, "rival"),
        *script("run_sklearn", "sklearn-multinomial", "classify", "rival", corpus.test),
    ]
    bound = Bound(1, Side("CountVectorizer of characters, MultinomialNB", rival))
    return Scenario("character n-grams, train and classify", Side("nbtext", own), [bound])


# Mail


def train_mail() -> Scenario:
    """Training on messages, in one process."""
    mail = corpora.spamassassin()
    rival = contender("bogofilter", mail)
    own = Side("nbtext", nbtext("train", mail.train, "--reader", "mail", "--jobs", "1"))
    bound = Bound(2, Side("bogofilter", [["rm", "-rf", rival.model], *rival.train()], Bogofilter.successes))
    return Scenario("train on mail, --jobs 1", own, [bound])


def classify_mail() -> Scenario:
    """Classifying messages, in one process."""
    mail = corpora.spamassassin()
    rival = contender("bogofilter", mail)
    before: Commands = [*nbtext("train", mail.train, "--reader", "mail"), ["rm", "-rf", rival.model], *rival.train()]
    own = Side("nbtext", nbtext("classify", mail.test, "--jobs", "1"))
    bound = Bound(2, Side("bogofilter", rival.bulk(), Bogofilter.successes))
    return Scenario("classify mail, --jobs 1", own, [bound], before)


# Cold, large, plain


def cold() -> Scenario:
    """One file."""
    news = corpora.newsgroups()
    own = Side("nbtext", nbtext("classify", news.sample.path))
    return Scenario("classify one file", own, [Bound(1.15, bare_import())], nbtext("train", news.train))


def cold_mail() -> Scenario:
    """One message."""
    mail = corpora.spamassassin()
    own = Side("nbtext", nbtext("classify", mail.sample.path))
    before = nbtext("train", mail.train, "--reader", "mail")
    return Scenario("classify one message", own, [Bound(1.2, bare_import())], before)


def large() -> Scenario:
    """2 GB of text with a vocabulary of five million words, within 1 GB of memory."""
    corpus = corpora.drawn("large", Recipe(2 * GIGABYTE), 1_000_000)
    own = Side("nbtext", nbtext("train", corpus.train, "--memory", "1G"))
    minutes = Side("2 minutes", took=Took(120, 120, 0))
    memory = Side("1.2 GB", took=Took(0, 0, 1_200_000_000))
    return Scenario("train on 2 GB, --memory 1G", own, [Bound(1, minutes), Bound(1, memory, MEMORY)], most=1)


def plain_train() -> Scenario:
    """Training without the compiled kernel."""
    train = corpora.newsgroups().train
    return Scenario(
        "train, plain kernel",
        Side("nbtext", nbtext("train", train), environment=PLAIN),
        [Bound(12, physical_pass(train)), Bound(0.78, multinomial("train", "multinomial", train, "rival"))],
    )


def plain_classify() -> Scenario:
    """Classifying the test files without the compiled kernel."""
    scenario = classify_news()
    bounds = [scenario.bounds[0]._replace(limit=1.6), scenario.bounds[1]._replace(limit=5.6)]
    return scenario._replace(
        task="classify 7,532 files, plain kernel", own=scenario.own._replace(environment=PLAIN), bounds=bounds
    )


SCENARIOS: dict[str, Callable[[], Scenario]] = {
    make.__name__.replace("_", "-"): make
    for make in (
        *(train_news, train_pairs, train_tuned, classify_news, classify_tuned, leave_one_out, folds),
        *(lines, russian, chinese, records, characters, train_mail, classify_mail, cold, cold_mail),
        *(plain_train, plain_classify, large),
    )
}


# Texts a line each


class Lines:
    """Texts in a folder of the cache: those with labels to train on, and all of them again and again to classify."""

    def __init__(self, folder: Path) -> None:
        self.labelled = folder / "labelled.txt"
        self.lines = folder / "lines.txt"
        self.records = folder / "records.jsonl"
        self.fewer_records = folder / "fewer.jsonl"

    def write(self, texts: Iterable[tuple[str, str]]) -> None:
        """Fill the files from (label, text) pairs."""
        pairs = [(label, " ".join(text.split())) for label, text in texts]
        self.labelled.write_text("".join(f"__label__{label} {text}\n" for label, text in pairs), encoding="utf-8")
        repeated = [text for _, text in islice(cycle(pairs), LINES)]
        self.lines.write_text("".join(f"{text}\n" for text in repeated), encoding="utf-8")
        as_json = [json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in repeated]
        self.records.write_text("".join(as_json), encoding="utf-8")
        self.fewer_records.write_text("".join(as_json[: LINES // 4]), encoding="utf-8")


def messages() -> Lines:
    """The text messages of the SMS spam corpus."""
    return _lines("sms-spam", lambda: _texts(corpora.unpacked("sms-spam")))


def sentences(code: str) -> Lines:
    """Sentences of one language; every other one has the one label, the rest the other."""
    folder = corpora.unpacked("lid75")
    return _lines(
        f"sentences-{code}",
        lambda: (
            ("ab"[number % 2], text)
            for number, (_, text) in enumerate(chain(*(_texts(folder / part / code) for part in ("train", "test"))))
        ),
    )


def _texts(folder: Path) -> Iterable[tuple[str, str]]:
    return ((file.label, file.path.read_text(encoding="utf-8", errors="replace")) for file in corpora.files(folder))


def _lines(name: str, texts: Callable[[], Iterable[tuple[str, str]]]) -> Lines:
    folder = corpora.cache() / "corpora" / f"lines-{name}"
    if not folder.exists():
        with made(folder) as new:
            Lines(new).write(texts())
    return Lines(folder)
