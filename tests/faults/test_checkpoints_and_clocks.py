"""Which checkpoints stay does not depend on the clock of the machine."""

import os

import pytest

from wordworth.training.checkpoints import Checkpoints

LATER = 4_000_000_000
"""Seconds since 1970: the clock of an earlier run went wrong, or was set back since."""


def write_later(checkpoints: Checkpoints, *steps: int) -> None:
    for step in steps:
        os.utime(checkpoints.write(step, {"step": step}), (LATER, LATER))


def steps_of(checkpoints: Checkpoints) -> list[int]:
    return sorted(int(path.name[5:14]) for path in checkpoints.folder.glob("step-*.pt"))


def test_after_a_clock_set_back_the_checkpoint_just_written_stays_and_is_resumed(tmp_path):
    checkpoints = Checkpoints(tmp_path)
    write_later(checkpoints, 10, 20)
    for step in (30, 40, 50):
        assert checkpoints.write(step, {"step": step}).exists()
        assert checkpoints.latest() == (step, {"step": step})
    assert steps_of(checkpoints) == [40, 50]


@pytest.mark.parametrize("damaged", [(30,), (20, 30), (10, 20, 30)])
def test_damaged_checkpoints_ahead_of_the_run_go_before_sound_ones(tmp_path, damaged):
    checkpoints = Checkpoints(tmp_path, keep=3)
    write_later(checkpoints, 10, 20, 30)
    for path in tmp_path.glob("step-*.pt"):
        if int(path.name[5:14]) in damaged:
            path.write_bytes(b"damaged")
    first, _ = checkpoints.latest() or (0, {})
    for step in (first + 1, first + 2, first + 3):
        checkpoints.write(step, {"step": step})
        assert checkpoints.latest() == (step, {"step": step})
    assert steps_of(checkpoints)[-1] == first + 3


def test_one_kept_checkpoint_is_the_one_just_written(tmp_path):
    checkpoints = Checkpoints(tmp_path, keep=1)
    write_later(checkpoints, 10)
    checkpoints.write(20, {"step": 20})
    assert steps_of(checkpoints) == [20]
