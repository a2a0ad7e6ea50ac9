"""Models as data: text and back, and what is refused as such text; merging, to the last bit and byte."""

import json
from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import Analysis, Document, Hyperparameters, Model, ModelError, train_documents
from nbtext.model.exchange import exported, fingerprint, imported
from nbtext.model.merging import merge
from nbtext.training.learning import learn

from .. import oracle
from ..small import CORPORA, EVENT_MODELS, documents, few, learned_one_by_one, trained

HYPERPARAMETERS = [
    Hyperparameters(),
    *(Hyperparameters(event_model) for event_model in EVENT_MODELS),
    Hyperparameters(stopwords=frozenset("ab")),
    Hyperparameters(drop_top=1),
    Hyperparameters(min_count=2),
    Hyperparameters("bernoulli", 0.5, "uniform", frozenset("a"), 1, 2, 2),
]


def lines(model: Model) -> list[bytes]:
    return [line.encode() + b"\n" for line in exported(model)]


def distinct(corpus: oracle.Corpus) -> oracle.Corpus:
    """Each text once: learning the same document twice is refused, unlike training on it twice."""
    return list({tuple(tokens): (label, tokens) for label, tokens in corpus}.values())


SMALL = {"ham": ["lunch at noon", "see you at lunch"], "spam": ["win cash now"]}


# Text and back

RED, BLUE = (
    int.from_bytes(blake2b(b"\0" + text + b"\0", digest_size=8).digest(), "big", signed=True)
    for text in (b"red", b"blue blue")
)


BY_HAND = [
    '{"nbtext": 1, "reader": "text", "tokenizer": "words", "ngrams": 1, "encoding": "windows-1252", '
    '"event_model": "multinomial", "alpha": 1.0, "prior": "learned", "stopwords": [], "drop_top": 0, '
    '"min_count": 1, "min_docs": 1, "track": false}',
    '{"class": "a", "documents": 1, "tokens": 1}',
    '{"class": "b", "documents": 1, "tokens": 2}',
    '{"token": "blue", "counts": {"b": [2, 1]}}',
    '{"token": "red", "counts": {"a": [1, 1]}}',
    f'{{"sample": {RED}, "class": "a", "bag": {{"red": 1}}}}',
    f'{{"sample": {BLUE}, "class": "b", "bag": {{"blue": 2}}}}',
    '{"calibration": {"calibrated_on": 0, "t": null}}',
    '{"corpora": []}',
]


def test_text_of_a_model_by_hand():
    model = train_documents({"b": ["blue blue"], "a": ["red"]}, track=False)
    assert list(exported(model)) == BY_HAND


def test_text_by_hand_is_imported():
    model = imported([line.encode() for line in BY_HAND], None)
    assert (model.labels, model.documents, model.positions) == (["a", "b"], [1, 1], [1, 2])
    assert model.hyperparameters == Hyperparameters()
    assert dict(model.store.tokens()) == {"blue": [1, 2, 1], "red": [0, 1, 1]}
    assert list(exported(model)) == BY_HAND


@pytest.mark.parametrize(
    "label", ["not spam", "-rf", "--help", "日本", "a:b|c", "NA", "01", "\udcff", "a\nb\tc", '"\\', ""]
)
def test_any_label_survives(label: str, tmp_path: Path):
    model = train_documents({label: ["red"], "other": ["blue"]}, str(tmp_path / "model"))
    again = imported(lines(model), str(tmp_path / "again"))
    assert (again.labels, lines(again)) == (sorted([label, "other"]), lines(model))


@pytest.mark.parametrize("hyperparameters", HYPERPARAMETERS)
def test_import_of_an_export_is_the_same_file(hyperparameters: Hyperparameters, tmp_path: Path):
    texts = {label: [f"{a} {b} a c" for a in "abcde" for b in label * 2 + "cdefg"] for label in ("p", "q")}
    model = train_documents(texts, str(tmp_path / "model"), hyperparameters=hyperparameters)
    imported(lines(model), str(tmp_path / "again")).close()
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()


