"""Learning and unlearning: the model that training on what is left would have given, whatever came and went before."""

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from nbtext import Analysis, Classifier, Document, Hyperparameters, Model, ModelError, train_documents
from nbtext.model.exchange import fingerprint
from nbtext.model.verifying import verify
from nbtext.training.changes import MOST_REPEATS
from nbtext.training.learning import EMPTY, LEARNED, REPEATED, RIGHT, UNLEARNED, learn, unlearn

from ..small import EVENT_MODELS, LABELS, TEXTS, few

HYPERPARAMETERS = [
    Hyperparameters(),
    Hyperparameters("bernoulli", 0.5, "uniform"),
    Hyperparameters(stopwords=frozenset("ab")),
    Hyperparameters("complement", drop_top=2),
    Hyperparameters(min_count=2),
    Hyperparameters("binary", min_docs=2),
    Hyperparameters("bernoulli", 1.0, "learned", frozenset("a"), 1, 2, 2),
]
COLOURS = {"a": ["red", "red sky"], "b": ["blue blue", "sea"]}


def document(text: str) -> Document:
    return Document([("", text)], name=text)


def learned(model: Model, label: str, *texts: str, was: str | None = None) -> list[str]:
    return [outcome.what for outcome in learn(model, label, map(document, texts), was)]


def unlearned(model: Model, label: str, *texts: str) -> list[str]:
    return [outcome.what for outcome in unlearn(model, label, map(document, texts))]


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "model")


@pytest.fixture
def model(path: str):
    train_documents(COLOURS, path).close()
    model = Model.open(path, writable=True)
    yield model
    model.close()


# One document


def test_learning_adds_a_document_and_its_tokens(model: Model):
    assert learned(model, "a", "red sun") == [LEARNED]
    assert (model.documents, model.size) == ([3, 2], 5)
    assert model.store.rows(["red", "sun"]) == {"red": [0, 3, 3], "sun": [0, 1, 1]}


def test_a_new_class_can_be_learned_and_answers(model: Model):
    assert learned(model, "A", "green") == [LEARNED]
    assert (model.labels, model.documents) == (["a", "b", "A"], [2, 2, 1])
    assert Classifier(model)("green").label == "A"


def test_a_repeat_is_reported_and_changes_no_byte(model: Model, path: str):
    learned(model, "a", "red sun")
    before = Path(path).read_bytes()
    assert learned(model, "a", "red sun", "red", "red sky") == [REPEATED] * 3
    assert Path(path).read_bytes() == before


def together(model: Model, label: str, *texts: str, was: str | None = None) -> list[str]:
    """What became of documents with names of their own."""
    documents = [document(text)._replace(name=f"t.csv:{row}") for row, text in enumerate(texts)]
    return [outcome.what for outcome in learn(model, label, documents, was)]


def test_equal_documents_learned_together_count_as_in_training(model: Model):
    before = fingerprint(model)
    texts = "sun", "moon", "sun", "sun"
    assert together(model, "a", *texts) == [LEARNED] * 4
    assert fingerprint(model) == fingerprint(train_documents({**COLOURS, "a": [*COLOURS["a"], *texts]}))
    assert together(model, "a", *texts) == [REPEATED] * 4
    assert together(model, "a", *texts, "sun") == [*[REPEATED] * 4, LEARNED]
    unlearned(model, "a", "sun", *texts)
    assert fingerprint(model) == before


def test_a_document_that_is_named_twice_counts_once(model: Model):
    assert learned(model, "a", "red sun", "red sun") == [LEARNED, REPEATED]
    assert model.documents == [3, 2]


def test_equal_documents_are_moved_together(model: Model):
    together(model, "a", "sun", "sun")
    assert together(model, "b", "sun", "sun", was="a") == [LEARNED] * 2
    assert fingerprint(model) == fingerprint(train_documents({**COLOURS, "b": [*COLOURS["b"], "sun", "sun"]}))
    assert together(model, "b", "sun", "sun", was="a") == [REPEATED] * 2


# --until-right

STUBBORN = " ".join(["blue sea"] * 6 + ["gull tern auk skua rail crake coot teal"])


@pytest.fixture
def sure(path: str):
    """A model that is sure of b where it hears of the sea."""
    many = {"a": ["red", "red sky"], "b": [f"blue sea {n}" for n in range(60)]}
    train_documents(many, path).close()
    model = Model.open(path, writable=True)
    yield model
    model.close()


