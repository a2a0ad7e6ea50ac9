"""What nbtext must compute, in exact fractions: from the books, and without a line of nbtext.

Plain on purpose: no logarithms, nothing remembered between calls, filters and all rebuilt each time. Large corpora
are for nbtext; this is for small ones, where every digit counts.

Notation
    corpus     labelled documents                         [("spam", ["win", "win"]), ("ham", ["noon"])]
    v          a class, by its label (Mitchell's v_j)     "spam"
    w          a token of the vocabulary (his w_k)        "win"
    documents  token lists, no longer labelled            [["win", "win"], ["noon"]]
    counts     of each token: occurrences, or documents   Counter({"win": 2, "noon": 1})
    theta      P(w|v) for one v and every w               {"win": Fraction(3, 4), "noon": Fraction(1, 4)}
    joints     P(v) P(document|v) for every v             {"ham": Fraction(1, 6), "spam": Fraction(3, 8)}

Sources
    multinomial  Mitchell, Machine Learning (1997), Table 6.2
    bernoulli    McCallum and Nigam, A Comparison of Event Models for Naive Bayes Text Classification (1998)
    attributes   Mitchell, section 6.9; John and Langley, Estimating Continuous Distributions in Bayesian
                 Classifiers (1995)
    complement   Rennie, Shih, Teevan and Karger, Tackling the Poor Assumptions of Naive Bayes Text Classifiers (2003)
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from math import comb, prod
from typing import Literal, NamedTuple

Label = str
Token = str
Corpus = Sequence[tuple[Label, Sequence[Token]]]
Documents = Sequence[Sequence[Token]]
Theta = Mapping[Token, Fraction]
Joints = dict[Label, Fraction]


class Settings(NamedTuple):
    """How to read the counts; the defaults are Table 6.2 to the letter.

    alpha      pseudo-count, > 0
    m          equivalent sample size of an m-estimate, > 0, in place of alpha; or None
    stopwords  tokens that never enter the vocabulary
    drop_top   how many of the most frequent tokens leave it next, >= 0
    min_count  occurrences in the whole corpus that a token needs to stay, >= 1
    min_docs   documents of the whole corpus that a token needs to stay, >= 1
    priors     "learned" from the documents, "uniform", or given for every class and used as they are
    """

    alpha: Fraction = Fraction(1)
    stopwords: Collection[Token] = frozenset()
    drop_top: int = 0
    min_count: int = 1
    min_docs: int = 1
    priors: Literal["learned", "uniform"] | Mapping[Label, Fraction] = "learned"
    m: Fraction | None = None

    def estimate(self, seen: int, n: int, values: int) -> Fraction:
        """P(value) where a value was seen so often among n observations of so many different values.

        (seen + m p) / (n + m) with p the same for each value (Mitchell, 6.9.1.1); by alpha, each has alpha more.
        """
        if self.m is None:
            return Fraction(seen + self.alpha, n + self.alpha * values)
        return (seen + self.m * Fraction(1, values)) / (n + self.m)


EventModel = Callable[[Corpus, Sequence[Token], Settings], Joints]


# Documents and their counts


def counted(corpus: Corpus) -> Corpus:
    """The documents that count: those with a token, before any filter."""
    return [(label, tokens) for label, tokens in corpus if tokens]


def inside(corpus: Corpus, v: Label) -> Documents:
    """The counted documents of a class, Mitchell's docs_j."""
    return [tokens for label, tokens in counted(corpus) if label == v]


def outside(corpus: Corpus, v: Label) -> Documents:
    """The counted documents of all other classes."""
    return [tokens for label, tokens in counted(corpus) if label != v]


def occurrences(documents: Iterable[Collection[Token]]) -> Counter[Token]:
    """How often each token occurs in the documents."""
    return Counter(chain.from_iterable(documents))


def containing(documents: Iterable[Collection[Token]]) -> Counter[Token]:
    """How many of the documents each token occurs in."""
    return occurrences(map(set, documents))


# Training


def vocabulary(corpus: Corpus, settings: Settings) -> set[Token]:
    """The tokens in use: stopwords go first, then the most frequent, then the rare.

    Of equally frequent tokens the first in sorted order is dropped first.
    """
    documents = [tokens for _, tokens in corpus]
    total, spread = occurrences(documents), containing(documents)
    by_frequency = sorted(total.keys() - set(settings.stopwords), key=lambda w: (-total[w], w))
    remaining = by_frequency[settings.drop_top :]
    return {w for w in remaining if total[w] >= settings.min_count and spread[w] >= settings.min_docs}


def prior(corpus: Corpus, settings: Settings) -> dict[Label, Fraction]:
    """P(v) for every class with a counted document, labels in sorted order."""
    sizes = Counter(label for label, _ in counted(corpus))
    if settings.priors == "learned":
        return {v: Fraction(sizes[v], sizes.total()) for v in sorted(sizes)}
    if settings.priors == "uniform":
        return {v: Fraction(1, len(sizes)) for v in sorted(sizes)}
    return {v: settings.priors[v] for v in sorted(sizes)}


def smoothed(counts: Mapping[Token, int], words: Collection[Token], settings: Settings) -> Theta:
    """(n_k + alpha) / (n + alpha |Vocabulary|) for every word, n being the sum of n_k over the vocabulary."""
    n = sum(counts[w] for w in words)
    return {w: settings.estimate(counts[w], n, len(words)) for w in words}


def thetas(
    corpus: Corpus,
    settings: Settings,
    counts: Callable[[Documents], Counter[Token]],
    side: Callable[[Corpus, Label], Documents],
) -> dict[Label, Theta]:
    """A theta for every class, from the counts of the documents on one side of it."""
    words = vocabulary(corpus, settings)
    return {v: smoothed(counts(side(corpus, v)), words, settings) for v in prior(corpus, settings)}


