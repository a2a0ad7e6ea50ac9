"""Models as text: the canonical text of a model, and a model made from such text.

The text is JSON Lines, everything sorted by label, token or digest, so that equal models have equal text:

    {"nbtext": 1, "reader": ..., ...}                      the settings
    {"class": LABEL, "documents": N, "tokens": N}
    {"token": T, "counts": {LABEL: [OCCURRENCES, DOCUMENTS], ...}}
    {"learned": DIGEST, "class": LABEL, "times": N}
    {"sample": DIGEST, "class": LABEL, "bag": {T: N, ...}}  from here on notes, not counts
    {"calibration": ...}, {"weighting": ...} if tokens have fitted weights, {"corpora": [PATH, ...]}

The fingerprint is the SHA-256 of the text without the notes: the sample for calibration and the paths of the corpora do
not belong to the counts.
"""

import json
from array import array
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any
from zlib import crc32

from ..analysis import Analysis
from ..counting.rows import Row, dense, text
from ..errors import ChoiceError, ModelError, NbtextError
from ..event_models import nats
from ..inference.calibration import Calibration
from ..inference.weighting import Kinds, Weighting
from ..settings import Hyperparameters
from ..storage.blocks import in_parts
from ..storage.replacing import create_store
from ..storage.sample import bag_text
from ..storage.schema import stored_name
from ..storage.store import Store
from ..storage.tokens import has_controls
from .model import Model

FORMAT = 1
Line = dict[str, Any]


def exported(model: Model) -> Iterator[str]:
    """The canonical text of a model as it is now, line by line; reading slowly does not block other processes."""
    with model.copied() as copy:
        yield from counts_text(copy)
        labels = copy.labels
        for digest, index, bag in sorted(copy.store.sample(), key=lambda row: (row[0], labels[row[1]])):
            yield _text({"sample": digest, "class": labels[index], "bag": bag})
        yield _text({"calibration": dict(copy.calibration.settings())})
        if copy.weighting:
            yield _text({"weighting": copy.weighting.plain()})
        yield _text({"corpora": copy.store.corpora()})


def multinomial_record(model: Model) -> dict[str, Any]:
    """The parameters of a multinomial classifier with the same scores as the model, and how it reads texts.

    classes           the labels, sorted
    class_log_prior   the score of each class before any token, in nats
    feature_log_prob  token -> the score that one occurrence adds to each class, in nats
    binary            whether a token counts once, however often it occurs

    Raises: ChoiceError if the scores of the model are not linear in the tokens: with fitted weights or attributes.
    """
    if model.hyperparameters.is_weighted or model.attributes:
        raise ChoiceError(
            "a model with fitted weights or attributes is not a multinomial one: train with --weights none, on text"
        )
    with model.unchanging():
        scorer = model.scorer()
        linear, admits = scorer.linear, scorer.vocabulary.admits
        order = [i for i in sorted(range(len(model.labels)), key=model.labels.__getitem__) if linear.possible[i]]
        weights = {token: linear.weights(row) for token, row in model.store.tokens() if admits(token, row)}
    return {
        "classes": [model.labels[index] for index in order],
        "class_log_prior": [nats(linear.bias[index]) for index in order],
        "feature_log_prob": {token: [nats(own[index]) for index in order] for token, own in weights.items()},
        "binary": not linear.event_model.REPEATS,
        "analysis": model.analysis.plain(),
    }


