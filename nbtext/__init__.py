"""nbtext: naive Bayes text classification for the command line and for Python."""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .analysis import Analysis as Analysis
    from .classification.decision import Classifier as Classifier
    from .classification.decision import Decision as Decision
    from .errors import ChoiceError as ChoiceError
    from .errors import CorpusError as CorpusError
    from .errors import DocumentError as DocumentError
    from .errors import ModelError as ModelError
    from .errors import NbtextError as NbtextError
    from .model.model import Model as Model
    from .readers import Document as Document
    from .settings import Hyperparameters as Hyperparameters
    from .training.training import train as train
    from .training.training import train_documents as train_documents

# Where each public name lives; it is imported when first asked for, so that a command pays only for what it uses.
_HOMES = {
    "Analysis": "analysis",
    "Classifier": "classification.decision",
    "Decision": "classification.decision",
    "ChoiceError": "errors",
    "CorpusError": "errors",
    "DocumentError": "errors",
    "ModelError": "errors",
    "NbtextError": "errors",
    "Model": "model.model",
    "Document": "readers",
    "Hyperparameters": "settings",
    "train": "training.training",
    "train_documents": "training.training",
}
__all__ = ["__version__", *_HOMES]  # noqa: PLE0604  # the keys of a dictionary are strings


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
