"""Settings of `distill`: the methods that are compared, and choices that contradict themselves."""

from typing import get_args

import pytest

from wordworth.errors import BadInput
from wordworth.studies.distill.settings import DistillSettings, MethodName
from wordworth.training.distillation.methods import METHODS


def test_the_settings_name_every_method():
    assert set(get_args(MethodName)) == set(METHODS)


def test_the_written_method_comes_last_and_each_once():
    settings = DistillSettings(data="train.csv", method="kd", compare="finetune, kd,pkd-last,finetune")
    assert settings.methods == ("finetune", "pkd-last", "kd")
    assert DistillSettings(data="train.csv", compare="").methods == ("pkd-skip",)


def test_a_bilstm_learns_the_answers_unless_another_method_is_named():
    assert DistillSettings(data="train.csv", start="bilstm").methods == ("finetune", "kd")
    assert DistillSettings(data="train.csv", start="bilstm", method="finetune").methods == ("finetune",)
    with pytest.raises(BadInput, match=r"pkd-skip compares states of layers.* kd"):
        DistillSettings(data="train.csv", start="bilstm", method="pkd-skip")


def test_five_seeds_are_the_default():
    assert DistillSettings(data="train.csv").seeds == 5


@pytest.mark.parametrize(
    ("choices", "what"),
    [
        ({"data": "a.csv", "method": "pkd"}, "no method 'pkd'"),
        ({"data": "a.csv", "compare": "finetune,kdd"}, "no method 'kdd'.*did you mean 'kd'"),
        ({"data": "a.csv", "compare": "<script>"}, "no method '<script>'"),
        ({"data": "a.csv", "layers": 0}, "layers. 0 is out of range"),
        ({"data": "a.csv", "alpha": 1.5}, "alpha. 1.5 is out of range"),
        ({"data": "a.csv", "temperature": 0.0}, "temperature. 0.0 is out of range"),
        ({"data": "a.csv", "learning_rate": 5.0}, "learning_rate. 5.0 is out of range"),
        ({"data": "a.csv", "beta": -1.0}, "beta. -1.0 is out of range"),
        ({"data": "a.csv", "seeds": 0}, "seeds. 0 is out of range"),
    ],
)
def test_what_contradicts_itself_is_refused(choices, what):
    with pytest.raises(BadInput, match=what):
        DistillSettings(**choices)
