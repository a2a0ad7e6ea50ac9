"""Whether a model is sound: every single wrong number is found, and nothing right is complained of."""

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import Document, Hyperparameters, Model, ModelError, train_documents
from nbtext.counting.rows import text
from nbtext.model.merging import merge
from nbtext.model.verifying import verify
from nbtext.training.learning import learn, unlearn

TEXTS = {"ham": ["lunch at noon", "at ten"], "spam": ["win cash now", "win win"]}

READINGS = [
    Hyperparameters(),
    Hyperparameters(event_model="bernoulli"),
    Hyperparameters(stopwords=frozenset({"at"})),
    Hyperparameters(drop_top=1),
    Hyperparameters(min_count=2),
    Hyperparameters(min_docs=2, alpha=0.1, prior="uniform"),
]


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("track", [True, False])
def test_model_is_sound_after_all_that_can_happen_to_it(reading, track):
    model = train_documents(TEXTS, hyperparameters=reading, track=track)
    verify(model)
    learn(model, "ham", [Document([("", "lunch lunch tomorrow")])])
    learn(model, "new", [Document([("", "at last")])])
    verify(model)
    unlearn(model, "new", [Document([("", "at last")])])
    verify(model)
    verify(merge([model, train_documents(TEXTS)], None))


@given(st.dictionaries(st.sampled_from("xyz"), st.lists(st.text("abc ", min_size=1), min_size=1), min_size=2))
def test_every_trained_model_is_sound(texts):
    if sum(any(map(str.strip, found)) for found in texts.values()) > 1:
        verify(train_documents(texts))


def counted(model, token, row):
    model.store.token_table.change({token: text(row)})


# Each makes one number wrong, with a checksum that is right: what only `verify` can find
WRONG = {
    "a row with more occurrences": (
        lambda m: counted(m, "win", [1, 4, 2]),
        "spam has 5 tokens, but its rows",
    ),
    "a row lost": (lambda m: counted(m, "win", []), "spam has 5 tokens, but its rows add up to 2"),
    "more documents than occurrences": (
        lambda m: counted(m, "win", [1, 3, 4]),
        "the counts of 'win' are impossible",
    ),
    "more documents than the class has": (
        lambda m: counted(m, "win", [1, 3, 3]),
        "the counts of 'win' are impossible",
    ),
    "a class there is not": (
        lambda m: counted(m, "win", [2, 3, 2]),
        "the counts of 'win' are impossible",
    ),
    "a class twice": (
        lambda m: counted(m, "win", [1, 2, 1, 1, 1, 1]),
        "the counts of 'win' are impossible",
    ),
    "positions of a class": (lambda m: m.store.put("class", [(1, "spam", 2, 6, 5, 4)]), "spam has 6 tokens"),
    "vocabulary positions": (
        lambda m: m.store.put("class", [(1, "spam", 2, 5, 4, 4)]),
        "the vocabulary's totals of spam",
    ),
    "vocabulary presences": (
        lambda m: m.store.put("class", [(1, "spam", 2, 5, 5, 5)]),
        "the vocabulary's totals of spam",
    ),
    "documents of a class": (
        lambda m: m.store.put("class", [(1, "spam", 3, 5, 5, 4)]),
        "4 documents are remembered, but 5",
    ),
    "the size of the vocabulary": (
        lambda m: m.store.put("setting", [("vocabulary", 9)]),
        "claims a vocabulary of 9 tokens, and has 7",
    ),
    "a spread of tokens": (lambda m: m.store.put("spread", [(0, 1, 9)]), "the spread of tokens"),
    "a spread too many": (lambda m: m.store.put("spread", [(0, 7, 1)]), "the spread of tokens"),
    "a token dropped": (
        lambda m: [m.store.put("excluded", [("now", "dropped")]), m.store.put("setting", [("excluded", 1)])],
        "not the most frequent ones",
    ),
    "a document forgotten": (
        lambda m: m.store.change_learned({min(digest for digest, _, _ in m.store.learned()): {}}),
        "3 documents are remembered, but 4",
    ),
    "a sampled document lost": (lambda m: m.store.delete("sample", **{"class": 1}), "table sample has 2 rows instead"),
    "a document of no class": (lambda m: m.store.change_learned({1: {7: 1}}), "no class has the number 7"),
    "a document remembered minus once": (lambda m: m.store.change_learned({1: {0: -1}}), "remembered -1 times"),
    "a sampled document of no class": (lambda m: m.store.put("sample", [(1, 2, "1 win")]), "no class has the number 2"),
    "a sampled document never counted": (
        lambda m: m.store.put("sample", [(1, 0, "1 win")]),
        "of ham in the sample was never",
    ),
    "a sample that is no document": (lambda m: m.store.put("sample", [(1, 0, "win")]), "was never counted"),
    "a sample of negative counts": (
        lambda m: m.store.put("sample", [(1, 1, "-1 win")]),
        "was never counted",
    ),
    "a sample with a token twice": (
        lambda m: m.store.put("sample", [(1, 1, "1 win\n1 win")]),
        "was never counted",
    ),
    "two classes of one label": (
        lambda m: m.store.put("class", [(1, b"ham", 2, 5, 5, 4)]),
        "two classes have the same label",
    ),
    "negative counts of a class": (
        lambda m: m.store.put("class", [(1, "spam", 2, -5, 5, 4)]),
        "the counts of class 'spam' are impossible",
    ),
    "more documents than tokens": (
        lambda m: m.store.put("class", [(1, "spam", 9, 5, 5, 4)]),
        "the counts of class 'spam' are impossible",
    ),
    "tokens without documents": (
        lambda m: m.store.put("class", [(1, "spam", 0, 5, 5, 4)]),
        "the counts of class 'spam' are impossible",
    ),
    "a larger vocabulary than there are tokens": (
        lambda m: m.store.put("class", [(1, "spam", 2, 5, 6, 4)]),
        "the counts of class 'spam' are impossible",
    ),
    "classes of a row out of order": (
        lambda m: counted(m, "win", [1, 3, 2, 0, 1, 1]),
        "the counts of 'win' are impossible",
    ),
    "a token that drives the terminal": (
        lambda m: counted(m, "win\x1b[2J", [1, 3, 2]),
        "a token with a control character",
    ),
    "a token left out for no reason": (
        lambda m: m.store.put("excluded", [("now", "boring")]),
        "without a reason",
    ),
    "a temperature below zero": (lambda m: m.store.put("setting", [("t", -1.0)]), "calibrated to -1.0"),
    "a temperature that is text": (lambda m: m.store.put("setting", [("t", "hot")]), "calibrated to hot"),
    "calibrated on fewer than none": (lambda m: m.store.put("setting", [("calibrated_on", -1)]), "on -1 documents"),
}


