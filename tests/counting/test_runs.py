"""Counts merged by token, from memory and from disk, and nothing left behind."""

import os
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext import ModelError
from nbtext.counting.merging import Chunk, merged
from nbtext.counting.runs import RunFolder, ranges, write_run

from .. import oracle
from ..small import CORPORA, counted, few

LABELS = ["p", "q", "r", "s"]


def chunks(corpus: oracle.Corpus, size: int = 3) -> list[Chunk]:
    """The counts of a corpus, so many tokens a chunk."""
    loaded = counted(corpus, LABELS)
    tokens, counts = loaded.tokens, loaded.counts
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
@given(CORPORA, st.lists(st.integers(0, 10), max_size=3), st.integers(1, 3), st.integers(1, 9))
def test_runs_in_ranges_are_the_counts_of_the_whole(corpus: oracle.Corpus, cuts: list[int], tokens: int, most: int):
    edges = [0, *sorted(cuts), len(corpus)]
    with RunFolder("model") as folder:
        parts = [chunks(corpus[start:end], 2) for start, end in pairwise(edges)]
        runs = [write_run(folder.made(), LABELS, part, tokens) for part in parts]
        found = [part.chunk() for part in ranges(runs, LABELS, most)]
        assert rows(found) == rows(chunks(corpus))
        # Of each run, one chunk more may be read
        assert all(len(each.counts.classes) <= most + (len(runs) + 1) * tokens * len(LABELS) for each in found)


def test_classes_of_runs_may_be_numbered_otherwise():
    with RunFolder("model") as folder:
        part = chunks([("p", ["sea"]), ("q", ["sky"])])
        run = write_run(folder.made(), ["q", "p", "r", "s"], part, 1)
        [both] = ranges([run], LABELS, 10)
        assert rows([both.chunk()]) == [("sea", [1, 1, 1]), ("sky", [0, 1, 1])]


def test_a_folder_for_runs_is_private_and_goes_with_all_that_is_in_it():
    with RunFolder("model") as folder:
        write_run(folder.made(), LABELS, chunks([("p", ["sea"])]), 1)
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
        write_run(folder.made(), LABELS, chunks([("p", ["a"])]), 1)


def test_a_signal_that_comes_as_the_folder_is_made_leaves_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    mkdir = os.mkdir

    def interrupted(path: str, mode: int) -> None:
        mkdir(path, mode)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "mkdir", interrupted)
    with pytest.raises(KeyboardInterrupt), RunFolder(str(tmp_path / "model")) as folder:
        folder.made()
    assert list(tmp_path.iterdir()) == []
