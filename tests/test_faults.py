"""A sample of `make faults`; in five minutes that does much more of it."""

from pathlib import Path

import pytest

from . import faults
from .mailroom import mail_model


@pytest.fixture
def room(tmp_path: Path) -> faults.Room:
    return faults.Room(tmp_path)


def test_killed_commands_leave_the_model_as_it_was_or_as_it_was_to_be(room):
    assert faults.kills(room, 10, seed=7).wrong == []


def test_filters_learners_and_a_retraining_do_not_disturb_one_another(room):
    assert faults.deliveries(room, filters=12, learns=6).wrong == []


def test_no_room_on_the_disk_leaves_the_old_model(room):
    (room.folder / "text").write_bytes(room.run("export").stdout)
    (room.folder / "other.nbtext").write_bytes(mail_model())
    assert faults.full_disks(room).wrong == []


def test_bombs_are_answered_or_refused_within_a_limit_of_memory(room):
    assert faults.too_much(room).wrong == []
