"""nbtext: naive Bayes text classification for the command line and for Python."""

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
    from .training.learning import learn as learn
    from .training.learning import unlearn as unlearn
    from .training.training import train as train
    from .training.training import train_documents as train_documents

# Where each public name lives; it is imported when first asked for, so that a command pays only for what it uses.
_HOMES = {
    "Analysis": "analysis",
    "ChoiceError": "errors",
    "Classifier": "classification.decision",
    "CorpusError": "errors",
    "Decision": "classification.decision",
    "Document": "readers",
    "DocumentError": "errors",
    "Explanation": "classification.explanation",
    "Hyperparameters": "settings",
    "Limits": "decoding",
    "Method": "evaluation.evaluate",
    "Model": "model.model",
    "ModelError": "errors",
    "NaiveBayes": "classification.naive_bayes",
    "NbtextError": "errors",
    "check": "corpus.checking",
    "classify": "classification.classify",
    "evaluate": "evaluation.evaluate",
    "explain": "classification.classify",
    "learn": "training.learning",
    "merge": "model.merging",
    "train": "training.training",
    "train_documents": "training.training",
    "unlearn": "training.learning",
}
__all__ = ["__version__", *_HOMES]  # noqa: PLE0604  # the keys of a dictionary are strings


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
