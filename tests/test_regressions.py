"""Faults that were found by hostile use, each held to what is right. A test is named for what it protects."""

import os
from pathlib import Path

import pytest

from nbtext import Model, ModelError, train_documents

SMALL = {"ham": ["lunch at noon", "see you at noon"], "spam": ["win cash now", "cash prize"]}


# Places for models


def test_training_never_replaces_what_is_no_file(tmp_path: Path):
    pipe, loop, folder = tmp_path / "pipe", tmp_path / "loop", tmp_path / "folder"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    folder.mkdir()
    for place in pipe, loop, folder:
        with pytest.raises(ModelError, match=f"{place}: a folder, pipe, device or endless link, not replaced"):
            train_documents(SMALL, str(place))
    assert pipe.is_fifo()
    assert loop.is_symlink()
    assert set(tmp_path.iterdir()) == {pipe, loop, folder}


def test_a_pipe_in_the_place_of_a_model_is_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelError, match="a pipe, device or endless link, not a model"):
        Model.open(str(tmp_path / "pipe"))
