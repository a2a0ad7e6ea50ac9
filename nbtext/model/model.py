"""A model: counts in a file, with the analysis that made them and default hyperparameters.

Opening a model takes the same time whatever its vocabulary. Learning a document is one transaction, after which counts
and stored totals are those of training from scratch. `classification` labels documents, `training` makes new models.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

from ..analysis import Analysis
from ..errors import ChoiceError, ModelError
from ..escaping import html_table
from ..inference.calibration import Calibration
from ..inference.linear import Linear, event_model, hears_absence
from ..inference.posteriors import softmax, temperature
from ..inference.priors import log_priors
from ..inference.scorer import Bag, Scorer
from ..inference.vocabulary import Totals, Vocabulary
from ..settings import Hyperparameters
from ..storage.opening import open_store, store_in_memory
from ..storage.schema import Class, checksum
from ..storage.store import Store
from ..storage.tokens import LookUp

if TYPE_CHECKING:
    from ..inference.estimator import Estimator
    from ..inference.factors import AttributeTotals, Factors
    from ..inference.weighting import Kinds, WeightedLinear, Weighting
    from .arrays import Loaded

DEFAULT_PATH = "model.nbtext"


class Model:
    """An open model.

    >>> from nbtext import train_documents
    >>> model = train_documents({"ham": ["lunch at noon"], "spam": ["win cash now"]})
    >>> model.labels
    ['ham', 'spam']

    Raises: ModelError, by any method, when the file turns out to be damaged or unwritable.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.readings = 0
        self.refresh()

    @classmethod
    def open(cls, path: str, *, writable: bool = False) -> "Model":
        """The model in the file.

        Raises: ModelError if there is none, or it is damaged, or it names a reader, tokenizer or setting that this
        version does not have.
        """
        model = cls(open_store(path, writable=writable))
        try:
            model.analysis.input()
            model.analysis.tokens()
            event_model(model.hyperparameters)
            log_priors(model.hyperparameters.prior, model.labels, model.documents)
        except (AttributeError, TypeError, ChoiceError) as error:  # the file's fault, not the user's choice
            raise ModelError(f"{path}: {error}; was it made by another version?") from None
        return model

    def close(self) -> None:
        """Close the file."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickling: the path of a model in a file, or the whole of a model in memory."""
        if place := self.store.place:
            return _opened, (place.place, place.writable)
        return _in_memory, (self.store.content(), self.store.path)

    def __repr__(self) -> str:
        counted = f"{sum(self.documents)} documents of {len(self.labels)} classes"
        return f"<nbtext model of {counted}, {self.size} tokens: {self.store.path}>"

    def _repr_html_(self) -> str:
        """The classes as a table, for notebooks."""
        rows = [(entry.label, str(entry.documents), str(entry.positions)) for entry in self.classes]
        return html_table(("class", "documents", "tokens"), rows, caption=repr(self).strip("<>"))

    def refresh(self) -> None:
        """Read again the data read on opening, as another process may have learned since then."""
        with self.store.snapshot():
            self.version = self.store.version()
            self.readings += 1
            settings = self.store.settings()
            excluded = self.store.excluded()
            self.classes: list[Class] = self.store.classes()
        self._loaded: Loaded | None = None
        try:
            self.analysis = Analysis.from_plain(settings)
            stopwords = [token for token, why in excluded if why == "stopword"]
            self.hyperparameters = Hyperparameters.of({**settings, "stopwords": stopwords})
            self.calibration = Calibration(settings["t"], settings["calibrated_on"]).checked()
            self.size = settings["vocabulary"]
            self.attributes = self._attributes(settings)
            if type(self.size) is not int or self.size < (0 if self.attributes else 1):
                raise ChoiceError(f"a vocabulary of {self.size!r} tokens is impossible")
            self.tracks = bool(settings["track"])
            self.weighting, self.kind_totals = self._weights(settings)
            if (len(self.classes), len(excluded)) != (settings["classes"], settings["excluded"]):
                raise self.store.damaged("rows are missing")
            self.dropped = [token for token, why in excluded if why == "dropped"]
            self.labels = [entry.label for entry in self.classes]
        except (KeyError, TypeError, ValueError) as error:
            raise self.store.damaged(f"setting {error}") from None
        except ChoiceError as error:
            raise self.store.damaged(str(error)) from None

    def _weights(self, settings: dict[str, Any]) -> "tuple[Weighting | None, list[Totals]]":
        """The fitted weights, if there are any, and the totals of the vocabulary for each kind of token."""
        if settings.get("weighting") is None:
            if self.hyperparameters.is_weighted:
                raise ChoiceError("it lacks the weights of its tokens")
            return None, []
        from .weights import weights_of  # most models have none

        return weights_of(settings, self.documents)

    def _attributes(self, settings: dict[str, Any]) -> "AttributeTotals | None":
        """The totals of attributes, if documents have any."""
        if settings.get("attributes") is None:
            return None
        import json  # most models have none

        from ..inference.factors import AttributeTotals

        return AttributeTotals.of(json.loads(settings["attributes"]), len(self.classes))

    @property
    def weights(self) -> "tuple[Weighting, Kinds]":
        """The fitted weights, and the kinds of tokens.

        Raises: ChoiceError if no weights were fitted.
        """
        if self.weighting is None:
            raise ChoiceError(
                f"{self.store.path} has no fitted weights; train it with --weights fitted, or with --tune"
            )
        from ..inference.weighting import Kinds

        return self.weighting, Kinds(self.weighting.kinds, tagged=self.analysis.is_tagged)

    @contextmanager
    def copied(self) -> Iterator["Model"]:
        """Context manager: the model as it is now, in a copy of its file, so that reading it blocks nobody."""
        with self.store.copied() as store:
            yield Model(store)

    @contextmanager
    def unchanging(self) -> Iterator[int]:
        """Context manager: everything read inside is from the same, latest state of the file.

        Yields how often this model has been read from the file: one more after each change, here or elsewhere.
        """
        with self.store.snapshot():
            if self.store.version() != self.version:
                self.refresh()
            yield self.readings

    @property
    def documents(self) -> list[int]:
        """The number of documents of each class, by class number."""
        return [entry.documents for entry in self.classes]

    @property
    def positions(self) -> list[int]:
        """The number of tokens of each class, repeats included, by class number."""
        return [entry.positions for entry in self.classes]

    @property
    def state(self) -> str:
        """A quick identifier of the model's state: the number of documents, and a checksum of settings and classes.

        Learning or unlearning a document changes it; the order of learning does not. It is equal for models that differ
        only in tokens but not in totals; the fingerprint differs for these too, but needs a pass over all tokens.
        """
        plain = self.hyperparameters.plain()
        stopwords = plain.pop("stopwords")
        weights = [] if self.weighting is None else [self.weighting]
        settings = *self.analysis.plain().values(), *plain.values(), *stopwords
        known = checksum([*settings, self.size, *sorted(self.classes), *weights])
        return f"{sum(self.documents)}-{known:08x}"

    def index(self, label: str) -> int:
        """The number of the class with this label.

        Raises: ChoiceError, listing the labels there are.
        """
        if label not in self.labels:
            raise ChoiceError(f"no class {label!r} in {self.store.path}; there are: {', '.join(sorted(self.labels))}")
        return self.labels.index(label)

    def corpora(self) -> list[str]:
        """The paths of the training corpora: relative if below the working directory, else absolute."""
        folder = os.path.dirname(os.path.realpath(self.store.path))
        places = [os.path.normpath(os.path.join(folder, place)) for place in self.store.corpora()]
        below = os.path.join(os.path.realpath(os.getcwd()), "")
        return [place.removeprefix(below) for place in places]

    # Reading the counts

    def scorer(self, hyperparameters: Hyperparameters | None = None) -> Scorer:
        """Scores single documents under the hyperparameters, by default the model's own.

        Raises: ChoiceError for hyperparameters that make no sense for this model; ModelError if they leave no
        vocabulary.
        """
        chosen = (hyperparameters or self.hyperparameters).checked()
        if chosen.filters == self.hyperparameters.filters:
            totals, dropped = self.totals(spread=hears_absence(chosen)), self.dropped
        else:
            estimator, loaded = self.estimator(chosen), self.loaded()
            totals, dropped = estimator.totals, loaded.texts(estimator.filtered.dropped)
        if not (totals.vocabulary or self.attributes):
            raise ModelError(f"{self.store.path}: the filters leave no token of its vocabulary; loosen them")
        linear = Linear(chosen, self.labels, totals)
        weighted = self._weighted(chosen) if chosen.is_weighted else None
        factors = self._factors(chosen, self.attributes) if self.attributes else None
        return Scorer(linear, Vocabulary(chosen, dropped), LookUp(self.store, self.size), weighted, factors)

    def posteriors(self, bag: Bag) -> list[float]:
        """The probability of each class, by class number, for the bag of a document's tokens."""
        scores = self.scorer().scores(bag)
        return softmax(scores.values, temperature(scores, self.calibration.t))

    def _weighted(self, hyperparameters: Hyperparameters) -> "WeightedLinear":
        """The fitted weights of tokens, for hyperparameters that ask for them."""
        weighting, kinds = self.weights
        if hyperparameters.filters == self.hyperparameters.filters:
            totals = self.kind_totals
        else:
            totals = self.estimator(hyperparameters).evidence.totals
        from ..inference.weighting import WeightedLinear

        return WeightedLinear(hyperparameters, self.labels, totals, weighting, kinds)

    def _factors(self, hyperparameters: Hyperparameters, totals: "AttributeTotals") -> "Factors":
        """The factors of attributes, with their fitted weights if the hyperparameters ask for these."""
        from ..inference.factors import Factors

        worth = self.weighting.attributes if self.weighting and hyperparameters.is_weighted else {}
        return Factors(totals, hyperparameters.pseudo_count, worth)

    def totals(self, *, spread: bool) -> Totals:
        """The stored totals of the vocabulary under the default filters.

        spread  whether to read the spread too
        """
        totals = Totals(self.documents)
        totals.sizes["occurrences"] = [entry.vocabulary_positions for entry in self.classes]
        totals.sizes["frequency"] = [entry.vocabulary_presences for entry in self.classes]
        totals.vocabulary = self.size
        if spread:
            for index, documents, tokens in self.store.spread():
                totals.spread[index][documents] = tokens
            sums = [sum(d * tokens for d, tokens in spread.items()) for spread in totals.spread]
            within = all(max(spread, default=0) <= n for n, spread in zip(self.documents, totals.spread, strict=True))
            if totals.sizes["frequency"] != sums or not within:
                raise self.store.damaged("its totals do not add up")
        return totals

    def loaded(self) -> "Loaded":
        """All counts as arrays, read once."""
        if self._loaded is None:
            from .arrays import load  # imported here, as answers under the default hyperparameters do not need it

            self._loaded = load(self.store, self.documents)
        return self._loaded

    def estimator(self, hyperparameters: Hyperparameters | None = None) -> "Estimator":
        """Scores many documents under the hyperparameters, by default the model's own."""
        chosen = hyperparameters or self.hyperparameters
        return self.loaded().estimator(self.labels, chosen, self.weights if chosen.is_weighted else None)

    def calibration_of(self, hyperparameters: Hyperparameters) -> Calibration:
        """The calibration of posteriors: as stored for the default hyperparameters, else fitted on the sample."""
        if hyperparameters == self.hyperparameters:
            return self.calibration
        from ..inference.tempering import calibrated

        with self.store.sampling():
            return calibrated(self.estimator(hyperparameters), self.loaded().documents(self.store.sample()))


def _opened(path: str, writable: bool) -> Model:
    return Model.open(path, writable=writable)


def _in_memory(content: bytes, name: str) -> Model:
    return Model(store_in_memory(content, name))
