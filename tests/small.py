"""Small random corpora and hyperparameters, each drawn together with what the oracle calls them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from nbtext import Document, Hyperparameters, Model, train_documents
from nbtext import event_models as folder
from nbtext.counting.counts import Counts
from nbtext.counting.documents import Documents
from nbtext.counting.ordering import Lines
from nbtext.model.arrays import Loaded
from nbtext.plugins import names
from nbtext.training.learning import learn

from . import oracle

EVENT_MODELS = names(folder)

EXAMPLES = settings().max_examples  # of the profile: many more when fuzzing
few = settings(max_examples=EXAMPLES // 5)  # for what trains models, or is asked of each event model

TOKENS = st.sampled_from("abcdefg")
TEXTS = st.lists(TOKENS, min_size=1, max_size=8)
LABELS = st.sampled_from(["p", "q", "r", "s"])
CORPORA = st.lists(st.tuples(LABELS, TEXTS), min_size=1, max_size=10)
QUESTIONS = st.lists(st.sampled_from("abcdefghi"), max_size=12)  # h and i are never learned


def matrix(corpus: oracle.Corpus, tokens: Sequence[str], labels: Sequence[str]) -> Documents:
    """The documents as arrays, tokens and classes numbered by their places here; tokens without a place are unknown."""
    numbers = {token: number for number, token in enumerate(tokens)}
    bags = [Counter(found) for _, found in corpus]
    return Documents(
        np.cumsum([0, *map(len, bags)]),
        np.array([numbers.get(token, -1) for bag in bags for token in bag], np.int32),
        np.array([n for bag in bags for n in bag.values()], np.int32),
        np.array([labels.index(label) for label, _ in corpus], np.int32),
        np.arange(len(corpus)),
    )


def lines_of(texts: Iterable[str]) -> Lines:
    """These texts."""
    return Lines("".join(f"{text}\n" for text in texts).encode())


def counted(corpus: oracle.Corpus, labels: Sequence[str]) -> Loaded:
    """The counts of a corpus, tokens sorted, classes numbered by the places of their labels."""
    tokens = sorted({token for _, found in corpus for token in found})
    return Loaded(lines_of(tokens), Counts.of(matrix(corpus, tokens, labels), len(tokens), len(labels)))


Priors = Literal["learned", "uniform"] | Mapping[str, Fraction]
PRIORS: list[tuple[str, Priors]] = [("learned", "learned"), ("uniform", "uniform")]


class Case(NamedTuple):
    """A corpus with hyperparameters in nbtext's words and in the oracle's."""

    corpus: oracle.Corpus
    hyperparameters: Hyperparameters
    settings: oracle.Settings


@st.composite
def cases(draw: st.DrawFn, event_model: str) -> Case:
    corpus = draw(CORPORA)
    alpha = draw(st.sampled_from([1.0, 0.5, 0.25, 2.0, 1 / 1024]))  # exact fractions, so that ties stay ties
    m = draw(st.sampled_from([None, None, 1.0, 2.5, 12.0]))
    alpha = alpha if m is None else 1.0
    stopwords = draw(st.frozensets(st.sampled_from("ab"), max_size=2))
    drop_top, min_count, min_docs = draw(st.tuples(st.integers(0, 2), st.integers(1, 3), st.integers(1, 3)))
    labels = sorted({label for label, _ in corpus})
    given = shares(labels)
    stated = f"{labels[0]}={float(given[labels[0]])}"  # the others share the rest
    spec, priors = draw(st.sampled_from(PRIORS) | st.just((stated, given)))
    return Case(
        corpus,
        Hyperparameters(event_model, alpha, spec, stopwords, drop_top, min_count, min_docs, m=m),
        oracle.Settings(
            Fraction(alpha), stopwords, drop_top, min_count, min_docs, priors, m if m is None else Fraction(m)
        ),
    )


def shares(labels: Sequence[str]) -> dict[str, Fraction]:
    """A quarter for the first label, the same for each of the others."""
    first = Fraction(1, 4) if len(labels) > 1 else Fraction(1)
    return {label: (1 - first) / (len(labels) - 1) if place else first for place, label in enumerate(labels)}


def documents(corpus: oracle.Corpus) -> list[Document]:
    return [Document([("", " ".join(tokens))], label) for label, tokens in corpus]


def trained(corpus: oracle.Corpus, **options) -> Model:
    return train_documents(documents(corpus), allow_single_class=True, **options)


def learned_one_by_one(corpus: oracle.Corpus, **options) -> Model:
    """A model that has met its classes in the order of the corpus, so that their numbers do not follow their names."""
    model = trained(corpus[:1], **options)
    for document in documents(corpus[1:]):
        assert document.label is not None
        learn(model, document.label, [document])
    return model
