"""nbtext: naive Bayes text classification for the command line and for Python.

    train, train_documents     make a model from a corpus on disk, or from documents in Python
    Model, Document            a model, in a file or in memory; a text with its label and other data
    classify, explain          label documents, and show why
    Classifier                 does both, for many calls and with any settings
    learn, unlearn, merge      change a model by single documents; merge several models
    evaluate, check            measure how good a model is; find problems in a corpus
    NaiveBayes                 a classifier with the interface of scikit-learn
    Analysis, Hyperparameters  how documents become tokens, and counts become scores
    NbtextError                the base of all errors

help(nbtext.train), for example, says more.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .analysis import Analysis as Analysis
    from .classification.classify import classify as classify
    from .classification.classify import explain as explain
    from .classification.decision import Classifier as Classifier
    from .classification.decision import Decision as Decision
    from .classification.explanation import Explanation as Explanation
    from .classification.naive_bayes import NaiveBayes as NaiveBayes
    from .corpus.checking import check as check
    from .decoding import Limits as Limits
    from .errors import ChoiceError as ChoiceError
    from .errors import CorpusError as CorpusError
    from .errors import DocumentError as DocumentError
    from .errors import ModelError as ModelError
    from .errors import NbtextError as NbtextError
    from .evaluation.evaluate import Method as Method
    from .evaluation.evaluate import evaluate as evaluate
    from .model.merging import merge as merge
    from .model.model import Model as Model
    from .readers import Document as Document
    from .settings import Hyperparameters as Hyperparameters
    from .training.documents import train_documents as train_documents
    from .training.learning import learn as learn
    from .training.learning import unlearn as unlearn
    from .training.training import train as train

# The module of each public name; it is imported when first used, so that a command loads only what it needs.
_HOMES = {
    "train": "training.training",
    "train_documents": "training.documents",
    "Model": "model.model",
    "Document": "readers",
    "classify": "classification.classify",
    "explain": "classification.classify",
    "Classifier": "classification.decision",
    "Decision": "classification.decision",
    "Explanation": "classification.explanation",
    "learn": "training.learning",
    "unlearn": "training.learning",
    "merge": "model.merging",
    "evaluate": "evaluation.evaluate",
    "Method": "evaluation.evaluate",
    "check": "corpus.checking",
    "NaiveBayes": "classification.naive_bayes",
    "Analysis": "analysis",
    "Hyperparameters": "settings",
    "Limits": "decoding",
    "NbtextError": "errors",
    "ChoiceError": "errors",
    "CorpusError": "errors",
    "DocumentError": "errors",
    "ModelError": "errors",
}
__all__ = ["__version__", *_HOMES]  # noqa: PLE0604  # the keys of a dictionary are strings


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
