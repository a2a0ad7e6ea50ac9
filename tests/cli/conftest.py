"""A model to begin with."""

import pytest

from .common import CORPUS


@pytest.fixture
def trained(corpus, run):
    """A run in a folder that has a corpus and its model."""
    corpus(CORPUS)
    assert run("train", "corpus").status == 0
    return run
