"""The settings of a model that users can change without training again; the defaults follow Table 6.2.

The settings that are fixed at training, how documents become tokens, are in `analysis`.
"""

from typing import Any, NamedTuple

from . import plugins
from .errors import ChoiceError

LARGEST_ALPHA = 1e9  # also the largest m
LEAST_M = 1e-300  # so that its share is above 0 even for many values
WEIGHTS = ("fitted", "none")
WEIGHTED_EVENT_MODEL = "complement-binary"  # the default with fitted weights


class Hyperparameters(NamedTuple):
    """How counts become scores.

    event_model  a module of `event_models`
    alpha        pseudo-count for every token and class, > 0; 1 is Laplace's rule
    prior        "learned" from the documents, "uniform", "smoothed=A" with A more documents in each class, or
                 "LABEL=P,...", where labels not named share the rest
    stopwords    tokens left out of the vocabulary
    drop_top     number of the most frequent tokens that are left out too, >= 0
    min_count    least occurrences of a token in the whole corpus, >= 1
    min_docs     least documents with a token in the whole corpus, >= 1
    weights      "none", or "fitted": tokens count by the weights of `inference.weighting`
    m            equivalent sample size of an m-estimate with uniform priors, used instead of alpha; or None
    """

    event_model: str = "multinomial"
    alpha: float = 1.0
    prior: str = "learned"
    stopwords: frozenset[str] = frozenset()
    drop_top: int = 0
    min_count: int = 1
    min_docs: int = 1
    weights: str = "none"
    m: float | None = None

    def checked(self) -> "Hyperparameters":
        """The hyperparameters themselves.

        Raises: ChoiceError if a number is outside its range.
        """
        if not 0 < self.alpha <= LARGEST_ALPHA:
            raise ChoiceError(
                f"alpha {self.alpha:g} is refused: without a pseudo-count above 0 a token that a class has not seen "
                f"would rule the class out, and above {LARGEST_ALPHA:g} only alpha counts; try 0.01"
            )
        if self.m is not None and not LEAST_M <= self.m <= LARGEST_ALPHA:
            raise ChoiceError(
                f"m {self.m:g} is refused: it is how many observations the priors count for, from {LEAST_M:g} to "
                f"{LARGEST_ALPHA:g}; try 1"
            )
        if self.m is not None and self.alpha != 1:
            raise ChoiceError("alpha and m are two ways to smooth: choose one")
        for name, least in ("drop_top", 0), ("min_count", 1), ("min_docs", 1):
            if type(getattr(self, name)) is not int or getattr(self, name) < least:
                raise ChoiceError(f"{name.replace('_', '-')} {getattr(self, name)} is refused: the least is {least}")
        if self.weights not in WEIGHTS:
            raise ChoiceError(f"no weights {self.weights!r}; there are: {', '.join(WEIGHTS)}")
        return self

    def changed(self, changes: dict[str, Any]) -> "Hyperparameters":
        """With some of them changed: setting alpha removes m, and setting m replaces alpha.

        >>> Hyperparameters(alpha=0.1).changed({"m": 2.0}).plain()["m"]
        2.0

        Raises: ChoiceError if both are given.
        """
        if "alpha" in changes and "m" in changes:
            raise ChoiceError("alpha and m are two ways to smooth: choose one")
        other = {"m": None} if "alpha" in changes else {"alpha": 1.0} if "m" in changes else {}
        return self._replace(**other, **changes).checked()

    def with_weights(self, weights: str | None) -> "Hyperparameters":
        """With fitted weights, without, or unchanged for None. Weights replace the default event model by the best one
        for them; another event model is kept.

        >>> Hyperparameters().with_weights("fitted").event_model
        'complement-binary'
        """
        if weights != "fitted" or self.event_model != Hyperparameters().event_model:
            return self._replace(weights=weights or self.weights)
        return self._replace(weights=weights, event_model=WEIGHTED_EVENT_MODEL)

    def pseudo_count(self, values: int) -> float:
        """The number added to the count of each value, if there are this many: alpha, or its share of m.

        >>> Hyperparameters().pseudo_count(4), Hyperparameters(m=2.0).pseudo_count(4)
        (1.0, 0.5)
        """
        return self.alpha if self.m is None else self.m / max(values, 1)

    @property
    def smoothing(self) -> str:
        """How counts are smoothed, in words.

        >>> Hyperparameters().smoothing, Hyperparameters(m=2.5).smoothing
        ('alpha 1', 'm 2.5')
        """
        return f"alpha {self.alpha:g}" if self.m is None else f"m {self.m:g}"

    @property
    def filters(self) -> tuple[frozenset[str], int, int, int]:
        """The settings that decide which tokens are in the vocabulary."""
        return self.stopwords, self.drop_top, self.min_count, self.min_docs

    @property
    def is_weighted(self) -> bool:
        """Whether tokens count by fitted weights."""
        return self.weights == "fitted"

    def plain(self) -> dict[str, Any]:
        """The hyperparameters by name, as files and reports hold them: stop words sorted, and either alpha or m."""
        values = {**self._asdict(), "stopwords": sorted(self.stopwords)}
        del values["m" if self.m is None else "alpha"]
        return values

    @classmethod
    def of(cls, plain: dict[str, Any]) -> "Hyperparameters":
        """The inverse of `plain`; other keys of the dictionary are ignored.

        Raises: KeyError for a name that is missing, ChoiceError for a number outside its range.
        """
        unused = "alpha" if "m" in plain else "m"
        values = {name: plain[name] for name in cls._fields if name != unused}
        return cls(**{**values, "stopwords": frozenset(values["stopwords"])}).checked()


def assigned(text: str) -> dict[str, plugins.Option]:
    """The settings in KEY=VALUE,KEY=VALUE: ngrams and those of `Hyperparameters`, with dashes for underscores.

    A comma that no key follows belongs to the value.

    >>> assigned("event-model=complement,alpha=0.1,prior=ham=0.5,spam=0.5")
    {'event_model': 'complement', 'alpha': 0.1, 'prior': 'ham=0.5,spam=0.5'}

    Raises: ChoiceError for anything else.
    """
    found: dict[str, str] = {}
    names = "ngrams", *Hyperparameters._fields
    last = ""
    for piece in text.split(","):
        key, equals, value = piece.partition("=")
        name = key.strip().replace("-", "_")
        if equals and name in names:
            found[name] = value
            last = name
        elif last:
            found[last] += f",{piece}"
        else:
            keys = ", ".join(field.replace("_", "-") for field in names)
            raise ChoiceError(f"{piece!r} should be written KEY=VALUE with one of {keys}")
    return plugins.converted(text, found, {"ngrams": 1, **Hyperparameters(m=0.0)._asdict(), "stopwords": ""})
