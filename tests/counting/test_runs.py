"""Counts on disk: read as written, merged by token, and nothing left behind."""

import os
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import ModelError
from nbtext.counting.runs import Chunk, RunFolder, merged, read_run, write_run

from .. import oracle
from ..small import CORPORA, counted, few

LABELS = ["p", "q", "r", "s"]


def chunks(corpus: oracle.Corpus, size: int = 3) -> list[Chunk]:
    """The counts of a corpus, so many tokens a chunk."""
    tokens, counts = counted(corpus, LABELS)
    edges = [*range(0, len(tokens), size), len(tokens)]
    return [Chunk.of(tokens[start:end], counts.some(np.arange(start, end))) for start, end in pairwise(edges)]


def rows(found: list[Chunk]) -> list[tuple[str, list[int]]]:
    return [
        (token, row)
        for chunk in found
        for token, row in zip(chunk.tokens, chunk.counts.rows(range(len(chunk.tokens))), strict=True)
    ]


@given(CORPORA, st.lists(st.integers(0, 10), max_size=3), st.integers(1, 3))
def test_merged_streams_are_the_counts_of_the_whole(corpus: oracle.Corpus, cuts: list[int], size: int):
    edges = [0, *sorted(cuts), len(corpus)]
    streams = [iter(chunks(corpus[start:end], size)) for start, end in pairwise(edges)]
    assert rows(list(merged(streams, len(LABELS)))) == rows(chunks(corpus))


@few
@given(CORPORA)
def test_a_run_is_read_as_written_and_leaves_nothing_behind(corpus: oracle.Corpus):
    with RunFolder("model") as folder:
        path = write_run(folder.made(), chunks(corpus))
        assert rows(list(read_run(path))) == rows(chunks(corpus))
        assert os.stat(folder.path).st_mode & 0o777 == 0o700
    assert not os.path.exists(folder.path)


def test_a_folder_for_runs_is_beside_the_model(tmp_path: Path):
    with RunFolder(str(tmp_path / "model")) as folder:
        assert Path(folder.path).parent == tmp_path.resolve()
        assert Path(folder.path).name.startswith(".model.")
        assert not Path(folder.path).exists()  # until something is written


def test_runs_that_find_no_room_are_an_error(tmp_path: Path):
    (tmp_path / "file").touch()
    with (
        pytest.raises(ModelError, match="model: cannot be opened"),
        RunFolder(str(tmp_path / "file" / "model")) as folder,
    ):
        write_run(folder.made(), chunks([("p", ["a"])]))


def test_a_signal_that_comes_as_the_folder_is_made_leaves_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    mkdir = os.mkdir

    def interrupted(path: str, mode: int) -> None:
        mkdir(path, mode)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "mkdir", interrupted)
    with pytest.raises(KeyboardInterrupt), RunFolder(str(tmp_path / "model")) as folder:
        folder.made()
    assert list(tmp_path.iterdir()) == []
