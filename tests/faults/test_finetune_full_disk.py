"""A disk that fills up under a fine-tuning: one clear error, and the same command goes on once there is room."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.errors import BadInput
from wordworth.studies.finetune import finetune
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> str:
    return str(write_tiny_encoder(tmp_path_factory.mktemp("full") / "tiny"))


def run(encoder: str, out: Path):
    """A fine-tuning that keeps a state after every step; its record without what the clock says."""
    some = {"restarts": 2, "learning_rate": 2e-3, "epochs": 2.0, "dev": 0.3, "processes": 1, "save_every": 1e-9}
    record = finetune(sample_task("single", 60), model=encoder, out=out, **some)
    return replace(record, timings={}, environment={}).to_json()


@pytest.fixture(scope="module")
def whole(encoder, tmp_path_factory):
    """A run under which the disk did not fill up: its record and its folder."""
    out = tmp_path_factory.mktemp("whole")
    return run(encoder, out), out


@pytest.mark.parametrize(("what", "after"), [("loop", 1), ("loop", 4), ("weights", 0), ("weights", 1)])
def test_a_full_disk_is_one_clear_error_and_the_run_goes_on_once_there_is_room(
    encoder, tmp_path, whole, monkeypatch, what, after
):
    """It fills up while a state on the way is written, or the weights of a run that has ended."""
    true_save, written = torch.save, []

    def full(state, file):
        written.append(("loop" in state) == (what == "loop"))
        if sum(written) > after:
            file.write(b"half")
            raise OSError(28, "No space left on device")
        true_save(state, file)

    monkeypatch.setattr("wordworth.training.checkpoints.torch.save", full)
    with pytest.raises(BadInput, match="the disk is full") as caught:
        run(encoder, tmp_path)
    assert str(tmp_path / "runs") in str(caught.value)
    assert not list(tmp_path.rglob("*.part"))
    assert not (tmp_path / "record.json").exists()
    monkeypatch.undo()
    assert run(encoder, tmp_path) == whole[0]
    for name in ("model.safetensors", "head.safetensors"):
        assert (tmp_path / "model" / name).read_bytes() == (whole[1] / "model" / name).read_bytes()
