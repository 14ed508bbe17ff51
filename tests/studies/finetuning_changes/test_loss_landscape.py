"""Losses of a whole landscape: points of the path as differences, ends as measured, and how many losses it takes."""

import numpy as np
import pytest
import torch
from tests.studies.new_parts import new_parts

from wordworth.errors import BadInput
from wordworth.progress import STILL
from wordworth.studies.finetuning_changes.loss_landscape import Request, at_point, landscape, losses_needed
from wordworth.studies.finetuning_changes.read_models import read_models
from wordworth.studies.finetuning_changes.settings import FinetuningChangesSettings
from wordworth.training.finetuning.trajectory_points import TrajectoryPoint


class Counted:
    """A step of a progress bar that counts."""

    def __init__(self):
        self.number = 0

    def advance(self, amount=1):
        self.number += amount

    def skip(self, amount):
        self.number += amount


@pytest.fixture(scope="module")
def models(run):
    return read_models(run, None, FinetuningChangesSettings(limit=40))


def test_losses_at_both_ends_are_those_of_the_models_and_weights_are_restored(models):
    step = Counted()
    result = landscape(models, Request(points=5, draws=50, seed=0), new_parts(), step)
    assert result.measured == 0
    assert result.restored
    assert step.number == losses_needed(models, 5)
    assert result.plane.second == "second seed"
    assert result.plane.losses.shape == (5, 5)


def test_the_way_ends_at_the_model_and_begins_at_the_start(models):
    result = landscape(models, Request(points=0, draws=50, seed=0), new_parts(), STILL)
    assert result.plane is None
    assert [point.step for point in result.trajectory] == sorted({point.step for point in result.trajectory})
    assert result.trajectory[0].distance == 0
    model = next(point for point in result.trajectory if point.step == models.path.model_step)
    assert model.angle == pytest.approx(0, abs=0.1)
    assert model.distance == pytest.approx(result.distance[0], rel=1e-3)
    assert all(point.along**2 + point.aside**2 == pytest.approx(point.distance**2) for point in result.trajectory)
    assert np.isnan(result.trajectory[0].angle)


def test_a_point_is_the_start_and_what_has_moved(models):
    start = models.base.start
    point = models.path.point(max(models.path.points))
    before = {name: value.clone() for name, value in start.model.state_dict().items()}
    moved = at_point(start, point).state_dict()
    name = next(iter(point.moved))
    assert torch.allclose(moved[name], before[name] + point.moved[name])
    assert all(torch.equal(value, before[key]) for key, value in start.model.state_dict().items())


def test_a_point_of_another_model_is_refused(models):
    with pytest.raises(BadInput, match="another model"):
        at_point(models.base.start, TrajectoryPoint(3, {"nothing": torch.zeros(2)}, {}))