@pytest.mark.parametrize(("spoil", "message"), WRONG.values(), ids=WRONG)
def test_wrong_number_is_found(spoil, message):
    model = train_documents(TEXTS)
    spoil(model)
    with pytest.raises(ModelError, match=message):
        verify(model)


UNKNOWN = {
    "tokenizer": ("tokenizer", "runes"),
    "option of a tokenizer": ("tokenizer", "chars:m=3"),
    "reader": ("reader", "scrolls"),
    "encoding": ("encoding", "morse"),
    "event model": ("event_model", "astrology"),
    "prior": ("prior", "gut"),
    "n-grams": ("ngrams", 0),
    "alpha": ("alpha", 0),
    "type of a setting": ("tokenizer", 7),
}


@pytest.mark.parametrize(("name", "value"), UNKNOWN.values(), ids=UNKNOWN)
def test_model_that_names_what_does_not_exist_cannot_be_opened(name, value, tmp_path):
    path = str(tmp_path / "m.nbtext")
    train_documents(TEXTS, path).close()
    model = Model.open(path, writable=True)
    model.store.put("setting", [(name, value)])
    model.close()
    with pytest.raises(ModelError, match=r"m\.nbtext: .*"):
        Model.open(path)


def test_flipped_byte_is_found(tmp_path):
    path = tmp_path / "m.nbtext"
    train_documents(TEXTS, str(path)).close()
    content = bytearray(path.read_bytes())
    content[content.index(b"noon")] ^= 1
    path.write_bytes(content)
    with pytest.raises(ModelError, match="damaged"):
        verify(Model.open(str(path)))


@pytest.mark.parametrize("row", [[], [1, 4, 2]])
def test_a_model_whose_rows_do_not_add_up_is_named_when_it_is_merged_and_nothing_is_replaced(row, tmp_path: Path):
    paths = [str(tmp_path / name) for name in ("wrong", "right", "result")]
    for path in paths:
        train_documents({"ham": ["lunch"], "spam": ["win cash win", "win"]}, path).close()
    before = Path(paths[2]).read_bytes()
    with closing(Model.open(paths[0], writable=True)) as wrong, wrong.store.transaction():
        counted(wrong, "win", row)
    models = [Model.open(path) for path in paths[:2]]
    with pytest.raises(ModelError, match=r"wrong: the model is damaged \(spam has 4 tokens, but its rows add up to"):
        merge(models, paths[2])
    assert Path(paths[2]).read_bytes() == before
    for model in models:
        model.close()
