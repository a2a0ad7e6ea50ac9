"""A classifier with the interface of scikit-learn, which is not imported: settings, fit, predict."""

from collections.abc import Iterable, Iterator, Sequence
from inspect import signature
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..analysis import Analysis
from ..fields import Fields
from ..model.model import Model
from ..readers import as_document
from ..settings import Hyperparameters
from ..training.documents import train_documents
from ..training.learning import learn
from .bulk import GROUP, Answered, BulkScorer, Plan
from .decision import Classifier


class NaiveBayes:
    """Naive Bayes on texts, with the interface of scikit-learn: for its pipelines, searches and validations.

    A text given twice counts twice. A text without a token counts for the priors. Fitting sets these attributes:

    classes_  the labels, sorted: an array of C
    model_    the trained `Model`, in memory

    Settings:

    event_model, alpha, prior, stopwords, drop_top, min_count, min_docs, weights, m  see `Hyperparameters`
    tokenizer, ngrams                                                               see `Analysis`
    calibrated  whether posteriors are calibrated, as those of `Classifier` are

    >>> texts, labels = ["lunch at noon", "win cash now", "cash prize"], ["ham", "spam", "spam"]
    >>> classify = NaiveBayes(alpha=0.5).fit(texts, labels)
    >>> classify.predict(["win a prize"]).tolist(), classify.predict_proba(["lunch"]).shape
    (['spam'], (1, 2))
    """

    def __init__(
        self,
        *,
        event_model: str = "multinomial",
        alpha: float = 1.0,
        prior: str = "learned",
        stopwords: Iterable[str] = (),
        drop_top: int = 0,
        min_count: int = 1,
        min_docs: int = 1,
        weights: str = "none",
        m: float | None = None,
        tokenizer: str = "words",
        ngrams: int = 1,
        calibrated: bool = True,
    ) -> None:
        self.event_model = event_model
        self.alpha = alpha
        self.prior = prior
        self.stopwords = stopwords
        self.drop_top = drop_top
        self.min_count = min_count
        self.min_docs = min_docs
        self.weights = weights
        self.m = m
        self.tokenizer = tokenizer
        self.ngrams = ngrams
        self.calibrated = calibrated

    def fit(self, X: Iterable[str], y: ArrayLike) -> Self:  # noqa: N803  # scikit-learn's names by
        """Train on texts and their labels. At least two labels must be different.

        Raises: TypeError if X holds anything but texts; ValueError if X and y differ in length, or y has fewer than
        two classes; ChoiceError for a setting that does not exist; CorpusError if no text has a token.
        """
        texts, labels = _paired(X, y)
        self.classes_: NDArray[Any] = _classes(labels)
        if len(self.classes_) < 2:
            raise ValueError(f"y has {len(self.classes_)} class; at least two are needed")
        self.model_ = self._trained(texts, labels, allow_single_class=False)
        return self

    def partial_fit(self, X: Iterable[str], y: ArrayLike, classes: ArrayLike | None = None) -> Self:  # noqa: N803
        """Learn more texts: the result is exactly that of training on all of them at once.

        classes  all labels that can ever occur; needed in the first call

        Weights are not fitted again.

        Raises: as `fit`; ValueError for labels that are not among the classes.
        """
        texts, labels = _paired(X, y)
        if not hasattr(self, "classes_"):
            if classes is None:
                raise ValueError("the first partial_fit needs all classes: partial_fit(X, y, classes=...)")
            self.classes_ = _classes(np.asarray(classes))
        if unknown := set(labels.tolist()) - set(self.classes_.tolist()):
            raise ValueError(f"labels that are not among the classes: {', '.join(map(str, sorted(unknown)))}")
        if not hasattr(self, "model_"):
            self.model_ = self._trained(texts, labels, allow_single_class=True)
            return self
        for label in np.unique(labels):
            mine = [as_document(text) for text, own in zip(texts, labels, strict=True) if own == label]
            learn(self.model_, str(label), mine)
        return self

    def predict(self, X: Iterable[str]) -> NDArray[Any]:  # noqa: N803
        """The likeliest label of each text.

        Raises: TypeError if X holds anything but texts.
        """
        places = self._places()
        found = [places[label] for some in self._answered(X) for _, label, _ in some.likeliest()]
        return np.asarray(self.classes_[np.array(found, np.int64)])

    def predict_proba(self, X: Iterable[str]) -> NDArray[np.float64]:  # noqa: N803
        """The probability of each class, in the order of `classes_`, for each text: D x C; rows sum to 1.

        Raises: TypeError if X holds anything but texts.
        """
        places = self._places()
        rows = [some.posteriors() for some in self._answered(X)]
        table = np.zeros((sum(map(len, rows)), len(self.classes_)))
        if rows:
            table[:, [places[label] for label in self.model_.labels]] = np.concatenate(rows)
        return table

    def predict_log_proba(self, X: Iterable[str]) -> NDArray[np.float64]:  # noqa: N803
        """The logarithms of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    def score(self, X: Iterable[str], y: ArrayLike) -> float:  # noqa: N803
        """The share of the texts whose label is predicted."""
        texts, labels = _paired(X, y)
        return float((self.predict(texts) == labels).mean())

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002  # scikit-learn passes it
        """The settings by name."""
        return {name: getattr(self, name) for name in signature(type(self)).parameters}

    def set_params(self, **settings: Any) -> Self:
        """Change settings for the next fit.

        Raises: ValueError for one that does not exist.
        """
        known = self.get_params()
        for name, value in settings.items():
            if name not in known:
                raise ValueError(f"no setting {name!r}; there are: {', '.join(known)}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        usual = {name: each.default for name, each in signature(type(self)).parameters.items()}
        changed = [f"{name}={value!r}" for name, value in self.get_params().items() if value != usual[name]]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __sklearn_tags__(self) -> Any:
        """The tags of an estimator. Only scikit-learn calls this, so scikit-learn can be imported here."""
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags(),
            input_tags=InputTags(one_d_array=True, two_d_array=False, string=True),
        )

    def _trained(self, texts: Sequence[str], labels: NDArray[Any], *, allow_single_class: bool) -> Model:
        names = {label: str(label) for label in self.classes_.tolist()}
        if len(set(names.values())) < len(names):
            raise ValueError("two classes have the same name as text")
        documents = [
            as_document(t)._replace(label=names[label]) for t, label in zip(texts, labels.tolist(), strict=True)
        ]
        analysis = Analysis(tokenizer=self.tokenizer, ngrams=self.ngrams, fields=Fields(keep_empty=True).spec())
        fields = [name for name in Hyperparameters._fields if name != "stopwords"]
        chosen = {name: getattr(self, name) for name in fields}
        hyperparameters = Hyperparameters(**chosen, stopwords=frozenset(self.stopwords))
        return train_documents(
            documents, None, analysis, hyperparameters, track=False, allow_single_class=allow_single_class
        )

    def _places(self) -> dict[str, int]:
        """The position of each class among all, by its name in the model."""
        if not hasattr(self, "model_"):
            raise _not_fitted()
        return {str(label): place for place, label in enumerate(self.classes_.tolist())}

    def _answered(self, texts: Iterable[str]) -> Iterator[Answered]:
        """The answers to the texts, many at a time."""
        documents = [as_document(text) for text in _texts(texts)]
        scorer = BulkScorer(self.model_, Plan.of(Classifier(self.model_, raw=not self.calibrated)))
        for start in range(0, len(documents), GROUP):
            yield scorer.answered(documents[start : start + GROUP])


def _texts(texts: Iterable[str]) -> list[str]:
    """The texts of a list, an array, a Series.

    Raises: TypeError for a single text, or for anything but texts.
    """
    if isinstance(texts, str | bytes):
        raise TypeError("X is one text, not a list of texts")
    if getattr(texts, "ndim", 1) != 1:
        raise TypeError("X is a table, not a list of texts: choose the column of the text")
    found = list(texts)
    for place, text in enumerate(found):
        if not isinstance(text, str):
            raise TypeError(f"X[{place}] should be a text (str), not {type(text).__name__}")
    return found


def _paired(texts: Iterable[str], labels: ArrayLike) -> tuple[list[str], NDArray[Any]]:
    """Texts and their labels, after a check that there are as many labels as texts.

    Raises: TypeError, ValueError
    """
    if isinstance(labels, str | bytes):
        raise TypeError("y is one text, not a list of labels")
    found = _texts(texts)
    own = np.asarray(labels if hasattr(labels, "__len__") else list(labels))  # type: ignore[call-overload]
    if own.ndim != 1 or len(own) != len(found):
        raise ValueError(f"X has {len(found)} texts, and y the shape {own.shape}: each text needs one label")
    return found, own


def _classes(labels: NDArray[Any]) -> NDArray[Any]:
    """The different labels, sorted.

    Raises: ValueError for a value that cannot be a label.
    """
    for place, label in enumerate(labels.tolist()):
        if label is None or label != label or not str(label).isprintable():  # NaN is not even itself
            raise ValueError(f"{label!r}, at position {place}, cannot be a label")
    try:
        return np.unique(labels)
    except TypeError:
        raise ValueError("labels of several types: they should all be strings or all be numbers") from None


def _not_fitted() -> Exception:
    """The error to raise before fit: scikit-learn's own if it is loaded, else an AttributeError."""
    import sys

    message = "this NaiveBayes is not fitted yet: call fit first"
    if "sklearn" in sys.modules:
        from sklearn import exceptions

        error: Exception = exceptions.NotFittedError(message)
        return error
    return AttributeError(message)
