"""A teacher's outputs by a cluster are those of one process, and stored where it would store them."""

import numpy as np
import pytest
from tests.inference.ray_stand_in import install

from wordworth.errors import BadInput
from wordworth.inference.finetuned_run import read_run
from wordworth.progress import SILENT
from wordworth.studies.distill import distill, teacher_on_ray
from wordworth.studies.distill.student_runs import TeacherAndStudent
from wordworth.studies.distill.teacher_on_ray import store_outputs_by_ray
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.distillation import teacher_outputs
from wordworth.training.distillation.methods import METHODS
from wordworth.training.distillation.teacher_outputs import TeacherReader


class Counted:
    """A step that counts what was done and what was there already."""

    done = skipped = 0

    def advance(self, amount=1):
        self.done += amount

    def skip(self, amount):
        self.skipped += amount


@pytest.fixture
def ray(monkeypatch, tmp_path):
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(teacher_outputs, "_BLOCK", 10)
    teacher_on_ray._reader_and_key.cache_clear()
    return install(monkeypatch)


@pytest.fixture
def pair(run):
    return TeacherAndStudent(read_run(run), str(run), 1)


def computed_in_processes(monkeypatch):
    """The sizes of the blocks that a teacher has computed."""
    sizes, real = [], TeacherReader.computed
    monkeypatch.setattr(TeacherReader, "computed", lambda self, inputs: sizes.append(len(inputs)) or real(self, inputs))
    return sizes


@pytest.mark.parametrize("name", ["kd", "distilbert", "tinybert"])
def test_what_is_stored_is_what_one_process_computes(ray, pair, monkeypatch, tmp_path, name):
    inputs, step = pair.inputs(sample_task("single")).take(np.arange(32)), Counted()
    store_outputs_by_ray(pair, METHODS[name], inputs, step)
    assert (step.done, step.skipped, ray.started) == (32, 0, 0)
    sizes = computed_in_processes(monkeypatch)
    found = pair.reader(METHODS[name]).answers(inputs)
    assert not sizes
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / "other"))
    alone = pair.reader(METHODS[name]).answers(inputs)
    assert sizes == [10, 10, 10, 2]
    assert found.scores.tobytes() == alone.scores.tobytes()
    assert (found.states is None) == (alone.states is None) == (name == "kd")
    if alone.states is not None:
        assert found.states.tobytes() == alone.states.tobytes()


def test_what_is_stored_already_is_not_computed_again(ray, pair, monkeypatch):
    inputs, step = pair.inputs(sample_task("single")), Counted()
    pair.reader(METHODS["kd"]).answers(inputs.take(np.arange(20)))
    sizes = computed_in_processes(monkeypatch)
    store_outputs_by_ray(pair, METHODS["kd"], inputs.take(np.arange(35)), step)
    assert sorted(sizes) == [5, 10]
    assert (step.done, step.skipped) == (15, 20)
    store_outputs_by_ray(pair, METHODS["kd"], inputs.take(np.arange(35)), step)
    assert (step.skipped, ray.starts) == (55, 1)


def test_workers_that_die_are_named_by_their_texts_and_the_work_goes_on_later(ray, pair):
    inputs = pair.inputs(sample_task("single")).take(np.arange(32))
    ray.dies = True
    with pytest.raises(BadInput, match=r"4 workers died at the texts of rows 30 to 31"):
        store_outputs_by_ray(pair, METHODS["kd"], inputs, Counted())
    ray.dies, step = False, Counted()
    store_outputs_by_ray(pair, METHODS["kd"], inputs, step)
    assert step.done == 32


@pytest.mark.usefixtures("ray")
def test_a_worker_that_finds_another_teacher_is_refused(run, pair):
    block = teacher_outputs.TextBlock(0, pair.inputs(sample_task("single")).take(np.arange(3)))
    with pytest.raises(BadInput, match=r"a worker has another teacher there, or computes by another kernel"):
        teacher_on_ray._outputs(block, str(run), 1, METHODS["kd"], "another")
    key = pair.reader(METHODS["kd"]).key()
    assert teacher_on_ray._outputs(block, str(run), 1, METHODS["kd"], key).scores.shape == (3, 3)


def test_the_study_is_the_same_by_either_engine(ray, run, rows, tmp_path, monkeypatch):
    choices = {"data": rows, "layers": 1, "method": "kd", "compare": "", "seeds": 1, "epochs": 1, "processes": 1}
    by_ray = distill(run, tmp_path / "ray", engine="ray", progress=SILENT, **choices)
    assert ray.starts == 1
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / "other"))
    alone = distill(run, tmp_path / "alone", **choices)
    assert by_ray.tables == alone.tables
    assert by_ray.settings == alone.settings
    for name in ("model.safetensors", "head.safetensors", "wordworth.json"):
        assert (tmp_path / "ray/model" / name).read_bytes() == (tmp_path / "alone/model" / name).read_bytes()
