"""What a fine-tuning keeps for the study of what it changed: bounded, read back, and removed with its model."""

import json

import numpy as np
import pytest
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.finetuning.checkpoint_metadata import read_metadata
from wordworth.training.finetuning.saved_trajectory import read_trajectory

SETTINGS = {"epochs": 2, "batch_size": 8, "processes": 1, "pooling": "mean"}


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return str(write_tiny(tmp_path_factory.mktemp("start") / "encoder", max_position_embeddings=130))


def read(out):
    return read_trajectory(out, read_metadata(out))


def test_rows_points_and_a_second_seed_are_read_back(encoder, tmp_path):
    task = sample_task("single")
    ww.finetune(task, model=encoder, restarts=3, keep_path=True, out=tmp_path, **SETTINGS)
    path = read(tmp_path)
    assert next(iter(path.points)) == 0
    assert path.unseen.examples.first == tuple(task.examples.first[row] for row in task.test)
    assert np.array_equal(path.unseen.labels, task.gold(task.test))
    assert set(path.learned.examples.first) <= {task.examples.first[row] for row in task.train}
    assert ww.load_run(path.second) is not None
    assert len(list(tmp_path.glob("runs/*/*/path"))) == 1
    assert len(list(tmp_path.glob("runs/*/*/weights.pt"))) == 2


def test_the_same_call_makes_nothing_again_and_one_without_a_path_removes_it(encoder, tmp_path):
    task = sample_task("single")
    record = ww.finetune(task, model=encoder, restarts=2, keep_path=True, out=tmp_path, **SETTINGS)
    again = ww.finetune(task, model=encoder, restarts=2, keep_path=True, out=tmp_path, **SETTINGS)
    assert again.timings["runs"] == record.timings["runs"]
    assert read(tmp_path) is not None
    with pytest.warns(UserWarning, match="will be replaced"):
        ww.finetune(task, model=encoder, restarts=1, out=tmp_path, **SETTINGS)
    assert read(tmp_path) is None


@pytest.mark.parametrize("kind", ["regression", "multilabel", "tags"])
def test_rows_of_other_kinds_of_task_are_read_back(encoder, tmp_path, kind):
    task = sample_task(kind)
    settings = {**SETTINGS, "pooling": None}
    ww.finetune(task, model=encoder, restarts=1, keep_path=True, out=tmp_path, **settings)
    path, gold = read(tmp_path), task.gold(task.test)
    assert path.second is None
    assert all(np.array_equal(x, y) for x, y in zip(path.unseen.gold(path.unseen.test), gold, strict=True))
    assert path.unseen.examples.words == task.examples.take(task.test).words


def test_a_run_from_scratch_says_so_and_begins_elsewhere(encoder, tmp_path):
    task = sample_task("single")
    ww.finetune(task, model=encoder, restarts=1, from_scratch=True, out=tmp_path / "scratch", **SETTINGS)
    ww.finetune(task, model=encoder, restarts=1, out=tmp_path / "run", **SETTINGS)
    starts = [
        json.loads((tmp_path / name / "model" / "wordworth.json").read_text())["start"] for name in ("scratch", "run")
    ]
    assert [start["random_seed"] for start in starts] == [0, None]
    assert starts[0]["fingerprint"] != starts[1]["fingerprint"]


def test_what_no_path_can_be_kept_of_is_refused(encoder, tmp_path):
    for kind in ("span", "choice"):
        with pytest.raises(BadInput, match="asks questions"):
            ww.finetune(sample_task(kind), model=encoder, keep_path=True, out=tmp_path)
    for name in ("keep_path", "from_scratch"):
        with pytest.raises(BadInput, match="layers of the encoder are not trained"):
            ww.finetune(sample_task("tags"), model=encoder, features="last", **{name: True}, out=tmp_path)