def test_a_correction_takes(sure: Model):
    classify = Classifier(sure)
    learned(sure, "a", STUBBORN)
    assert classify(STUBBORN).label == "b"
    assert [each.what for each in learn(sure, "a", [document(STUBBORN)], until_right=True)] == [REPEATED]
    decision = classify(STUBBORN)
    assert decision.label == "a"
    assert decision.posterior >= RIGHT
    assert 1 < sure.documents[0] - 2 <= 1 + MOST_REPEATS
    verify(sure)


def test_what_is_right_is_learned_once(sure: Model):
    learn(sure, "b", [document("blue blue blue sea")], until_right=True)
    assert sure.documents == [2, 61]


def test_repeats_end(sure: Model):
    contradiction = "blue sea 1"
    with pytest.raises(ModelError, match="already learned as b"):
        learn(sure, "a", [document(contradiction)], until_right=True)
    crowd = " ".join(f"blue sea {n}" for n in range(60)) * 5
    learn(sure, "a", [document(crowd)], until_right=True)
    assert sure.documents[0] <= 2 + 1 + MOST_REPEATS


def test_unlearning_takes_out_all_repeats(sure: Model):
    before = fingerprint(sure)
    for times in range(3):
        learn(sure, "a", [document(STUBBORN), document("sea sea")], until_right=True)
        assert sure.documents[0] > 4
        unlearned(sure, "a", *["sea sea", STUBBORN][:: (-1) ** times])
        assert fingerprint(sure) == before


def test_moving_takes_out_all_repeats(sure: Model):
    learn(sure, "a", [document(STUBBORN)], until_right=True)
    assert learned(sure, "b", STUBBORN, was="a") == [LEARNED]
    assert sure.documents == [2, 61]


def test_one_of_two_equal_documents_of_a_corpus_can_be_unlearned(path: str):
    train_documents({"a": ["red", "red"], "b": ["blue"]}, path).close()
    with closing(Model.open(path, writable=True)) as model:
        unlearned(model, "a", "red")
        assert model.documents == [1, 1]


def test_a_model_that_does_not_remember_its_documents_learns_none_until_right(path: str):
    train_documents(COLOURS, path, track=False).close()
    before = Path(path).read_bytes()
    with closing(Model.open(path, writable=True)) as model, pytest.raises(ModelError, match="does not remember"):
        learn(model, "a", [document("blue")], until_right=True)
    assert Path(path).read_bytes() == before


def test_an_empty_document_is_not_repeated(sure: Model):
    assert [each.what for each in learn(sure, "a", [document("")], until_right=True)] == [EMPTY]


# Repeats


def test_an_empty_document_is_not_counted(model: Model, path: str):
    before = Path(path).read_bytes()
    assert learned(model, "new", " ", "\n") == [EMPTY, EMPTY]
    assert unlearned(model, "a", "") == [EMPTY]
    assert Path(path).read_bytes() == before


def test_unlearning_is_the_inverse_of_learning(model: Model):
    before = fingerprint(model)
    learned(model, "a", "red sun", "moon")
    learned(model, "new", "stars")
    unlearned(model, "a", "moon")
    assert unlearned(model, "a", "red sun") == [UNLEARNED]
    assert unlearned(model, "new", "stars") == [UNLEARNED]
    assert fingerprint(model) == before


@pytest.mark.parametrize("hyperparameters", [Hyperparameters(), Hyperparameters(drop_top=1)])
@pytest.mark.parametrize("others", [[], ["newer"]])
def test_a_label_learned_by_mistake_and_taken_back_leaves_no_trace(others: list[str], hyperparameters: Hyperparameters):
    model = train_documents(
        {"a": ["red sky", "red sea"], "b": ["blue blue sky", "sea sand"]}, None, Analysis(), hyperparameters
    )
    before = model.labels, model.state, fingerprint(model)
    for label in ["mistyped", *others]:
        learned(model, label, f"stars {label}")
    for label in ["mistyped", *others]:
        unlearned(model, label, f"stars {label}")
    assert (model.labels, model.state, fingerprint(model)) == before
    verify(model)


@pytest.mark.parametrize("prior", ["b=0.5", "a=0.6", "a=0.5,b=0.25"])
def test_an_emptied_class_stays_where_there_is_no_prior_without_it(prior: str, path: str):
    train_documents(COLOURS | {"c": ["green"]}, path, Analysis(), Hyperparameters(prior=prior)).close()
    with closing(Model.open(path, writable=True)) as model:
        unlearned(model, "c", "green")
        unlearned(model, "b", *COLOURS["b"])
    with closing(Model.open(path, writable=True)) as model:
        verify(model)
        assert Classifier(model)("red").posteriors == {"a": 1.0}
        assert learned(model, "b", "sea") == [LEARNED]