@pytest.mark.parametrize("odd", ["\u209f", "\u0378", "\u202e", "\u200b", "\ue000", "\U000e0001"])
def test_tokens_with_characters_that_this_python_cannot_print_are_imported(odd: str):
    """Tokenizers know newer versions of Unicode than Python does, and names of columns may have any characters."""
    documents = [Document([(odd, "red")], "p", attributes=[(odd, odd)]), Document([("", "blue")], "q")]
    model = train_documents(documents, None, Analysis(tokenizer="split"))
    assert lines(imported(lines(model), None)) == lines(model)


@few
@given(CORPORA)
def test_models_of_equal_text_are_equal_whatever_the_order_of_classes(corpus: oracle.Corpus):
    grown = learned_one_by_one(distinct(corpus))
    again = imported(lines(grown), None)
    assert fingerprint(again) == fingerprint(grown)
    assert lines(again) == lines(grown)


# What is refused

TEXT = lines(train_documents(SMALL))
HEAD, HAM, SPAM, AT = range(4)
LEARNED = next(n for n, line in enumerate(TEXT) if line.startswith(b'{"learned"'))
SAMPLE = next(n for n, line in enumerate(TEXT) if line.startswith(b'{"sample"'))
CALIBRATION, CORPORA_LINE = len(TEXT) - 2, len(TEXT) - 1

Change = Callable[[list[bytes]], object]


def changed(number: int, old: bytes, new: bytes) -> list[bytes]:
    assert old in TEXT[number]
    return [line.replace(old, new, 1) if n == number else line for n, line in enumerate(TEXT)]


def swapped(one: int, other: int) -> list[bytes]:
    text = TEXT.copy()
    text[one], text[other] = text[other], text[one]
    return text


