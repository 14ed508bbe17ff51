"""Stages that cannot follow each other are refused in one line, before anything takes long."""

import pytest
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.errors import BadInput
from wordworth.studies.finetune import finetune
from wordworth.studies.finetune.stage_checks import stage_settings
from wordworth.tasks import task_types
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.finetuning.settings import FinetuneSettings


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> str:
    return str(write_tiny_encoder(tmp_path_factory.mktemp("checks") / "tiny", layers=1))


@pytest.mark.parametrize(("choices", "error"), [
    ({"grid": "paper"}, "`grid`: with `then`, the settings of one task are no choice for another"),
    ({"features": "last"}, "`features`: with `then`, a frozen encoder takes nothing"),
    ({"keep_path": True}, "`keep-path`|`keep_path`: with `then`, a path has one start"),
    ({"then": ["no-such-task"]}, "no named task 'no-such-task'"),
    ({"then": "dpr"}, "dpr is answered by the model's own head over its vocabulary"),
    ({"then": "stories.jsonl"}, "no such file|is not there"),
    ({"then": 3}, "3 is neither a named task, nor a file, nor a task"),
    ({"then": (), "controls": True}, "`controls`: controls compare a staged transfer; name the target task"),
    ({"controls": 2}, "`controls` is 2; give True or False"),
    ({"margin": 0.2, "then": sample_task("regression", 60)}, "`margin`: sample does not score the options of a choice"),
    ({"margin": -0.2}, "`margin` -0.2 is out of range"),
    ({"then": sample_task("pronoun_resolution", 60)}, "answered by the model's own head over its vocabulary"),
    ({"then": sample_task("classification", 60)}, "sample is both stage 1 and stage 2; name each task once"),
])  # fmt: skip
def test_stages_that_cannot_be_are_refused_in_one_line(encoder, tmp_path, choices, error):
    choices = {"then": sample_task("multiple_choice", 60), **choices}
    with pytest.raises(BadInput, match=error):
        finetune(sample_task("classification", 60), model=encoder, out=tmp_path / "out", processes=1, **choices)
    assert not (tmp_path / "out" / "runs").exists()


def test_labels_that_cannot_be_shuffled_have_no_controls(encoder, tmp_path):
    with pytest.raises(BadInput, match="a task of kind tagging, cannot change places"):
        finetune(
            sample_task("tagging", 60),
            then=sample_task("classification", 60),
            controls=True,
            model=encoder,
            out=tmp_path / "out",
            processes=1,
        )


@pytest.mark.parametrize(("out", "how"), [("run", "contains"), ("run/start/new", "lies inside")])
def test_the_model_of_the_first_stage_is_not_written_over(tmp_path, out, how):
    start = write_tiny_encoder(tmp_path / "run" / "start", layers=1)
    with pytest.raises(BadInput, match=f"this {how} the folder of the model that is read"):
        finetune(
            sample_task("classification", 60),
            then=sample_task("multiple_choice", 60),
            model=str(start),
            out=tmp_path / out,
            processes=1,
        )


def test_settings_of_choices_hold_for_stages_of_choices_alone():
    settings = FinetuneSettings(margin=0.2, options_only=True)
    assert stage_settings(settings, task_types.get("multiple_choice")) == settings
    assert stage_settings(settings, task_types.get("classification")) == FinetuneSettings()


@pytest.mark.parametrize("option", [{"margin": 0.2}, {"options_only": True}])
def test_settings_of_choices_are_refused_in_other_tasks(encoder, tmp_path, option):
    with pytest.raises(BadInput, match="sample does not score the options of a choice"):
        finetune(sample_task("classification", 60), model=encoder, out=tmp_path / "out", **option)
