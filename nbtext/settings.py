"""What users choose of a model when it is at work, and can change without training again; the defaults are Table 6.2.

How documents become tokens, which is fixed when a model is trained, is `analysis`.
"""

from typing import Any, NamedTuple

from . import plugins
from .errors import ChoiceError

LARGEST_ALPHA = 1e9
WEIGHTS = ("fitted", "none")


class Hyperparameters(NamedTuple):
    """How counts become scores.

    event_model  a module of `event_models`
    alpha        pseudo-count for every token and class, > 0; 1 is Laplace's rule
    prior        "learned" from the documents, "uniform", "smoothed=A" with A more documents a class, or "LABEL=P,...",
                 labels not named sharing the rest
    stopwords    tokens that are not vocabulary
    drop_top     how many of the most frequent tokens are not vocabulary either, >= 0
    min_count    least occurrences in the whole corpus, >= 1
    min_docs     least documents in the whole corpus, >= 1
    weights      "none", or "fitted": tokens count by the weights of `inference.weighting`
    """

    event_model: str = "multinomial"
    alpha: float = 1.0
    prior: str = "learned"
    stopwords: frozenset[str] = frozenset()
    drop_top: int = 0
    min_count: int = 1
    min_docs: int = 1
    weights: str = "none"

    def checked(self) -> "Hyperparameters":
        """The hyperparameters themselves.

        Raises: ChoiceError if a number is outside its range.
        """
        if not 0 < self.alpha <= LARGEST_ALPHA:
            raise ChoiceError(
                f"alpha {self.alpha:g} is refused: without a pseudo-count above 0 a token that a class has not seen "
                f"would veto the class, and above {LARGEST_ALPHA:g} nothing else counts; try 0.01"
            )
        for name, least in ("drop_top", 0), ("min_count", 1), ("min_docs", 1):
            if type(getattr(self, name)) is not int or getattr(self, name) < least:
                raise ChoiceError(f"{name.replace('_', '-')} {getattr(self, name)} is refused: the least is {least}")
        if self.weights not in WEIGHTS:
            raise ChoiceError(f"no weights {self.weights!r}; there are: {', '.join(WEIGHTS)}")
        return self

    @property
    def filters(self) -> tuple[frozenset[str], int, int, int]:
        """What decides which tokens are vocabulary."""
        return self.stopwords, self.drop_top, self.min_count, self.min_docs

    @property
    def is_weighted(self) -> bool:
        """Whether tokens count by fitted weights."""
        return self.weights == "fitted"

    def plain(self) -> dict[str, Any]:
        """The hyperparameters by name, stop words as a sorted list, as files and reports hold them."""
        return {**self._asdict(), "stopwords": sorted(self.stopwords)}

    @classmethod
    def of(cls, plain: dict[str, Any]) -> "Hyperparameters":
        """The inverse of `plain`; what else the dictionary holds is not looked at.

        Raises: KeyError for a name that is missing, ChoiceError for a number outside its range.
        """
        values = {name: plain[name] for name in cls._fields}
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
    return plugins.converted(text, found, {"ngrams": 1, **Hyperparameters()._asdict(), "stopwords": ""})
