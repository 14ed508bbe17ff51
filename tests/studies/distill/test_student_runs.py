"""A student before its first step: the teacher's first layers under its own layers above, or the pretrained ones."""

import numpy as np
import pytest
import torch
from tests.inference.tuned_model import write_tuned

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.inference.finetuned_run import read_run
from wordworth.models.pruning import first_layers
from wordworth.studies.distill.student_runs import StudentSpec, TeacherAndStudent, named_for, read_teacher_and_student
from wordworth.studies.prune import prune
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.distillation.methods import METHODS
from wordworth.training.finetuning.dev_split import dev_split
from wordworth.training.finetuning.run_result import HyperParameters
from wordworth.training.finetuning.settings import FinetuneSettings


def test_the_start_predicts_as_the_folder_that_prune_writes(run, tmp_path):
    pair = TeacherAndStudent(read_run(run), str(run), 1)
    prune(run, tmp_path / "short", layers=1)
    pruned, inputs = read_run(tmp_path / "short").network, pair.inputs(sample_task("single"))
    expected = np.concatenate(pruned.tuned.exact.scores(inputs))
    np.testing.assert_allclose(np.concatenate(pair.start.exact.scores(inputs)), expected, atol=1e-5)


def test_teachers_with_other_weights_above_the_encoder_have_other_keys(run):
    first, second = (TeacherAndStudent(read_run(run), str(run), 1) for _ in range(2))
    assert first.key == second.key
    third = TeacherAndStudent(read_run(run), str(run), 1)
    with torch.no_grad():
        third.tuned.network.tuned.network.output.bias.add_(1.0)
    assert third.key != first.key


def test_teachers_with_another_encoder_have_other_keys(run):
    first, second = (TeacherAndStudent(read_run(run), str(run), 1) for _ in range(2))
    with torch.no_grad():
        next(second.tuned.encoder.model.parameters()).view(-1)[0] += 1.0
    assert second.key != first.key


def test_a_students_settings_are_its_teachers(tmp_path):
    pair = TeacherAndStudent(read_run(write_tuned(tmp_path, pooling="pooler", steps=2)), "run", 1)
    assert pair.shared_settings == {"pooling": "pooler", "embeddings": True, "bilstm": False}


def test_a_student_can_begin_as_the_pretrained_layers_under_a_new_output_layer(tmp_path):
    tuned = write_tuned(tmp_path, steps=30)
    pair = read_teacher_and_student(tuned, 1, str(tmp_path / "encoder"))
    pretrained = first_layers(ww.load(str(tmp_path / "encoder")).model, 1).state_dict()
    for name, value in pair.initial.model.state_dict().items():
        assert torch.equal(value, pretrained[name]), name
    assert not all(
        torch.equal(value, pretrained[name]) for name, value in pair.teacher_first_layers.state_dict().items()
    )
    task = sample_task("single")
    settings = FinetuneSettings(model="tiny", restarts=1, epochs=1, **pair.shared_settings)
    split, method = dev_split(task, 0.1, 0), METHODS["finetune"]
    begun = {}
    for start in ("teacher", str(tmp_path / "encoder")):
        spec = StudentSpec(settings, task, split, tmp_path, tuned, 1, start, method, method.weights)
        point = HyperParameters(learning_rate=1e-3, batch_size=16, epochs=1)
        begun[start] = spec.load().begin(point, 0).run.network.output.weight
    own = pair.tuned.network.tuned.network.output.weight
    assert torch.equal(begun["teacher"], own)
    assert not torch.equal(begun[str(tmp_path / "encoder")], own)


def test_students_of_another_start_have_runs_of_their_own(tmp_path):
    tuned, task = write_tuned(tmp_path, steps=2), sample_task("single")
    settings, method = FinetuneSettings(model="tiny"), METHODS["finetune"]
    folders = set()
    for start in ("teacher", str(tmp_path / "encoder")):
        spec = StudentSpec(settings, task, dev_split(task, 0.1, 0), tmp_path, tuned, 1, start, method, method.weights)
        folders.add(named_for(spec, read_teacher_and_student(tuned, 1, start), "identity").folder)
    assert len(folders) == 2


def test_a_run_that_does_not_say_what_it_began_from_is_refused_with_the_option_to_name_it(run):
    with pytest.raises(BadInput, match="does not say which model it began from") as error:
        read_teacher_and_student(run, 1, "pretrained")
    assert "--start" in error.value.mend


def test_a_misspelt_start_has_a_hint_and_an_unknown_model_has_none(run):
    with pytest.raises(BadInput, match=r"did you mean 'bilstm'\?"):
        read_teacher_and_student(run, 1, "bilsmt")
    with pytest.raises(BadInput, match="no model, folder or file 'nowhere'") as error:
        read_teacher_and_student(run, 1, "nowhere")
    assert "did you mean" not in error.value.mend
