"""Labelled rows in the classes of a fine-tuned model: numbered as the model has them, refused where they do not fit."""

from dataclasses import replace

import numpy as np
import pytest
from tests.inference.tuned_model import write_rows, write_tuned

from wordworth.errors import BadInput
from wordworth.inference.finetuned_run import read_run
from wordworth.inference.labelled_inputs import in_classes_of, labelled_inputs, read_halves
from wordworth.tasks.reading.settings import ReadSettings
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    kinds = ("single", "multilabel", "tags", "regression")
    return {kind: read_run(write_tuned(folder / kind, kind=kind)) for kind in kinds}


@pytest.mark.parametrize("kind", ["single", "multilabel", "tags"])
def test_labels_are_numbered_as_the_model_numbers_its_classes(runs, kind):
    task = sample_task(kind)
    order = np.arange(len(task.classes))[::-1]
    names = tuple(task.classes[number] for number in order)
    if kind == "tags":
        labels = tuple(order.argsort()[tags] for tags in task.labels)
    else:
        labels = task.labels[:, order] if kind == "multilabel" else order.argsort()[task.labels]
    shuffled = in_classes_of(runs[kind].predictor, replace(task, classes=names, labels=labels))
    assert shuffled.classes == task.classes
    for one, other in zip(shuffled.labels, task.labels, strict=True):
        assert np.array_equal(one, other)


def test_values_stay_on_their_own_scale(runs):
    task = sample_task("regression")
    examples = labelled_inputs(runs["regression"].network, task, task.test)
    assert np.allclose(examples.targets.values.numpy(), task.labels[task.test])
    assert (examples.targets.mean, examples.targets.std) == (0, 1)


def test_rows_that_do_not_fit_the_model_are_refused(runs):
    task = sample_task("single")
    with pytest.raises(BadInput, match="class 'other'; give rows of its classes, or another `label` "):
        in_classes_of(runs["single"].predictor, replace(task, classes=("other", *task.classes[1:])))
    with pytest.raises(BadInput, match="the model was fine-tuned for tagging"):
        in_classes_of(runs["tags"].predictor, task)


def test_a_file_is_read_in_two_halves_that_share_no_text(runs, tmp_path):
    task = sample_task("single")
    path = write_rows(tmp_path / "dev.csv", task)
    halves = read_halves(runs["single"].predictor, path, ReadSettings(limit=60))
    assert abs(len(halves.train) - len(halves.test)) <= 6
    texts = [{halves.examples.first[row] for row in rows} for rows in (halves.train, halves.test)]
    assert not texts[0] & texts[1]
    assert halves.classes == runs["single"].predictor.classes