@pytest.mark.parametrize("rest", [[], ["blue sky"]])
def test_what_is_unlearned_by_another_text_of_the_same_tokens_leaves_the_sample(rest: list[str]):
    model = train_documents({"a": ["red"], "b": ["sea sand", *rest], "c": ["green"]}, track=False)
    unlearned(model, "b", "Sand, sea!")
    verify(model)
    unlearned(model, "c", "GREEN")
    learned(model, "d", "grey")
    verify(model)


def test_the_name_of_an_emptied_class_stays_while_later_ones_have_documents(model: Model):
    unlearned(model, "a", "red", "red sky")
    assert (model.labels, model.documents) == (["a", "b"], [0, 2])
    verify(model)


def test_a_class_without_documents_is_no_answer_until_it_learns_again(model: Model):
    unlearned(model, "b", "blue blue", "sea")
    for event_model in EVENT_MODELS:
        assert Classifier(model, Hyperparameters(event_model))("blue sea").posteriors == {"a": 1.0}
    assert learned(model, "b", "sea") == [LEARNED]
    assert (model.labels, Classifier(model)("sea").label) == (["a", "b"], "b")


def test_moving_is_unlearning_and_learning_in_one(model: Model):
    assert learned(model, "b", "red sky", was="a") == [LEARNED]
    assert fingerprint(model) == fingerprint(train_documents({"a": ["red"], "b": ["blue blue", "sea", "red sky"]}))


def test_moving_again_is_a_repeat(model: Model, path: str):
    learned(model, "b", "red sky", was="a")
    before = Path(path).read_bytes()
    assert learned(model, "b", "red sky", was="a") == [REPEATED]
    assert learned(model, "b", "red sky", was="b") == [REPEATED]
    assert Path(path).read_bytes() == before


def test_moving_what_both_classes_have_learned_takes_it_out_of_one(path: str):
    model = train_documents({"a": ["red", "both"], "b": ["blue", "both"]})
    assert learned(model, "b", "both", was="a") == [LEARNED]
    assert fingerprint(model) == fingerprint(train_documents({"a": ["red"], "b": ["blue", "both"]}))


# What is refused, whole

REFUSED = {
    "unlearned but never learned": (lambda m: unlearned(m, "a", "red", "moon"), "moon: never learned as a"),
    "unlearned from another class": (lambda m: unlearned(m, "b", "red"), "red: never learned as b"),
    "unlearned from a class there is not": (
        lambda m: unlearned(m, "c", "red"),
        "red: never learned as c, which is not a class; there are: a, b; nothing",
    ),
    "unlearned too often": (lambda m: unlearned(m, "a", "red", "red"), "red: never learned as a"),
    "learned as another class": (lambda m: learned(m, "a", "sun", "sea"), "sea: already learned as b; .* --was b"),
    "the same, and a new class": (lambda m: learned(m, "new", "sun", "sea"), "sea: already learned as b"),
    "moved from where it was not": (lambda m: learned(m, "a", "sun", "sea", was="c"), "sun: never learned as c"),
}


