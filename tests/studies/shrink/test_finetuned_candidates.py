"""What may take the place of a fine-tuned model: its number types, fewer layers and heads, and other models."""

import numpy as np
import pytest
from tests.inference.tuned_model import write_rows, write_tuned

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.inference.finetuned_run import read_run
from wordworth.inference.labelled_inputs import read_halves
from wordworth.progress import SILENT
from wordworth.studies.shrink.finetuned_candidates import finetuned_candidates, heads_by_importance, read_students
from wordworth.studies.shrink.settings import ShrinkSettings
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module")
def small(run, tmp_path_factory):
    folder = tmp_path_factory.mktemp("small") / "small"
    ww.prune(run, folder, layers=1)
    return folder


def test_each_predicts_from_texts_what_its_folder_predicts(run, small, rows):
    tuned = read_run(run)
    task = read_halves(tuned.predictor, rows, ShrinkSettings(limit=60).read)
    order = heads_by_importance(tuned, task, SILENT)
    every = {each.name: each for each in finetuned_candidates(tuned, order, read_students([str(small)], tuned))}
    assert [name for name in every if name not in {"bfloat16", "int8"}] == [
        "whole", "first 1 layer", "2 heads removed", "3 heads removed", "5 heads removed", "6 heads removed", "small",
    ]  # fmt: skip
    examples = task.examples.take(task.test)
    for name, folder in (("whole", run), ("first 1 layer", small), ("small", small)):
        answers = ww.predict(folder, [{"text": text} for text in examples.first], dtype="float32")
        predicted = every[name].predict(examples).argmax(1)
        assert [task.classes[number] for number in predicted] == [str(label) for label in answers["prediction"]]
    assert every["first 1 layer"].num_bytes == every["small"].num_bytes < every["whole"].num_bytes
    assert np.array_equal(every["first 1 layer"].predict(examples), every["small"].predict(examples))
    if "bfloat16" in every:
        assert 2 * every["bfloat16"].num_bytes == every["whole"].num_bytes


def test_heads_of_a_pruned_model_are_not_pruned_again(run, rows, tmp_path):
    ww.prune(run, tmp_path / "fewer", heads=0.5, data=rows, limit=60)
    tuned = read_run(tmp_path / "fewer")
    task = read_halves(tuned.predictor, rows, ShrinkSettings(limit=60).read)
    assert heads_by_importance(tuned, task, SILENT) == ()
    assert not any("heads" in each.name for each in finetuned_candidates(tuned, (), ()))


def test_a_model_of_other_classes_is_refused(run, tmp_path):
    other = write_tuned(tmp_path, kind="regression", steps=2)
    with pytest.raises(BadInput, match="other classes"):
        read_students([str(other)], read_run(run))


def test_two_models_of_one_name_are_told_apart(run, small, tmp_path):
    write_rows(tmp_path / "rows.csv", sample_task("single"))
    ww.prune(run, tmp_path / "small", layers=1)
    names = [name for name, _ in read_students([str(small), str(tmp_path / "small")], read_run(run))]
    assert names == ["small", str(tmp_path / "small")]