WRONG: dict[str, tuple[Sequence[bytes], int | None]] = {  # the text, the number of the line that is to be named
    "nothing": ([], 1),
    "blank": ([b"\n"], 1),
    "no JSON": ([b"hello\n"], 1),
    "no object": ([b"[1]\n"], 1),
    "another format": (changed(HEAD, b'"nbtext": 1', b'"nbtext": 2'), 1),
    "no setting": (changed(HEAD, b'"alpha": 1.0, ', b""), 1),
    "more settings": (changed(HEAD, b'"alpha": 1.0', b'"alpha": 1.0, "beta": 2'), 1),
    "alpha 0": (changed(HEAD, b'"alpha": 1.0', b'"alpha": 0'), 1),
    "alpha NaN": (changed(HEAD, b'"alpha": 1.0', b'"alpha": NaN'), 1),
    "alpha is text": (changed(HEAD, b'"alpha": 1.0', b'"alpha": "x"'), 1),
    "no such reader": (changed(HEAD, b'"reader": "text"', b'"reader": "os"'), 1),
    "reader by path": (changed(HEAD, b'"reader": "text"', b'"reader": "../../os"'), 1),
    "no such tokenizer": (changed(HEAD, b'"words"', b'"swords"'), 1),
    "tokenizer is a number": (changed(HEAD, b'"words"', b"5"), 1),
    "no such event model": (changed(HEAD, b'"multinomial"', b'"polynomial"'), None),
    "no such prior": (changed(HEAD, b'"learned"', b'"earned"'), None),
    "track is a number": (changed(HEAD, b'"track": true', b'"track": 1'), 1),
    "unsorted classes": (swapped(HAM, SPAM), None),
    "doubled class": ([*TEXT[:SPAM], TEXT[HAM], *TEXT[SPAM:]], None),
    "class without documents": (changed(SPAM, b'"documents": 1', b'"documents": 0'), None),
    "negative documents": (changed(SPAM, b'"documents": 1', b'"documents": -1'), None),
    "documents are a fraction": (changed(SPAM, b'"documents": 1', b'"documents": 1.5'), SPAM + 1),
    "documents are text": (changed(SPAM, b'"documents": 1', b'"documents": "1"'), SPAM + 1),
    "other keys of a class": (changed(SPAM, b'"documents"', b'"document"'), SPAM + 1),
    "tokens do not add up": (changed(SPAM, b'"tokens": 3', b'"tokens": 4'), None),
    "more documents than learned": (changed(SPAM, b'"documents": 1', b'"documents": 2'), None),
    "unsorted tokens": (swapped(AT, AT + 1), AT + 2),
    "doubled token": ([*TEXT[:AT], TEXT[AT], *TEXT[AT:]], AT + 2),
    "empty token": (changed(AT, b'"at"', b'""'), AT + 1),
    "token is no Unicode": (changed(AT, b'"at"', b'"\\ud800"'), AT + 1),
    "token of two lines": (changed(AT, b'"at"', b'"a\\nt"'), AT + 1),
    "negative counts": (changed(AT, b"[2, 2]", b"[-2, -2]"), AT + 1),
    "zero counts": (changed(AT, b"[2, 2]", b"[0, 0]"), AT + 1),
    "fewer occurrences than documents": (changed(AT, b"[2, 2]", b"[1, 2]"), AT + 1),
    "more documents than there are": (changed(AT, b"[2, 2]", b"[3, 3]"), AT + 1),
    "counts are fractions": (changed(AT, b"[2, 2]", b"[2.0, 2]"), AT + 1),
    "counts are true": (changed(AT + 1, b"[1, 1]", b"[1, true]"), AT + 2),
    "counts are text": (changed(AT, b"[2, 2]", b'"22"'), AT + 1),
    "one count": (changed(AT, b"[2, 2]", b"[2]"), AT + 1),
    "three counts": (changed(AT, b"[2, 2]", b"[2, 2, 2]"), AT + 1),
    "no counts": (changed(AT, b'{"ham": [2, 2]}', b"{}"), AT + 1),
    "unknown class": (changed(AT, b'"ham"', b'"jam"'), AT + 1),
    "a number beyond SQLite": (changed(AT, b"[2, 2]", b"[99999999999999999999, 2]"), None),
    "digest beyond SQLite": (changed(LEARNED, b'"learned": ', b'"learned": 99999999999999999999'), None),
    "learned of an unknown class": (changed(LEARNED, b'"class": "', b'"class": "x'), LEARNED + 1),
    "learned less than once": (changed(LEARNED, b'"times": 1', b'"times": 0'), LEARNED + 1),
    "learned too often": (changed(LEARNED, b'"times": 1', b'"times": 9'), LEARNED + 1),
    "learned missing": (TEXT[:LEARNED] + TEXT[LEARNED + 1 :], None),
    "sampled but never counted": (changed(SAMPLE, b'"bag": {', b'"bag": {"zebra": 1, '), SAMPLE + 1),
    "sampled without a token": (changed(SAMPLE, TEXT[SAMPLE].partition(b'"bag": ')[2], b"{}}\n"), SAMPLE + 1),
    "more in the calibration": (changed(CALIBRATION, b'"t": null', b'"t": null, "alpha": 9'), CALIBRATION + 1),
    "negative temperature": (changed(CALIBRATION, b'"t": null', b'"t": -1.0'), None),
    "infinite temperature": (changed(CALIBRATION, b'"t": null', b'"t": Infinity'), None),
    "corpora are numbers": (changed(CORPORA_LINE, b"[]", b"[1]"), None),
    "something follows": ([*TEXT, TEXT[-1]], None),
    "spaces": (changed(AT, b": ", b":"), AT + 1),
    "not UTF-8, further down": (changed(AT + 1, b'{"token"', b'{"\xfftoken"'), AT + 2),
    "begins with NUL": (changed(AT + 1, b'{"token"', b'\0{"token"'), AT + 2),
    "not UTF-8": (changed(AT, b'"at"', b'"a\xff"'), AT + 1),
    "bottomless": ([b"[" * 100_000], 1),
}  # fmt: skip