@pytest.mark.parametrize(("change", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_would_be_wrong_is_refused_whole(change, reason: str, model: Model, path: str):
    before = Path(path).read_bytes(), fingerprint(model)
    with pytest.raises(ModelError, match=reason) as refusal:
        change(model)
    assert "\n" not in str(refusal.value)
    assert (Path(path).read_bytes(), fingerprint(model)) == before


@pytest.mark.parametrize("hyperparameters", HYPERPARAMETERS)
def test_unlearning_what_the_filters_need_is_refused(hyperparameters: Hyperparameters):
    texts = ["a b c d e", "a b c d f"]
    model = train_documents({"p": texts}, hyperparameters=hyperparameters, allow_single_class=True)
    before = fingerprint(model)
    with pytest.raises(ModelError, match=r"vocabulary.*nothing is changed"):
        unlearned(model, "p", *texts)
    assert fingerprint(model) == before


def test_a_prior_that_names_all_classes_has_no_room_for_another():
    model = train_documents(COLOURS, hyperparameters=Hyperparameters(prior="a=0.5,b=0.5"))
    with pytest.raises(ModelError, match=r"prior 'a=0.5,b=0.5'.*train it with another prior"):
        learned(model, "c", "green")
    assert model.labels == ["a", "b"]


# Without remembering documents


def test_an_untracked_model_takes_every_document_for_new():
    model = train_documents(COLOURS, track=False)
    assert learned(model, "a", "red", "red") == learned(model, "a", "red", "red") == [LEARNED] * 2
    assert model.documents == [6, 2]
    assert unlearned(model, "a", *["red"] * 4) == [UNLEARNED] * 4
    assert fingerprint(model) == fingerprint(train_documents(COLOURS, track=False))


@pytest.mark.parametrize("texts", [["moon"], ["red red red"], ["sky"], ["sea"], ["red", "red"], ["red", "sky"]])
def test_what_an_untracked_class_cannot_have_learned_is_refused(texts: Sequence[str]):
    model = train_documents(COLOURS, track=False)
    before = fingerprint(model)
    with pytest.raises(ModelError, match="nothing is changed"):
        unlearned(model, "a", *texts)
    assert fingerprint(model) == before


# Any sequence


def assert_sound(model: Model) -> None:
    """What is stored is what a pass over all tokens finds."""
    found, stored = model.estimator().totals, model.totals(spread=True)
    assert vars(stored) == vars(found)
    positions = [0] * len(model.labels)
    for _, row in model.store.tokens():
        for index, occurrences in zip(row[::3], row[1::3], strict=True):
            positions[index] += occurrences
    assert [entry.positions for entry in model.classes] == positions


class Changes(RuleBasedStateMachine):
    """A model and the list of what it has learned: whatever is done, training on the list gives the same model."""

    texts: Bundle[str] = Bundle("texts")

    @initialize(hyperparameters=st.sampled_from(HYPERPARAMETERS))
    def train(self, hyperparameters: Hyperparameters):
        start = {
            ("a b c d e f g", "p"),
            ("a b c d e f", "q"),
            ("a b c d", "q"),
        }  # whatever the hyperparameters, a vocabulary stays
        self.hyperparameters = hyperparameters
        self.kept = Counter(start)
        self.model = self.trained(self.kept)

    def trained(self, kept: Counter[tuple[str, str]]) -> Model:
        found = [Document([("", text)], label) for text, label in kept.elements()]
        return train_documents(found, hyperparameters=self.hyperparameters, allow_single_class=True)

    @rule(target=texts, tokens=TEXTS)
    def write(self, tokens: list[str]) -> str:
        return " ".join(tokens)

    @rule(text=texts, label=LABELS)
    def learn(self, text: str, label: str):
        holders = {holder for (other, holder) in self.kept if other == text}
        if holders - {label} and label not in holders:
            with pytest.raises(ModelError, match="already learned"):
                learned(self.model, label, text)
        else:
            assert learned(self.model, label, text) == [REPEATED if holders else LEARNED]
            self.kept[text, label] = 1

    @rule(text=texts, label=LABELS, was=LABELS)
    def move(self, text: str, label: str, was: str):
        if (text, was) in self.kept:
            assert learned(self.model, label, text, was=was) == [REPEATED if label == was else LEARNED]
            del self.kept[text, was]
            self.kept[text, label] = 1
        elif (text, label) in self.kept:
            assert learned(self.model, label, text, was=was) == [REPEATED]

    @rule(text=texts, label=LABELS)
    def unlearn(self, text: str, label: str):
        if (text, label) in self.kept:
            assert unlearned(self.model, label, text) == [UNLEARNED]
            del self.kept[text, label]
        else:
            with pytest.raises(ModelError, match="never learned"):
                unlearned(self.model, label, text)

    @invariant()
    def totals_are_those_of_a_recount(self):
        if hasattr(self, "model"):
            assert_sound(self.model)

    def teardown(self):
        if hasattr(self, "model"):
            assert fingerprint(self.model) == fingerprint(self.trained(self.kept))
            again = self.trained(self.kept)
            for event_model in EVENT_MODELS:
                hyperparameters = self.hyperparameters._replace(event_model=event_model)
                one, other = (
                    Classifier(model, hyperparameters, raw=True)("a b c d e") for model in (self.model, again)
                )
                assert (one.label, one.scores) == (other.label, other.scores)


TestChanges = Changes.TestCase
TestChanges.settings = settings(few, stateful_step_count=12)
