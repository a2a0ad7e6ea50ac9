"""Random single bits of model files flipped: every command answers as before, or reports that the file is damaged.

What a command may say instead of its answer is one sentence about the model, with status 3. A flip in room that nobody
reads changes no answer; one in a setting or a count must be seen by its checksum, one in SQLite's own bookkeeping by
what it leads to. Three models: of a few texts, of mail, and one of many tokens after learning and unlearning.
"""

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from nbtext import Analysis, Classifier, Document, Hyperparameters, Model, ModelError, train, train_documents
from nbtext.model.exchange import exported, fingerprint
from nbtext.model.merging import merge
from nbtext.model.overview import overview
from nbtext.model.verifying import verify
from nbtext.training.learning import learn, unlearn

from ..mailroom import MAIL
from . import Outcome

PAGE, HEAD = 4096, 64  # bytes of a page, and of its head with the first entries of its index
DAMAGED = ModelError  # what may be raised; anything else is a bug
FOUND = "every command answers as before, or reports that the model is damaged"
QUESTIONS = ("lunch at noon", "win cash now w7 w77 w777", "unheard of zzz", "")
Answer = Any
Command = Callable[[str], Answer]


class Flip(NamedTuple):
    """A flip, and what a command made of it that is neither the right answer nor a sentence about damage."""

    model: str
    command: str
    byte: int
    bit: int
    found: str


def answered(path: str) -> Answer:
    with closing(Model.open(path)) as model:
        return list(map(Classifier(model), QUESTIONS))


def answered_otherwise(path: str) -> Answer:
    """By a reading that goes through all tokens, and is calibrated on the sample."""
    with closing(Model.open(path)) as model:
        return list(
            map(Classifier(model, model.hyperparameters._replace(event_model="bernoulli", min_count=2)), QUESTIONS)
        )


def explained(path: str) -> Answer:
    with closing(Model.open(path)) as model:
        return Classifier(model).explain(QUESTIONS[1])


def shown(path: str) -> Answer:
    with closing(Model.open(path)) as model:
        return overview(model)


def exported_text(path: str) -> Answer:
    with closing(Model.open(path)) as model:
        return list(exported(model))


def learned(path: str) -> Answer:
    """What becomes of two documents, and of the model: told by its text, for the bytes may lie elsewhere."""
    with closing(Model.open(path, writable=True)) as model:
        told = learn(model, model.labels[0], [Document([("", QUESTIONS[0])]), Document([("", "never seen w5")])])
        told += unlearn(model, model.labels[0], [Document([("", "never seen w5")])])
        return told, fingerprint(model)


def merged(path: str) -> Answer:
    with closing(Model.open(path)) as model:
        return fingerprint(merge([model, model], None))


def verified(path: str) -> Answer:
    with closing(Model.open(path)) as model:
        verify(model)


# One in so many flips is shown to the command: the first are quick, and what they read is what most people ask
COMMANDS: dict[str, tuple[Command, int]] = {
    "classify": (answered, 1),
    "classify with other settings": (answered_otherwise, 60),
    "explain": (explained, 10),
    "show": (shown, 60),
    "learn": (learned, 60),
    "export": (exported_text, 60),
    "merge": (merged, 60),
    "verify": (verified, 60),
}


def models(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The three models by name."""
    small = {"ham": ["lunch at noon", "see you at the lunch"], "spam": ["win cash now win"], "zoo": ["the lion"]}
    path = str(folder / "made")
    train_documents(small, path, hyperparameters=Hyperparameters(stopwords=frozenset(["the"]))).close()
    yield "a few texts", Path(path).read_bytes()
    yield "mail", _mail_model(folder)
    many = {label: [f"{label}{n} w{n} w{n * k}" for n in range(60) for k in range(4)] for label in "abc"}
    train_documents(many, path, hyperparameters=Hyperparameters("bernoulli", drop_top=3)).close()
    with closing(Model.open(path, writable=True)) as model:
        for n in range(20):
            learn(model, "a", [Document([("", " ".join(f"x{n * k}" for k in range(50)))])])
        for n in range(10):
            unlearn(model, "a", [Document([("", " ".join(f"x{n * k}" for k in range(50)))])])
    yield "many tokens", Path(path).read_bytes()


def _mail_model(folder: Path) -> bytes:
    """A model of the first messages of each class."""
    for label in "ham", "spam":
        (folder / "corpus" / label).mkdir(parents=True)
        for message in sorted((MAIL / label).iterdir())[:2]:
            copy(message, folder / "corpus" / label)
    train(str(folder / "corpus"), str(folder / "mail"), Analysis(reader="mail"), jobs=1).close()
    return (folder / "mail").read_bytes()


def outcome(command: Command, path: str, content: bytes) -> str:
    """What a command makes of a file of these bytes: its answer, or "damaged"."""
    Path(path).write_bytes(content)
    try:
        return repr(command(path))
    except DAMAGED as error:
        return "damaged" if "\n" not in str(error) else f"more than a sentence: {error}"
    except Exception as error:  # noqa: BLE001 - each is a finding
        return f"a bug: {error!r}"
    finally:
        for log in "-journal", "-wal", "-shm":
            with suppress(FileNotFoundError):
                os.unlink(path + log)


def flipped(content: bytes, byte: int, bit: int) -> bytes:
    """The bytes with one bit the other way round."""
    return content[:byte] + bytes([content[byte] ^ 1 << bit]) + content[byte + 1 :]


def wrong_answers(flips: int, seed: int, counts: Counter[str], *, heads: bool = False) -> Iterator[Flip]:
    """Every flip of so many after which a command neither answered as before nor said that the model is damaged.

    heads   whether only the heads of pages are hit, where SQLite keeps its books
    counts  is told how often each command answered as before, and how often it said that
    """
    chance = random.Random(seed)
    with TemporaryDirectory() as folder:
        path = os.path.join(folder, "model")
        known = list(models(Path(folder)))
        right = {(name, told): outcome(COMMANDS[told][0], path, whole) for name, whole in known for told in COMMANDS}
        for number in range(flips):
            name, whole = known[number % len(known)]
            byte, bit = chance.randrange(len(whole)), chance.randrange(8)
            if heads:
                byte -= byte % PAGE - chance.randrange(HEAD)
            for told, (command, every) in COMMANDS.items():
                if chance.randrange(every) == 0:
                    found = outcome(command, path, flipped(whole, byte, bit))
                    counts[f"{told}: {'damaged' if found == 'damaged' else 'as before'}"] += 1
                    if found not in ("damaged", right[name, told]):
                        yield Flip(name, told, byte, bit, found[:300])


def flip_bits(tries: int, seed: int = 1) -> Iterator[Outcome]:
    """So many flips over three models, an eighth of them in the heads of pages."""
    counts: Counter[str] = Counter()
    failures = [str(flip) for flip in wrong_answers(tries - tries // 8, seed, counts)]
    failures += [str(flip) for flip in wrong_answers(tries // 8, seed, counts, heads=True)]
    yield Outcome("one bit of a model file flipped, all commands", tries, failures, FOUND)
    for told in COMMANDS:
        found, before = counts[f"{told}: damaged"], counts[f"{told}: as before"]
        name, _, how = told.partition(" ")
        yield Outcome(
            f"of these, `{name}` {how}".rstrip(),
            found + before,
            [],
            f"damaged: {found:,}, answered as before: {before:,}",
        )