def fingerprint(model: Model) -> str:
    """64 hexadecimal digits, equal only for models with the same counts and settings."""
    digest = sha256()
    with model.copied() as copy:
        for line in counts_text(copy):
            digest.update(line.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()


def counts_text(model: Model) -> Iterator[str]:
    """The canonical text of a model without its notes, line by line; use `Model.copied` if reading takes long."""
    labels = model.labels
    order = sorted((index for index, count in enumerate(model.documents) if count), key=labels.__getitem__)
    rank = {index: place for place, index in enumerate(order)}
    settings = {**model.analysis.plain(), **model.hyperparameters.plain()}
    if not model.hyperparameters.is_weighted:  # as in texts written before weights existed
        del settings["weights"]
    yield _text({"nbtext": FORMAT, **settings, "track": model.tracks})
    for index in order:
        entry = model.classes[index]
        yield _text({"class": entry.label, "documents": entry.documents, "tokens": entry.positions})
    for token, row in model.store.tokens():
        cells = sorted(zip(row[::3], row[1::3], row[2::3], strict=True), key=lambda cell: rank[cell[0]])
        yield _text({"token": token, "counts": {labels[index]: [n, d] for index, n, d in cells}})
    for digest, index, times in sorted(model.store.learned(), key=lambda row: (row[0], labels[row[1]])):
        yield _text({"learned": digest, "class": labels[index], "times": times})


def _text(line: Line) -> str:
    try:
        text = json.dumps(line, ensure_ascii=False, allow_nan=False)
        text.encode()
    except UnicodeEncodeError:  # the label of a folder whose name is not UTF-8
        text = json.dumps(line, allow_nan=False)
    return text


def imported(lines: Iterable[bytes], path: str | None) -> Model:
    """The model of a canonical text, in a file or (path None) in memory.

    Raises: ModelError, naming the line, if the text is not one that `exported` gives.
    """
    with create_store(path) as store:
        _Import(store).all(lines)
        if path is None:
            return Model(store)
    return Model.open(path)


class _Import:
    """One pass over a canonical text, filling a new model file.

    The sums of the counts are checked on the way. Everything else is checked at the end, by comparing with what
    `exported` writes for the new model: no wrong line can be missed.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.lines: Iterator[bytes] = iter(())
        self.ahead: Line | None = None
        self.number = 0
        self.seen = array("L")  # the CRC-32 of each line so far
        self.numbers: dict[str, int] = {}  # label -> class number
        self.documents: list[int] = []
        self.positions: list[int] = []

    def all(self, lines: Iterable[bytes]) -> None:
        self.lines = iter(lines)
        try:
            self._fill()
            model = Model(self.store)
            model.scorer()
            self._compare(model)
        except ModelError:
            raise
        except NbtextError as error:
            raise self._wrong(str(error)) from None
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
            raise self._wrong(f"not as nbtext export writes it ({error})") from None

    def _compare(self, model: Model) -> None:
        for number, (line, crc) in enumerate(zip(exported(model), self.seen, strict=True), 1):
            if crc32(line.encode()) != crc:
                raise ModelError(f"line {number}: not as nbtext export writes it, which would be {line:.200}")

    def _fill(self) -> None:
        self._advance()
        head = self._needed("nbtext")
        if head["nbtext"] != FORMAT:
            raise self._wrong("it is not the text of a model that this version can read")
        analysis, hyperparameters, track = _settings(head)
        self._advance()
        classes = [(line["class"], line["documents"], line["tokens"]) for line in self._section("class", str, int, int)]
        labels = [label for label, _, _ in classes]
        self.documents = [documents for _, documents, _ in classes]
        if labels != sorted(set(labels)) or not labels or min(self.documents) < 1:
            raise self._wrong("classes must be sorted, without repeats, and each must have documents")
        self.numbers = {label: index for index, label in enumerate(labels)}
        self.positions = [0] * len(classes)
        self.store.add_tokens(in_parts((token, text(row)) for token, row in self._tokens()))
        if self.positions != [positions for _, _, positions in classes]:
            raise self._wrong("the counts of the tokens do not add up to the tokens of the classes")
        self.store.add_learned(self._learned(track))
        self.store.put("sample", self._sample())
        notes = self._needed("calibration")["calibration"]
        calibration = Calibration(notes["t"], notes["calibrated_on"]).checked()
        self._advance()
        weights = None
        if self.ahead is not None and "weighting" in self.ahead:
            weighting = Weighting.of(self.ahead["weighting"])
            weights = weighting, Kinds(weighting.kinds, tagged=analysis.is_tagged)
            self._advance()
        corpora = self._needed("corpora")["corpora"]
        self._advance()
        if self.ahead is not None:
            raise self._wrong("the text should end here")
        self.store.put("corpus", ((stored_name(place),) for place in corpora))
        from .building import finish_loaded  # loads numpy, which exporting does not need

        finish_loaded(
            self.store, analysis, hyperparameters, classes, track=track, calibration=calibration, weights=weights
        )

    def _tokens(self) -> Iterator[tuple[str, Row]]:
        last = ""
        for line in self._section("token", str, dict):
            token, counts = line["token"], line["counts"]
            if any(type(count) is not int for cell in counts.values() for count in cell):
                raise self._wrong(f"the counts of {token!r} are not numbers")
            if has_controls(token):
                raise self._wrong(f"token {token!r} has a control character; no token has")
            if token <= last:
                raise self._wrong(f"token {token!r} should come after {last!r}; tokens must be sorted, without repeats")
            last = token
            row: Row = []
            for label, (occurrences, documents) in counts.items():
                index = self._number(label)
                if not 0 < documents <= min(occurrences, self.documents[index]):
                    raise self._wrong(f"the counts of {token!r} are impossible")
                self.positions[index] += occurrences
                row += index, occurrences, documents
            if not row:
                raise self._wrong(f"the counts of {token!r} are missing")
            yield token, row

    def _learned(self, track: bool) -> Iterator[tuple[int, int, int]]:
        left = self.documents.copy() if track else [0] * len(self.numbers)
        last: tuple[int, int] | None = None
        for line in self._section("learned", int, str, int):
            index = self._number(line["class"])
            if last is not None and (line["learned"], index) <= last:
                raise self._wrong("learned documents must be sorted, without repeats in a class")
            last = line["learned"], index
            left[index] -= line["times"]
            if line["times"] < 1 or left[index] < 0:
                raise self._wrong("the class has fewer documents than this")
            yield line["learned"], index, line["times"]
        if any(left):
            raise self._wrong("a learned line is missing here: the class has more documents")

    def _sample(self) -> Iterator[tuple[int, int, str]]:
        for line in self._section("sample", int, str, dict):
            index, bag = self._number(line["class"]), line["bag"]
            rows = self.store.rows(bag)
            if not bag or not all(
                0 < n <= dense(rows.get(token, []), "occurrences", len(self.numbers))[index] for token, n in bag.items()
            ):
                raise self._wrong("the document was never counted")
            yield line["sample"], index, bag_text(bag)

    def _number(self, label: str) -> int:
        if label not in self.numbers:
            raise self._wrong(f"no class {label!r}")
        return self.numbers[label]

    def _section(self, key: str, *types: type) -> Iterator[Line]:
        """The lines that begin with the key, after a check that their values have these types."""
        while self.ahead is not None and next(iter(self.ahead), None) == key:
            line = self.ahead
            if len(line) != len(types) or any(type(v) is not t for v, t in zip(line.values(), types, strict=True)):
                raise self._wrong(f"not a {key} line")
            yield line
            self._advance()

    def _needed(self, key: str) -> Line:
        if self.ahead is None or key not in self.ahead:
            raise self._wrong(f"a {key} line is missing here; was the text cut off?")
        return self.ahead

    def _advance(self) -> None:
        line = next(self.lines, None)
        self.number += 1
        self.ahead = None
        if line is not None:
            self.seen.append(crc32(line.removesuffix(b"\n")))
            try:
                self.ahead = json.loads(line.decode())  # `loads` would read bytes that begin with NUL as UTF-16
            except UnicodeDecodeError:
                raise self._wrong("not UTF-8") from None
            if not isinstance(self.ahead, dict):
                raise self._wrong("not a JSON object")

    def _wrong(self, what: str) -> ModelError:
        return ModelError(f"line {self.number}: {what}")


def _settings(head: Line) -> tuple[Analysis, Hyperparameters, bool]:
    analysis = Analysis.from_plain(head)
    analysis.tokens()
    analysis.input()
    return analysis, Hyperparameters.of({"weights": "none", **head}), bool(head["track"])
