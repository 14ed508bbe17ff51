"""What stands for a failed run, of every kind of task that a file may hold, and scores on a part of the test rows."""

from types import SimpleNamespace

import numpy as np
import pytest

from parts import tuning
from wordworth.tasks.reading.read_task import read_task
from wordworth.tasks.reading.settings import ReadSettings


def task_of(tmp_path, labels):
    path = tmp_path / "rows.csv"
    path.write_text("text,label\n" + "".join(f"text number {row},{label}\n" for row, label in enumerate(labels)))
    return read_task(path, ReadSettings(test=0.4))


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["a", "a", "a", "b"] * 25, lambda answers: (answers.argmax(axis=1) == 0).all()),
        (["a|b", "a", "a|c", "a|b|c"] * 25, lambda answers: (answers[:, 0] > 0).all() and answers.shape[1] == 3),
        ([f"{row}.25" for row in range(100)], lambda answers: answers.ndim == 1 and len(set(answers)) == 1),
    ],
    ids=["classes", "several labels", "numbers"],
)
def test_a_failed_run_predicts_what_needs_no_learning(tmp_path, labels, expected):
    task = task_of(tmp_path, labels)
    answers = tuning.usual(task)
    assert len(answers) == len(task.test)
    assert expected(answers)


def test_runs_are_scored_on_a_part_of_the_test_rows(tmp_path):
    task = task_of(tmp_path, ["a", "b"] * 50)
    gold = np.eye(2)[task.gold(task.test)]
    half = len(gold) // 2
    wrong = np.concatenate([gold[:half], 1 - gold[half:]])
    results = [SimpleNamespace(test=wrong, seed=0), SimpleNamespace(test=None, seed=1)]
    first, second = (tuning.scored_on(results, task, rows, "any") for rows in (slice(0, half), slice(half, None)))
    assert (first.point[0], second.point[0]) == (1.0, 0.0)
    assert 0 < first.point[1] < 1
    assert (first.draws[0] == 1).all()
