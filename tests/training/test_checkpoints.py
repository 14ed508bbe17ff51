"""Checkpoints: whole or not there, the newest sound one found, the older ones gone only after."""

import pytest
import torch

from wordworth.errors import BadInput
from wordworth.training.checkpoints import Checkpoints


def state(number):
    return {"weights": torch.full((50,), float(number)), "losses": torch.arange(number)}


def test_the_newest_is_found_and_two_are_kept(tmp_path):
    checkpoints = Checkpoints(tmp_path / "some")
    assert checkpoints.latest() is None
    for step in (5, 900, 20_000):
        checkpoints.write(step, state(step))
    step, found = checkpoints.latest()
    assert step == 20_000
    assert torch.equal(found["weights"], state(20_000)["weights"])
    assert len(list((tmp_path / "some").iterdir())) == 2


@pytest.mark.parametrize("harm", [lambda data: data[:-9], lambda data: data[:40] + b"x" + data[41:], lambda _: b""])
def test_a_damaged_one_is_said_and_the_one_before_it_used(tmp_path, harm, heard):
    checkpoints = Checkpoints(tmp_path)
    checkpoints.write(1, state(1))
    newest = checkpoints.write(2, state(2))
    newest.write_bytes(harm(newest.read_bytes()))
    step, found = checkpoints.latest(heard.note)
    assert step == 1
    assert torch.equal(found["weights"], state(1)["weights"])
    assert "damaged" in heard.notes[0]
    assert "the older checkpoint after step 1 is used" in heard.notes[1]


def test_where_none_is_sound_it_is_said_that_all_begins_anew(tmp_path, heard):
    checkpoints = Checkpoints(tmp_path)
    for number in (1, 2):
        checkpoints.write(number, state(number)).write_bytes(b"harm")
    assert checkpoints.latest(heard.note) is None
    assert ["damaged" in note for note in heard.notes] == [True, True, False]
    assert "begins anew" in heard.notes[2]


def test_what_a_killed_process_left_half_written_is_no_checkpoint_and_goes(tmp_path):
    (tmp_path / ".step-000000009.77.part").write_bytes(b"half")
    assert Checkpoints(tmp_path).latest() is None
    Checkpoints(tmp_path).write(1, state(1))
    assert [path.suffix for path in tmp_path.iterdir()] == [".pt"]


def test_a_folder_that_cannot_be_written_is_the_persons_business(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot write"):
        Checkpoints(tmp_path / "file").write(1, state(1))


def test_after_damage_a_run_that_begins_anew_keeps_what_it_writes(tmp_path):
    checkpoints = Checkpoints(tmp_path)
    for step in (190, 200):
        checkpoints.write(step, {"step": step}).write_bytes(b"damaged")
    assert checkpoints.latest() is None
    for step in (10, 20):
        assert checkpoints.write(step, {"step": step}).exists()
    assert checkpoints.latest() == (20, {"step": 20})
