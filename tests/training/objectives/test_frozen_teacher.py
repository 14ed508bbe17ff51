import copy

import pytest
import torch
from tests.models.tiny import write_tiny
from tests.training.objectives.instances import instances
from tests.training.objectives.test_mlm import as_batch

from wordworth.errors import BadInput
from wordworth.models.read_encoder import read_encoder
from wordworth.training.objectives.frozen_teacher import FrozenTeacher

BATCH = as_batch(instances([[7, 8, 9], [10]]))


@pytest.fixture
def teacher(tmp_path):
    return FrozenTeacher(write_tiny(tmp_path / "teacher"))


def test_its_layers_are_those_of_the_model_without_dropout_each_time(teacher):
    layers = teacher.layers(BATCH)
    expected = list(read_encoder(teacher.folder).model.states(BATCH))
    assert len(layers) == 3
    for one, again, plain in zip(layers, teacher.layers(BATCH), expected, strict=True):
        assert torch.equal(one, again)
        assert torch.allclose(one, plain, atol=1e-6)


def test_it_is_not_trained(teacher):
    assert not any(parameter.requires_grad for parameter in teacher.model.parameters())
    assert not any(states.requires_grad for states in teacher.layers(BATCH))
    assert not teacher.model.training


def test_copies_of_an_objective_share_it(teacher):
    assert copy.deepcopy({"teacher": teacher})["teacher"] is teacher


def test_it_is_recognised_by_its_weights(teacher, tmp_path):
    same = FrozenTeacher(write_tiny(tmp_path / "same"))
    other = FrozenTeacher(write_tiny(tmp_path / "other", num_hidden_layers=1))
    assert teacher.identity() == same.identity() != other.identity()
    assert len(teacher.identity()) == 1


def test_a_folder_without_a_model_is_refused_when_it_is_first_asked(tmp_path):
    missing = FrozenTeacher(tmp_path / "nowhere")
    with pytest.raises(BadInput, match="nowhere"):
        missing.layers(BATCH)
