"""Points of a run's path: differences from the start in half precision, that are small and read back."""

import numpy as np
import pytest
import torch
from tests.models.tiny import write_tiny
from tests.training.finetuning.test_trainer import begun

from wordworth.errors import BadInput
from wordworth.models.read_encoder import read_encoder
from wordworth.training.finetuning.checkpoint import finetuned_encoder
from wordworth.training.finetuning.trajectory_points import file_of, read_point, trajectory_steps, write_point


@pytest.fixture
def encoder(tmp_path):
    return read_encoder(write_tiny(tmp_path / "encoder"))


def test_a_point_is_the_start_and_a_difference(encoder, tmp_path):
    _, _, run = begun(encoder)
    run.loop.train(10)
    write_point(tmp_path / "path" / file_of(10), encoder, run.tuned)
    point = read_point(tmp_path / "path" / file_of(10), 10)
    now = finetuned_encoder(encoder, run.tuned.network, pooler=False).state_dict()
    start = encoder.model.state_dict()
    for name, value in now.items():
        moved = point.moved.get(name, torch.zeros(()))
        assert torch.allclose(start[name] + moved, value, atol=1e-5)
    assert torch.equal(point.head["output.weight"], run.tuned.network.output.weight)
    size = (tmp_path / "path" / file_of(10)).stat().st_size
    assert size < 0.6 * 4 * sum(value.numel() for value in now.values())


def test_before_the_first_step_only_the_head_is_kept(encoder, tmp_path):
    _, _, run = begun(encoder)
    write_point(tmp_path / file_of(0), encoder, run.tuned)
    assert read_point(tmp_path / file_of(0), 0).moved == {}


def test_few_steps_are_kept_however_long_the_run():
    for steps in (1, 7, 80, 100_000):
        kept = trajectory_steps(steps)
        assert kept[0] == 0
        assert len(kept) <= 5
        assert np.all(np.diff(kept) > 0)
        assert kept[-1] <= steps


def test_a_damaged_point_is_refused(tmp_path):
    (tmp_path / "step-1.safetensors").write_bytes(b"nothing")
    with pytest.raises(BadInput, match="safetensors"):
        read_point(tmp_path / "step-1.safetensors", 1)