def probability(corpus: Corpus, token: Token, label: Label, settings: Settings) -> Fraction:
    """P(w|v) of Table 6.2. A token that is not in the vocabulary has none: KeyError."""
    return thetas(corpus, settings, occurrences, inside)[label][token]


# The event models


def likelihood(document_tokens: Iterable[Token], theta: Theta) -> Fraction:
    """The product of theta over the tokens it knows; unknown tokens are skipped."""
    return prod((theta[a] for a in document_tokens if a in theta), start=Fraction(1))


def multinomial(corpus: Corpus, document_tokens: Sequence[Token], settings: Settings) -> Joints:
    """P(v) times P(a_i|v) for every position i of the document."""
    p, by_class = prior(corpus, settings), thetas(corpus, settings, occurrences, inside)
    return {v: p[v] * likelihood(document_tokens, theta) for v, theta in by_class.items()}


def binary(corpus: Corpus, document_tokens: Sequence[Token], settings: Settings) -> Joints:
    """Multinomial as if no document, old or new, said anything twice."""
    p, by_class = prior(corpus, settings), thetas(corpus, settings, containing, inside)
    return {v: p[v] * likelihood(set(document_tokens), theta) for v, theta in by_class.items()}


def presence(documents: Documents, words: Collection[Token], settings: Settings) -> Theta:
    """The probability of every word to be in a document at all: (containing + alpha) / (documents + 2 alpha)."""
    spread = containing(documents)
    return {w: settings.estimate(spread[w], len(documents), 2) for w in words}


def bernoulli(corpus: Corpus, document_tokens: Sequence[Token], settings: Settings) -> Joints:
    """P(v) times the presence or the absence of every word of the vocabulary."""
    p, words = prior(corpus, settings), vocabulary(corpus, settings)
    by_class = {v: presence(inside(corpus, v), words, settings) for v in p}
    return {v: p[v] * prod(q if w in document_tokens else 1 - q for w, q in by_class[v].items()) for v in p}


def complement(corpus: Corpus, document_tokens: Sequence[Token], settings: Settings) -> Joints:
    """P(v) divided by the likelihood of the document in all other classes: a score, not a probability."""
    p, by_class = prior(corpus, settings), thetas(corpus, settings, occurrences, outside)
    return {v: p[v] / likelihood(document_tokens, theta) for v, theta in by_class.items()}


def complement_binary(corpus: Corpus, document_tokens: Sequence[Token], settings: Settings) -> Joints:
    """Complement as if no document, old or new, said anything twice."""
    p, by_class = prior(corpus, settings), thetas(corpus, settings, containing, outside)
    return {v: p[v] / likelihood(set(document_tokens), theta) for v, theta in by_class.items()}


EVENT_MODELS: dict[str, EventModel] = {
    "multinomial": multinomial,
    "binary": binary,
    "bernoulli": bernoulli,
    "complement": complement,
    "complement-binary": complement_binary,
}


# Answers


def posterior(joints: Mapping[Label, Fraction]) -> dict[Label, Fraction]:
    """P(v|document): the joints as shares of their sum."""
    evidence = sum(joints.values())
    return {v: joint / evidence for v, joint in joints.items()}


def best(joints: Mapping[Label, Fraction]) -> Label:
    """v_NB, the class of the largest joint; of equals the first in sorted order."""
    return max(sorted(joints), key=lambda v: joints[v])


def leave_one_out(event_model: EventModel, corpus: Corpus, index: int, settings: Settings) -> Joints:
    """The joints of a document of the corpus, trained on all the others; its class may be gone with it."""
    rest = [*corpus[:index], *corpus[index + 1 :]]
    return event_model(rest, corpus[index][1], settings)


# Attributes

FLOOR = Fraction(1, 10**9)  # of the variance of all values together, added to that of each class


def category(values: Sequence[tuple[Label, str]], value: str, settings: Settings) -> dict[Label, Fraction]:
    """P(value|v) = (n_value + alpha) / (n + alpha |values|) from the values of all documents that have one.

    A value that never occurred says nothing: no class has a probability.
    """
    different = {each for _, each in values}
    if value not in different:
        return {}
    by_class = {v: [each for label, each in values if label == v] for v, _ in values}
    return {v: settings.estimate(own.count(value), len(own), len(different)) for v, own in sorted(by_class.items())}


class Normal(NamedTuple):
    """The normal distribution of a number in a class."""

    mean: Fraction
    variance: Fraction

    def exponent(self, value: Fraction) -> Fraction:
        """The density of a value is exp(exponent) / sqrt(2 pi variance)."""
        return -((value - self.mean) ** 2) / (2 * self.variance)


def moments(values: Sequence[Fraction]) -> Normal:
    """The mean of the values and their mean squared distance from it."""
    mean = sum(values, Fraction(0)) / len(values)
    return Normal(mean, sum(((value - mean) ** 2 for value in values), Fraction(0)) / len(values))


def number(values: Sequence[tuple[Label, Fraction]]) -> dict[Label, Normal]:
    """The distribution of each class that has a value."""
    floor = FLOOR * moments([value for _, value in values]).variance
    by_class = {v: moments([value for label, value in values if label == v]) for v in sorted({v for v, _ in values})}
    return {v: Normal(mean, variance + floor) for v, (mean, variance) in by_class.items()}


def mcnemar(won: int, lost: int) -> Fraction:
    """The exact two-sided p of so uneven a result, were each of the contests a fair coin."""
    n = won + lost
    tail = sum(comb(n, k) for k in range(min(won, lost) + 1))
    return min(Fraction(1), Fraction(2 * tail, 2**n))