@pytest.mark.parametrize(("text", "number"), WRONG.values(), ids=WRONG)
def test_text_that_no_export_writes_is_refused_naming_the_line(
    text: Sequence[bytes], number: int | None, tmp_path: Path
):
    with pytest.raises(ModelError, match=rf"^line {number or ''}") as refusal:
        imported(text, str(tmp_path / "model"))
    assert "\n" not in str(refusal.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("length", range(len(TEXT)))
def test_cut_off_text_is_refused(length: int):
    with pytest.raises(ModelError, match=f"^line {length + 1}: "):
        imported(TEXT[:length], None)


@given(st.data())
def test_mutated_text_is_refused_or_was_no_mutation(data: st.DataObject):
    text = b"".join(TEXT)
    at = data.draw(st.integers(0, len(text) - 1))
    much = data.draw(st.integers(0, 3))
    mutated = (
        text[:at]
        + data.draw(st.binary(max_size=3) | st.sampled_from([b"0", b"1", b"-", b'"', b"9"]))
        + text[at + much :]
    )
    try:
        again = imported(mutated.splitlines(keepends=True), None)
    except ModelError as error:
        refusal = str(error)
        assert refusal.startswith("line ")
    else:
        assert b"".join(lines(again)).strip() == mutated.strip()


# Merging


@few
@given(CORPORA, st.integers(0, 10))
def test_merged_halves_equal_the_whole(corpus: oracle.Corpus, at: int):
    at = 1 + at % len(corpus)
    parts = [part for part in (corpus[:at], corpus[at:]) if part]
    for hyperparameters in HYPERPARAMETERS[:2]:
        whole = trained(corpus, hyperparameters=hyperparameters)
        there_and_back = [
            merge([trained(part, hyperparameters=hyperparameters) for part in order], None)
            for order in (parts, parts[::-1])
        ]
        assert [fingerprint(model) for model in there_and_back] == [fingerprint(whole)] * 2


@few
@given(CORPORA, CORPORA, st.permutations(range(3)))
def test_training_on_both_is_merging_is_training_on_one_and_learning_the_other(a, b, order):
    corpus = distinct([*a, *b])
    whole = fingerprint(trained(corpus))
    first, rest = corpus[: len(a)], corpus[len(a) :]
    learner = trained(first)
    for document in documents(rest):
        learn(learner, str(document.label), [document])
    assert fingerprint(learner) == whole
    assert fingerprint(learned_one_by_one(corpus[::-1])) == whole
    parts = [trained(corpus[n::3]) for n in order if corpus[n::3]]
    assert fingerprint(merge(parts, None)) == whole


@pytest.mark.parametrize("hyperparameters", HYPERPARAMETERS)
def test_merged_file_is_the_file_of_the_whole_byte_for_byte(hyperparameters: Hyperparameters, tmp_path: Path):
    texts = [(label, [a, b, "a", "c"]) for label in ("q", "p", "s") for a in "abcde" for b in label * 2 + "cdefg"]
    trained(texts, path=str(tmp_path / "whole"), hyperparameters=hyperparameters).close()
    parts = [trained(texts[n::3], hyperparameters=hyperparameters) for n in range(3)]
    merge(parts, str(tmp_path / "merged")).close()
    assert (tmp_path / "merged").read_bytes() == (tmp_path / "whole").read_bytes()


def test_merging_into_one_of_the_models_replaces_it(tmp_path: Path):
    path = str(tmp_path / "model")
    merged = merge([train_documents(SMALL, path), train_documents({"ham": ["more"], "zoo": ["lion"]})], path)
    assert merged.labels == ["ham", "spam", "zoo"]
    assert merged.documents == [3, 1, 1]


def test_a_model_merged_with_itself_has_all_counts_twice():
    model = train_documents(SMALL)
    assert merge([model, model], None).documents == [4, 2]


def test_models_that_tokenize_differently_are_not_merged():
    other = train_documents(SMALL, analysis=Analysis(tokenizer="split"))
    with pytest.raises(ModelError, match="tokenizer is 'split', but 'words'"):
        merge([train_documents(SMALL), other], None)


def test_tracking_is_lost_if_one_of_the_models_does_not_track():
    merged = merge([train_documents(SMALL), train_documents(SMALL, track=False)], None)
    assert not merged.tracks
    assert not list(merged.store.learned())


def test_an_export_is_of_one_moment(tmp_path: Path):
    path = str(tmp_path / "model")
    train_documents(SMALL, path).close()
    reader = Model.open(path)
    writer = Model.open(path, writable=True)
    learn(writer, "new", [Document([("", "zebra")])])
    writer.close()
    text = list(exported(reader))
    assert json.loads(text[2]) == {"class": "new", "documents": 1, "tokens": 1}
    imported([line.encode() for line in text], None)
