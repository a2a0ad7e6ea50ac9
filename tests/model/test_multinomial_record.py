"""A model in scikit-learn: what docs/model-file.md says to type gives the same answers."""

import re

import numpy as np
import pytest

from nbtext import Classifier, Model, event_models
from nbtext.plugins import names

from ..shell import ROOT

TEXTS = ["reef the main", "salt, salt and pepper and salt", "the moon above the sea", "?"]


@pytest.mark.parametrize("event_model", names(event_models))
@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # it is typed as people type it
def test_answers_are_the_same(run, tmp_path, event_model):
    run("train", ROOT / "corpora/topics", "--event-model", event_model, "--ngrams", "2", "--min-count", "2")
    (tmp_path / "model.json").write_text(run("export", "--to", "sklearn").out)
    (code,) = re.findall("```python\n(.*?)```", (ROOT / "docs/model-file.md").read_text(), re.DOTALL)
    typed: dict[str, object] = {}
    exec(code, typed)
    theirs = typed["classify"]
    ours = Classifier(Model.open("model.nbtext"), raw=True)
    expected = [[ours(text).posteriors[label] for label in theirs.classes_] for text in TEXTS]  # type: ignore[attr-defined]
    assert theirs.predict_proba(TEXTS) == pytest.approx(np.array(expected), rel=1e-9, abs=1e-12)  # type: ignore[attr-defined]


def test_what_is_not_linear_is_refused(run):
    run("train", ROOT / "corpora/topics", "--weights", "fitted")
    refused = run("export", "--to", "sklearn")
    assert (refused.out, refused.status) == ("", 2)
    assert "train with --weights none" in refused.err
    assert run("export", "--to", "sklearn", "--counts").status == 2
