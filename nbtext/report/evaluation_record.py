"""An evaluation as a record for programs."""

from typing import Any

from ..evaluation import Evaluation
from ..evaluation.comparison import curve_rows, verdicts
from ..evaluation.summary import Summary


def record(evaluation: Evaluation, found: Summary) -> dict[str, Any]:
    """The evaluation for programs: stable keys, nothing rounded, null if there is no value."""
    analysis, hyperparameters = evaluation.settings
    return {
        "method": evaluation.method,
        "corpora": list(evaluation.corpora),
        "test_corpora": list(evaluation.tested),
        "analysis": analysis,
        "hyperparameters": hyperparameters,
        "labels": evaluation.labels,
        "positive": evaluation.positive,
        "unsure_below": evaluation.unsure_below,
        "repeats": evaluation.repeats,
        "parts": [
            {
                "trained": sum(held.training.values()),
                "tested": len(held.predictions),
                "chosen": held.chosen and held.chosen.setting,
            }
            for held in evaluation.held
        ],
        **_plain(found),
        "comparison": None
        if evaluation.comparison is None
        else _plain(verdicts(evaluation.comparison, evaluation.repeats)),
        "curve": None if evaluation.curve is None else _plain(curve_rows(evaluation.curve)),
        "suspects": _plain(evaluation.suspects),
        "notes": evaluation.notes,
    }


def _plain(value: Any) -> Any:
    """Named tuples as objects, at any depth."""
    if hasattr(value, "_asdict"):
        return {name: _plain(each) for name, each in value._asdict().items()}
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
